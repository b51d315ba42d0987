//! Cards as text: CSV and TSV as spreadsheets write them, and Anki's own text exports.
//!
//! [`read`] finds out by itself what it was given: the separator, a header row, the `#` lines of Anki. [`write()`]
//! writes what [`read`], a spreadsheet and Anki all take. History is not part of these files.

mod layout;
pub(crate) mod records;
mod writer;

use std::fmt;

use super::cards::{Cards, Cloze, LeftOut, MAX_FIELD_BYTES, MAX_NOTES, Note, plain_text};
use layout::Layout;
use records::Records;

pub use writer::{Header, write};

/// A larger file is refused; the most notes of ordinary length fit many times.
pub const MAX_FILE_BYTES: usize = 64 << 20;

/// What stands between two fields.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Separator {
    Tab,
    Semicolon,
    Comma,
}

/// What is wrong with a file, in which line, and what to do about it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub struct CsvError {
    /// From 1; 0 when the whole file is meant.
    pub line: usize,
    pub message: String,
    pub cure: &'static str,
}

impl fmt::Display for CsvError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let CsvError { line, message, cure } = self;
        if *line == 0 {
            write!(f, "{message} ({cure})")
        } else {
            write!(f, "line {line}: {message} ({cure})")
        }
    }
}

/// Reads a file. Notes that name no deck are put into `deck`.
pub fn read(source: &[u8], deck: &str) -> Result<Cards, CsvError> {
    let text = decode(source)?;
    let (layout, body) = Layout::find(text)?;
    let mut cards = Cards::default();
    let records = Records::new(body.text, layout.separator, body.line);
    for record in records.skip(usize::from(layout.has_header_row)) {
        let (line, fields) = record?;
        let note = layout.note(&fields, line, deck, &mut cards.left_out)?;
        if cards.notes.len() == MAX_NOTES {
            return Err(error(line, format!("there are more than {MAX_NOTES} notes"), "split the file"));
        }
        cards.notes.extend(note);
    }
    if cards.notes.is_empty() {
        return Err(error(0, "there is no note in the file", "write one note per line: front, tab, back"));
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
    /// The note in one record; none when nothing but sound and pictures is on its front.
    fn note(
        &self,
        fields: &[String],
        line: usize,
        deck: &str,
        left_out: &mut LeftOut,
    ) -> Result<Option<Note>, CsvError> {
        let field = |column: Option<usize>| column.and_then(|at| fields.get(at)).map(|text| text.trim());
        let (Some(front), Some(back)) = (field(Some(self.front)), field(Some(self.back))) else {
            let message =
                format!("{} fields, but {} are needed", fields.len(), self.front.max(self.back) + 1);
            return Err(error(line, message, "separate front and back as in the other lines"));
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

    fn text(&self, field: &str, line: usize, left_out: &mut LeftOut) -> Result<String, CsvError> {
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
            return Err(error(line, message, "shorten it, or look for a quote that is never closed"));
        }
        Ok(text)
    }
}

/// A sentence with gaps becomes the whole sentence; its question is the back when there is no other.
fn without_gaps(front: String, back: String) -> (String, String) {
    let Cloze { whole, gapped } = Cloze::new(&front);
    if whole == front {
        return (front, back);
    }
    (whole, if back.is_empty() { gapped } else { back })
}

fn decode(source: &[u8]) -> Result<&str, CsvError> {
    if source.len() > MAX_FILE_BYTES {
        let message = format!("the file has {} bytes, more than {MAX_FILE_BYTES}", source.len());
        return Err(error(0, message, "split the file"));
    }
    let source = source.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(source);
    std::str::from_utf8(source).map_err(|wrong| {
        let line = 1 + source[..wrong.valid_up_to()].iter().filter(|byte| **byte == b'\n').count();
        error(line, "the file is not UTF-8 text", "save it as “CSV UTF-8”")
    })
}

fn error(line: usize, message: impl Into<String>, cure: &'static str) -> CsvError {
    CsvError { line, message: message.into(), cure }
}
