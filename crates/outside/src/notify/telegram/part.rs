//! The requests that a message becomes.

use serde_json::{Value, json};

use super::super::format::{Formatted, Kind, Mark, format};
use super::split::{PIECE_MAX_UNITS, pieces, units};
use super::{Message, Place, Trouble};

/// Whoever has more to say should say it elsewhere.
const TEXT_PARTS_MAX: usize = 16;

#[derive(Debug)]
pub(super) struct Part {
    text: String,
    entities: Vec<Value>,
}

/// The pieces of the text.
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

    /// What `sendMessage` takes.
    pub(super) fn body(&self, place: &Place) -> Value {
        let mut fields = json!({
            "chat_id": place.chat_id(),
            "text": self.text,
            "link_preview_options": {"is_disabled": true},
        });
        if let Some(thread_id) = place.thread_id {
            fields["message_thread_id"] = thread_id.into();
        }
        if let Some(message_id) = place.reply_to {
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

/// The part of a mark that lies in a piece, in UTF-16 units from the beginning of the piece.
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

#[cfg(test)]
mod tests {
    use super::super::super::Channel;
    use super::*;

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
