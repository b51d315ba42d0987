//! Utterances, and the result of comparing one with a target.

use serde::{Deserialize, Serialize};

use super::edits::edits_within;
use super::words::Words;

/// The most edits within one word. With more it is another word, however long it is.
const MOST_EDITS: usize = 3;
/// The characters after which an utterance is cut: about two minutes of speech.
pub const MAX_HEARD_CHARS: usize = 2_000;

/// An utterance, folded once and compared with many targets.
#[derive(Debug, Clone)]
pub struct Heard<'t> {
    words: Words<'t>,
    is_spoken: bool,
}

impl<'t> Heard<'t> {
    pub fn new(utterance: &'t str) -> Heard<'t> {
        let end = utterance.char_indices().nth(MAX_HEARD_CHARS).map_or(utterance.len(), |(at, _)| at);
        Heard { words: Words::new(&utterance[..end]), is_spoken: false }
    }

    /// Makes an utterance that speech recognition wrote down. It may be misheard, and its spelling is not the
    /// learner's.
    pub fn spoken(utterance: &'t str) -> Heard<'t> {
        Heard { is_spoken: true, ..Heard::new(utterance) }
    }

    pub fn is_spoken(&self) -> bool {
        self.is_spoken
    }

    /// Whether the utterance has words. Silence, punctuation and emoji are not an attempt, so they must not count
    /// as a failed one.
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
    /// The difference to show the learner: filled when the match is fuzzy, or when an attempt did not match.
    pub difference: Vec<Piece>,
    /// The line that would have been right, or one that can be checked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub right: Option<String>,
    /// Whether it was right, but not said in the way that is taught.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_other_way: bool,
}

impl Match {
    pub(crate) fn new(how: How, difference: Vec<Piece>) -> Match {
        let matched = !matches!(how, How::None | How::Unchecked);
        Match { matched, how, difference, right: None, is_other_way: false }
    }

    /// Whether at least a third of the target was there, by its letters.
    pub fn is_near(&self) -> bool {
        let (there, all) = self
            .difference
            .iter()
            .map(Piece::letters)
            .fold((0, 0), |sum, piece| (sum.0 + piece.0, sum.1 + piece.1));
        there > 0 && 3 * there >= all
    }
}

impl Piece {
    /// Returns how many letters of the target were there, and how many it has. A word with more than a slip was not
    /// there.
    fn letters(&self) -> (usize, usize) {
        let count = |text: &str| Words::new(text).joined().chars().count();
        match self {
            Piece::Same { text } => (count(text), count(text)),
            Piece::Missing { text } => (0, count(text)),
            Piece::Extra { .. } => (0, 0),
            Piece::Changed { expected, heard } => {
                let [expected, heard] = [expected, heard].map(|text| Words::new(text).joined());
                let all = expected.chars().count();
                let edits = edits_within(&expected, &heard, (all / 2).clamp(1, MOST_EDITS));
                (edits.map_or(0, |edits| all.saturating_sub(edits)), all)
            }
        }
    }
}

/// The way in which an utterance matched, the strongest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum How {
    /// The words of the target.
    Surface,
    /// A known mishearing of it.
    Alias,
    /// The words of the target, a few letters off.
    Fuzzy,
    /// The gap of the target holds something that the pack does not know, so it cannot be judged.
    Unchecked,
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
