//! Takes a text apart into words, numbers and symbols.
//!
//! The matcher knows only words, which is right for speech and wrong for `x == 1`, 1/6 and 0.25. So numbers and
//! symbols are respelled as special words before it listens. Each of these has a digit in it, and the matcher
//! requires an exact match for a word with a digit.

use std::fmt::Write;
use std::ops::Range;

use super::lists::List;
use crate::text::Words;

/// A piece of a text and its place there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Lexeme {
    pub kind: Kind,
    pub at: Range<usize>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Kind {
    /// A word, folded.
    Word(String),
    Whole(String),
    /// A number with a point or a sign.
    Number(String),
    Fraction(String, String),
    /// An operator or a mark, such as `==`.
    Symbol(String),
    /// A gap of a wording: `___`.
    Slot,
    /// `/` or `//` between two wordings.
    Slash,
}

/// The origin of a text, which decides how slots and slashes are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Written {
    /// Written by a learner: everything is meant as it stands.
    Answer,
    /// Written by an author: `___` is a slot and a slash separates variants.
    Wording,
}

/// The symbols that count as words. A run of them is one symbol.
const SYMBOLS: &str = "=<>!+-*/%&|^~@#$\\?:";
/// The signs that people type or print for symbols, each with its plain spelling.
const TYPESET: &[(char, &str)] =
    &[('×', "*"), ('÷', "/"), ('−', "-"), ('≤', "<="), ('≥', ">="), ('≠', "!="), ('→', "->"), ('⁄', "/")];
const PRINTED_FRACTIONS: &[(char, &str, &str)] =
    &[('½', "1", "2"), ('⅓', "1", "3"), ('⅔', "2", "3"), ('¼', "1", "4"), ('¾', "3", "4"), ('⅙', "1", "6")];

pub(super) fn lex(text: &str, written: Written) -> Vec<Lexeme> {
    let mut lexer = Lexer { text, written, at: 0, found: Vec::new() };
    while let Some(c) = lexer.rest().chars().next() {
        lexer.step(c);
    }
    lexer.found
}

/// Returns a symbol spelled as a word.
pub(super) fn spelled_symbol(symbol: &str) -> String {
    symbol.bytes().fold("op".to_owned(), |mut word, byte| {
        // Writing to a string cannot fail.
        let _ = write!(word, "{byte:x}");
        word
    })
}

struct Lexer<'t> {
    text: &'t str,
    written: Written,
    at: usize,
    found: Vec<Lexeme>,
}

impl<'t> Lexer<'t> {
    fn rest(&self) -> &'t str {
        &self.text[self.at..]
    }

    fn before(&self) -> Option<char> {
        self.text[..self.at].chars().next_back()
    }

    fn step(&mut self, c: char) {
        if let Some((number, length)) = self.number() {
            return self.push_number(number, length);
        }
        if let Some((_, top, bottom)) = PRINTED_FRACTIONS.iter().find(|(printed, ..)| *printed == c) {
            return self.push(Kind::Fraction((*top).to_owned(), (*bottom).to_owned()), c.len_utf8());
        }
        if c == '_' {
            return self.underscores();
        }
        let length = self.symbol_length();
        if length > 0 {
            return self.symbol(length);
        }
        if is_word(c) {
            return self.words();
        }
        self.at += c.len_utf8();
    }

    fn push(&mut self, kind: Kind, length: usize) {
        self.found.push(Lexeme { kind, at: self.at..self.at + length });
        self.at += length;
    }

    /// Returns the number that begins here and its length in bytes. Digits inside a name are not a number.
    fn number(&self) -> Option<(Kind, usize)> {
        if self.before().is_some_and(|c| is_word(c) || c == '_') {
            return None;
        }
        let rest = self.rest();
        let sign = if self.is_sign() { rest.chars().next().map_or(0, char::len_utf8) } else { 0 };
        let digits = &rest[sign..];
        let whole = digits_length(digits);
        // After another point or a closing bracket, a point calls a method or writes a range.
        if whole == 0 && self.before().is_some_and(|c| matches!(c, '.' | ')' | ']')) {
            return None;
        }
        let decimals = decimals_length(&digits[whole..], &digits[..whole]);
        let length = whole + decimals;
        if length == 0 || digits[length..].starts_with(|c: char| c.is_alphabetic() || c == '_') {
            return None;
        }
        let number = canonical(&digits[..whole], digits[whole..length].get(1..).unwrap_or_default());
        let kind = match (sign, decimals) {
            (0, 0) => Kind::Whole(number),
            (0, _) => Kind::Number(number),
            _ => Kind::Number(format!("neg{number}")),
        };
        Some((kind, sign + length))
    }

    /// Whether a minus here belongs to a number: it touches the number, and nothing before it can be subtracted
    /// from.
    fn is_sign(&self) -> bool {
        let rest = self.rest();
        let after = rest.strip_prefix(['-', '−']).unwrap_or_default();
        let is_free = |c: char| "=<>".contains(c) || (!is_word(c) && !SYMBOLS.contains(c) && c != ')');
        let is_after_number = matches!(
            self.found.last(),
            Some(Lexeme { kind: Kind::Whole(_) | Kind::Number(_) | Kind::Fraction(..), at })
                if self.text[at.end..self.at].trim().is_empty()
        );
        let is_before_number = after.starts_with(|c: char| c.is_ascii_digit() || c == '.');
        is_before_number && self.before().is_none_or(is_free) && !is_after_number
    }

    fn push_number(&mut self, number: Kind, length: usize) {
        let top = match number {
            Kind::Whole(top) => top,
            number => {
                self.push(number, length);
                return self.percent();
            }
        };
        match fraction_bottom(&self.rest()[length..]) {
            Some((bottom, more)) if !self.follows_slash() => {
                self.push(Kind::Fraction(top, bottom), length + more)
            }
            _ => self.push(Kind::Whole(top), length),
        }
        self.percent();
    }

    fn follows_slash(&self) -> bool {
        let before = self.text[..self.at].trim_end();
        before.ends_with('/') && self.found.last().is_some_and(|last| last.kind != Kind::Slash)
    }

    /// Reads a percent sign after a number as the word "percent". Between two operands it is an operator.
    fn percent(&mut self) {
        let rest = self.rest();
        let space = rest.len() - rest.trim_start_matches([' ', '\u{a0}']).len();
        let Some(after) = rest[space..].strip_prefix('%') else { return };
        let operand = after.trim_start();
        let letters = operand.chars().take_while(|c| is_word(*c)).count();
        let is_operator = operand.starts_with(|c: char| c.is_ascii_digit() || c == '(')
            || (space > 0 && letters == 1)
            || after.starts_with('=');
        if !is_operator {
            self.at += space;
            self.push(Kind::Word("percent".to_owned()), 1);
        }
    }

    /// Reads a run of underscores. Three or more are a slot in a wording. One that stands alone is a symbol;
    /// inside a name it only separates words.
    fn underscores(&mut self) {
        let length = self.rest().len() - self.rest().trim_start_matches('_').len();
        let touches = |c: Option<char>| c.is_some_and(is_word);
        let after = self.rest()[length..].chars().next();
        if length >= 3 && self.written == Written::Wording {
            self.push(Kind::Slot, length);
        } else if length == 1 && !touches(self.before()) && !touches(after) {
            self.push(Kind::Symbol("_".to_owned()), length);
        } else {
            self.at += length;
        }
    }

    fn symbol_length(&self) -> usize {
        let rest = self.rest();
        let is_range = rest.starts_with("..");
        let is_symbol = |c: char| SYMBOLS.contains(c) || is_typeset(c) || (is_range && c == '.');
        let length = rest.find(|c| !is_symbol(c)).unwrap_or(rest.len());
        // In "x=-1" the minus belongs to the number.
        let is_sign_last = rest[..length].ends_with('-') && rest.starts_with(['=', '<', '>']);
        let is_before_number = rest[length..].starts_with(|c: char| c.is_ascii_digit());
        if is_sign_last && is_before_number { length - 1 } else { length }
    }

    fn symbol(&mut self, length: usize) {
        let run = &self.rest()[..length];
        let after = self.rest()[length..].chars().next();
        let kind = match run {
            "/" | "//" if self.written == Written::Wording && !self.is_between_numbers(length) => Kind::Slash,
            "-" if self.before().is_some_and(is_word) && after.is_some_and(is_word) => {
                self.at += length;
                return;
            }
            "!" | "?" | ":" if self.ends_something(after) => {
                self.at += length;
                return;
            }
            run => Kind::Symbol(plain_symbol(run)),
        };
        self.push(kind, length);
    }

    fn is_between_numbers(&self, length: usize) -> bool {
        let is_number = |lexeme: &Lexeme| matches!(lexeme.kind, Kind::Whole(_));
        let after = self.rest()[length..].trim_start();
        self.found.last().is_some_and(is_number) && after.starts_with(|c: char| c.is_ascii_digit())
    }

    /// Whether a mark that follows a word only ends a sentence.
    fn ends_something(&self, after: Option<char>) -> bool {
        self.before().is_some_and(|c| !c.is_whitespace()) && after.is_none_or(|c| !is_word(c))
    }

    /// Reads everything up to the next symbol or underscore with the matcher's own rules for words.
    fn words(&mut self) {
        let rest = self.rest();
        let ends = |c: char| {
            let is_mark = c.is_ascii_punctuation() && c != '\'';
            is_mark || c.is_whitespace() || is_typeset(c) || PRINTED_FRACTIONS.iter().any(|row| row.0 == c)
        };
        let length = rest.find(ends).unwrap_or(rest.len()).max(rest.chars().next().map_or(1, char::len_utf8));
        let stretch = &rest[..length];
        for (source, folded) in Words::new(stretch).iter() {
            let start = self.at + (source.as_ptr().addr() - stretch.as_ptr().addr());
            let at = start..start + source.len();
            let words = spoken(folded, source.chars().count() > folded.chars().count());
            let lexemes = words.into_iter().map(|word| Lexeme { kind: Kind::Word(word), at: at.clone() });
            self.found.extend(lexemes);
        }
        self.at += length;
    }
}

/// Returns a word, or the two words of a contraction.
fn spoken(folded: &str, has_apostrophe: bool) -> Vec<String> {
    if let Some(verb) = List::WithNot.of(folded) {
        return vec![verb.to_owned(), "not".to_owned()];
    }
    match List::WithVerb.of(folded) {
        Some(words) if has_apostrophe => words.split(' ').map(str::to_owned).collect(),
        _ if folded == "prozent" => vec!["percent".to_owned()],
        _ => vec![folded.to_owned()],
    }
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() && !PRINTED_FRACTIONS.iter().any(|(printed, ..)| *printed == c)
}

fn is_typeset(c: char) -> bool {
    TYPESET.iter().any(|(printed, _)| *printed == c)
}

fn plain_symbol(run: &str) -> String {
    run.chars().fold(String::new(), |mut plain, c| {
        match TYPESET.iter().find(|(printed, _)| *printed == c) {
            Some((_, typed)) => plain.push_str(typed),
            None => plain.push(c),
        }
        plain
    })
}

/// Returns the length of digits with thousands separators: `1000`, `1,000`, `1_000`.
fn digits_length(text: &str) -> usize {
    if !text.starts_with(|c: char| c.is_ascii_digit()) {
        return 0;
    }
    let plain = text.bytes().take_while(|b| b.is_ascii_digit() || *b == b'_').count();
    let plain = text[..plain].trim_end_matches('_').len();
    if !(1..=3).contains(&plain) {
        return plain;
    }
    let mut length = plain;
    while let Some(group) = text[length..].strip_prefix(',') {
        if group.bytes().take_while(u8::is_ascii_digit).count() != 3 {
            break;
        }
        length += 4;
    }
    length
}

/// Returns the length of the decimal mark and the digits after it. A comma is a decimal mark only after a zero:
/// elsewhere it separates a list.
fn decimals_length(text: &str, whole: &str) -> usize {
    let is_mark = text.starts_with('.') || (text.starts_with(',') && whole == "0");
    let digits = text.bytes().skip(1).take_while(u8::is_ascii_digit).count();
    let goes_on = text.as_bytes().get(digits + 1).is_some_and(|b| *b == b',' && whole == "0");
    if is_mark && digits > 0 && !(goes_on && text.starts_with(',')) { digits + 1 } else { 0 }
}

/// Returns the one spelling of a number. `0.250`, `.25` and `0,25` are one number; `2` and `2.0` are two, because
/// they print differently.
fn canonical(whole: &str, decimals: &str) -> String {
    let whole: String = whole.chars().filter(char::is_ascii_digit).collect();
    let whole = if whole.is_empty() { "0".to_owned() } else { whole };
    match decimals {
        "" => whole,
        digits => {
            let kept = digits.trim_end_matches('0');
            format!("{whole}p{}", if kept.is_empty() { "0" } else { kept })
        }
    }
}

/// Returns the number under the bar and the length of bar and number, unless another bar follows.
fn fraction_bottom(rest: &str) -> Option<(String, usize)> {
    let is_space = |c: char| c == ' ';
    let after = rest.trim_start_matches(is_space);
    let below = after.strip_prefix(['/', '⁄'])?;
    let number = below.trim_start_matches(is_space);
    // A slash with a space on one side only is a slip or a list, not a fraction.
    if (after.len() == rest.len()) != (number.len() == below.len()) {
        return None;
    }
    let length = digits_length(number);
    let end = &number[length..];
    let is_bounded = !end.starts_with(|c: char| is_word(c) || c == '_' || c == '%')
        && decimals_length(end, "") == 0
        && !end.trim_start().starts_with('/');
    (length > 0 && is_bounded).then(|| (canonical(&number[..length], ""), rest.len() - end.len()))
}
