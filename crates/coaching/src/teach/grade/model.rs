//! Grading by a model: what it is asked, and what of its reply is believed.
//!
//! A model points at words; it does not give marks. Every quotation must be found again in the answer, and must
//! have something to do with the idea it is quoted for: a learner who writes "return PASS" can be quoted, but not
//! as evidence.

use std::collections::HashSet;
use std::ops::Range;

use serde::Deserialize;
use serde_json::{Value, json};

use super::reading::{Flavour, Reading, Token};
use super::wording::COMMON_WORDS;
use super::{Grade, MAX_ANSWER_CHARS, Mistake, free, phrases, quotable};
use crate::ask::{ModelAsk, Part};
use crate::teach::curriculum::{Free, reply};
use crate::turn::Rejected;

const MAX_FEEDBACK_CHARS: usize = 600;
const MAX_QUOTE_CHARS: usize = 300;
const MAX_OUTPUT_TOKENS: u32 = 1_500;
const TIMEOUT_MS: u64 = 20_000;

/// Asks a model to find the ideas of a question about a concept in an answer. The other forms need no model.
pub fn grade_ask(free: &Free, concept: &str, answer: &str, number: u64, answered_by: &str) -> ModelAsk {
    ModelAsk {
        number,
        name: "teach_grade".to_owned(),
        system: include_str!("../prompts/grade.md").to_owned(),
        parts: vec![
            Part::Own(task(free, concept)),
            Part::Learner(answer.chars().take(MAX_ANSWER_CHARS).collect()),
        ],
        schema: schema(free),
        max_output_tokens: MAX_OUTPUT_TOKENS,
        timeout_ms: TIMEOUT_MS,
        answered_by: answered_by.to_owned(),
    }
}

/// Reads a model's reply about an answer. The quality is computed from what is found again, by the rule of
/// [`grade`](super::grade()).
pub fn accept_model_grade(free: &Free, answer: &str, reply: &Value) -> Result<Grade, Rejected> {
    let end = answer.char_indices().nth(MAX_ANSWER_CHARS).map_or(answer.len(), |(at, _)| at);
    let answer = &answer[..end];
    let reply = read(free, reply)?;
    let reading = Reading::new(answer, Flavour::Plain);
    if free::is_blank(&reading.tokens) {
        return Ok(Grade { answer: free.answer.clone(), ..Grade::blank(phrases::NO_ANSWER) });
    }
    let mut ideas = vec![None; free.ideas.len()];
    for said in reply.ideas.iter().filter(|said| said.found) {
        let subject = subject(free, &free.ideas[said.idea].any);
        let hit = evidence(&reading, &said.quote, &subject);
        ideas[said.idea] = ideas[said.idea].take().or(hit.map(|at| (quotable(&answer[at.clone()]), at)));
    }
    let mistake = reply.misconceptions.iter().find_map(|said| {
        let wrong = &free.misconceptions[said.misconception];
        let at = evidence(&reading, &said.quote, &subject(free, &wrong.any))?;
        Some(Mistake { words: quotable(&answer[at.clone()]), at, says: wrong.says.clone() })
    });
    let mut grade = free::judge(free, ideas, mistake, false);
    grade.answer = free.answer.clone();
    // What a model says to the learner must fit the verdict it asked for.
    let is_believed = grade.found.len() == reply.ideas.iter().filter(|said| said.found).count();
    let feedback: String = quotable(reply.feedback.trim()).chars().take(MAX_FEEDBACK_CHARS).collect();
    if is_believed && !feedback.is_empty() {
        grade.feedback = feedback;
    }
    Ok(grade)
}

#[derive(Debug, Deserialize)]
struct Reply {
    ideas: Vec<SaidIdea>,
    #[serde(default)]
    misconceptions: Vec<SaidMisconception>,
    #[serde(default)]
    feedback: String,
}

#[derive(Debug, Deserialize)]
struct SaidIdea {
    idea: usize,
    found: bool,
    #[serde(default)]
    quote: String,
}

#[derive(Debug, Deserialize)]
struct SaidMisconception {
    misconception: usize,
    #[serde(default)]
    quote: String,
}

fn read(free: &Free, reply: &Value) -> Result<Reply, Rejected> {
    let cure = "reply with one JSON object: ideas, misconceptions, feedback";
    let object =
        reply::object_with(reply, "ideas").ok_or_else(|| unusable("the reply has no ideas", cure))?;
    let reply = Reply::deserialize(Value::Object(object))
        .map_err(|error| unusable(&format!("the reply cannot be read: {error}"), cure))?;
    let (ideas, wrong) = (free.ideas.len(), free.misconceptions.len());
    if let Some(said) = reply.ideas.iter().find(|said| said.idea >= ideas) {
        return Err(unusable(&format!("there is no idea {}", said.idea), "use the numbers of the task"));
    }
    if let Some(said) = reply.misconceptions.iter().find(|said| said.misconception >= wrong) {
        let message = format!("there is no misconception {}", said.misconception);
        return Err(unusable(&message, "use the numbers of the task"));
    }
    Ok(reply)
}

/// Where the quotation stands in the answer, word for word, when it bears on the subject.
fn evidence(reading: &Reading, quote: &str, subject: &HashSet<String>) -> Option<Range<usize>> {
    let quote: String = quote.chars().take(MAX_QUOTE_CHARS).collect();
    let quoted = Reading::new(&quote, Flavour::Plain).tokens;
    let is_there =
        |words: &[Token]| words.iter().zip(&quoted).all(|(word, quoted)| word.letters == quoted.letters);
    let bears_on = quoted.iter().any(|token| subject.iter().any(|word| is_akin(word, &token.letters)));
    let at = reading.tokens.windows(quoted.len().max(1)).position(is_there)?;
    (bears_on && !quoted.is_empty()).then(|| reading.source(at..at + quoted.len()))
}

/// The words that mean something in the wordings and in the model answer.
fn subject(free: &Free, any: &[String]) -> HashSet<String> {
    let texts = any.iter().chain([&free.answer]);
    let words = texts.flat_map(|text| Reading::new(text, Flavour::Plain).tokens).map(|token| token.letters);
    words
        .filter(|word| !COMMON_WORDS.contains(&word.as_str()) && !LITTLE_WORDS.contains(&word.as_str()))
        .collect()
}

const LITTLE_WORDS: &[&str] =
    &["a", "an", "as", "at", "be", "by", "do", "in", "is", "it", "no", "of", "on", "or", "so", "to"];

/// The same word, perhaps with another ending.
fn is_akin(a: &str, b: &str) -> bool {
    const STEM_CHARS: usize = 5;
    let stem = |word: &str| word.chars().take(STEM_CHARS).collect::<String>();
    a == b || (a.chars().count().min(b.chars().count()) >= STEM_CHARS && stem(a) == stem(b))
}

/// The rubric as JSON, so that no text of it can look like another line of the task.
fn task(free: &Free, concept: &str) -> String {
    let ideas: Vec<Value> = free
        .ideas
        .iter()
        .enumerate()
        .map(|(number, idea)| json!({ "number": number, "idea": idea.idea, "wordings": idea.any }))
        .collect();
    let wrong: Vec<Value> = free
        .misconceptions
        .iter()
        .enumerate()
        .map(|(number, wrong)| json!({ "number": number, "wordings": wrong.any, "correction": wrong.says }))
        .collect();
    json!({ "concept": concept, "question": free.ask, "ideas": ideas, "misconceptions": wrong, "good_answer": free.answer }).to_string()
}

fn schema(free: &Free) -> Value {
    let quote = json!({"type": "string", "maxLength": MAX_QUOTE_CHARS});
    let number = |count: usize| json!({"type": "integer", "minimum": 0, "maximum": count.saturating_sub(1)});
    let object = |properties: Value, required: &[&str]| json!({"type": "object", "properties": properties, "required": required, "additionalProperties": false});
    let (ideas, wrong) = (free.ideas.len(), free.misconceptions.len());
    let idea = object(
        json!({"idea": number(ideas), "found": {"type": "boolean"}, "quote": quote}),
        &["idea", "found", "quote"],
    );
    let misconception =
        object(json!({"misconception": number(wrong), "quote": quote}), &["misconception", "quote"]);
    object(
        json!({
            "ideas": {"type": "array", "items": idea, "minItems": ideas, "maxItems": ideas},
            "misconceptions": {"type": "array", "items": misconception, "maxItems": wrong},
            "feedback": {"type": "string", "maxLength": MAX_FEEDBACK_CHARS},
        }),
        &["ideas", "misconceptions", "feedback"],
    )
}

fn unusable(message: &str, cure: &str) -> Rejected {
    Rejected { code: "bad_model_answer", message: message.to_owned(), cure: cure.to_owned() }
}
