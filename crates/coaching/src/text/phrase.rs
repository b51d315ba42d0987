//! A fixed phrase to search in [`Words`](super::Words).

use super::words::Word;

/// One or more words in order: a stop word, an abort word, a leak phrase, a known mishearing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Phrase {
    words: Vec<Word>,
}

impl Phrase {
    /// `None` if the text has no word: such a phrase would be found everywhere.
    pub fn new(text: &str) -> Option<Phrase> {
        let words = Word::all_in(text);
        (!words.is_empty()).then_some(Phrase { words })
    }

    pub(super) fn words(&self) -> &[Word] {
        &self.words
    }
}
