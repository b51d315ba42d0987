//! Reads a value that satisfies a schema from a model's words.
//!
//! Prose or a code fence may surround the object, but there must be exactly one object, in plain JSON.
//! Picking "the best" of several would let a learner plant an answer that the model merely repeats.

use std::collections::BTreeMap;
use std::fmt::Display;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::{ErrorKind, ModelError};

const ERRORS_MAX: usize = 4;
const ERROR_MAX_CHARS: usize = 200;

/// A schema that can judge replies.
#[derive(Debug)]
pub(super) struct Schema {
    pub(super) json: Value,
    rules: Rules,
}

/// The part of JSON Schema that asks use. Any other keyword is refused, because a rule that is ignored
/// would let everything through.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Rules {
    #[serde(rename = "type")]
    types: Option<Types>,
    #[serde(rename = "enum")]
    values: Option<Vec<Value>>,
    #[serde(rename = "const")]
    value: Option<Value>,
    any_of: Option<Vec<Rules>>,
    #[serde(default)]
    properties: BTreeMap<String, Rules>,
    #[serde(default)]
    required: Vec<String>,
    additional_properties: Option<bool>,
    items: Option<Box<Rules>>,
    min_items: Option<usize>,
    max_items: Option<usize>,
    min_length: Option<usize>,
    max_length: Option<usize>,
    minimum: Option<f64>,
    maximum: Option<f64>,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(untagged)]
enum Types {
    One(JsonType),
    Some(Vec<JsonType>),
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum JsonType {
    Null,
    Boolean,
    Integer,
    Number,
    String,
    Array,
    Object,
}

impl Schema {
    pub(super) fn new(json: Value) -> Result<Self, ModelError> {
        let unusable = |why: String| {
            let why = format!("the schema of the ask cannot be used: {why}");
            ModelError::new(ErrorKind::Misconfigured, why).with_cure("correct the schema")
        };
        let rules = Rules::deserialize(&json).map_err(|error| unusable(error.to_string()))?;
        match rules.types {
            Some(Types::One(JsonType::Object)) => Ok(Self { json, rules }),
            _ => Err(unusable("it must describe an object".to_owned())),
        }
    }

    /// Returns the one object in `text`, or an explanation in words that help the model to do better.
    pub(super) fn read(&self, text: &str) -> Result<Value, String> {
        let value = only_object(text)?;
        let mut errors = self.rules.errors(&value, "");
        errors.truncate(ERRORS_MAX);
        if errors.is_empty() { Ok(value) } else { Err(errors.join("; ")) }
    }
}

impl Rules {
    /// Lists the errors of the value at `place` and of everything inside it.
    fn errors(&self, value: &Value, place: &str) -> Vec<String> {
        let at = if place.is_empty() { "the object" } else { place };
        let own = self.own_errors(value).into_iter();
        let mut errors: Vec<String> =
            own.map(|why| format!("{at}: {why}").chars().take(ERROR_MAX_CHARS).collect()).collect();
        for (name, part, rules) in self.parts(value) {
            errors.extend(rules.errors(part, &format!("{place}/{name}")));
        }
        // The form with the fewest errors is the one that the model was after.
        let forms = self.any_of.iter().flatten().map(|form| form.errors(value, place));
        errors.extend(forms.min_by_key(Vec::len).unwrap_or_default());
        errors
    }

    fn parts<'a>(&'a self, value: &'a Value) -> Vec<(String, &'a Value, &'a Rules)> {
        match (value, &self.items) {
            (Value::Object(fields), _) => {
                let ruled = self.properties.iter();
                ruled.filter_map(|(name, rules)| Some((name.clone(), fields.get(name)?, rules))).collect()
            }
            (Value::Array(items), Some(rules)) => {
                items.iter().enumerate().map(|(index, item)| (index.to_string(), item, &**rules)).collect()
            }
            _ => Vec::new(),
        }
    }

    fn own_errors(&self, value: &Value) -> Vec<String> {
        let mut errors = Vec::new();
        if self.types.as_ref().is_some_and(|types| !types.permit(value)) {
            errors.push(format!("must be of type {}, not {value}", json!(self.types)));
        }
        if self.values.as_ref().is_some_and(|values| !values.contains(value)) {
            errors.push(format!("must be one of {}, not {value}", json!(self.values)));
        }
        if self.value.as_ref().is_some_and(|only| only != value) {
            errors.push(format!("must be {}, not {value}", json!(self.value)));
        }
        let counted = |count: usize, what, min, max| {
            beyond(count, min, max).map(|bound| format!("has {count} {what}, {bound}"))
        };
        errors.extend(match value {
            Value::String(text) => {
                counted(text.chars().count(), "characters", self.min_length, self.max_length)
            }
            Value::Array(items) => counted(items.len(), "items", self.min_items, self.max_items),
            Value::Number(number) => number
                .as_f64()
                .and_then(|number| beyond(number, self.minimum, self.maximum))
                .map(|bound| format!("is {number}, {bound}")),
            _ => None,
        });
        if let Value::Object(fields) = value {
            let missing = self.required.iter().filter(|name| !fields.contains_key(*name));
            errors.extend(missing.map(|name| format!("`{name}` is missing")));
            let unknown = fields.keys().filter(|name| !self.properties.contains_key(*name));
            let unknown = unknown.filter(|_| self.additional_properties == Some(false));
            errors.extend(unknown.map(|name| format!("`{name}` is not permitted")));
        }
        errors
    }
}

impl Types {
    fn permit(&self, value: &Value) -> bool {
        match self {
            Types::One(only) => only.is_of(value),
            Types::Some(several) => several.iter().any(|one| one.is_of(value)),
        }
    }
}

impl JsonType {
    fn is_of(self, value: &Value) -> bool {
        match self {
            JsonType::Null => value.is_null(),
            JsonType::Boolean => value.is_boolean(),
            JsonType::Integer => value.as_f64().is_some_and(|number| number.fract() == 0.0),
            JsonType::Number => value.is_number(),
            JsonType::String => value.is_string(),
            JsonType::Array => value.is_array(),
            JsonType::Object => value.is_object(),
        }
    }
}

fn beyond<T: PartialOrd + Display>(found: T, min: Option<T>, max: Option<T>) -> Option<String> {
    let too_small = min.filter(|min| found < *min).map(|min| format!("must be at least {min}"));
    too_small.or_else(|| max.filter(|max| found > *max).map(|max| format!("must be at most {max}")))
}

fn only_object(text: &str) -> Result<Value, String> {
    let start = text.find('{').ok_or("it contains no JSON object")?;
    let mut objects = serde_json::Deserializer::from_str(&text[start..]).into_iter::<Value>();
    let value = match objects.next() {
        Some(Ok(value)) => value,
        Some(Err(error)) => return Err(format!("it is not valid JSON: {error}")),
        None => return Err("it contains no JSON object".to_owned()),
    };
    if text[start + objects.byte_offset()..].contains('{') {
        return Err("it contains more than one JSON object".to_owned());
    }
    Ok(value)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Reads `text` and checks the result: `expected` is the status, or a word of the complaint.
    fn check(text: &str, expected: Result<&str, &str>) {
        let schema = Schema::new(json!({
            "type": "object",
            "properties": {"status": {"enum": ["PASS", "NEEDS_WORK"]}, "why": {"type": "string", "maxLength": 40}},
            "required": ["status"],
            "additionalProperties": false
        }));
        match (schema.unwrap().read(text), expected) {
            (Ok(value), Ok(status)) => assert_eq!(value["status"], status, "{text}"),
            (Err(why), Err(word)) => assert!(why.contains(word), "{text}: {why}"),
            (read, _) => panic!("{text}: {read:?}, expected {expected:?}"),
        }
    }

    #[test]
    fn reads_exactly_one_object() {
        check(r#"{"status":"PASS"}"#, Ok("PASS"));
        check("```json\n{\"status\":\"PASS\"}\n```", Ok("PASS"));
        check(
            "Here it is: {\"status\":\"NEEDS_WORK\",\"why\":\"a } in it\"} as you asked.",
            Ok("NEEDS_WORK"),
        );
        check("I would say PASS.", Err("no JSON object"));
        check(r#"{"status":"PASS"} {"status":"NEEDS_WORK"}"#, Err("more than one"));
        check(r#"{"status":"PASS",}"#, Err("not valid JSON"));
        check(r#"{'status':'PASS'}"#, Err("not valid JSON"));
        check(r#"{"status":"PASS" /* sure */}"#, Err("not valid JSON"));
        check(r#"{"status":NaN}"#, Err("not valid JSON"));
        check(r#"{"status":"PA"#, Err("not valid JSON"));
        check(r#"{"status":"NEEDS_WORK","why":'{"status":"PASS"}'}"#, Err("not valid JSON"));
        check(&format!("{{\"a\":{}", "[".repeat(5_000)), Err("not valid JSON"));
        check(r#"{"status":"pass"}"#, Err("/status"));
        check(r#"{"why":"no status"}"#, Err("status"));
        check(r#"{"status":"PASS","extra":1}"#, Err("extra"));
        check(&json!({"status": "PASS", "why": "x".repeat(100_000)}).to_string(), Err("/why"));
    }

    #[test]
    fn refuses_a_schema_it_cannot_use() {
        for schema in [
            json!({"type": "array"}),
            json!({"type": "object", "required": 3}),
            json!({"type": "object", "patternProperties": {"x": {}}}),
            json!(true),
        ] {
            assert_eq!(Schema::new(schema).unwrap_err().kind, ErrorKind::Misconfigured);
        }
    }

    /// Returns a schema with every rule that asks use.
    fn lesson_schema() -> Value {
        let text = json!({"type": "string", "minLength": 1, "maxLength": 3});
        let form = |form: &str, field: &str, rules: Value| {
            json!({
                "type": "object",
                "properties": {"form": {"const": form}, field: rules},
                "required": ["form", field],
                "additionalProperties": false
            })
        };
        let forms = [
            form("free", "a", text.clone()),
            form("order", "b", json!({"type": "array", "items": text, "minItems": 1, "maxItems": 2})),
        ];
        json!({
            "type": "object",
            "properties": {
                "a": {"type": ["string", "null"], "maxLength": 3},
                "b": {"anyOf": forms},
                "c": {"enum": ["x", "free"]},
                "d": {"type": "integer", "minimum": 0, "maximum": 2},
                "e": {"type": "number", "maximum": 1},
                "f": {"type": "boolean"},
            },
            "required": ["a"],
        })
    }

    fn any_value() -> impl Strategy<Value = Value> {
        let texts = prop::sample::select(vec!["", "x", "free", "order", "üüü"]).prop_map(Value::from);
        let numbers = prop::sample::select(vec![-1.0, 0.0, 0.5, 2.0, 7.0]).prop_map(Value::from);
        let leaf = prop_oneof![
            texts,
            numbers,
            any::<bool>().prop_map(Value::from),
            (-1..4).prop_map(Value::from),
            Just(Value::Null)
        ];
        leaf.prop_recursive(3, 12, 3, |inner| {
            prop_oneof![prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from), any_object(inner)]
        })
    }

    fn any_object(value: impl Strategy<Value = Value>) -> impl Strategy<Value = Value> {
        let name = prop::sample::select(vec!["a", "b", "c", "d", "e", "f", "form"]);
        prop::collection::btree_map(name, value, 0..4).prop_map(|fields| json!(fields))
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2_000))]
        #[test]
        fn judges_as_a_complete_validator_does(value in any_object(any_value())) {
            let read = Schema::new(lesson_schema()).unwrap().read(&value.to_string());
            let is_valid = jsonschema::is_valid(&lesson_schema(), &value);
            prop_assert_eq!(read.is_ok(), is_valid, "{}: {:?}", value, read);
        }
    }
}
