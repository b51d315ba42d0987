//! Measures courses: lists and frontiers over HTTP, and durable moves beside the engine's own rate.

use crate::bench::Bench;
use crate::client::Client;
use crate::postgres::Cluster;
use crate::row::{Beside, Better, Measured, Row};
use crate::server::{self, Server};
use crate::turns::{self, CONCURRENT};
use coaching::teach::looks;
use serde_json::{Value, json};
use shell::builtin;
use shell::effects::{self, Outside};
use shell::engine::app::App;
use shell::engine::clock::Clock;
use shell::engine::look::look;
use shell::engine::turn::{self, Opening};
use shell::teach::teaching;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};
use store::Store;

const GROUP: &str = "teach";
const LEARNER: &str = "me";
const COURSES: usize = 300;
const NODES: usize = 10_000;
/// The number of concepts side by side in the large map; each needs two of the layer above it.
const LAYER: usize = 100;
const ASKED: usize = 300;

type Runs = Vec<Result<f64, String>>;

pub async fn rows(bench: &Bench) -> Result<Vec<Row>, String> {
    let program = server::build(bench)?;
    let cluster = Cluster::start(&bench.root);
    let [mut list, mut frontier, mut sqlite, mut engine, mut postgres, mut pg_engine]: [Runs; 6] =
        Default::default();
    for round in 0..bench.rounds {
        let folder = tempfile::tempdir_in(&bench.cache).map_err(|error| error.to_string())?;
        let (listed, found) = over_http(&program, folder.path()).await?;
        list.push(Ok(listed));
        frontier.push(Ok(found));
        let address = |name: &str| format!("sqlite:{}", folder.path().join(name).display());
        sqlite.push(course_rate(&address("courses.db"), bench.seconds).await);
        engine.push(engine_rate(&address("engine.db"), bench.seconds).await);
        match &cluster {
            Ok(cluster) => {
                let database = async |name: &str| cluster.database(&format!("{name}_{round}")).await;
                postgres.push(course_rate(&database("courses").await?, bench.seconds).await);
                pg_engine.push(engine_rate(&database("engine").await?, bench.seconds).await);
            }
            Err(reason) => {
                postgres.push(Err(reason.clone()));
                pg_engine.push(Err(reason.clone()));
            }
        }
    }
    Ok(vec![
        waited(format!("list of {COURSES} courses with mastery over HTTP, p99"), list, Some(5.0)),
        waited(format!("frontier of a map of {NODES} concepts over HTTP, p99"), frontier, None),
        moved("SQLite", sqlite, engine),
        moved("PostgreSQL", postgres, pg_engine),
    ])
}

fn waited(what: String, runs: Runs, target: Option<f64>) -> Row {
    let ours = Measured::of(runs, Better::Less);
    Row { group: GROUP, what, unit: "ms", better: Better::Less, ours, beside: None, target }
}

fn moved(database: &str, ours: Runs, engine: Runs) -> Row {
    let engine = Measured::of(engine, Better::More);
    Row {
        group: GROUP,
        what: format!("{database}, advances of {CONCURRENT} courses"),
        unit: "turns/s",
        better: Better::More,
        ours: Measured::of(ours, Better::More),
        beside: Some(Beside { name: "turns of the smallest law".into(), measured: engine }),
        target: None,
    }
}

/// Makes a node with the shipped flows as the server does, without the server.
async fn node(address: &str) -> Result<Arc<App>, String> {
    let store = Store::open(address).await.map_err(|error| error.to_string())?;
    Ok(Arc::new(effects::app(store, builtin::flows(None), Clock::System, Outside::default())))
}

/// Measures how long the shipped program takes to answer with a list of courses and with a frontier.
async fn over_http(program: &Path, folder: &Path) -> Result<(f64, f64), String> {
    let large = fill(folder).await?;
    let server = Server::start(program, folder)?;
    let token = std::fs::read_to_string(folder.join("token")).map_err(|error| error.to_string())?;
    let mut client = Client::connect(server.address(), token.trim()).await?;
    let listed = asked(&mut client, "/api/courses").await?;
    Ok((listed, asked(&mut client, &format!("/api/courses/{large}/frontier")).await?))
}

async fn asked(client: &mut Client, path: &str) -> Result<f64, String> {
    let mut waits: Vec<Duration> = Vec::new();
    for _ in 0..ASKED {
        let asked = Instant::now();
        client.get(path).await?;
        waits.push(asked.elapsed());
    }
    server::p99_ms(waits)
}

/// Makes courses on a shipped curriculum with something mastered in each, and a large map. Returns the map's course
/// id.
async fn fill(folder: &Path) -> Result<String, String> {
    let node = node(&format!("sqlite:{}", folder.join("etude.db").display())).await?;
    std::fs::write(folder.join("law.yaml"), turns::LAW).map_err(|error| error.to_string())?;
    let failed = |failure: shell::engine::failure::Failure| failure.to_string();
    let (flow, learner) = (teaching::COURSE.to_owned(), LEARNER.to_owned());
    let start = Opening { flow, learner, opening: json!({"topic": "sql"}), ..Opening::default() };
    for _ in 1..COURSES {
        let id = turn::open(&node, start.clone()).await.map_err(failed)?.view.id;
        let atlas = look(&node, LEARNER, |shelf| looks::atlas(shelf, &id)).await.map_err(failed)?;
        for concept in atlas.map.nodes().iter().take(3) {
            let edit =
                json!({"edit": "node_update", "node_id": concept.node_id, "mastery_status": "mastered"});
            teaching::act(&node, &id, "edited", edit).await.map_err(failed)?;
        }
    }
    let large = json!({"map": large_map(), "tutor": "outside"});
    let large = teaching::open(&node, LEARNER, large).await.map_err(failed)?.view.id;
    node.store.close().await;
    Ok(large)
}

fn large_map() -> Value {
    let id = |n: usize| format!("00000000-0000-7000-8000-{n:012x}");
    let nodes = (0..NODES).map(|n| json!({"node_id": id(n), "label": format!("concept {n}")}));
    let edge = |parent: usize, child: usize| json!({"parent_node_id": id(parent), "child_node_id": id(child), "edge_type": "prerequisite"});
    let above = |n: usize| [n - LAYER, n - n % LAYER - LAYER + (n + 1) % LAYER];
    let edges = (LAYER..NODES).flat_map(|n| above(n).map(|parent| edge(parent, n)));
    json!({
        "mind_map_id": id(NODES), "title": "A large map",
        "nodes": nodes.collect::<Vec<_>>(), "edges": edges.collect::<Vec<_>>(),
    })
}

/// Measures answered advances per second: from teaching to quizzing and back, in courses led from outside.
async fn course_rate(address: &str, seconds: f64) -> Result<f64, String> {
    let node = node(address).await?;
    let mut courses = Vec::new();
    for at in 0..CONCURRENT {
        courses.push(taught_course(&node, at).await?);
    }
    let started = Instant::now();
    let until = started + Duration::from_secs_f64(seconds);
    let tasks: Vec<_> =
        courses.into_iter().map(|id| tokio::spawn(advance_until(node.clone(), id, until))).collect();
    let mut moves = 0;
    for task in tasks {
        moves += task.await.map_err(|error| error.to_string())??;
    }
    let rate = moves as f64 / started.elapsed().as_secs_f64();
    node.store.close().await;
    Ok(rate)
}

/// Makes a course of twelve concepts in `teaching`.
async fn taught_course(node: &App, at: usize) -> Result<String, String> {
    let id = |n: usize| format!("00000000-0000-7000-8{at:03x}-{n:012x}");
    let nodes: Vec<Value> =
        (0..12).map(|n| json!({"node_id": id(n), "label": format!("concept {n}")})).collect();
    let map = json!({"mind_map_id": id(99), "title": "Twelve concepts", "nodes": nodes, "edges": []});
    let failed = |failure: shell::engine::failure::Failure| failure.to_string();
    let opening = json!({"map": map, "tutor": "outside"});
    let id = teaching::open(node, LEARNER, opening).await.map_err(failed)?.view.id;
    for _ in 0..2 {
        teaching::act(node, &id, "advance", json!({})).await.map_err(failed)?;
    }
    Ok(id)
}

async fn advance_until(node: Arc<App>, id: String, until: Instant) -> Result<u64, String> {
    let mut moves = 0;
    while Instant::now() < until {
        teaching::act(&node, &id, "advance", json!({})).await.map_err(|failure| failure.to_string())?;
        moves += 1;
    }
    Ok(moves)
}

async fn engine_rate(address: &str, seconds: f64) -> Result<f64, String> {
    let node = turns::node(address).await?;
    let writers = turns::open(&node, CONCURRENT).await?;
    let rate = turns::rate(writers, seconds).await;
    node.store.close().await;
    rate
}
