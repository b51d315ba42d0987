//! Shared helpers of the store's tests: databases, and small rows to put in them.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use crate::breakable::Cluster;
use store::{At, Commit, Effect, Expect, Instance, LogEntry, RecordChange, Status, Store, Timer};

/// The longest time that a test waits for something that must happen. Only a fault uses it up, on any machine.
pub const PATIENCE: Duration = Duration::from_secs(120);
pub const NOW: At = At(1_700_000_000_000_000);

static DATABASES: AtomicUsize = AtomicUsize::new(0);

impl Cluster {
    /// Returns the address of a new, empty database. It is a schema, which is as private as a database and much
    /// faster to create.
    pub async fn database(&self) -> String {
        let name = format!("test_{}", DATABASES.fetch_add(1, Ordering::Relaxed));
        self.execute(&format!("CREATE SCHEMA {name}")).await;
        format!("{}?options=-c%20search_path%3D{name}", self.url)
    }

    /// Runs SQL on the cluster, outside of these databases.
    pub async fn execute(&self, sql: &str) {
        execute(&self.url, sql).await;
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

/// A commit that creates an instance.
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

/// A commit of an instance's next version, with one entry in the log.
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
