//! Tests of running programs line by line.

use crate::{judge, lacks};
use coaching::judging::{Trace, Verdict};
use judge::Limits;
use serde_json::{Value, json};

fn trace(language: &str, source: &str, args: &[Value]) -> Result<Trace, (Verdict, String)> {
    judge().trace(language, source, "f", args, &Limits::default())
}

/// A language, and a program that adds up the doubled numbers with a function of its own.
const PROGRAMS: &[(&str, &str)] = &[
    (
        "python",
        "def f(x):\n    t = 0\n    for a in x:\n        t += g(a)\n    return t\ndef g(y):\n    z = y * 2\n    return z",
    ),
    (
        "javascript",
        "function f(x) {\n    let t = 0;\n    for (const a of x)\n        t += g(a);\n    return t\n} function g(y) {\n    const z = y * 2;\n    return z\n}",
    ),
];

#[test]
fn every_line_is_shown_with_its_changes_and_caller() {
    for (language, source) in PROGRAMS.iter().filter(|(language, _)| !lacks(judge(), language)) {
        let trace = trace(language, source, &[json!([3, 1])]).unwrap_or_else(|why| panic!("{why:?}"));
        assert_eq!((trace.result.as_deref(), trace.cut), (Some("8"), false), "{language}");
        let inner: Vec<_> =
            trace.steps.iter().filter(|step| step.function == "g" && step.line == 8).collect();
        let first = inner.first().unwrap_or_else(|| panic!("{trace:?}"));
        assert_eq!(first.variables["z"], "6", "{language}");
        assert!(first.changed.contains(&"z".to_owned()), "{language}");
        let calls: Vec<(&str, u64)> =
            first.stack.iter().map(|frame| (frame.function.as_str(), frame.line)).collect();
        assert_eq!(calls, [("g", 8), ("f", 4)], "{language}");
        assert!(trace.steps.iter().any(|step| step.returned.as_deref() == Some("6")), "{language}");
        let last = trace.steps.last().expect("steps");
        assert_eq!((last.line, last.variables["t"].as_str(), last.returned.as_deref()), (5, "8", Some("8")));
    }
}

/// Each row: a language, a program, whether its trace is cut, and the error at its end.
#[test]
fn a_trace_is_bounded_and_ends_with_the_error() {
    for (language, source, is_cut, error) in [
        ("python", "def f(x):\n    while True:\n        x = [x]", true, None),
        ("javascript", "function f(x) {\n    while (true)\n        x = [x]\n}", true, None),
        ("python", "def f(x):\n    y = 1\n    return x[y]", false, Some("line 3: TypeError")),
        (
            "javascript",
            "function f(x) {\n    let y = null\n    return y.z\n}",
            false,
            Some("line 3: TypeError"),
        ),
        (
            "python",
            "class N:\n    def __init__(self):\n        self.me = self\n        self.text = 'x' * 10**6\ndef f(x):\n    n = N()\n    return 'y' * 10**6",
            false,
            None,
        ),
    ] {
        if lacks(judge(), language) {
            continue;
        }
        let trace = trace(language, source, &[json!(1)]).unwrap_or_else(|why| panic!("{source}: {why:?}"));
        assert_eq!(trace.cut, is_cut, "{source}");
        assert!(!trace.steps.is_empty() && trace.steps.len() <= 1_000, "{source}");
        let told = trace.error.clone().unwrap_or_default();
        assert!(told.starts_with(error.unwrap_or_default()) && told.is_empty() == error.is_none(), "{told}");
        let longest =
            trace.steps.iter().flat_map(|step| step.variables.values()).map(|text| text.chars().count());
        assert!(longest.max().unwrap_or(0) <= 121, "{source}");
    }
}

#[test]
fn an_untraceable_program_says_why() {
    let (_, message) = trace("rust", "fn f(a: i64) -> i64 { a }", &[json!(1)]).expect_err("no trace");
    assert!(message.contains("cannot be shown line by line"), "{message}");
    let (verdict, _) = trace("python", "def f(:", &[json!(1)]).expect_err("no program");
    assert_eq!(verdict, Verdict::CompileError);
    let forged = "import os\nos.write(4, b'{\"trace\": 1}\\n')\ndef f(x):\n    return x";
    assert!(trace("python", forged, &[json!(1)]).is_err());
}
