//! The question, the answer, and the record that is kept of both.

use std::fmt::Display;

use jiff::Timestamp;
use serde::Serialize;
use serde_json::Value;

use super::{Spend, Wire};

/// One question to a model.
///
/// Text by a learner goes into a message only through [`quote_learner`](super::quote_learner).
#[derive(Clone, Debug)]
pub struct Ask {
    /// The flow instance that pays for the call.
    pub flow: String,
    /// The name of the question for the record, such as `grade_plan`; not its text.
    pub name: String,
    pub system: String,
    /// The conversation, with at least one message; the model answers the last.
    pub messages: Vec<Message>,
    /// The JSON schema of the answer, which is an object.
    pub schema: Value,
    /// The most tokens of the answer: at most the configured number, which is also the default.
    pub max_output_tokens: Option<u32>,
    /// The time for the whole ask with its retries: at most the configured time, which is also the default.
    pub timeout_ms: Option<u64>,
    /// The time of the ask. It decides which day's budget pays and how far away a server's retry date is.
    pub now: Timestamp,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    pub role: Role,
    pub text: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    User,
    Assistant,
}

/// A callback that hears the text a model has written so far, unchecked. If the model is asked again, the text
/// starts empty again.
pub type Hear<'a> = &'a (dyn Fn(&str) + Send + Sync);

#[derive(Clone, Debug, PartialEq)]
pub struct Reply {
    /// The answer, which satisfies the schema of the ask.
    pub answer: Value,
    pub record: CallRecord,
}

/// The log line of an ask: enough to account for it, but no prompt, no reply and no key.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CallRecord {
    pub flow: String,
    pub ask: String,
    pub wire: Wire,
    pub model: String,
    /// The number of requests sent, including retries and the repair.
    pub attempts: u32,
    /// The tokens of all attempts.
    pub usage: Usage,
    /// The cost in millionths of a US dollar; `None` if the model's prices are not configured.
    pub cost_microusd: Option<u64>,
    pub took_ms: u64,
    pub outcome: Outcome,
}

/// Tokens as the server counted them, or the worst case if it did not say.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Usage {
    pub input_tokens: u64,
    pub output_tokens: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    Answered,
    /// The caller dropped the ask.
    Abandoned,
    #[serde(untagged)]
    Failed(ErrorKind),
}

/// The reason why an ask has no answer, and a cure. The caller's own rules can always answer instead.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{what}; {cure}")]
pub struct ModelError {
    pub kind: ErrorKind,
    pub what: String,
    pub cure: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ErrorKind {
    TimedOut,
    OverBudget,
    /// The model refused; asking again is pointless.
    Refused,
    RateLimited,
    /// The reply was unusable, even after the model was told why.
    BadReply,
    /// The prompt does not fit the model, even without its older messages.
    TooLong,
    Unauthorized,
    /// Nothing usable came over the wire: no connection, a cut connection, or a failing server.
    Unreachable,
    /// Only a change of the configuration, or of the program, helps.
    Misconfigured,
}

impl Message {
    pub fn user(text: impl Into<String>) -> Self {
        Self { role: Role::User, text: text.into() }
    }

    pub fn assistant(text: impl Into<String>) -> Self {
        Self { role: Role::Assistant, text: text.into() }
    }
}

impl CallRecord {
    /// Returns the spend of the ask. Every attempt is a call.
    pub fn spend(&self) -> Spend {
        Spend {
            calls: u64::from(self.attempts),
            tokens: self.usage.total(),
            microusd: self.cost_microusd.unwrap_or(0),
        }
    }
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

impl ModelError {
    pub(super) fn new(kind: ErrorKind, why: impl Display) -> Self {
        let (what, cure) = kind.words();
        Self { kind, what: format!("{what}: {why}"), cure: cure.to_owned() }
    }

    pub(super) fn with_cure(self, cure: impl Into<String>) -> Self {
        Self { cure: cure.into(), ..self }
    }
}

impl ErrorKind {
    /// Returns what happened and a cure, as far as the kind tells.
    fn words(self) -> (&'static str, &'static str) {
        match self {
            Self::TimedOut => {
                ("the model did not answer in time", "raise `timeout_ms` or use a faster model")
            }
            Self::OverBudget => ("the model budget is used up", "raise `budget`"),
            Self::Refused => ("the model refused to answer", "use another model"),
            Self::RateLimited => ("the model server asks for a pause", "try again later"),
            Self::BadReply => ("the model's reply is unusable", "use a larger model or another `structure`"),
            Self::TooLong => ("the prompt is too long for the model", "use a model with a larger context"),
            Self::Unauthorized => ("the model server did not accept the key", "set `api_key` to a valid key"),
            Self::Unreachable => {
                ("the model server could not be used", "start the server, or correct `base_url`")
            }
            Self::Misconfigured => ("the model is misconfigured", "check the settings of the model"),
        }
    }
}
