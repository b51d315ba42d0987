//! Builds the schemas of replies from the few rules that every model can follow.

use serde_json::{Map, Value, json};
use std::ops::RangeInclusive;

pub(crate) fn text(max_chars: usize) -> Value {
    json!({"type": "string", "minLength": 1, "maxLength": max_chars})
}

pub(crate) fn list(of: Value, count: RangeInclusive<usize>) -> Value {
    json!({"type": "array", "items": of, "minItems": count.start(), "maxItems": count.end()})
}

/// Returns the schema of an object with these fields and no others. A field whose name ends with `?` may be left
/// out.
pub(crate) fn object<const N: usize>(fields: [(&str, Value); N]) -> Value {
    let names = fields.iter().map(|(name, _)| *name);
    let required: Vec<&str> = names.filter(|name| !name.ends_with('?')).collect();
    let bare = |(name, shape): (&str, Value)| (name.trim_end_matches('?').to_owned(), shape);
    let properties: Map<String, Value> = fields.into_iter().map(bare).collect();
    json!({"type": "object", "properties": properties, "required": required, "additionalProperties": false})
}
