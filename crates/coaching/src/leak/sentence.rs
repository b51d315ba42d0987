//! A text as sentences, and what kind of sentences they are.

use std::ops::Range;

#[derive(Debug, Clone)]
pub(super) struct Sentence<'t> {
    pub text: &'t str,
    pub at: Range<usize>,
    pub is_question: bool,
}

/// The sentences of a text. A line is the end of one, and the point of a number or of `v.len()` is not.
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
    let is_question = inner.trim_end().trim_end_matches(['"', '”', '\'', ')', '*']).ends_with('?');
    sentences.push(Sentence { text: inner, at, is_question });
}

/// "2." opens an item of a list, and does not end a sentence.
fn is_label(line: &str) -> bool {
    let line = line.trim();
    !line.is_empty() && line.len() <= 2 && line.bytes().all(|byte| byte.is_ascii_digit())
}
