//! The one who writes. What is queued when the writing thread looks shares one transaction and so one wait for the disk;
//! callers hear back only after that wait. A caller who is alone writes by itself: waking a thread and being woken by it
//! would take about as long as the disk.

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
/// Whether this program knows the schema, as a transaction finds it.
type Schema = Result<(), StoreError>;
type Reply = oneshot::Sender<Outcome>;

#[derive(Debug)]
pub(super) struct Writer {
    /// `None` once it is closed.
    connection: Mutex<Option<Connection>>,
    feed: Feed,
    /// Where the callers wait.
    runtime: Handle,
    /// The task that answers them.
    answering: Mutex<Option<JoinHandle<()>>>,
    /// Whether callers have met lately. Then they queue, so that the next ones share a transaction again.
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

    /// Works until the queue is closed and empty.
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

    /// Does the work at once on this thread if nobody else writes; gives it back if somebody does.
    pub(super) fn write_alone(&self, work: Work) -> Result<Outcome, Work> {
        let Ok(connection) = self.connection.try_lock() else { return Err(work) };
        let Some(connection) = connection.as_ref() else { return Err(work) };
        let (reply, mut answer) = oneshot::channel();
        self.write(connection, vec![(work, reply)]);
        Ok(answer.try_recv().unwrap_or(Err(StoreError::Closed.into())))
    }

    /// Does the batch and answers it. Whatever breaks the transaction as a whole is every job's error.
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

    /// One task of the runtime tells all callers: waking each of them from outside takes a lock, and often the system.
    fn answer(&self, replies: Vec<Reply>, outcomes: Vec<Outcome>) {
        let is_one = outcomes.len() == 1;
        // A caller that no longer waits is no reason to undo its work.
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

/// Takes what waits now and never waits for more: a lone caller must not pay for company that may not come.
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

/// Work as transactions on the one connection that writes.
struct Transactions<'c>(&'c Connection);

impl Transactions<'_> {
    /// A savepoint makes SQLite copy every page a job touches, and only a job that fails needs one. So the batch first
    /// runs without; if a job fails, the transaction starts over with them and only that job is undone.
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

    /// All jobs and COMMIT, or nothing. The connection is ready for the next transaction either way.
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

    /// One job inside a savepoint. The inner result is the job's own; the outer one fails when SQLite has dropped the
    /// whole transaction, as it may when the disk is full.
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

    /// A plain statement is run whatever the schema: an effect that was performed has to be marked as done.
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
