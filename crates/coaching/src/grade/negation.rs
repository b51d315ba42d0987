//! Decides whether an answer affirms or denies something.
//!
//! "It is not copied, it is moved" says *moved* and denies *copied*. A negator reaches forward through its own
//! clause, and only over a few words: without that limit, a text without commas would deny everything after its
//! first "not".

use std::ops::Range;

use super::lists::List;
use super::reading::Token;

/// The least reach of a negator that is about a verb. It reaches further when it denies a whole clause.
const VERB_GAP: usize = 3;
/// The reach of "it is not true that …" and "not because …", in words.
const MAX_GAP: usize = 6;
/// The reach of a negator to a number, which is shorter: "does not change, stays 5" also occurs without the
/// comma.
const MAX_GAP_TO_NUMBER: usize = 2;

pub(super) fn is_negator(word: &str) -> bool {
    List::Negators.has(word)
}

/// Whether the words at `hit` are denied by a negator before, between or, in German, after them.
pub(super) fn is_denied(tokens: &[Token], hit: Range<usize>) -> bool {
    let is_number = tokens[hit.clone()].iter().all(|token| token.letters.chars().any(char::is_numeric));
    let earliest = hit.start.saturating_sub(MAX_GAP + 2);
    let denied = (earliest..hit.end).any(|at| match reach(tokens, at) {
        None => false,
        // A negator inside the hit stands in a slot.
        Some(_) if at >= hit.start => !has_border(tokens, at + 1..hit.end),
        Some((after, gap)) => {
            let gap = if is_number { gap.min(MAX_GAP_TO_NUMBER) } else { gap };
            hit.start < after + gap + 1 && !has_border(tokens, after..hit.start + 1)
        }
    });
    denied || is_denied_at_once(tokens, hit.end) || is_denied_late(tokens, hit.end)
}

/// Returns the index of the word after the negator at `at`, and how many words further the negator reaches.
fn reach(tokens: &[Token], at: usize) -> Option<(usize, usize)> {
    let word = tokens[at].letters.as_str();
    let next = tokens.get(at + 1).map_or("", |token| token.letters.as_str());
    let is_pair = |pair: &&str| pair.split_once(' ') == Some((word, next));
    if let Some(pair) = List::NegatorPairs.entries().find(is_pair) {
        return Some((at + 2, gap(List::NegatorPairs, pair)?));
    }
    let gap = gap(List::Negators, word)?;
    if List::Joining.has(next) || tokens[at].is_in_name {
        return None;
    }
    let answers = word == "no" && tokens[at].opens_clause && List::AfterAnsweringNo.has(next);
    let is_choice = word == "no" && ends_with_yes(&tokens[..at]);
    let is_about_clause = List::Complements.has(next) || begins_clause(next);
    let gap = if is_about_clause && gap >= VERB_GAP { MAX_GAP } else { gap };
    (!List::Softeners.has(next) && !answers && !is_choice).then_some((at + 1, gap))
}

fn gap(list: List, negator: &str) -> Option<usize> {
    list.of(negator)?.parse().ok()
}

/// Whether the words end with a yes: "a yes/no column" and "a yes or no column" do not deny the column.
fn ends_with_yes(before: &[Token]) -> bool {
    let mut words = before.iter().rev().map(|token| token.letters.as_str());
    matches!((words.next(), words.next()), (Some("yes"), _) | (Some("or"), Some("yes")))
}

/// Whether another clause begins within the words. The first word only counts if punctuation opens the clause.
pub(super) fn has_border(tokens: &[Token], words: Range<usize>) -> bool {
    let words = tokens.get(words).unwrap_or_default();
    let is_border = |pair: &[Token]| {
        let (before, word) = (pair[0].letters.as_str(), pair[1].letters.as_str());
        begins_clause(word) && !List::Complements.has(before)
    };
    words.iter().any(|token| token.opens_clause) || words.windows(2).any(is_border)
}

pub(super) fn begins_clause(word: &str) -> bool {
    List::ClauseWords.has(word)
}

/// Whether a "not" directly after the words denies them: "it does not" does not say "it does".
fn is_denied_at_once(tokens: &[Token], end: usize) -> bool {
    let word = |at: usize| tokens.get(at).map_or("", |token| token.letters.as_str());
    List::Auxiliaries.has(word(end - 1)) && matches!(word(end), "not" | "never") && !tokens[end].opens_clause
}

fn is_denied_late(tokens: &[Token], end: usize) -> bool {
    let clause = tokens[end..].iter().take_while(|token| !token.opens_clause);
    clause.last().is_some_and(|token| List::LateNegators.has(&token.letters))
}
