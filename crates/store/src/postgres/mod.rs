//! PostgreSQL, shared by many nodes. Reads are pipelined over two connections, plain writes over one more, commits
//! are batched over two (see `commits.rs`), and two carry news between nodes (see `news.rs`).

mod address;
mod batch;
mod commits;
mod link;
mod news;
mod pipeline;
mod session;
mod tls;

use std::sync::Mutex;
use std::sync::atomic::{AtomicI64, AtomicUsize, Ordering};
use std::time::Duration;

use tokio::sync::{broadcast, mpsc, oneshot, watch};
use tokio::task::{JoinHandle, JoinSet};
use tokio::time::{sleep, timeout};

use self::address::Address;
use self::commits::{Job, dispatch};
use self::link::Link;
use self::session::Session;
use crate::backup::{EachRow, NextRow, TABLES};
use crate::feed::Feed;
use crate::plan::Plan;
use crate::statement::{Answer, Statement, Value};
use crate::{Change, Commit, CommitError, StoreError, migration, sql};

/// The most commits in the queue. Further ones wait before they are even queued.
const MAX_QUEUED: usize = 1024;
const READ_LINKS: usize = 2;
const COMMIT_LINKS: usize = 2;
/// The number of tries when the server broke a deadlock or closed an idle connection.
const MAX_TRIES: usize = 4;
/// The numbers of backup rows that are in memory at a time.
const FETCHED_AT_ONCE: usize = 100;
const INSERTED_AT_ONCE: usize = 64;
/// The time that a transaction of many statements may take, such as the deletion of a learner.
const WRITE_TIMEOUT: Duration = Duration::from_secs(60);
const TRY_PAUSE: Duration = Duration::from_millis(100);
/// The time that closing waits until other nodes are told of the last commits.
const FAREWELL_TIMEOUT: Duration = Duration::from_secs(1);
/// The settings of every session. The server ends statements that take longer, so that no lock outlives a node that
/// hangs. Every query reads an index in its order; without statistics of a table, the planner would collect all
/// rows and sort them instead.
const SESSION_SETTINGS: &str = "-c statement_timeout=8s -c idle_in_transaction_session_timeout=8s \
                                -c enable_bitmapscan=off";
/// The settings of sessions that commit. The statements of a commit find their rows by key, whatever the values, so
/// one plan is enough. By default the server would plan most of them again for every turn, which takes longer than
/// the turn.
const COMMIT_SETTINGS: &str = "-c plan_cache_mode=force_generic_plan -c enable_seqscan=off";
/// Lifts the time limits: a large table takes its time, and so does another node that is upgrading.
const MIGRATION_PATIENCE: &str =
    "SET LOCAL statement_timeout = 0; SET LOCAL idle_in_transaction_session_timeout = 0";
const HAS_MIGRATIONS: &str = "SELECT to_regclass('migration') IS NOT NULL";
/// Makes nodes that open a database at the same time upgrade it one after the other.
const MIGRATION_LOCK: &str = "SELECT pg_advisory_xact_lock(hashtext('etude migration'))";
/// Begins a commit. It keeps the schema as it is until it is done, and waits for an upgrade that is under way.
const BEGIN: &str = "BEGIN; SELECT pg_advisory_xact_lock_shared(hashtext('etude migration'))";

#[derive(Debug)]
pub(crate) struct Postgres {
    address: Address,
    reads: [Link; READ_LINKS],
    next_read: AtomicUsize,
    writes: Link,
    commits: mpsc::Sender<Job>,
    next_commit_id: AtomicI64,
    feed: Feed,
    /// The dispatcher of commits and the messenger to other nodes, which end by themselves once the queue is
    /// closed.
    finishing: Mutex<Vec<JoinHandle<()>>>,
    /// The listener to other nodes, which ends with this handle.
    _listening: JoinSet<()>,
}

impl Postgres {
    pub(crate) async fn open(address: &str) -> Result<Self, StoreError> {
        let address = Address::read(address, SESSION_SETTINGS)?;
        let session = Session::open(&address).await?;
        migrate(&session).await?;
        let node = draw_number(&session).await?;

        let feed = Feed::new();
        let listening = news::listen(address.clone(), node, feed.clone()).await?;
        let (feed_of_commits, to_tell) = feed.with_remote();
        let messenger = tokio::spawn(news::tell(Link::new(address.clone()), node, to_tell));
        let (commits, queue) = mpsc::channel(MAX_QUEUED);
        let of_commits = address.with(COMMIT_SETTINGS);
        let lanes = (0..COMMIT_LINKS).map(|_| Link::new(of_commits.clone())).collect();
        let dispatcher = tokio::spawn(dispatch(queue, lanes, feed_of_commits));
        Ok(Self {
            reads: std::array::from_fn(|_| Link::new(address.clone())),
            next_read: AtomicUsize::new(0),
            writes: Link::new(address.clone()),
            address,
            commits,
            next_commit_id: AtomicI64::new(node),
            feed,
            finishing: Mutex::new(vec![dispatcher, messenger]),
            _listening: listening,
        })
    }

    pub(crate) async fn close(&self) {
        let _ = self.commits.send(Job::Close).await;
        let tasks = std::mem::take(&mut *self.finishing.lock().expect("nothing panics with this lock"));
        let mut tasks = tasks.into_iter();
        if let Some(dispatcher) = tasks.next() {
            let _ = dispatcher.await;
        }
        for messenger in tasks {
            let _ = tokio::time::timeout(FAREWELL_TIMEOUT, messenger).await;
        }
    }

    pub(crate) async fn commit(&self, commit: &Commit) -> Result<(), CommitError> {
        let commit_id = self.next_commit_id.fetch_add(1, Ordering::Relaxed);
        let plan = Plan::new(commit, Some(commit_id))?;
        let (reply, answer) = oneshot::channel();
        self.commits.send(Job::Commit(Box::new(plan), reply)).await.map_err(|_| StoreError::Closed)?;
        answer.await.map_err(|_| StoreError::Closed)?
    }

    pub(crate) async fn read(&self, statement: Statement) -> Result<Answer, StoreError> {
        let turn = self.next_read.fetch_add(1, Ordering::Relaxed);
        self.reads[turn % READ_LINKS].run(&statement).await
    }

    pub(crate) async fn write(&self, statement: Statement) -> Result<Answer, StoreError> {
        self.writes.run(&statement).await
    }

    /// Runs several statements in one transaction, after `locks`. The answer has a row for each statement, with the
    /// number of rows that it touched. A transaction that the server ends to break a deadlock is tried again.
    pub(crate) async fn write_together(
        &self,
        locks: Vec<Statement>,
        statements: Vec<Statement>,
    ) -> Result<Answer, StoreError> {
        let mut tries_left = MAX_TRIES;
        loop {
            tries_left -= 1;
            match self.write_once(&locks, &statements).await {
                Err(StoreError::Busy(_) | StoreError::ReadOnly(_)) if tries_left > 0 => {
                    sleep(TRY_PAUSE).await
                }
                written => return written,
            }
        }
    }

    /// Runs the transaction once, on a connection of its own, because others pipeline over the open ones.
    async fn write_once(&self, locks: &[Statement], statements: &[Statement]) -> Result<Answer, StoreError> {
        let written = timeout(WRITE_TIMEOUT, self.write_patiently(locks, statements)).await;
        let silent = || format!("no answer within {} s", WRITE_TIMEOUT.as_secs());
        written.unwrap_or_else(|_| Err(StoreError::InDoubt(silent())))
    }

    async fn write_patiently(
        &self,
        locks: &[Statement],
        statements: &[Statement],
    ) -> Result<Answer, StoreError> {
        let session = Session::open(&self.address).await?;
        session.execute(BEGIN).await?;
        check_schema(session.run(&Statement::new(sql::MIGRATION_VERSION, [])).await?)?;
        for lock in locks {
            session.run(lock).await?;
        }
        let mut prepared = Vec::with_capacity(statements.len());
        for statement in statements {
            prepared.push(session.prepare(statement, 1).await?);
        }
        let sent = statements.iter().zip(&prepared);
        let sent = sent.map(|(statement, prepared)| session.send(prepared, statement.values.iter()));
        let answers = pipeline::set_off(sent).await.answers().await;
        let touched: Result<Vec<u64>, StoreError> =
            answers.into_iter().map(|answer| answer.map(|answer| answer.touched)).collect();
        let touched = touched?;
        session.execute("COMMIT").await.map_err(StoreError::doubted)?;
        Ok(Answer::of_counts(touched))
    }

    /// Gives every row to `each`, as all rows stand at one moment, while others write.
    pub(crate) async fn each_row(&self, each: &mut EachRow<'_>) -> Result<(), StoreError> {
        let session = Session::open(&self.address).await?;
        session.execute("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY").await?;
        session.execute(MIGRATION_PATIENCE).await?;
        for table in TABLES {
            let cursor = format!("all_{}", table.name);
            session.execute(&format!("DECLARE {cursor} CURSOR FOR {}", table.select())).await?;
            let fetch = format!("FETCH {FETCHED_AT_ONCE} FROM {cursor}");
            loop {
                let some = session.run(&Statement { text: fetch.clone().into(), values: vec![] }).await?.rows;
                if some.is_empty() {
                    break;
                }
                some.into_iter().try_for_each(|row| each(table, row.into_values()))?;
            }
        }
        session.execute("COMMIT").await
    }

    /// Replaces everything in one transaction. Refuses a database that has data unless `replace` is set.
    pub(crate) async fn restore(
        &self,
        replace: bool,
        next: &mut (dyn FnMut() -> NextRow + Send),
    ) -> Result<(), StoreError> {
        let session = Session::open(&self.address).await?;
        session.execute(BEGIN).await?;
        session.execute(MIGRATION_PATIENCE).await?;
        session.run(&Statement::new(sql::ERASE_LOCK_FLOWS, [])).await?;
        let is_occupied =
            session.run(&Statement::new(sql::OCCUPIED, [])).await?.read_one(|row| row.take())?;
        if is_occupied == Some(true) && !replace {
            return Err(StoreError::Occupied);
        }
        for table in TABLES {
            session.execute(&table.clear()).await?;
        }
        let mut batch: Vec<Statement> = Vec::new();
        while let Some((table, values)) = next()? {
            let insert = table.insert(values);
            if batch.len() >= INSERTED_AT_ONCE || batch.first().is_some_and(|first| first.text != insert.text)
            {
                insert_all(&session, std::mem::take(&mut batch)).await?;
            }
            batch.push(insert);
        }
        insert_all(&session, batch).await?;
        session.execute(sql::RESTORE_LEARNERS).await?;
        session.execute("COMMIT").await.map_err(StoreError::doubted)
    }

    pub(crate) fn changes(&self) -> broadcast::Receiver<Change> {
        self.feed.subscribe()
    }

    pub(crate) fn gaps(&self) -> watch::Receiver<u64> {
        self.feed.gaps()
    }
}

/// Inserts several rows of one table with one statement.
async fn insert_all(session: &Session, inserts: Vec<Statement>) -> Result<(), StoreError> {
    let Some(first) = inserts.first() else { return Ok(()) };
    let prepared = session.prepare(first, inserts.len()).await?;
    let values: Vec<&Value> = inserts.iter().flat_map(|insert| &insert.values).collect();
    session.send(&prepared, values.into_iter()).await.map(|_| ())
}

/// Brings the schema up to date. Usually nothing has to be done, and then opening does not wait for another node.
async fn migrate(session: &Session) -> Result<(), StoreError> {
    if let Some(found) = found_version(session).await?
        && migration::missing(found)?.is_empty()
    {
        return Ok(());
    }
    tracing::info!("upgrading the database schema; with many rows this may take minutes");
    session.execute("BEGIN").await?;
    let outcome = apply_missing(session).await;
    session.execute(if outcome.is_ok() { "COMMIT" } else { "ROLLBACK" }).await?;
    outcome
}

/// Returns the schema version; `None` for a database that was never used.
async fn found_version(session: &Session) -> Result<Option<i64>, StoreError> {
    let there = session.run(&Statement::new(HAS_MIGRATIONS, [])).await?.read_one(|row| row.take())?;
    match there {
        Some(true) => {
            session.run(&Statement::new(sql::MIGRATION_VERSION, [])).await?.read_one(|row| row.take())
        }
        _ => Ok(None),
    }
}

/// Checks the schema version that a transaction read.
fn check_schema(answer: Answer) -> Result<(), StoreError> {
    migration::check(answer.read_one(|row| row.take())?.unwrap_or_default())
}

async fn apply_missing(session: &Session) -> Result<(), StoreError> {
    session.execute(MIGRATION_PATIENCE).await?;
    session.execute(MIGRATION_LOCK).await?;
    session.execute(sql::MIGRATION_TABLE).await?;
    let found = found_version(session).await?;
    for migration in migration::missing(found.unwrap_or_default())? {
        session.execute(&sql::wake(migration.text, "postgres")).await?;
        let record = [migration.version.into(), migration.name.into()];
        session.run(&Statement::new(sql::MIGRATION_RECORD, record)).await?;
    }
    Ok(())
}

/// Draws a number that no other node has. The server draws it, because this program does not use randomness. The
/// low bits leave room for counting commits.
async fn draw_number(session: &Session) -> Result<i64, StoreError> {
    const DRAW: &str = "SELECT CAST(floor(random() * 4294967296) AS BIGINT) << 30";
    let number = session.run(&Statement::new(DRAW, [])).await?.read_one(|row| row.take())?;
    number.ok_or_else(|| StoreError::Corrupt("the server drew no number".into()))
}
