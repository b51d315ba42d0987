//! Measures durable turns on a throw-away PostgreSQL cluster, beside pgbench on the same cluster and beside
//! LangGraph.

use crate::bench::Bench;
use crate::row::{Beside, Better, Measured, Row};
use crate::turns::{self, CONCURRENT, Writer};
use crate::{langgraph, peers};
use std::path::{Path, PathBuf};
use std::process::Command;
use tempfile::TempDir;

const GROUP: &str = "postgres";
const SCHEMA: &str = include_str!("../peers/plain.sql");
const PGBENCH_CLIENTS: usize = 16;

#[derive(Default)]
struct Runs {
    pgbench: Vec<Result<f64, String>>,
    one_node: Vec<Result<f64, String>>,
    two_nodes: Vec<Result<f64, String>>,
    second_node: Vec<Result<f64, String>>,
    hot: Vec<Result<f64, String>>,
}

/// Measures in rounds that alternate between us and the others, so that a disturbance does not fall on one side
/// only.
pub async fn rows(bench: &Bench) -> Result<Vec<Row>, String> {
    let cluster = Cluster::start(&bench.root)?;
    let mut runs = Runs::default();
    let mut langgraph = langgraph::Runs::default();
    for round in 0..bench.rounds {
        let database = async |name: &str| cluster.database(&format!("{name}_{round}")).await;
        let address = database("pgbench").await?;
        runs.pgbench.push(pgbench_rate(bench, &cluster, &address).await);
        let rate = async |name: &str, nodes, instances| {
            nodes_rate(&database(name).await?, nodes, instances, bench.seconds).await
        };
        runs.one_node.push(rate("one_node", 1, CONCURRENT).await);
        runs.second_node.push(rate("second_node", 2, 2 * CONCURRENT).await);
        runs.two_nodes.push(rate("two_nodes", 2, CONCURRENT).await);
        runs.hot.push(hot_rate(&database("hot").await?, bench.seconds).await);
        langgraph.run(bench, &database("langgraph").await?);
    }
    Ok(table(runs, langgraph))
}

fn table(runs: Runs, langgraph: langgraph::Runs) -> Vec<Row> {
    let [pgbench, one_node, two_nodes, second_node, hot] =
        [runs.pgbench, runs.one_node, runs.two_nodes, runs.second_node, runs.hot]
            .map(|runs| Measured::of(runs, Better::More));
    let row = |what: String, ours: &Measured, beside, target| Row {
        group: GROUP,
        what,
        unit: "turns/s",
        better: Better::More,
        ours: ours.clone(),
        beside,
        target: Some(target),
    };
    let many = format!("PostgreSQL, {CONCURRENT} instances");
    let pgbench = Beside { name: format!("pgbench, {PGBENCH_CLIENTS} clients"), measured: pgbench };
    let alone = Beside { name: "one node".into(), measured: one_node.clone() };
    vec![
        row(many.clone(), &one_node, Some(pgbench), 1.0),
        row(many, &one_node, Some(langgraph.beside()), 50.0),
        row(
            format!("PostgreSQL, a second node with {CONCURRENT} more"),
            &second_node,
            Some(alone.clone()),
            1.0,
        ),
        row(format!("PostgreSQL, {CONCURRENT} instances over two nodes"), &two_nodes, Some(alone), 1.0),
        row(format!("PostgreSQL, {CONCURRENT} writers on one instance"), &hot, None, 500.0),
    ]
}

/// Measures instances spread over the nodes, and returns the rate of all nodes together.
pub async fn nodes_rate(address: &str, nodes: usize, instances: usize, seconds: f64) -> Result<f64, String> {
    let (mut all, mut writers) = (Vec::new(), Vec::new());
    for _ in 0..nodes {
        let node = turns::node(address).await?;
        writers.extend(turns::open(&node, instances / nodes).await?);
        all.push(node);
    }
    let rate = turns::rate(writers, seconds).await;
    for node in all {
        node.store.close().await;
    }
    rate
}

async fn hot_rate(address: &str, seconds: f64) -> Result<f64, String> {
    let node = turns::node(address).await?;
    let writer = turns::open(&node, 1).await?.pop().ok_or("no instance was opened")?;
    let writers: Vec<Writer> = vec![writer; CONCURRENT];
    let rate = turns::rate(writers, seconds).await;
    node.store.close().await;
    rate
}

async fn pgbench_rate(bench: &Bench, cluster: &Cluster, address: &str) -> Result<f64, String> {
    let instances = format!(
        "INSERT INTO instance SELECT id, 'PING', 0, '{{}}', 0 FROM generate_series(0, {PGBENCH_CLIENTS}) id"
    );
    execute(address, &format!("{SCHEMA} {instances}")).await?;
    let mut pgbench = Command::new(cluster.pgbench());
    pgbench.args(["--no-vacuum", "--protocol=prepared", "--jobs=2", "--define=version=0"]);
    pgbench.arg(format!("--client={PGBENCH_CLIENTS}"));
    pgbench.arg(format!("--time={}", bench.seconds.ceil()));
    pgbench.arg("--file").arg(bench.peer("turn.pgbench.sql")).arg(address);
    let output = peers::run(&mut pgbench)?;
    let text = String::from_utf8_lossy(&output.stdout);
    let rate = text.lines().find_map(|line| line.strip_prefix("tps = ")?.split(' ').next()?.parse().ok());
    rate.ok_or_else(|| format!("pgbench printed no rate: {text}"))
}

/// A cluster that ends with the measurement.
pub struct Cluster {
    script: PathBuf,
    folder: TempDir,
    url: String,
}

impl Cluster {
    pub fn start(root: &Path) -> Result<Cluster, String> {
        let script = root.join("scripts/postgres");
        let folder = TempDir::with_prefix("etude-bench-").map_err(|error| error.to_string())?;
        let output = peers::run(Command::new(&script).arg("start").arg(folder.path()))?;
        let url = String::from_utf8_lossy(&output.stdout).trim().to_owned();
        Ok(Cluster { script, folder, url })
    }

    /// Creates an empty database and returns its address.
    pub async fn database(&self, name: &str) -> Result<String, String> {
        execute(&self.url, &format!("CREATE DATABASE {name}")).await?;
        let server = self.url.rsplit_once('/').map_or(self.url.as_str(), |(server, _)| server);
        Ok(format!("{server}/{name}"))
    }

    /// Returns the process that all others of the server descend from.
    pub fn process(&self) -> Result<u32, String> {
        let path = self.folder.path().join("data/postmaster.pid");
        let text = std::fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        text.lines().next().and_then(|line| line.parse().ok()).ok_or("the server has no process".to_owned())
    }

    /// Returns the `pgbench` beside the server's own programs if there is one, else the one on the search path.
    fn pgbench(&self) -> PathBuf {
        let binaries = std::fs::read_to_string(self.folder.path().join("binaries")).unwrap_or_default();
        let beside = Path::new(binaries.trim()).join("pgbench");
        if beside.is_file() { beside } else { PathBuf::from("pgbench") }
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        if let Err(reason) = peers::run(Command::new(&self.script).arg("stop").arg(self.folder.path())) {
            eprintln!("bench: the cluster in {} still runs: {reason}", self.folder.path().display());
        }
    }
}

async fn execute(address: &str, sql: &str) -> Result<(), String> {
    let connected = tokio_postgres::connect(address, tokio_postgres::NoTls).await;
    let (client, connection) = connected.map_err(|error| error.to_string())?;
    let connection = tokio::spawn(connection);
    let done = client.batch_execute(sql).await.map_err(|error| format!("{sql}: {error}"));
    drop(client);
    let _ = connection.await;
    done
}
