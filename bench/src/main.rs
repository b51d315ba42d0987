//! How fast Etude is, measured in one run on one machine beside its peers and the limits of that machine.
//!
//!     cargo run --release -p bench -- [--quick] [--only step,explore] [--json FILE]
//!
//! Numbers of different machines say nothing about each other, ratios of one run do. Each thing is measured
//! several times and the best counts, for us and for what stands beside us: whatever else the machine does can
//! only make a number worse.

mod allocations;
mod bench;
mod explore;
mod peers;
mod row;
mod statig_drill;
mod step;

use bench::Bench;
use clap::{Parser, ValueEnum};
use row::{Measured, Row};
use serde_json::{Value, json};
use std::path::PathBuf;
use std::process::ExitCode;

#[global_allocator]
static ALLOCATOR: allocations::Counting = allocations::Counting;

#[derive(Debug, Parser)]
#[command(about = "Measure Etude beside its peers", max_term_width = 100)]
struct Args {
    /// One short round of everything: shows that it runs, not how fast
    #[arg(long)]
    quick: bool,
    /// Measure only these
    #[arg(long, value_enum, value_delimiter = ',')]
    only: Vec<Group>,
    /// Where to write the result
    #[arg(long, value_name = "FILE", default_value = "bench/result.json")]
    json: PathBuf,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Group {
    Step,
    Explore,
}

fn main() -> ExitCode {
    let args = Args::parse();
    match run(&args) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("bench: {message}");
            ExitCode::FAILURE
        }
    }
}

fn run(args: &Args) -> Result<(), String> {
    let bench = prepare(args)?;
    let mut rows = Vec::new();
    for group in Group::value_variants() {
        if args.only.is_empty() || args.only.contains(group) {
            rows.extend(measure(*group, &bench)?);
        }
    }
    println!("\n{}\n", row::table(&rows));
    for reason in reasons(&rows) {
        println!("{reason}");
    }
    let text = format!("{:#}\n", result(&bench, &rows));
    std::fs::write(&args.json, text).map_err(|error| format!("{}: {error}", args.json.display()))?;
    println!("written to {}", args.json.display());
    Ok(())
}

fn prepare(args: &Args) -> Result<Bench, String> {
    let program = std::env::current_exe().map_err(|error| format!("this program is nowhere: {error}"))?;
    let target = program.parent().and_then(|folder| folder.parent()).ok_or("this program is in no target folder")?;
    let cache = target.join("bench");
    peers::make(&cache)?;
    let (rounds, seconds) = if args.quick { (1, 0.3) } else { (3, 3.0) };
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("..");
    Ok(Bench { is_quick: args.quick, rounds, seconds, root, target: target.to_owned(), cache })
}

fn measure(group: Group, bench: &Bench) -> Result<Vec<Row>, String> {
    let name = group.to_possible_value().map_or_else(String::new, |value| value.get_name().to_owned());
    println!("measuring {name}");
    match group {
        Group::Step => step::rows(bench),
        Group::Explore => explore::rows(bench),
    }
    .map_err(|error| format!("{name}: {error}"))
}

fn reasons(rows: &[Row]) -> Vec<String> {
    Vec::new()
}

fn result(bench: &Bench, rows: &[Row]) -> Value {
    json!({})
}
