//! Cuts a text into pieces that Telegram takes, where a reader would cut it.

use std::ops::Range;

/// Telegram counts UTF-16 units.
pub(super) const PIECE_MAX_UNITS: usize = 4096;

/// Where a text may be cut, best first. What is at the cut belongs to no piece.
const BORDERS: [&str; 4] = ["\n\n", "\n", ". ", " "];

/// The pieces as ranges of bytes. Pieces that show nothing are left out.
pub(super) fn pieces(text: &str, max_units: usize) -> Vec<Range<usize>> {
    let mut pieces = Vec::new();
    let mut start = 0;
    while start < text.len() {
        let window = start + fitting_bytes(&text[start..], max_units);
        let (end, next) = if window == text.len() { (window, window) } else { cut(text, start, window) };
        if !text[start..end].trim().is_empty() {
            pieces.push(start..end);
        }
        start = next;
    }
    pieces
}

pub(super) fn units(text: &str) -> usize {
    text.encode_utf16().count()
}

/// How many bytes from the beginning have at most `max_units`; at least one character.
fn fitting_bytes(text: &str, max_units: usize) -> usize {
    let mut units = 0;
    for (index, char) in text.char_indices() {
        units += char.len_utf16();
        if units > max_units && index > 0 {
            return index;
        }
    }
    text.len()
}

/// The end of the piece and the beginning of the next one. A border in the first half would make a stub.
fn cut(text: &str, start: usize, window: usize) -> (usize, usize) {
    for border in BORDERS {
        let Some(at) = text[start..window].rfind(border).map(|at| start + at) else { continue };
        if at - start >= (window - start) / 2 {
            // A full stop stays with its sentence.
            let end = if border == ". " { at + 1 } else { at };
            return (end, at + border.len());
        }
    }
    (window, window)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn check(text: &str, max_units: usize, expected: &[&str]) {
        let found: Vec<&str> = pieces(text, max_units).into_iter().map(|piece| &text[piece]).collect();
        assert_eq!(found, expected, "{text:?} in pieces of {max_units}");
    }

    #[test]
    fn cuts_are_where_a_reader_expects_them() {
        check("", 10, &[]);
        check(" \n ", 10, &[]);
        check("short", 10, &["short"]);
        check("one two\n\nthree four", 12, &["one two", "three four"]);
        check("one two\nthree four", 12, &["one two", "three four"]);
        check("One is. Two is more.", 12, &["One is.", "Two is more."]);
        check("one two three", 8, &["one two", "three"]);
        check("a\n\nbcdefghijkl", 10, &["a\n\nbcdefgh", "ijkl"]);
        check("    indented\n    code", 14, &["    indented", "    code"]);
        check("👍👍👍👍👍", 4, &["👍👍", "👍👍", "👍"]);
        check("👍", 1, &["👍"]);
    }

    proptest! {
        #[test]
        fn nothing_is_lost_and_everything_fits(text in "[a-z .\n👍ü]{0,300}", max_units in 2usize..40) {
            let found = pieces(&text, max_units);
            let joined: String = found.iter().map(|piece| &text[piece.clone()]).collect();
            let visible = |text: &str| text.split_whitespace().collect::<String>();
            prop_assert_eq!(visible(&joined), visible(&text));
            for piece in found {
                prop_assert!(units(&text[piece]) <= max_units);
            }
        }
    }
}
