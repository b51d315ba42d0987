//! The question and the answer.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// One question to a model.
///
/// What a learner wrote belongs into a message only through [`quote_learner`](super::quote_learner).
#[derive(Clone, Debug)]
pub struct Ask {
    /// The flow instance that pays for the call.
    pub flow: String,
    /// The name of the question, for the record: `grade_plan`, not its text.
    pub name: String,
    pub system: String,
    /// At least one; the last is what the model answers.
    pub messages: Vec<Message>,
    /// The JSON schema of an object. With it the answer is a value, without it text.
    pub schema: Option<Value>,
    /// At most the configured number, which is also the default.
    pub max_output_tokens: Option<u32>,
    /// For the whole ask with its retries; at most the configured time, which is also the default.
    pub timeout_ms: Option<u64>,
    /// Decides which day's budget pays and how far away a server's retry date is.
    pub now: Timestamp,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    pub role: Role,
    pub text: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    User,
    Assistant,
}

/// A usable answer and what it took to get it, over all attempts.
#[derive(Clone, Debug, PartialEq)]
pub struct Reply {
    pub answer: Answer,
    pub finish: Finish,
    pub usage: Usage,
    /// Millionths of a US dollar; `None` when the model's prices are not configured.
    pub cost_microusd: Option<u64>,
    pub attempts: u32,
    pub took_ms: u64,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Answer {
    /// Satisfies the schema of the ask.
    Value(Value),
    Text(String),
}

/// Why the model stopped writing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Finish {
    Complete,
    /// The output limit cut the answer off.
    Cut,
}

/// Tokens as the server counted them, or the worst case where it did not say.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Usage {
    pub input_tokens: u64,
    pub output_tokens: u64,
}

impl Usage {
    pub fn total(self) -> u64 {
        self.input_tokens.saturating_add(self.output_tokens)
    }

    pub(super) fn plus(self, other: Usage) -> Usage {
        Usage {
            input_tokens: self.input_tokens.saturating_add(other.input_tokens),
            output_tokens: self.output_tokens.saturating_add(other.output_tokens),
        }
    }
}

impl Message {
    pub fn user(text: impl Into<String>) -> Self {
        Self { role: Role::User, text: text.into() }
    }

    pub fn assistant(text: impl Into<String>) -> Self {
        Self { role: Role::Assistant, text: text.into() }
    }
}

impl Answer {
    pub fn value(&self) -> Option<&Value> {
        match self {
            Answer::Value(value) => Some(value),
            Answer::Text(_) => None,
        }
    }

    pub fn text(&self) -> Option<&str> {
        match self {
            Answer::Text(text) => Some(text),
            Answer::Value(_) => None,
        }
    }
}
