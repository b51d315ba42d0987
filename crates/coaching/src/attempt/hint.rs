//! Lets a model reword a hint. The problem's own hints say what may be told; a model may say that in other words,
//! and anything that says more is discarded.

use super::data::Data;
use super::guard;
use crate::ask::{ModelAsk, Part, shape};
use crate::grade::share_of;
use crate::problems::{HINTS, Problem};
use serde_json::{Value, json};

const MAX_OUTPUT_TOKENS: u32 = 400;
const TIMEOUT_MS: u64 = 8_000;
const MAX_PROGRAM_CHARS: usize = 4_000;
/// The maximum number of characters by which a text may exceed the hint. A longer text says more.
const MAX_MORE_CHARS: usize = 120;
/// The minimum share of the hint that a reworded text must say, and the minimum share of the text that must come
/// from the hint, the statement or the learner's program.
const SAID: f32 = 0.25;
const KNOWN: f32 = 0.5;

/// Returns the level of a hint, by its number.
pub(super) fn level(number: u32) -> usize {
    (number as usize).clamp(1, HINTS)
}

/// Returns the hint of a level as its author wrote it.
pub(super) fn authored(problem: &Problem, level: usize) -> &str {
    problem.hints.get(level - 1).map_or("", String::as_str)
}

/// Asks a model to say a hint in other words.
pub(super) fn model_ask(problem: &Problem, data: &Data, level: usize) -> ModelAsk {
    let task = json!({
        "statement": problem.statement,
        "hint": authored(problem, level),
        "level": level,
        "language": data.language,
    });
    let program = data.code.as_deref().unwrap_or_default();
    ModelAsk {
        number: data.asks,
        name: "attempt_hint".to_owned(),
        system: include_str!("prompts/hint.md").to_owned(),
        parts: vec![Part::Own(task.to_string()), Part::Learner(super::cut(program, MAX_PROGRAM_CHARS))],
        schema: shape::object([("hint", json!({"type": "string", "minLength": 1}))]),
        max_output_tokens: MAX_OUTPUT_TOKENS,
        timeout_ms: TIMEOUT_MS,
        answered_by: "phrased".to_owned(),
        shown: Vec::new(),
    }
}

/// Returns the model's words, if they say the hint and nothing else.
pub(super) fn accept(problem: &Problem, data: &Data, level: usize, reply: &Value) -> Option<String> {
    let text = reply["hint"].as_str().map(str::trim).filter(|text| !text.is_empty())?;
    let hint = authored(problem, level);
    let is_short = text.chars().count() <= hint.chars().count() + MAX_MORE_CHARS;
    let is_prose = !text.contains("```") && text.chars().all(|c| !c.is_control() || c == '\n');
    let says_it = share_of(hint, text, &[]).is_some_and(|(share, _)| share >= SAID);
    let known = [hint, &problem.statement, data.code.as_deref().unwrap_or_default()].join("\n");
    let is_known = share_of(text, &known, &[]).is_some_and(|(share, _)| share >= KNOWN);
    let says_more = guard::tells_more(problem, data, hint, text);
    (is_short && is_prose && says_it && is_known && !says_more).then(|| text.to_owned())
}
