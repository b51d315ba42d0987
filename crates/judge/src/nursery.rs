//! Keeps interpreters that wait for a program: started in their sandbox before there is one, used for a single run,
//! and thrown away. A run always gets one that has never seen a learner's data, and no other run gets it
//! afterwards.

use crate::limits::Limits;
use crate::running::{Running, Start};
use crate::sandbox::Groups;
use std::collections::VecDeque;
use std::path::PathBuf;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// The time that interpreters of a kind wait if no run asks for them.
const PATIENCE: Duration = Duration::from_secs(120);
/// The most kinds that are kept. Only callers with limits of their own need more kinds than languages.
const KINDS: usize = 4;

#[derive(Debug)]
pub(crate) struct Nursery {
    shared: Arc<Shared>,
    /// The one thread that starts them. The kernel ends a sandbox with the thread that started it, so this one
    /// lasts.
    thread: Option<JoinHandle<()>>,
}

#[derive(Debug)]
struct Shared {
    helper: PathBuf,
    groups: Groups,
    most: usize,
    kinds: Mutex<Kinds>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct Kinds {
    all: Vec<Kind>,
    is_over: bool,
}

#[derive(Debug)]
struct Kind {
    start: Start,
    waiting: VecDeque<Running>,
    asked_at: Instant,
}

impl Nursery {
    /// Makes a nursery that keeps at most this many of each kind. The first interpreter of a kind starts on demand.
    pub(crate) fn new(helper: PathBuf, groups: Groups, most: usize) -> Nursery {
        let shared = Shared { helper, groups, most, kinds: Mutex::default(), changed: Condvar::new() };
        let shared = Arc::new(shared);
        let keeper = shared.clone();
        let thread = std::thread::Builder::new().name("judge-nursery".into());
        let thread = (most > 0).then(|| thread.spawn(move || keeper.keep()).ok()).flatten();
        Nursery { shared, thread }
    }

    /// Takes a waiting interpreter, if there is one. In any case, more of this kind will be started for later runs.
    pub(crate) fn take(&self, start: &Start, limits: &Limits) -> Option<Running> {
        self.thread.as_ref()?;
        let mut kinds = self.shared.lock();
        let kind = kinds.of(start);
        kind.asked_at = Instant::now();
        let mut waiting = std::iter::from_fn(|| kind.waiting.pop_front());
        waiting.find_map(|running| running.serve(limits))
    }

    /// Wakes the thread that starts missing interpreters.
    pub(crate) fn refill(&self) {
        self.shared.changed.notify_all();
    }

    /// Whether interpreters wait here at all.
    pub(crate) fn is_open(&self) -> bool {
        self.thread.is_some()
    }

    pub(crate) fn waiting(&self) -> usize {
        self.shared.lock().all.iter().map(|kind| kind.waiting.len()).sum()
    }
}

impl Drop for Nursery {
    fn drop(&mut self) {
        self.shared.lock().is_over = true;
        self.shared.changed.notify_all();
        // If the thread has panicked, there is nothing left to end.
        let _ = self.thread.take().map(JoinHandle::join);
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, Kinds> {
        self.kinds.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn keep(&self) {
        let mut kinds = self.lock();
        while !kinds.is_over {
            let stale = kinds.stale();
            if !stale.is_empty() {
                drop(kinds);
                drop(stale);
                kinds = self.lock();
            } else if let Some(start) = kinds.missing(self.most) {
                drop(kinds);
                let limits = Limits::default();
                let started = Running::start(&self.helper, &self.groups, &start, &limits);
                kinds = self.lock();
                kinds.add(&start, started.ok());
            } else {
                let waited = self.changed.wait_timeout(kinds, PATIENCE);
                kinds = waited.unwrap_or_else(PoisonError::into_inner).0;
            }
        }
        kinds.all.clear();
    }
}

impl Kinds {
    fn of(&mut self, start: &Start) -> &mut Kind {
        if let Some(at) = self.all.iter().position(|kind| kind.start == *start) {
            return &mut self.all[at];
        }
        self.all.insert(0, Kind { start: start.clone(), waiting: VecDeque::new(), asked_at: Instant::now() });
        &mut self.all[0]
    }

    /// Takes out the kinds that no run has asked for in a while and, if there are too many, those asked for longest
    /// ago.
    fn stale(&mut self) -> Vec<Kind> {
        self.all.sort_by_key(|kind| std::cmp::Reverse(kind.asked_at));
        let fresh = self.all.iter().take(KINDS).take_while(|kind| kind.asked_at.elapsed() < PATIENCE).count();
        self.all.split_off(fresh)
    }

    fn missing(&self, most: usize) -> Option<Start> {
        self.all.iter().find(|kind| kind.waiting.len() < most).map(|kind| kind.start.clone())
    }

    /// Adds a started interpreter. A kind that cannot be started is forgotten: its next run says why.
    fn add(&mut self, start: &Start, started: Option<Running>) {
        let Some(at) = self.all.iter().position(|kind| kind.start == *start) else { return };
        match started {
            Some(running) => self.all[at].waiting.push_back(running),
            None => drop(self.all.remove(at)),
        }
    }
}
