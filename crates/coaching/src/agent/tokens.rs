//! Splits a clause into words as the scorer reads them.

use std::ops::Range;

use super::evidence;
use super::spans::{Span, spans};
use crate::text::Words;

/// A word of a clause. A whole span of code, a quotation, a link, a commit or a file name is read as one word.
#[derive(Debug)]
pub(super) struct Token<'w> {
    pub letters: &'w str,
    /// The place of the token in the clause, in bytes.
    pub source: Range<usize>,
}

pub(super) fn is_number(letters: &str) -> bool {
    letters.bytes().all(|byte| byte.is_ascii_digit())
}

/// Returns the words of a clause, with each span as one word. A clause that is only a span is read as it is
/// written.
pub(super) fn tokens<'w>(text: &str, words: &'w Words) -> Vec<Token<'w>> {
    let mut spans = all_spans(text).into_iter().peekable();
    let mut tokens: Vec<Token> = Vec::new();
    for (source, letters) in words.iter() {
        let start = source.as_ptr() as usize - text.as_ptr() as usize;
        while spans.next_if(|span| span.range.end <= start).is_some() {}
        match spans.peek() {
            Some(span) if span.range.contains(&start) => {
                if tokens.last().is_none_or(|last| last.source != span.range) {
                    tokens.push(Token { letters: span.stands_for, source: span.range.clone() });
                }
            }
            _ => tokens.push(Token { letters, source: start..start + source.len() }),
        }
    }
    tokens
}

/// Returns the code spans and quotations and, outside of them, the links, commits and file names.
fn all_spans(text: &str) -> Vec<Span> {
    let mut all = spans(text);
    all.retain(|span| span.range.len() + 2 < text.trim().len());
    let quoted: Vec<Range<usize>> = all.iter().map(|span| span.range.clone()).collect();
    let is_free = |span: &Span| !quoted.iter().any(|range| range.contains(&span.range.start));
    all.extend(evidence::named_things(text).into_iter().filter(is_free));
    all.sort_by_key(|span| span.range.start);
    all
}
