//! Measures turns per second against the number of nodes and against the processors that PostgreSQL may use, with
//! the processor time that a turn costs each side: that shows what more processors would bring.

use crate::bench::Bench;
use crate::peers;
use crate::postgres::{self, Cluster};
use crate::row::{Beside, Better, Measured, Row};
use crate::turns::CONCURRENT;
use std::path::Path;
use std::process::Command;

const GROUP: &str = "scale";
const NODES: [usize; 3] = [1, 2, 4];
/// The length of a tick of processor time, which Linux reports to every program.
const TICK_US: f64 = 10_000.0;

/// One point of the curve.
#[derive(Debug, Clone, Copy)]
struct Point {
    turns_per_s: f64,
    database_us: f64,
    nodes_us: f64,
}

/// The processors that each side may use.
#[derive(Debug, Clone, Copy)]
struct Layout {
    name: &'static str,
    database: &'static str,
    nodes: &'static str,
}

const LAYOUTS: [Layout; 2] = [
    Layout { name: "PostgreSQL has one processor, the nodes another", database: "0", nodes: "1" },
    Layout { name: "both share two processors", database: "0,1", nodes: "0,1" },
];

pub async fn rows(bench: &Bench) -> Result<Vec<Row>, String> {
    if std::thread::available_parallelism().is_ok_and(|processors| processors.get() < 2) {
        return Err("it takes two processors".to_owned());
    }
    let mut rows = Vec::new();
    for layout in LAYOUTS {
        rows.extend(layout_rows(bench, layout).await?);
    }
    Ok(rows)
}

async fn layout_rows(bench: &Bench, layout: Layout) -> Result<Vec<Row>, String> {
    let all = placed(std::process::id(), layout.nodes)?;
    let measured = curve(bench, layout).await;
    placed(std::process::id(), &all)?;
    let mut one_node = None;
    let mut rows = Vec::new();
    for (nodes, runs) in NODES.into_iter().zip(measured?) {
        let best = runs.iter().max_by(|a, b| a.turns_per_s.total_cmp(&b.turns_per_s)).copied();
        if let Some(Point { turns_per_s, database_us, nodes_us }) = best {
            println!(
                "{}, nodes: {nodes}: {turns_per_s:.0} turns/s; a turn costs {database_us:.0} µs at PostgreSQL and \
                 {nodes_us:.0} µs at a node",
                layout.name
            );
        }
        let ours = Measured::of(runs.iter().map(|point| Ok(point.turns_per_s)).collect(), Better::More);
        let beside = one_node.clone();
        one_node.get_or_insert(Beside { name: "one node".to_owned(), measured: ours.clone() });
        let what = format!("nodes: {nodes}, {}", layout.name);
        rows.push(Row {
            group: GROUP,
            what,
            unit: "turns/s",
            better: Better::More,
            ours,
            beside,
            target: None,
        });
    }
    Ok(rows)
}

/// Measures the runs of each number of nodes. Rounds go over all of them, so that a disturbance does not fall on
/// one only.
async fn curve(bench: &Bench, layout: Layout) -> Result<[Vec<Point>; NODES.len()], String> {
    let cluster = Cluster::start(&bench.root)?;
    let postmaster = cluster.process()?;
    placed(postmaster, layout.database)?;
    let mut runs = [const { Vec::new() }; NODES.len()];
    for round in 0..bench.rounds {
        for (nodes, points) in NODES.into_iter().zip(&mut runs) {
            let address = cluster.database(&format!("scale_{nodes}_{round}")).await?;
            let before = (database_ticks(postmaster)?, own_ticks()?);
            let turns_per_s = postgres::nodes_rate(&address, nodes, CONCURRENT, bench.seconds).await?;
            let turns = turns_per_s * bench.seconds;
            let spent = |after: u64, before: u64| after.saturating_sub(before) as f64 * TICK_US / turns;
            points.push(Point {
                turns_per_s,
                database_us: spent(database_ticks(postmaster)?, before.0),
                nodes_us: spent(own_ticks()?, before.1),
            });
        }
    }
    Ok(runs)
}

/// Pins a process with all its threads to processors. Returns those that it was on before.
fn placed(process: u32, processors: &str) -> Result<String, String> {
    let of = |pid: String| peers::run(Command::new("taskset").args(["--cpu-list", "--pid", &pid]));
    let before = String::from_utf8_lossy(&of(process.to_string())?.stdout).into_owned();
    let before = before.rsplit(": ").next().unwrap_or_default().trim().to_owned();
    let pid = process.to_string();
    peers::run(Command::new("taskset").args(["--all-tasks", "--cpu-list", "--pid", processors, &pid]))?;
    Ok(before)
}

/// Returns the processor time of a server and all its processes, including those that have ended.
fn database_ticks(postmaster: u32) -> Result<u64, String> {
    let own = Stat::of(Path::new(&format!("/proc/{postmaster}/stat"))).ok_or("PostgreSQL has ended")?;
    let entries = std::fs::read_dir("/proc").map_err(|error| error.to_string())?;
    let children = entries.flatten().filter_map(|entry| Stat::of(&entry.path().join("stat")));
    let children = children.filter(|stat| stat.parent == postmaster).map(|stat| stat.ticks).sum::<u64>();
    Ok(own.ticks + own.ticks_of_ended + children)
}

fn own_ticks() -> Result<u64, String> {
    Stat::of(Path::new("/proc/self/stat")).map(|stat| stat.ticks).ok_or("this system has no /proc".to_owned())
}

#[derive(Debug)]
struct Stat {
    parent: u32,
    ticks: u64,
    ticks_of_ended: u64,
}

impl Stat {
    fn of(path: &Path) -> Option<Stat> {
        let text = std::fs::read_to_string(path).ok()?;
        // The name of the program is in brackets and may hold any characters.
        let fields: Vec<&str> = text.rsplit_once(')')?.1.split_whitespace().collect();
        let number = |at: usize| fields.get(at)?.parse::<u64>().ok();
        Some(Stat {
            parent: fields.get(1)?.parse().ok()?,
            ticks: number(11)? + number(12)?,
            ticks_of_ended: number(13)? + number(14)?,
        })
    }
}
