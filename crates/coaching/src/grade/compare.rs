//! Resolves a doubt: the learner compares their answer with a good one and says which ideas it had.

use super::question::{Compare, Free};
use super::show::Shown;
use super::{Grade, some, words};
use crate::learner::Quality;
use crate::text::Words;
use crate::words::Text;

const ALL: &[&str] = &["all", "both", "alle", "beide", "yes", "ja", "todas", "toutes"];
const NONE: &[&str] = &["none", "neither", "no", "keine", "nein", "ninguna", "aucune"];

/// Returns the question to ask about an answer that the rules doubt. It lists the ideas that they did not find,
/// or every idea if they found each of them and still doubt.
pub fn comparison(free: &Free, own: &str, grade: &Grade) -> Compare {
    let ideas = match grade.missing.is_empty() {
        true => free.ideas.iter().map(|idea| idea.idea.clone()).collect(),
        false => grade.missing.clone(),
    };
    Compare { asked: free.ask.clone(), own: own.to_owned(), good: free.answer.clone(), ideas }
}

/// Grades the learner's own judgement, which is worth 3 at most.
pub(super) fn grade(compare: &Compare, shown: &Shown, answer: &str) -> Grade {
    match had(shown, answer).unwrap_or_default() {
        had if had == compare.ideas.len() => Grade::new(Quality::HARD, words::had_all()),
        0 => Grade::new(Quality::AGAIN, words::had_none()),
        _ => Grade::new(some(), words::had_some()),
    }
}

pub(super) fn unclear(shown: &Shown, answer: &str) -> Option<Text> {
    let labels: Vec<&str> = shown.entries.iter().map(|entry| entry.label.as_str()).collect();
    had(shown, answer).is_none().then(|| words::name_had(labels.join(", ")))
}

/// Returns how many of the ideas an answer claims. Returns `None` if it says anything else.
fn had(shown: &Shown, answer: &str) -> Option<usize> {
    let said = Words::new(answer);
    let said: Vec<&str> = said.iter().map(|(_, folded)| folded).filter(|word| !is_joint(word)).collect();
    match said.as_slice() {
        [only] if ALL.contains(only) => return Some(shown.entries.len()),
        [only] if NONE.contains(only) => return Some(0),
        _ => {}
    }
    let is_label = |word: &&str| shown.entries.iter().any(|entry| entry.label == **word);
    let named = shown.entries.iter().filter(|entry| said.contains(&entry.label.as_str())).count();
    (!said.is_empty() && said.iter().all(is_label)).then_some(named)
}

fn is_joint(word: &str) -> bool {
    matches!(word, "and" | "und" | "y" | "et")
}
