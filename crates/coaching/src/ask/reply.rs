//! Finds the JSON object in a model's reply.

use serde_json::{Map, Value};

/// The maximum size of a text that is read.
const MAX_REPLY_BYTES: usize = 256 << 10;

/// Returns the JSON object of a reply that has the field: the reply itself, or the first such object in a text.
/// Fences and prose around it do not matter.
pub(crate) fn object_with(reply: &Value, field: &str) -> Option<Map<String, Value>> {
    match reply {
        Value::Object(object) => object.contains_key(field).then(|| object.clone()),
        Value::String(text) if text.len() <= MAX_REPLY_BYTES => in_text(text, field),
        _ => None,
    }
}

fn in_text(text: &str, field: &str) -> Option<Map<String, Value>> {
    let mut from = 0;
    while let Some(at) = text[from..].find('{').map(|at| from + at) {
        let mut objects = serde_json::Deserializer::from_str(&text[at..]).into_iter::<Map<String, Value>>();
        match objects.next() {
            Some(Ok(object)) if object.contains_key(field) => return Some(object),
            Some(Ok(_)) => from = at + objects.byte_offset(),
            _ => from = at + 1,
        }
    }
    None
}
