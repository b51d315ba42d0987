//! Questions without a rubric: the learner explains, and gives a number for how well they know it.

use super::slate::Posed;
use super::words;
use crate::curriculum::Question;
use crate::grade::{self, Verdict};
use crate::learner::Quality;
use crate::text::{Phrase, Words};
use crate::words::Text;

/// Reads the learner's own judgement: a whole number from 0 to 5 at the beginning that means nothing else.
pub(super) fn read(answer: &str) -> Option<Quality> {
    let answer = answer.trim_start();
    let (number, rest) = answer.split_at(answer.find(|c: char| !c.is_ascii_digit()).unwrap_or(answer.len()));
    let rest = rest.strip_prefix("/5").unwrap_or(rest);
    let mut after = rest.chars();
    let goes_on = match (after.next(), after.next()) {
        (Some(next), _) if next.is_alphanumeric() || next == '%' => true,
        // As in 2.9, 4-5 and 4/10.
        (Some(next), Some(last)) => !next.is_whitespace() && last.is_ascii_digit(),
        _ => false,
    };
    number.parse().ok().filter(|_| !goes_on).and_then(Quality::new)
}

/// Returns the question to ask when an answer lacks that number. `None` for every other question, and for “I don't
/// know”.
pub(super) fn unclear(posed: &Posed, answer: &str) -> Option<Text> {
    let is_judged = is_asked_for(posed) && read(answer).is_none() && !is_none(posed, answer);
    is_judged.then(words::give_number)
}

pub(super) fn is_asked_for(posed: &Posed) -> bool {
    matches!(&posed.question, Question::Free(free) if free.ideas.is_empty())
}

/// Whether an answer says that there is nothing to judge: "I don't know", "no" and the like.
fn is_none(posed: &Posed, answer: &str) -> bool {
    const NOTHING: &[&str] = &["no", "nope", "nothing", "nein", "nichts", "non", "rien", "nada"];
    const NEVER: &[&str] = &["never heard", "nie gehört", "jamais entendu"];
    let first = answer.split(['.', ',', ';', '!']).next().unwrap_or_default();
    let first: Vec<String> = Words::new(first).iter().map(|(_, folded)| folded.to_owned()).collect();
    let is_nothing = matches!(first.as_slice(), [word] if NOTHING.contains(&word.as_str()));
    let words = Words::new(answer);
    let is_never =
        NEVER.iter().filter_map(|phrase| Phrase::new(phrase)).any(|phrase| words.contains(&phrase));
    is_nothing || is_never || grade::grade(&posed.question, &posed.shown, answer).verdict == Verdict::Blank
}
