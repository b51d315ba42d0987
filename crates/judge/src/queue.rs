//! Lets as many runs in at once as there are places. Waiting runs take turns, one run per learner; the runs of one
//! learner keep their order.

use std::collections::VecDeque;
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};

#[derive(Debug)]
pub(crate) struct Queue {
    places: usize,
    lines: Mutex<Lines>,
}

#[derive(Debug, Default)]
struct Lines {
    running: usize,
    /// The waiting learners. The first one is next, and then goes to the end.
    waiting: VecDeque<(Arc<str>, VecDeque<Sender<()>>)>,
}

/// The right to run. Dropping it lets the next run in.
#[derive(Debug)]
pub(crate) struct Permit<'q>(&'q Queue);

impl Queue {
    pub(crate) fn new(places: usize) -> Queue {
        Queue { places: places.max(1), lines: Mutex::default() }
    }

    pub(crate) fn enter(&self, who: &Arc<str>) -> Permit<'_> {
        let (let_in, wait) = channel();
        self.change(|lines| lines.join(who, let_in));
        // The sender is kept until it is used, so a word always comes.
        let _ = wait.recv();
        Permit(self)
    }

    fn change(&self, change: impl FnOnce(&mut Lines)) {
        let mut lines = self.lines.lock().unwrap_or_else(PoisonError::into_inner);
        change(&mut lines);
        while lines.running < self.places {
            let Some(next) = lines.next() else { break };
            lines.running += 1;
            let _ = next.send(());
        }
    }
}

impl Lines {
    fn join(&mut self, who: &Arc<str>, let_in: Sender<()>) {
        match self.waiting.iter_mut().find(|(other, _)| other == who) {
            Some((_, line)) => line.push_back(let_in),
            None => self.waiting.push_back((who.clone(), VecDeque::from([let_in]))),
        }
    }

    fn next(&mut self) -> Option<Sender<()>> {
        let (who, mut line) = self.waiting.pop_front()?;
        let next = line.pop_front();
        if !line.is_empty() {
            self.waiting.push_back((who, line));
        }
        next
    }
}

impl Drop for Permit<'_> {
    fn drop(&mut self) {
        self.0.change(|lines| lines.running -= 1);
    }
}
