//! Measures how fast Etude is, in one run on one machine beside its peers and the limits of that machine.
//!
//!     cargo run --release -p bench -- [--quick] [--only step,explore] [--json FILE]
//!     cargo run -p bench -- train-agent
//!
//! Numbers of different machines say nothing about each other, ratios of one run do. Each thing is measured several
//! times and the best counts, for us and for the things beside us: other work of the machine can only make a number
//! worse. That work is measured too, before each group.

mod allocations;
mod attempt;
mod bench;
mod caution;
mod classifier;
mod client;
mod diagnosis;
mod explore;
mod grading;
mod judge;
mod langgraph;
mod leak;
mod machine;
mod memory;
mod peers;
mod postgres;
mod reviews;
mod row;
mod scale;
mod scorer;
mod server;
mod sqlite;
mod statig_drill;
mod step;
mod teach;
mod turns;
mod voice;

use bench::Bench;
use clap::{Parser, Subcommand, ValueEnum};
use coaching::agent::Evaluation;
use row::Row;
use serde_json::{Map, Value, json};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

#[global_allocator]
static ALLOCATOR: allocations::Counting = allocations::Counting;

#[derive(Debug, Parser)]
#[command(about = "Measure Etude beside its peers", max_term_width = 100)]
struct Args {
    #[command(subcommand)]
    command: Option<Command>,
    /// One short round of everything: shows that it runs, not how fast
    #[arg(long)]
    quick: bool,
    /// Measure only these
    #[arg(long, value_enum, value_delimiter = ',')]
    only: Vec<Group>,
    /// Where to write the result [default: bench/result.json in the project]
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Train the scorer of agents' messages anew and write its weights
    TrainAgent,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Group {
    Step,
    Explore,
    Classifier,
    Grading,
    Attempt,
    Judge,
    Leak,
    Diagnosis,
    Sqlite,
    Postgres,
    Scale,
    Server,
    Memory,
    Teach,
    Reviews,
    Voice,
}

fn main() -> ExitCode {
    // The judge starts this program once more as its helper, before there are threads.
    ::judge::inner();
    measured()
}

#[tokio::main]
async fn measured() -> ExitCode {
    match run(Args::parse()).await {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("bench: {message}");
            ExitCode::FAILURE
        }
    }
}

async fn run(args: Args) -> Result<(), String> {
    if let Some(Command::TrainAgent) = args.command {
        return train_agent();
    }
    let bench = prepare(args.quick)?;
    let mut rows = Vec::new();
    let mut others = Map::new();
    for group in Group::value_variants() {
        if !args.only.is_empty() && !args.only.contains(group) {
            continue;
        }
        let name = format!("{group:?}").to_lowercase();
        let busy_percent = machine::busy_percent().await;
        println!("{name}: others keep {} of the processors busy", percent(busy_percent));
        rows.extend(measure(*group, &bench).await.unwrap_or_else(|reason| {
            println!("{name} was not measured: {reason}");
            Vec::new()
        }));
        others.insert(name, json!(busy_percent));
    }
    println!("\n{}\n", row::table(&rows));
    for missing in rows.iter().flat_map(Row::missing) {
        println!("not measured: {missing}");
    }
    let path = args.json.unwrap_or_else(|| bench.root.join("bench/result.json"));
    write(&path, &result(&bench, &rows, others))
}

fn train_agent() -> Result<(), String> {
    let trained = scorer::trained()?;
    println!("cross-validated\n{}", classifier::table(&Evaluation::of(&trained.crossed)));
    let caution = caution::trained()?;
    let (found, held_back) = (percent(Some(100.0 * caution.found)), percent(Some(100.0 * caution.held_back)));
    println!(
        "by weights trained without them, {found} of risks and {held_back} of other steps are held back"
    );
    for (file, weights) in [(scorer::FILE, trained.file), (caution::FILE, caution.file)] {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(file);
        std::fs::write(&path, weights).map_err(|error| format!("{}: {error}", path.display()))?;
        println!("written to {}", path.display());
    }
    Ok(())
}

fn prepare(is_quick: bool) -> Result<Bench, String> {
    let program = std::env::current_exe().map_err(|error| format!("this program is nowhere: {error}"))?;
    let target = program.ancestors().nth(2).ok_or("this program is in no target folder")?.to_owned();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().ok_or("the project is nowhere")?.to_owned();
    let cache = target.join("bench");
    peers::make(&cache)?;
    let (rounds, seconds) = if is_quick { (1, 0.3) } else { (3, 3.0) };
    Ok(Bench { is_quick, rounds, seconds, root, target, cache })
}

async fn measure(group: Group, bench: &Bench) -> Result<Vec<Row>, String> {
    match group {
        Group::Step => step::rows(bench),
        Group::Explore => explore::rows(bench),
        Group::Classifier => classifier::rows(bench).await,
        Group::Grading => grading::rows(bench),
        Group::Attempt => attempt::rows(bench),
        Group::Judge => judge::rows(bench).await,
        Group::Leak => leak::rows(bench),
        Group::Diagnosis => diagnosis::rows(bench),
        Group::Sqlite => sqlite::rows(bench).await,
        Group::Postgres => postgres::rows(bench).await,
        Group::Scale => scale::rows(bench).await,
        Group::Server => server::rows(bench).await,
        Group::Memory => memory::rows(bench),
        Group::Teach => teach::rows(bench).await,
        Group::Reviews => reviews::rows(bench).await,
        Group::Voice => voice::rows(bench),
    }
}

fn percent(number: Option<f64>) -> String {
    number.map_or_else(|| "an unknown part".into(), |number| format!("{number:.0} %"))
}

fn result(bench: &Bench, rows: &[Row], others: Map<String, Value>) -> Value {
    let row = |row: &Row| {
        let mut value = json!(row);
        value["ratio"] = json!(row.ratio());
        value["met"] = json!(row.is_met());
        value
    };
    json!({
        "quick": bench.is_quick,
        "rounds": bench.rounds,
        "seconds": bench.seconds,
        "processors": std::thread::available_parallelism().map(usize::from).ok(),
        "processors_busy_before_percent": others,
        "rows": rows.iter().map(row).collect::<Vec<_>>(),
    })
}

fn write(path: &Path, result: &Value) -> Result<(), String> {
    std::fs::write(path, format!("{result:#}\n")).map_err(|error| format!("{}: {error}", path.display()))?;
    println!("written to {}", path.display());
    Ok(())
}
