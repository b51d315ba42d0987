//! Grades numeric answers: exact fractions, decimals, percentages and simple expressions.

use super::question::Number;
use super::{Grade, words};
use crate::learner::Quality;
use crate::words::Text;

/// The relative error within which a number that is not whole is right: about three significant digits.
const ROUNDED: f64 = 0.003;
/// The relative error that still shows the right way: about two significant digits.
const ROUGH: f64 = 0.03;
/// The allowance for the rounding of floating point.
const NOTHING: f64 = 1e-9;
/// The signs before the result of a calculation.
const RESULTS: &[char] = &['=', '≈', '→'];
/// The deepest nesting of brackets that is read. Deeper nesting is not an answer.
const MAX_DEPTH: usize = 20;
/// The largest number whose factorial is computed. Larger factorials are inexact.
const MAX_FACTORIAL: f64 = 20.0;

pub(super) fn grade(number: &Number, answer: &str) -> Grade {
    let read = |text: &str| read(text, number.unit.as_deref());
    let (Reading::One(right), Reading::One(given)) = (read(&number.answer), read(answer)) else {
        return Grade::blank(words::no_answer());
    };
    let says = || number.explain.clone();
    let is_other_unit = is_count(number, right) && is_in_percent(answer);
    match nearness(number, right, given) {
        Nearness::Right | Nearness::Rounded if is_other_unit => Grade::new(Quality::AGAIN, words::wrong()),
        Nearness::Right => Grade::new(Quality::EASY, says()),
        Nearness::Rounded => Grade::new(Quality::HARD, words::number_rounded(number.answer.as_str())),
        Nearness::Off if says().is_empty() => Grade::new(Quality::AGAIN, words::wrong()),
        Nearness::Off => Grade::new(Quality::AGAIN, words::wrong_because(says())),
    }
}

pub(super) fn unclear(answer: &str) -> Option<Text> {
    match read(answer, None) {
        Reading::One(_) => None,
        Reading::None if super::is_nothing(answer) => None,
        Reading::None => Some(words::give_number()),
        Reading::Several => Some(words::give_one_number()),
    }
}

/// Returns the value of a number as an author writes it.
pub(crate) fn value(text: &str) -> Option<f64> {
    match read(text, None) {
        Reading::One(value) => Some(value),
        Reading::None | Reading::Several => None,
    }
}

enum Nearness {
    Right,
    Rounded,
    Off,
}

fn nearness(number: &Number, right: f64, given: f64) -> Nearness {
    let off = (given - right).abs();
    let tolerance = number.tolerance.as_deref().and_then(value).unwrap_or(0.0);
    // Rounding is not accepted where the right answer is a whole number.
    let is_whole = right.fract() == 0.0;
    match off / right.abs().max(NOTHING) {
        _ if off <= tolerance + NOTHING => Nearness::Right,
        share if share <= ROUNDED && !is_whole => Nearness::Right,
        share if share <= ROUGH && !is_whole && tolerance == 0.0 => Nearness::Rounded,
        _ => Nearness::Off,
    }
}

/// Whether the right answer counts things, so that a percentage is another number.
fn is_count(number: &Number, right: f64) -> bool {
    right.fract() == 0.0
        && right > 1.0
        && number.unit.is_none()
        && !tokens(&number.answer).contains(&Token::Percent)
}

/// Whether a text states a percentage.
fn is_in_percent(text: &str) -> bool {
    let text = plain(text);
    tokens(text.rsplit(RESULTS).next().unwrap_or_default()).contains(&Token::Percent)
}

enum Reading {
    One(f64),
    Several,
    None,
}

/// Reads the number that a text states. The part after the last “=” is what the learner takes for the result.
fn read(text: &str, unit: Option<&str>) -> Reading {
    let text = plain(text);
    let stated = text.rsplit(RESULTS).next().unwrap_or_default();
    let stated = if expressions(stated, unit).is_empty() { text.as_str() } else { stated };
    let mut found = expressions(stated, unit);
    found.dedup_by(|a, b| (*a - *b).abs() <= ROUNDED * b.abs().max(NOTHING));
    match found.as_slice() {
        [] => Reading::None,
        [only] => Reading::One(*only),
        _ => Reading::Several,
    }
}

/// Returns a text with the plainest signs for the same, in lower case.
fn plain(text: &str) -> String {
    let text = text.replace(['−', '–'], "-").replace(['×', '·'], "*").replace('÷', "/").replace('≠', " not ");
    text.to_lowercase().replace("n't", " not").replace("n’t", " not")
}

/// Whether a "not" stands right before the next number.
fn is_denied(before: &[Token]) -> bool {
    before.iter().rev().find(|token| **token != Token::Filler) == Some(&Token::Not)
}

/// Returns the value of every expression in a text that is not denied. Each extends as far as it can be read.
fn expressions(text: &str, unit: Option<&str>) -> Vec<f64> {
    let tokens = tokens(text);
    let (mut found, mut at) = (Vec::new(), 0);
    while at < tokens.len() {
        let mut parser = Parser { tokens: &tokens, at, depth: 0 };
        let begin = at;
        match parser.sum() {
            Some(value) => {
                at = parser.at;
                let value = parser.share(value, unit).unwrap_or(value);
                found.extend(Some(value).filter(|_| !is_denied(&tokens[..begin])));
                at = at.max(parser.at);
            }
            None => at += 1,
        }
    }
    found
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Token {
    Number(f64),
    Sign(char),
    Percent,
    /// The "of" in “1 in 6” and “2 out of 3”.
    Of,
    Not,
    /// A word that may stand between "not" and what it denies.
    Filler,
    Word,
}

fn tokens(text: &str) -> Vec<Token> {
    let mut tokens = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let end = match first {
            c if c.is_ascii_digit() || (c == '.' && digit_follows(rest, 1)) => digits(rest),
            c if c.is_alphabetic() => rest.find(|c: char| !c.is_alphabetic()).unwrap_or(rest.len()),
            c => c.len_utf8(),
        };
        let (piece, after) = rest.split_at(end);
        tokens.extend(token(first, piece));
        rest = after;
    }
    tokens
}

fn token(first: char, piece: &str) -> Option<Token> {
    match first {
        '0'..='9' | '.' if piece != "." => decimal(piece).map(Token::Number),
        '+' | '-' | '*' | '/' | '^' | '(' | ')' | '!' => Some(Token::Sign(first)),
        ':' => Some(Token::Sign('/')),
        '%' => Some(Token::Percent),
        c if c.is_alphabetic() => Some(match piece {
            "percent" | "prozent" | "pct" | "procent" => Token::Percent,
            "in" | "out" | "of" | "von" | "aus" => Token::Of,
            "x" | "times" | "mal" => Token::Sign('*'),
            "half" => Token::Number(0.5),
            "quarter" => Token::Number(0.25),
            "not" | "never" | "nicht" | "nie" | "niemals" | "kein" | "keine" | "keinen" => Token::Not,
            "a" | "an" | "the" | "equal" | "equals" | "to" | "exactly" | "gleich" | "genau" => Token::Filler,
            _ => Token::Word,
        }),
        _ => None,
    }
}

fn digit_follows(text: &str, at: usize) -> bool {
    text[at..].starts_with(|c: char| c.is_ascii_digit())
}

/// Returns the length of a number. A point or comma belongs to it if a digit follows.
fn digits(text: &str) -> usize {
    let mut end = 0;
    for (at, c) in text.char_indices() {
        let is_part = c.is_ascii_digit() || (matches!(c, '.' | ',') && digit_follows(text, at + 1));
        if !is_part {
            break;
        }
        end = at + c.len_utf8();
    }
    end
}

/// Parses a number with commas, which either separate groups of three digits or stand for the decimal point.
fn decimal(piece: &str) -> Option<f64> {
    let groups: Vec<&str> = piece.split(',').collect();
    let is_grouped = groups.len() > 1
        && groups[0] != "0"
        && groups[1..].iter().all(|group| group.split('.').next().is_some_and(|digits| digits.len() == 3));
    let plain = if is_grouped { piece.replace(',', "") } else { piece.replacen(',', ".", 1) };
    plain.parse().ok()
}

struct Parser<'t> {
    tokens: &'t [Token],
    at: usize,
    depth: usize,
}

impl Parser<'_> {
    fn next_is(&mut self, signs: &[char]) -> Option<char> {
        match self.tokens.get(self.at) {
            Some(Token::Sign(sign)) if signs.contains(sign) => {
                self.at += 1;
                Some(*sign)
            }
            _ => None,
        }
    }

    fn sum(&mut self) -> Option<f64> {
        let mut sum = self.product()?;
        loop {
            let before = self.at;
            let Some(sign) = self.next_is(&['+', '-']) else { return Some(sum) };
            let Some(term) = self.product() else {
                self.at = before;
                return Some(sum);
            };
            sum += if sign == '+' { term } else { -term };
        }
    }

    fn product(&mut self) -> Option<f64> {
        let mut product = self.power()?;
        loop {
            let before = self.at;
            let Some(sign) = self.next_is(&['*', '/']) else { return Some(product) };
            let Some(factor) = self.power() else {
                self.at = before;
                return Some(product);
            };
            product = if sign == '*' { product * factor } else { product / factor };
            if !product.is_finite() {
                return None;
            }
        }
    }

    fn power(&mut self) -> Option<f64> {
        let base = self.factor()?;
        let before = self.at;
        match self.next_is(&['^']).and_then(|_| self.factor()) {
            Some(exponent) => Some(base.powf(exponent)).filter(|power| power.is_finite()),
            None => {
                self.at = before;
                Some(base)
            }
        }
    }

    fn factor(&mut self) -> Option<f64> {
        if self.next_is(&['-']).is_some() {
            return self.factor().map(|factor| -factor);
        }
        let value = match self.tokens.get(self.at)? {
            Token::Number(number) => {
                self.at += 1;
                *number
            }
            Token::Sign('(') if self.depth < MAX_DEPTH => self.bracket()?,
            _ => return None,
        };
        let value = if self.next_is(&['!']).is_some() { factorial(value)? } else { value };
        Some(if self.is_percent() { value / 100.0 } else { value })
    }

    fn bracket(&mut self) -> Option<f64> {
        let from = self.at;
        (self.at, self.depth) = (self.at + 1, self.depth + 1);
        let inside = self.sum();
        self.depth -= 1;
        match self.next_is(&[')']).and(inside) {
            Some(value) => Some(value),
            None => {
                self.at = from;
                None
            }
        }
    }

    fn is_percent(&mut self) -> bool {
        let is_percent = self.tokens.get(self.at) == Some(&Token::Percent);
        self.at += usize::from(is_percent);
        is_percent
    }

    /// Reads “1 in 6” and “2 out of 3” as fractions, and converts a bare number to the unit of the question.
    /// Returns `None` if neither applies.
    fn share(&mut self, value: f64, unit: Option<&str>) -> Option<f64> {
        let is_percent = self.at > 0 && self.tokens[self.at - 1] == Token::Percent;
        let before = self.at;
        while self.tokens.get(self.at) == Some(&Token::Of) {
            self.at += 1;
        }
        if self.at > before {
            match self.factor() {
                Some(whole) if whole != 0.0 => return Some(value / whole),
                _ => self.at = before,
            }
        }
        (unit == Some("%") && !is_percent && value > 1.0).then_some(value / 100.0)
    }
}

fn factorial(value: f64) -> Option<f64> {
    let is_small = value.fract() == 0.0 && (0.0..=MAX_FACTORIAL).contains(&value);
    is_small.then(|| (1..=value as u64).map(|factor| factor as f64).product())
}
