//! Defines the verdict on an agent's output, and the signals that go with the output.

use super::words;
use crate::turn::Source;
use crate::words::Text;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The confidence below which a verdict becomes a question: a human decides instead of a guess. Users may set
/// another.
pub const MIN_CONFIDENCE: f64 = 0.80;

/// The kind of message that an agent stopped with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum OutputType {
    /// A human has to decide or approve something.
    Question,
    /// The work is not finished, or is called finished without any evidence.
    Status,
    /// The work is finished and shows it, or a question was answered.
    Completion,
    /// The agent needs something that only a human or another system can give.
    Blocker,
    /// Something broke and the message ends there.
    Error,
}

impl OutputType {
    pub const ALL: [OutputType; 5] = [
        OutputType::Question,
        OutputType::Status,
        OutputType::Completion,
        OutputType::Blocker,
        OutputType::Error,
    ];

    pub fn as_str(self) -> &'static str {
        match self {
            OutputType::Question => "question",
            OutputType::Status => "status",
            OutputType::Completion => "completion",
            OutputType::Blocker => "blocker",
            OutputType::Error => "error",
        }
    }
}

/// The verdict on one output.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ClassificationResult {
    pub output_type: OutputType,
    /// The probability from 0 to 1. It is below the least confidence, usually [`MIN_CONFIDENCE`], only if the type
    /// is a question or the work that was seen has decided.
    pub confidence: f64,
    pub reason: Text,
    /// The message that a model would send to the agent. The rules leave this to the coach.
    pub coaching_message: Option<String>,
    /// Whether the agent said that it is done and did not show it.
    pub was_rejected_completion: bool,
    /// `model` or `rules`.
    pub source: Source,
    /// The agent's own words that the verdict rests on.
    pub words: Vec<String>,
}

impl ClassificationResult {
    /// Turns an unsure verdict into a question and keeps the guess in the reason.
    pub(super) fn settled(mut self, min_confidence: f64) -> ClassificationResult {
        if self.confidence < min_confidence && self.output_type != OutputType::Question {
            let percent = (self.confidence * 100.0).round();
            self.reason = words::unsure(words::kind(self.output_type.as_str()), percent, self.reason);
            self.output_type = OutputType::Question;
            self.was_rejected_completion = false;
            self.coaching_message = None;
        }
        self
    }
}

/// The report of the agent's own program about a stop. It counts for more than the text.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Signals {
    /// The error with which the program reports that the turn ended, such as `rate_limit`.
    pub agent_error: Option<String>,
    pub stop_reason: Option<StopReason>,
    /// Whether the human's last message was a question; a plain answer then completes it.
    pub user_asked_question: Option<bool>,
    /// The phase of the work, such as `build`. Where code is built or tested, only a run is evidence.
    pub phase: Option<String>,
}

/// The reason why the agent's program ended the turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum StopReason {
    /// The agent had nothing more to say.
    EndTurn,
    /// The answer was cut at the length limit.
    MaxTokens,
    /// The model declined.
    Refusal,
    /// A human interrupted.
    Aborted,
    /// The program failed.
    Error,
}
