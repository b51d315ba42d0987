//! Writes a model's input about an agent's output, and reads its reply.

use serde_json::{Map, Value, json};

use super::coach::CoachContext;
use super::redact::redact;
use super::verdict::{ClassificationResult, OutputType};
use super::work::Run;
use crate::turn::Source;

/// The instructions and examples for the model.
pub const CLASSIFIER_PROMPT: &str = include_str!("prompts/classifier.md");
/// The JSON schema of the model's reply.
pub const REPLY_SCHEMA: &str = include_str!("prompts/classifier.schema.json");

const MAX_REPLY_BYTES: usize = 64 << 10;
const MAX_TEXT_CHARS: usize = 600;
const MAX_WORDS: usize = 6;

/// Returns the agent's output as data for the model, with the human's request and the work that was seen: one JSON
/// object, cut as the rules cut it and without secrets. Inside a JSON string, no text can pass for an instruction.
pub fn model_input(text: &str, context: &CoachContext) -> String {
    let output = redact(&super::message::plain(text));
    let CoachContext { stop, prompt, task, .. } = context;
    let mut input = json!({ "agent_output": output, "signals": stop.signals });
    for (name, said) in [("task", task), ("last_prompt", prompt)] {
        if let Some(said) = said {
            input[name] = json!(redact(said));
        }
    }
    if let Some(work) = &stop.work {
        let runs: Vec<Value> = work.runs.iter().rev().take(5).map(run).collect();
        let todos: Vec<Value> =
            work.todos.iter().map(|todo| json!({"item": todo.text, "done": todo.is_done})).collect();
        input["seen"] = json!({"todos": todos, "files_changed": work.changed, "last_runs": runs});
    }
    if let Some(check) = &stop.check {
        input["check"] = json!({"command": check.command, "passed": check.passed, "lines": check.lines});
    }
    input.to_string()
}

fn run(run: &Run) -> Value {
    json!({"command": run.command, "failed": run.has_failed, "after_last_change": run.is_after_change, "lines": run.output})
}

/// The reason why a reply cannot be used. The model is asked once more, then the rules decide.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ParseError {
    #[error("the reply is longer than {MAX_REPLY_BYTES} bytes; ask for one JSON object only")]
    TooLong,
    #[error("the reply has no JSON object with an output_type; ask for one")]
    NoObject,
    #[error("the reply has {0} verdicts; ask for one")]
    Ambiguous(usize),
    #[error("{field} {problem}; ask again with the schema")]
    WrongField { field: &'static str, problem: &'static str },
}

/// Reads the verdict in a reply. Fences and prose around the object do not matter; the types in it do.
pub fn parse_reply(reply: &str, min_confidence: f64) -> Result<ClassificationResult, ParseError> {
    if reply.len() > MAX_REPLY_BYTES {
        return Err(ParseError::TooLong);
    }
    let mut verdicts = verdicts(reply);
    verdicts.dedup();
    let [verdict] = verdicts.as_slice() else {
        return Err(if verdicts.is_empty() {
            ParseError::NoObject
        } else {
            ParseError::Ambiguous(verdicts.len())
        });
    };
    let output_type = output_type(verdict)?;
    // Coaching is for agents that go on; beside any other verdict it is a model's habit.
    let coaching_message = text(verdict, "coaching_message")?.filter(|_| output_type == OutputType::Status);
    let result = ClassificationResult {
        output_type,
        confidence: confidence(verdict)?,
        reason: text(verdict, "reason")?
            .ok_or(ParseError::WrongField { field: "reason", problem: "is missing" })?
            .into(),
        was_rejected_completion: coaching_message.is_some(),
        coaching_message,
        source: Source::Model,
        words: words(verdict)?,
    };
    Ok(result.settled(min_confidence))
}

/// Returns every outermost JSON object in the reply that has a type.
fn verdicts(reply: &str) -> Vec<Map<String, Value>> {
    let mut found = Vec::new();
    let mut from = 0;
    while let Some(at) = reply[from..].find('{').map(|at| from + at) {
        let mut objects = serde_json::Deserializer::from_str(&reply[at..]).into_iter::<Map<String, Value>>();
        match objects.next() {
            Some(Ok(object)) => {
                from = at + objects.byte_offset();
                found.extend(Some(object).filter(|object| type_of(object).is_some()));
            }
            _ => from = at + 1,
        }
    }
    found
}

/// Returns the type in a verdict. Models write `type` as often as `output_type`.
fn type_of(verdict: &Map<String, Value>) -> Option<&Value> {
    verdict.get("output_type").or_else(|| verdict.get("type"))
}

fn output_type(verdict: &Map<String, Value>) -> Result<OutputType, ParseError> {
    let written = type_of(verdict).and_then(Value::as_str).map(str::trim).unwrap_or_default();
    let known = OutputType::ALL.into_iter().find(|class| class.as_str().eq_ignore_ascii_case(written));
    known.ok_or(ParseError::WrongField { field: "output_type", problem: "is none of the five types" })
}

fn confidence(verdict: &Map<String, Value>) -> Result<f64, ParseError> {
    let number = verdict.get("confidence").and_then(Value::as_f64);
    let within = number.filter(|number| (0.0..=1.0).contains(number));
    within.ok_or(ParseError::WrongField { field: "confidence", problem: "is not a number from 0 to 1" })
}

/// Reads a text, or nothing where it is null, missing or blank.
fn text(verdict: &Map<String, Value>, field: &'static str) -> Result<Option<String>, ParseError> {
    match verdict.get(field) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(text)) => {
            let text: String = text.trim().chars().take(MAX_TEXT_CHARS).collect();
            Ok(Some(text).filter(|text| !text.is_empty()))
        }
        Some(_) => Err(ParseError::WrongField { field, problem: "is not text" }),
    }
}

fn words(verdict: &Map<String, Value>) -> Result<Vec<String>, ParseError> {
    let wrong = ParseError::WrongField { field: "words", problem: "is not a list of texts" };
    match verdict.get("words") {
        None | Some(Value::Null) => Ok(Vec::new()),
        Some(Value::Array(words)) => {
            let texts = words.iter().take(MAX_WORDS).map(|word| word.as_str().map(str::to_owned));
            texts.collect::<Option<Vec<_>>>().ok_or(wrong)
        }
        Some(_) => Err(wrong),
    }
}
