//! Splits a message into requests: its text in pieces that Telegram takes, cut where a reader would cut.

use std::ops::Range;

use serde_json::{Value, json};

use super::super::format::{Formatted, Kind, Mark, format};
use super::{Destination, Message, Trouble};

/// The longest piece, in UTF-16 units, as Telegram counts.
const PIECE_MAX_UNITS: usize = 4096;
/// The most pieces of a text. A longer one belongs elsewhere.
const TEXT_PARTS_MAX: usize = 16;
/// The borders at which a text may be cut, best first. The border itself is left out.
const BORDERS: [&str; 4] = ["\n\n", "\n", ". ", " "];

#[derive(Debug)]
pub(super) struct Part {
    text: String,
    entities: Vec<Value>,
}

/// Returns the parts of the text. Refuses a text that would take too many.
pub(super) fn parts(message: &Message) -> Result<Vec<Part>, Trouble> {
    let formatted = format(message);
    let ranges = pieces(&formatted.text, PIECE_MAX_UNITS);
    if ranges.len() > TEXT_PARTS_MAX {
        let reason = format!(
            "the text would take {} messages on Telegram, at most {TEXT_PARTS_MAX} are sent; shorten it",
            ranges.len()
        );
        return Err(Trouble::finally(reason));
    }
    Ok(ranges.into_iter().map(|range| Part::new(&formatted, range.start, range.end)).collect())
}

impl Part {
    fn new(whole: &Formatted, start: usize, end: usize) -> Self {
        let piece = &whole.text[start..end];
        let entities = whole.marks.iter().filter_map(|mark| entity(mark, piece, start)).collect();
        Self { text: piece.to_owned(), entities }
    }

    /// Returns the body that `sendMessage` takes.
    pub(super) fn body(&self, destination: &Destination) -> Value {
        let mut fields = json!({
            "chat_id": destination.chat_id(),
            "text": self.text,
            "link_preview_options": {"is_disabled": true},
        });
        if let Some(thread_id) = destination.thread_id {
            fields["message_thread_id"] = thread_id.into();
        }
        if let Some(message_id) = destination.reply_to {
            // The learner may have deleted the message in the meantime.
            fields["reply_parameters"] =
                json!({"message_id": message_id, "allow_sending_without_reply": true});
        }
        if !self.entities.is_empty() {
            fields["entities"] = self.entities.clone().into();
        }
        fields
    }
}

/// Returns the part of a mark inside a piece, in UTF-16 units from the start of the piece.
fn entity(mark: &Mark, piece: &str, piece_start: usize) -> Option<Value> {
    let start = mark.range.start.max(piece_start) - piece_start;
    let end = mark.range.end.min(piece_start + piece.len()).checked_sub(piece_start)?;
    if start >= end {
        return None;
    }
    let mut entity = json!({"offset": units(&piece[..start]), "length": units(&piece[start..end])});
    match &mark.kind {
        Kind::Bold => entity["type"] = "bold".into(),
        Kind::Italic => entity["type"] = "italic".into(),
        Kind::Code => entity["type"] = "code".into(),
        Kind::Pre(language) => {
            entity["type"] = "pre".into();
            if !language.is_empty() {
                entity["language"] = language.as_str().into();
            }
        }
    }
    Some(entity)
}

/// Returns the pieces as ranges of bytes. Blank pieces are left out.
fn pieces(text: &str, max_units: usize) -> Vec<Range<usize>> {
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

fn units(text: &str) -> usize {
    text.encode_utf16().count()
}

/// Returns how many bytes fit into `max_units`; at least one character.
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

/// Returns the end of the piece and the beginning of the next one. A border in the first half would make a stub.
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

    use super::super::super::Channel;
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

    #[test]
    fn marks_follow_their_text_into_the_pieces() {
        let line = "ü".repeat(99);
        let code = vec![line.as_str(); 50].join("\n");
        let text = format!("👍 `let`\n```rust\n{code}\n```\n**end**");
        let message = Message::send(Channel::Telegram, "1", text);
        let parts = parts(&message).unwrap();
        let shown: Vec<_> = parts.iter().map(|part| Value::from(part.entities.clone())).collect();
        let first = json!([
            {"offset": 3, "length": 3, "type": "code"},
            {"offset": 7, "length": 3999, "type": "pre", "language": "rust"},
        ]);
        let second = json!([
            {"offset": 0, "length": 999, "type": "pre", "language": "rust"},
            {"offset": 1000, "length": 3, "type": "bold"},
        ]);
        assert_eq!(shown, [first, second]);
    }

    #[test]
    fn a_text_that_is_far_too_long_is_refused() {
        let message = Message::send(Channel::Telegram, "1", "word ".repeat(20_000));
        assert!(matches!(parts(&message), Err(Trouble::Final { .. })));
    }
}
