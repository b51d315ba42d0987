//! Reads the mathematics in a text as tokens: numbers in digits and in words, operators, names, and the words
//! between them.

use std::ops::Range;

use super::phrases::{List, list};

#[derive(Debug, Clone, PartialEq)]
pub(super) enum Tok {
    Number(Number),
    /// A variable or a function.
    Name(String),
    /// An operator: `+ - * / ^ ±`.
    Op(char),
    Open,
    Close,
    Equals,
    /// A word in lower case.
    Word(String),
    /// A mark that ends a clause.
    Stop,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Number {
    pub value: f64,
    pub is_percent: bool,
    /// Whether it was written as a word.
    pub is_word: bool,
    /// Whether it numbers a step or a line and does not count things.
    pub is_label: bool,
}

#[derive(Debug, Clone)]
pub(super) struct Token {
    pub tok: Tok,
    pub at: Range<usize>,
}

impl Token {
    pub(super) fn number(&self) -> Option<Number> {
        match self.tok {
            Tok::Number(number) => Some(number),
            _ => None,
        }
    }

    pub(super) fn word(&self) -> Option<&str> {
        match &self.tok {
            Tok::Word(word) => Some(word),
            _ => None,
        }
    }
}

/// Whether two quantities are equal. Two that are not whole may be rounded and may differ by a thousandth.
pub(super) fn same(one: f64, other: f64) -> bool {
    let is_rounded = one.fract() != 0.0 && other.fract() != 0.0;
    let tolerance = if is_rounded { 1e-3 * one.abs().max(other.abs()) } else { 1e-9 };
    (one - other).abs() <= tolerance
}

/// Reads a text into tokens. Positions are in bytes.
pub(super) fn tokens(text: &str) -> Vec<Token> {
    let mut lexer = Lexer { text, at: 0, tokens: Vec::new() };
    while lexer.at < text.len() {
        lexer.next();
    }
    joined(lexer.tokens)
}

struct Lexer<'t> {
    text: &'t str,
    at: usize,
    tokens: Vec<Token>,
}

impl Lexer<'_> {
    fn next(&mut self) {
        let rest = &self.text[self.at..];
        let c = rest.chars().next().expect("there is text left");
        if rest.starts_with("<<") || rest.starts_with(">>") {
            // A calculator's note in a worked answer repeats the computation beside it.
            let end = if rest.starts_with("<<") { rest.find(">>").map_or(2, |end| end + 2) } else { 2 };
            self.at += end;
        } else if c.is_ascii_digit() || (c == '.' && rest[1..].starts_with(|c: char| c.is_ascii_digit())) {
            self.number(rest);
        } else if let Some(value) = vulgar(c) {
            self.push_number(value, c.len_utf8());
        } else if let Some(power) = "⁰¹²³⁴⁵⁶⁷⁸⁹".chars().position(|power| power == c) {
            self.push(Tok::Op('^'), 0);
            self.push_number(power as f64, c.len_utf8());
        } else if c.is_alphabetic() {
            self.word(rest);
        } else {
            self.sign(c, rest);
        }
    }

    fn number(&mut self, rest: &str) {
        let bytes = rest.as_bytes();
        let digits =
            |from: usize| bytes[from.min(bytes.len())..].iter().take_while(|b| b.is_ascii_digit()).count();
        let mut end = digits(0);
        let mut plain: String = rest[..end].to_owned();
        while bytes.get(end) == Some(&b',') && digits(end + 1) == 3 && end > 0 {
            plain += &rest[end + 1..end + 4];
            end += 4;
        }
        let before = self.text[..self.at].chars().next_back();
        let in_list = before.is_some_and(|c| "[(,".contains(c));
        let point = bytes.get(end).copied();
        let fraction = if point == Some(b'.') || point == Some(b',') { digits(end + 1) } else { 0 };
        let is_decimal = match point {
            Some(b'.') => fraction > 0,
            Some(b',') => {
                (1..=2).contains(&fraction) && !in_list && bytes.get(end + 1 + fraction) != Some(&b',')
            }
            _ => false,
        };
        if is_decimal {
            plain += ".";
            plain += &rest[end + 1..end + 1 + fraction];
            end += 1 + fraction;
        }
        let is_ordinal = ["st", "nd", "rd", "th"].iter().any(|ending| {
            rest[end..].starts_with(ending) && !rest[end + 2..].starts_with(char::is_alphanumeric)
        });
        if is_ordinal {
            return self.push(Tok::Word(rest[..end + 2].to_lowercase()), end + 2);
        }
        let value = plain.parse().unwrap_or(f64::NAN);
        let is_item = rest[end..].starts_with([')', '.'])
            && !rest[end + 1..].starts_with(|c: char| c.is_ascii_digit())
            && self.text[..self.at].trim_end_matches([' ', '*', '(']).ends_with('\n')
            || self
                .tokens
                .last()
                .and_then(Token::word)
                .is_some_and(|word| list(List::Labels).contains(&word))
            || before == Some('#') && !self.text[..self.at].ends_with("##");
        let number = Number { value, is_percent: false, is_word: false, is_label: is_item };
        self.push(Tok::Number(number), end);
    }

    fn word(&mut self, rest: &str) {
        let is_inside = |c: char| c.is_alphabetic() || matches!(c, '\'' | '’');
        let end = rest.find(|c: char| !is_inside(c)).unwrap_or(rest.len());
        let word = rest[..end].to_lowercase().replace('’', "'");
        let touches = |c: Option<char>| c.is_some_and(|c| c.is_ascii_digit() || "+-−*/^=·()".contains(c));
        let before = self.text[..self.at].chars().next_back();
        let letters = word.trim_end_matches('\'').chars().count();
        let is_lone = letters == 1 && !matches!(word.as_str(), "a" | "i" | "s" | "t");
        let is_glued = letters <= 2 && (touches(before) || touches(rest[end..].chars().next()));
        if is_lone || is_glued || list(List::Functions).contains(&word.as_str()) {
            return self.push(Tok::Name(rest[..end].to_owned()), end);
        }
        self.push(Tok::Word(word), end);
    }

    fn sign(&mut self, c: char, rest: &str) {
        let len = c.len_utf8();
        match c {
            '+' | '±' | '^' => self.push(Tok::Op(c), len),
            '-' | '−' | '–' | '—' => self.push(Tok::Op('-'), len),
            '*' | '×' | '·' | '⋅' | '∙' => {
                self.push(Tok::Op('*'), len + usize::from(rest.starts_with("**")))
            }
            '/' | '÷' => self.push(Tok::Op('/'), len),
            '(' | '{' | '[' => self.push(Tok::Open, len),
            ')' | '}' | ']' => self.push(Tok::Close, len),
            '=' | '≈' => self.push(Tok::Equals, len),
            '√' => self.push(Tok::Name("sqrt".into()), len),
            '∫' => self.push(Tok::Name("int".into()), len),
            '%' => {
                if let Some(Token { tok: Tok::Number(number), .. }) = self.tokens.last_mut() {
                    number.is_percent = true;
                }
                self.at += len;
            }
            '.' | ',' | ';' | ':' | '!' | '?' | '\n' | '→' => self.push(Tok::Stop, len),
            _ => self.at += len,
        }
    }

    fn push_number(&mut self, value: f64, len: usize) {
        let number = Number { value, is_percent: false, is_word: false, is_label: false };
        self.push(Tok::Number(number), len);
    }

    fn push(&mut self, tok: Tok, len: usize) {
        self.tokens.push(Token { tok, at: self.at..self.at + len });
        self.at += len;
    }
}

fn vulgar(c: char) -> Option<f64> {
    let of =
        [('½', 0.5), ('¼', 0.25), ('¾', 0.75), ('⅓', 1.0 / 3.0), ('⅔', 2.0 / 3.0), ('⅕', 0.2), ('⅛', 0.125)];
    of.iter().find(|(sign, _)| *sign == c).map(|(_, value)| *value)
}

/// Returns the tokens with words for numbers and operators read as such, and fractions joined into one number.
fn joined(tokens: Vec<Token>) -> Vec<Token> {
    let mut joined: Vec<Token> = Vec::with_capacity(tokens.len());
    let mut at = 0;
    while at < tokens.len() {
        let (token, used) = worded(&tokens[at..])
            .or_else(|| fraction(&tokens[at..], joined.last()))
            .unwrap_or_else(|| (tokens[at].clone(), 1));
        joined.push(token);
        at += used;
    }
    joined
}

/// Reads a number or an operator in words. "One" alone is too vague to be a number.
fn worded(tokens: &[Token]) -> Option<(Token, usize)> {
    let word = tokens[0].word()?;
    if let Some(op) = operator(word) {
        let of = |tok| Some((Token { tok, at: tokens[0].at.clone() }, 1));
        return match op {
            '%' => None,
            '=' => of(Tok::Equals),
            op => of(Tok::Op(op)),
        };
    }
    if let Some(part) =
        tokens.get(1).and_then(Token::word).and_then(part).filter(|_| matches!(word, "a" | "one"))
    {
        let number = Number { value: 1.0 / part, is_percent: false, is_word: true, is_label: false };
        return Some((Token { tok: Tok::Number(number), at: tokens[0].at.start..tokens[1].at.end }, 2));
    }
    let (mut total, mut group, mut used) = (0.0, 0.0, 0);
    while let Some(word) = tokens.get(used).and_then(Token::word) {
        match cardinal(word) {
            Some(value) if value == 100.0 || value == 1000.0 => {
                group = f64::max(group, 1.0) * value;
                if value == 1000.0 {
                    total += std::mem::take(&mut group);
                }
            }
            // "Five, six" are two numbers, and so are "two three".
            Some(value) if used == 0 || (group % 10.0 == 0.0 && value < 10.0) || group % 100.0 == 0.0 => {
                group += value
            }
            None if word == "and" && used > 0 && (group % 100.0 == 0.0) && group > 0.0 => {}
            _ => break,
        }
        used += 1;
        // A hyphen stands between the parts of "twenty-five".
        let is_hyphen =
            tokens.get(used).is_some_and(|token| token.tok == Tok::Op('-') && token.at.len() == 1);
        if is_hyphen
            && tokens.get(used + 1).and_then(Token::word).is_some_and(|word| cardinal(word).is_some())
        {
            used += 1;
        }
    }
    while used > 0 && tokens[used - 1].word() == Some("and") {
        used -= 1;
    }
    let value = total + group;
    if used == 0 || (used == 1 && value < 2.0) {
        return None;
    }
    let parts = tokens.get(used).and_then(Token::word).and_then(part);
    let (value, used) = parts.map_or((value, used), |part| (value / part, used + 1));
    let number = Number { value, is_percent: false, is_word: true, is_label: false };
    Some((Token { tok: Tok::Number(number), at: tokens[0].at.start..tokens[used - 1].at.end }, used))
}

/// Reads a proper fraction of small numbers, "2/5" or "2 1/2", as one number. Other slashes divide.
fn fraction(tokens: &[Token], before: Option<&Token>) -> Option<(Token, usize)> {
    let (whole, from) = match tokens {
        [whole, over, slash, ..] if is_whole(whole) && is_whole(over) && slash.tok == Tok::Op('/') => {
            (whole.number()?.value, 1)
        }
        _ => (0.0, 0),
    };
    let [over, slash, under, ..] = tokens.get(from..)? else { return None };
    let (top, bottom) = (over.number()?, under.number()?);
    let is_tight = over.at.end == slash.at.start && slash.at.end == under.at.start;
    let is_proper = top.value < bottom.value && bottom.value <= 100.0 && is_whole(over) && is_whole(under);
    let is_power = before.is_some_and(|token| token.tok == Tok::Op('^'));
    if slash.tok != Tok::Op('/') || !is_tight || !is_proper || is_power {
        return None;
    }
    let number = Number { value: whole + top.value / bottom.value, ..top };
    Some((Token { tok: Tok::Number(number), at: tokens[0].at.start..under.at.end }, from + 3))
}

fn is_whole(token: &Token) -> bool {
    token.number().is_some_and(|number| number.value.fract() == 0.0 && !number.is_word)
}

fn operator(word: &str) -> Option<char> {
    list(List::Operators).iter().find_map(|entry| {
        let (name, sign) = entry.split_once(" = ")?;
        (name == word).then(|| sign.chars().next()).flatten()
    })
}

fn cardinal(word: &str) -> Option<f64> {
    valued(List::Cardinals, word).or_else(|| german(word))
}

/// Reads a German compound such as "einundzwanzig".
fn german(word: &str) -> Option<f64> {
    let (ones, tens) = word.split_once("und")?;
    let (ones, tens) = (valued(List::Cardinals, ones)?, valued(List::Cardinals, tens)?);
    (ones < 10.0 && tens >= 20.0).then_some(ones + tens)
}

/// Returns the number of parts that a word names: thirds, fourteenths.
fn part(word: &str) -> Option<f64> {
    let one = word.strip_suffix('s').unwrap_or(word);
    valued(List::Parts, one).or_else(|| valued(List::Cardinals, one.strip_suffix("th")?))
}

fn valued(of: List, word: &str) -> Option<f64> {
    list(of).iter().find_map(|entry| {
        let (name, value) = entry.split_once(" = ")?;
        (name == word).then(|| value.parse().ok()).flatten()
    })
}
