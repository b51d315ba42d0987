//! Decides whether a question that names no concept is about the current lesson.
//!
//! "Can you show another example?" is, and so is a question in the words of the lesson. "Who invented cheese?" is
//! not: most of the things that it names have nothing to do with the lesson.

use crate::text::Words;
use std::collections::HashSet;
use std::sync::LazyLock;

/// Words that people use in any question, whatever it is about.
static ASKING: LazyLock<HashSet<&str>> =
    LazyLock::new(|| include_str!("asking.txt").split_whitespace().collect());
/// The fewest letters of a word that carries a subject of its own.
const LEAST_LETTERS: usize = 4;

/// Whether at least half of the things that the question names are in the texts of the lesson. A question that
/// names nothing is about the lesson at hand.
pub(super) fn is_about<'t>(texts: impl Iterator<Item = &'t str>, question: &str) -> bool {
    let taught: HashSet<String> = texts.flat_map(words).collect();
    let mut named = words(question);
    named.retain(|word| word.chars().count() >= LEAST_LETTERS && !is_asking(word));
    named.iter().filter(|word| taught.contains(*word)).count() * 2 >= named.len()
}

/// Whether a folded word is one that people use in any question.
pub(super) fn is_asking(word: &str) -> bool {
    ASKING.contains(word)
}

fn words(text: &str) -> Vec<String> {
    Words::new(text).iter().map(|(_, folded)| folded.to_owned()).collect()
}
