//! Reads a text as the meanings of its words.

use std::collections::HashSet;
use std::ops::Range;

use super::family::{Family, families, phrases};
use super::lists::List;
use super::negation::{is_denied, is_negator};
use super::reading::{Flavour, Reading, Token};
use super::stem::stem;

/// The meaning of a word, or of a phrase in the list of synonyms.
#[derive(Debug, Clone)]
pub(super) struct Sense {
    /// The stem of the word; empty for a phrase.
    pub stem: String,
    pub families: Vec<Family>,
    /// The words that carry this meaning.
    pub tokens: Range<usize>,
    pub weight: f32,
}

#[derive(Debug)]
pub(super) struct Senses {
    pub tokens: Vec<Token>,
    pub senses: Vec<Sense>,
    /// For each word, the number of its sentence, or of the part of the sentence after a contrast.
    pub parts: Vec<usize>,
    pub denied: Vec<bool>,
    /// For each word, whether it is part of a claim.
    pub claimed: Vec<bool>,
}

impl Senses {
    pub(super) fn new(text: &str) -> Senses {
        let tokens = Reading::new(text, Flavour::Stems).tokens;
        let stems: Vec<String> = tokens.iter().map(|token| stem(&token.letters).into_owned()).collect();
        let mut senses = Vec::new();
        for at in 0..tokens.len() {
            for (rest, family) in phrases(&stems[at]) {
                let end = at + 1 + rest.len();
                if stems.get(at + 1..end) == Some(rest) {
                    let families = vec![*family];
                    senses.push(Sense { stem: String::new(), families, tokens: at..end, weight: 1.0 });
                }
            }
            if is_content(&tokens[at].letters) {
                let families = families(&stems[at]).to_vec();
                let weight = weight(&tokens[at].letters);
                senses.push(Sense { stem: stems[at].clone(), families, tokens: at..at + 1, weight });
            }
        }
        let denied = (0..tokens.len()).map(|at| is_denied(&tokens, at..at + 1)).collect();
        Senses { parts: parts(text, &tokens), claimed: claims(&tokens), denied, senses, tokens }
    }

    /// Returns the words that stand at these bytes of the text.
    pub(super) fn span(&self, at: &Range<usize>) -> Range<usize> {
        let start = self.tokens.partition_point(|token| token.at.end <= at.start);
        start..start.max(self.tokens.partition_point(|token| token.at.start < at.end))
    }

    /// Whether all these words are claimed.
    pub(super) fn are_claimed(&self, words: Range<usize>) -> bool {
        self.claimed[words].iter().all(|is_claimed| *is_claimed)
    }

    /// Returns the stems of the words.
    pub(super) fn stems(&self) -> HashSet<&str> {
        self.senses.iter().map(|sense| sense.stem.as_str()).filter(|stem| !stem.is_empty()).collect()
    }

    /// Whether these words contain a denial, other than in the words of the chosen phrases themselves.
    pub(super) fn denies(&self, span: Range<usize>, chosen: &[(&Sense, f32)]) -> bool {
        let is_inside =
            |at: usize| chosen.iter().any(|(sense, _)| sense.tokens.len() > 1 && sense.tokens.contains(&at));
        let mut negators = span.filter(|at| is_negator(&self.tokens[*at].letters));
        let mut single = chosen.iter().filter(|(sense, _)| sense.tokens.len() == 1);
        negators.any(|at| !is_inside(at) && !self.is_soft(at))
            || single.any(|(sense, _)| self.denied[sense.tokens.start])
    }

    fn is_soft(&self, at: usize) -> bool {
        self.tokens.get(at + 1).is_some_and(|next| List::Softeners.has(&next.letters))
    }
}

/// Whether a word carries meaning about a subject.
pub(super) fn is_content(word: &str) -> bool {
    !List::StopWords.has(word) && !is_negator(word)
}

/// Returns how much a word tells, up to 1. Words that occur in many lessons tell less.
pub(super) fn weight(word: &str) -> f32 {
    match word {
        word if List::InMostLessons.has(word) => 0.4,
        word if List::InManyLessons.has(word) => 0.6,
        word if List::InSomeLessons.has(word) => 0.8,
        _ => 1.0,
    }
}

fn parts(text: &str, tokens: &[Token]) -> Vec<usize> {
    let mut part = 0;
    let mut parts = Vec::with_capacity(tokens.len());
    for (at, token) in tokens.iter().enumerate() {
        let before = at.checked_sub(1).map_or(0, |before| tokens[before].at.end);
        let between = text.get(before..token.at.start).unwrap_or_default();
        part += usize::from(at > 0 && (ends_sentence(between) || List::Contrasts.has(&token.letters)));
        parts.push(part);
    }
    parts
}

/// Whether the text between two words ends a sentence. The points in `v.len()` do not.
fn ends_sentence(between: &str) -> bool {
    let ends = |(at, c): (usize, char)| {
        matches!(c, '.' | ';' | '!' | '?')
            && between[at + c.len_utf8()..].starts_with(|c: char| c.is_whitespace() || c == '"')
    };
    between.contains('\n') || between.char_indices().any(ends)
}

/// Returns for each word whether it is claimed. Words about what would be, what people think or what holds
/// elsewhere are not.
fn claims(tokens: &[Token]) -> Vec<bool> {
    let mut claims = vec![true; tokens.len()];
    let mut start = 0;
    for at in 1..=tokens.len() {
        let opens = |token: &Token| {
            token.opens_clause || List::Contrasts.has(&token.letters) || List::Supposing.has(&token.letters)
        };
        if tokens.get(at).is_none_or(opens) {
            let clause = &tokens[start..at];
            let supposes =
                |token: &Token| List::Supposing.has(&token.letters) || List::Attributing.has(&token.letters);
            if clause.iter().any(supposes) {
                claims[start..at].fill(false);
            }
            start = at;
        }
    }
    claims
}

/// Whether two long words differ by one letter, or by two swapped neighbours.
pub(super) fn is_typo(one: &str, other: &str) -> bool {
    const MIN_LETTERS: usize = 5;
    let (a, b): (Vec<char>, Vec<char>) = (one.chars().collect(), other.chars().collect());
    let has_digit = one.contains(|c: char| c.is_ascii_digit());
    if has_digit
        || a.len().min(b.len()) < MIN_LETTERS
        || a.len().abs_diff(b.len()) > 1
        || a[0] != b[0]
        || a == b
    {
        return false;
    }
    let start = a.iter().zip(&b).take_while(|(x, y)| x == y).count();
    let end = a[start..].iter().rev().zip(b[start..].iter().rev()).take_while(|(x, y)| x == y).count();
    let (a, b) = (&a[start..a.len() - end], &b[start..b.len() - end]);
    a.len().max(b.len()) <= 1 || (a.len() == 2 && b.len() == 2 && a[0] == b[1] && a[1] == b[0])
}
