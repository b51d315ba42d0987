//! Lets commits of concurrent turns share transactions. A dispatcher hands queued commits to any free connection.
//! An instance, or a scope that several share, is in only one batch at a time and only once in it, so its commits
//! keep their order.

use std::collections::{HashSet, VecDeque};

use tokio::sync::{mpsc, oneshot};
use tokio::task::JoinSet;

use super::batch::settle;
use super::link::Link;
use crate::CommitError;
use crate::feed::Feed;
use crate::plan::Plan;

const MAX_BATCH: usize = 128;
/// The most commits that the dispatcher holds because their instance is busy. Beyond that, the queue waits.
const MAX_HELD: usize = 1024;

#[derive(Debug)]
pub(super) enum Job {
    Commit(Box<Plan>, Reply),
    Close,
}

pub(super) type Reply = oneshot::Sender<Result<(), CommitError>>;

/// Dispatches commits until the queue is closed and everything in it is answered.
pub(super) async fn dispatch(queue: mpsc::Receiver<Job>, lanes: Vec<Link>, feed: Feed) {
    let mut dispatcher = Dispatcher {
        queue,
        idle: lanes,
        running: JoinSet::new(),
        held: VecDeque::new(),
        busy: HashSet::new(),
        feed,
    };
    while dispatcher.step().await {}
}

struct Dispatcher {
    queue: mpsc::Receiver<Job>,
    idle: Vec<Link>,
    running: JoinSet<(Link, Vec<String>)>,
    held: VecDeque<(Box<Plan>, Reply)>,
    /// The flows and documents of running batches.
    busy: HashSet<String>,
    feed: Feed,
}

impl Dispatcher {
    /// Starts every batch that can start, then waits for work or for a connection. Returns false once there is no
    /// more of either.
    async fn step(&mut self) -> bool {
        self.take_queued();
        self.start();
        let room = self.held.len() < MAX_HELD;
        tokio::select! {
            Some(finished) = self.running.join_next() => self.retire(finished),
            Some(job) = self.queue.recv(), if room => self.accept(job),
            else => return false,
        }
        true
    }

    fn take_queued(&mut self) {
        while self.held.len() < MAX_HELD
            && let Ok(job) = self.queue.try_recv()
        {
            self.accept(job);
        }
    }

    fn accept(&mut self, job: Job) {
        match job {
            Job::Commit(plan, reply) => self.held.push_back((plan, reply)),
            Job::Close => self.queue.close(),
        }
    }

    fn start(&mut self) {
        while !self.idle.is_empty() {
            let batch = self.pick();
            if batch.is_empty() {
                return;
            }
            let lane = self.idle.pop().expect("a lane is idle");
            let feed = self.feed.clone();
            self.running.spawn(async move {
                let subjects: Vec<String> = batch.iter().map(|(plan, _)| plan.subject().to_owned()).collect();
                settle(&lane, batch, &feed).await;
                (lane, subjects)
            });
        }
    }

    /// Takes the commits that have waited longest, one for each subject that is in no batch.
    fn pick(&mut self) -> Vec<(Box<Plan>, Reply)> {
        let mut batch = Vec::new();
        let mut rest = VecDeque::new();
        for (plan, reply) in self.held.drain(..) {
            if batch.len() < MAX_BATCH && self.busy.insert(plan.subject().to_owned()) {
                batch.push((plan, reply));
            } else {
                rest.push_back((plan, reply));
            }
        }
        self.held = rest;
        batch
    }

    fn retire(&mut self, finished: Result<(Link, Vec<String>), tokio::task::JoinError>) {
        match finished {
            Ok((lane, subjects)) => {
                self.idle.push(lane);
                for subject in subjects {
                    self.busy.remove(&subject);
                }
            }
            Err(error) => match error.try_into_panic() {
                Ok(panic) => std::panic::resume_unwind(panic),
                Err(cancelled) => tracing::warn!(%cancelled, "a batch of commits was cancelled"),
            },
        }
    }
}
