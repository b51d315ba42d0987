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
    Commit(Box<Plan>),
    Statement(Statement),
    /// All or nothing. Answers with a row for each, which says how many rows that one touched.
    Together(Vec<Statement>),
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

    /// Does the batch and answers it. Whatever breaks the transaction as a whole is every job's error.
    fn write(&mut self, batch: Vec<(Work, Reply)>) {
        let (works, replies): (Vec<Work>, Vec<Reply>) = batch.into_iter().unzip();
        match self.perform_all(&works) {
            Ok(outcomes) => self.answer(works, replies, outcomes),
            Err(error) => {
                for reply in replies {
                    let _ = reply.send(Err(error.clone().into()));
                }
            }
        }
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

    /// A savepoint makes SQLite copy every page a job touches, and only a job that fails needs one. So the batch first
    /// runs without; if a job fails, the transaction starts over with them and only that job is undone.
    fn perform_all(&self, works: &[Work]) -> Result<Vec<Outcome>, StoreError> {
        let bare = self.transact(works, |work| match self.perform(work) {
            Err(CommitError::Store(error)) => Err(error),
            outcome => Ok(outcome),
        });
        match bare {
            Err(error) if works.len() > 1 && !matches!(error, StoreError::Busy(_)) => {
                self.transact(works, |work| self.perform_guarded(work))
            }
            outcomes => outcomes,
        }
    }

    /// All jobs and COMMIT, or nothing. The connection is ready for the next transaction either way.
    fn transact(
        &self,
        works: &[Work],
        perform: impl Fn(&Work) -> Result<Outcome, StoreError>,
    ) -> Result<Vec<Outcome>, StoreError> {
        self.execute("BEGIN IMMEDIATE")?;
        let outcomes = works.iter().map(perform).collect::<Result<Vec<_>, _>>();
        let outcomes = outcomes.and_then(|outcomes| self.execute("COMMIT").map(|()| outcomes));
        if outcomes.is_err() && !self.connection.is_autocommit() {
            self.execute("ROLLBACK")?;
        }
        outcomes
    }

    /// One job inside a savepoint. The inner result is the job's own; the outer one fails when SQLite has dropped the
    /// whole transaction, as it may when the disk is full.
    fn perform_guarded(&self, work: &Work) -> Result<Outcome, StoreError> {
        self.execute("SAVEPOINT job")?;
        let outcome = self.perform(work);
        match &outcome {
            Err(CommitError::Store(error)) if self.connection.is_autocommit() => return Err(error.clone()),
            Err(_) => self.execute("ROLLBACK TO job")?,
            Ok(_) => {}
        }
        self.execute("RELEASE job")?;
        Ok(outcome)
    }

    fn perform(&self, work: &Work) -> Outcome {
        match work {
            Work::Statement(statement) => Ok(run(&self.connection, statement)?),
            Work::Commit(plan) => self.perform_plan(plan),
            Work::Together(statements) => self.perform_together(statements),
        }
    }

    fn perform_together(&self, statements: &[Statement]) -> Outcome {
        let touched = statements.iter().map(|statement| Ok(run(&self.connection, statement)?.touched));
        Ok(Answer::of_counts(touched.collect::<Result<Vec<u64>, StoreError>>()?))
    }

    fn perform_plan(&self, plan: &Plan) -> Outcome {
        if run(&self.connection, &plan.decision)?.touched == 0 {
            let standing = run(&self.connection, &plan.standing())?;
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
