//! Finds an accepted wording in an answer, wherever it occurs.

use std::cell::OnceCell;
use std::collections::HashSet;
use std::ops::Range;

use super::dismissal::is_dismissed;
use super::lex::{Kind, Lexeme, Written, lex, spelled_symbol};
use super::lists::List;
use super::negation::{is_denied, is_negator};
use super::reading::{Flavour, Reading, Token, fraction};
use super::sense::Senses;
use super::stem::{denied_by, stem};
use crate::text::{Heard, How, Piece, Target, TargetError};

/// The number of slots above which the reader of curricula refuses a wording.
pub(crate) const MAX_SLOTS: usize = 3;
/// The number of places in an answer where a wording is checked. After this many denials the learner will not
/// affirm it.
const MAX_TRIES: usize = 12;

/// A compiled wording.
#[derive(Debug, Clone)]
pub(crate) struct Wording {
    /// The targets of the matcher: the same words with each slot filled or left out.
    targets: Vec<Target>,
    flavour: Flavour,
    /// The first letters of its words. A typo, too, keeps the first letter, so a text with none of these letters
    /// can be skipped.
    initials: Vec<char>,
    /// Whether the wording denies something itself, so that a negator belongs to it.
    has_negator: bool,
}

/// A place in an answer where a wording was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Hit {
    /// The place in the answer, in bytes.
    pub at: Range<usize>,
    /// Whether one of the words is misspelt.
    pub has_typo: bool,
    /// The words of the place, in the form that is compared.
    pub words: Vec<String>,
}

/// The readings of an answer, each made at most once.
#[derive(Debug)]
pub(super) struct Readings<'t> {
    text: &'t str,
    plain: Reading,
    symbols: OnceCell<Reading>,
    split: OnceCell<Reading>,
    stems: OnceCell<Reading>,
    senses: OnceCell<Senses>,
}

impl<'t> Readings<'t> {
    pub(super) fn new(text: &'t str) -> Readings<'t> {
        let plain = Reading::new(text, Flavour::Plain);
        Readings {
            text,
            plain,
            symbols: OnceCell::new(),
            split: OnceCell::new(),
            stems: OnceCell::new(),
            senses: OnceCell::new(),
        }
    }

    /// Returns the answer, ready for the search. A word in `known` never counts as a typo of another.
    pub(super) fn answer<'r>(&'r self, known: &'r HashSet<String>) -> Answer<'r> {
        let passages = std::array::from_fn(|_| OnceCell::new());
        Answer { readings: self, passages, known, heeds_denial: true }
    }

    fn reading(&self, flavour: Flavour) -> &Reading {
        let read = || Reading::new(self.text, flavour);
        match flavour {
            Flavour::Plain => &self.plain,
            Flavour::Symbols => self.symbols.get_or_init(read),
            Flavour::Split => self.split.get_or_init(read),
            Flavour::Stems => self.stems.get_or_init(read),
        }
    }
}

/// An answer in which wordings are searched for.
#[derive(Debug)]
pub(super) struct Answer<'r> {
    readings: &'r Readings<'r>,
    /// The passages for each flavour.
    passages: [OnceCell<Passages<'r>>; 4],
    known: &'r HashSet<String>,
    /// Whether denied words count as not said.
    heeds_denial: bool,
}

/// The passages of a reading, each heard once for all wordings.
#[derive(Debug)]
struct Passages<'r> {
    reading: &'r Reading,
    /// The letters with which the words begin.
    initials: HashSet<char>,
    heard: OnceCell<Vec<(Range<usize>, Heard<'r>)>>,
}

impl<'r> Passages<'r> {
    fn new(reading: &'r Reading) -> Passages<'r> {
        let initials = reading.tokens.iter().filter_map(|token| token.letters.chars().next()).collect();
        Passages { reading, initials, heard: OnceCell::new() }
    }

    fn heard(&self) -> &[(Range<usize>, Heard<'r>)] {
        let hear = |passage: Range<usize>| (passage.clone(), Heard::new(self.reading.text(passage)));
        self.heard.get_or_init(|| self.reading.passages().into_iter().map(hear).collect())
    }
}

impl<'r> Answer<'r> {
    /// Returns the answer with denials ignored: its words count as said, whatever stands before them.
    pub(super) fn taken_literally(self) -> Answer<'r> {
        Answer { heeds_denial: false, ..self }
    }

    /// Returns the words of the answer, without symbols.
    pub(super) fn tokens(&self) -> &'r [Token] {
        &self.readings.plain.tokens
    }

    /// Returns the meanings of the words.
    pub(super) fn senses(&self) -> &'r Senses {
        self.readings.senses.get_or_init(|| Senses::new(self.readings.text))
    }

    fn passages(&self, flavour: Flavour) -> &Passages<'r> {
        self.passages[flavour as usize].get_or_init(|| Passages::new(self.readings.reading(flavour)))
    }
}

impl Wording {
    pub(crate) fn parse(text: &str) -> Result<Wording, TargetError> {
        let lexemes = lex(text, Written::Wording);
        Wording::compile(&lexemes, text, flavour(&lexemes))
    }

    /// Parses the wording without grammatical endings. Returns `None` for a wording with more than plain words.
    pub(super) fn parse_stems(text: &str) -> Option<Wording> {
        let lexemes = lex(text, Written::Wording);
        let is_plain = flavour(&lexemes) == Flavour::Plain;
        is_plain.then(|| Wording::compile(&stemmed(&lexemes), text, Flavour::Stems).ok())?
    }

    fn compile(lexemes: &[Lexeme], text: &str, flavour: Flavour) -> Result<Wording, TargetError> {
        let spelled = spell(lexemes, text);
        let denies = |lexeme: &Lexeme| matches!(&lexeme.kind, Kind::Word(word) if is_negator(word));
        let mut targets = vec![Target::parse(&spelled)?];
        targets.extend(without_slots(&spelled).iter().filter_map(|shorter| Target::parse(shorter).ok()));
        let initials =
            lexemes.iter().filter_map(|lexeme| spelled_word(lexeme, text).chars().next()).collect();
        let has_negator = lexemes.iter().any(denies);
        Ok(Wording { targets, flavour, initials, has_negator })
    }

    /// Returns the first place where the answer says the wording and does not deny it. A misspelt match is only
    /// the last resort.
    pub(super) fn find(&self, answer: &Answer) -> Option<Hit> {
        let passages = answer.passages(self.flavour);
        let reading = passages.reading;
        if !self.initials.iter().any(|initial| passages.initials.contains(initial)) {
            return None;
        }
        let mut tries = MAX_TRIES;
        let mut with_typo = None;
        for (target, (passage, heard)) in self
            .targets
            .iter()
            .flat_map(|target| passages.heard().iter().map(move |passage| (target, passage)))
        {
            let how = target.hear(heard).how;
            // A stem that merely resembles another one means nothing.
            if self.flavour == Flavour::Stems && how != How::Surface {
                continue;
            }
            let mut from = passage.start;
            while let Some(tokens) = locate(target, reading, from..passage.end, how).filter(|_| tries > 0) {
                tries -= 1;
                from = tokens.start + 1;
                match self.hit(target, reading, tokens, answer) {
                    Some(hit) if hit.has_typo => with_typo = with_typo.or(Some(hit)),
                    Some(hit) => return Some(hit),
                    None => {}
                }
            }
        }
        with_typo
    }

    /// Returns the hit at these words, if they mean the wording and are not denied.
    fn hit(&self, target: &Target, reading: &Reading, tokens: Range<usize>, answer: &Answer) -> Option<Hit> {
        let changed = changes(target, reading, tokens.clone());
        let is_meant = changed.iter().all(|(expected, heard)| is_typo(expected, heard, answer.known));
        let is_denied = || {
            (!self.has_negator && is_denied(&reading.tokens, tokens.clone()))
                || is_dismissed(&reading.tokens, tokens.clone())
        };
        let is_said = !answer.heeds_denial || !is_denied();
        let words = reading.tokens[tokens.clone()].iter().map(|token| token.letters.clone()).collect();
        (is_meant && is_said).then(|| Hit {
            at: reading.source(tokens),
            has_typo: !changed.is_empty(),
            words,
        })
    }
}

fn hear(target: &Target, reading: &Reading, words: Range<usize>) -> How {
    target.hear(&Heard::new(reading.text(words))).how
}

/// Finds the shortest stretch of words in which the target is first heard, exactly or not. More words around a
/// stretch never lose a target, so bisection finds both ends; doubling the reach before that keeps the stretches
/// short.
fn locate(target: &Target, reading: &Reading, words: Range<usize>, how: How) -> Option<Range<usize>> {
    const FIRST_WORDS: usize = 16;
    if how == How::None {
        return None;
    }
    let is_heard = |words: Range<usize>| match hear(target, reading, words) {
        How::None => false,
        heard => how != How::Surface || heard == How::Surface,
    };
    let mut reach = FIRST_WORDS;
    while reach < words.len() && !is_heard(words.start..words.start + reach) {
        reach *= 2;
    }
    let reach = words.end.min(words.start + reach);
    if !is_heard(words.start..reach) {
        return None;
    }
    let end = first(words.start + 1..reach, |end| is_heard(words.start..end));
    // The stretch starts one word before the first start from which the target is no longer heard.
    let start = first(words.start + 1..end, |start| !is_heard(start..end)) - 1;
    Some(start..end)
}

/// Returns the first number for which `holds`, which must then hold for all later ones. Returns the end of the
/// range if there is none.
fn first(numbers: Range<usize>, holds: impl Fn(usize) -> bool) -> usize {
    let (mut low, mut high) = (numbers.start, numbers.end);
    while low < high {
        let middle = low + (high - low) / 2;
        if holds(middle) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    low
}

/// Returns the words that differ from the expected ones, each after its expected form. Words that are only
/// written together do not differ.
fn changes(target: &Target, reading: &Reading, words: Range<usize>) -> Vec<(String, String)> {
    let joined = |text: String| text.split_whitespace().collect::<String>();
    let heard = target.hear(&Heard::new(reading.text(words)));
    let pairs = heard.difference.into_iter().filter_map(|piece| match piece {
        Piece::Changed { expected, heard } => Some((joined(expected), joined(heard))),
        Piece::Same { .. } | Piece::Missing { .. } | Piece::Extra { .. } => None,
    });
    pairs.filter(|(expected, heard)| expected != heard).collect()
}

/// Whether `heard` can be a typo of `expected`.
///
/// The matcher forgives more, which is right for speech. Here "dependent" is not "independent", "mutable" not
/// "immutable" and "null" not "full": a different first letter, or a word that exists in its own right, makes it
/// another word.
fn is_typo(expected: &str, heard: &str, known: &HashSet<String>) -> bool {
    let same_start = expected.chars().next() == heard.chars().next();
    same_start && !known.contains(heard) && !List::CommonWords.has(heard)
}

/// Returns the wording as the matcher reads it: numbers and symbols spelled as words, slots and slashes
/// unchanged.
fn spell(lexemes: &[Lexeme], text: &str) -> String {
    let mut spelled = String::new();
    let mut before: Option<&Lexeme> = None;
    for lexeme in lexemes {
        if let Some(before) = before {
            let between = text.get(before.at.end..lexeme.at.start).unwrap_or_default();
            let is_slash = before.kind == Kind::Slash || lexeme.kind == Kind::Slash;
            // Parts that were written as one piece stay one piece, so that a slash beside them keeps its meaning.
            spelled.push_str(if between.contains(char::is_whitespace) {
                " "
            } else if is_slash {
                ""
            } else {
                "-"
            });
        }
        spelled.push_str(&spelled_word(lexeme, text));
        before = Some(lexeme);
    }
    spelled
}

/// Returns the wording as [`Flavour::Stems`] reads an answer.
fn stemmed(lexemes: &[Lexeme]) -> Vec<Lexeme> {
    let word =
        |lexeme: &Lexeme, word: &str| Lexeme { kind: Kind::Word(word.to_owned()), at: lexeme.at.clone() };
    let says = |lexeme: &Lexeme| match &lexeme.kind {
        Kind::Word(said) => match denied_by(said) {
            Some(denied) => vec![word(lexeme, "not"), word(lexeme, &stem(denied))],
            None => vec![word(lexeme, &stem(said))],
        },
        _ => vec![lexeme.clone()],
    };
    lexemes.iter().flat_map(says).collect()
}

fn spelled_word(lexeme: &Lexeme, text: &str) -> String {
    match &lexeme.kind {
        Kind::Word(word) | Kind::Whole(word) | Kind::Number(word) => word.clone(),
        Kind::Fraction(top, bottom) => fraction(top, bottom),
        Kind::Symbol(symbol) => spelled_symbol(symbol),
        Kind::Slot => "___".to_owned(),
        Kind::Slash => text[lexeme.at.clone()].to_owned(),
    }
}

/// Returns the spelled wording with every combination of slots left out, because a slot stands for any words or
/// none.
fn without_slots(spelled: &str) -> Vec<String> {
    let parts: Vec<&str> = spelled.split("___").collect();
    let slots = parts.len() - 1;
    if slots == 0 || slots > MAX_SLOTS {
        return Vec::new();
    }
    let join = |kept: usize| {
        let mut text = parts[0].to_owned();
        for (slot, part) in parts[1..].iter().enumerate() {
            text.push_str(if kept & (1 << slot) != 0 { "___" } else { "" });
            text.push_str(part);
        }
        text
    };
    (0..(1 << slots) - 1).map(join).collect()
}

fn flavour(lexemes: &[Lexeme]) -> Flavour {
    let is_whole = |lexeme: &Lexeme| matches!(lexeme.kind, Kind::Whole(_));
    if lexemes.iter().any(|lexeme| matches!(lexeme.kind, Kind::Symbol(_))) {
        Flavour::Symbols
    } else if lexemes.windows(2).any(|pair| pair.iter().all(is_whole)) {
        Flavour::Split
    } else {
        Flavour::Plain
    }
}
