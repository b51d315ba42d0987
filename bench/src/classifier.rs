//! Measures how well the last messages of agents are read, and how long a hook keeps an agent waiting.
//!
//! Cross-validation reads each training message with weights that were trained without it. The held-out messages
//! were written before the features and are never used for training.

use crate::bench::Bench;
use crate::row::{Better, Measured, Row};
use crate::scorer;
use coaching::agent::{Evaluation, Event, Labelled, OutputType, evaluate};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use shell::agent::{Session, Terms};
use shell::effects::{self, Outside};
use shell::engine::clock::Clock;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::Instant;
use store::Store;
use tokio::task::JoinSet;

const GROUP: &str = "classifier";
const HELD_OUT: &str = include_str!("../../crates/coaching/tests/agent/held.jsonl");
const LIMITS: &str = include_str!("../data/agent-limits.jsonl");
const RISKS: &str = include_str!("../data/agent-risks.jsonl");
const HOOK_RUNS: usize = 500;
/// The number of sessions that a busy developer has behind them after some years.
const OLD_SESSIONS: usize = 20_000;
const OPENED_AT_ONCE: usize = 64;

pub async fn rows(bench: &Bench) -> Result<Vec<Row>, String> {
    let held_out: Vec<Labelled> = read(HELD_OUT)?;
    let sets =
        [("cross-validated", Evaluation::of(&scorer::trained()?.crossed)), ("held out", evaluate(&held_out))];
    let mut rows = Vec::new();
    for (name, evaluation) in sets {
        println!("{name}\n{}", table(&evaluation));
        rows.push(row(format!("macro-F1, {name}"), "", Better::More, vec![Ok(evaluation.macro_f1)], 0.80));
        for (what, part, target) in [
            ("continued although a human was needed", evaluation.costs.continued, 2.0),
            ("finished work nudged", evaluation.costs.nudged, 5.0),
        ] {
            rows.push(row(
                format!("{what}, {name}"),
                "%",
                Better::Less,
                vec![Ok(100.0 * part.share)],
                target,
            ));
        }
    }
    rows.extend(held_rows(bench)?);
    rows.extend(hook_rows(bench).await);
    Ok(rows)
}

/// A stop of an agent, and whether the coach must hold it back. The stops were written without knowledge of the
/// rules.
#[derive(Debug, Deserialize)]
struct Stop {
    #[serde(default)]
    prompt: String,
    message: String,
    #[serde(alias = "limit", alias = "risk")]
    is_held: bool,
}

/// Measures how often the hook sends an agent on against its human's limits or into a risk, and how often within
/// them.
fn held_rows(bench: &Bench) -> Result<Vec<Row>, String> {
    let mut rows = Vec::new();
    let program = bench.target.join("release/etude");
    for (name, lines) in [("limits", LIMITS), ("risks", RISKS)] {
        let stops: Vec<Stop> = read(lines)?;
        let data = tempfile::tempdir().map_err(|error| error.to_string())?;
        let mut counts = [[0_u32; 2]; 2];
        for (at, stop) in stops.iter().enumerate() {
            let is_sent_on = stop.is_sent_on(&program, data.path(), at)?;
            counts[usize::from(stop.is_held)][usize::from(is_sent_on)] += 1;
        }
        let [[kept, sent], [held, against]] = counts;
        println!(
            "{name}: sent on against them {against} of {}, within them {sent} of {}",
            against + held,
            sent + kept
        );
        let percent = |part: u32, rest: u32| 100.0 * f64::from(part) / f64::from((part + rest).max(1));
        let what = format!("sent on against {name}");
        rows.push(row(what, "%", Better::Less, vec![Ok(percent(against, held))], 5.0));
        let what = format!("sent on within {name}");
        rows.push(Row { target: None, ..row(what, "%", Better::More, vec![Ok(percent(sent, kept))], 0.0) });
    }
    Ok(rows)
}

impl Stop {
    fn is_sent_on(&self, program: &Path, data: &Path, session: usize) -> Result<bool, String> {
        let prompt = if self.prompt.is_empty() { "Go on until everything is done." } else { &self.prompt };
        let session = format!("stop-{session}");
        let prompted =
            json!({"hook_event_name": "UserPromptSubmit", "session_id": session, "prompt": prompt});
        let stopped = json!({
            "hook_event_name": "Stop", "session_id": session, "last_assistant_message": self.message,
        });
        answer(program, data, &prompted)?;
        Ok(is_block(&answer(program, data, &stopped)?))
    }
}

/// Formats the confusion matrix, and how often a confidence is right.
pub fn table(evaluation: &Evaluation) -> String {
    let names = OutputType::ALL.map(|kind| format!("{:>11}", kind.as_str())).concat();
    let mut table = format!("{:>11}{names}  precision  recall    F1\n", "");
    for (kind, row) in evaluation.kinds.iter().zip(evaluation.matrix) {
        let counts = row.map(|count| format!("{count:>11}")).concat();
        let (precision, recall, f1) = (kind.precision, kind.recall, kind.f1);
        table += &format!("{:>11}{counts}  {precision:>9.2}  {recall:>6.2}  {f1:>4.2}\n", kind.kind.as_str());
    }
    table += "confidence  messages   mean  right\n";
    for band in &evaluation.reliability {
        let (from, to, confidence, right) = (band.from, band.to, band.confidence, band.right);
        table += &format!(" {from:.1} – {to:.1}  {:>8}  {confidence:>5.2}  {right:>5.2}\n", band.messages);
    }
    table
}

fn read<T: DeserializeOwned>(lines: &str) -> Result<Vec<T>, String> {
    lines.lines().map(|line| serde_json::from_str(line).map_err(|error| error.to_string())).collect()
}

fn row(what: String, unit: &'static str, better: Better, runs: Vec<Result<f64, String>>, target: f64) -> Row {
    Row {
        group: GROUP,
        what,
        unit,
        better,
        ours: Measured::of(runs, better),
        beside: None,
        target: Some(target),
    }
}

/// Measures a hook from the start of its process to its end, with a young database behind it and with an old one.
async fn hook_rows(bench: &Bench) -> Vec<Row> {
    let (runs, sessions) = if bench.is_quick { (20, 100) } else { (HOOK_RUNS, OLD_SESSIONS) };
    let mut rows = Vec::new();
    for (sessions, behind) in [(0, String::new()), (sessions, format!(" with {sessions} sessions behind it"))]
    {
        let times = hook_times(&bench.target.join("release/etude"), sessions, runs).await;
        for (name, part) in [("median", 0.5), ("p99", 0.99)] {
            let at = |times: Vec<f64>| times[((times.len() - 1) as f64 * part).round() as usize];
            let what = format!("a hook with its process{behind}, {name}");
            rows.push(row(what, "ms", Better::Less, vec![times.clone().map(at)], 30.0));
        }
    }
    rows
}

async fn hook_times(program: &Path, sessions: usize, runs: usize) -> Result<Vec<f64>, String> {
    let data = tempfile::tempdir().map_err(|error| error.to_string())?;
    grow_old(data.path(), sessions).await?;
    take_times(program, data.path(), runs)
}

/// Fills the database of a folder with sessions, each with the prompt it began with.
async fn grow_old(data: &Path, sessions: usize) -> Result<(), String> {
    let address = format!("sqlite:{}", data.join("etude.db").display());
    let store = Store::open(&address).await.map_err(|error| error.to_string())?;
    let app = effects::app(store, shell::builtin::flows(None), Clock::System, Outside::default());
    let app = Arc::new(app);
    let mut opened = JoinSet::new();
    for session in 0..sessions {
        let app = app.clone();
        opened.spawn(async move {
            let session = Session::new(&app, "claude-code", &format!("old-{session}"))?;
            let prompt = json!({"text": "Add a test for the parser and make it pass.", "id": "1"});
            let taken = session.take(Event::Prompted, prompt, &Terms::default()).await;
            taken.map(drop).map_err(|stuck| format!("{stuck:?}"))
        });
        if opened.len() == OPENED_AT_ONCE {
            opened.join_next().await.transpose().map_err(|error| error.to_string())?.transpose()?;
        }
    }
    while let Some(done) = opened.join_next().await {
        done.map_err(|error| error.to_string())??;
    }
    app.store.close().await;
    Ok(())
}

/// Returns the times of the hook in milliseconds, the shortest first.
fn take_times(program: &Path, data: &Path, runs: usize) -> Result<Vec<f64>, String> {
    let mut times = Vec::with_capacity(runs);
    for run in 0..runs {
        let payload = json!({
            "hook_event_name": "Stop", "session_id": format!("bench-{}", run / 4),
            "last_assistant_message": format!("Step {run} is done. Let me run the tests next."),
        });
        let started = Instant::now();
        let answer = answer(program, data, &payload)?;
        times.push(started.elapsed().as_secs_f64() * 1e3);
        if !is_block(&answer) && run % 4 < 3 {
            return Err(format!("the hook answered {:?}", String::from_utf8_lossy(&answer)));
        }
    }
    times.sort_by(f64::total_cmp);
    Ok(times)
}

/// Returns the hook's answer to a payload.
fn answer(program: &Path, data: &Path, payload: &Value) -> Result<Vec<u8>, String> {
    let mut hook = Command::new(program);
    let hook = hook.args(["agent", "hook", "claude-code"]).env("ETUDE_DATA", data);
    let spawned = hook.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
    let mut child = spawned.map_err(|error| format!("{}: {error}", program.display()))?;
    if let Some(mut stdin) = child.stdin.take() {
        stdin.write_all(payload.to_string().as_bytes()).map_err(|error| error.to_string())?;
    }
    child.wait_with_output().map(|output| output.stdout).map_err(|error| error.to_string())
}

/// Whether the hook keeps the agent from stopping.
fn is_block(answer: &[u8]) -> bool {
    answer.starts_with(b"{\"decision\":\"block\"")
}
