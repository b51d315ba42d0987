//! Measures how much of a good answer another answer expresses, word by word.

use std::collections::HashSet;

use super::combination::{SYNONYM, TYPO};
use super::sense::{Sense, Senses, is_typo};

/// The weight of a word from the question.
const ASKED: f32 = 0.2;

/// The overlap of two texts in words.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Likeness {
    /// The share of the good answer that is in the other, up to 1.
    pub covered: f32,
    /// The share of the other answer that is in the question.
    pub echo: f32,
}

pub(super) fn likeness(good: &Senses, other: &Senses, asked: &HashSet<&str>) -> Likeness {
    let (mut all, mut covered) = (0.0, 0.0);
    for word in words(good) {
        all += news(word, asked);
        covered += news(word, asked) * said(word, good.denied[word.tokens.start], other);
    }
    let own: f32 = words(other).map(|word| word.weight).sum();
    let repeated = words(other).filter(|word| asked.contains(word.stem.as_str()));
    let echo = repeated.map(|word| word.weight).sum();
    Likeness { covered: share(covered, all), echo: share(echo, own) }
}

/// Returns how much a word tells that the question does not already tell.
pub(super) fn news(word: &Sense, asked: &HashSet<&str>) -> f32 {
    word.weight * if asked.contains(word.stem.as_str()) { ASKED } else { 1.0 }
}

/// Returns each word once, without phrases.
pub(super) fn words(senses: &Senses) -> impl Iterator<Item = &Sense> {
    let mut seen = HashSet::new();
    senses.senses.iter().filter(move |sense| !sense.stem.is_empty() && seen.insert(sense.stem.as_str()))
}

fn share(part: f32, all: f32) -> f32 {
    if all > 0.0 { part / all } else { 0.0 }
}

/// Returns how well a text says a word, up to 1. A word that one side denies and the other affirms does not
/// match.
pub(super) fn said(word: &Sense, is_denied: bool, text: &Senses) -> f32 {
    let value = |sense: &Sense| {
        if sense.stem == word.stem {
            let differs = text.denied[sense.tokens.start] != is_denied;
            if differs { 0.0 } else { 1.0 }
        } else if is_typo(&sense.stem, &word.stem) && sense.families.is_empty() {
            TYPO
        } else if sense.families.iter().any(|family| word.families.contains(family)) {
            SYNONYM
        } else {
            0.0
        }
    };
    text.senses.iter().map(value).fold(0.0, f32::max)
}
