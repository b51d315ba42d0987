//! Tests of programs that try to pass without a solution, and of programs that try to break out.

use crate::waiting::{eventually, warm};
use crate::{judges, lacks};
use coaching::judging::{Report, Tests, Verdict};
use judge::{Judge, Limits};
use serde::Deserialize;
use std::net::TcpListener;
use std::time::{Duration, Instant};

const PROGRAMS: &str = include_str!("hostile.json");
const SECRET: &str = "this-must-stay-outside-4711";
/// The name that the last process of an attack gives itself.
const STAYS: &str = "judge-stays";

#[derive(Deserialize)]
struct Programs {
    task: Tests,
    cheats: Vec<Program>,
    attacks: Vec<Program>,
}

#[derive(Deserialize)]
struct Program {
    name: String,
    language: String,
    source: String,
    /// The only isolation level at which the program makes sense.
    level: Option<String>,
    #[serde(default)]
    verdicts: Vec<Verdict>,
    /// Words that no report on the program may contain.
    #[serde(default)]
    never: Vec<String>,
}

fn programs() -> Programs {
    serde_json::from_str(PROGRAMS).expect("the programs can be read")
}

/// Runs each program with each judge, as many at once as the judge admits, and panics with everything that went
/// wrong.
fn try_all(programs: &[Program], check: impl Fn(&Judge, &Program) -> Result<(), String> + Sync) {
    let mut wrong = Vec::new();
    for (name, judge) in judges() {
        let fitting = programs.iter().filter(|program| {
            let is_level =
                program.level.as_ref().is_none_or(|level| *level == judge.isolation().level.to_string());
            is_level && !lacks(&judge, &program.language)
        });
        std::thread::scope(|scope| {
            let (judge, check) = (&judge, &check);
            let run = |program| (program, scope.spawn(move || check(judge, program)));
            let runs: Vec<(&Program, _)> = fitting.map(run).collect();
            for (program, run) in runs {
                if let Err(what) = run.join().expect("a check does not panic") {
                    wrong.push(format!("{name}, {}, {}: {what}", program.language, program.name));
                }
            }
        });
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn no_cheat_passes_or_learns_a_hidden_value() {
    let Programs { task, cheats, .. } = programs();
    let limits = Limits { time_ms: 1_000, total_ms: 4_000, ..Limits::default() };
    try_all(&cheats, |judge, cheat| {
        let report = judge.run(&cheat.language, &cheat.source, &task, &limits);
        match report.verdict {
            Verdict::Accepted | Verdict::InternalError => Err(format!("{report:?}")),
            _ => no_words(&report, &["88, 40", "61, 88", "[7, 7, 6]"]),
        }
    });
}

#[test]
fn no_attack_breaks_out_or_outlasts_its_run() {
    let bait = Bait::new();
    let limits = Limits { time_ms: 1_500, compile_ms: 6_000, memory_mb: 128, ..Limits::default() };
    let tests = crate::tests(r#"{"tests": [{"stdin": "", "expected": "nothing of the kind"}]}"#);
    let begun = Instant::now();
    try_all(&programs().attacks, |judge, attack| {
        let source = bait.laid_in(&attack.source);
        let report = judge.run(&attack.language, &source, &tests, &limits);
        if !attack.verdicts.contains(&report.verdict) {
            return Err(format!("{report:?}"));
        }
        let peak = report.tests.first().map_or(0, |tried| tried.memory_kb);
        if peak > (limits.memory_mb + 64) << 10 {
            return Err(format!("it used {peak} kB"));
        }
        let never: Vec<&str> = attack.never.iter().map(String::as_str).chain([SECRET]).collect();
        no_words(&report, &never)
    });
    bait.check();
    println!("all attacks took {:?}", begun.elapsed());
}

/// Repeats the attacks, each as the program of an interpreter that was already waiting.
#[test]
fn no_attack_breaks_out_of_a_waiting_interpreter() {
    let bait = Bait::new();
    let limits = Limits { time_ms: 700, memory_mb: 128, ..Limits::default() };
    let tests =
        crate::tests(r#"{"function": "attack", "tests": [{"args": [], "expected": "nothing of the kind"}]}"#);
    let mut wrong = Vec::new();
    for language in ["python", "javascript"] {
        let Some(judge) = warm(1) else { return };
        if lacks(&judge, language) {
            continue;
        }
        judge.run(language, &as_function(language, ""), &tests, &limits);
        for attack in programs().attacks.iter().filter(|attack| attack.language == language) {
            if attack.level.as_ref().is_some_and(|level| level != "full") {
                continue;
            }
            eventually("an interpreter waits", || judge.waiting() > 0);
            let source = as_function(language, &bait.laid_in(&attack.source));
            let report = judge.run(language, &source, &tests, &limits);
            let peak = report.tests.first().map_or(0, |tried| tried.memory_kb);
            let never: Vec<&str> = attack.never.iter().map(String::as_str).chain([SECRET]).collect();
            let is_expected =
                attack.verdicts.contains(&report.verdict) && peak <= (limits.memory_mb + 64) << 10;
            let found = no_words(&report, &never).err();
            if let Some(what) = found.or_else(|| (!is_expected).then(|| format!("{report:?}"))) {
                wrong.push(format!("{language}, {}: {what}", attack.name));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    bait.check();
}

fn as_function(language: &str, source: &str) -> String {
    match language {
        "python" => format!("def attack():\n    pass\n    {}", source.replace('\n', "\n    ")),
        _ => format!("function attack() {{\n{source}\n}}"),
    }
}

/// A file and a port that no program may reach.
struct Bait {
    folder: tempfile::TempDir,
    listener: TcpListener,
}

impl Bait {
    fn new() -> Bait {
        let folder = tempfile::tempdir().expect("a folder");
        std::fs::write(folder.path().join("secret"), SECRET).expect("it can be written");
        open_to_all(folder.path());
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        listener.set_nonblocking(true).expect("it can");
        Bait { folder, listener }
    }

    fn laid_in(&self, source: &str) -> String {
        let port = self.listener.local_addr().expect("an address").port();
        let secret = self.folder.path().join("secret");
        source.replace("{secret}", &secret.display().to_string()).replace("{port}", &port.to_string())
    }

    fn check(&self) {
        assert!(self.listener.accept().is_err(), "no program has connected");
        assert_eq!(survivors(), 0, "nothing survives a run");
    }
}

fn open_to_all(folder: &std::path::Path) {
    use std::os::unix::fs::PermissionsExt;
    std::fs::set_permissions(folder, std::fs::Permissions::from_mode(0o755)).expect("it can");
}

fn no_words(report: &Report, never: &[&str]) -> Result<(), String> {
    let text = serde_json::to_string(report).map_err(|error| error.to_string())?;
    match never.iter().find(|word| text.contains(**word)) {
        Some(word) => Err(format!("the report says {word:?}: {text}")),
        None => Ok(()),
    }
}

fn survivors() -> usize {
    std::thread::sleep(Duration::from_millis(200));
    let processes = std::fs::read_dir("/proc").expect("processes").flatten();
    let names = processes.filter_map(|process| std::fs::read_to_string(process.path().join("comm")).ok());
    names.filter(|name| name.trim() == STAYS).count()
}

#[test]
fn below_the_minimum_nothing_runs() {
    let options = judge::Options { minimum: judge::Level::Full, ..judge::Options::default() };
    let settings = judge::Settings { at_most: judge::Level::Lite, options, ..crate::settings() };
    let judge = Judge::open(settings);
    let tests = crate::tests(r#"{"tests": [{"stdin": "", "expected": ""}]}"#);
    let report = judge.run("python", "", &tests, &Limits::default());
    assert_eq!(report.verdict, Verdict::InternalError);
    let message = report.message.unwrap_or_default();
    assert!(message.starts_with("no program is run at isolation level"), "{message}");
    assert!(message.contains("user namespaces"), "{message}");
}
