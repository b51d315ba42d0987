//! Edits the text of a JSON file: writes the changes, and leaves the rest as it is, including comments and the
//! form of numbers.

use jsonc_parser::ParseOptions;
use jsonc_parser::cst::{CstArray, CstInputValue, CstNode, CstObject, CstRootNode};
use serde_json::{Map, Value};

/// JSON with comments and trailing commas, as editors write it.
const DIALECT: ParseOptions = ParseOptions {
    allow_comments: true,
    allow_trailing_commas: true,
    allow_loose_object_property_names: false,
    allow_missing_commas: false,
    allow_single_quoted_strings: false,
    allow_hexadecimal_numbers: false,
    allow_unary_plus_numbers: false,
    allow_bare_decimal_point_numbers: false,
    allow_non_finite_numbers: false,
    allow_extended_string_escapes: false,
};

const BYTE_ORDER_MARK: char = '\u{feff}';

/// Parses an object. A file without a value has no settings.
pub(super) fn parse(text: &str) -> Result<Map<String, Value>, String> {
    let root = CstRootNode::parse(text.trim_start_matches(BYTE_ORDER_MARK), &DIALECT);
    match root.map_err(|error| error.to_string())?.to_serde_value() {
        None => Ok(Map::new()),
        Some(Value::Object(settings)) => Ok(settings),
        Some(_) => Err("its outermost value is no object".to_owned()),
    }
}

/// Returns the text with these settings in place of its own. `parse` must have accepted the text.
pub(super) fn edited(text: &str, settings: &Map<String, Value>) -> String {
    let own = text.trim_start_matches(BYTE_ORDER_MARK);
    let mark = &text[..text.len() - own.len()];
    let root = CstRootNode::parse(own, &DIALECT).expect("a text that was read before");
    change_object(&root.object_value_or_set(), settings);
    format!("{mark}{root}")
}

fn change_object(object: &CstObject, new: &Map<String, Value>) {
    let mut kept = Vec::new();
    // When a name occurs twice, the last property counts.
    for property in object.properties().into_iter().rev() {
        let name = property.decoded_name().unwrap_or_default();
        match (new.get(&name), property.value()) {
            (None, _) => property.remove(),
            (Some(value), Some(old)) if !kept.contains(&name) => {
                if !change_inside(&old, value) {
                    property.set_value(input(value));
                }
                kept.push(name);
            }
            _ => {}
        }
    }
    for (name, value) in new.iter().filter(|(name, _)| !kept.contains(name)) {
        object.append(name, input(value));
    }
}

/// Changes an array: removes items anywhere, adds items at the end, and keeps a changed item in its place.
fn change_array(array: &CstArray, new: &[Value]) {
    let old = array.elements();
    let count = old.len();
    let mut next = 0;
    for (at, item) in old.into_iter().enumerate() {
        match new.get(next) {
            Some(value) if is(&item, value) => next += 1,
            Some(value) if count - at == new.len() - next => {
                if !change_inside(&item, value) {
                    array.insert(next, input(value));
                    item.remove();
                }
                next += 1;
            }
            _ => item.remove(),
        }
    }
    for value in &new[next..] {
        array.append(input(value));
    }
}

/// Changes a value in place. Returns false if it has to be replaced.
fn change_inside(node: &CstNode, new: &Value) -> bool {
    match (node.as_object(), node.as_array(), new) {
        _ if is(node, new) => {}
        (Some(object), _, Value::Object(new)) => change_object(&object, new),
        (_, Some(array), Value::Array(new)) => change_array(&array, new),
        _ => return false,
    }
    true
}

fn is(node: &CstNode, value: &Value) -> bool {
    node.to_serde_value().as_ref() == Some(value)
}

fn input(value: &Value) -> CstInputValue {
    match value {
        Value::Null => CstInputValue::Null,
        Value::Bool(value) => CstInputValue::Bool(*value),
        Value::Number(number) => CstInputValue::Number(number.to_string()),
        Value::String(text) => CstInputValue::String(text.clone()),
        Value::Array(items) => CstInputValue::Array(items.iter().map(input).collect()),
        Value::Object(fields) => {
            CstInputValue::Object(fields.iter().map(|(name, value)| (name.clone(), input(value))).collect())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    /// Every kind of change yields the expected settings, keeps the comments, and can be undone.
    #[test]
    fn only_what_changes_is_written() {
        let texts = [
            "{\"n\":12345678901234567890123}",
            "{\r\n  \"n\": 1.50\r\n}\r\n",
            "{\n\t// mine\n\t\"n\": 1, // one\n}",
            "{ /* a, b */ }\n",
            "\u{feff}{\"n\": \"}, // no\", \"n\": [1, 2,],}",
            "{\"l\": [ {\"a\":1.0},  {\"b\":2} , /* three */ 3 ]}",
            "",
        ];
        let values = [
            json!([{"a": 1.0}, 3]),
            json!([{"a": 1.0}, {"b": 4}, 3]),
            json!([3, 4]),
            json!([]),
            json!({"x": [1]}),
        ];
        for text in texts {
            let before = parse(text).unwrap();
            assert_eq!(edited(text, &before), if text.is_empty() { "{}\n" } else { text });
            for value in &values {
                let mut settings = before.clone();
                settings.insert("l".to_owned(), value.clone());
                let written = edited(text, &settings);
                assert_eq!(parse(&written).unwrap(), settings, "{text:?} became {written:?}");
                for kept in
                    ["// mine", "// one", "/* a, b */", "1.50", "12345678901234567890123", "\u{feff}", "\t"]
                {
                    assert_eq!(written.contains(kept), text.contains(kept), "{kept:?}: {written:?}");
                }
                assert_eq!(parse(&edited(&written, &before)).unwrap(), before, "{written:?}");
            }
        }
    }
}
