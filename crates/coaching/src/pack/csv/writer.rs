//! Writes cards as text.

use super::Separator;
use crate::pack::cards::{Cards, Note};
use csv::{Terminator, WriterBuilder};

/// The way in which a file names its columns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Header {
    /// A first row with names, for spreadsheets.
    Row,
    /// `#` lines, for Anki: importing the file again updates its notes and does not duplicate them.
    Anki,
}

/// The column names by which Anki finds the fields of a note.
const COLUMNS: [&str; 5] = ["guid", "deck", "Front", "Back", "tags"];

/// Writes one row per note. Lines end in CRLF for spreadsheets, as RFC 4180 says, and in LF for Anki.
pub fn write(cards: &Cards, separator: Separator, header: Header) -> String {
    let (head, terminator) = match header {
        Header::Row => (String::new(), Terminator::CRLF),
        Header::Anki => (anki_head(separator), Terminator::Any(b'\n')),
    };
    let mut builder = WriterBuilder::new();
    // Anki reads a row that begins with a bare `#` as a comment.
    builder.delimiter(separator.byte()).terminator(terminator).comment(Some(b'#'));
    let mut writer = builder.from_writer(head.into_bytes());
    let mut row = |fields: [&str; COLUMNS.len()]| writer.write_record(fields).expect(IN_MEMORY);
    if header == Header::Row {
        row(COLUMNS);
    }
    for note in in_order(cards, header) {
        row([&note.guid, &note.deck, &note.front, &note.back, &note.tags.join(" ")]);
    }
    String::from_utf8(writer.into_inner().expect(IN_MEMORY)).expect("text stays text")
}

const IN_MEMORY: &str = "rows of equal length are written to memory";

/// Returns the notes in the order to write. For Anki they are sorted by deck: it creates decks as it meets them,
/// and creates a second one when a deck comes after one inside it.
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
