//! Tests of `etude judge`: its output and how it ends.

use crate::common::Folder;
use serde_json::Value;

const TESTS: &str = r#"{"function": "double", "tests": [{"args": [2], "expected": 4}, {"args": [3], "expected": 6, "hidden": true}]}"#;

/// Each row: a program, more arguments, the exit code, a place in the answer, and the value there.
const RUNS: &[(&str, &[&str], i32, &str, &str)] = &[
    ("def double(n):\n    return n * 2", &[], 0, "/verdict", "\"accepted\""),
    ("def double(n):\n    return n + 2", &[], 1, "/tests/1/verdict", "\"wrong_answer\""),
    ("def double(n):\n    return n + 1", &[], 1, "/tests/0/difference/actual", "\"3\""),
    ("def double(n):\n    while n: pass", &["--time", "300"], 1, "/verdict", "\"time_limit\""),
    ("def double(n):\n    return 2 * n", &["--trace", "0"], 0, "/steps/0/variables/n", "\"2\""),
    (
        "def double(n):\n    return n / 0",
        &["--trace", "1"],
        0,
        "/error",
        "\"line 2: ZeroDivisionError: division by zero\"",
    ),
    ("def double(:", &[], 1, "/verdict", "\"compile_error\""),
];

#[test]
fn a_program_is_judged_without_a_server() {
    let folder = Folder::new();
    let tests = folder.write("tests.json", TESTS);
    for (source, more, code, place, expected) in RUNS {
        let file = folder.write("double.py", source);
        let mut arguments = vec!["judge", "--language", "python", "--tests", &tests, &file];
        arguments.extend(*more);
        let outcome = folder.run(&arguments);
        assert_eq!(outcome.code, Some(*code), "{source}: {outcome:?}");
        let answer: Value = serde_json::from_str(&outcome.stdout).expect("an answer in JSON");
        assert_eq!(answer.pointer(place).map(Value::to_string).as_deref(), Some(*expected), "{answer}");
    }
}

#[test]
fn a_binary_file_is_no_program() {
    let folder = Folder::new();
    let tests = folder.write("tests.json", TESTS);
    let file = folder.write("double.py", [0xff, 0xfe, 0]);
    let outcome = folder.run(&["judge", "--language", "python", "--tests", &tests, &file]);
    assert_eq!(outcome.code, Some(1));
    assert!(outcome.stdout.contains("the program is not UTF-8 text"), "{outcome:?}");
}

#[test]
fn canonical_data_of_exercism_is_read() {
    let folder = Folder::new();
    let data = r#"{"cases": [{"property": "double", "input": {"n": 2}, "expected": 4},
        {"property": "double", "input": {"n": -1}, "expected": {"error": "no"}}]}"#;
    let tests = folder.write("canonical-data.json", data);
    let file = folder.write("double.py", "def double(n):\n    return n * 2");
    let outcome = folder.run(&["judge", "--language", "python", "--exercism", "--tests", &tests, &file]);
    assert_eq!(outcome.code, Some(0), "{outcome:?}");
    assert!(outcome.stderr.contains("1 case expects an error and is left out"), "{outcome:?}");
}

/// Each row: the tests, a language, more arguments, and a part of the refusal.
const REFUSED: &[(&str, &str, &[&str], &str)] = &[
    ("{", "python", &[], "tests.json: EOF while parsing"),
    (r#"{"tests": [], "colour": 1}"#, "python", &[], "unknown field `colour`"),
    (TESTS, "cobol", &[], "there is no language `cobol`; there are javascript, python, rust"),
    (TESTS, "python", &["--trace", "7"], "there is no test 7; the 2 tests count from 0"),
    (
        r#"{"tests": [{"stdin": "", "expected": ""}]}"#,
        "python",
        &["--trace", "0"],
        "only a function can be shown",
    ),
];

#[test]
fn an_unreadable_question_exits_with_two() {
    let folder = Folder::new();
    let file = folder.write("double.py", "def double(n):\n    return n * 2");
    for (text, language, more, says) in REFUSED {
        let tests = folder.write("tests.json", text);
        let mut arguments = vec!["judge", "--language", language, "--tests", &tests, &file];
        arguments.extend(*more);
        let outcome = folder.run(&arguments);
        assert_eq!(outcome.code, Some(2), "{outcome:?}");
        assert!(outcome.stderr.contains(says), "{says}: {outcome:?}");
    }
}
