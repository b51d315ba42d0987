//! Writes, as the only writer. All jobs in the queue share one transaction and so one wait for the disk; callers
//! are answered only after that wait. A lone caller writes by itself: waking a thread and being woken by it would
//! take about as long as the disk.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use rusqlite::Connection;
use tokio::runtime::Handle;
use tokio::sync::{mpsc, oneshot};
use tokio::task::JoinHandle;

use super::connection::run;
use crate::feed::Feed;
use crate::plan::Plan;
use crate::statement::{Answer, Statement};
use crate::{CommitError, StoreError, migration, sql};

/// The most jobs that share a transaction. More would save little disk time and make the first caller wait longer.
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
    /// Several statements, all of them or none. The answer has a row for each, with the number of rows that it
    /// touched.
    Together(Vec<Statement>),
}

type Outcome = Result<Answer, CommitError>;
/// The verdict on the schema that a transaction finds: an error if this program does not know it.
type Schema = Result<(), StoreError>;
type Reply = oneshot::Sender<Outcome>;

#[derive(Debug)]
pub(super) struct Writer {
    /// The connection; `None` once it is closed.
    connection: Mutex<Option<Connection>>,
    feed: Feed,
    /// The runtime of the waiting callers.
    runtime: Handle,
    /// The task that answers the last callers.
    answering: Mutex<Option<JoinHandle<()>>>,
    /// Whether callers have met lately. If so, they queue, so that they share transactions again.
    is_busy: AtomicBool,
}

impl Writer {
    pub(super) fn new(connection: Connection, feed: Feed, runtime: Handle) -> Self {
        Self {
            connection: Mutex::new(Some(connection)),
            feed,
            runtime,
            answering: Mutex::default(),
            is_busy: AtomicBool::new(false),
        }
    }

    /// Works through the queue until it is closed and empty.
    pub(super) fn run(&self, mut queue: mpsc::Receiver<Job>) {
        while let Some(job) = queue.blocking_recv() {
            let mut connection = self.connection.lock().unwrap_or_else(PoisonError::into_inner);
            let mut batch = Vec::with_capacity(MAX_BATCH);
            accept(job, &mut queue, &mut batch);
            take_queued(&mut queue, &mut batch);
            self.is_busy.store(batch.len() > 1, Ordering::Relaxed);
            if let Some(connection) = connection.as_mut().filter(|_| !batch.is_empty()) {
                self.write(connection, batch);
            }
        }
        let connection = self.connection.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(Err((_, error))) = connection.map(Connection::close) {
            tracing::warn!(%error, "the SQLite connection did not close cleanly; the next start recovers it");
        }
    }

    pub(super) fn is_busy(&self) -> bool {
        self.is_busy.load(Ordering::Relaxed)
    }

    /// Does the work at once on this thread, or gives it back if another thread is writing.
    pub(super) fn write_alone(&self, work: Work) -> Result<Outcome, Work> {
        let Ok(connection) = self.connection.try_lock() else { return Err(work) };
        let Some(connection) = connection.as_ref() else { return Err(work) };
        let (reply, mut answer) = oneshot::channel();
        self.write(connection, vec![(work, reply)]);
        Ok(answer.try_recv().unwrap_or(Err(StoreError::Closed.into())))
    }

    /// Does the batch and answers it. If the transaction breaks as a whole, every job gets the error.
    fn write(&self, connection: &Connection, batch: Vec<(Work, Reply)>) {
        let (works, replies): (Vec<Work>, Vec<Reply>) = batch.into_iter().unzip();
        let outcomes = Transactions(connection).perform_all(&works);
        let outcomes =
            outcomes.unwrap_or_else(|error| works.iter().map(|_| Err(error.clone().into())).collect());
        for (work, outcome) in works.into_iter().zip(&outcomes) {
            if let (Work::Commit(plan), Ok(_)) = (work, outcome) {
                self.feed.tell(plan.change);
            }
        }
        self.answer(replies, outcomes);
    }

    /// Answers all callers from one task of the runtime. Waking each of them from outside takes a lock and often a
    /// system call.
    fn answer(&self, replies: Vec<Reply>, outcomes: Vec<Outcome>) {
        let is_one = outcomes.len() == 1;
        // The work stands even if its caller no longer waits.
        let tell =
            || replies.into_iter().zip(outcomes).for_each(|(reply, outcome)| drop(reply.send(outcome)));
        if is_one {
            return tell();
        }
        let task = self.runtime.spawn(async { tell() });
        self.answering.lock().unwrap_or_else(PoisonError::into_inner).replace(task);
    }

    /// Waits until the last callers are answered.
    pub(super) async fn has_answered(&self) {
        let last = self.answering.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(last) = last {
            let _ = last.await;
        }
    }
}

/// Takes the jobs that are queued now and never waits for more: a lone caller must not wait for others that may not
/// come.
fn take_queued(queue: &mut mpsc::Receiver<Job>, batch: &mut Vec<(Work, Reply)>) {
    while batch.len() < MAX_BATCH
        && let Ok(job) = queue.try_recv()
    {
        accept(job, queue, batch);
    }
}

fn accept(job: Job, queue: &mut mpsc::Receiver<Job>, batch: &mut Vec<(Work, Reply)>) {
    match job {
        Job::Work(work, reply) => batch.push((work, reply)),
        Job::Close => queue.close(),
    }
}

/// The transactions on the one connection that writes.
struct Transactions<'c>(&'c Connection);

impl Transactions<'_> {
    /// Performs a batch. A savepoint makes SQLite copy every page that a job touches, and only a failing job needs
    /// one. So the batch runs without savepoints first. If a job fails, the transaction starts over with them, and
    /// only that job is undone.
    fn perform_all(&self, works: &[Work]) -> Result<Vec<Outcome>, StoreError> {
        let bare = self.transact(works, |work, schema| match self.perform(work, schema) {
            Err(CommitError::Store(error)) => Err(error),
            outcome => Ok(outcome),
        });
        match bare {
            Err(error) if works.len() > 1 && !matches!(error, StoreError::Busy(_)) => {
                self.transact(works, |work, schema| self.perform_guarded(work, schema))
            }
            outcomes => outcomes,
        }
    }

    /// Performs all jobs and COMMIT, or nothing. The connection is ready for the next transaction either way.
    fn transact(
        &self,
        works: &[Work],
        perform: impl Fn(&Work, &Schema) -> Result<Outcome, StoreError>,
    ) -> Result<Vec<Outcome>, StoreError> {
        self.execute("BEGIN IMMEDIATE")?;
        let schema = self.check_schema();
        let outcomes: Result<Vec<Outcome>, StoreError> =
            works.iter().map(|work| perform(work, &schema)).collect();
        let outcomes = outcomes.and_then(|outcomes| self.execute("COMMIT").map(|()| outcomes));
        if outcomes.is_err() && !self.0.is_autocommit() {
            self.execute("ROLLBACK")?;
        }
        outcomes
    }

    fn check_schema(&self) -> Schema {
        let found = run(self.0, &Statement::new(sql::MIGRATION_VERSION, []))?.read_one(|row| row.take())?;
        migration::check(found.unwrap_or_default())
    }

    /// Runs one job inside a savepoint. The inner result is the job's own. The outer one is an error if SQLite has
    /// dropped the whole transaction, as it may when the disk is full.
    fn perform_guarded(&self, work: &Work, schema: &Schema) -> Result<Outcome, StoreError> {
        self.execute("SAVEPOINT job")?;
        let outcome = self.perform(work, schema);
        match &outcome {
            Err(CommitError::Store(error)) if self.0.is_autocommit() => return Err(error.clone()),
            Err(_) => self.execute("ROLLBACK TO job")?,
            Ok(_) => {}
        }
        self.execute("RELEASE job")?;
        Ok(outcome)
    }

    /// Performs one job. A plain statement runs whatever the schema: an effect that was performed must be marked as
    /// done.
    fn perform(&self, work: &Work, schema: &Schema) -> Outcome {
        match work {
            Work::Statement(statement) => Ok(run(self.0, statement)?),
            Work::Commit(plan) => {
                schema.clone().map_err(CommitError::from).and_then(|()| self.perform_plan(plan))
            }
            Work::Together(statements) => {
                schema.clone().map_err(CommitError::from).and_then(|()| self.perform_together(statements))
            }
        }
    }

    fn perform_together(&self, statements: &[Statement]) -> Outcome {
        let touched = statements.iter().map(|statement| Ok(run(self.0, statement)?.touched));
        Ok(Answer::of_counts(touched.collect::<Result<Vec<u64>, StoreError>>()?))
    }

    fn perform_plan(&self, plan: &Plan) -> Outcome {
        if run(self.0, &plan.decision)?.touched == 0 {
            let standing = run(self.0, &plan.standing())?;
            return plan.judge(standing.rows.into_iter().next()).map(|()| Answer::default());
        }
        for step in &plan.steps {
            run(self.0, &step.statement)?;
        }
        Ok(Answer::default())
    }

    fn execute(&self, text: &str) -> Result<(), StoreError> {
        self.0.prepare_cached(text)?.raw_execute()?;
        Ok(())
    }
}
