//! Marks an answer against one good answer, without a rubric.
//!
//! An answer must say what the good answer says, word by word: rare words count more than common ones, words of
//! the question count little, and a synonym counts nearly as much. The clauses of the good answer are the ideas
//! that a grade reports.

use std::collections::HashSet;
use std::ops::Range;

use super::evidence::numbers;
use super::family::opposites;
use super::free::{asks, ideas_of, is_blank};
use super::likeness::{likeness, news, said, words};
use super::reading::{Flavour, Reading};
use super::sense::Senses;
use super::subject::opening;
use super::{Found, Grade, MAX_ANSWER_CHARS, Verdict, quality, quotable, words as says};

/// The share of the good answer that is enough to say all of it: learners do not repeat every word.
const ENOUGH: f32 = 0.6;
/// The share of a clause that is enough to say it.
const HALF: f32 = 0.5;
/// The least number of telling words in a clause.
const LEAST_WORDS: usize = 2;
/// The least mark of a right answer, and the mark below which an answer is wrong.
const RIGHT: f32 = 4.2;
const WRONG: f32 = 2.4;
/// The highest mark of an answer that contradicts the good one, and of one with the opposite of a word in it.
const CONTRADICTED: f32 = 2.0;
const TURNED: f32 = 4.0;

/// Marks an answer to a question by its likeness to a good answer.
pub fn grade_by_reference(ask: &str, reference: &str, answer: &str) -> Grade {
    let end = answer.char_indices().nth(MAX_ANSWER_CHARS).map_or(answer.len(), |(at, _)| at);
    let answer = &answer[..end];
    let (question, good, other) = (Senses::new(ask), Senses::new(reference), Senses::new(answer));
    let asked = question.stems();
    let (mut found, mut missing) = (Vec::new(), Vec::new());
    for clause in clauses(reference, &good) {
        match find(clause, &other, &asked) {
            Some(at) => {
                found.push(Found { idea: clause.to_owned(), words: quotable(&answer[at.clone()]), at })
            }
            None => missing.push(clause.to_owned()),
        }
    }
    let tokens = Reading::new(answer, Flavour::Plain).tokens;
    let grade = if is_blank(&tokens) {
        Grade::blank(says::no_answer())
    } else if asks(answer) {
        Grade::blank(says::asked())
    } else {
        let mark = mark((ask, reference, answer), (&good, &other), &asked);
        let feedback = match mark {
            RIGHT.. => crate::words::Text::default(),
            WRONG.. => says::doubt(),
            _ => says::missing(ideas_of(&missing)),
        };
        let doubt = (WRONG..RIGHT).contains(&mark);
        Grade { doubt, ..Grade::new(quality(mark.round().clamp(1.0, 5.0) as u8), feedback) }
    };
    let missing = if grade.verdict == Verdict::Right { Vec::new() } else { missing };
    Grade { found, missing, answer: reference.to_owned(), ..grade }
}

/// Returns how much of the reference's news a text says, up to 1, and how much news there is, in words. The news
/// is everything that none of the `known` texts says. Returns `None` if all of it is known.
pub(crate) fn share_of(reference: &str, text: &str, known: &[&str]) -> Option<(f32, f32)> {
    let (good, other) = (Senses::new(reference), Senses::new(text));
    let known: Vec<Senses> = known.iter().map(|known| Senses::new(known)).collect();
    let known: HashSet<&str> = known.iter().flat_map(Senses::stems).collect();
    let (mut all, mut covered) = (0.0, 0.0);
    for word in words(&good).filter(|word| !known.contains(word.stem.as_str())) {
        all += word.weight;
        covered += word.weight * said(word, good.denied[word.tokens.start], &other);
    }
    (all > 0.0).then(|| (covered / all, all))
}

/// Returns a mark from 0 to 5, or above 5 for more than enough.
fn mark(
    (ask, reference, answer): (&str, &str, &str),
    (good, other): (&Senses, &Senses),
    asked: &HashSet<&str>,
) -> f32 {
    let covered = likeness(good, other, asked).covered;
    let own: f32 = words(other).map(|word| news(word, asked)).sum();
    let mark = 0.2 + 3.3 * (covered / ENOUGH).min(1.0) + 0.7 * own.ln_1p();
    let most = if contradicts(ask, reference, answer) {
        CONTRADICTED
    } else if turns(good, other) {
        TURNED
    } else {
        f32::MAX
    };
    mark.min(most)
}

/// Whether an answer opens with the wrong one of yes and no, or has a number where the good one has another.
fn contradicts(ask: &str, reference: &str, answer: &str) -> bool {
    let is_opposed = matches!((opening(reference), opening(answer)), (Some(yes), Some(said)) if yes != said);
    let asked = numbers(ask);
    let right: HashSet<String> = &numbers(reference) - &asked;
    let given: HashSet<String> = &numbers(answer) - &asked;
    is_opposed || (!right.is_empty() && !given.is_empty() && right.is_disjoint(&given))
}

/// Whether an answer has the opposite of a word in place of the word.
fn turns(good: &Senses, other: &Senses) -> bool {
    let (mine, theirs) = (good.stems(), other.stems());
    let turned = |stem: &str| {
        opposites(stem)
            .iter()
            .any(|opposite| theirs.contains(opposite.as_str()) && !mine.contains(opposite.as_str()))
    };
    mine.iter().any(|stem| !theirs.contains(stem) && turned(stem))
}

/// Splits a good answer into clauses, each with something to say.
fn clauses<'t>(text: &'t str, senses: &Senses) -> Vec<&'t str> {
    let mut clauses: Vec<Range<usize>> = Vec::new();
    for (at, token) in senses.tokens.iter().enumerate() {
        let is_short = |clause: &Range<usize>| words_in(senses, clause) < LEAST_WORDS;
        match clauses.last_mut() {
            Some(last) if !token.opens_clause || is_short(last) => last.end = at + 1,
            _ => clauses.push(at..at + 1),
        }
    }
    if clauses.len() > 1 && clauses.last().is_some_and(|last| words_in(senses, last) < LEAST_WORDS) {
        let rest = clauses.pop().map_or(0, |last| last.end);
        clauses.last_mut().expect("there is another").end = rest;
    }
    clauses.iter().map(|clause| &text[source(senses, clause)]).collect()
}

fn words_in(senses: &Senses, span: &Range<usize>) -> usize {
    senses.senses.iter().filter(|sense| !sense.stem.is_empty() && span.contains(&sense.tokens.start)).count()
}

/// Returns the part of an answer that says a clause, from its first to its last word of that clause.
fn find(clause: &str, answer: &Senses, asked: &HashSet<&str>) -> Option<Range<usize>> {
    let clause = Senses::new(clause);
    if likeness(&clause, answer, asked).covered < HALF {
        return None;
    }
    let is_said = |token: &usize| {
        let sense = answer.senses.iter().find(|sense| sense.tokens == (*token..*token + 1));
        sense.is_some_and(|sense| said(sense, answer.denied[*token], &clause) > 0.0)
    };
    let mut places = (0..answer.tokens.len()).filter(is_said);
    let first = places.next()?;
    Some(source(answer, &(first..places.next_back().unwrap_or(first) + 1)))
}

fn source(senses: &Senses, span: &Range<usize>) -> Range<usize> {
    senses.tokens[span.start].at.start..senses.tokens[span.end - 1].at.end
}
