//! Measures reviews by the million: finding the due ones among the others, and opening ten thousand at once.

use crate::bench::Bench;
use crate::postgres::Cluster;
use crate::row::{Better, Measured, Row};
use coaching::teach::looks;
use serde_json::{Value, json};
use shell::builtin;
use shell::effects::{self, Outside};
use shell::engine::app::App;
use shell::engine::clock::Clock;
use shell::engine::look::look;
use shell::rounds;
use shell::teach::teaching;
use std::sync::Arc;
use std::time::Instant;
use store::{At, Filter, RecordChange, Store};
use tokio::task::JoinSet;

const GROUP: &str = "reviews";
const SCHEDULED: i64 = 1_000_000;
const DUE: usize = 10_000;
/// The sizes of a quick run, which only shows that everything works.
const QUICK_SCHEDULED: i64 = 20_000;
const QUICK_DUE: usize = 100;
/// The most reviews that the worker looks at in one round.
const LOOK: usize = 2_000;
const LOOKS: usize = 30;
const FIND_MS: f64 = 10.0;
const DISPATCH_S: f64 = 10.0;

type Runs = Vec<Result<(f64, f64), String>>;

pub async fn rows(bench: &Bench) -> Result<Vec<Row>, String> {
    let folder = tempfile::tempdir_in(&bench.cache).map_err(|error| error.to_string())?;
    let path = folder.path().join("reviews.db").display().to_string();
    let sqlite = measured(bench, &format!("sqlite:{path}")).await;
    let postgres = match Cluster::start(&bench.root) {
        Ok(cluster) => measured(bench, &cluster.database("reviews").await?).await,
        Err(reason) => Err(reason),
    };
    Ok([("SQLite", sqlite), ("PostgreSQL", postgres)]
        .into_iter()
        .flat_map(|(on, run)| table(on, vec![run]))
        .collect())
}

fn table(on: &str, runs: Runs) -> Vec<Row> {
    let row = |what: String, unit, runs: Vec<Result<f64, String>>, target| Row {
        group: GROUP,
        what,
        unit,
        better: Better::Less,
        ours: Measured::of(runs, Better::Less),
        beside: None,
        target: Some(target),
    };
    let (find, dispatch) = (runs.clone(), runs);
    let find = find.into_iter().map(|run| run.map(|(find, _)| find)).collect();
    let dispatch = dispatch.into_iter().map(|run| run.map(|(_, dispatch)| dispatch)).collect();
    vec![
        row(format!("{on}: find what is due among a million reviews"), "ms", find, FIND_MS),
        row(format!("{on}: open {DUE} reviews that are due at once"), "s", dispatch, DISPATCH_S),
    ]
}

/// Measures the time to find the due reviews, in ms, and to open all of them, in s.
async fn measured(bench: &Bench, address: &str) -> Result<(f64, f64), String> {
    let said = |error: store::StoreError| error.to_string();
    let (scheduled, due) = if bench.is_quick { (QUICK_SCHEDULED, QUICK_DUE) } else { (SCHEDULED, DUE) };
    let store = Store::open(address).await.map_err(said)?;
    let app = Arc::new(effects::app(store, builtin::flows(None), Clock::System, Outside::default()));
    fill(address, scheduled, app.clock.now()).await?;
    make_due(&app, due).await?;
    let now = app.clock.now();
    let mut find_ms = f64::INFINITY;
    for _ in 0..LOOKS {
        let started = Instant::now();
        let found = app.store.due_records("schedule", now, LOOK).await.map_err(said)?;
        find_ms = find_ms.min(started.elapsed().as_secs_f64() * 1e3);
        if found.len() != due.min(LOOK) {
            return Err(format!("{} were found, not {}", found.len(), due.min(LOOK)));
        }
    }
    let started = Instant::now();
    while rounds::round(&app).await.map_err(said)? > 0 {}
    let dispatch_s = started.elapsed().as_secs_f64();
    let filter = Filter { flow: Some("review".into()), ..Filter::default() };
    let opened = app.store.list(&filter, None, DUE).await.map_err(said)?.instances.len();
    app.store.close().await;
    if opened == due { Ok((find_ms, dispatch_s)) } else { Err(format!("{opened} were opened, not {due}")) }
}

/// Fills the database with reviews that come later, of maps that need not exist: they are only in the way.
async fn fill(address: &str, count: i64, now: At) -> Result<(), String> {
    let numbers = match address.starts_with("sqlite:") {
        true => format!(
            "WITH RECURSIVE number (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < {count}) \
             SELECT n FROM number"
        ),
        false => format!("SELECT n FROM generate_series(1, {count}) AS n"),
    };
    let later = now.0 + 86_400_000_000;
    let sql = format!(
        "INSERT INTO record (learner, kind, key, body, due_at, scope, updated_at) \
         SELECT 'learner-' || (n % 10000), 'schedule', 'review-' || n || '-rep1', '{{}}', \
         {later} + CAST(n AS BIGINT) * 1000000, \
         'map-' || (n % 100000) || '/schedules', 0 FROM ({numbers}) AS numbers"
    );
    if let Some(path) = address.strip_prefix("sqlite:") {
        let database = rusqlite::Connection::open(path).map_err(|error| error.to_string())?;
        return database.execute_batch(&sql).map_err(|error| error.to_string());
    }
    let connected = tokio_postgres::connect(address, tokio_postgres::NoTls).await;
    let (client, connection) = connected.map_err(|error| error.to_string())?;
    let driver = tokio::spawn(connection);
    client.batch_execute(&format!("{sql}; ANALYZE record")).await.map_err(|error| error.to_string())?;
    drop(client);
    driver.await.map_err(|error| error.to_string())?.map_err(|error| error.to_string())
}

/// Makes courses with one concept each whose review is due, of as many learners.
async fn make_due(app: &Arc<App>, count: usize) -> Result<(), String> {
    let mut courses = JoinSet::new();
    for nth in 0..count {
        while courses.len() >= 64 {
            courses.join_next().await.transpose().map_err(|error| error.to_string())?.transpose()?;
        }
        let app = app.clone();
        courses.spawn(async move { due_course(&app, &format!("learner-{nth}"), nth).await });
    }
    while let Some(made) = courses.join_next().await {
        made.map_err(|error| error.to_string())??;
    }
    Ok(())
}

async fn due_course(app: &App, learner: &str, nth: usize) -> Result<(), String> {
    let node = format!("00000000-0000-4000-8000-{nth:012}");
    let map = json!({
        "mind_map_id": "00000000-0000-4000-8000-000000000000", "title": format!("Course {nth}"),
        "nodes": [{"node_id": node, "label": format!("Concept {nth}")}], "edges": [],
    });
    let opening = json!({"map": map, "tutor": "outside"});
    let opened = teaching::open(app, learner, opening).await.map_err(|failure| failure.to_string())?;
    let id = opened.view.id;
    let atlas = look(app, learner, |shelf| looks::atlas(shelf, &id)).await;
    let atlas = atlas.map_err(|failure| failure.to_string())?;
    let node = atlas.map.nodes()[0].node_id;
    let now = app.clock.now();
    let name = format!("review-{node}-rep1");
    let at = shell::engine::clock::iso(now);
    let progress = json!({
        "mastery_status": "reviewing", "repetitions": 1, "next_review_at_us": now.0, "schedule": name,
    });
    let schedule = json!({
        "name": name, "mind_map_id": id, "node_id": node, "dispatch_mode": "prompt", "run_at": at, "until_at": at,
    });
    let change = |kind: &str, key: String, body: Value, scope: String| RecordChange {
        learner: learner.into(),
        kind: kind.into(),
        key,
        body: Some(body.to_string()),
        due_at: Some(now),
        scope,
        ..RecordChange::default()
    };
    let changes = [
        change("mind_map_node", node.to_string(), progress, id.clone()),
        change("schedule", name, schedule, format!("{id}/schedules")),
    ];
    app.store.remember(&changes, now).await.map_err(|error| error.to_string())
}
