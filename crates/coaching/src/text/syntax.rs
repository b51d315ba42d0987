//! Parses the small language in which a target is written.
//!
//! [`Target`](super::Target) says what slots and slashes mean. This module takes a text apart and expands it into
//! its *readings*: every plain sequence of words and slots that it stands for.

use super::target::{MAX_READINGS, MAX_SLOTS, MAX_STEPS, MAX_TARGET_CHARS, Pick, Reading, Step, TargetError};
use super::words::Word;

/// Expands a target text into every sequence of words and slots that it stands for.
pub(super) fn readings(text: &str) -> Result<Vec<Reading>, TargetError> {
    if text.chars().count() > MAX_TARGET_CHARS {
        return Err(TargetError::TooLong);
    }
    let lexemes = lex(text);
    if !lexemes.iter().any(|lexeme| matches!(lexeme.what, What::Piece(_))) {
        return Err(TargetError::NoWords);
    }
    let mut readings = Vec::new();
    for phrase in phrases(&lexemes) {
        expand(&elements(phrase)?, &mut readings)?;
    }
    readings.into_iter().map(checked).collect()
}

/// A part of a target's text, as it is written.
#[derive(Debug, Clone)]
struct Lexeme {
    what: What,
    written: String,
    is_spaced: bool,
}

#[derive(Debug, Clone, PartialEq)]
enum What {
    Piece(Vec<Word>),
    Slot,
    /// `a/b`
    Tight,
    /// `a / b`
    Spaced,
    /// `a // b`
    Apart,
}

/// One place in a phrase, and the words that may stand there.
struct Element {
    choices: Vec<Choice>,
    is_spaced: bool,
}

#[derive(Clone)]
struct Choice {
    steps: Vec<Step>,
    written: String,
}

fn lex(text: &str) -> Vec<Lexeme> {
    let mut lexemes: Vec<Lexeme> = Vec::new();
    let mut before = String::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let same = |c: char| kind(c) == kind(first);
        let end = rest.find(|c| !same(c)).unwrap_or(rest.len());
        let (run, after) = rest.split_at(end);
        let is_spaced = text[..text.len() - rest.len()].ends_with(char::is_whitespace);
        let has_space = is_spaced || after.starts_with(char::is_whitespace);
        rest = after;
        match (what(run, kind(first), has_space), lexemes.last_mut()) {
            (Some(what), _) => {
                let written = std::mem::take(&mut before) + run;
                lexemes.push(Lexeme { what, written, is_spaced });
            }
            (None, _) if kind(first) == Kind::Space => {}
            // Marks belong to the words before them, or else to those after them.
            (None, Some(last)) if matches!(last.what, What::Piece(_) | What::Slot) => {
                last.written += if is_spaced { " " } else { "" };
                last.written += run;
            }
            (None, _) => before += run,
        }
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

fn what(run: &str, kind: Kind, has_space: bool) -> Option<What> {
    match kind {
        Kind::Space => None,
        Kind::Slash if run.chars().count() > 1 => Some(What::Apart),
        Kind::Slash if has_space => Some(What::Spaced),
        Kind::Slash => Some(What::Tight),
        Kind::Underscore => (run.chars().count() >= 3).then_some(What::Slot),
        Kind::Other => Some(Word::all_in(run)).filter(|words| !words.is_empty()).map(What::Piece),
    }
}

/// Splits where a slash separates whole phrases; the remaining slashes choose between words.
fn phrases(lexemes: &[Lexeme]) -> Vec<Vec<Lexeme>> {
    let separates = |lexeme: &&Lexeme| matches!(lexeme.what, What::Spaced | What::Apart);
    let parts: Vec<&[Lexeme]> = lexemes.split(|lexeme| separates(&lexeme)).collect();
    let mut separators = lexemes.iter().filter(separates);
    let mut phrases = vec![parts[0].to_vec()];
    for pair in parts.windows(2) {
        let is_single = places(pair[0]) <= 1 || places(pair[1]) <= 1;
        match (separators.next(), phrases.last_mut()) {
            (Some(slash), Some(phrase)) if slash.what == What::Spaced && is_single => {
                phrase.push(Lexeme { what: What::Tight, ..slash.clone() });
                phrase.extend_from_slice(pair[1]);
            }
            _ => phrases.push(pair[1].to_vec()),
        }
    }
    phrases
}

/// Returns how many words a part has room for; `a/b` is one place.
fn places(part: &[Lexeme]) -> usize {
    let tight = part.iter().filter(|lexeme| lexeme.what == What::Tight).count();
    (part.len() - tight).saturating_sub(tight)
}

fn elements(phrase: Vec<Lexeme>) -> Result<Vec<Element>, TargetError> {
    let mut elements: Vec<Element> = Vec::new();
    let mut joins = false;
    for Lexeme { what, written, is_spaced } in phrase {
        let steps = match what {
            What::Piece(words) => words.into_iter().map(Step::Word).collect(),
            What::Slot => vec![Step::Slot],
            _ if joins || elements.is_empty() => return Err(TargetError::EmptyVariant),
            _ => {
                joins = true;
                continue;
            }
        };
        let choice = Choice { steps, written };
        match elements.last_mut() {
            Some(element) if joins => element.choices.push(choice),
            _ => elements.push(Element { choices: vec![choice], is_spaced }),
        }
        joins = false;
    }
    if joins || elements.is_empty() {
        return Err(TargetError::EmptyVariant);
    }
    let has_slot = |choice: &Choice| choice.steps == [Step::Slot];
    if elements.iter().any(|element| element.choices.len() > 1 && element.choices.iter().any(has_slot)) {
        return Err(TargetError::SlotVariant);
    }
    Ok(elements)
}

/// Appends every combination of choices, or fails when there are too many to listen for.
fn expand(elements: &[Element], readings: &mut Vec<Reading>) -> Result<(), TargetError> {
    let mut expanded = vec![Reading::default()];
    for element in elements {
        if readings.len() + expanded.len() * element.choices.len() > MAX_READINGS {
            return Err(TargetError::TooManyReadings);
        }
        let longer =
            |so_far: &Reading| element.choices.iter().map(|choice| element.after(so_far, choice)).collect();
        expanded = expanded.iter().flat_map(|so_far| -> Vec<Reading> { longer(so_far) }).collect();
    }
    readings.extend(expanded);
    Ok(())
}

impl Element {
    fn after(&self, so_far: &Reading, choice: &Choice) -> Reading {
        let mut reading = so_far.clone();
        reading.text += if self.is_spaced && !reading.text.is_empty() { " " } else { "" };
        reading.text += &choice.written;
        if self.choices.len() == 1 {
            reading.steps.extend_from_slice(&choice.steps);
            return reading;
        }
        let among = self.choices.iter().map(|choice| letters(&choice.steps)).collect();
        reading.picks.push(Pick { taken: letters(&choice.steps), among });
        reading.steps.extend(choice.steps.iter().cloned().map(Step::chosen));
        reading
    }
}

fn letters(steps: &[Step]) -> String {
    let letters = steps.iter().map(|step| match step {
        Step::Word(word) => word.letters.as_str(),
        Step::Slot => "",
    });
    letters.collect::<Vec<_>>().join(" ")
}

fn checked(reading: Reading) -> Result<Reading, TargetError> {
    let slots = reading.slots();
    match reading.steps.len() {
        len if len == slots => Err(TargetError::NoWords),
        len if len > MAX_STEPS || slots > MAX_SLOTS => Err(TargetError::TooLong),
        _ => Ok(Reading { steps: joined(reading.steps), ..reading }),
    }
}

/// Joins neighbours without spaces between their words ("水 を"): they are one stretch, wherever the author cut them.
pub(super) fn joined(reading: Vec<Step>) -> Vec<Step> {
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
