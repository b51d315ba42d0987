//! Finds the words that name things, by which limits and steps are compared.

use crate::agent::phrases::{Means, Phrases, words_of};

const STEM_LETTERS: usize = 5;
/// Meanings of words that name nothing.
const NAMELESS: &[Means] = &[
    Means::Small,
    Means::General,
    Means::Openers,
    Means::Only,
    Means::First,
    Means::ForNow,
    Means::Nots,
    Means::Third,
    Means::Finite,
    Means::Me,
    Means::Self_,
    Means::Later,
];
pub(super) const VERBS: &[Means] = &[Means::Work, Means::Talk, Means::Changes];

/// Returns the beginning of a word, so that "imports" and "importing" match.
pub(in crate::agent) fn stem(word: &str) -> String {
    word.chars().take(STEM_LETTERS).collect()
}

pub(super) fn things_in(words: &[String], phrases: &Phrases) -> Vec<String> {
    things_but(None, words, phrases)
}

/// Returns the stems of the things in some words, without words of the class `means`, which only say what the
/// clause means.
pub(super) fn things_but(means: Option<Means>, words: &[String], phrases: &Phrases) -> Vec<String> {
    // In other languages the verb stands at the end, or anywhere.
    let is_foreign = phrases.is_foreign(words);
    let is = |known: &[Means], word: &String| known.iter().any(|means| phrases.is(*means, word));
    let mut found: Vec<String> = words
        .iter()
        .filter(|word| is_name(word) && !is(NAMELESS, word) && !(is_foreign && is(VERBS, word)))
        .filter(|word| !means.is_some_and(|means| phrases.is(means, word)))
        .map(|word| stem(word))
        .collect();
    found.dedup();
    found
}

/// Whether a word can be a name. A single letter of another alphabet cannot.
fn is_name(word: &str) -> bool {
    word.chars().count() != 1 || word.bytes().all(|byte| byte.is_ascii_alphanumeric())
}

/// Returns the stems of the words that say what a step may be about, verbs included.
pub(super) fn scope(words: &[String], phrases: &Phrases) -> Vec<String> {
    let verbs = words.iter().filter(|word| phrases.is(Means::Work, word)).map(|word| stem(word));
    things_in(words, phrases).into_iter().chain(verbs).collect()
}

/// Returns the stems of the things that a step is about, without the verbs for the work on them.
pub(super) fn things_of_step(step: &str, phrases: &Phrases) -> Vec<String> {
    let mut words = words_of(step);
    words.retain(|word| !phrases.is(Means::Work, word) && !phrases.is(Means::Announces, word));
    things_in(&words, phrases)
}
