//! Reads and writes cards as text: CSV and TSV as spreadsheets write them, and Anki's own text exports.
//!
//! [`read`] detects the separator, a header row and Anki's `#` lines by itself. The output of [`write()`] suits
//! [`read`], spreadsheets and Anki. These files have no review history.

mod layout;
mod writer;

use super::cards::{Cards, Cloze, LeftOut, MAX_FIELD_BYTES, MAX_NOTES, Note, plain_text};
use crate::table::{Rows, TableError};
use csv::StringRecord;
use layout::Layout;

pub use writer::{Header, write};

/// The size above which a file is refused. A full set of ordinary notes fits many times over.
pub const MAX_FILE_BYTES: usize = 64 << 20;

/// The separator between two fields.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Separator {
    Tab,
    Semicolon,
    Comma,
}

/// Reads a file. A note without a deck goes into `deck`.
pub fn read(source: &[u8], deck: &str) -> Result<Cards, TableError> {
    let text = decode(source)?;
    let (layout, body) = Layout::find(text)?;
    let mut cards = Cards::default();
    let rows = Rows::new(body.text, layout.separator, body.line);
    for row in rows.skip(usize::from(layout.has_header_row)) {
        let (line, fields) = row?;
        let note = layout.note(&fields, line, deck, &mut cards.left_out)?;
        if cards.notes.len() == MAX_NOTES {
            return Err(TableError::new(
                line,
                format!("there are more than {MAX_NOTES} notes"),
                "split the file",
            ));
        }
        cards.notes.extend(note);
    }
    if cards.notes.is_empty() {
        return Err(TableError::new(0, "the file has no note", "write one note per line: front, tab, back"));
    }
    Ok(cards)
}

impl Separator {
    pub(super) fn byte(self) -> u8 {
        match self {
            Separator::Tab => b'\t',
            Separator::Semicolon => b';',
            Separator::Comma => b',',
        }
    }

    fn name(self) -> &'static str {
        match self {
            Separator::Tab => "tab",
            Separator::Semicolon => "semicolon",
            Separator::Comma => "comma",
        }
    }
}

impl Layout {
    /// Returns the note in one row, or `None` if its front has only sounds and pictures.
    fn note(
        &self,
        fields: &StringRecord,
        line: usize,
        deck: &str,
        left_out: &mut LeftOut,
    ) -> Result<Option<Note>, TableError> {
        let field = |column: Option<usize>| column.and_then(|at| fields.get(at)).map(str::trim);
        let (Some(front), Some(back)) = (field(Some(self.front)), field(Some(self.back))) else {
            let message =
                format!("{} fields, but {} are needed", fields.len(), self.front.max(self.back) + 1);
            return Err(TableError::new(line, message, "separate front and back like in the other lines"));
        };
        let front = self.text(front, line, left_out)?;
        let back = self.text(back, line, left_out)?;
        if front.is_empty() {
            left_out.notes_without_text += 1;
            return Ok(None);
        }
        let (front, back) = without_gaps(front, back);
        let own_deck = field(self.deck).filter(|deck| !deck.is_empty()).or(self.whole_deck.as_deref());
        let tags = field(self.tags).unwrap_or_default().split_whitespace();
        let tags = self.whole_tags.iter().map(String::as_str).chain(tags).map(str::to_owned).collect();
        let guid = field(self.guid).unwrap_or_default().to_owned();
        Ok(Some(Note {
            guid,
            deck: own_deck.unwrap_or(deck).to_owned(),
            front,
            back,
            tags,
            cards: Vec::new(),
        }))
    }

    fn text(&self, field: &str, line: usize, left_out: &mut LeftOut) -> Result<String, TableError> {
        let text = if self.is_html {
            let plain = plain_text(field);
            left_out.sounds += plain.sounds;
            left_out.images += plain.images;
            plain.text
        } else {
            field.to_owned()
        };
        if text.len() > MAX_FIELD_BYTES {
            let message = format!("a field has more than {MAX_FIELD_BYTES} bytes");
            return Err(TableError::new(
                line,
                message,
                "shorten it, or look for a quote that is never closed",
            ));
        }
        Ok(text)
    }
}

/// Turns a sentence with gaps into the whole sentence. The gapped form becomes the back, unless there is another
/// back.
fn without_gaps(front: String, back: String) -> (String, String) {
    let Cloze { whole, gapped } = Cloze::new(&front);
    if whole == front {
        return (front, back);
    }
    (whole, if back.is_empty() { gapped } else { back })
}

fn decode(source: &[u8]) -> Result<&str, TableError> {
    if source.len() > MAX_FILE_BYTES {
        let message = format!("the file has {} bytes, more than {MAX_FILE_BYTES}", source.len());
        return Err(TableError::new(0, message, "split the file"));
    }
    let source = source.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(source);
    std::str::from_utf8(source).map_err(|wrong| {
        let line = 1 + source[..wrong.valid_up_to()].iter().filter(|byte| **byte == b'\n').count();
        TableError::new(line, "the file is not UTF-8 text", "save it as “CSV UTF-8”")
    })
}
