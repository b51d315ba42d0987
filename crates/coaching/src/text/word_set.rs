//! The words a learner has met, and whether a line uses any other.

use std::collections::HashSet;

use super::words::Words;

/// In a script without spaces no entry is longer than this, which bounds the search for a covering.
const MAX_UNSPACED_ENTRY: usize = 32;

/// A set of folded words.
#[derive(Debug, Clone, Default)]
pub struct WordSet {
    words: HashSet<String>,
}

impl WordSet {
    /// Adds every word of `text`. Slots and slashes of a target are no words, so a target's text can be given.
    pub fn add(&mut self, text: &str) {
        let words = Words::new(text);
        self.words.extend(words.iter().map(|(_, letters)| letters.to_owned()));
        // A whole stretch is an entry too: what was taught in one piece may be said in one piece.
        for (start, end) in stretches(&words) {
            if end - start <= MAX_UNSPACED_ENTRY {
                self.words.insert(words.letters(start..end).to_owned());
            }
        }
    }

    /// The words of `text` that are not in the set, as they are written there, each once.
    pub fn unknown_in<'t>(&self, text: &'t str) -> Vec<&'t str> {
        let words = Words::new(text);
        let covered: Vec<(usize, usize)> =
            stretches(&words).into_iter().filter(|&(start, end)| self.covers(&words, start, end)).collect();
        let mut unknown: Vec<&str> = Vec::new();
        let mut at = 0;
        while at < words.len() {
            let end = words.word_end(at);
            let inside = covered.iter().any(|&(start, stop)| (start..stop).contains(&at));
            let word = words.source(at..end);
            if !inside && !self.words.contains(words.letters(at..end)) && !unknown.contains(&word) {
                unknown.push(word);
            }
            at = end;
        }
        unknown
    }

    /// Whether the letters of a stretch can be laid out with entries, whatever the dictionary's cuts.
    fn covers(&self, words: &Words, start: usize, end: usize) -> bool {
        let mut reached = vec![false; end - start + 1];
        reached[0] = true;
        for from in start..end {
            if !reached[from - start] {
                continue;
            }
            for to in from + 1..=end.min(from + MAX_UNSPACED_ENTRY) {
                if self.words.contains(words.letters(from..to)) {
                    reached[to - start] = true;
                }
            }
        }
        reached[end - start]
    }
}

/// Where letters of a script without spaces stand together.
fn stretches(words: &Words) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    let mut at = 0;
    while at < words.len() {
        let end = words.stretch_end(at);
        if end > at {
            found.push((at, end));
        }
        at = end.max(at + 1);
    }
    found
}
