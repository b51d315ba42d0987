//! Runs the worker's claimed errands: many flows at once, in order within each flow. A slow errand delays only its
//! own flow, as long as there are places for others.

use super::app::App;
use super::worker;
use futures_util::StreamExt;
use futures_util::future::BoxFuture;
use futures_util::stream::FuturesUnordered;
use std::collections::{HashMap, HashSet, VecDeque};
use std::pin::pin;
use store::{Effect, StoreError, Timer};

#[derive(Debug)]
pub enum Errand {
    Timer(Timer),
    Effect(Effect),
}

impl Errand {
    fn instance(&self) -> &str {
        match self {
            Errand::Timer(timer) => &timer.instance,
            Errand::Effect(effect) => &effect.instance,
        }
    }

    fn key(&self) -> String {
        match self {
            Errand::Timer(timer) => format!("{}/{}/{}", timer.instance, timer.event, timer.due_at.0),
            Errand::Effect(effect) => effect.key.clone(),
        }
    }
}

/// The errands that one worker loop has claimed.
#[derive(Debug)]
pub struct Errands<'a> {
    app: &'a App,
    running: FuturesUnordered<BoxFuture<'a, Done>>,
    /// The flows with an errand under way, and their errands that wait for it.
    waiting: HashMap<String, VecDeque<Errand>>,
    held: HashSet<String>,
}

#[derive(Debug)]
struct Done {
    errand: Errand,
    outcome: Result<(), StoreError>,
}

impl<'a> Errands<'a> {
    pub fn of(app: &'a App) -> Errands<'a> {
        Errands { app, running: FuturesUnordered::new(), waiting: HashMap::new(), held: HashSet::new() }
    }

    pub fn len(&self) -> usize {
        self.held.len()
    }

    pub fn add(&mut self, errand: Errand) {
        // An errand that outlives its lease is claimed again, perhaps by this same node.
        if !self.held.insert(errand.key()) {
            return;
        }
        match self.waiting.get_mut(errand.instance()) {
            Some(queue) => queue.push_back(errand),
            None => {
                self.waiting.insert(errand.instance().to_owned(), VecDeque::new());
                self.begin(errand, false);
            }
        }
    }

    /// Works until at most `rest` errands are left, or the store fails.
    pub async fn go_on(&mut self, rest: usize) -> Result<(), StoreError> {
        while self.len() > rest
            && let Some(done) = self.running.next().await
        {
            self.retire(done)?;
        }
        Ok(())
    }

    /// Works while waiting for something else. Errands hold places in queues that `other` may need, so an errand
    /// that paused halfway would block it forever.
    pub async fn beside<T>(&mut self, other: impl Future<Output = T>) -> T {
        let mut other = pin!(other);
        loop {
            tokio::select! {
                answer = &mut other => return answer,
                Some(done) = self.running.next() => {
                    if let Err(error) = self.retire(done) {
                        tracing::warn!(%error, "a timer could not be taken; it is looked at again");
                    }
                }
            }
        }
    }

    fn begin(&mut self, errand: Errand, has_waited: bool) {
        let app = self.app;
        self.running.push(Box::pin(async move {
            let outcome = match &errand {
                Errand::Timer(timer) => worker::fire(app, timer).await,
                Errand::Effect(effect) => {
                    worker::perform_left(app, effect, has_waited).await;
                    Ok(())
                }
            };
            Done { errand, outcome }
        }));
    }

    fn retire(&mut self, Done { errand, outcome }: Done) -> Result<(), StoreError> {
        self.held.remove(&errand.key());
        match self.waiting.get_mut(errand.instance()).and_then(VecDeque::pop_front) {
            Some(next) => self.begin(next, true),
            None => {
                self.waiting.remove(errand.instance());
            }
        }
        outcome
    }
}
