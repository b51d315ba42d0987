//! Decides whether an agent's word about its next step is reason enough to send it on.
//!
//! A limit can be worded in ways that no list knows: "Linda's tabs are hers". But it needs room. One short sentence
//! has none, so the agent's word is enough. After a longer prompt, the human must have ordered the step in their
//! own words, or told the agent to go on to the end.

use super::clauses::{Clause, Subject, own_words};
use super::human::sentences;
use super::limits::stem;
use super::phrases::{Means, Phrases, is_unspaced, words_of};
use std::collections::BTreeSet;

/// The maximum length of a sentence that leaves no room for a limit, in words, or in letters of a script without
/// spaces.
const PLAIN_WORDS: usize = 14;
const PLAIN_LETTERS: usize = 24;
/// The minimum length of a telling word. Shorter ones say little about a step.
const TELLING_LETTERS: usize = 4;
/// The minimum number of telling words that an order must share with the step.
const NAMED_WORDS: usize = 2;

/// Whether the human ordered this step, as far as their words plainly say.
pub(super) fn is_ordered(prompt: &str, step: &str, phrases: &Phrases) -> bool {
    let own = own_words(prompt);
    is_plain(&own) || phrases.says(Means::NoQuestions, &own) || names(&own, step, phrases)
}

/// Whether the prompt is one short sentence that asks nothing.
fn is_plain(own: &str) -> bool {
    let parts =
        own.split([';', ':', '(', '；', '：', '（']).filter(|part| part.chars().any(char::is_alphanumeric));
    let is_one = sentences(own).len() == 1 && parts.count() == 1;
    let unspaced = own.chars().filter(|c| is_unspaced(*c)).count();
    is_one
        && !own.contains(['?', '？', '؟'])
        && words_of(own).len() <= PLAIN_WORDS
        && unspaced <= PLAIN_LETTERS
}

/// Whether one of the human's orders names most of what the step is about.
fn names(own: &str, step: &str, phrases: &Phrases) -> bool {
    let step = telling(&phrases.rest(Means::Intentions, step));
    Clause::all(own, phrases).iter().filter(|clause| is_order(clause, phrases)).any(|clause| {
        let order = telling(&clause.words);
        let named = step.intersection(&order).count();
        named >= NAMED_WORDS && named * 5 >= step.len() * 3
    })
}

/// Whether the clause tells the agent to do something, with no word that might limit it.
fn is_order(clause: &Clause, phrases: &Phrases) -> bool {
    let limits =
        [Means::Nots, Means::Only, Means::First, Means::ForNow, Means::Halts, Means::Later, Means::Skips];
    clause.subject == Subject::Agent && !limits.iter().any(|means| clause.mentions(*means, phrases))
}

fn telling(words: &[String]) -> BTreeSet<String> {
    words.iter().filter(|word| word.chars().count() >= TELLING_LETTERS).map(|word| stem(word)).collect()
}
