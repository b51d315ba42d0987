//! Prepares an answer for the matcher, with each word's place in the typed text.

use std::ops::Range;

use super::lex::{Kind, Lexeme, Written, lex, spelled_symbol};
use super::negation::is_denied;
use super::stem::{denied_by, stem};
use crate::text::MAX_HEARD_CHARS;

/// The way numbers and symbols are read, which depends on the wording that is looked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Flavour {
    /// A fraction is one word; symbols only separate words.
    Plain,
    /// Symbols are words too, for wordings with code in them.
    Symbols,
    /// A fraction is two numbers, for wordings that write 1/6 as "1 6".
    Split,
    /// Like plain, but each word loses its ending, and a word that denies another is read as its denial.
    Stems,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Token {
    /// The word in the form that the matcher compares.
    pub letters: String,
    /// The place of the word in the answer, in bytes.
    pub at: Range<usize>,
    /// Whether a new clause begins with this word because of the punctuation before it.
    pub opens_clause: bool,
    /// Whether an underscore ties it to another word: the "no" of `member_no` denies nothing.
    pub is_in_name: bool,
}

/// The words of an answer in one flavour.
#[derive(Debug, Clone)]
pub(super) struct Reading {
    pub tokens: Vec<Token>,
    /// The text that the matcher hears: the words with spaces between them.
    text: String,
    /// The place of each word in `text`.
    spans: Vec<Range<usize>>,
}

impl Reading {
    pub(super) fn new(answer: &str, flavour: Flavour) -> Reading {
        let mut tokens = Vec::new();
        for lexeme in lex(answer, Written::Answer) {
            push(&mut tokens, lexeme, flavour, answer);
        }
        if flavour == Flavour::Stems {
            tokens = with_denials(tokens);
        }
        let heard = |token: &Token| match flavour {
            Flavour::Stems => stem(&token.letters).into_owned(),
            Flavour::Plain | Flavour::Symbols | Flavour::Split => token.letters.clone(),
        };
        let mut text = String::new();
        let mut spans = Vec::with_capacity(tokens.len());
        let mut before: Option<&Token> = None;
        for token in &tokens {
            if before.is_some_and(|before| !touches(before, token)) {
                text.push(' ');
            }
            let start = text.len();
            text.push_str(&heard(token));
            spans.push(start..text.len());
            before = Some(token);
        }
        Reading { tokens, text, spans }
    }

    /// Returns some of the words as the matcher hears them.
    pub(super) fn text(&self, tokens: Range<usize>) -> &str {
        match self.spans.get(tokens) {
            Some([first, .., last]) => &self.text[first.start..last.end],
            Some([only]) => &self.text[only.clone()],
            _ => "",
        }
    }

    /// Returns the place of the words in the answer.
    pub(super) fn source(&self, tokens: Range<usize>) -> Range<usize> {
        match &self.tokens[tokens] {
            [] => 0..0,
            [first, rest @ ..] => first.at.start..rest.last().unwrap_or(first).at.end,
        }
    }

    /// Splits the words into stretches short enough to be heard, and cuts them between clauses where possible.
    pub(super) fn passages(&self) -> Vec<Range<usize>> {
        let mut passages = Vec::new();
        let mut start = 0;
        while start < self.spans.len() {
            let limit = self.spans[start].start + MAX_HEARD_CHARS;
            let reach = start + self.spans[start..].iter().take_while(|span| span.end <= limit).count();
            let end = match (start + 1..reach).rev().find(|at| self.tokens[*at].opens_clause) {
                Some(border) if reach < self.spans.len() => border,
                _ => reach.max(start + 1),
            };
            passages.push(start..end);
            start = end;
        }
        passages
    }
}

fn push(tokens: &mut Vec<Token>, lexeme: Lexeme, flavour: Flavour, answer: &str) {
    let Lexeme { kind, at } = lexeme;
    let opens_clause = opens_clause(tokens.last(), &at, answer);
    if let (Kind::Word(word), Some(before)) = (&kind, tokens.last_mut())
        && word == "cent"
        && before.letters == "per"
    {
        before.letters = "percent".to_owned();
        before.at.end = at.end;
        return;
    }
    let is_in_name = answer[..at.start].ends_with('_') || answer[at.end..].starts_with('_');
    let mut add = |letters: String| tokens.push(Token { letters, at: at.clone(), opens_clause, is_in_name });
    match kind {
        Kind::Word(word) => add(word),
        Kind::Whole(number) | Kind::Number(number) => add(number),
        Kind::Fraction(top, bottom) if flavour == Flavour::Split => {
            add(top);
            add(bottom);
        }
        Kind::Fraction(top, bottom) => add(fraction(&top, &bottom)),
        Kind::Symbol(symbol) if flavour == Flavour::Symbols => add(spelled_symbol(&symbol)),
        // In prose an unequal sign means "not".
        Kind::Symbol(symbol) if matches!(symbol.as_str(), "!=" | "<>") => add("not".to_owned()),
        Kind::Symbol(_) | Kind::Slot | Kind::Slash => {}
    }
}

/// Replaces "dependent" by "not independent", and words like it, unless the word is denied itself.
fn with_denials(tokens: Vec<Token>) -> Vec<Token> {
    let says = |(at, token): (usize, &Token)| {
        let spelled = |letters: &str| Token { letters: letters.to_owned(), ..token.clone() };
        match denied_by(&token.letters).filter(|_| !is_denied(&tokens, at..at + 1)) {
            Some(denied) => {
                vec![spelled("not"), Token { opens_clause: false, ..spelled(denied) }]
            }
            None => vec![token.clone()],
        }
    };
    tokens.iter().enumerate().flat_map(says).collect()
}

/// Whether two words of a script without spaces stand side by side. They stay together, so that the matcher
/// splits them as they were, and at once.
fn touches(before: &Token, token: &Token) -> bool {
    let is_foreign = |c: Option<char>| c.is_some_and(|c| !c.is_ascii());
    before.at.end == token.at.start
        && is_foreign(before.letters.chars().next_back())
        && is_foreign(token.letters.chars().next())
}

/// Returns a fraction spelled as one word.
pub(super) fn fraction(top: &str, bottom: &str) -> String {
    format!("{top}over{bottom}")
}

const BORDERS: &[char] = &[',', ';', '.', ':', '!', '?', '\n', '(', ')', '—', '–', '，', '。', '；', '、'];

/// Whether the text between a word and the one before it ends a clause.
fn opens_clause(before: Option<&Token>, at: &Range<usize>, answer: &str) -> bool {
    let Some(before) = before else { return true };
    let between = answer.get(before.at.end..at.start).unwrap_or_default();
    between.contains(BORDERS) && !between.contains("!=") || between.contains(" - ")
}
