//! Whether something is said or denied.
//!
//! "It is not copied, it is moved" says *moved* and denies *copied*. A negator reaches forward through its own
//! clause, and only a few words far: people who write without commas would otherwise deny everything they say
//! after the first "not".

use std::ops::Range;

use super::reading::Token;

/// A negator and how many words may stand between it and what it denies.
const NEGATORS: &[(&str, usize)] = &[
    // English. A contraction such as "isn't" is read as its two words.
    ("not", VERB_GAP),
    ("never", VERB_GAP),
    ("no", 2),
    ("nor", VERB_GAP),
    ("neither", VERB_GAP),
    ("nothing", 2),
    ("nobody", 2),
    ("without", 2),
    ("unlike", 1),
    // German.
    ("nicht", VERB_GAP),
    ("nie", VERB_GAP),
    ("niemals", VERB_GAP),
    ("kein", 2),
    ("keine", 2),
    ("keinen", 2),
    ("keinem", 2),
    ("keiner", 2),
    ("keines", 2),
    ("weder", VERB_GAP),
    ("nichts", 2),
    ("ohne", 2),
    ("statt", 1),
    ("anstatt", 1),
    // French and Spanish.
    ("pas", VERB_GAP),
    ("jamais", VERB_GAP),
    ("sans", 2),
    ("nunca", VERB_GAP),
    ("sin", 2),
];

/// Two words that deny what follows them.
const PAIRS: &[(&str, &str, usize)] = &[
    ("instead", "of", 1),
    ("rather", "than", 1),
    ("fails", "to", 3),
    ("no", "need", 3),
    ("no", "point", 3),
    ("no", "reason", 3),
];

/// "Not only moved" says moved.
const SOFTENERS: &[&str] = &["only", "just", "merely", "nur", "bloss", "necessarily"];

/// "No it is moved" answers a question before it says something.
const AFTER_ANSWERING_NO: &[&str] =
    &["it", "its", "the", "this", "that", "they", "he", "she", "you", "we", "i", "because", "since", "a"];

/// Words with which another clause begins.
const CLAUSE_WORDS: &[&str] = &[
    "but",
    "however",
    "because",
    "since",
    "so",
    "while",
    "whereas",
    "although",
    "though",
    "when",
    "if",
    "after",
    "before",
    "until",
    "unless",
    "which",
    "where",
    "who",
    "only",
    "just",
    "still",
    "stays",
    "remains",
    "and",
    "then",
    "therefore",
    "it",
    "instead",
    "sondern",
    "aber",
    "weil",
    "denn",
    "wenn",
    "und",
    "dann",
    "daher",
    "mais",
    "sino",
    "pero",
];

/// "String does not and is moved": what begins with these right after a negator is said beside what is denied.
const JOINING: &[&str] = &["and", "but", "so", "und", "aber", "sondern", "mais", "pero", "sino"];

/// "Does not mean it is copied": what follows these still belongs to the negation.
const COMPLEMENTS: &[&str] = &["mean", "means", "true", "think", "say", "case", "that", "dass"];

/// Verbs that a negator follows.
pub(super) const AUXILIARIES: &[&str] = &[
    "am", "are", "can", "could", "did", "do", "does", "had", "has", "have", "is", "must", "need", "should",
    "was", "were", "will", "would",
];

/// German says the negator at the end of a main clause.
const LATE_NEGATORS: &[&str] = &["nicht", "nie", "niemals"];

/// Negators of a verb reach this far, and further when they deny a whole clause.
const VERB_GAP: usize = 3;
/// How far "it is not true that …" and "not because …" reach.
const MAX_GAP: usize = 6;
/// Between a negator and a number there is less room: "does not change, stays 5" is said without the comma too.
const MAX_GAP_TO_NUMBER: usize = 2;

pub(super) fn is_negator(word: &str) -> bool {
    NEGATORS.iter().any(|(negator, _)| *negator == word)
}

/// Whether the words at `hit` are denied by what stands before, between or, in German, after them.
pub(super) fn is_denied(tokens: &[Token], hit: Range<usize>) -> bool {
    let is_number = tokens[hit.clone()].iter().all(|token| token.letters.chars().any(char::is_numeric));
    let earliest = hit.start.saturating_sub(MAX_GAP + 2);
    let denied = (earliest..hit.end).any(|at| match reach(tokens, at) {
        None => false,
        // Inside the hit, in a slot.
        Some(_) if at >= hit.start => !has_border(tokens, at + 1..hit.end),
        Some((after, gap)) => {
            let gap = if is_number { gap.min(MAX_GAP_TO_NUMBER) } else { gap };
            hit.start < after + gap + 1 && !has_border(tokens, after..hit.start + 1)
        }
    });
    denied || is_denied_at_once(tokens, hit.end) || is_denied_late(tokens, hit.end)
}

/// For a negator at `at`: the word after it, and how many words further it reaches.
fn reach(tokens: &[Token], at: usize) -> Option<(usize, usize)> {
    let word = tokens[at].letters.as_str();
    let next = tokens.get(at + 1).map_or("", |token| token.letters.as_str());
    if let Some((.., gap)) = PAIRS.iter().find(|(first, second, _)| *first == word && *second == next) {
        return Some((at + 2, *gap));
    }
    let (_, gap) = NEGATORS.iter().find(|(negator, _)| *negator == word)?;
    if JOINING.contains(&next) || tokens[at].is_in_name {
        return None;
    }
    let answers = word == "no" && tokens[at].opens_clause && AFTER_ANSWERING_NO.contains(&next);
    let is_choice = word == "no" && ends_with_yes(&tokens[..at]);
    let is_about_clause = COMPLEMENTS.contains(&next) || begins_clause(next);
    let gap = if is_about_clause && *gap >= VERB_GAP { MAX_GAP } else { *gap };
    (!SOFTENERS.contains(&next) && !answers && !is_choice).then_some((at + 1, gap))
}

/// "A yes/no column" and "a yes or no column" leave the column be.
fn ends_with_yes(before: &[Token]) -> bool {
    let mut words = before.iter().rev().map(|token| token.letters.as_str());
    matches!((words.next(), words.next()), (Some("yes"), _) | (Some("or"), Some("yes")))
}

/// Whether another clause begins with one of the words, the first one set aside.
pub(super) fn has_border(tokens: &[Token], words: Range<usize>) -> bool {
    let words = tokens.get(words).unwrap_or_default();
    let is_border = |pair: &[Token]| {
        let (before, word) = (pair[0].letters.as_str(), pair[1].letters.as_str());
        begins_clause(word) && !COMPLEMENTS.contains(&before)
    };
    words.iter().any(|token| token.opens_clause) || words.windows(2).any(is_border)
}

pub(super) fn begins_clause(word: &str) -> bool {
    CLAUSE_WORDS.contains(&word)
}

/// "It does" is not said by "it does not".
fn is_denied_at_once(tokens: &[Token], end: usize) -> bool {
    let word = |at: usize| tokens.get(at).map_or("", |token| token.letters.as_str());
    AUXILIARIES.contains(&word(end - 1)) && matches!(word(end), "not" | "never") && !tokens[end].opens_clause
}

fn is_denied_late(tokens: &[Token], end: usize) -> bool {
    let clause = tokens[end..].iter().take_while(|token| !token.opens_clause);
    clause.last().is_some_and(|token| LATE_NEGATORS.contains(&token.letters.as_str()))
}
