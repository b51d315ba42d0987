//! Reads over a few read-only connections. WAL lets them read everything committed while the writer writes.

use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use rusqlite::Connection;
use tokio::sync::Semaphore;

use super::connection::{Location, open_reader, run};
use super::in_background;
use crate::StoreError;
use crate::statement::{Answer, Statement};

const MAX_READERS: usize = 4;

#[derive(Debug)]
pub(super) struct Readers {
    path: PathBuf,
    location: Location,
    turns: Arc<Semaphore>,
    free: Arc<Mutex<Vec<Connection>>>,
}

impl Readers {
    /// Returns `None` for a database in memory, which only its own connection can read.
    pub(super) fn new(location: Location) -> Option<Self> {
        let path = location.path.clone()?;
        Some(Self { path, location, turns: Arc::new(Semaphore::new(MAX_READERS)), free: Arc::default() })
    }

    /// Reads a row by its key on this thread, if a connection is free. Asking another thread and being woken by it
    /// takes longer, and many times longer on a busy machine.
    pub(super) async fn look_up(&self, statement: Statement) -> Result<Answer, StoreError> {
        // A task that looks up many rows yields in between.
        tokio::task::coop::consume_budget().await;
        match self.run_at_once(&statement) {
            Some(answer) => answer,
            None => self.run(statement).await,
        }
    }

    fn run_at_once(&self, statement: &Statement) -> Option<Result<Answer, StoreError>> {
        let _turn = self.turns.try_acquire().ok()?;
        let connection = self.free.lock().expect("nothing panics with this lock").pop()?;
        let answer = run(&connection, statement);
        self.free.lock().expect("nothing panics with this lock").push(connection);
        Some(answer)
    }

    pub(super) async fn run(&self, statement: Statement) -> Result<Answer, StoreError> {
        let turn = self.turns.clone().acquire_owned().await.map_err(|_| StoreError::Closed)?;
        let (free, path, location) = (self.free.clone(), self.path.clone(), self.location.clone());
        in_background(move || {
            // The permit travels with the work, so a caller that gives up does not free a connection that is still
            // in use.
            let _turn = turn;
            let idle = free.lock().expect("nothing panics with this lock").pop();
            let connection = idle.map_or_else(|| open_reader(&path, &location), Ok)?;
            let answer = run(&connection, &statement);
            free.lock().expect("nothing panics with this lock").push(connection);
            answer
        })
        .await
    }

    /// Waits for the running reads and drops every connection.
    pub(super) async fn close(&self) {
        let _all = self.turns.acquire_many(MAX_READERS as u32).await;
        self.turns.close();
        self.free.lock().expect("nothing panics with this lock").clear();
    }
}
