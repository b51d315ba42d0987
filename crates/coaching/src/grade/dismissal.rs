//! Tells whether an answer names something only to dismiss it.
//!
//! "A column is not needed" names a column and speaks against it. "It is not true that rows have no order" takes
//! back a whole clause, its "no" included, so these forms also count against a wording that denies something
//! itself.

use std::ops::Range;

use super::lists::List;
use super::negation::{begins_clause, has_border, is_negator};
use super::reading::Token;

/// The number of words that may stand between "not" and "true".
const MAX_ARTICLES: usize = 1;
/// The number of words that may stand between a thing and the judgement about it.
const MAX_ADDED_WORDS: usize = 4;

pub(super) fn is_dismissed(tokens: &[Token], hit: Range<usize>) -> bool {
    let rest = tokens[hit.end..].iter().take_while(|token| !token.opens_clause);
    let rest: Vec<&str> = rest.map(|token| token.letters.as_str()).collect();
    let denies = tokens[hit.clone()].iter().any(|token| is_negator(&token.letters));
    let denies_trouble = denies && rest.first().is_some_and(|word| List::Trouble.has(word));
    denies_trouble || is_called_bad(&rest) || is_called_false(tokens, hit.start)
}

/// Whether the words after a thing are a verb and a judgement against it.
fn is_called_bad(rest: &[&str]) -> bool {
    let Some(verb) = rest.iter().position(|word| joins(word)) else { return false };
    let added = &rest[..verb];
    let is_addition = |first: &&str| {
        List::Additions.has(first) && verb <= MAX_ADDED_WORDS && !added.iter().any(|word| begins_clause(word))
    };
    let (lead, judgement) = rest[verb..].split_at(
        rest[verb..].iter().take_while(|word| joins(word) || is_not(word) || List::Fillers.has(word)).count(),
    );
    let against = if lead.iter().any(|word| is_not(word)) { List::Good } else { List::Bad };
    added.first().is_none_or(is_addition) && judgement.first().is_some_and(|word| against.has(word))
}

/// Whether a judgement that opens the clause of the word at `start` takes that clause back.
fn is_called_false(tokens: &[Token], start: usize) -> bool {
    let opens = |at: usize, opening: &&str| {
        let words = tokens[at + 1..start].iter().map(|token| token.letters.as_str());
        words.take(count(opening)).eq(opening.split(' '))
    };
    // A part that begins with "only" belongs to the clause; the part after a comma does not.
    let ends = |at: usize| has_border(tokens, at..start) || tokens[start].opens_clause;
    (0..start).any(|at| {
        let before = &tokens[at.saturating_sub(MAX_ARTICLES + 1)..at];
        let against =
            if before.iter().any(|token| is_not(&token.letters)) { List::True } else { List::False };
        against.has(&tokens[at].letters)
            && List::Openings
                .entries()
                .find(|opening| opens(at, opening))
                .is_some_and(|opening| !ends(at + count(opening)))
    })
}

fn count(phrase: &str) -> usize {
    phrase.split(' ').count()
}

fn joins(word: &str) -> bool {
    List::Auxiliaries.has(word) || List::JoiningVerbs.has(word)
}

fn is_not(word: &str) -> bool {
    matches!(word, "not" | "never" | "no" | "hardly")
}
