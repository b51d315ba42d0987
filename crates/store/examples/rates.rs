//! Durable turns per second: this store beside the plainest thing each database can do.
//!
//!     cargo run --release -p store --example rates
//!
//! A turn is one compare-and-set and one log entry, synced to disk before the caller hears of it. SQLite is compared
//! with a loop of one transaction per sync, PostgreSQL with pgbench running the same statements in 16 clients.

#[path = "../tests/common/mod.rs"]
#[allow(dead_code, reason = "the tests use more of it")]
mod common;

use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use common::{Cluster, NOW, birth, born, instance, turn};
use rusqlite::{Connection, params};
use store::{Filter, Instance, Store};

/// The contestants take turns and the middle round counts, so that a busy moment of the machine favours nobody.
const ROUNDS: usize = 5;
const MEASURED: Duration = Duration::from_secs(2);
const CONCURRENT: usize = 64;
const PGBENCH_CLIENTS: usize = 16;
const LISTED: usize = 10_000;
const CAS: &str = include_str!("../queries/instance_update.sql");
const LOG: &str = include_str!("../queries/log_insert.sql");

#[tokio::main]
async fn main() {
    let folder = tempfile::tempdir_in(".").expect("a folder on a real disk");
    let address = |name: &str| format!("sqlite:{}/{name}.db", folder.path().display());
    let mut rounds = Vec::new();
    for round in 0..ROUNDS {
        let plain = bare_loop(&folder.path().join(format!("bare-{round}.db"))).await;
        let lone = store_rate(&address(&format!("lone-{round}")), 1).await;
        let many = store_rate(&address(&format!("many-{round}")), CONCURRENT).await;
        rounds.push([plain, lone, many]);
    }
    report("SQLite", "one transaction per sync", &rounds, first_page_ms(&address("pages")).await);
    if let Some(cluster) = Cluster::start() {
        postgres(&cluster).await;
    }
}

async fn postgres(cluster: &Cluster) {
    let mut rounds = Vec::new();
    for _ in 0..ROUNDS {
        let plain = pgbench_rate(cluster, &cluster.database().await).await;
        let lone = store_rate(&cluster.database().await, 1).await;
        let many = store_rate(&cluster.database().await, CONCURRENT).await;
        rounds.push([plain, lone, many]);
    }
    let plain = format!("pgbench, {PGBENCH_CLIENTS} clients");
    report("PostgreSQL", &plain, &rounds, first_page_ms(&cluster.database().await).await);
}

fn report(database: &str, plain: &str, rounds: &[[f64; 3]], page_ms: f64) {
    println!("{database}");
    let many = format!("store, {CONCURRENT} concurrent");
    for (index, name) in [plain, "store, 1 at a time", &many].into_iter().enumerate() {
        let rate = median(rounds.iter().map(|round| round[index]).collect());
        let ratio = median(rounds.iter().map(|round| round[index] / round[0]).collect());
        println!("  {name:28} {rate:>8.0} turns/s {ratio:>6.2} x");
    }
    println!("  first page of {LISTED} {page_ms:>16.2} ms");
}

fn median(mut numbers: Vec<f64>) -> f64 {
    numbers.sort_by(f64::total_cmp);
    numbers[numbers.len() / 2]
}

/// What SQLite does without the store: one connection, one turn, one sync.
async fn bare_loop(path: &Path) -> f64 {
    let store = Store::open(&format!("sqlite:{}", path.display())).await.expect("it opens");
    let mut at = born(&store, "bare").await;
    store.close().await;
    let connection = Connection::open(path).expect("it opens");
    connection
        .execute_batch(
            "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA wal_autocheckpoint = 2000",
        )
        .expect("it obeys");
    let (started, mut turns) = (Instant::now(), 0);
    while started.elapsed() < MEASURED {
        bare_turn(&connection, &at);
        at.version += 1;
        turns += 1;
    }
    f64::from(turns) / started.elapsed().as_secs_f64()
}

fn bare_turn(connection: &Connection, at: &Instance) {
    let run = |sql: &str, values: &[&dyn rusqlite::ToSql]| {
        connection.prepare_cached(sql).and_then(|mut statement| statement.execute(values)).expect("it runs")
    };
    let next = turn(at);
    let (to, entry, version) = (&next.instance, &next.log[0], at.version as i64);
    run("BEGIN IMMEDIATE", &[]);
    let cas = params![
        to.law_hash,
        to.law_version,
        to.state,
        version + 1,
        to.counters,
        to.outcome,
        NOW.0,
        to.data,
        at.id,
        version,
        at.state,
        entry.request
    ];
    assert_eq!(run(CAS, cas), 1);
    let log = params![
        at.id,
        version + 1,
        NOW.0,
        entry.event,
        entry.source,
        entry.payload,
        entry.from_state,
        entry.to_state,
        entry.changes,
        entry.facts,
        entry.outcome,
        entry.request,
        None::<i64>
    ];
    run(LOG, log);
    run("COMMIT", &[]);
}

/// Turns of `concurrent` learners, each in an instance of their own.
async fn store_rate(address: &str, concurrent: usize) -> f64 {
    let store = Store::open(address).await.expect("it opens");
    let mut learners = Vec::new();
    for number in 0..concurrent {
        learners.push(born(&store, &format!("instance-{number}")).await);
    }
    let started = Instant::now();
    let tasks: Vec<_> =
        learners.into_iter().map(|at| tokio::spawn(take_turns(store.clone(), at, started))).collect();
    let mut turns = 0;
    for task in tasks {
        turns += task.await.expect("a learner ends");
    }
    let rate = f64::from(turns) / started.elapsed().as_secs_f64();
    store.close().await;
    rate
}

async fn take_turns(store: Store, mut at: Instance, started: Instant) -> u32 {
    let mut turns = 0;
    while started.elapsed() < MEASURED {
        store.commit(turn(&at)).await.expect("a turn");
        at.version += 1;
        turns += 1;
    }
    turns
}

async fn first_page_ms(address: &str) -> f64 {
    let store = Store::open(address).await.expect("it opens");
    let commits = (0..LISTED).map(|number| {
        let first =
            Instance { created_at: NOW.plus_ms(number as i64), ..instance(&format!("instance-{number}")) };
        store.commit(birth(first))
    });
    for outcome in futures_util::future::join_all(commits).await {
        outcome.expect("an instance is born");
    }
    let filter = Filter { open: Some(true), ..Filter::default() };
    let mut times_ms = Vec::new();
    for _ in 0..21 {
        let started = Instant::now();
        let page = store.list(&filter, None, 50).await.expect("a page");
        assert_eq!(page.instances.len(), 50);
        times_ms.push(started.elapsed().as_secs_f64() * 1000.0);
    }
    median(times_ms)
}

/// The same turn as a plain script: every client moves an instance of its own and knows where it stands.
async fn pgbench_rate(cluster: &Cluster, address: &str) -> f64 {
    let store = Store::open(address).await.expect("it opens");
    for client in 0..PGBENCH_CLIENTS {
        born(&store, &client.to_string()).await;
    }
    store.close().await;
    let script = cluster.folder().join("turn.sql");
    std::fs::write(&script, pgbench_script()).expect("the script is written");
    let output = Command::new(cluster.binaries().join("pgbench"))
        .args(["--no-vacuum", "--protocol=prepared", "--jobs=2", "--define=v=1"])
        .arg(format!("--client={PGBENCH_CLIENTS}"))
        .arg(format!("--time={}", MEASURED.as_secs()))
        .arg(format!("--file={}", script.display()))
        .arg(address)
        .output();
    let Ok(output) = output else { return f64::NAN };
    let report = String::from_utf8_lossy(&output.stdout);
    let rate = report.lines().find_map(|line| line.strip_prefix("tps = ")?.split(' ').next()?.parse().ok());
    rate.unwrap_or_else(|| panic!("pgbench failed: {}", String::from_utf8_lossy(&output.stderr)))
}

fn pgbench_script() -> String {
    let next = turn(&instance("any"));
    let (to, entry) = (&next.instance, &next.log[0]);
    let me = "CAST(:client_id AS TEXT)";
    format!(
        "BEGIN;
UPDATE instance SET law_hash = '{}', law_version = '{}', state = '{}', version = :v + 1, counters = '{}', outcome = NULL, updated_at = {}, data = '{}' WHERE id = {me} AND version = :v AND state = '{}';
INSERT INTO log VALUES ({me}, :v + 1, {}, '{}', '{}', '{}', '{}', '{}', '{}', '{}', NULL, NULL, NULL);
COMMIT;
\\set v :v + 1
",
        to.law_hash, to.law_version, to.state, json(&to.counters), NOW.0, json(&to.data), to.state, NOW.0, entry.event,
        entry.source, json(&entry.payload), entry.from_state, entry.to_state, json(&entry.changes), json(&entry.facts)
    )
}

/// pgbench takes a word after a colon for a variable.
fn json(text: &str) -> String {
    text.replace(':', ": ")
}
