//! Compares a document with a scenario's description of it.

use serde_json::Value;

/// The sign for any text within a text, and for any entries within a list.
const ANYTHING: char = '…';

/// Describes the first difference between a document and a pattern, with its place; `None` if they match. An object
/// may have more fields than the pattern; a list may not have more entries.
pub(super) fn difference(pattern: &Value, found: &Value) -> Option<String> {
    differs(pattern, found, "")
}

fn differs(pattern: &Value, found: &Value, at: &str) -> Option<String> {
    let other =
        || Some(format!("at {}: expected {pattern}, found {found}", if at.is_empty() { "/" } else { at }));
    match (pattern, found) {
        (Value::Object(wanted), Value::Object(fields)) => wanted.iter().find_map(|(name, wanted)| {
            let at = format!("{at}/{name}");
            match fields.get(name) {
                Some(found) => differs(wanted, found, &at),
                None => Some(format!("nothing is at {at}: expected {wanted}")),
            }
        }),
        (Value::Array(wanted), Value::Array(entries)) if wanted.iter().any(is_anything) => {
            if lists_alike(wanted, entries) { None } else { other() }
        }
        (Value::Array(wanted), Value::Array(entries)) if wanted.len() == entries.len() => {
            let mut pairs = wanted.iter().zip(entries).enumerate();
            pairs.find_map(|(nth, (wanted, found))| differs(wanted, found, &format!("{at}/{nth}")))
        }
        (Value::String(wanted), Value::String(text)) if texts_alike(wanted, text) => None,
        (Value::String(wanted), Value::Number(number)) if is_within(wanted, number.as_f64()) => None,
        (Value::Number(wanted), Value::Number(number)) if wanted.as_f64() == number.as_f64() => None,
        _ if pattern == found => None,
        _ => other(),
    }
}

fn is_anything(pattern: &Value) -> bool {
    pattern.as_str().is_some_and(|text| text.chars().eq([ANYTHING]))
}

fn lists_alike(wanted: &[Value], entries: &[Value]) -> bool {
    match (wanted.split_first(), entries.split_first()) {
        (None, first) => first.is_none(),
        (Some((anything, rest)), first) if is_anything(anything) => {
            lists_alike(rest, entries) || first.is_some_and(|(_, later)| lists_alike(wanted, later))
        }
        (Some((first, rest)), Some((entry, later))) => {
            difference(first, entry).is_none() && lists_alike(rest, later)
        }
        (Some(_), None) => false,
    }
}

/// Whether the parts of the pattern follow each other in the text, with the first at the beginning and the last
/// at the end.
fn texts_alike(pattern: &str, text: &str) -> bool {
    let Some((first, rest)) = pattern.split_once(ANYTHING) else { return pattern == text };
    let Some(mut text) = text.strip_prefix(first) else { return false };
    let parts: Vec<&str> = rest.split(ANYTHING).collect();
    let Some((last, between)) = parts.split_last() else { return true };
    for part in between {
        match text.find(part) {
            Some(at) => text = &text[at + part.len()..],
            None => return false,
        }
    }
    text.ends_with(last)
}

/// Whether a number lies in a range such as `0.3 to 0.7`, both ends included.
fn is_within(range: &str, number: Option<f64>) -> bool {
    let ends =
        range.split_once(" to ").and_then(|(least, most)| Some((least.parse().ok()?, most.parse().ok()?)));
    ends.zip(number)
        .is_some_and(|((least, most), number): ((f64, f64), f64)| (least..=most).contains(&number))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn documents_are_compared_as_far_as_they_are_described() {
        for (pattern, found, is_alike) in [
            (json!({"a": 1}), json!({"a": 1.0, "b": 2}), true),
            (json!({"a": null}), json!({}), false),
            (json!({"a": {"b": [1, 2]}}), json!({"a": {"b": [1, 2, 3]}}), false),
            (json!([1, "…"]), json!([1, 2, 3]), true),
            (json!(["…", {"a": 2}, "…"]), json!([{"a": 1}, {"a": 2, "b": 3}]), true),
            (json!(["…", {"a": 2}]), json!([{"a": 2}, {"a": 1}]), false),
            (json!([{}, {}, "…"]), json!([{}]), false),
            (json!("…"), json!("anything"), true),
            (json!("Right…"), json!("Right."), true),
            (json!("…one…two…"), json!("one and two"), true),
            (json!("…two…one…"), json!("one and two"), false),
            (json!("a…a"), json!("a"), false),
            (json!("…"), json!(7), false),
            (json!("7"), json!(7), false),
            (json!("0.3 to 0.7"), json!(0.7), true),
            (json!("0.3 to 0.7"), json!(0.71), false),
            (json!("1 to many"), json!(2), false),
        ] {
            assert_eq!(difference(&pattern, &found).is_none(), is_alike, "{pattern} {found}");
        }
        let told =
            difference(&json!({"a": [{"b": "x…"}]}), &json!({"a": [{"b": "y"}]})).expect("they differ");
        assert_eq!(told, r#"at /a/0/b: expected "x…", found "y""#);
    }
}
