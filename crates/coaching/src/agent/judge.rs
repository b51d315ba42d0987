//! Judges a stop, by a model if one is configured, otherwise by the rules.
//!
//! The report of the agent's own program counts for more than any model. A message that talks to the classifier
//! goes to the rules, which cannot be persuaded. If the rules are sure that a human is needed, no model sends the
//! agent on.

use super::classify::is_told_by_agent;
use super::coach::CoachContext;
use super::flow::Event;
use super::reply::{REPLY_SCHEMA, model_input, parse_reply};
use super::session::Stop;
use super::verdict::{ClassificationResult, OutputType};
use crate::ask::{ModelAsk, Part};
use crate::rejected::Rejected;
use crate::text::{Phrase, Words};
use serde_json::Value;

/// The number of characters of a message that a model is shown: the beginning says what it is about, the end what
/// follows.
const HEAD_CHARS: usize = 1_000;
const TAIL_CHARS: usize = 5_000;
const MAX_OUTPUT_TOKENS: u32 = 500;
/// The rules' confidence in a question or a blocker from which a model cannot send the agent on.
const SURE: f64 = 0.90;

/// Phrases with which a message would speak to the classifier.
const ADDRESSES: &[&str] = &[
    "output_type",
    "output type",
    "coaching_message",
    "agent_output",
    "the classifier",
    "this classifier",
    "dear classifier",
    "classify this",
    "classify me",
    "classify the message",
    "with confidence",
    "ignore your instructions",
    "ignore previous instructions",
    "ignore all previous",
    "ignore the above",
    "your instructions",
    "system prompt",
    "system coach",
];

/// Returns the question to the model, or `None` if the rules should judge this stop.
pub(super) fn question(context: &CoachContext, number: u64) -> Option<ModelAsk> {
    let stop = context.stop;
    let timeout_ms = stop.model_ms?;
    if stop.text.trim().is_empty() || is_told_by_agent(&stop.signals) || speaks_to_classifier(&stop.text) {
        return None;
    }
    Some(ModelAsk {
        number,
        name: "agent_verdict".to_owned(),
        system: context.playbook.prompt.clone(),
        parts: vec![Part::Learner(model_input(&excerpt(&stop.text), context))],
        schema: serde_json::from_str(REPLY_SCHEMA).unwrap_or_default(),
        max_output_tokens: MAX_OUTPUT_TOKENS,
        timeout_ms,
        answered_by: Event::Judged.name().to_owned(),
        shown: Vec::new(),
    })
}

pub(super) fn by_rules(stop: &Stop) -> ClassificationResult {
    stop.said.by_rules()
}

/// Reads the verdict in a model's reply. A reply that cannot be read is rejected, and the model is told why. Where
/// the rules see an error or are sure of a call for a human, their verdict replaces a model's "status".
pub(super) fn by_model(stop: &Stop, reply: &Value) -> Result<ClassificationResult, Rejected> {
    let verdict = parse_reply(&reply.to_string(), stop.said.min_confidence()).map_err(|error| Rejected {
        code: "bad_verdict",
        message: error.to_string().into(),
        cure: "send one JSON object as the schema says".into(),
    })?;
    let rules = by_rules(stop);
    let is_for_human = match rules.output_type {
        OutputType::Error => true,
        OutputType::Question | OutputType::Blocker => rules.confidence >= SURE,
        OutputType::Status | OutputType::Completion => false,
    };
    Ok(if is_for_human && verdict.output_type == OutputType::Status { rules } else { verdict })
}

fn speaks_to_classifier(text: &str) -> bool {
    let words = Words::new(text);
    ADDRESSES.iter().filter_map(|address| Phrase::new(address)).any(|address| words.contains(&address))
}

fn excerpt(text: &str) -> String {
    let count = text.chars().count();
    if count <= HEAD_CHARS + TAIL_CHARS {
        return text.to_owned();
    }
    let head: String = text.chars().take(HEAD_CHARS).collect();
    let tail: String = text.chars().skip(count - TAIL_CHARS).collect();
    format!("{head}\n\n[…]\n\n{tail}")
}
