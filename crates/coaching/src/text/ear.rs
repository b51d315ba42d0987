//! Decides when two words are the same: by their letters alone, or as a language spells them.

use std::collections::HashSet;
use std::ops::Range;

use super::edits::edits_within;
use super::fold::{fold_word, is_apostrophe, spelled};
use super::words::{Word, Words};

/// The price of a wrong or missing accent: as much as a wrong letter.
const ACCENT: u32 = 1;

/// The rule by which words are compared. The default compares letters without their accents, and any word may be a
/// slip of another.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Ear<'a> {
    pub spelling: Option<Spelling<'a>>,
}

/// The spelling of a language.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Spelling<'a> {
    /// A BCP 47 tag.
    pub language: &'a str,
    /// Words that are never a slip of another word, as [`spelled`]: those of the pack, and those that its author calls
    /// confusable.
    pub others: [&'a HashSet<String>; 2],
    /// Whether accents count. They do not in speech.
    pub has_accents: bool,
}

impl Ear<'_> {
    /// Returns where the word at `at` ends if it is the expected one, and the price of its accents.
    pub(super) fn step(self, words: &Words, expected: &Word, at: usize) -> Option<(usize, u32)> {
        let Some(spelling) = self.spelling.filter(|_| expected.spaced) else {
            return words.step(expected, at).map(|end| (end, 0));
        };
        let parts = 1 + expected.shown.trim_matches(is_apostrophe).matches(is_apostrophe).count();
        let lengths = [1, parts].into_iter().filter(|length| at + length <= words.len());
        lengths.into_iter().find_map(|length| {
            let end = at + length;
            let written = spelled(words.source(at..end), spelling.language);
            let right = spelled(&expected.shown, spelling.language);
            let is_right = written == right;
            let is_unmarked = words.letters(at..end) == expected.letters
                && (!spelling.is_other(&written) || spelling.lacks_accents(&written, &right));
            let price = if spelling.has_accents { ACCENT } else { 0 };
            (is_right || is_unmarked).then_some((end, if is_right { 0 } else { price }))
        })
    }

    /// Whether a word of the text is the expected one with a slip.
    pub(crate) fn is_slip(self, expected: &Word, words: &Words, at: Range<usize>) -> bool {
        let (letters, source) = (words.letters(at.clone()), words.source(at));
        self.slip(expected, letters, source, expected.tolerance).is_some_and(|(_, is_slip)| is_slip)
    }

    /// Returns how many letters of the expected word are wrong in `heard`, up to `limit`, and whether it counts as
    /// a slip.
    pub(super) fn slip(
        self,
        expected: &Word,
        heard: &str,
        source: &str,
        limit: usize,
    ) -> Option<(usize, bool)> {
        let edits = edits_within(&expected.letters, heard, limit);
        let Some(spelling) = self.spelling else {
            return edits.map(|edits| (edits, edits <= expected.tolerance));
        };
        let written = spelled(source, spelling.language);
        let in_full = edits_within(&spelled(&expected.shown, spelling.language), &written, limit);
        let edits = edits.into_iter().chain(in_full).min()?;
        Some((edits, edits <= expected.tolerance && !expected.is_choice && !spelling.is_other(&written)))
    }
}

impl Spelling<'_> {
    fn is_other(&self, written: &str) -> bool {
        self.others.iter().any(|words| words.contains(written))
    }

    /// Whether a word of the pack is the expected one without its accents, as “como” is for “cómo”. An umlaut is a
    /// letter of its own and not an accent, and the author can say which words are confused.
    fn lacks_accents(&self, written: &str, right: &str) -> bool {
        let [_, confusable] = self.others;
        let mut bare = String::with_capacity(right.len());
        fold_word(right, &mut bare);
        written != right && written == bare && !confusable.contains(written)
    }
}
