//! The log line of an ask: enough to account for it, nothing to be ashamed of. No prompt, no reply, no key.

use serde::Serialize;

use super::{ModelError, Spend, Usage, Wire};

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CallRecord {
    pub flow: String,
    pub ask: String,
    pub wire: Wire,
    pub model: String,
    /// Requests sent, with retries and the repair.
    pub attempts: u32,
    pub usage: Usage,
    pub cost_microusd: Option<u64>,
    pub took_ms: u64,
    pub outcome: Outcome,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    Answered,
    /// The caller dropped the ask without cancelling it.
    Abandoned,
    Cancelled,
    TimedOut,
    OverBudget,
    Refused,
    RateLimited,
    BadReply,
    TooLong,
    Unauthorized,
    Unreachable,
    Misconfigured,
}

impl CallRecord {
    /// What the ask has cost. Every attempt is a call.
    pub fn spend(&self) -> Spend {
        Spend {
            calls: u64::from(self.attempts),
            tokens: self.usage.total(),
            microusd: self.cost_microusd.unwrap_or(0),
        }
    }
}

impl From<&ModelError> for Outcome {
    fn from(error: &ModelError) -> Self {
        match error {
            ModelError::Cancelled => Outcome::Cancelled,
            ModelError::TimedOut { .. } => Outcome::TimedOut,
            ModelError::OverBudget(_) => Outcome::OverBudget,
            ModelError::Refused { .. } => Outcome::Refused,
            ModelError::RateLimited { .. } => Outcome::RateLimited,
            ModelError::BadReply { .. } => Outcome::BadReply,
            ModelError::TooLong { .. } => Outcome::TooLong,
            ModelError::Unauthorized { .. } => Outcome::Unauthorized,
            ModelError::Unreachable { .. } => Outcome::Unreachable,
            ModelError::Misconfigured { .. } => Outcome::Misconfigured,
        }
    }
}
