//! Cards to text.

use super::Separator;
use crate::pack::cards::{Cards, Note};

/// How the file says what its columns hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Header {
    /// A first row with names, for spreadsheets.
    Row,
    /// `#` lines, for Anki: a file that is imported again updates its notes instead of doubling them.
    Anki,
}

/// Anki finds the fields of a note by these names.
const COLUMNS: [&str; 5] = ["guid", "deck", "Front", "Back", "tags"];

/// Writes the notes, one record each, with CRLF line ends as RFC 4180 has them or LF as Anki has.
pub fn write(cards: &Cards, separator: Separator, header: Header) -> String {
    let (mut text, line_end) = match header {
        Header::Row => (record(&COLUMNS, separator) + "\r\n", "\r\n"),
        Header::Anki => (anki_head(separator), "\n"),
    };
    for note in in_order(cards, header) {
        let tags = note.tags.join(" ");
        text += &record(&[note.guid.as_str(), &note.deck, &note.front, &note.back, &tags], separator);
        text += line_end;
    }
    text
}

/// Anki makes decks as it meets them, and a second one when it meets a deck after one inside it.
fn in_order(cards: &Cards, header: Header) -> Vec<&Note> {
    let mut notes: Vec<&Note> = cards.notes.iter().collect();
    if header == Header::Anki {
        notes.sort_by_key(|note| &note.deck);
    }
    notes
}

fn anki_head(separator: Separator) -> String {
    let columns = COLUMNS.join(char::from(separator.byte()).encode_utf8(&mut [0; 4]));
    format!(
        "#separator:{}\n#html:false\n#columns:{columns}\n#guid column:1\n#deck column:2\n#tags column:5\n",
        separator.name()
    )
}

fn record(fields: &[&str; COLUMNS.len()], separator: Separator) -> String {
    fields.map(|field| quoted(field, separator)).join(char::from(separator.byte()).encode_utf8(&mut [0; 4]))
}

/// A field is quoted when it must be: also when it could be taken for a comment, or its outer space would be lost.
fn quoted(field: &str, separator: Separator) -> String {
    let special = |c: char| matches!(c, '"' | '\n' | '\r') || c == char::from(separator.byte());
    if field.contains(special) || field.starts_with('#') || field.trim() != field {
        return format!("\"{}\"", field.replace('"', "\"\""));
    }
    field.to_owned()
}
