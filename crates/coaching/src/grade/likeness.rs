//! How much of a good answer another answer says, word by word.

use std::collections::HashSet;

use super::combination::{SYNONYM, TYPO};
use super::sense::{Sense, Senses, is_typo};

/// The weight of a word from the question.
const ASKED: f32 = 0.2;

/// The words that two texts have in common.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Likeness {
    /// How much of the good answer is in the other, up to 1.
    pub covered: f32,
    /// How much of the other is in the question.
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

/// How much a word tells that the question does not.
pub(super) fn news(word: &Sense, asked: &HashSet<&str>) -> f32 {
    word.weight * if asked.contains(word.stem.as_str()) { ASKED } else { 1.0 }
}

/// Each word once.
pub(super) fn words(senses: &Senses) -> impl Iterator<Item = &Sense> {
    let mut seen = HashSet::new();
    senses.senses.iter().filter(move |sense| !sense.stem.is_empty() && seen.insert(sense.stem.as_str()))
}

fn share(part: f32, all: f32) -> f32 {
    if all > 0.0 { part / all } else { 0.0 }
}

/// How well a text says a word. What one of them denies and the other affirms is not the same.
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
