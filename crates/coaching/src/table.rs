//! Tables as text: CSV, TSV and their like.
//!
//! The `csv` crate reads on through a broken quote, and one quote that is never closed then swallows all the rows below
//! it. `Rows` reports such a quote instead, with its line.

use csv::StringRecord;
use std::fmt;

/// The most fields of a row. More are a sign that the file is something else.
const MAX_FIELDS: usize = 1_000;
/// The most quotes that are never closed. Each costs another look at the rest of the text.
const MAX_UNCLOSED: usize = 100;

/// An error in a file: where it is, and what to do about it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub struct TableError {
    /// The line, from 1; 0 stands for the whole file.
    pub line: usize,
    pub message: String,
    pub cure: &'static str,
}

impl TableError {
    pub(crate) fn new(line: usize, message: impl Into<String>, cure: &'static str) -> TableError {
        TableError { line, message: message.into(), cure }
    }
}

impl fmt::Display for TableError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let TableError { line, message, cure } = self;
        if *line > 0 {
            write!(f, "line {line}: ")?;
        }
        write!(f, "{message} ({cure})")
    }
}

/// The rows of a text, each with the line that it begins in. Empty lines are skipped. After a quote that is never
/// closed, reading continues in the next line.
#[derive(Debug)]
pub(crate) struct Rows<'t> {
    text: &'t str,
    separator: u8,
    reader: csv::Reader<&'t [u8]>,
    /// The offset in the text at which the last row began. `line` is the line of that row.
    at: usize,
    line: usize,
    unclosed: usize,
}

impl<'t> Rows<'t> {
    /// Reads the rows of a text. `line` is the number of the first line of `text`.
    pub(crate) fn new(text: &'t str, separator: u8, line: usize) -> Rows<'t> {
        let mut builder = csv::ReaderBuilder::new();
        let reader =
            builder.delimiter(separator).has_headers(false).flexible(true).from_reader(text.as_bytes());
        Rows { text, separator, reader, at: 0, line, unclosed: 0 }
    }

    /// Checks the fields of the last row against its text.
    fn check(&mut self, fields: &StringRecord) -> Result<(), TableError> {
        if fields.len() > MAX_FIELDS {
            let message = format!("more than {MAX_FIELDS} fields");
            return Err(TableError::new(self.line, message, "check that the file is CSV or TSV"));
        }
        let row = &self.text[self.at..];
        let mut rest = row;
        for field in fields {
            rest = after_field(rest, field, self.separator).map_err(|flaw| {
                let line = self.line + line_ends(&row[..row.len() - rest.len()]);
                self.report(flaw, line)
            })?;
        }
        Ok(())
    }

    fn report(&mut self, flaw: Flaw, line: usize) -> TableError {
        match flaw {
            Flaw::TextAfterQuote => {
                let cure = "put the whole field in quotes, and write a quote inside it twice";
                TableError::new(line, "there is text after a closing quote", cure)
            }
            Flaw::NeverClosed => {
                self.restart_below(line);
                let cure = "close the quote, and write a quote inside a quoted field twice";
                TableError::new(line, "a quote is opened here and never closed", cure)
            }
        }
    }

    fn restart_below(&mut self, line: usize) {
        let unclosed = self.unclosed + 1;
        let below = self.text[self.at..].split_inclusive('\n').skip(line + 1 - self.line);
        let below_bytes: usize = below.map(str::len).sum();
        let goes_on_at =
            if unclosed < MAX_UNCLOSED { self.text.len() - below_bytes } else { self.text.len() };
        *self = Rows { unclosed, ..Rows::new(&self.text[goes_on_at..], self.separator, line + 1) };
    }
}

impl Iterator for Rows<'_> {
    type Item = Result<(usize, StringRecord), TableError>;

    fn next(&mut self) -> Option<Self::Item> {
        let read_to = usize::try_from(self.reader.position().byte()).unwrap_or(usize::MAX);
        let mut fields = StringRecord::new();
        if !self.reader.read_record(&mut fields).expect("text in memory can be read") {
            return None;
        }
        let begins_at = self.text.len() - self.text[read_to..].trim_start_matches(['\n', '\r']).len();
        self.line += line_ends(&self.text[self.at..begins_at]);
        self.at = begins_at;
        Some(self.check(&fields).map(|()| (self.line, fields)))
    }
}

enum Flaw {
    NeverClosed,
    TextAfterQuote,
}

/// Returns the text after a field and its separator.
fn after_field<'t>(text: &'t str, field: &str, separator: u8) -> Result<&'t str, Flaw> {
    let rest = match text.strip_prefix('"') {
        None => &text[field.len()..],
        Some(quoted) => match quoted.strip_prefix(field.replace('"', "\"\"").as_str()) {
            Some("") => return Err(Flaw::NeverClosed),
            rest => rest.and_then(|rest| rest.strip_prefix('"')).ok_or(Flaw::TextAfterQuote)?,
        },
    };
    match rest.as_bytes().first() {
        Some(byte) if *byte == separator => Ok(&rest[1..]),
        None | Some(b'\n' | b'\r') => Ok(rest),
        Some(_) => Err(Flaw::TextAfterQuote),
    }
}

/// Counts `\n`, `\r\n` and the lone `\r` of old programs.
fn line_ends(text: &str) -> usize {
    text.matches(['\n', '\r']).count() - text.matches("\r\n").count()
}
