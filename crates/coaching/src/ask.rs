//! Defines a question to a language model, as a value, and its outcome.
//!
//! A flow does not wait for a model. It leaves a [`ModelAsk`] as an effect and continues when an event brings a
//! [`ModelAnswer`]: the reply, or the reason why there is none. Without a reply, the flow's own rules answer. A
//! flow rejects an unusable reply; the caller may then tell the model why, once.

pub(crate) mod early;
pub(crate) mod reply;
pub(crate) mod shape;

use crate::rejected::Rejected;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// The kind of effect that a [`ModelAsk`] is.
pub const MODEL_KIND: &str = "model";

/// The field of an event's payload in which a [`ModelAnswer`] travels.
const FIELD: &str = "model";

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ModelAsk {
    /// The number of this ask among those of its flow. The answer repeats it.
    pub number: u64,
    /// The name of the question, for the record.
    pub name: String,
    pub system: String,
    pub parts: Vec<Part>,
    /// The JSON schema of the reply, which is an object.
    pub schema: Value,
    pub max_output_tokens: u32,
    /// The time that the answer may take, repairs included.
    pub timeout_ms: u64,
    /// The event that brings the answer.
    pub answered_by: String,
    /// The texts of the reply, by field, that the learner may read while they are written. Each sentence of them
    /// must be fit to be read whatever follows. A field that needs a look at the whole reply is not listed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub shown: Vec<String>,
}

/// A part of the question.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Part {
    /// Written by the flow.
    Own(String),
    /// Written by the learner: data, which the caller marks as such.
    Learner(String),
}

/// Returns the payload of an ask as a learner may read it: the parts that they wrote themselves. The flow's own
/// parts may say what a good answer is.
pub fn learners_part(mut payload: Value) -> Value {
    if let Some(parts) = payload["parts"].as_array_mut() {
        parts.retain(|part| part.get("learner").is_some());
    }
    payload
}

/// The outcome of an ask.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ModelAnswer {
    /// The number of the ask.
    pub ask: u64,
    #[serde(flatten)]
    pub result: ModelResult,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ModelResult {
    /// A value that satisfies the schema. Whether it makes sense is for the flow to judge.
    Reply(Value),
    /// The reason why there is no reply.
    Failed(String),
}

impl ModelAsk {
    /// Returns the part of an unfinished reply that the learner may read: whole sentences of the fields in `shown`.
    pub fn early(&self, written: &str) -> String {
        early::sentences(written, &self.shown)
    }
}

impl ModelAnswer {
    /// Returns the answer as the payload of an event.
    pub fn payload(&self) -> Value {
        json!({ FIELD: self })
    }

    /// Reads the answer in the payload of an event, if there is one. Refuses an answer that cannot be read.
    pub fn read(payload: &Value) -> Result<Option<ModelAnswer>, Rejected> {
        let Some(answer) = payload.get(FIELD) else { return Ok(None) };
        let answer = ModelAnswer::deserialize(answer).map_err(|error| Rejected {
            code: "bad_model_answer",
            message: format!("the answer of a model cannot be read: {error}").into(),
            cure: "send {\"model\": {\"ask\": NUMBER, \"reply\": …}}, or `failed` with a reason in place of `reply`"
                .into(),
})?;
        Ok(Some(answer))
    }
}
