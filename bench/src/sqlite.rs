//! Measures durable turns on SQLite, beside one transaction per sync of the same disk and beside LangGraph.

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
    batched: Vec<Result<f64, String>>,
    one: Vec<Result<f64, String>>,
    many: Vec<Result<f64, String>>,
}

/// Measures in rounds that alternate between us and the others, so that a disturbance does not fall on one side
/// only.
pub async fn rows(bench: &Bench) -> Result<Vec<Row>, String> {
    let mut runs = Runs::default();
    let mut langgraph = langgraph::Runs::default();
    for _ in 0..bench.rounds {
        let folder = tempfile::tempdir_in(&bench.cache).map_err(|error| error.to_string())?;
        let folder = folder.path();
        runs.raw.push(raw_rate(folder, 1, bench.seconds).map_err(|error| error.to_string()));
        runs.batched
            .push(raw_rate(folder, CONCURRENT as i64, bench.seconds).map_err(|error| error.to_string()));
        runs.one.push(our_rate(folder, 1, bench.seconds).await);
        runs.many.push(our_rate(folder, CONCURRENT, bench.seconds).await);
        langgraph.run(bench, &folder.join("langgraph.db").display().to_string());
    }
    Ok(table(runs, langgraph))
}

fn table(runs: Runs, langgraph: langgraph::Runs) -> Vec<Row> {
    let [raw, batched, one, many] =
        [runs.raw, runs.batched, runs.one, runs.many].map(|runs| Measured::of(runs, Better::More));
    let row = |what: &str, ours: &Measured, beside: Beside, target| Row {
        group: GROUP,
        what: what.into(),
        unit: "turns/s",
        better: Better::More,
        ours: ours.clone(),
        beside: Some(beside),
        target,
    };
    let bare = |name: String, measured: &Measured| Beside { name, measured: measured.clone() };
    let all = format!("SQLite, {CONCURRENT} instances");
    let single = "one turn per sync, bare";
    vec![
        row(&all, &many, bare(single.into(), &raw), Some(20.0)),
        row("SQLite, one writer", &one, bare(single.into(), &raw), Some(0.8)),
        row(&all, &many, langgraph.beside(), Some(50.0)),
        row(&all, &many, bare(format!("{CONCURRENT} turns per sync, bare"), &batched), None),
    ]
}

async fn our_rate(folder: &Path, instances: usize, seconds: f64) -> Result<f64, String> {
    let path = folder.join(format!("etude-{instances}.db"));
    let node = turns::node(&format!("sqlite:{}", path.display())).await?;
    let writers = turns::open(&node, instances).await?;
    let rate = turns::rate(writers, seconds).await;
    node.store.close().await;
    rate
}

/// Measures the limit of the disk and SQLite themselves: no reading, no deciding, no answering. One turn per
/// transaction is the limit for writers who do not share a sync, many turns the limit for those who do.
fn raw_rate(folder: &Path, turns_per_sync: i64, seconds: f64) -> rusqlite::Result<f64> {
    let connection = Connection::open(folder.join(format!("raw-{turns_per_sync}.db")))?;
    connection.execute_batch("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL")?;
    connection.execute_batch(SCHEMA)?;
    for id in 0..turns_per_sync {
        connection.execute("INSERT INTO instance VALUES (?1, 'PING', 0, '{}', 0)", [id])?;
    }
    let (started, wanted) = (Instant::now(), Duration::from_secs_f64(seconds));
    let mut version = 0;
    while started.elapsed() < wanted {
        connection.prepare_cached("BEGIN IMMEDIATE")?.execute([])?;
        for id in 0..turns_per_sync {
            raw_turn(&connection, id, version)?;
        }
        connection.prepare_cached("COMMIT")?.execute([])?;
        version += 1;
    }
    Ok((version * turns_per_sync) as f64 / started.elapsed().as_secs_f64())
}

fn raw_turn(connection: &Connection, id: i64, version: i64) -> rusqlite::Result<()> {
    const CAS: &str = "UPDATE instance SET state = 'PING', version = ?2 + 1, data = '{}', updated_at = 0 \
                       WHERE id = ?1 AND version = ?2 AND state = 'PING'";
    const LOG: &str = "INSERT INTO log VALUES (?1, ?2 + 1, 0, 'turn', 'PING', 'PING')";
    let touched = connection.prepare_cached(CAS)?.execute(params![id, version])?;
    assert_eq!(touched, 1, "no other program writes here");
    connection.prepare_cached(LOG)?.execute(params![id, version])?;
    Ok(())
}
