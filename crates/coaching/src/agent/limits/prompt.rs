//! Tells what a prompt means as a whole.

use crate::agent::phrases::{Means, Phrases, is_unspaced, words_of};

/// The maximum length of a mere "stop" or "thanks", in words, or in letters of a script without spaces. A longer
/// prompt has something else to say.
const MAX_CLOSING_WORDS: usize = 10;
const MAX_CLOSING_LETTERS: usize = 12;
/// The number of words before "go on" in which a negation cancels it.
const DENIAL_REACH: usize = 2;

/// Whether the human wants tests to be red for now: "write a failing test".
pub(super) fn wants_failure(own: &str, phrases: &Phrases) -> bool {
    let words = words_of(own);
    phrases.has(Means::FailingTests, &words)
        && phrases.has(Means::Writes, &words)
        && !clauses(own).any(|clause| phrases.has(Means::Repairs, &clause) && !is_own_deed(&clause))
}

fn clauses(text: &str) -> impl Iterator<Item = Vec<String>> {
    text.split(['.', ',', ';', '!', '?', '\n']).map(words_of)
}

/// Whether the human keeps something for themselves: "I'll fix it myself".
fn is_own_deed(clause: &[String]) -> bool {
    clause.iter().any(|word| matches!(word.as_str(), "myself" | "ourselves" | "selbst" | "selber"))
}

/// Whether the prompt is nothing but "thanks", "stop" or "that's it": no task, and no permission to continue.
pub(super) fn is_closing(own: &str, phrases: &Phrases) -> bool {
    if own.contains(is_unspaced) {
        return own.chars().filter(|c| c.is_alphanumeric()).count() <= MAX_CLOSING_LETTERS
            && phrases.has_letters(Means::ClosedLetters, own)
            && !phrases.has_letters(Means::GoAhead, own);
    }
    let words = words_of(own);
    let is_short = !words.is_empty() && words.len() <= MAX_CLOSING_WORDS && !own.contains(['?', '？']);
    is_short
        && is_nothing_but(Means::Closers, &words, phrases)
        && !goes_ahead(&words, phrases)
        && !is_nothing_but(Means::GoAhead, &words, phrases)
}

fn is_nothing_but(means: Means, mut words: &[String], phrases: &Phrases) -> bool {
    while !words.is_empty() {
        let length = phrases.at(means, words, 0);
        if length == 0 {
            return false;
        }
        words = &words[length..];
    }
    true
}

/// Whether the human says to go on. "Ok" says so alone, but not beside other words.
pub(super) fn goes_ahead(words: &[String], phrases: &Phrases) -> bool {
    let denies = |word: &String| word != "no" && phrases.is(Means::Nots, word);
    let says = |at: usize| {
        let length = phrases.at(Means::GoAhead, words, at);
        let is_weak = length == 1 && phrases.is(Means::WeakGoAhead, &words[at]);
        let is_taken_back = words[at.saturating_sub(DENIAL_REACH)..at].iter().any(denies);
        length > 0 && !is_weak && !is_taken_back
    };
    words.len() == 1 && phrases.is(Means::GoAhead, &words[0]) || (0..words.len()).any(says)
}
