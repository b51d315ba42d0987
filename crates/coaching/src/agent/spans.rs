//! Code spans and quotations: words in a message that its writer does not say.

use std::ops::Range;

/// What a pattern reads in place of a code span.
pub(super) const CODE_SPAN: &str = "<code>";
/// What it reads in place of a quotation.
pub(super) const QUOTED: &str = "<quoted>";

/// A longer quotation is probably a stray pair of quotation marks.
const MAX_BYTES: usize = 160;

#[derive(Debug)]
pub(super) struct Span {
    /// From the opening mark up to the closing one.
    pub range: Range<usize>,
    pub stands_for: &'static str,
}

/// The spans of a line, in order. They do not overlap.
pub(super) fn spans(line: &str) -> Vec<Span> {
    let mut spans = Vec::new();
    let mut from = 0;
    while let Some((at, mark)) = line[from..].char_indices().find(|(_, c)| closing(*c).is_some()) {
        let inner = from + at + mark.len_utf8();
        let length = closing(mark).and_then(|marks| line[inner..].find(marks));
        from = inner;
        if let Some(length) = length.filter(|length| (1..=MAX_BYTES).contains(length)) {
            let stands_for = if mark == '`' { CODE_SPAN } else { QUOTED };
            spans.push(Span { range: inner - mark.len_utf8()..inner + length, stands_for });
            from = line.ceil_char_boundary(inner + length + 1);
        }
    }
    spans
}

fn closing(mark: char) -> Option<&'static [char]> {
    match mark {
        '`' => Some(&['`']),
        '"' => Some(&['"']),
        '“' | '„' => Some(&['”', '“']),
        '«' => Some(&['»']),
        '「' => Some(&['」']),
        _ => None,
    }
}
