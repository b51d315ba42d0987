//! What was heard, and the result of comparing it.

use serde::{Deserialize, Serialize};

use super::words::Words;

/// An utterance is cut after this many characters: about two minutes of speech.
pub const MAX_HEARD_CHARS: usize = 2_000;

/// An utterance, folded once and compared with many targets.
#[derive(Debug, Clone)]
pub struct Heard<'t> {
    words: Words<'t>,
}

impl<'t> Heard<'t> {
    pub fn new(utterance: &'t str) -> Heard<'t> {
        let end = utterance.char_indices().nth(MAX_HEARD_CHARS).map_or(utterance.len(), |(at, _)| at);
        Heard { words: Words::new(&utterance[..end]) }
    }

    /// Silence, punctuation and emoji are not an attempt, so they must not count as a failed one.
    pub fn is_attempt(&self) -> bool {
        !self.words.is_empty()
    }

    pub fn words(&self) -> &Words<'t> {
        &self.words
    }
}

/// The result of hearing a target in an utterance.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Match {
    pub matched: bool,
    pub how: How,
    /// What to show the learner: filled when the match is fuzzy, or when an attempt did not match.
    pub difference: Vec<Piece>,
}

impl Match {
    pub(super) fn new(how: How, difference: Vec<Piece>) -> Match {
        Match { matched: how != How::None, how, difference }
    }
}

/// How an utterance matched, the strongest way first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum How {
    /// The words of the target.
    Surface,
    /// A known mishearing of it.
    Alias,
    /// The words of the target, a few letters off.
    Fuzzy,
    None,
}

/// One piece of the difference between the target and the utterance, in the target's order.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(tag = "is", rename_all = "snake_case")]
pub enum Piece {
    Same { text: String },
    Missing { text: String },
    Extra { text: String },
    Changed { expected: String, heard: String },
}
