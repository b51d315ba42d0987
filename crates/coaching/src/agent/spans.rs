//! Finds code spans and quotations: words in a message that are not its writer's own.

use std::ops::Range;

/// The token that stands for a code span.
pub(super) const CODE_SPAN: &str = "<code>";
/// The token that stands for a quotation.
pub(super) const QUOTED: &str = "<quoted>";

/// The maximum length of a span. A longer quotation is probably a stray pair of quotation marks.
const MAX_BYTES: usize = 160;

#[derive(Debug)]
pub(super) struct Span {
    /// The place of the span, from the opening mark up to the closing one.
    pub range: Range<usize>,
    pub stands_for: &'static str,
}

/// Returns the spans of a line, in order. They do not overlap.
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
