//! Finds the layout of a file: the separator of its fields, and the content of each column.
//!
//! Three sources can tell, the surest first: the `#key:value` lines at the top of Anki's text exports, a header
//! row, and the look of the first lines.

use super::Separator;
use crate::table::{Rows, TableError};

#[derive(Debug)]
pub(super) struct Layout {
    pub separator: u8,
    pub is_html: bool,
    pub has_header_row: bool,
    pub front: usize,
    pub back: usize,
    pub tags: Option<usize>,
    pub deck: Option<usize>,
    pub guid: Option<usize>,
    /// The deck of every note without one of its own.
    pub whole_deck: Option<String>,
    /// The tags that every note has.
    pub whole_tags: Vec<String>,
}

/// The text after the `#` lines, and the number of its first line.
#[derive(Debug, Clone, Copy)]
pub(super) struct Body<'t> {
    pub text: &'t str,
    pub line: usize,
}

impl Layout {
    pub(super) fn find(text: &str) -> Result<(Layout, Body<'_>), TableError> {
        let (head, body) = Head::read(text)?;
        let separator = head.separator.map_or_else(|| detect(body), Ok)?;
        let first = Rows::new(body.text, separator, body.line).next().transpose()?;
        let first_row = first.map(|(_, fields)| Columns::of(fields.iter())).unwrap_or_default();
        let named = head.columns.map(|line| Columns::of(line.split(char::from(separator))));
        let has_header_row = named.is_none() && first_row.has_both_sides();
        let mut columns = named.unwrap_or(if has_header_row { first_row } else { Columns::default() });
        columns.tags = head.tags_column.or(columns.tags);
        columns.deck = head.deck_column.or(columns.deck);
        columns.guid = head.guid_column.or(columns.guid);
        let (front, back) = columns.sides(head.notetype_column);
        let Columns { tags, deck, guid, .. } = columns;
        let (is_html, whole_deck, whole_tags) = (head.is_html, head.deck, head.tags);
        let layout = Layout {
            separator,
            is_html,
            has_header_row,
            front,
            back,
            tags,
            deck,
            guid,
            whole_deck,
            whole_tags,
        };
        Ok((layout, body))
    }
}

/// The settings in the `#` lines.
#[derive(Default)]
struct Head<'t> {
    separator: Option<u8>,
    is_html: bool,
    columns: Option<&'t str>,
    tags_column: Option<usize>,
    deck_column: Option<usize>,
    guid_column: Option<usize>,
    notetype_column: Option<usize>,
    deck: Option<String>,
    tags: Vec<String>,
}

impl<'t> Head<'t> {
    fn read(text: &'t str) -> Result<(Head<'t>, Body<'t>), TableError> {
        let mut head = Head::default();
        let mut body = Body { text, line: 1 };
        while let Some((key, value, after)) = setting(body.text) {
            head.set(key, value, body.line)?;
            body = Body { text: after, line: body.line + 1 };
        }
        Ok((head, body))
    }

    fn set(&mut self, key: &str, value: &'t str, line: usize) -> Result<(), TableError> {
        match key.to_ascii_lowercase().as_str() {
            "separator" => self.separator = Some(separator(value, line)?),
            "html" => self.is_html = value.eq_ignore_ascii_case("true"),
            "columns" => self.columns = Some(value),
            "tags column" => self.tags_column = Some(column(value, line)?),
            "deck column" => self.deck_column = Some(column(value, line)?),
            "guid column" => self.guid_column = Some(column(value, line)?),
            "notetype column" => self.notetype_column = Some(column(value, line)?),
            "deck" => self.deck = Some(value.to_owned()),
            "tags" => self.tags = value.split_whitespace().map(str::to_owned).collect(),
            // Anki's other settings matter only to Anki.
            _ => {}
        }
        Ok(())
    }
}

/// Returns key and value of `#key:value`, and the text after its line. A key consists of words, so a note that
/// begins with `#1: …` is not a setting.
fn setting(text: &str) -> Option<(&str, &str, &str)> {
    let line_end = text.find('\n').unwrap_or(text.len());
    let (key, value) = text[..line_end].strip_prefix('#')?.split_once(':')?;
    let is_key = !key.is_empty() && key.bytes().all(|byte| byte.is_ascii_alphabetic() || byte == b' ');
    let after = text.get(line_end + 1..).unwrap_or_default();
    // Anki writes the value bare, but a person may have typed spaces around it.
    is_key.then_some((key, value.trim_matches([' ', '\r']), after))
}

fn separator(value: &str, line: usize) -> Result<u8, TableError> {
    match value.to_ascii_lowercase().as_str() {
        "tab" | "\\t" | "\t" => Ok(b'\t'),
        "comma" | "," => Ok(b','),
        "semicolon" | ";" => Ok(b';'),
        "colon" | ":" => Ok(b':'),
        "pipe" | "|" => Ok(b'|'),
        "space" | "" => Ok(b' '),
        _ => {
            let message = format!("“{value}” is not a separator");
            Err(TableError::new(line, message, "write tab, comma, semicolon, colon, pipe or space"))
        }
    }
}

fn column(value: &str, line: usize) -> Result<usize, TableError> {
    let number: Option<usize> = value.parse().ok().filter(|number| (1..=1_000).contains(number));
    number.map(|number| number - 1).ok_or_else(|| {
        TableError::new(line, format!("“{value}” is not a column"), "write its number, counted from 1")
    })
}

/// The number of rows that decide the separator.
const LOOKED_AT: usize = 50;

/// Returns the separator that most often cuts the first rows into the same number of fields. Tab beats semicolon
/// beats comma.
fn detect(body: Body) -> Result<u8, TableError> {
    let score = |separator: Separator| {
        let rows = Rows::new(body.text, separator.byte(), body.line).take(LOOKED_AT);
        let widths: Vec<usize> = rows.map_while(Result::ok).map(|(_, fields)| fields.len()).collect();
        widths.iter().filter(|width| **width > 1 && **width == widths[0]).count()
    };
    let best = [Separator::Comma, Separator::Semicolon, Separator::Tab]
        .into_iter()
        .max_by_key(|separator| score(*separator))
        .filter(|separator| score(*separator) > 0);
    if let Some(separator) = best {
        return Ok(separator.byte());
    }
    // If a row cannot be read, its error is the better reason.
    Rows::new(body.text, Separator::Comma.byte(), body.line).next().transpose()?;
    let cure = "put a tab, semicolon or comma between front and back";
    Err(TableError::new(body.line, "nothing separates front and back", cure))
}

/// The positions of the columns, as far as their names tell.
#[derive(Default)]
struct Columns {
    front: Option<usize>,
    back: Option<usize>,
    tags: Option<usize>,
    deck: Option<usize>,
    guid: Option<usize>,
}

const FRONT_NAMES: &[&str] =
    &["front", "text", "question", "term", "word", "phrase", "expression", "vocabulary"];
const BACK_NAMES: &[&str] = &["back", "meaning", "answer", "definition", "translation"];

impl Columns {
    fn of<'n>(names: impl Iterator<Item = &'n str>) -> Columns {
        let names: Vec<String> = names.map(|name| name.trim().to_lowercase()).collect();
        let find = |wanted: &[&str]| names.iter().position(|name| wanted.contains(&name.as_str()));
        Columns {
            front: find(FRONT_NAMES),
            back: find(BACK_NAMES),
            tags: find(&["tags", "tag"]),
            deck: find(&["deck"]),
            guid: find(&["guid"]),
        }
    }

    fn has_both_sides(&self) -> bool {
        self.front.is_some() && self.back.is_some()
    }

    /// Returns the named sides, or else the first two columns with no other use.
    fn sides(&self, notetype: Option<usize>) -> (usize, usize) {
        if let (Some(front), Some(back)) = (self.front, self.back) {
            return (front, back);
        }
        let used = [self.tags, self.deck, self.guid, notetype];
        let mut free = (0..).filter(|column| !used.contains(&Some(*column)));
        (free.next().unwrap_or(0), free.next().unwrap_or(1))
    }
}
