//! Strips words of their grammatical endings.
//!
//! A rubric says *modifies* and a learner "it does not modify": the same idea in another sentence. Both sides are
//! stemmed by the same rules, so a stem need not be a word; it only has to be the same for all forms of a word.

use std::borrow::Cow;

use super::lists::List;
use super::negation::is_negator;
use rust_stemmers::{Algorithm, Stemmer};

/// The endings that Snowball would strip from long words although they carry meaning: "existence" does not mean
/// "exists", nor "dependable" "depends". Only the letters that differ between the forms of these words are
/// removed: "referenc(ed)", "readab(ility)".
const KEPT_ENDINGS: &[(&str, &str)] =
    &[("ance", "anc"), ("ence", "enc"), ("able", "ab"), ("ible", "ib"), ("ability", "ab"), ("ibility", "ib")];
/// The number of letters that a stem must exceed to keep such an ending: "table" has none.
const LEAST_LETTERS: usize = 3;

/// Returns the form in which a folded word is compared.
pub(super) fn stem(word: &str) -> Cow<'_, str> {
    if let Some(form) = List::VerbForms.of(word) {
        return Cow::Borrowed(form);
    }
    let is_plain = word.bytes().all(|byte| byte.is_ascii_lowercase());
    if !is_plain || is_negator(word) {
        return Cow::Borrowed(word);
    }
    let singular = word.strip_suffix('s').unwrap_or(word);
    let kept = KEPT_ENDINGS.iter().find(|(ending, _)| singular.ends_with(ending));
    let letters = kept.map_or(0, |(ending, kept)| singular.len() - ending.len() + kept.len());
    if letters > LEAST_LETTERS {
        return Cow::Borrowed(&singular[..letters]);
    }
    Stemmer::create(Algorithm::English).stem(word)
}

/// Returns the word that this one denies: "dependent" says "not independent".
pub(super) fn denied_by(word: &str) -> Option<&'static str> {
    List::Opposites.of(word)
}
