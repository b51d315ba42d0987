//! The words a learner has met, and whether a line uses any other.

use std::collections::HashSet;
use std::ops::Range;

use super::words::Words;

/// The longest entry in a script without spaces, which bounds the search for a covering.
const MAX_UNSPACED_ENTRY: usize = 32;

/// A set of folded words.
#[derive(Debug, Clone, Default)]
pub struct WordSet {
    words: HashSet<String>,
}

impl WordSet {
    /// Adds every word of `text`. Slots and slashes are not words, so it may be a target's text.
    pub fn add(&mut self, text: &str) {
        let words = Words::new(text);
        self.words.extend(words.iter().map(|(_, letters)| letters.to_owned()));
        // A whole stretch is an entry too, so it may be said in one piece as it was taught.
        for start in (0..words.len()).filter(|&at| words.opens_stretch(at)) {
            let end = words.stretch_end(start);
            if end - start <= MAX_UNSPACED_ENTRY {
                self.words.insert(words.letters(start..end).to_owned());
            }
        }
    }

    /// Returns the words of `text` that are not in the set, as they are written there, each once.
    pub fn unknown_in<'t>(&self, text: &'t str) -> Vec<&'t str> {
        let words = Words::new(text);
        let mut unknown = Vec::new();
        let mut met = HashSet::new();
        let mut at = 0;
        while at < words.len() {
            if words.opens_stretch(at) && self.covers(&words, at..words.stretch_end(at)) {
                at = words.stretch_end(at);
                continue;
            }
            let end = words.word_end(at);
            let letters = words.letters(at..end);
            if !self.words.contains(letters) && met.insert(letters.to_owned()) {
                unknown.push(words.source(at..end));
            }
            at = end;
        }
        unknown
    }

    /// Whether entries can cover the letters of a stretch, wherever the dictionary cuts it.
    fn covers(&self, words: &Words, stretch: Range<usize>) -> bool {
        let mut reached = vec![false; stretch.len() + 1];
        reached[0] = true;
        for from in stretch.clone() {
            if !reached[from - stretch.start] {
                continue;
            }
            for to in from + 1..=stretch.end.min(from + MAX_UNSPACED_ENTRY) {
                reached[to - stretch.start] |= self.words.contains(words.letters(from..to));
            }
        }
        reached[stretch.len()]
    }
}
