//! SQLite inside the process: one thread writes, and a few connections read beside it.

pub(crate) mod connection;
mod readers;
mod writer;

use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;

use tokio::runtime::{Handle, RuntimeFlavor};
use tokio::sync::{broadcast, mpsc, oneshot, watch};

use self::connection::{Location, open_writer};
use self::readers::Readers;
use self::writer::{Job, Work, Writer};
use crate::backup::{EachRow, NextRow};
use crate::feed::Feed;
use crate::plan::Plan;
use crate::statement::{Answer, Statement};
use crate::{Change, Commit, CommitError, StoreError};

/// The most jobs in the queue. Further callers wait before their work is even queued.
const MAX_QUEUED: usize = 1024;

tokio::task_local! {
    static IN_COMPANY: ();
}

/// Runs work that writes several things concurrently within one task. Each write would look alone, because the
/// others have not begun yet. Inside this scope they queue up and share a transaction.
pub(crate) async fn in_company<T>(work: impl Future<Output = T>) -> T {
    IN_COMPANY.scope((), work).await
}

#[derive(Debug)]
pub(crate) struct Sqlite {
    /// The reading connections. A database in memory belongs to the connection that made it, so it has none and the
    /// writer reads.
    readers: Option<Readers>,
    location: Location,
    writer: Arc<Writer>,
    jobs: mpsc::Sender<Job>,
    thread: Mutex<Option<JoinHandle<()>>>,
    feed: Feed,
}

impl Sqlite {
    pub(crate) async fn open(place: &str) -> Result<Self, StoreError> {
        let location = Location::parse(place)?;
        let opened = location.clone();
        let connection = in_background(move || open_writer(&opened)).await?;
        let feed = Feed::new();
        let (jobs, queue) = mpsc::channel(MAX_QUEUED);
        let writer = Arc::new(Writer::new(connection, feed.clone(), Handle::current()));
        let on_thread = writer.clone();
        let thread = std::thread::Builder::new()
            .name("sqlite-writer".into())
            .spawn(move || on_thread.run(queue))
            .map_err(|error| StoreError::Unavailable(format!("cannot start the writer thread: {error}")))?;
        let readers = Readers::new(location.clone());
        Ok(Self { readers, location, writer, jobs, thread: Mutex::new(Some(thread)), feed })
    }

    pub(crate) async fn close(&self) {
        // The writer goes last, so that its connection can fold the write-ahead log into the file.
        if let Some(readers) = &self.readers {
            readers.close().await;
        }
        let _ = self.jobs.send(Job::Close).await;
        let thread = self.thread.lock().expect("nothing panics with this lock").take();
        if let Some(thread) = thread {
            let _ = tokio::task::spawn_blocking(move || thread.join()).await;
        }
        self.writer.has_answered().await;
    }

    pub(crate) async fn commit(&self, commit: &Commit) -> Result<(), CommitError> {
        let plan = Plan::new(commit, None)?;
        self.ask(Work::Commit(Box::new(plan))).await.map(|_| ())
    }

    pub(crate) async fn read(&self, statement: Statement) -> Result<Answer, StoreError> {
        match &self.readers {
            Some(readers) => readers.run(statement).await,
            None => self.write(statement).await,
        }
    }

    /// Reads at most one row, by its primary key.
    pub(crate) async fn look_up(&self, statement: Statement) -> Result<Answer, StoreError> {
        match &self.readers {
            Some(readers) => readers.look_up(statement).await,
            None => self.write(statement).await,
        }
    }

    pub(crate) async fn write(&self, statement: Statement) -> Result<Answer, StoreError> {
        self.ask(Work::Statement(statement)).await.map_err(plain)
    }

    /// Runs several statements in one transaction; see [`Work::Together`].
    pub(crate) async fn write_together(&self, statements: Vec<Statement>) -> Result<Answer, StoreError> {
        self.ask(Work::Together(statements)).await.map_err(plain)
    }

    /// Removes deleted rows from the log beside the file. A reader may delay that; the log is overwritten later in
    /// any case.
    pub(crate) async fn fold(&self) {
        let location = self.location.clone();
        match in_background(move || connection::fold(&location)).await {
            Ok(true) => {}
            Ok(false) => tracing::warn!("a reader prevents SQLite's log from being emptied now"),
            Err(error) => tracing::warn!(%error, "SQLite's log could not be emptied now"),
        }
    }

    pub(crate) fn each_row(&self, each: &mut EachRow<'_>) -> Result<(), StoreError> {
        connection::each_row(&self.location, each)
    }

    pub(crate) fn restore(&self, replace: bool, next: &mut dyn FnMut() -> NextRow) -> Result<(), StoreError> {
        connection::restore(&self.location, replace, next)
    }

    pub(crate) async fn quick_check(&self) -> Result<Vec<String>, StoreError> {
        let location = self.location.clone();
        in_background(move || connection::quick_check(&location)).await
    }

    pub(crate) fn changes(&self) -> broadcast::Receiver<Change> {
        self.feed.subscribe()
    }

    pub(crate) fn gaps(&self) -> watch::Receiver<u64> {
        self.feed.gaps()
    }

    async fn ask(&self, work: Work) -> Result<Answer, CommitError> {
        let work = match self.write_alone(work) {
            Ok(outcome) => return outcome,
            Err(work) => work,
        };
        let (reply, answer) = oneshot::channel();
        self.jobs.send(Job::Work(work, reply)).await.map_err(|_| StoreError::Closed)?;
        answer.await.map_err(|_| StoreError::Closed)?
    }
}

impl Sqlite {
    /// Writes on this thread if no other write is running or queued and the runtime can spare the thread.
    fn write_alone(&self, work: Work) -> Result<Result<Answer, CommitError>, Work> {
        let is_alone = !self.writer.is_busy()
            && self.jobs.capacity() == self.jobs.max_capacity()
            && IN_COMPANY.try_with(|()| ()).is_err();
        match Handle::try_current().map(|runtime| runtime.runtime_flavor()) {
            Ok(RuntimeFlavor::MultiThread) if is_alone => {
                tokio::task::block_in_place(|| self.writer.write_alone(work))
            }
            _ => Err(work),
        }
    }
}

fn plain(error: CommitError) -> StoreError {
    match error {
        CommitError::Store(error) => error,
        other => StoreError::Corrupt(format!("a plain statement got the answer of a commit: {other}")),
    }
}

/// Runs blocking work on a thread where it may block.
async fn in_background<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, StoreError> + Send + 'static,
) -> Result<T, StoreError> {
    let outcome = tokio::task::spawn_blocking(work).await;
    outcome.map_err(|error| StoreError::Unavailable(format!("the reading thread stopped: {error}")))?
}
