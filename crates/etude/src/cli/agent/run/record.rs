//! The record of a run: how it was started, so that it can be started again, and whether it is still running.
//!
//! A run holds a file lock for as long as it lives. The system releases the lock when the process ends, however it
//! ends, so an unlocked file belongs to a run that was cut off.

use coaching::agent::CUT_OFF;
use serde::{Deserialize, Serialize};
use serde_json::json;
use shell::agent::{Desk, Session, Terms, Word, tell};
use shell::engine::app::App;
use std::fs::{File, OpenOptions};
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use store::RecordChange;

/// The learner of the records: runs belong to none.
const LEARNER: &str = "";
const KIND: &str = "agent_run";
const MAX_FILE_BYTES: u64 = 64 << 10;
const MAX_NAME_BYTES: usize = 100;

/// The way in which an agent is run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(in crate::cli::agent) struct Record {
    pub agent: String,
    pub session: String,
    pub command: Vec<String>,
    pub resume_with: Option<String>,
    /// The agent's own name for the session, once it is known.
    pub agent_session: Option<String>,
}

impl Record {
    pub(super) async fn save(&self, app: &App) -> Result<(), String> {
        let change = RecordChange::new(LEARNER, KIND, &self.session, json!(self));
        app.store.remember(&[change], app.clock.now()).await.map_err(|error| error.to_string())
    }

    pub(super) async fn of(app: &App, session: &str) -> Result<Record, String> {
        let found = app.store.record(LEARNER, KIND, session).await.map_err(|error| error.to_string())?;
        let found =
            found.ok_or_else(|| format!("no run is called {session}; `etude agent sessions` lists them"))?;
        serde_json::from_str(&found.body)
            .map_err(|error| format!("the run {session} cannot be read: {error}"))
    }
}

/// Checks a session's name, which becomes part of a file name.
pub(super) fn check_name(name: &str) -> Result<String, String> {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
    if name.is_empty() || name.len() > MAX_NAME_BYTES || name.starts_with('.') || !name.chars().all(is_plain)
    {
        return Err(format!("use letters, digits, `-`, `_` and `.`, at most {MAX_NAME_BYTES}"));
    }
    Ok(name.to_owned())
}

/// The lock of a run in progress.
#[derive(Debug)]
pub(super) struct Lock {
    path: PathBuf,
    _file: File,
}

impl Lock {
    pub(super) fn take(data: &Path, record: &Record) -> Result<Lock, String> {
        let folder = folder(data);
        let path = folder.join(format!("{}.json", record.session));
        let failed = |error: std::io::Error| format!("{} cannot be written: {error}", path.display());
        std::fs::create_dir_all(&folder).map_err(failed)?;
        let mut file = options().create(true).open(&path).map_err(failed)?;
        file.try_lock().map_err(|_| format!("the session {} is being run already", record.session))?;
        file.set_len(0)
            .and_then(|()| file.write_all(json!(record).to_string().as_bytes()))
            .map_err(failed)?;
        Ok(Lock { path, _file: file })
    }

    /// Removes the file of a run that is over and recorded.
    pub(super) fn release(self) {
        let _ = std::fs::remove_file(&self.path);
    }
}

/// Marks the sessions of runs that were cut off as failed. Returns their names.
pub(in crate::cli::agent) async fn find_cut_off(app: &App, desk: &Desk, data: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder(data)).into_iter().flatten().flatten();
    let mut found = Vec::new();
    for path in entries.map(|entry| entry.path()) {
        let Ok(file) = options().open(&path) else { continue };
        if file.try_lock().is_err() {
            continue;
        }
        if let Some(record) = read(&file) {
            match mark_failed(app, desk, &record).await {
                Ok(()) => found.push(record.session),
                // The file stays, so that the run is found again.
                Err(error) => {
                    tracing::warn!("{} cannot be marked as failed: {error}", record.session);
                    continue;
                }
            }
        }
        let _ = std::fs::remove_file(&path);
    }
    found
}

async fn mark_failed(app: &App, desk: &Desk, record: &Record) -> Result<(), String> {
    let session = Session::new(app, &record.agent, &record.session)?;
    let word = Word::Crashed { error: CUT_OFF.to_owned(), details: String::new() };
    match tell(&session, word, &Terms::default()).await {
        Ok(outcome) => {
            desk.note(app.clock.now(), &record.agent, &outcome);
            desk.tell_human(app.clock.now(), &record.agent, &outcome).await;
            Ok(())
        }
        // The failure was recorded before the file could be removed.
        Err(shell::agent::Stuck::Failed) => Ok(()),
        Err(stuck) => Err(stuck.to_string()),
    }
}

fn folder(data: &Path) -> PathBuf {
    data.join("runs")
}

fn options() -> OpenOptions {
    let mut options = OpenOptions::new();
    options.read(true).write(true).truncate(false);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options
}

fn read(file: &File) -> Option<Record> {
    let mut text = String::new();
    file.take(MAX_FILE_BYTES).read_to_string(&mut text).ok()?;
    serde_json::from_str(&text).ok()
}
