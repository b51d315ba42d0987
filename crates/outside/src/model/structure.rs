//! From the words of a model to a value that satisfies a schema.
//!
//! Around the object anything may stand (prose, a code fence), but there must be exactly one object and it
//! must be plain JSON. Picking "the best" of several would let a learner plant an answer that the model
//! merely repeats.

use jsonschema::Validator;
use serde_json::Value;

use super::ModelError;

const ERRORS_MAX: usize = 4;
const ERROR_MAX_CHARS: usize = 200;

/// A schema ready to judge replies.
#[derive(Debug)]
pub(super) struct Schema {
    pub(super) json: Value,
    validator: Validator,
}

impl Schema {
    pub(super) fn new(json: Value) -> Result<Self, ModelError> {
        let misconfigured = |what: String| ModelError::Misconfigured {
            what,
            cure: "correct the schema of the ask".to_owned(),
        };
        if json.get("type").and_then(Value::as_str) != Some("object") {
            return Err(misconfigured("the schema of an ask must describe an object".to_owned()));
        }
        let validator = jsonschema::validator_for(&json)
            .map_err(|error| misconfigured(format!("the schema is not valid: {error}")))?;
        Ok(Self { json, validator })
    }

    /// The one object in `text`, or what is wrong in words that help the model to do better.
    pub(super) fn read(&self, text: &str) -> Result<Value, String> {
        let value = only_object(text)?;
        let errors: Vec<String> = self.validator.iter_errors(&value).take(ERRORS_MAX).map(describe).collect();
        if errors.is_empty() { Ok(value) } else { Err(errors.join("; ")) }
    }
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

fn describe(error: jsonschema::ValidationError<'_>) -> String {
    let place = error.instance_path().to_string();
    let place = if place.is_empty() { "the object".to_owned() } else { place };
    format!("{place}: {error}").chars().take(ERROR_MAX_CHARS).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    /// `expected` is the status that is read, or a word of the complaint.
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
        for schema in [json!({"type": "array"}), json!({"type": "object", "required": 3}), json!(true)] {
            assert!(matches!(Schema::new(schema), Err(ModelError::Misconfigured { .. })));
        }
    }
}
