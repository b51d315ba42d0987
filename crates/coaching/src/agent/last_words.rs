//! Picks the part of a message that a human sees without opening it: the question in it, or its last sentence.

use super::human::{quote, sentences};
use super::message::without_escapes;
use super::redact::redact;

/// Returns the last question of a message or else its last sentence, shortened and without secrets. Code is not
/// quoted.
pub fn last_words(text: &str) -> Option<String> {
    let text = redact(&without_escapes(text));
    let mut in_code = false;
    let is_spoken = |line: &&str| {
        let is_fence = line.trim_start().starts_with("```");
        in_code ^= is_fence;
        !is_fence && !in_code
    };
    let lines: Vec<&str> = text.lines().filter(is_spoken).collect();
    let said: Vec<&str> = lines.into_iter().flat_map(sentences).collect();
    let asks = |sentence: &&&str| {
        sentence.trim_end_matches(|c: char| "*_)\"”»’' ".contains(c)).ends_with(['?', '？', '؟'])
    };
    said.iter().rev().find(asks).or(said.last()).map(|sentence| quote(sentence))
}
