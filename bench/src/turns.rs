//! Takes durable turns through the real door, in this process: load, decide, commit, answer.

use shell::effects::{self, Outside};
use shell::engine::app::App;
use shell::engine::clock::Clock;
use shell::engine::failure::Failure;
use shell::engine::flows::Flows;
use shell::engine::turn::{self, Opening, Request};
use std::sync::Arc;
use std::time::{Duration, Instant};
use store::Store;

/// The number of flows that are under way at once.
pub const CONCURRENT: usize = 64;

/// The smallest law that can go on forever and still end.
pub const LAW: &str = "\
session: Turns
version: 1
states:
  PING:
    on: {turn: PONG, stop: DONE}
  PONG:
    on: {turn: PING, stop: DONE}
  DONE:
    type: final
";
pub const FLOW: &str = "Turns";
pub const EVENT: &str = "turn";

/// A client that takes turns in one instance, at one node.
#[derive(Debug, Clone)]
pub struct Writer {
    pub node: Arc<App>,
    pub id: String,
}

/// Makes a node as the server does, without the server.
pub async fn node(address: &str) -> Result<Arc<App>, String> {
    let store = Store::open(address).await.map_err(|error| error.to_string())?;
    let mut flows = Flows::none();
    flows.add_law(LAW, false).map_err(|unproved| format!("{:?}", unproved.problems))?;
    Ok(Arc::new(effects::app(store, flows, Clock::System, Outside::default())))
}

/// Opens instances at a node, and returns a writer for each.
pub async fn open(node: &Arc<App>, count: usize) -> Result<Vec<Writer>, String> {
    let mut opened = tokio::task::JoinSet::new();
    let mut writers = Vec::new();
    for _ in 0..count {
        let node = node.clone();
        opened.spawn(async move {
            let opening = Opening { flow: FLOW.into(), learner: "bench".into(), ..Opening::default() };
            let answer = turn::open(&node, opening).await;
            answer.map(|answer| Writer { node, id: answer.view.id })
        });
        if opened.len() == CONCURRENT
            && let Some(done) = opened.join_next().await
        {
            writers.push(opened_one(done)?);
        }
    }
    while let Some(done) = opened.join_next().await {
        writers.push(opened_one(done)?);
    }
    Ok(writers)
}

fn opened_one(done: Result<Result<Writer, Failure>, tokio::task::JoinError>) -> Result<Writer, String> {
    done.map_err(|error| error.to_string())?.map_err(|failure| failure.to_string())
}

/// Returns the answered turns per second when all writers write as fast as they are answered.
pub async fn rate(writers: Vec<Writer>, seconds: f64) -> Result<f64, String> {
    let until = Instant::now() + Duration::from_secs_f64(seconds);
    let started = Instant::now();
    let tasks: Vec<_> = writers.into_iter().map(|writer| tokio::spawn(write_until(writer, until))).collect();
    let mut turns = 0;
    for task in tasks {
        turns += task.await.map_err(|error| error.to_string())??;
    }
    Ok(turns as f64 / started.elapsed().as_secs_f64())
}

/// Takes turns until a time. If another writer was faster, the writer tries again, and the failed try is not
/// counted.
async fn write_until(writer: Writer, until: Instant) -> Result<u64, String> {
    let mut turns = 0;
    while Instant::now() < until {
        let request = Request::new(&writer.id, EVENT, coaching::turn::Source::User);
        match turn::take(&writer.node, request).await {
            Ok(_) => turns += 1,
            Err(Failure::Conflict { .. }) => {}
            Err(failure) => return Err(failure.to_string()),
        }
    }
    Ok(turns)
}
