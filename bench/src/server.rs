//! Measures the server as it is shipped: how soon it answers, how much memory it holds, how long a reader waits.

use crate::bench::Bench;
use crate::client::Client;
use crate::peers;
use crate::row::{Better, Measured, Row};
use crate::turns::{self, CONCURRENT, EVENT};
use std::io::{BufRead, BufReader};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};
use tokio::task::JoinSet;

const GROUP: &str = "server";
/// The number of instances that the list is read from.
const LISTED: usize = 10_000;
const LISTS: usize = 300;
/// The pauses that senders leave between two turns. Even the longest is that of an unusually quick learner; with
/// none, the processors are full.
const PAUSES: [Duration; 3] = [Duration::from_millis(50), Duration::from_millis(5), Duration::ZERO];
/// A wait that is long enough for the work of starting to be over.
const IDLE: Duration = Duration::from_secs(1);

#[derive(Default)]
struct Runs {
    start_ms: Vec<Result<f64, String>>,
    idle_mb: Vec<Result<f64, String>>,
    list_ms: Vec<Result<f64, String>>,
    /// The loads for each of the pauses.
    loads: [Vec<Load>; PAUSES.len()],
}

pub async fn rows(bench: &Bench) -> Result<Vec<Row>, String> {
    let program = build(bench)?;
    let mut runs = Runs::default();
    for _ in 0..bench.rounds {
        let folder = tempfile::tempdir_in(&bench.cache).map_err(|error| error.to_string())?;
        let ids = fill(folder.path(), LISTED).await?;
        run(&program, folder.path(), &ids, bench.seconds, &mut runs).await?;
    }
    Ok(table(runs))
}

fn table(runs: Runs) -> Vec<Row> {
    let row = |what: String, unit, better, runs, target| Row {
        group: GROUP,
        what,
        unit,
        better,
        ours: Measured::of(runs, better),
        beside: None,
        target,
    };
    let less = |what: &str, unit, runs, target| row(what.into(), unit, Better::Less, runs, Some(target));
    let mut rows = vec![
        less("from start to the first answer", "ms", runs.start_ms, 100.0),
        less("resident memory, idle", "MB", runs.idle_mb, 40.0),
        less(&format!("first page of {LISTED} instances, p99"), "ms", runs.list_ms, 5.0),
    ];
    for (pause, loads) in PAUSES.into_iter().zip(runs.loads) {
        let how = match pause.as_millis() {
            0 => "without pause".to_owned(),
            pause => format!("{pause} ms apart"),
        };
        let (views, turns) = loads.into_iter().map(|load| (Ok(load.view_ms), Ok(load.turns_per_s))).unzip();
        let senders = format!("{CONCURRENT} senders {how}");
        rows.push(less(&format!("view of an instance, p99, {senders}"), "ms", views, 2.0));
        rows.push(row(format!("turns over HTTP, {senders}"), "turns/s", Better::More, turns, None));
    }
    rows
}

/// The wait of a reader and the rate of the writers beside it.
struct Load {
    view_ms: f64,
    turns_per_s: f64,
}

pub fn build(bench: &Bench) -> Result<PathBuf, String> {
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["build", "--release", "--package", "etude", "--target-dir"]).arg(&bench.target);
    peers::run(cargo.current_dir(&bench.root))?;
    Ok(bench.target.join("release/etude"))
}

/// Fills a data folder with instances in its database, and the law they run under.
async fn fill(folder: &Path, count: usize) -> Result<Vec<String>, String> {
    let node = turns::node(&format!("sqlite:{}", folder.join("etude.db").display())).await?;
    let writers = turns::open(&node, count).await;
    node.store.close().await;
    std::fs::write(folder.join("law.yaml"), turns::LAW).map_err(|error| error.to_string())?;
    Ok(writers?.into_iter().map(|writer| writer.id).collect())
}

async fn run(
    program: &Path,
    folder: &Path,
    ids: &[String],
    seconds: f64,
    runs: &mut Runs,
) -> Result<(), String> {
    let started = Instant::now();
    let server = Server::start(program, folder)?;
    Client::connect(server.address, "").await?.get("/healthz").await?;
    runs.start_ms.push(Ok(started.elapsed().as_secs_f64() * 1e3));
    tokio::time::sleep(IDLE).await;
    runs.idle_mb.push(resident_mb(server.process.id()));
    let token = std::fs::read_to_string(folder.join("token")).map_err(|error| error.to_string())?;
    let connect = || Client::connect(server.address, token.trim());
    runs.list_ms.push(listed(connect().await?).await);
    for (pause, loads) in PAUSES.into_iter().zip(&mut runs.loads) {
        loads.push(load(&server, token.trim(), ids, seconds, pause).await?);
    }
    Ok(())
}

/// Measures a load: many clients send, and one views.
async fn load(
    server: &Server,
    token: &str,
    ids: &[String],
    seconds: f64,
    pause: Duration,
) -> Result<Load, String> {
    let mut clients = Vec::new();
    for _ in 0..CONCURRENT {
        clients.push(Client::connect(server.address, token).await?);
    }
    let until = Instant::now() + Duration::from_secs_f64(seconds);
    let mut senders = JoinSet::new();
    for (at, (client, id)) in clients.into_iter().zip(ids).enumerate() {
        let first = pause * at as u32 / CONCURRENT as u32;
        senders.spawn(send_until(client, id.clone(), until, first, pause));
    }
    let view_ms = viewed_elsewhere((server.address, token), ids, until).await?;
    let mut turns = 0;
    while let Some(sent) = senders.join_next().await {
        turns += sent.map_err(|error| error.to_string())??;
    }
    Ok(Load { view_ms, turns_per_s: turns as f64 / seconds })
}

async fn send_until(
    mut client: Client,
    id: String,
    until: Instant,
    first: Duration,
    pause: Duration,
) -> Result<u64, String> {
    let mut turns = 0;
    tokio::time::sleep(first).await;
    while Instant::now() < until {
        client.post(&format!("/api/instances/{id}/events"), format!(r#"{{"event":"{EVENT}"}}"#)).await?;
        turns += 1;
        if !pause.is_zero() {
            tokio::time::sleep(pause).await;
        }
    }
    Ok(turns)
}

/// Views on a thread of its own, like another person's browser: a view must not wait in the queue of the senders.
async fn viewed_elsewhere(
    (address, token): (SocketAddr, &str),
    ids: &[String],
    until: Instant,
) -> Result<f64, String> {
    let (token, ids) = (token.to_owned(), ids.to_vec());
    let viewing = tokio::task::spawn_blocking(move || {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        let runtime = runtime.map_err(|error| error.to_string())?;
        runtime.block_on(async {
            let viewer = Client::connect(address, &token).await?;
            viewed_until(viewer, &ids, until).await
        })
    });
    viewing.await.map_err(|error| error.to_string())?
}

/// Views one after the other the instances that are written to and those that rest.
async fn viewed_until(mut client: Client, ids: &[String], until: Instant) -> Result<f64, String> {
    let mut waits = Vec::new();
    for id in ids.iter().cycle() {
        if Instant::now() >= until {
            break;
        }
        let asked = Instant::now();
        client.get(&format!("/api/instances/{id}")).await?;
        waits.push(asked.elapsed());
    }
    p99_ms(waits)
}

async fn listed(mut client: Client) -> Result<f64, String> {
    let mut waits = Vec::new();
    for _ in 0..LISTS {
        let asked = Instant::now();
        client.get("/api/instances").await?;
        waits.push(asked.elapsed());
    }
    p99_ms(waits)
}

pub fn p99_ms(mut waits: Vec<Duration>) -> Result<f64, String> {
    waits.sort();
    let at = (waits.len() * 99).div_ceil(100).saturating_sub(1);
    waits.get(at).map(|wait| wait.as_secs_f64() * 1e3).ok_or_else(|| "nothing was answered".into())
}

pub fn resident_mb(process: u32) -> Result<f64, String> {
    let status = std::fs::read_to_string(format!("/proc/{process}/status"))
        .map_err(|error| format!("resident memory is read from /proc, which is not there: {error}"))?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let kilobytes = line.and_then(|line| line.trim().split(' ').next()?.parse::<f64>().ok());
    kilobytes.map(|kilobytes| kilobytes * 1024.0 / 1e6).ok_or_else(|| "/proc tells no resident memory".into())
}

/// The real program on a free port. Its process ends when this value is dropped.
pub struct Server {
    process: Child,
    address: SocketAddr,
    /// The output, kept open: a program that prints into a closed pipe fails.
    _output: BufReader<ChildStdout>,
}

impl Server {
    pub fn start(program: &Path, folder: &Path) -> Result<Server, String> {
        let mut command = Command::new(program);
        command.args(["serve", "--address", "127.0.0.1:0", "--log", "warn", "--data"]).arg(folder);
        command.arg("--law").arg(folder.join("law.yaml")).stdout(Stdio::piped());
        let mut process = command.spawn().map_err(|error| format!("{}: {error}", program.display()))?;
        let mut output = BufReader::new(process.stdout.take().ok_or("the server has no output")?);
        let unknown = SocketAddr::from(([127, 0, 0, 1], 0));
        let mut first = String::new();
        let read = output.read_line(&mut first);
        // The value is made before anything can fail, so that the process ends in any case.
        let mut server = Server { process, address: unknown, _output: output };
        let address = read.ok().and_then(|_| first.trim().rsplit_once("http://")?.1.parse().ok());
        server.address =
            address.ok_or_else(|| format!("the server did not say where it listens: {first:?}"))?;
        Ok(server)
    }

    pub fn address(&self) -> SocketAddr {
        self.address
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
