//! The small language in which a target is written.
//!
//! [`Target`](super::Target) says what slots and slashes mean. Here a text is taken apart and expanded into its
//! *readings*: every plain sequence of words and slots that it stands for.

use super::target::{MAX_READINGS, MAX_SLOTS, MAX_STEPS, MAX_TARGET_CHARS, Step, TargetError};
use super::words::Word;

/// A target text as every sequence of words and slots it stands for.
pub(super) fn readings(text: &str) -> Result<Vec<Vec<Step>>, TargetError> {
    if text.chars().count() > MAX_TARGET_CHARS {
        return Err(TargetError::TooLong);
    }
    let lexemes = lex(text);
    if !lexemes.iter().any(|lexeme| matches!(lexeme, Lexeme::Piece(_))) {
        return Err(TargetError::NoWords);
    }
    let mut readings = Vec::new();
    for phrase in phrases(&lexemes) {
        expand(&elements(phrase)?, &mut readings)?;
    }
    readings.into_iter().map(checked).collect()
}

#[derive(Debug, Clone, PartialEq)]
enum Lexeme {
    Piece(Vec<Word>),
    Slot,
    /// `a/b`
    Tight,
    /// `a / b`
    Spaced,
    /// `a // b`
    Apart,
}

/// One place in a phrase and what may stand there.
struct Element {
    choices: Vec<Vec<Step>>,
}

fn lex(text: &str) -> Vec<Lexeme> {
    let mut lexemes = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let same = |c: char| kind(c) == kind(first);
        let end = rest.find(|c| !same(c)).unwrap_or(rest.len());
        let (run, after) = rest.split_at(end);
        let space_before = text[..text.len() - rest.len()].ends_with(char::is_whitespace);
        let spaced = space_before || after.starts_with(char::is_whitespace);
        lexemes.extend(lexeme(run, kind(first), spaced));
        rest = after;
    }
    lexemes
}

#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Space,
    Slash,
    Underscore,
    Other,
}

fn kind(c: char) -> Kind {
    match c {
        '/' | '／' => Kind::Slash,
        '_' | '＿' => Kind::Underscore,
        _ if c.is_whitespace() => Kind::Space,
        _ => Kind::Other,
    }
}

fn lexeme(run: &str, kind: Kind, spaced: bool) -> Option<Lexeme> {
    match kind {
        Kind::Space => None,
        Kind::Slash if run.chars().count() > 1 => Some(Lexeme::Apart),
        Kind::Slash if spaced => Some(Lexeme::Spaced),
        Kind::Slash => Some(Lexeme::Tight),
        Kind::Underscore => (run.chars().count() >= 3).then_some(Lexeme::Slot),
        Kind::Other => Some(Word::all_in(run)).filter(|words| !words.is_empty()).map(Lexeme::Piece),
    }
}

/// Splits where a slash separates whole phrases; the slashes that are left choose between words.
fn phrases(lexemes: &[Lexeme]) -> Vec<Vec<Lexeme>> {
    let parts: Vec<&[Lexeme]> = lexemes.split(|l| matches!(l, Lexeme::Spaced | Lexeme::Apart)).collect();
    let mut separators = lexemes.iter().filter(|l| matches!(l, Lexeme::Spaced | Lexeme::Apart));
    let mut phrases = vec![parts[0].to_vec()];
    for pair in parts.windows(2) {
        let single = places(pair[0]) <= 1 || places(pair[1]) <= 1;
        match (separators.next(), phrases.last_mut()) {
            (Some(Lexeme::Spaced), Some(phrase)) if single => {
                phrase.push(Lexeme::Tight);
                phrase.extend_from_slice(pair[1]);
            }
            _ => phrases.push(pair[1].to_vec()),
        }
    }
    phrases
}

/// How many words a part has room for; `a/b` is one place.
fn places(part: &[Lexeme]) -> usize {
    let tight = part.iter().filter(|l| **l == Lexeme::Tight).count();
    (part.len() - tight).saturating_sub(tight)
}

fn elements(phrase: Vec<Lexeme>) -> Result<Vec<Element>, TargetError> {
    let mut elements: Vec<Element> = Vec::new();
    let mut joins = false;
    for lexeme in phrase {
        let choice = match lexeme {
            Lexeme::Piece(words) => words.into_iter().map(Step::Word).collect(),
            Lexeme::Slot => vec![Step::Slot],
            _ if joins || elements.is_empty() => return Err(TargetError::EmptyVariant),
            _ => {
                joins = true;
                continue;
            }
        };
        match elements.last_mut() {
            Some(element) if joins => element.choices.push(choice),
            _ => elements.push(Element { choices: vec![choice] }),
        }
        joins = false;
    }
    if joins || elements.is_empty() {
        return Err(TargetError::EmptyVariant);
    }
    if elements.iter().any(|element| element.choices.len() > 1 && element.choices.contains(&vec![Step::Slot]))
    {
        return Err(TargetError::SlotVariant);
    }
    Ok(elements)
}

/// Appends every combination of choices, or fails when there are too many to listen for.
fn expand(elements: &[Element], readings: &mut Vec<Vec<Step>>) -> Result<(), TargetError> {
    let mut expanded: Vec<Vec<Step>> = vec![Vec::new()];
    for element in elements {
        if readings.len() + expanded.len() * element.choices.len() > MAX_READINGS {
            return Err(TargetError::TooManyReadings);
        }
        expanded = expanded
            .iter()
            .flat_map(|so_far| element.choices.iter().map(|choice| [so_far.as_slice(), choice].concat()))
            .collect();
    }
    readings.extend(expanded);
    Ok(())
}

fn checked(reading: Vec<Step>) -> Result<Vec<Step>, TargetError> {
    let slots = reading.iter().filter(|step| **step == Step::Slot).count();
    match reading.len() {
        len if len == slots => Err(TargetError::NoWords),
        len if len > MAX_STEPS || slots > MAX_SLOTS => Err(TargetError::TooLong),
        _ => Ok(joined(reading)),
    }
}

/// Neighbours without spaces between their words ("水 を") are one stretch, wherever the author cut them.
fn joined(reading: Vec<Step>) -> Vec<Step> {
    let mut steps: Vec<Step> = Vec::with_capacity(reading.len());
    for step in reading {
        match (steps.last_mut(), step) {
            (Some(Step::Word(before)), Step::Word(word)) if !before.spaced && !word.spaced => {
                *before = before.join(&word)
            }
            (_, step) => steps.push(step),
        }
    }
    steps
}
