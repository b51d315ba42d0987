//! Finds the curriculum that a learner's wish means, if any.

use super::Curriculum;
use crate::text::{Heard, Target, Words};

/// Words that express a wish to learn, or how or why, but no subject.
const ABOUT_LEARNING: &str = include_str!("about_learning.txt");

/// Whether the topic names the subject and nothing that the curriculum does not name. "Rust" matches, "rust on my
/// car" does not.
pub(super) fn matches(curriculum: &Curriculum, topic: &str) -> bool {
    let mut names = subject_words(&curriculum.id);
    names.extend(first_subject(&curriculum.title));
    names.extend(curriculum.also.iter().flat_map(|name| subject_words(name)));
    let beside = subject_words(&curriculum.title);
    let wanted = subject_words(topic);
    let is_in = |words: &[String], word: &String| words.iter().any(|name| is_same(name, word));
    wanted.iter().any(|word| is_in(&names, word))
        && wanted.iter().all(|word| is_in(&names, word) || is_in(&beside, word))
}

/// Returns the subject of a title: its first words that are not about learning, up to the next one that is. In
/// "SQL for people with a spreadsheet" that is SQL.
fn first_subject(title: &str) -> Vec<String> {
    let words = Words::new(title);
    let folded = words.iter().map(|(_, folded)| folded.to_owned());
    folded.skip_while(|word| is_about_learning(word)).take_while(|word| !is_about_learning(word)).collect()
}

fn subject_words(text: &str) -> Vec<String> {
    let words = Words::new(text);
    let folded = words.iter().map(|(_, folded)| folded.to_owned());
    folded.filter(|word| !is_about_learning(word)).collect()
}

fn is_about_learning(word: &str) -> bool {
    ABOUT_LEARNING.split_whitespace().any(|known| known == word)
}

/// Whether two words are the same, apart from a slip of the keyboard. "Trust" is not "rust".
fn is_same(name: &str, word: &str) -> bool {
    let same_start = name.chars().next() == word.chars().next();
    same_start && Target::parse(name).is_ok_and(|target| target.hear(&Heard::new(word)).matched)
}
