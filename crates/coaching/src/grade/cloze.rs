//! Grades the filling of gaps in a text.

use std::collections::HashSet;
use std::ops::Range;

use super::negation::is_negator;
use super::question::Cloze;
use super::reading::{Flavour, Reading, Token};
use super::wording::{Hit, Readings, Wording};
use super::{Found, Grade, quality_of, quotable, words};
use crate::learner::Quality;
use crate::words::Text;

pub(super) fn grade(cloze: &Cloze, text: &str) -> Grade {
    let given = parts(cloze, text);
    let fills: Vec<Option<Hit>> =
        cloze.blanks.iter().zip(&given).map(|(any, part)| fill(cloze, any, text, part.clone())).collect();
    let right = fills.iter().flatten().count();
    if right == 0 && super::free::is_blank(&Reading::new(text, Flavour::Plain).tokens) {
        return Grade::blank(words::no_answer());
    }
    let has_typo = fills.iter().flatten().any(|hit| hit.has_typo);
    let quality = quality_of(right, cloze.blanks.len(), has_typo);
    // One gap filled among many says little: it may be chance.
    let quality = if quality < Quality::HARD { Quality::AGAIN } else { quality };
    let feedback = match quality {
        Quality::EASY => Text::default(),
        Quality::GOOD => words::misspelt(),
        _ if cloze.blanks.len() == 1 => words::wrong(),
        _ => words::gaps(right, cloze.blanks.len()),
    };
    let mut grade = Grade::new(quality, feedback);
    for (any, hit) in cloze.blanks.iter().zip(fills) {
        let expected = any.first().cloned().unwrap_or_default();
        match hit {
            Some(hit) => {
                grade.found.push(Found { idea: expected, words: quotable(&text[hit.at.clone()]), at: hit.at })
            }
            None => grade.missing.push(expected),
        }
    }
    grade
}

/// Returns the part of the answer for each gap. If the answer does not split into as many parts as there are
/// gaps, it is searched as a whole, each gap after the one before.
fn parts(cloze: &Cloze, text: &str) -> Vec<Range<usize>> {
    let gaps = cloze.blanks.len();
    let by = |separators: &[char]| -> Option<Vec<Range<usize>>> {
        let parts = split(text, separators);
        (parts.len() == gaps).then_some(parts)
    };
    let whole = std::iter::once(0..text.len());
    if gaps == 1 {
        return whole.collect();
    }
    let cuts = [&['\n'][..], &[';', '\n'], &[',', ';', '\n'], &['/', '|'], &[' ', ',', ';', '\n']];
    cuts.into_iter().find_map(by).unwrap_or_else(|| in_turn(cloze, text))
}

fn split(text: &str, separators: &[char]) -> Vec<Range<usize>> {
    let mut parts = Vec::new();
    let mut start = 0;
    for piece in text.split(separators) {
        if !piece.trim().is_empty() {
            parts.push(start..start + piece.len());
        }
        start += piece.len() + 1;
    }
    parts
}

fn in_turn(cloze: &Cloze, text: &str) -> Vec<Range<usize>> {
    let mut from = 0;
    let next = |any: &Vec<String>| {
        let part = from..text.len();
        if let Some(hit) = fill(cloze, any, text, part.clone()) {
            from = hit.at.end;
            return part.start..hit.at.end;
        }
        part
    };
    let mut parts: Vec<Range<usize>> = cloze.blanks.iter().map(next).collect();
    if let Some(last) = parts.last_mut() {
        last.end = text.len();
    }
    parts
}

/// Finds an accepted wording in the part, if the part says it without a negation and with few other words.
fn fill(cloze: &Cloze, any: &[String], text: &str, part: Range<usize>) -> Option<Hit> {
    /// The limit of other words in a part: "It raises a NameError" is fine; a list of guesses is not.
    const MAX_OTHER_WORDS: usize = 4;
    let around: HashSet<String> =
        Reading::new(&cloze.text, Flavour::Plain).tokens.into_iter().map(|token| token.letters).collect();
    let known = HashSet::new();
    // The text around a gap may contain a negator of its own, so only other negators count.
    let readings = Readings::new(&text[part.clone()]);
    let answer = readings.answer(&known).taken_literally();
    let mut hits: Vec<Hit> =
        any.iter().filter_map(|wording| Wording::parse(wording).ok()?.find(&answer)).collect();
    hits.sort_by_key(|hit| (hit.has_typo, hit.at.start));
    let hit = hits.into_iter().next()?;
    let is_other = |letters: &str| !around.contains(letters) && !hit.words.iter().any(|word| word == letters);
    let others: Vec<&Token> = answer.tokens().iter().filter(|token| is_other(&token.letters)).collect();
    let is_denied = others.iter().any(|token| is_negator(&token.letters));
    let at = part.start + hit.at.start..part.start + hit.at.end;
    (others.len() <= MAX_OTHER_WORDS && !is_denied).then_some(Hit { at, ..hit })
}
