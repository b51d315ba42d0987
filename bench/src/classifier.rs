//! How well the rules read what agents stop with, and how long a hook keeps an agent waiting.
//!
//! Three parts, each by itself: the messages that the rules were written against, those held out meanwhile, and a
//! later set that was labelled before the rules were tried on it. Of that set the first numbers are the honest ones;
//! they are in `docs/agent.md`, because the rules have learned from it since.

use crate::bench::Bench;
use crate::row::{Better, Measured, Row};
use coaching::agent::{OutputType, Signals, classify};
use serde::Deserialize;
use serde_json::json;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;

const GROUP: &str = "classifier";
const MESSAGES: &str = include_str!("../../crates/coaching/tests/agent/messages.jsonl");
const UNSEEN: &str = include_str!("../../crates/coaching/tests/agent/unseen.jsonl");
const HOOK_RUNS: usize = 500;

#[derive(Debug, Deserialize)]
struct Labelled {
    text: String,
    label: OutputType,
    #[serde(default)]
    held_out: bool,
}

pub fn rows(bench: &Bench) -> Result<Vec<Row>, String> {
    let (held_out, own): (Vec<Labelled>, Vec<Labelled>) =
        read(MESSAGES)?.into_iter().partition(|message| message.held_out);
    let mut rows = Vec::new();
    for (name, part) in [("written against", own), ("held out", held_out), ("later set", read(UNSEEN)?)] {
        let matrix = Matrix::of(&part);
        println!("{name}, {} messages; truth in rows\n{}", part.len(), matrix.table());
        rows.push(row(format!("macro-F1, {name}"), "", Better::More, vec![Ok(matrix.macro_f1())], 0.80));
        let continued = 100.0 * matrix.continued();
        let what = format!("continued although a human was needed, {name}");
        rows.push(row(what, "%", Better::Less, vec![Ok(continued)], 1.0));
    }
    rows.extend(hook_rows(bench));
    Ok(rows)
}

fn read(lines: &str) -> Result<Vec<Labelled>, String> {
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

/// How often each kind was read as each.
struct Matrix([[u32; 5]; 5]);

impl Matrix {
    fn of(messages: &[Labelled]) -> Matrix {
        let mut matrix = [[0; 5]; 5];
        for message in messages {
            let said = classify(&message.text, &Signals::default()).output_type;
            matrix[message.label as usize][said as usize] += 1;
        }
        Matrix(matrix)
    }

    fn precision(&self, class: usize) -> f64 {
        let said: u32 = self.0.iter().map(|row| row[class]).sum();
        f64::from(self.0[class][class]) / f64::from(said.max(1))
    }

    fn recall(&self, class: usize) -> f64 {
        f64::from(self.0[class][class]) / f64::from(self.0[class].iter().sum::<u32>().max(1))
    }

    fn f1(&self, class: usize) -> f64 {
        let (precision, recall) = (self.precision(class), self.recall(class));
        2.0 * precision * recall / (precision + recall).max(f64::MIN_POSITIVE)
    }

    fn macro_f1(&self) -> f64 {
        (0..5).map(|class| self.f1(class)).sum::<f64>() / 5.0
    }

    /// P(continue | question, blocker or error).
    fn continued(&self) -> f64 {
        let waits = [OutputType::Question, OutputType::Blocker, OutputType::Error];
        let waiting = waits.map(|class| self.0[class as usize]);
        let all: u32 = waiting.iter().flatten().sum();
        let continued: u32 = waiting.iter().map(|row| row[OutputType::Status as usize]).sum();
        f64::from(continued) / f64::from(all.max(1))
    }

    fn table(&self) -> String {
        let names = OutputType::ALL.map(|class| format!("{:>11}", class.as_str())).concat();
        let mut table = format!("{:>11}{names}  precision  recall    F1\n", "");
        for (at, class) in OutputType::ALL.iter().enumerate() {
            let counts = self.0[at].map(|count| format!("{count:>11}")).concat();
            let [precision, recall, f1] = [self.precision(at), self.recall(at), self.f1(at)];
            table += &format!("{:>11}{counts}  {precision:>9.2}  {recall:>6.2}  {f1:>4.2}\n", class.as_str());
        }
        table
    }
}

/// A hook from the start of its process to its end, with a database of some age behind it.
fn hook_rows(bench: &Bench) -> Vec<Row> {
    let runs = if bench.is_quick { 20 } else { HOOK_RUNS };
    let measured = tempfile::tempdir().map_err(|error| error.to_string());
    let times = measured.and_then(|data| hook_times(&bench.target.join("release/etude"), data.path(), runs));
    let at = |part: f64| {
        let times = times.clone()?;
        Ok(times[((times.len() - 1) as f64 * part).round() as usize])
    };
    vec![
        row("a hook with its process, median".to_owned(), "ms", Better::Less, vec![at(0.5)], 30.0),
        row("a hook with its process, p99".to_owned(), "ms", Better::Less, vec![at(0.99)], 30.0),
    ]
}

/// Milliseconds, the shortest first.
fn hook_times(program: &Path, data: &Path, runs: usize) -> Result<Vec<f64>, String> {
    let mut times = Vec::with_capacity(runs);
    for run in 0..runs {
        let payload = json!({
            "hook_event_name": "Stop", "session_id": format!("bench-{}", run / 4),
            "last_assistant_message": format!("Step {run} is done. Let me run the tests next."),
        });
        let started = Instant::now();
        let mut hook = Command::new(program);
        let hook = hook.args(["agent", "hook", "claude-code"]).env("ETUDE_DATA", data);
        let spawned = hook.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
        let mut child = spawned.map_err(|error| format!("{}: {error}", program.display()))?;
        if let Some(mut stdin) = child.stdin.take() {
            stdin.write_all(payload.to_string().as_bytes()).map_err(|error| error.to_string())?;
        }
        let output = child.wait_with_output().map_err(|error| error.to_string())?;
        times.push(started.elapsed().as_secs_f64() * 1e3);
        if !output.stdout.starts_with(b"{\"decision\":\"block\"") && run % 4 < 3 {
            return Err(format!("the hook answered {:?}", String::from_utf8_lossy(&output.stdout)));
        }
    }
    times.sort_by(f64::total_cmp);
    Ok(times)
}
