//! Splits a text into sentences and tells questions from statements.

use std::ops::Range;

use super::phrases::{List, list};

#[derive(Debug, Clone)]
pub(super) struct Sentence<'t> {
    pub text: &'t str,
    pub at: Range<usize>,
    /// Whether it is a genuine question. "Shouldn't it be 12?" and "what if you sort it?" tell.
    pub is_question: bool,
    /// Whether it ends with a question mark.
    pub is_asked: bool,
}

/// Returns the sentences of a text. The end of a line ends a sentence; the point in a number or in `v.len()` does
/// not.
pub(super) fn sentences(text: &str) -> Vec<Sentence<'_>> {
    let mut sentences = Vec::new();
    let mut start = 0;
    for (at, c) in text.char_indices() {
        let end = at + c.len_utf8();
        let next = text[end..].chars().next();
        let is_end = match c {
            '\n' => true,
            '.' => next.is_none_or(char::is_whitespace) && !is_label(&text[start..at]),
            '!' | '?' | '…' => next.is_none_or(|next| next.is_whitespace() || "\"”')*".contains(next)),
            _ => false,
        };
        if is_end || next.is_none() {
            push(&mut sentences, text, start..end);
            start = end;
        }
    }
    sentences
}

fn push<'t>(sentences: &mut Vec<Sentence<'t>>, text: &'t str, at: Range<usize>) {
    let inner = &text[at.clone()];
    if inner.trim().is_empty() {
        return;
    }
    let is_asked = inner.trim_end().trim_end_matches(['"', '”', '\'', ')', '*']).ends_with('?');
    sentences.push(Sentence { text: inner, at, is_question: is_asked && !suggests(inner), is_asked });
}

/// Whether a question contains its answer.
fn suggests(question: &str) -> bool {
    let words = plain(question);
    list(List::Suggesting).iter().any(|phrase| words.contains(&format!(" {phrase} ")))
}

/// Returns the text in lower case, with one space between the words and around them.
pub(super) fn plain(text: &str) -> String {
    let words =
        text.split(|c: char| !(c.is_alphanumeric() || "_'’²+#".contains(c))).filter(|word| !word.is_empty());
    words.fold(" ".to_owned(), |text, word| text + &word.to_lowercase().replace('’', "'") + " ")
}

/// Whether the line so far is the number of a list item, such as "2.", whose point does not end a sentence.
fn is_label(line: &str) -> bool {
    let line = line.trim();
    !line.is_empty() && line.len() <= 2 && line.bytes().all(|byte| byte.is_ascii_digit())
}
