//! Decides whether an answer is the expected one, and if not, finds the first difference.

use super::Comparison;
use serde_json::{Map, Value};
use std::cmp::Ordering;

/// The number of characters of a value that a person is shown.
const SHOWN: usize = 200;
/// The keys of objects that stand for values outside of JSON. Such an object has only this key, with a text.
const INTEGER: &str = "$int";
const FLOAT: &str = "$float";

/// The first difference between an answer and the expected value: `at [2]: 7 instead of 9`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Apart(pub String);

/// Compares a returned value with the expected one. A checker's judgement cannot be made here: with a checker,
/// values count as equal only if they are exactly equal.
pub fn compare(comparison: &Comparison, expected: &Value, actual: &Value) -> Result<(), Apart> {
    match (comparison, expected, actual) {
        (Comparison::Unordered, Value::Array(expected), Value::Array(actual)) => unordered(expected, actual),
        (Comparison::Float(tolerance), ..) => same(expected, actual, &mut Path::new(Some(*tolerance))),
        _ => same(expected, actual, &mut Path::new(None)),
    }
}

/// Compares a program's output with the expected one. White space at the end of a line and at the end of the text
/// is ignored.
pub fn compare_output(comparison: &Comparison, expected: &str, actual: &str) -> Result<(), Apart> {
    let lines = |text: &str| text.trim_end().lines().map(|line| line.trim_end().to_owned()).collect();
    let (mut expected, mut actual): (Vec<String>, Vec<String>) = (lines(expected), lines(actual));
    if *comparison == Comparison::Unordered {
        expected.sort();
        actual.sort();
    }
    let is_same = |expected: &str, actual: &str| match comparison {
        Comparison::Float(tolerance) => same_words(expected, actual, *tolerance),
        _ => expected == actual,
    };
    for (at, expected) in expected.iter().enumerate() {
        match actual.get(at) {
            None => return Err(Apart(format!("line {} is missing: {}", at + 1, shortened(expected)))),
            Some(actual) if !is_same(expected, actual) => {
                let (actual, expected) = (shortened(actual), shortened(expected));
                return Err(Apart(format!("line {}: {actual} instead of {expected}", at + 1)));
            }
            Some(_) => {}
        }
    }
    match actual.get(expected.len()) {
        Some(line) => Err(Apart(format!("line {} is too much: {}", expected.len() + 1, shortened(line)))),
        None => Ok(()),
    }
}

/// Returns a value as short JSON.
pub fn short(value: &Value) -> String {
    shortened(&super::exact_json(value))
}

fn shortened(text: &str) -> String {
    match text.char_indices().nth(SHOWN) {
        None => text.to_owned(),
        Some((end, _)) => format!("{}… ({} characters)", &text[..end], text.chars().count()),
    }
}

fn same_words(expected: &str, actual: &str, tolerance: f64) -> bool {
    let mut pairs = (expected.split_whitespace(), actual.split_whitespace());
    loop {
        match (pairs.0.next(), pairs.1.next()) {
            (None, None) => return true,
            (Some(expected), Some(actual)) if expected == actual => {}
            (Some(expected), Some(actual)) => match (expected.parse(), actual.parse()) {
                (Ok(expected), Ok(actual)) if is_close(expected, actual, tolerance) => {}
                _ => return false,
            },
            _ => return false,
        }
    }
}

fn is_close(expected: f64, actual: f64, tolerance: f64) -> bool {
    let gap = (expected - actual).abs();
    expected == actual || gap <= tolerance || gap <= tolerance * expected.abs()
}

/// The current place in a value, and how close numbers must be.
struct Path {
    steps: Vec<String>,
    tolerance: Option<f64>,
}

impl Path {
    fn new(tolerance: Option<f64>) -> Path {
        Path { steps: Vec::new(), tolerance }
    }

    fn apart(&self, what: impl std::fmt::Display) -> Result<(), Apart> {
        let place =
            if self.steps.is_empty() { String::new() } else { format!("at {}: ", self.steps.concat()) };
        Err(Apart(format!("{place}{what}")))
    }

    fn within(&mut self, step: String, expected: &Value, actual: &Value) -> Result<(), Apart> {
        self.steps.push(step);
        let found = same(expected, actual, self);
        self.steps.pop();
        found
    }
}

fn same(expected: &Value, actual: &Value, path: &mut Path) -> Result<(), Apart> {
    if let (Some(wanted), Some(given)) = (Number::of(expected), Number::of(actual)) {
        return match wanted.is_met_by(&given, path.tolerance) {
            true => Ok(()),
            false if matches!((&wanted, &given), (Number::Integer(_), Number::Float(_))) => path
                .apart(format!("the fraction {} instead of the integer {}", short(actual), short(expected))),
            false => path.apart(format!("{} instead of {}", short(actual), short(expected))),
        };
    }
    match (expected, actual) {
        (Value::Array(expected), Value::Array(actual)) => lists(expected, actual, path),
        (Value::Object(expected), Value::Object(actual)) => objects(expected, actual, path),
        _ if expected == actual => Ok(()),
        _ if kind(expected) == kind(actual) => {
            path.apart(format!("{} instead of {}", short(actual), short(expected)))
        }
        _ => {
            let (given, wanted) = (kind(actual), kind(expected));
            path.apart(format!("{given} ({}) instead of {wanted} ({})", short(actual), short(expected)))
        }
    }
}

fn lists(expected: &[Value], actual: &[Value], path: &mut Path) -> Result<(), Apart> {
    for (at, (expected, actual)) in expected.iter().zip(actual).enumerate() {
        path.within(format!("[{at}]"), expected, actual)?;
    }
    match actual.len() == expected.len() {
        true => Ok(()),
        false => path.apart(format!("{} instead of {}", items(actual.len()), items(expected.len()))),
    }
}

fn items(count: usize) -> String {
    format!("{count} {}", if count == 1 { "item" } else { "items" })
}

fn objects(expected: &Map<String, Value>, actual: &Map<String, Value>, path: &mut Path) -> Result<(), Apart> {
    for (key, expected) in expected {
        match actual.get(key) {
            Some(actual) => path.within(format!("[{key:?}]"), expected, actual)?,
            None => return path.apart(format!("the key {key:?} is missing")),
        }
    }
    match actual.keys().find(|key| !expected.contains_key(*key)) {
        Some(key) => path.apart(format!("the key {key:?} is too much")),
        None => Ok(()),
    }
}

/// Compares two lists in any order. Each item must occur equally often.
fn unordered(expected: &[Value], actual: &[Value]) -> Result<(), Apart> {
    fn sorted(list: &[Value]) -> Vec<&Value> {
        let mut list: Vec<&Value> = list.iter().collect();
        list.sort_by(|one, other| order(one, other));
        list
    }
    let (mut wanted, mut given) = (sorted(expected).into_iter(), sorted(actual).into_iter());
    let exact = |wanted: &Value, given: &Value| same(wanted, given, &mut Path::new(None)).is_ok();
    let missing = |value: &Value| Err(Apart(format!("{} is missing", short(value))));
    let too_much = |value: &Value| Err(Apart(format!("{} is too much", short(value))));
    loop {
        match (wanted.next(), given.next()) {
            (None, None) => return Ok(()),
            (Some(wanted), None) => return missing(wanted),
            (None, Some(given)) => return too_much(given),
            (Some(wanted), Some(given)) if exact(wanted, given) => {}
            (Some(wanted), Some(given)) if order(wanted, given) == Ordering::Greater => {
                return too_much(given);
            }
            (Some(wanted), Some(_)) => return missing(wanted),
        }
    }
}

/// Orders values so that equal ones sort side by side. The order of other values has no meaning.
fn order(one: &Value, other: &Value) -> Ordering {
    match (Number::of(one), Number::of(other)) {
        (Some(one), Some(other)) => return one.order(&other),
        (Some(_), None) => return Ordering::Less,
        (None, Some(_)) => return Ordering::Greater,
        (None, None) => {}
    }
    match (one, other) {
        (Value::Array(one), Value::Array(other)) => {
            let first =
                one.iter().zip(other).map(|(one, other)| order(one, other)).find(|found| found.is_ne());
            first.unwrap_or_else(|| one.len().cmp(&other.len()))
        }
        (Value::Object(one), Value::Object(other)) => by_keys(one, other),
        (Value::String(one), Value::String(other)) => one.cmp(other),
        (Value::Bool(one), Value::Bool(other)) => one.cmp(other),
        _ => kind(one).cmp(kind(other)),
    }
}

fn by_keys(one: &Map<String, Value>, other: &Map<String, Value>) -> Ordering {
    fn sorted(map: &Map<String, Value>) -> Vec<(&String, &Value)> {
        let mut entries: Vec<_> = map.iter().collect();
        entries.sort_by_key(|(key, _)| *key);
        entries
    }
    let (one, other) = (sorted(one), sorted(other));
    let pairs =
        one.iter().zip(&other).map(|(one, other)| one.0.cmp(other.0).then_with(|| order(one.1, other.1)));
    pairs.into_iter().find(|found| found.is_ne()).unwrap_or_else(|| one.len().cmp(&other.len()))
}

fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "nothing",
        Value::Bool(_) => "a truth value",
        Value::Number(_) => "a number",
        Value::String(_) => "a text",
        Value::Array(_) => "a list",
        Value::Object(_) if Number::of(value).is_some() => "a number",
        Value::Object(_) => "an object",
    }
}

/// A number without any loss: an integer of any size, or a fraction.
#[derive(Debug, Clone, PartialEq)]
enum Number {
    /// The digits, with a minus in front if it is negative and without leading zeros.
    Integer(String),
    Float(f64),
}

impl Number {
    fn of(value: &Value) -> Option<Number> {
        match value {
            Value::Number(number) => Some(match number.as_f64() {
                Some(float) if number.is_f64() => Number::Float(float),
                _ => Number::Integer(number.to_string()),
            }),
            Value::Object(map) if map.len() == 1 => match (map.get(INTEGER), map.get(FLOAT)) {
                (Some(Value::String(digits)), _) => Number::integer(digits),
                (_, Some(Value::String(name))) => name.parse().ok().map(Number::Float),
                _ => None,
            },
            _ => None,
        }
    }

    fn integer(text: &str) -> Option<Number> {
        let (sign, digits) = text.strip_prefix('-').map_or(("", text), |digits| ("-", digits));
        let is_number = !digits.is_empty() && digits.bytes().all(|digit| digit.is_ascii_digit());
        let digits = digits.trim_start_matches('0');
        is_number.then(|| match digits {
            "" => Number::Integer("0".into()),
            _ => Number::Integer(format!("{sign}{digits}")),
        })
    }

    fn is_met_by(&self, given: &Number, tolerance: Option<f64>) -> bool {
        if let Some(tolerance) = tolerance {
            return self.order(given).is_eq() || is_close(self.approximate(), given.approximate(), tolerance);
        }
        !matches!((self, given), (Number::Integer(_), Number::Float(_))) && self.order(given).is_eq()
    }

    fn approximate(&self) -> f64 {
        match self {
            Number::Integer(digits) => digits.parse().unwrap_or(f64::NAN),
            Number::Float(float) => *float,
        }
    }

    /// Compares by value and without rounding. Not-a-number comes last and equals itself; the two zeros are
    /// equal.
    fn order(&self, other: &Number) -> Ordering {
        match (self, other) {
            (Number::Integer(one), Number::Integer(other)) => by_digits(one, other),
            (Number::Float(one), Number::Float(other)) => (one + 0.0).total_cmp(&(other + 0.0)),
            (Number::Integer(one), Number::Float(other)) => against(one, *other),
            (Number::Float(one), Number::Integer(other)) => against(other, *one).reverse(),
        }
    }
}

fn by_digits(one: &str, other: &str) -> Ordering {
    let size = |one: &str, other: &str| one.len().cmp(&other.len()).then_with(|| one.cmp(other));
    match (one.strip_prefix('-'), other.strip_prefix('-')) {
        (Some(one), Some(other)) => size(other, one),
        (Some(_), None) => Ordering::Less,
        (None, Some(_)) => Ordering::Greater,
        (None, None) => size(one, other),
    }
}

/// Compares an integer with a fraction. The whole part of a fraction has exact digits.
fn against(digits: &str, float: f64) -> Ordering {
    if !float.is_finite() {
        return if float == f64::NEG_INFINITY { Ordering::Greater } else { Ordering::Less };
    }
    let whole = Number::integer(&format!("{:.0}", float.trunc()));
    let Some(Number::Integer(whole)) = whole else { return Ordering::Less };
    by_digits(digits, &whole).then_with(|| 0.0_f64.total_cmp(&(float.fract() + 0.0)))
}
