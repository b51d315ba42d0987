//! Durable turns on SQLite, beside one transaction per sync of the same disk and beside LangGraph.

use crate::bench::Bench;
use crate::langgraph;
use crate::row::{Beside, Better, Measured, Row};
use crate::turns::{self, CONCURRENT};
use rusqlite::{Connection, params};
use std::path::Path;
use std::time::{Duration, Instant};

const GROUP: &str = "sqlite";
const SCHEMA: &str = include_str!("../peers/plain.sql");

#[derive(Default)]
struct Runs {
    raw: Vec<Result<f64, String>>,
    one: Vec<Result<f64, String>>,
    many: Vec<Result<f64, String>>,
}

/// Rounds alternate between us and the others, so that a disturbance does not fall on one side only.
pub async fn rows(bench: &Bench) -> Result<Vec<Row>, String> {
    let mut runs = Runs::default();
    let mut langgraph = langgraph::Runs::default();
    for _ in 0..bench.rounds {
        let folder = tempfile::tempdir_in(&bench.cache).map_err(|error| error.to_string())?;
        let folder = folder.path();
        runs.raw.push(raw_rate(folder, bench.seconds).map_err(|error| error.to_string()));
        runs.one.push(our_rate(folder, 1, bench.seconds).await);
        runs.many.push(our_rate(folder, CONCURRENT, bench.seconds).await);
        langgraph.run(bench, &folder.join("langgraph.db").display().to_string());
    }
    let raw =
        Beside { name: "one transaction per sync".into(), measured: Measured::of(runs.raw, Better::More) };
    let row = |what: String, ours: &Measured, beside: Beside, target| Row {
        group: GROUP,
        what,
        unit: "turns/s",
        better: Better::More,
        ours: ours.clone(),
        beside: Some(beside),
        target: Some(target),
    };
    let many = Measured::of(runs.many, Better::More);
    let one = Measured::of(runs.one, Better::More);
    Ok(vec![
        row(format!("SQLite, {CONCURRENT} instances"), &many, raw.clone(), 20.0),
        row("SQLite, one writer".into(), &one, raw, 0.8),
        row(format!("SQLite, {CONCURRENT} instances"), &many, langgraph.beside(), 50.0),
    ])
}

async fn our_rate(folder: &Path, instances: usize, seconds: f64) -> Result<f64, String> {
    let path = folder.join(format!("etude-{instances}.db"));
    let node = turns::node(&format!("sqlite:{}", path.display())).await?;
    let writers = turns::open(&node, instances).await?;
    let rate = turns::rate(writers, seconds).await;
    node.store.close().await;
    rate
}

/// What the disk can do: a turn, a transaction, a sync, one after the other.
fn raw_rate(folder: &Path, seconds: f64) -> rusqlite::Result<f64> {
    let connection = Connection::open(folder.join("raw.db"))?;
    connection.execute_batch("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL")?;
    connection.execute_batch(SCHEMA)?;
    connection.execute("INSERT INTO instance VALUES (0, 'PING', 0, '{}', 0)", [])?;
    let (started, wanted) = (Instant::now(), Duration::from_secs_f64(seconds));
    let mut version = 0;
    while started.elapsed() < wanted {
        raw_turn(&connection, version)?;
        version += 1;
    }
    Ok(version as f64 / started.elapsed().as_secs_f64())
}

fn raw_turn(connection: &Connection, version: i64) -> rusqlite::Result<()> {
    const CAS: &str = "UPDATE instance SET state = 'PING', version = ?2 + 1, data = '{}', updated_at = 0 \
                       WHERE id = ?1 AND version = ?2 AND state = 'PING'";
    const LOG: &str = "INSERT INTO log VALUES (?1, ?2 + 1, 0, 'turn', 'PING', 'PING')";
    connection.prepare_cached("BEGIN IMMEDIATE")?.execute([])?;
    let touched = connection.prepare_cached(CAS)?.execute(params![0, version])?;
    assert_eq!(touched, 1, "nobody else writes here");
    connection.prepare_cached(LOG)?.execute(params![0, version])?;
    connection.prepare_cached("COMMIT")?.execute([])?;
    Ok(())
}
