//! Tells whether an agent repeats itself.

use crate::text::Words;

/// The share of words in the same order that makes two messages near duplicates. One word in seven may differ:
/// enough for "I'm" and "I am" or another adverb, too little for another step of the work.
const MIN_SAME: f64 = 0.85;
/// Words of each message that are compared: the last ones, which say what comes next.
const MAX_WORDS: usize = 400;

/// Whether two messages agree except for a few words. Numbers have to be equal: from "3 of 7" to "4 of 7" is
/// progress.
pub fn near_duplicate(a: &str, b: &str) -> bool {
    let (a, b) = (Words::new(a), Words::new(b));
    let (a, b) = (last_words(&a), last_words(&b));
    let is_number = |word: &&&str| word.bytes().any(|byte| byte.is_ascii_digit());
    if !a.iter().filter(is_number).eq(b.iter().filter(is_number)) {
        return false;
    }
    let words = a.len() + b.len();
    words == 0 || 2.0 * common_words(&a, &b) as f64 / words as f64 >= MIN_SAME
}

fn last_words<'w>(words: &'w Words) -> Vec<&'w str> {
    let all: Vec<&str> = words.iter().map(|(_, letters)| letters).collect();
    all[all.len().saturating_sub(MAX_WORDS)..].to_vec()
}

/// Returns the length of the longest common subsequence, computed row by row.
fn common_words(a: &[&str], b: &[&str]) -> usize {
    let mut above = vec![0; b.len() + 1];
    for word in a {
        let mut row = vec![0; b.len() + 1];
        for (at, other) in b.iter().enumerate() {
            row[at + 1] = if word == other { above[at] + 1 } else { row[at].max(above[at + 1]) };
        }
        above = row;
    }
    above[b.len()]
}
