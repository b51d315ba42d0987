//! Reads and writes test files. JSON has integers of any size and serde_json's values do not, so larger ones
//! become text first.

use super::Tests;
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::fmt::Write;

/// Reads `{function, comparison, tests}`. An integer that does not fit into 64 bits becomes `{"$int": "…"}`.
pub fn read_tests(text: &str) -> Result<Tests, String> {
    read_exact(text).map_err(|error| error.to_string())
}

/// Reads any JSON. An integer that does not fit into 64 bits becomes `{"$int": "…"}`.
pub fn read_exact<T: DeserializeOwned>(text: &str) -> Result<T, serde_json::Error> {
    serde_json::from_str(&with_large_integers_named(text))
}

/// Returns a value as JSON in which large integers are integers again.
pub fn exact_json(value: &Value) -> String {
    let mut text = String::new();
    write_exact(value, &mut text);
    text
}

/// Returns a value as JSON for a language whose numbers are all fractions. Integers that these cannot hold become
/// `{"$int": "…"}`.
pub fn named_json(value: &Value) -> String {
    named(value).to_string()
}

fn named(value: &Value) -> Value {
    const LARGEST: u64 = (1 << 53) - 1;
    match value {
        Value::Number(number) if !number.is_f64() => {
            let size = number.as_u64().or_else(|| number.as_i64().map(i64::unsigned_abs));
            match size.is_some_and(|size| size <= LARGEST) {
                true => value.clone(),
                false => serde_json::json!({ "$int": number.to_string() }),
            }
        }
        Value::Array(list) => list.iter().map(named).collect(),
        Value::Object(map) => map.iter().map(|(key, item)| (key.clone(), named(item))).collect(),
        plain => plain.clone(),
    }
}

fn write_exact(value: &Value, into: &mut String) {
    match value {
        Value::Array(list) => write_all(into, ['[', ']'], list, write_exact),
        Value::Object(map) => match (map.len(), map.get("$int")) {
            (1, Some(Value::String(digits))) if is_integer(digits) => into.push_str(digits),
            _ => write_all(into, ['{', '}'], map, |(key, item), into| {
                let _ = write!(into, "{}: ", Value::from(key.as_str()));
                write_exact(item, into);
            }),
        },
        plain => {
            let _ = write!(into, "{plain}");
        }
    }
}

fn write_all<T>(
    into: &mut String,
    [open, close]: [char; 2],
    items: impl IntoIterator<Item = T>,
    write: impl Fn(T, &mut String),
) {
    into.push(open);
    for (at, item) in items.into_iter().enumerate() {
        into.push_str(if at == 0 { "" } else { ", " });
        write(item, into);
    }
    into.push(close);
}

fn is_integer(text: &str) -> bool {
    let digits = text.strip_prefix('-').unwrap_or(text);
    !digits.is_empty() && digits.bytes().all(|digit| digit.is_ascii_digit())
}

/// Replaces integers that do not fit into 64 bits by `{"$int": "…"}`. Text inside strings is left alone, and a
/// text that is not JSON does not become JSON.
fn with_large_integers_named(text: &str) -> String {
    let mut named = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(|letter: char| letter == '"' || letter == '-' || letter.is_ascii_digit()) {
        named.push_str(&rest[..at]);
        rest = &rest[at..];
        let token = if rest.starts_with('"') { string(rest) } else { number(rest) };
        match is_integer(token) && token.parse::<i64>().is_err() && token.parse::<u64>().is_err() {
            true => drop(write!(named, "{{\"$int\": \"{token}\"}}")),
            false => named.push_str(token),
        }
        rest = &rest[token.len()..];
    }
    named + rest
}

fn string(text: &str) -> &str {
    let mut is_escaped = false;
    let end = text.char_indices().skip(1).find(|(_, letter)| {
        let ends = *letter == '"' && !is_escaped;
        is_escaped = *letter == '\\' && !is_escaped;
        ends
    });
    end.map_or(text, |(at, _)| &text[..=at])
}

fn number(text: &str) -> &str {
    let is_part = |letter: char| letter.is_ascii_digit() || matches!(letter, '-' | '+' | '.' | 'e' | 'E');
    &text[..text.find(|letter| !is_part(letter)).unwrap_or(text.len())]
}
