//! Tests of when an answer equals the expected one, and how a difference is described.

use coaching::judging::{Comparison, compare, compare_output, exact_json, from_exercism, read_tests};
use serde_json::{Value, json};

fn value(text: &str) -> Value {
    let tests = read_tests(&format!(r#"{{"tests": [{{"expected": {text}}}]}}"#));
    tests.unwrap_or_else(|error| panic!("{text}: {error}")).tests.remove(0).expected
}

fn comparison(text: &str) -> Comparison {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// Each row: a comparison, the expected value, an answer, and the place where they differ (empty if they do not).
const VALUES: &[(&str, &str, &str, &str)] = &[
    (r#""exact""#, "1", "1", ""),
    (r#""exact""#, "1", r#""1""#, r#"a text ("1") instead of a number (1)"#),
    (r#""exact""#, "1", "true", "a truth value (true) instead of a number (1)"),
    (r#""exact""#, "true", "1", "a number (1) instead of a truth value (true)"),
    (r#""exact""#, "0", "null", "nothing (null) instead of a number (0)"),
    (r#""exact""#, "[]", "null", "nothing (null) instead of a list ([])"),
    (r#""exact""#, "2", "2.0", "the fraction 2.0 instead of the integer 2"),
    (r#""exact""#, "2.0", "2", ""),
    (r#""exact""#, "0.0", "-0.0", ""),
    (r#""exact""#, "0.1", "0.10000000000000002", "0.10000000000000002 instead of 0.1"),
    (r#""exact""#, "1e16", "10000000000000001", "10000000000000001 instead of 1e+16"),
    (r#""exact""#, "9007199254740993", "9007199254740992", "9007199254740992 instead of 9007199254740993"),
    (r#""exact""#, "1267650600228229401496703205376", "1267650600228229401496703205376", ""),
    (
        r#""exact""#,
        "1267650600228229401496703205376",
        "1267650600228229401496703205377",
        "1267650600228229401496703205377 instead of 1267650600228229401496703205376",
    ),
    (
        r#""exact""#,
        "-99999999999999999999",
        "99999999999999999999",
        "99999999999999999999 instead of -99999999999999999999",
    ),
    (r#""exact""#, r#"{"$float": "nan"}"#, r#"{"$float": "nan"}"#, ""),
    (
        r#""exact""#,
        r#"{"$float": "inf"}"#,
        r#"{"$float": "-inf"}"#,
        r#"{"$float": "-inf"} instead of {"$float": "inf"}"#,
    ),
    (r#""exact""#, "0", r#"{"$float": "nan"}"#, r#"the fraction {"$float": "nan"} instead of the integer 0"#),
    (r#""exact""#, "[1, [2, 3]]", "[1, [2, 4]]", "at [1][1]: 4 instead of 3"),
    (r#""exact""#, "[1, 2]", "[1]", "1 item instead of 2 items"),
    (r#""exact""#, "[1, 2]", "[2, 1]", "at [0]: 2 instead of 1"),
    (r#""exact""#, r#"{"a": 1, "b": 2}"#, r#"{"b": 2, "a": 1}"#, ""),
    (r#""exact""#, r#"{"a": [1]}"#, r#"{"a": [2]}"#, r#"at ["a"][0]: 2 instead of 1"#),
    (r#""exact""#, r#"{"a": 1}"#, r#"{}"#, r#"the key "a" is missing"#),
    (r#""exact""#, r#"{}"#, r#"{"b": 1}"#, r#"the key "b" is too much"#),
    (r#""exact""#, r#""Straße""#, r#""Strasse""#, r#""Strasse" instead of "Straße""#),
    (r#""unordered""#, "[1, 2, 2]", "[2, 1, 2]", ""),
    (r#""unordered""#, "[1, 2, 2]", "[2, 1, 1]", "1 is too much"),
    (r#""unordered""#, "[1, 2, 3]", "[3, 1]", "2 is missing"),
    (r#""unordered""#, "[1]", "[true]", "1 is missing"),
    (r#""unordered""#, "[[1, 2], [3]]", "[[3], [1, 2]]", ""),
    (r#""unordered""#, "[[1, 2]]", "[[2, 1]]", "[1, 2] is missing"),
    (r#""unordered""#, r#"[{"a": 1}, {"b": 1}]"#, r#"[{"b": 1}, {"a": 1}]"#, ""),
    (r#""unordered""#, r#"["b", "a"]"#, r#"["a", "b"]"#, ""),
    (r#""unordered""#, "[2.0, 1]", "[1, 2]", ""),
    (r#""unordered""#, "3", "3", ""),
    (r#"{"float": 1e-6}"#, "0.3", "0.30000000000000004", ""),
    (r#"{"float": 1e-6}"#, "1000000.0", "1000000.5", ""),
    (r#"{"float": 1e-6}"#, "[1, 2.5]", "[1.0, 2.6]", "at [1]: 2.6 instead of 2.5"),
    (r#"{"float": 1e-6}"#, "1.0", "true", "a truth value (true) instead of a number (1.0)"),
    (r#"{"float": 1e-6}"#, "1.0", r#"{"$float": "nan"}"#, r#"{"$float": "nan"} instead of 1.0"#),
];

#[test]
fn values_are_compared_by_type_and_without_rounding() {
    for (how, expected, actual, place) in VALUES {
        let found = compare(&comparison(how), &value(expected), &value(actual));
        let found = found.err().map(|apart| apart.0).unwrap_or_default();
        assert_eq!(found, *place, "{how}: {expected} and {actual}");
    }
}

const OUTPUTS: &[(&str, &str, &str, &str)] = &[
    (r#""exact""#, "a\nb", "a  \nb\n\n", ""),
    (r#""exact""#, "a\nb", " a\nb", "line 1:  a instead of a"),
    (r#""exact""#, "a\nb", "a", "line 2 is missing: b"),
    (r#""exact""#, "a", "a\nb", "line 2 is too much: b"),
    (r#""exact""#, "", "", ""),
    (r#""unordered""#, "a\nb", "b\na", ""),
    (r#"{"float": 0.01}"#, "1.00 x", "1.005 x", ""),
    (r#"{"float": 0.01}"#, "1.00 x", "1.005 y", "line 1: 1.005 y instead of 1.00 x"),
    (r#"{"float": 0.01}"#, "1 2", "1", "line 1: 1 instead of 1 2"),
];

#[test]
fn output_is_compared_by_lines() {
    for (how, expected, actual, place) in OUTPUTS {
        let found = compare_output(&comparison(how), expected, actual);
        let found = found.err().map(|apart| apart.0).unwrap_or_default();
        assert_eq!(found, *place, "{how}: {expected:?} and {actual:?}");
    }
}

#[test]
fn a_large_list_in_another_order_is_compared_quickly() {
    let forth: Vec<i64> = (0..200_000).collect();
    let back: Vec<i64> = (0..200_000).rev().collect();
    assert_eq!(compare(&Comparison::Unordered, &json!(forth), &json!(back)), Ok(()));
}

#[test]
fn large_integers_round_trip() {
    for text in
        ["[18446744073709551616, -3, 1.5]", r#"{"a\"9": "99999999999999999999"}"#, "-9223372036854775809"]
    {
        assert_eq!(exact_json(&value(text)), text);
    }
}

#[test]
fn a_test_file_with_a_mistake_says_where() {
    let error = read_tests(r#"{"tests": [{"expected": 1, "argss": []}]}"#).expect_err("a wrong key");
    assert!(error.contains("argss") && error.contains("line 1"), "{error}");
}

const EXERCISM: &str = r#"{"exercise": "steps", "cases": [
    {"description": "simple", "cases": [
        {"uuid": "1", "property": "steps", "input": {"number": 1}, "expected": 0},
        {"uuid": "2", "property": "steps", "input": {"number": 100000000000000000000}, "expected": 90}]},
    {"uuid": "3", "property": "steps", "input": {"number": 0}, "expected": {"error": "only positive"}},
    {"uuid": "4", "property": "reverse", "input": {"a": "x", "b": [1]}, "expected": {"y": 1}}]}"#;

#[test]
fn exercism_cases_become_tests() {
    let imported = from_exercism(EXERCISM, None).expect("it can be read");
    assert_eq!(imported.tests.function.as_deref(), Some("steps"));
    assert_eq!((imported.tests.tests.len(), imported.skipped), (2, 1));
    assert_eq!(imported.others, ["reverse"]);
    let args = imported.tests.tests[1].args.clone().map(Value::from).map(|args| exact_json(&args));
    assert_eq!(args.as_deref(), Some("[100000000000000000000]"));
    let other = from_exercism(EXERCISM, Some("reverse")).expect("it can be read");
    assert_eq!(other.tests.tests[0].args, Some(vec![json!("x"), json!([1])]));
    let error = from_exercism(EXERCISM, Some("none")).expect_err("no such property");
    assert_eq!(error, "there is no case of `none`; the file has steps, reverse");
}
