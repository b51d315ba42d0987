//! Asks a model for a lesson or a second explanation where there is no curriculum, and reads the reply.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::bounds::{LINE_CHARS, PAGE_CHARS, PROSE_CHARS};
use super::{Concept, PackProblem, Question, Severity, reader};
use crate::ask::reply;
use crate::ask::shape::{list, object, text};
use crate::ask::{ModelAsk, Part};
use crate::authored::{At, Node, rules};
use crate::grade::Grade;
use crate::rejected::Rejected;

const MAX_WISH_CHARS: usize = 1_000;
/// A placeholder for the minutes of a lesson; the map has the real number.
const MINUTES: u32 = 15;
/// The number of a lesson's problems that the model is told.
const MAX_TOLD: usize = 8;
/// The id of a lesson. A lesson by itself has no other concept from which the id must differ.
const LESSON_ID: &str = "lesson";
const MAX_OUTPUT_TOKENS: u32 = 12_000;
const MAX_AGAIN_TOKENS: u32 = 3_000;
/// The number of usable questions below which the whole lesson is written again.
const MIN_USABLE: usize = 2;
const FORMS: &str = include_str!("prompts/forms.md");
/// The number of characters of the learner's answer that the next explanation may see.
const MAX_ANSWER_CHARS: usize = 1_000;
/// The time limit of a request. A lesson may take longer than a chat reply, but the learner is waiting for it.
const TIMEOUT_MS: u64 = 60_000;

/// Builds the request for the lesson about a concept, which has a label and perhaps a description. The topic and
/// the optional goal are the learner's words.
pub fn lesson_ask(
    (topic, goal): (&str, Option<&str>),
    (label, description): (&str, Option<&str>),
    number: u64,
    answered_by: &str,
) -> ModelAsk {
    // The task is JSON, so that no text of it can look like another line of the task.
    let task = json!({ "concept": label, "about": description });
    let wish = json!({ "topic": topic, "goal": goal }).to_string();
    ModelAsk {
        number,
        name: "teach_lesson".to_owned(),
        system: format!("{}{FORMS}", include_str!("prompts/lesson.md")),
        parts: vec![Part::Own(task.to_string()), Part::Learner(wish.chars().take(MAX_WISH_CHARS).collect())],
        schema: schema(),
        max_output_tokens: MAX_OUTPUT_TOKENS,
        timeout_ms: TIMEOUT_MS,
        answered_by: answered_by.to_owned(),
        shown: vec!["explain".to_owned(), "example".to_owned()],
    }
}

/// A question from a model that breaks a rule, with the reason.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Unusable {
    question: Value,
    why: String,
}

/// Reads a lesson by the rules of a curriculum. The model does not decide the concept's name or prerequisites.
/// Questions that break a rule are returned separately, if enough others are left.
pub fn read_lesson(reply: &Value, label: &str) -> Result<(Concept, Vec<Unusable>), Rejected> {
    let Some(mut lesson) = reply::object_with(reply, "questions") else {
        return Err(unusable_reply(
            "the reply has no lesson".to_owned(),
            "reply with explain, example and questions",
        ));
    };
    lesson.retain(|key, _| matches!(key.as_str(), "explain" | "example" | "questions" | "also"));
    lesson.insert("id".to_owned(), json!(LESSON_ID));
    lesson.insert("title".to_owned(), json!(label.chars().take(LINE_CHARS).collect::<String>()));
    lesson.insert("minutes".to_owned(), json!(MINUTES));
    let (usable, unusable) = sorted(lesson.get("questions").and_then(Value::as_array));
    if usable.len() >= MIN_USABLE {
        lesson.insert("questions".to_owned(), Value::Array(usable));
    }
    let (concept, problems) = reader::read_concept(&nowhere(node(&Value::Object(lesson))));
    let errors = told(&problems);
    match concept {
        Some(concept) if errors.is_empty() => Ok((concept, unusable)),
        _ => Err(unusable_reply(errors.join("; "), "correct these and reply with the whole lesson")),
    }
}

/// Builds the request to write unusable questions again.
pub fn mend_ask(lesson: &Concept, unusable: &[Unusable], number: u64, answered_by: &str) -> ModelAsk {
    let task = json!({ "concept": lesson.title, "explained": lesson.explain, "questions": unusable });
    ModelAsk {
        number,
        name: "teach_mend".to_owned(),
        system: format!("{}{FORMS}", include_str!("prompts/mend.md")),
        parts: vec![Part::Own(task.to_string())],
        schema: object([("questions", schema()["properties"]["questions"].take())]),
        max_output_tokens: MAX_OUTPUT_TOKENS,
        timeout_ms: TIMEOUT_MS,
        answered_by: answered_by.to_owned(),
        shown: Vec::new(),
    }
}

/// Reads the questions that a model has rewritten. Those that still break a rule are left out. Refuses a reply in
/// which every question breaks one.
pub fn read_mended(reply: &Value) -> Result<Vec<Question>, Rejected> {
    let object = reply::object_with(reply, "questions").unwrap_or_default();
    let (usable, unusable) = sorted(object.get("questions").and_then(Value::as_array));
    match (usable.is_empty(), unusable.first()) {
        (true, Some(Unusable { why, .. })) => {
            Err(unusable_reply(why.clone(), "correct this and reply with the questions"))
        }
        _ => Ok(usable
            .iter()
            .filter_map(|question| reader::read_question(&nowhere(node(question))).0)
            .collect()),
    }
}

/// Separates the questions that keep the rules from those that do not.
fn sorted(questions: Option<&Vec<Value>>) -> (Vec<Value>, Vec<Unusable>) {
    let (mut usable, mut unusable) = (Vec::new(), Vec::new());
    for question in questions.into_iter().flatten() {
        let (_, problems) = reader::read_question(&nowhere(node(question)));
        match told(&problems).as_slice() {
            [] => usable.push(question.clone()),
            errors => unusable.push(Unusable { question: question.clone(), why: errors.join("; ") }),
        }
    }
    (usable, unusable)
}

fn told(problems: &[PackProblem]) -> Vec<String> {
    let errors = problems.iter().filter(|problem| problem.severity == Severity::Error);
    errors.map(|problem| format!("{} ({})", problem.message, problem.cure)).take(MAX_TOLD).collect()
}

/// Builds the request for another explanation of a concept whose quiz went wrong. The last question `asked` and
/// the text `answered` show where the first explanation failed.
pub fn again_ask(
    lesson: &Concept,
    (asked, answered, grade): (&str, &str, &Grade),
    number: u64,
    answered_by: &str,
) -> ModelAsk {
    let task = json!({
        "concept": lesson.title,
        "explained": lesson.explain,
        "example": lesson.example,
        "asked": asked,
        "good_answer": grade.answer,
        "missing": grade.missing,
    });
    ModelAsk {
        number,
        name: "teach_again".to_owned(),
        system: include_str!("prompts/again.md").to_owned(),
        parts: vec![
            Part::Own(task.to_string()),
            Part::Learner(answered.chars().take(MAX_ANSWER_CHARS).collect()),
        ],
        schema: object([("again", text(PROSE_CHARS))]),
        max_output_tokens: MAX_AGAIN_TOKENS,
        timeout_ms: TIMEOUT_MS,
        answered_by: answered_by.to_owned(),
        shown: vec!["again".to_owned()],
    }
}

/// Reads a second explanation.
pub fn read_again(reply: &Value) -> Result<String, Rejected> {
    let object = reply::object_with(reply, "again").unwrap_or_default();
    let text = object.get("again").and_then(Value::as_str).unwrap_or_default().trim();
    match text.chars().count() {
        1..=PROSE_CHARS if rules::control_character(text).is_none() => Ok(text.to_owned()),
        _ => Err(unusable_reply(
            format!("the reply has no explanation of 1 to {PROSE_CHARS} characters"),
            "reply with {\"again\": \"…\"}",
        )),
    }
}

fn unusable_reply(message: String, cure: &str) -> Rejected {
    Rejected { code: "bad_model_answer", message: message.into(), cure: cure.into() }
}

fn nowhere<T>(value: T) -> At<T> {
    At { value, line: 0, column: 0 }
}

/// Converts JSON to the tree that the reader reads.
fn node(value: &Value) -> Node {
    let fields = |fields: &Map<String, Value>| {
        fields.iter().map(|(key, value)| (nowhere(key.clone()), nowhere(node(value)))).collect()
    };
    match value {
        Value::Null => Node::Nothing,
        Value::Bool(truth) => Node::Truth(*truth),
        Value::Number(number) => {
            number.as_u64().map_or_else(|| Node::Number(Some(number.clone())), Node::Whole)
        }
        Value::String(text) => Node::Text(text.clone()),
        Value::Array(values) => Node::List(values.iter().map(|value| nowhere(node(value))).collect()),
        Value::Object(map) => Node::Map(fields(map)),
    }
}

fn schema() -> Value {
    let texts = |count| list(text(LINE_CHARS), count);
    let idea = object([("idea", text(LINE_CHARS)), ("any", texts(1..=30))]);
    let wrong = object([("any", texts(1..=20)), ("says", text(PROSE_CHARS))]);
    let right = json!({"type": "boolean"});
    let option = object([("text", text(PROSE_CHARS)), ("right?", right), ("says?", text(PROSE_CHARS))]);
    let form = |name: &str| ("form", json!({"const": name}));
    let ask = || ("ask", text(PROSE_CHARS));
    let forms = [
        object([
            form("free"),
            ask(),
            ("ideas", list(idea, 1..=3)),
            ("misconceptions?", list(wrong, 0..=3)),
            ("answer", text(PROSE_CHARS)),
        ]),
        object([form("choice"), ask(), ("options", list(option, 3..=5))]),
        object([
            form("cloze"),
            ("ask?", text(PROSE_CHARS)),
            ("text", text(PROSE_CHARS)),
            ("blanks", list(texts(1..=20), 1..=4)),
        ]),
        object([form("order"), ask(), ("steps", list(text(PROSE_CHARS), 3..=6))]),
        object([
            form("number"),
            ask(),
            ("answer", text(LINE_CHARS)),
            ("tolerance?", text(LINE_CHARS)),
            ("says?", text(PROSE_CHARS)),
        ]),
    ];
    let questions = list(json!({"anyOf": forms}), 1..=8);
    object([("explain", text(PAGE_CHARS)), ("example", text(PAGE_CHARS)), ("questions", questions)])
}
