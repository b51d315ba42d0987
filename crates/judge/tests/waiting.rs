//! Tests of interpreters that wait for a program, and of runs that wait for a place.

use crate::{lacks, peers, settings, tests};
use coaching::judging::Verdict;
use judge::{Judge, Level, Limits, Options, Settings};
use serde_json::{Value, json};
use std::sync::Mutex;
use std::time::{Duration, Instant};

const PATIENCE: Duration = Duration::from_secs(60);

/// A judge that keeps this many interpreters ready. Returns `None` if this machine cannot.
pub fn warm(most: usize) -> Option<Judge> {
    let options = Options { warm: Some(most), ..Options::default() };
    let judge = Judge::open(Settings { options, ..settings() });
    let can = judge.isolation().level == Level::Full;
    if !can {
        peers::skipped("interpreters wait at level `full` only");
    }
    can.then_some(judge)
}

pub fn eventually(what: &str, is_so: impl Fn() -> bool) {
    let begun = Instant::now();
    while !is_so() {
        assert!(begun.elapsed() < PATIENCE, "{what}");
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// A language, and a program that leaves marks which would outlast a call and reports the marks that it finds.
const MARKS: &[(&str, &str)] = &[
    (
        "python",
        "import builtins, os, sys\ndef f():\n    found = [os.path.exists('/tmp/mark'), hasattr(builtins, 'mark'), 'mark' in sys.modules]\n    open('/tmp/mark', 'w').close()\n    builtins.mark = sys.modules['mark'] = 1\n    return found",
    ),
    (
        "javascript",
        "const fs = require('fs');\nfunction f() {\n    const found = [fs.existsSync('/tmp/mark'), 'mark' in globalThis, 'mark' in Object.prototype];\n    fs.writeFileSync('/tmp/mark', '');\n    globalThis.mark = 1;\n    return found\n}\n",
    ),
];

#[test]
fn a_waiting_interpreter_is_used_once() {
    let Some(judge) = warm(2) else { return };
    let asked = tests(r#"{"function": "f", "tests": [{"args": [], "expected": [false, false, false]}]}"#);
    for (language, source) in MARKS.iter().filter(|(language, _)| !lacks(&judge, language)) {
        let judge = warm(2).unwrap_or_else(|| judge.clone());
        for learner in ["ada", "bob", "ada", "cem"] {
            let report = judge.of(learner).run(language, source, &asked, &Limits::default());
            assert_eq!(report.verdict, Verdict::Accepted, "{language}: {report:?}");
            eventually("one waits again", || judge.waiting() > 0);
        }
        // Within one run the marks do last, so they would have been found.
        let twice = tests(
            r#"{"function": "f", "tests": [{"args": [], "expected": [false, false, false]}, {"args": [], "expected": [false, false, false]}]}"#,
        );
        let report = judge.run(language, source, &twice, &Limits::default());
        assert_eq!(report.tests[1].verdict, Verdict::WrongAnswer, "{language}: {report:?}");
    }
}

/// The memory limit is on an interpreter's command line, so this test's interpreters can be told from others.
#[test]
fn waiting_interpreters_are_bounded_and_end_with_the_judge() {
    let Some(judge) = warm(3) else { return };
    if lacks(&judge, "javascript") {
        return;
    }
    let limits = Limits { memory_mb: 177, ..Limits::default() };
    let ours = || processes("--max-old-space-size=177");
    let asked = tests(r#"{"function": "f", "tests": [{"args": [4], "expected": 4}]}"#);
    let run = || judge.run("javascript", "const f = (a) => a", &asked, &limits).verdict;
    assert_eq!((run(), run()), (Verdict::Accepted, Verdict::Accepted));
    eventually("three wait", || judge.waiting() == 3 && ours() == 3);
    drop(judge);
    assert_eq!(ours(), 0, "nothing waits for a judge that is gone");
}

#[test]
fn without_a_pool_nothing_waits() {
    let judge =
        Judge::open(Settings { options: Options { warm: Some(0), ..Options::default() }, ..settings() });
    let asked = tests(r#"{"function": "f", "tests": [{"args": [4], "expected": 4}]}"#);
    let report = judge.run("python", "def f(a):\n    return a", &asked, &Limits::default());
    assert_eq!((report.verdict, judge.waiting()), (Verdict::Accepted, 0));
}

fn processes(word: &str) -> usize {
    let all = std::fs::read_dir("/proc").expect("processes").flatten();
    let lines = all.filter_map(|process| std::fs::read(process.path().join("cmdline")).ok());
    lines.filter(|line| String::from_utf8_lossy(line).contains(word)).count()
}

#[test]
fn learners_take_turns() {
    let options = Options { places: Some(1), ..Options::default() };
    let judge = Judge::open(Settings { options, ..settings() });
    let asked = tests(r#"{"function": "f", "tests": [{"args": [], "expected": null}]}"#);
    let source = "import time\ndef f():\n    time.sleep(0.15)";
    let order: Mutex<Vec<&str>> = Mutex::default();
    let run = |learner: &'static str| {
        let report = judge.of(learner).run("python", source, &asked, &Limits::default());
        assert_eq!(report.verdict, Verdict::Accepted, "{report:?}");
        order.lock().expect("the order").push(learner);
    };
    std::thread::scope(|scope| {
        for _ in 0..6 {
            scope.spawn(|| run("ada"));
        }
        std::thread::sleep(Duration::from_millis(100));
        scope.spawn(|| run("bob"));
    });
    let order = order.into_inner().expect("the order");
    let bob = order.iter().position(|learner| *learner == "bob");
    assert!(bob < Some(3), "{order:?}");
}

/// Large sources and non-ASCII text give the same result as without waiting interpreters.
#[test]
fn a_program_is_handed_over_whole() {
    let long = format!("# {}\ndef f(a):\n    return a + 'ß'", "ä".repeat(100_000));
    let text = json!({"function": "f", "tests": [{"args": ["x"], "expected": "xß"}]}).to_string();
    let report = crate::run("python", &long, &text);
    assert_eq!(report.verdict, Verdict::Accepted, "{:?}", report.message);
    let script = format!("// {}\nfunction f(a) {{ return a + 'ß' }}", "ä".repeat(100_000));
    if !lacks(crate::judge(), "javascript") {
        assert_eq!(crate::run("javascript", &script, &text).verdict, Verdict::Accepted);
    }
    let nothing: Value = json!({"function": "f", "tests": [{"args": [], "expected": 1}]});
    assert_eq!(crate::run("python", "", &nothing.to_string()).verdict, Verdict::CompileError);
}
