//! Tests of the verdicts on honest programs, right and wrong, and of input that is no program.

use crate::{judge, lacks, run, tests};
use coaching::judging::{Comparison, Report, Tests, Verdict};
use judge::{Judge, Limits};
use serde_json::Value;
use std::fmt::Write;

fn verdicts(report: &Report) -> String {
    let one =
        |verdict: Verdict| serde_json::to_value(verdict).expect("a name").as_str().unwrap_or("").to_owned();
    let mut text = one(report.verdict);
    for tried in &report.tests {
        let _ = write!(text, " {}", one(tried.verdict));
    }
    text
}

/// Each row: a language, a program, its tests, and the verdicts: the overall one, then one for each test.
const CASES: &[(&str, &str, &str, &str)] = &[
    (
        "python",
        "def f(a, b):\n    return a + b",
        r#"{"function": "f", "tests": [{"args": [1, 2], "expected": 3}, {"args": ["a", "b"], "expected": "ab"}]}"#,
        "accepted accepted accepted",
    ),
    (
        "python",
        "class Solution:\n    def f(self, a):\n        return a",
        r#"{"function": "f", "tests": [{"args": [1], "expected": 1}]}"#,
        "accepted accepted",
    ),
    (
        "python",
        "def f(a):\n    return a",
        r#"{"function": "f", "tests": [{"args": [1], "expected": 2}, {"args": [2], "expected": 2}]}"#,
        "wrong_answer wrong_answer accepted",
    ),
    (
        "python",
        "def f(a):\n    if a == 1:\n        while True: pass\n    return a",
        r#"{"function": "f", "tests": [{"args": [0], "expected": 0}, {"args": [1], "expected": 1}, {"args": [2], "expected": 2}]}"#,
        "time_limit accepted time_limit accepted",
    ),
    (
        "python",
        "def f(a):\n    return 1 // a",
        r#"{"function": "f", "tests": [{"args": [0], "expected": 0}, {"args": [1], "expected": 1}]}"#,
        "runtime_error runtime_error accepted",
    ),
    (
        "python",
        "import os\ndef f(a):\n    if a:\n        os.abort()\n    return a",
        r#"{"function": "f", "tests": [{"args": [1], "expected": 0}, {"args": [0], "expected": 0}]}"#,
        "runtime_error runtime_error accepted",
    ),
    (
        "python",
        "def f(a):\n    x = [0] * (a << 20)\n    return a",
        r#"{"function": "f", "tests": [{"args": [1], "expected": 1}, {"args": [900], "expected": 900}, {"args": [2], "expected": 2}]}"#,
        "memory_limit accepted memory_limit accepted",
    ),
    (
        "python",
        "def f(a):\n    print('x' * a)\n    return a",
        r#"{"function": "f", "tests": [{"args": [3], "expected": 3}, {"args": [100000000], "expected": 100000000}]}"#,
        "output_limit accepted output_limit",
    ),
    (
        "python",
        "def f(a):\n    return f(a + 1)",
        r#"{"function": "f", "tests": [{"args": [1], "expected": 1}]}"#,
        "runtime_error runtime_error",
    ),
    (
        "python",
        "def f(a)\n    return a",
        r#"{"function": "f", "tests": [{"args": [1], "expected": 1}]}"#,
        "compile_error",
    ),
    (
        "python",
        "def g(a):\n    return a",
        r#"{"function": "f", "tests": [{"args": [1], "expected": 1}]}"#,
        "compile_error",
    ),
    (
        "python",
        "function f(a) { return a }",
        r#"{"function": "f", "tests": [{"args": [1], "expected": 1}]}"#,
        "compile_error",
    ),
    (
        "python",
        "x = nothing\ndef f(a):\n    return a",
        r#"{"function": "f", "tests": [{"args": [1], "expected": 1}, {"args": [2], "expected": 2}]}"#,
        "runtime_error runtime_error runtime_error",
    ),
    (
        "python",
        "def f(a):\n    return a\0",
        r#"{"function": "f", "tests": [{"args": [1], "expected": 1}]}"#,
        "compile_error",
    ),
    (
        "python",
        "def f(a):\n    return a * a",
        r#"{"function": "f", "tests": [{"args": [100000000000000000000], "expected": 10000000000000000000000000000000000000000}, {"args": [94906267], "expected": 9007199515875289}]}"#,
        "accepted accepted accepted",
    ),
    (
        "python",
        "def f(a):\n    return float('nan')",
        r#"{"function": "f", "tests": [{"args": [1], "expected": {"$float": "nan"}}, {"args": [1], "expected": 0.0}]}"#,
        "wrong_answer accepted wrong_answer",
    ),
    (
        "python",
        "def f(a):\n    return {2: (1, None, True), 'x': {}}",
        r#"{"function": "f", "tests": [{"args": [1], "expected": {"2": [1, null, true], "x": {}}}]}"#,
        "accepted accepted",
    ),
    (
        "python",
        "def f(a):\n    for _ in range(90):\n        a = [a]\n    return a",
        r#"{"function": "f", "tests": [{"args": [1], "expected": 1}]}"#,
        "wrong_answer wrong_answer",
    ),
    (
        "python",
        "def f(a):\n    for _ in range(100000):\n        a = [a]\n    return a",
        r#"{"function": "f", "tests": [{"args": [1], "expected": 1}]}"#,
        "wrong_answer wrong_answer",
    ),
    (
        "python",
        "def f(a):\n    a.append(1)\n    return a",
        r#"{"function": "f", "tests": [{"args": [[]], "expected": [1]}, {"args": [[]], "expected": [1]}]}"#,
        "accepted accepted accepted",
    ),
    (
        "python",
        "print(sum(map(int, input().split())))",
        r#"{"tests": [{"stdin": "1 2 3\n", "expected": "6"}, {"stdin": "5 5", "expected": 10}, {"stdin": "", "expected": "0"}]}"#,
        "runtime_error accepted accepted runtime_error",
    ),
    (
        "python",
        "import sys\nprint('right')\nsys.exit(3)",
        r#"{"tests": [{"stdin": "", "expected": "right"}]}"#,
        "runtime_error runtime_error",
    ),
    (
        "python",
        "print(1 / 3)",
        r#"{"comparison": {"float": 1e-6}, "tests": [{"stdin": "", "expected": "0.333333"}]}"#,
        "accepted accepted",
    ),
    (
        "python",
        "def f(n):\n    return [n, n - 1]",
        r#"{"function": "f", "comparison": "unordered", "tests": [{"args": [2], "expected": [1, 2]}]}"#,
        "accepted accepted",
    ),
    (
        "javascript",
        "function f(a, b) { return a + b }",
        r#"{"function": "f", "tests": [{"args": [1, 2], "expected": 3}, {"args": [0.5, 0.5], "expected": 1}]}"#,
        "accepted accepted accepted",
    ),
    (
        "javascript",
        "const f = async (a) => { await null; return a }",
        r#"{"function": "f", "tests": [{"args": [{"x": [1, "ä"]}], "expected": {"x": [1, "ä"]}}]}"#,
        "accepted accepted",
    ),
    (
        "javascript",
        "export default function f(a) { return a * a }",
        r#"{"function": "f", "tests": [{"args": [100000000000000000000], "expected": 10000000000000000000000000000000000000000}]}"#,
        "accepted accepted",
    ),
    (
        "javascript",
        "module.exports = (a) => -0 * a",
        r#"{"function": "f", "tests": [{"args": [1], "expected": 0}]}"#,
        "accepted accepted",
    ),
    (
        "javascript",
        "function f(a) { }",
        r#"{"function": "f", "tests": [{"args": [1], "expected": null}]}"#,
        "wrong_answer wrong_answer",
    ),
    (
        "javascript",
        "function f(a) { for (;;); }",
        r#"{"function": "f", "tests": [{"args": [1], "expected": 1}]}"#,
        "time_limit time_limit",
    ),
    (
        "javascript",
        "function f(a) { return null.x }",
        r#"{"function": "f", "tests": [{"args": [1], "expected": 1}]}"#,
        "runtime_error runtime_error",
    ),
    (
        "javascript",
        "function f(a) { return a",
        r#"{"function": "f", "tests": [{"args": [1], "expected": 1}]}"#,
        "compile_error",
    ),
    (
        "javascript",
        "const a = []; function f(n) { while (n > 0) a.push(Buffer.alloc(1 << 20, n--)); return 0 }",
        r#"{"function": "f", "tests": [{"args": [2], "expected": 0}, {"args": [9999], "expected": 0}]}"#,
        "memory_limit accepted memory_limit",
    ),
    (
        "javascript",
        "console.log(require('fs').readFileSync(0, 'utf8').length)",
        r#"{"tests": [{"stdin": "four", "expected": "4"}]}"#,
        "accepted accepted",
    ),
    (
        "rust",
        "fn f(a: i64, b: &str, c: &[f64], d: Option<char>) -> (i64, String, bool) { (a * 2, b.to_owned() + &d.map_or(String::new(), String::from), c.is_empty()) }",
        r#"{"function": "f", "tests": [{"args": [4, "x", [], "y"], "expected": [8, "xy", true]}, {"args": [4, "ä\n", [1, 2.5], null], "expected": [8, "ä\n", false]}]}"#,
        "accepted accepted accepted",
    ),
    (
        "rust",
        "use std::collections::HashMap;\npub fn f(mut a: Vec<u128>, m: &mut Vec<i32>) -> Option<HashMap<String, u128>> { m.clear(); a.pop().map(|n| HashMap::from([(\"n\".to_owned(), n * n)])) }\nfn main() {}",
        r#"{"function": "f", "tests": [{"args": [[10000000000000000000], [1]], "expected": {"n": 100000000000000000000000000000000000000}}, {"args": [[], []], "expected": null}]}"#,
        "accepted accepted accepted",
    ),
    (
        "rust",
        "fn f(a: u8) -> u8 { [1, 2, 3][a as usize] }",
        r#"{"function": "f", "tests": [{"args": [1], "expected": 2}, {"args": [9], "expected": 0}, {"args": [900], "expected": 0}, {"args": [0], "expected": 1}]}"#,
        "runtime_error accepted runtime_error runtime_error accepted",
    ),
    (
        "rust",
        "fn f(a: u64) -> u64 {\n    let x: String = a;\n    a\n}",
        r#"{"function": "f", "tests": [{"args": [1], "expected": 2}]}"#,
        "compile_error",
    ),
    (
        "rust",
        "use std::io::Read;\nfn main() { let mut s = String::new(); std::io::stdin().read_to_string(&mut s).unwrap(); println!(\"{}\", s.len()) }",
        r#"{"tests": [{"stdin": "four", "expected": "4"}, {"stdin": "", "expected": "1"}]}"#,
        "wrong_answer accepted wrong_answer",
    ),
];

#[test]
fn programs_get_their_verdicts() {
    let limits = Limits { time_ms: 1_500, ..Limits::default() };
    let mut wrong = Vec::new();
    std::thread::scope(|scope| {
        let limits = &limits;
        let known = CASES.iter().filter(|(language, ..)| !lacks(judge(), language));
        let run = |case: &'static (&str, &str, &str, &str)| {
            (case, scope.spawn(move || judge().run(case.0, case.1, &tests(case.2), limits)))
        };
        let runs: Vec<_> = known.map(run).collect();
        for ((language, source, _, expected), run) in runs {
            let report = run.join().expect("it does not panic");
            if verdicts(&report) != *expected {
                wrong.push(format!("{language}: {source}\nis not {expected}: {report:#?}"));
            }
        }
    });
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

/// Each row: a language, a program, and the start of the overall message or of the first test's message.
const MESSAGES: &[(&str, &str, &str)] = &[
    ("python", "def f(a):\n    return 1 // 0", "line 2: ZeroDivisionError: "),
    ("python", "def f(a):\n  x = 1\n   y = 2", "line 3: SyntaxError: unexpected indent"),
    ("python", "def g(a):\n    pass", "there is no function `f`"),
    (
        "python",
        "def f(a):\n    return {1}",
        "the function returned a value of type set, which no test expects",
    ),
    ("python", "import sys\nsys.exit()", "line 2: SystemExit"),
    (
        "python",
        "def f(a):\n    print('\\x1b[31mred\\u202e')\n    raise KeyError('k')",
        "line 3: KeyError: 'k'\n\\u{1b}[31mred\\u{202e}",
    ),
    ("javascript", "\n\nfunction f(a) { throw new Error('no') }", "line 3: Error: no"),
    ("javascript", "\nfunction f(a) { return a +* 2 }", "line 2: SyntaxError: Unexpected token '*'"),
    ("javascript", "function f(a) { }", "the function returned undefined, which no test expects"),
    ("rust", "fn f(a: i64) -> i64 {\n    panic!(\"stop {a}\")\n}", "line 2: panicked: stop 1"),
    ("rust", "fn g(a: i64) -> i64 {\n    a\n}", "there is no function `f`"),
    (
        "rust",
        "fn f(a: i64) -> i64 {\n    a.len()\n}",
        "error[E0599]: no method named `len` found for type `i64` in the current scope\n --> solution.rs:2:7",
    ),
];

#[test]
fn failures_are_explained_with_the_learners_lines() {
    for (language, source, begin) in MESSAGES.iter().filter(|(language, ..)| !lacks(judge(), language)) {
        let report = run(language, source, r#"{"function": "f", "tests": [{"args": [1], "expected": 1}]}"#);
        let of_test = report.tests.first().and_then(|tried| tried.message.clone());
        let message = report.message.or(of_test).unwrap_or_default();
        assert!(message.starts_with(begin), "{source}\n{message}");
    }
}

#[test]
fn a_difference_is_shown_unless_the_test_is_hidden() {
    let text = r#"{"function": "f", "tests": [{"args": [[1, 2], "x"], "expected": [2, 3]}, {"args": [[4], "y"], "expected": [5], "hidden": true}]}"#;
    let report = run("python", "def f(a, b):\n    print(b)\n    return [n * 2 for n in a]", text);
    let [shown, hidden] = &report.tests[..] else { panic!("{report:?}") };
    let difference = shown.difference.as_ref().expect("it is shown");
    assert_eq!((difference.input.as_str(), difference.actual.as_str()), (r#"[1, 2], "x""#, "[2, 4]"));
    assert_eq!(difference.place.as_deref(), Some("at [1]: 4 instead of 3"));
    assert_eq!(shown.message.as_deref(), Some("x"));
    assert_eq!((hidden.verdict, hidden.hidden), (Verdict::WrongAnswer, true));
    assert_eq!((&hidden.difference, &hidden.message), (&None, &None));
}

#[test]
fn a_visible_tests_output_hides_hidden_arguments() {
    let text = r#"{"function": "f", "tests": [{"args": ["hush"], "expected": 1, "hidden": true}, {"args": ["open"], "expected": 2}]}"#;
    let report = run("python", "seen = []\ndef f(a):\n    seen.append(a)\n    print(seen)", text);
    assert_eq!(report.tests[1].message.as_deref(), Some("['open']"));
    assert!(report.tests[0].hidden && report.tests[0].message.is_none(), "{report:?}");
}

#[test]
fn a_checker_decides_in_its_own_sandbox() {
    let with = |checker: &str, source: &str| {
        let mut tests = tests(
            r#"{"function": "f", "tests": [{"args": [3], "expected": 9}, {"args": [4], "expected": 16}]}"#,
        );
        tests.comparison = Comparison::Checker(checker.to_owned());
        let report = judge().run("python", source, &tests, &Limits::default());
        (verdicts(&report), report.message.unwrap_or_default())
    };
    let square = "def check(args, expected, actual):\n    return type(actual) is int and actual % args[0] == 0 and actual <= expected";
    assert_eq!(with(square, "def f(n):\n    return n * 2").0, "accepted accepted accepted");
    assert_eq!(with(square, "def f(n):\n    return 5 * n").0, "wrong_answer wrong_answer wrong_answer");
    assert_eq!(
        with(square, "def f(n):\n    return n if n == 3 else 1 // 0").0,
        "runtime_error accepted runtime_error"
    );
    let (verdict, message) =
        with("def check(args, expected, actual):\n    return 1", "def f(n):\n    return n");
    assert_eq!((verdict.as_str(), message.contains("neither true nor false")), ("internal_error", true));
    let (verdict, message) =
        with("def check(a, b, c):\n    raise ValueError('x')", "def f(n):\n    return n");
    assert_eq!((verdict.as_str(), message.contains("ValueError: x")), ("internal_error", true));
}

/// Each row: the tests, a language, a program, the verdict, and a part of the refusal.
#[test]
fn unjudgeable_input_is_refused_with_a_reason() {
    let call = r#"{"function": "f", "tests": [{"args": [1], "expected": 1}]}"#;
    let long = "#".repeat(1_000_000);
    for (text, language, source, verdict, words) in [
        (
            call,
            "cobol",
            "",
            Verdict::InternalError,
            "there is no language `cobol`; there are javascript, python, rust",
        ),
        (
            call,
            "python",
            long.as_str(),
            Verdict::CompileError,
            "the program is 1000000 bytes long; at most 524288",
        ),
        (r#"{"function": "f", "tests": []}"#, "python", "", Verdict::InternalError, "there are no tests"),
        (
            r#"{"tests": [{"args": [1], "expected": 1}]}"#,
            "python",
            "",
            Verdict::InternalError,
            "test 0 has `args`",
        ),
        (
            r#"{"function": "f", "tests": [{"stdin": "", "expected": 1}]}"#,
            "python",
            "",
            Verdict::InternalError,
            "test 0 needs `args`",
        ),
    ] {
        let report = run(language, source, text);
        let message = report.message.unwrap_or_default();
        assert_eq!(report.verdict, verdict, "{message}");
        assert!(message.contains(words), "{message}");
    }
}

#[test]
fn a_missing_interpreter_says_what_to_install() {
    let judge = Judge::open(judge::Settings { search: Vec::new(), ..crate::settings() });
    let report =
        judge.run("python", "", &tests(r#"{"tests": [{"stdin": "", "expected": ""}]}"#), &Limits::default());
    assert_eq!(report.verdict, Verdict::InternalError);
    assert!(report.message.unwrap_or_default().contains("install Python"));
}

#[test]
fn large_arguments_and_answers_go_through() {
    let numbers: Vec<u32> = (0..200_000).collect();
    let text =
        format!(r#"{{"function": "f", "tests": [{{"args": [{numbers:?}], "expected": {numbers:?}}}]}}"#);
    for (language, source) in [
        ("python", "def f(a):\n    return a"),
        ("javascript", "function f(a) { return a }"),
        ("rust", "fn f(a: Vec<u32>) -> Vec<u32> { a }"),
    ] {
        if !lacks(judge(), language) {
            let report = run(language, source, &text);
            assert_eq!(report.verdict, Verdict::Accepted, "{language}: {:?}", report.tests[0].message);
        }
    }
}

#[test]
fn many_simultaneous_runs_are_all_judged() {
    let tests: Tests = tests(r#"{"function": "f", "tests": [{"args": [20], "expected": 40}]}"#);
    let limits = Limits { time_ms: 10_000, ..Limits::default() };
    std::thread::scope(|scope| {
        let run = || judge().run("python", "def f(a):\n    return a * 2", &tests, &limits).verdict;
        let runs: Vec<_> = (0..50).map(|_| scope.spawn(run)).collect();
        assert!(runs.into_iter().all(|run| run.join().expect("it ends") == Verdict::Accepted));
    });
}

#[test]
fn a_report_is_data() {
    let report = run(
        "python",
        "def f(a):\n    return a",
        r#"{"function": "f", "tests": [{"args": [1], "expected": 2}]}"#,
    );
    let value: Value = serde_json::to_value(&report).expect("it can be written");
    assert_eq!(value["verdict"], "wrong_answer");
    assert_eq!(value["tests"][0]["index"], 0);
    assert!(value["tests"][0]["memory_kb"].as_u64() > Some(1_000), "{value}");
    assert_eq!(value["isolation"], judge().isolation().level.to_string());
}
