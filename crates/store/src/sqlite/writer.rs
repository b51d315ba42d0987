//! The one thread that writes. What is queued when it looks shares one transaction and so one wait for the disk;
//! callers hear back only after that wait.

use rusqlite::Connection;
use tokio::sync::{mpsc, oneshot};

use super::connection::run;
use crate::feed::Feed;
use crate::plan::Plan;
use crate::statement::{Answer, Statement};
use crate::{CommitError, StoreError};

/// Jobs that may share a transaction. More would save little disk time and make the first caller wait longer.
const MAX_BATCH: usize = 256;

#[derive(Debug)]
pub(super) enum Job {
    Work(Work, Reply),
    Close,
}

#[derive(Debug)]
pub(super) enum Work {
    Commit(Plan),
    Statement(Statement),
}

type Outcome = Result<Answer, CommitError>;
type Reply = oneshot::Sender<Outcome>;

pub(super) struct Writer {
    connection: Connection,
    queue: mpsc::Receiver<Job>,
    feed: Feed,
}

impl Writer {
    pub(super) fn new(connection: Connection, queue: mpsc::Receiver<Job>, feed: Feed) -> Self {
        Self { connection, queue, feed }
    }

    /// Works until the queue is closed and empty.
    pub(super) fn run(mut self) {
        while let Some(job) = self.queue.blocking_recv() {
            let mut batch = Vec::with_capacity(MAX_BATCH);
            self.accept(job, &mut batch);
            self.take_queued(&mut batch);
            if !batch.is_empty() {
                self.write(batch);
            }
        }
        if let Err((_, error)) = self.connection.close() {
            tracing::warn!(%error, "the SQLite connection did not close cleanly; the next start recovers it");
        }
    }

    /// Takes what waits now and never waits for more: a lone caller must not pay for company that may not come.
    fn take_queued(&mut self, batch: &mut Vec<(Work, Reply)>) {
        while batch.len() < MAX_BATCH
            && let Ok(job) = self.queue.try_recv()
        {
            self.accept(job, batch);
        }
    }

    fn accept(&mut self, job: Job, batch: &mut Vec<(Work, Reply)>) {
        match job {
            Job::Work(work, reply) => batch.push((work, reply)),
            Job::Close => self.queue.close(),
        }
    }

    /// One transaction. Whatever breaks it as a whole is every job's error.
    fn write(&mut self, batch: Vec<(Work, Reply)>) {
        let (works, replies): (Vec<Work>, Vec<Reply>) = batch.into_iter().unzip();
        match self.transact(&works) {
            Ok(outcomes) => self.answer(works, replies, outcomes),
            Err(error) => {
                for reply in replies {
                    let _ = reply.send(Err(error.clone().into()));
                }
            }
        }
    }

    fn transact(&self, works: &[Work]) -> Result<Vec<Outcome>, StoreError> {
        self.execute("BEGIN IMMEDIATE")?;
        let outcomes = works.iter().map(|work| self.perform(work)).collect::<Result<Vec<_>, _>>();
        let outcomes = outcomes.and_then(|outcomes| self.execute("COMMIT").map(|()| outcomes));
        if outcomes.is_err() && !self.connection.is_autocommit() {
            self.execute("ROLLBACK")?;
        }
        outcomes
    }

    fn answer(&self, works: Vec<Work>, replies: Vec<Reply>, outcomes: Vec<Outcome>) {
        for ((work, reply), outcome) in works.into_iter().zip(replies).zip(outcomes) {
            if let (Work::Commit(plan), Ok(_)) = (work, &outcome) {
                self.feed.tell(plan.change);
            }
            // A caller that no longer waits is no reason to undo its work.
            let _ = reply.send(outcome);
        }
    }

    /// One job. The inner result is the job's own; the outer one fails when SQLite has dropped the transaction, as
    /// it does when the disk is full.
    fn perform(&self, work: &Work) -> Result<Outcome, StoreError> {
        self.execute("SAVEPOINT job")?;
        let outcome = match work {
            Work::Statement(statement) => run(&self.connection, statement).map_err(CommitError::from),
            Work::Commit(plan) => self.perform_plan(plan),
        };
        if self.connection.is_autocommit() {
            return Err(store_error(outcome));
        }
        if outcome.is_err() {
            self.execute("ROLLBACK TO job")?;
        }
        self.execute("RELEASE job")?;
        Ok(outcome)
    }

    fn perform_plan(&self, plan: &Plan) -> Outcome {
        if run(&self.connection, &plan.decision)?.touched == 0 {
            let standing = run(&self.connection, &plan.standing)?;
            return plan.judge(standing.rows.into_iter().next()).map(|()| Answer::default());
        }
        for step in &plan.steps {
            run(&self.connection, &step.statement)?;
        }
        Ok(Answer::default())
    }

    fn execute(&self, text: &str) -> Result<(), StoreError> {
        self.connection.prepare_cached(text)?.raw_execute()?;
        Ok(())
    }
}

fn store_error(outcome: Outcome) -> StoreError {
    match outcome {
        Err(CommitError::Store(error)) => error,
        _ => StoreError::Io("SQLite ended the transaction without saying why".into()),
    }
}
