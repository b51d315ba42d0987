//! What the tests of the store share: a throw-away PostgreSQL, places for databases, and small rows to put in them.

#![allow(dead_code, unreachable_pub, reason = "each test file uses its part")]

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::atomic::{AtomicUsize, Ordering};

use store::{At, Commit, Effect, Expect, Instance, LogEntry, RecordChange, Status, Store, Timer};
use tempfile::TempDir;

const SCRIPT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../scripts/postgres");
/// The exit code of the script if this machine has no PostgreSQL and cannot get one.
const NO_SERVER: i32 = 3;

pub const NOW: At = At(1_700_000_000_000_000);

/// A PostgreSQL of our own, stopped when dropped.
#[derive(Debug)]
pub struct Cluster {
    folder: TempDir,
    url: String,
    databases: AtomicUsize,
}

impl Cluster {
    /// `None` if no server can be had, which is reported first.
    pub fn start() -> Option<Self> {
        let folder = TempDir::with_prefix("etude-pg-").expect("a temporary folder");
        let output = script("start", folder.path());
        if output.status.code() == Some(NO_SERVER) {
            eprintln!("NOT TESTED on PostgreSQL: {}", String::from_utf8_lossy(&output.stderr));
            return None;
        }
        let url = first_line(output);
        Some(Self { folder, url, databases: AtomicUsize::new(0) })
    }

    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// Where the server's programs are.
    pub fn binaries(&self) -> PathBuf {
        let folder = std::fs::read_to_string(self.folder().join("binaries")).expect("the script left a note");
        PathBuf::from(folder.trim_end())
    }

    pub fn crash(&self) {
        first_line(script("crash", self.folder.path()));
    }

    pub fn restart(&self) {
        first_line(script("restart", self.folder.path()));
    }

    /// The address of a new, empty database. It is a schema, which is as private as a database and far quicker to
    /// make.
    pub async fn database(&self) -> String {
        let name = format!("test_{}", self.databases.fetch_add(1, Ordering::Relaxed));
        self.execute(&format!("CREATE SCHEMA {name}")).await;
        format!("{}?options=-c%20search_path%3D{name}", self.url)
    }

    /// Runs SQL outside of these databases.
    pub async fn execute(&self, sql: &str) {
        execute(&self.url, sql).await;
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        // It is thrown away, so there is nothing to clean up first.
        script("crash", self.folder.path());
    }
}

/// Runs SQL behind the store's back.
pub async fn execute(address: &str, sql: &str) {
    if let Some(path) = address.strip_prefix("sqlite:") {
        rusqlite::Connection::open(path).expect("the file opens").execute_batch(sql).expect("the SQL runs");
        return;
    }
    let (client, connection) =
        tokio_postgres::connect(address, tokio_postgres::NoTls).await.expect("it connects");
    let driver = tokio::spawn(connection);
    client.batch_execute(sql).await.expect("the SQL runs");
    drop(client);
    driver.await.expect("the driver ends").expect("the connection ends well");
}

fn script(command: &str, folder: &Path) -> Output {
    Command::new(SCRIPT).arg(command).arg(folder).output().expect("the script runs")
}

fn first_line(output: Output) -> String {
    assert!(output.status.success(), "scripts/postgres failed: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).lines().next().unwrap_or_default().to_owned()
}

pub fn instance(id: &str) -> Instance {
    Instance {
        id: id.into(),
        flow: "drill".into(),
        law_hash: "hash-1".into(),
        law_version: "0.2".into(),
        learner: "ada".into(),
        state: "asking".into(),
        version: 1,
        counters: r#"{"usage":0}"#.into(),
        data: format!(r#"{{"of":"{id}"}}"#),
        outcome: None,
        created_at: NOW,
        updated_at: NOW,
    }
}

pub fn entry(id: &str, version: u64) -> LogEntry {
    LogEntry {
        instance: id.into(),
        version,
        at: NOW,
        event: "heard".into(),
        source: "user".into(),
        payload: r#"{"text":"¡hola!"}"#.into(),
        from_state: "asking".into(),
        to_state: "asking".into(),
        changes: r#"{"usage":1}"#.into(),
        facts: r#"{"used_target":true}"#.into(),
        outcome: None,
        request: None,
    }
}

pub fn effect(id: &str, version: u64, index: usize) -> Effect {
    Effect {
        key: format!("{id}/{version}/{index}"),
        instance: id.into(),
        kind: "say".into(),
        payload: r#"{"text":"hola"}"#.into(),
        status: Status::Pending,
        attempts: 0,
        not_before: NOW,
        last_error: None,
        created_at: NOW,
        done_at: None,
        lease_owner: None,
        lease_until: None,
    }
}

pub fn timer(id: &str, event: &str, due_at: At) -> Timer {
    Timer { instance: id.into(), event: event.into(), due_at, version: 1 }
}

pub fn record(learner: &str, kind: &str, key: &str, body: Option<&str>) -> RecordChange {
    let text = |text: &str| text.to_owned();
    RecordChange {
        learner: text(learner),
        kind: text(kind),
        key: text(key),
        body: body.map(text),
        ..RecordChange::default()
    }
}

/// Creates an instance at version 1.
pub fn birth(instance: Instance) -> Commit {
    let log = vec![entry(&instance.id, instance.version)];
    Commit {
        instance,
        expect: None,
        log,
        effects: vec![],
        timers: None,
        records: vec![],
        seen: None,
        undelivered: false,
        finishes: None,
    }
}

/// The next version of an instance, with one entry in the log.
pub fn turn(from: &Instance) -> Commit {
    let expect =
        Some(Expect { version: from.version, state: from.state.clone(), created_at: from.created_at });
    let next = Instance { version: from.version + 1, ..from.clone() };
    Commit { expect, ..birth(next) }
}

pub async fn born(store: &Store, id: &str) -> Instance {
    let first = instance(id);
    store.commit(birth(first.clone())).await.expect("an instance is born");
    first
}
