//! Measures the judge: its time for a program, beside the interpreter or compiler alone; its fairness; and its
//! effect on others.

use crate::bench::Bench;
use crate::client::Client;
use crate::row::{Beside, Better, Measured, Row};
use crate::server::{self, Server};
use crate::turns;
use ::judge::{Judge, Limits, Options, Settings};
use coaching::judging::{Tests, Verdict};
use serde_json::{Value, json};
use std::net::SocketAddr;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::time::{Duration, Instant};
use tokio::task::JoinSet;

const GROUP: &str = "judge";
/// The number of small tests in one run, and of runs that begin at the same time.
const TESTS: usize = 20;
const AT_ONCE: usize = 50;
/// The number of clients that run programs over HTTP without a pause, and the pause of another client that reads
/// the API meanwhile.
const RUNNERS: usize = 8;
const LOOKS: Duration = Duration::from_millis(5);
const PYTHON: &str = "def f(xs):\n    return sorted(set(xs))\n";
const JAVASCRIPT: &str = "function f(xs) { return [...new Set(xs)].sort((a, b) => a - b) }\n";
const RUST: &str = "fn f(mut xs: Vec<i64>) -> Vec<i64> { xs.sort(); xs.dedup(); xs }\n";
/// A program that leaves as many children behind as it may.
const PARENT: &str = "import os, time\ndef f(xs):\n    try:\n        while os.fork():\n            pass\n        time.sleep(99)\n    except OSError:\n        pass\n    return sorted(set(xs))\n";
const TWO_SUM: &str = "def two_sum(numbers, target):\n    return [0, 2]\n";

/// The wall time of a run, or of the program beside it, in each round.
type Rounds = Vec<Result<f64, String>>;

pub async fn rows(bench: &Bench) -> Result<Vec<Row>, String> {
    let (warm, cold) = (open(None), open(Some(0)));
    println!("isolation level {}", warm.isolation().level);
    let mut rows = in_python(bench, &warm, &cold)?;
    rows.extend(in_others(bench, &warm, &cold)?);
    rows.push(row(
        "a run that leaves children behind, p50",
        "ms",
        measured(bench, || median(5, || run(&cold, "python", PARENT))),
        None,
        Some(1_000.0),
    ));
    rows.extend(many(bench, &warm));
    rows.push(beside(bench).await?);
    Ok(rows)
}

fn open(warm: Option<usize>) -> Judge {
    #[expect(clippy::disallowed_methods, reason = "interpreters are found on the search path")]
    let path = std::env::var_os("PATH").unwrap_or_default();
    Judge::open(Settings { options: Options { warm, ..Options::default() }, ..Settings::new(&path) })
}

fn in_python(bench: &Bench, warm: &Judge, cold: &Judge) -> Result<Vec<Row>, String> {
    let runs = runs(bench);
    let python = real("python3", &["-c", "import sys; print(sys.executable)"])?;
    let bare = || start(&python, &["-I", "-S", "-c", "0"]);
    let name = "python3 -I -S";
    let [mut waited, mut started, mut alone] = [Rounds::new(), Rounds::new(), Rounds::new()];
    let [mut spent, mut spent_alone] = [Rounds::new(), Rounds::new()];
    for _ in 0..bench.rounds {
        alone.push(median(runs, bare));
        waited.push(median(runs, || run_warm(warm, "python", PYTHON)));
        started.push(median(runs, || run(cold, "python", PYTHON)));
        spent_alone.push(spent_ms(runs, bare));
        spent.push(spent_ms(runs, || run(cold, "python", PYTHON)));
    }
    let of = |rounds: &Rounds| Measured::of(rounds.clone(), Better::Less);
    let what = format!("Python, {TESTS} tests, p50");
    let beside = |rounds| Some((name, of(rounds)));
    Ok(vec![
        row(&what, "ms", of(&waited), None, Some(60.0)),
        row(&what, "ms", of(&waited), beside(&alone), Some(0.5)),
        row(&format!("{what}, no interpreter waits"), "ms", of(&started), beside(&alone), Some(0.5)),
        row(&format!("Python, {TESTS} tests, processor time"), "ms", of(&spent), beside(&spent_alone), None),
    ])
}

fn in_others(bench: &Bench, warm: &Judge, cold: &Judge) -> Result<Vec<Row>, String> {
    let runs = runs(bench);
    let folder = tempfile::tempdir_in(&bench.cache).map_err(|error| error.to_string())?;
    let file = folder.path().join("main.rs");
    std::fs::write(&file, format!("{RUST}fn main() {{ println!(\"{{:?}}\", f(vec![1])); }}\n"))
        .map_err(|error| error.to_string())?;
    let (file, made) = (file.display().to_string(), folder.path().join("made").display().to_string());
    let rustc = ["--edition=2024", "-Copt-level=1", "-Ccodegen-units=1", "-o", &made, &file];
    let node = || start("node", &["-e", "0"]);
    let compiler = real("rustc", &["--print=sysroot"])? + "/bin/rustc";
    let compile = || start(&compiler, &rustc);
    let few = runs.min(5);
    let [mut waited, mut started, mut alone] = [Rounds::new(), Rounds::new(), Rounds::new()];
    let [mut rust, mut compiled] = [Rounds::new(), Rounds::new()];
    // The harness is compiled once, and a learner does not wait for that.
    run(cold, "rust", RUST)?;
    for _ in 0..bench.rounds {
        alone.push(median(few, node));
        waited.push(median(few, || run_warm(warm, "javascript", JAVASCRIPT)));
        started.push(median(few, || run(cold, "javascript", JAVASCRIPT)));
        compiled.push(median(few, compile));
        rust.push(median(few, || run(cold, "rust", RUST)));
    }
    let of = |rounds: &Rounds| Measured::of(rounds.clone(), Better::Less);
    let what = format!("JavaScript, {TESTS} tests, p50");
    Ok(vec![
        row(&what, "ms", of(&waited), Some(("node", of(&alone))), Some(0.5)),
        row(&format!("{what}, no interpreter waits"), "ms", of(&started), Some(("node", of(&alone))), None),
        row(
            &format!("Rust, {TESTS} tests with compiling, p50"),
            "ms",
            of(&rust),
            Some(("rustc", of(&compiled))),
            Some(0.5),
        ),
    ])
}

/// Measures many runs that begin at the same time: how many are done in a second, and how much later the second of
/// two learners gets half of theirs.
fn many(bench: &Bench, judge: &Judge) -> Vec<Row> {
    let (mut rates, mut delays) = (Rounds::new(), Rounds::new());
    for _ in 0..bench.rounds {
        let (rate, delay) = match race(judge) {
            Ok((rate, delay)) => (Ok(rate), Ok(delay)),
            Err(reason) => (Err(reason.clone()), Err(reason)),
        };
        rates.push(rate);
        delays.push(delay);
    }
    let half = AT_ONCE / 2;
    vec![
        Row {
            better: Better::More,
            ..row(
                &format!("problems in Python, {AT_ONCE} at once"),
                "1/s",
                Measured::of(rates, Better::More),
                None,
                Some(20.0),
            )
        },
        row(
            &format!("two learners with {half} runs each: how much later the second has half of theirs"),
            "% of all",
            Measured::of(delays, Better::Less),
            None,
            Some(10.0),
        ),
    ]
}

/// Runs a race in which all runs of the first learner wait before the second learner comes.
fn race(judge: &Judge) -> Result<(f64, f64), String> {
    let done: Mutex<Vec<(usize, f64)>> = Mutex::default();
    let begun = Instant::now();
    let one = |learner: usize| {
        let judge = judge.of(&learner.to_string());
        run(&judge, "python", PYTHON)?;
        let mut done = done.lock().map_err(|_| "a run broke")?;
        done.push((learner, begun.elapsed().as_secs_f64()));
        Ok(())
    };
    let one = &one;
    let results: Vec<Result<(), String>> = std::thread::scope(|scope| {
        let runs: Vec<_> = (0..AT_ONCE).map(|at| scope.spawn(move || one(at / (AT_ONCE / 2)))).collect();
        runs.into_iter().map(|run| run.join().unwrap_or_else(|_| Err("a run broke".into()))).collect()
    });
    let whole = begun.elapsed().as_secs_f64();
    results.into_iter().collect::<Result<Vec<()>, String>>()?;
    let done = done.into_inner().map_err(|_| "a run broke")?;
    let middle = |learner: usize| {
        let times: Vec<f64> = done.iter().filter(|(who, _)| *who == learner).map(|(_, at)| *at).collect();
        times[times.len() / 2]
    };
    Ok((AT_ONCE as f64 / whole, (middle(1) - middle(0)).max(0.0) / whole * 100.0))
}

/// Measures the shipped server: learners run failing programs one after the other, and a client reads meanwhile.
async fn beside(bench: &Bench) -> Result<Row, String> {
    let program = server::build(bench)?;
    let mut waits = Rounds::new();
    for _ in 0..bench.rounds {
        let folder = tempfile::tempdir_in(&bench.cache).map_err(|error| error.to_string())?;
        std::fs::write(folder.path().join("law.yaml"), turns::LAW).map_err(|error| error.to_string())?;
        waits.push(read_beside(&program, folder.path(), bench.seconds).await);
    }
    let what = format!("a view over HTTP, p99, {RUNNERS} learners run programs without a pause");
    Ok(row(&what, "ms", Measured::of(waits, Better::Less), None, Some(20.0)))
}

async fn read_beside(program: &Path, folder: &Path, seconds: f64) -> Result<f64, String> {
    let server = Server::start(program, folder)?;
    let token = std::fs::read_to_string(folder.join("token")).map_err(|error| error.to_string())?;
    let (address, token) = (server.address(), token.trim().to_owned());
    let mut runners = JoinSet::new();
    let mut ids = Vec::new();
    let mut clients = Vec::new();
    for learner in 0..RUNNERS {
        let mut client = Client::connect(address, &token).await?;
        ids.push(begin(&mut client, learner).await?);
        clients.push(client);
    }
    let until = Instant::now() + Duration::from_secs_f64(seconds);
    for (client, id) in clients.into_iter().zip(ids.clone()) {
        runners.spawn(run_until(client, id, until));
    }
    let reading = tokio::task::spawn_blocking(move || read_until(address, &token, &ids, until));
    let waits = reading.await.map_err(|error| error.to_string())??;
    let mut runs = 0;
    while let Some(ran) = runners.join_next().await {
        runs += ran.map_err(|error| error.to_string())??;
    }
    println!("{runs} submissions in {seconds} s beside {} views", waits.len());
    server::p99_ms(waits)
}

/// Begins an attempt and takes it as far as its program.
async fn begin(client: &mut Client, learner: usize) -> Result<String, String> {
    let body = json!({"problemId": "two-sum", "mode": "EXPERT", "learner": format!("learner-{learner}")});
    let made = client.post("/api/attempts", body.to_string()).await?;
    let made: Value = serde_json::from_slice(&made).map_err(|error| error.to_string())?;
    let id = made["id"].as_str().ok_or("an attempt has no id")?.to_owned();
    for step in ["skip", "skip"] {
        client.post(&format!("/api/attempts/{id}/{step}"), "{}".into()).await?;
    }
    Ok(id)
}

async fn run_until(mut client: Client, id: String, until: Instant) -> Result<usize, String> {
    let mut runs = 0;
    while Instant::now() < until {
        let code = json!({"language": "python", "code": TWO_SUM}).to_string();
        for (step, body) in [("code", code), ("verify/run", "{}".into()), ("verify/retry", "{}".into())] {
            client.post(&format!("/api/attempts/{id}/{step}"), body).await?;
        }
        runs += 1;
    }
    Ok(runs)
}

/// Reads on a thread of its own, like another person's browser.
fn read_until(
    address: SocketAddr,
    token: &str,
    ids: &[String],
    until: Instant,
) -> Result<Vec<Duration>, String> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    runtime.map_err(|error| error.to_string())?.block_on(async {
        let mut client = Client::connect(address, token).await?;
        let mut waits = Vec::new();
        for id in ids.iter().cycle() {
            if Instant::now() >= until {
                break;
            }
            let asked = Instant::now();
            client.get(&format!("/api/attempts/{id}")).await?;
            waits.push(asked.elapsed());
            tokio::time::sleep(LOOKS).await;
        }
        Ok(waits)
    })
}

fn row(
    what: &str,
    unit: &'static str,
    ours: Measured,
    beside: Option<(&str, Measured)>,
    target: Option<f64>,
) -> Row {
    Row {
        group: GROUP,
        what: what.to_owned(),
        unit,
        better: Better::Less,
        ours,
        beside: beside.map(|(name, measured)| Beside { name: name.to_owned(), measured }),
        target,
    }
}

fn runs(bench: &Bench) -> usize {
    if bench.is_quick { 5 } else { 40 }
}

fn measured(bench: &Bench, once: impl Fn() -> Result<f64, String>) -> Measured {
    Measured::of((0..bench.rounds).map(|_| once()).collect(), Better::Less)
}

/// Runs once an interpreter waits, because a learner thinks before the next run.
fn run_warm(judge: &Judge, language: &str, source: &str) -> Result<f64, String> {
    let begun = Instant::now();
    while judge.waiting() == 0 && begun.elapsed() < Duration::from_millis(300) {
        std::thread::sleep(Duration::from_millis(1));
    }
    std::thread::sleep(Duration::from_millis(100));
    run(judge, language, source)
}

fn run(judge: &Judge, language: &str, source: &str) -> Result<f64, String> {
    let test = r#"{"args": [[5, 3, 5, 1]], "expected": [1, 3, 5]}"#;
    let text = format!(r#"{{"function": "f", "tests": [{}]}}"#, vec![test; TESTS].join(", "));
    let tests: Tests = coaching::judging::read_tests(&text)?;
    let limits = Limits { time_ms: 10_000, ..Limits::default() };
    let begun = Instant::now();
    match judge.run(language, source, &tests, &limits) {
        report if report.verdict == Verdict::Accepted => Ok(begun.elapsed().as_secs_f64() * 1e3),
        report => Err(format!("{language}: {report:?}")),
    }
}

fn start(program: &str, arguments: &[&str]) -> Result<f64, String> {
    let mut command = Command::new(program);
    command.args(arguments).env_clear().env("PATH", "/usr/local/bin:/usr/bin:/bin").stdout(Stdio::null());
    let begun = Instant::now();
    let ended = command.status().map_err(|error| format!("{program}: {error}"))?;
    let taken = begun.elapsed().as_secs_f64() * 1e3;
    ended.success().then_some(taken).ok_or_else(|| format!("{program}: {ended}"))
}

/// Returns the path of the program behind a wrapper, because that program is measured.
fn real(program: &str, arguments: &[&str]) -> Result<String, String> {
    let told = Command::new(program).args(arguments).output();
    let told = told.map_err(|error| format!("{program}: {error}"))?;
    Ok(String::from_utf8_lossy(&told.stdout).trim().to_owned())
}

fn median(runs: usize, run: impl Fn() -> Result<f64, String>) -> Result<f64, String> {
    let mut times = (0..runs.max(1)).map(|_| run()).collect::<Result<Vec<f64>, String>>()?;
    times.sort_by(f64::total_cmp);
    Ok(times[times.len() / 2])
}

/// Returns the processor time per run of this process and of all ended processes below it.
fn spent_ms(runs: usize, run: impl Fn() -> Result<f64, String>) -> Result<f64, String> {
    let before = processor_ms()?;
    for _ in 0..runs {
        run()?;
    }
    Ok((processor_ms()? - before) / runs as f64)
}

fn processor_ms() -> Result<f64, String> {
    let text = std::fs::read_to_string("/proc/self/stat").map_err(|error| error.to_string())?;
    let numbers = text.rsplit_once(')').map_or("", |(_, rest)| rest).split_whitespace();
    // These are utime, stime, cutime and cstime, in hundredths of a second.
    let ticks: Vec<f64> = numbers.skip(11).take(4).filter_map(|number| number.parse().ok()).collect();
    Ok(ticks.iter().sum::<f64>() * 10.0)
}
