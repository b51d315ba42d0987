//! How long the judge takes for a program, beside the interpreter alone.

use crate::bench::Bench;
use crate::row::{Beside, Better, Measured, Row};
use ::judge::{Judge, Limits, Settings};
use coaching::judging::{Tests, Verdict};
use std::process::{Command, Stdio};
use std::time::Instant;

const GROUP: &str = "judge";
/// Small tests in one run, and runs that begin at the same time.
const TESTS: usize = 20;
const AT_ONCE: usize = 50;
const PYTHON: &str = "def f(xs):\n    return sorted(set(xs))\n";
const JAVASCRIPT: &str = "function f(xs) { return [...new Set(xs)].sort((a, b) => a - b) }\n";
const RUST: &str = "fn f(mut xs: Vec<i64>) -> Vec<i64> { xs.sort(); xs.dedup(); xs }\n";

pub fn rows(bench: &Bench) -> Result<Vec<Row>, String> {
    #[expect(clippy::disallowed_methods, reason = "interpreters are found on the search path")]
    let path = std::env::var_os("PATH").unwrap_or_default();
    let judge = Judge::open(Settings::new(&path));
    println!("isolation level {}", judge.isolation().level);
    let runs = if bench.is_quick { 5 } else { 40 };
    let rounds = |median: &dyn Fn() -> Result<f64, String>| {
        Measured::of((0..bench.rounds).map(|_| median()).collect(), Better::Less)
    };
    let ours = |language: &'static str, source: &'static str, runs: usize| {
        rounds(&|| median(runs, || run(&judge, language, source)))
    };
    let bare = |program: &str, arguments: &[&str]| rounds(&|| median(runs, || start(program, arguments)));
    let python = real_python()?;
    let row = |what: &str, ours, beside: Option<(&str, Measured)>, target| Row {
        group: GROUP,
        what: what.to_owned(),
        unit: "ms",
        better: Better::Less,
        ours,
        beside: beside.map(|(name, measured)| Beside { name: name.to_owned(), measured }),
        target,
    };
    let of_python = ours("python", PYTHON, runs);
    Ok(vec![
        row("Python, 20 tests, p50", of_python.clone(), None, Some(60.0)),
        row(
            "Python, 20 tests, p50",
            of_python,
            Some(("python3 -I -S", bare(&python, &["-I", "-S", "-c", "0"]))),
            Some(0.5),
        ),
        row(
            "JavaScript, 20 tests, p50",
            ours("javascript", JAVASCRIPT, runs),
            Some(("node", bare("node", &["-e", "0"]))),
            None,
        ),
        row("Rust, 20 tests with compiling, p50", ours("rust", RUST, runs.min(5)), None, None),
        rate(&judge, bench.rounds),
    ])
}

/// Runs that begin at the same time, and how far the last is behind the first that began after it.
fn rate(judge: &Judge, rounds: usize) -> Row {
    let once = || -> Result<f64, String> {
        let begun = Instant::now();
        let results: Vec<Result<(), String>> = std::thread::scope(|scope| {
            let runs: Vec<_> = (0..AT_ONCE).map(|_| scope.spawn(|| run(judge, "python", PYTHON))).collect();
            runs.into_iter().map(|run| run.join().unwrap_or_else(|_| Err("a run broke".into()))).collect()
        });
        results.into_iter().collect::<Result<Vec<()>, String>>()?;
        Ok(AT_ONCE as f64 / begun.elapsed().as_secs_f64())
    };
    Row {
        group: GROUP,
        what: format!("problems in Python, {AT_ONCE} at once"),
        unit: "1/s",
        better: Better::More,
        ours: Measured::of((0..rounds).map(|_| once()).collect(), Better::More),
        beside: None,
        target: Some(20.0),
    }
}

fn run(judge: &Judge, language: &str, source: &str) -> Result<(), String> {
    let test = r#"{"args": [[5, 3, 5, 1]], "expected": [1, 3, 5]}"#;
    let text = format!(r#"{{"function": "f", "tests": [{}]}}"#, vec![test; TESTS].join(", "));
    let tests: Tests = coaching::judging::read_tests(&text)?;
    let limits = Limits { time_ms: 10_000, ..Limits::default() };
    match judge.run(language, source, &tests, &limits) {
        report if report.verdict == Verdict::Accepted => Ok(()),
        report => Err(format!("{language}: {report:?}")),
    }
}

fn start(program: &str, arguments: &[&str]) -> Result<(), String> {
    let mut command = Command::new(program);
    command.args(arguments).env_clear().env("PATH", "/usr/local/bin:/usr/bin:/bin").stdout(Stdio::null());
    command.status().map(drop).map_err(|error| format!("{program}: {error}"))
}

/// The interpreter itself, and not what finds it.
fn real_python() -> Result<String, String> {
    let told = Command::new("python3").args(["-c", "import sys; print(sys.executable)"]).output();
    let told = told.map_err(|error| format!("python3: {error}"))?;
    Ok(String::from_utf8_lossy(&told.stdout).trim().to_owned())
}

fn median(runs: usize, run: impl Fn() -> Result<(), String>) -> Result<f64, String> {
    let mut times = Vec::new();
    for _ in 0..runs.max(1) {
        let begun = Instant::now();
        run()?;
        times.push(begun.elapsed().as_secs_f64() * 1e3);
    }
    times.sort_by(f64::total_cmp);
    Ok(times[times.len() / 2])
}
