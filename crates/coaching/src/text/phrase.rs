//! A fixed phrase to search in [`Words`](super::Words).

use super::target::Step;
use super::words::Word;
use std::ops::Range;

/// One or more words in order: a stop word, an abort word, a leak phrase, a known mishearing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Phrase {
    words: Vec<Word>,
}

impl Phrase {
    /// Makes a phrase. Returns `None` if the text has no word: such a phrase would be found everywhere.
    pub fn new(text: &str) -> Option<Phrase> {
        let words = Word::all_in(text);
        (!words.is_empty()).then_some(Phrase { words })
    }

    /// Returns where the phrase first occurs in the steps of a target.
    pub(crate) fn first_in(&self, steps: &[Step]) -> Option<Range<usize>> {
        let is_here = |window: &[Step]| {
            window
                .iter()
                .zip(&self.words)
                .all(|(step, word)| matches!(step, Step::Word(expected) if expected.letters == word.letters))
        };
        let start = steps.windows(self.words.len()).position(is_here)?;
        Some(start..start + self.words.len())
    }

    pub(crate) fn first_letter(&self) -> Option<char> {
        self.words.first()?.letters.chars().next()
    }

    pub(super) fn words(&self) -> &[Word] {
        &self.words
    }
}
