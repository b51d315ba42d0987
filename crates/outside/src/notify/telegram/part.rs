//! The requests that a message becomes.

use serde_json::{Value, json};

use super::super::message::Attachment;
use super::api::Body;
use super::format::{Formatted, Kind, Mark, format};
use super::split::{PIECE_MAX_UNITS, pieces, units};
use super::{Message, Place, Trouble};

/// Whoever has more to say should say it elsewhere.
const TEXT_PARTS_MAX: usize = 16;

#[derive(Debug)]
pub(super) enum Part {
    Text { text: String, entities: Vec<Value> },
    File { name: String, mime: String, bytes: Vec<u8> },
}

/// The pieces of the text, then the attachments.
pub(super) fn parts(message: &Message) -> Result<Vec<Part>, Trouble> {
    let formatted = format(&message.text);
    let ranges = pieces(&formatted.text, PIECE_MAX_UNITS);
    if ranges.len() > TEXT_PARTS_MAX {
        let reason = format!(
            "the text would take {} messages on Telegram, at most {TEXT_PARTS_MAX} are sent; shorten it",
            ranges.len()
        );
        return Err(Trouble::finally(reason));
    }
    let texts = ranges.into_iter().map(|range| Ok(Part::text(&formatted, range.start, range.end)));
    texts.chain(message.attachments.iter().map(Part::file)).collect()
}

impl Part {
    fn text(whole: &Formatted, start: usize, end: usize) -> Self {
        let piece = &whole.text[start..end];
        let entities = whole.marks.iter().filter_map(|mark| entity(mark, piece, start)).collect();
        Self::Text { text: piece.to_owned(), entities }
    }

    fn file(attachment: &Attachment) -> Result<Self, Trouble> {
        let mime = match attachment.mime.as_str() {
            mime if is_mime(mime) => mime.to_owned(),
            _ => "application/octet-stream".to_owned(),
        };
        Ok(Self::File { name: attachment.file_name(), mime, bytes: attachment.bytes()? })
    }

    pub(super) fn method(&self) -> &'static str {
        match self {
            Self::Text { .. } => "sendMessage",
            Self::File { .. } => "sendDocument",
        }
    }

    pub(super) fn body(&self, place: &Place) -> Body {
        let mut fields = json!({ "chat_id": place.chat_id() });
        if let Some(thread_id) = place.thread_id {
            fields["message_thread_id"] = thread_id.into();
        }
        if let Some(message_id) = place.reply_to {
            // The learner may have deleted the message in the meantime.
            fields["reply_parameters"] =
                json!({"message_id": message_id, "allow_sending_without_reply": true});
        }
        match self {
            Self::Text { text, entities } => {
                fields["text"] = text.as_str().into();
                fields["link_preview_options"] = json!({"is_disabled": true});
                if !entities.is_empty() {
                    fields["entities"] = entities.clone().into();
                }
                Body::Json(fields)
            }
            Self::File { name, mime, bytes } => multipart(&fields, name, mime, bytes),
        }
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

fn multipart(fields: &Value, name: &str, mime: &str, content: &[u8]) -> Body {
    let boundary = free_boundary(content);
    let mut bytes = Vec::new();
    for (key, value) in fields.as_object().into_iter().flatten() {
        // Whatever is no text is written as JSON.
        let value = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        let head =
            format!("--{boundary}\r\ncontent-disposition: form-data; name=\"{key}\"\r\n\r\n{value}\r\n");
        bytes.extend_from_slice(head.as_bytes());
    }
    let head = format!(
        "--{boundary}\r\ncontent-disposition: form-data; name=\"document\"; filename=\"{name}\"\r\n\
         content-type: {mime}\r\n\r\n"
    );
    bytes.extend_from_slice(head.as_bytes());
    bytes.extend_from_slice(content);
    bytes.extend_from_slice(format!("\r\n--{boundary}--\r\n").as_bytes());
    Body::Multipart { boundary, bytes }
}

/// A line that does not occur in the content.
fn free_boundary(content: &[u8]) -> String {
    let occurs = |boundary: &str| content.windows(boundary.len()).any(|window| window == boundary.as_bytes());
    let mut boundary = "etude-part".to_owned();
    while occurs(&boundary) {
        boundary.push('-');
    }
    boundary
}

fn is_mime(text: &str) -> bool {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'/' | b'-' | b'+' | b'.');
    text.contains('/') && text.bytes().all(is_plain)
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
        let shown: Vec<_> = parts.iter().map(entities).collect();
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

    fn entities(part: &Part) -> Value {
        match part {
            Part::Text { entities, .. } => entities.clone().into(),
            Part::File { .. } => Value::Null,
        }
    }

    #[test]
    fn a_text_that_is_far_too_long_is_refused() {
        let message = Message::send(Channel::Telegram, "1", "word ".repeat(20_000));
        assert!(matches!(parts(&message), Err(Trouble::Final { .. })));
    }
}
