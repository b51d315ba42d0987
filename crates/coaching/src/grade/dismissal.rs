//! Whether something is named only to be dismissed.
//!
//! "A column is not needed" names a column and speaks against it. "It is not true that rows have no order" takes a whole
//! clause back, its "no" included, so these forms count also against a wording that denies something itself.

use std::ops::Range;

use super::negation::{AUXILIARIES, begins_clause, has_border, is_negator};
use super::reading::Token;

/// "It is a myth that …", "I doubt that …"
const FALSE: &[&str] =
    &["disagree", "doubt", "false", "incorrect", "lie", "mistake", "myth", "nonsense", "untrue", "wrong"];
/// "It is not the case that …"
const TRUE: &[&str] = &["case", "correct", "right", "true"];
/// What a judgement of a clause goes on with.
const OPENINGS: &[&[&str]] =
    &[&["that"], &["to", "say"], &["to", "think"], &["to", "claim"], &["to", "believe"]];
/// How many words may stand between a "not" and "true".
const MAX_ARTICLES: usize = 1;

/// "A column is useless." Whether a condition is true or false is no judgement of it: it is what a course is about.
const BAD: &[&str] = &[
    "bad",
    "incorrect",
    "mistake",
    "needless",
    "nonsense",
    "overkill",
    "pointless",
    "superfluous",
    "unnecessary",
    "useless",
    "wrong",
];
/// "A column is not needed", "a column would not help".
const GOOD: &[&str] = &[
    "correct",
    "good",
    "help",
    "helpful",
    "necessary",
    "needed",
    "required",
    "right",
    "sensible",
    "useful",
    "wanted",
];
/// Verbs that join a thing and its judgement, besides the auxiliaries.
const JOINING_VERBS: &[&str] = &["be", "may", "might", "seem", "seems", "sounds"];
const FILLERS: &[&str] = &[
    "a",
    "an",
    "at",
    "all",
    "the",
    "completely",
    "just",
    "quite",
    "really",
    "simply",
    "such",
    "totally",
    "very",
];
/// What may stand between a thing and its judgement: "a column for the injured is useless".
const ADDITIONS: &[&str] = &["for", "here", "in", "like", "of", "on", "there"];
const MAX_ADDED_WORDS: usize = 4;

/// "No order problem" is said of the problem.
const TROUBLE: &[&str] = &["issue", "issues", "problem", "problems", "trouble"];

pub(super) fn is_dismissed(tokens: &[Token], hit: Range<usize>) -> bool {
    let rest = tokens[hit.end..].iter().take_while(|token| !token.opens_clause);
    let rest: Vec<&str> = rest.map(|token| token.letters.as_str()).collect();
    let denies = tokens[hit.clone()].iter().any(|token| is_negator(&token.letters));
    let denies_trouble = denies && rest.first().is_some_and(|word| TROUBLE.contains(word));
    denies_trouble || is_called_bad(&rest) || is_called_false(tokens, hit.start)
}

/// Whether the words after a thing are a verb and a judgement that speaks against it.
fn is_called_bad(rest: &[&str]) -> bool {
    let Some(verb) = rest.iter().position(|word| joins(word)) else { return false };
    let added = &rest[..verb];
    let is_addition = |first: &&str| {
        ADDITIONS.contains(first) && verb <= MAX_ADDED_WORDS && !added.iter().any(|word| begins_clause(word))
    };
    let (lead, judgement) = rest[verb..].split_at(
        rest[verb..].iter().take_while(|word| joins(word) || is_not(word) || FILLERS.contains(word)).count(),
    );
    let against = if lead.iter().any(|word| is_not(word)) { GOOD } else { BAD };
    added.first().is_none_or(is_addition) && judgement.first().is_some_and(|word| against.contains(word))
}

/// Whether a judgement that opens the clause of the word at `start` takes the clause back.
fn is_called_false(tokens: &[Token], start: usize) -> bool {
    let opens = |at: usize, opening: &&&[&str]| {
        let words = tokens[at + 1..start].iter().map(|token| token.letters.as_str());
        words.take(opening.len()).eq(opening.iter().copied())
    };
    // What begins with "only" belongs to the clause, what follows a comma does not.
    let ends = |at: usize| has_border(tokens, at..start) || tokens[start].opens_clause;
    (0..start).any(|at| {
        let before = &tokens[at.saturating_sub(MAX_ARTICLES + 1)..at];
        let against = if before.iter().any(|token| is_not(&token.letters)) { TRUE } else { FALSE };
        against.contains(&tokens[at].letters.as_str())
            && OPENINGS
                .iter()
                .find(|opening| opens(at, opening))
                .is_some_and(|opening| !ends(at + opening.len()))
    })
}

fn joins(word: &str) -> bool {
    AUXILIARIES.contains(&word) || JOINING_VERBS.contains(&word)
}

fn is_not(word: &str) -> bool {
    matches!(word, "not" | "never" | "no" | "hardly")
}
