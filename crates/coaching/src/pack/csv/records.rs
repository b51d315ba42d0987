//! RFC 4180: records of fields, where a quoted field may hold separators, line ends and doubled quotes.

use super::{CsvError, error};

/// More fields than this in one record are a sign that the file is something else.
const MAX_FIELDS: usize = 1_000;

/// The records of a text, each with the line it begins in. Empty lines are no records.
#[derive(Debug, Clone)]
pub(crate) struct Records<'t> {
    rest: &'t str,
    separator: u8,
    line: usize,
}

impl<'t> Records<'t> {
    /// `line` is the number of the first line of `text`.
    pub(crate) fn new(text: &'t str, separator: u8, line: usize) -> Records<'t> {
        Records { rest: text, separator, line }
    }

    fn record(&mut self) -> Result<Vec<String>, CsvError> {
        let mut fields = Vec::new();
        loop {
            fields.push(if self.rest.starts_with('"') { self.quoted()? } else { self.bare() });
            if fields.len() > MAX_FIELDS {
                let message = format!("more than {MAX_FIELDS} fields");
                return Err(error(self.line, message, "check that the file is CSV or TSV"));
            }
            if self.rest.as_bytes().first() != Some(&self.separator) {
                self.skip_line_end();
                return Ok(fields);
            }
            self.rest = &self.rest[1..];
        }
    }

    fn bare(&mut self) -> String {
        let separator = self.separator;
        let is_end = |byte: u8| byte == separator || matches!(byte, b'\n' | b'\r');
        let end = self.rest.bytes().position(is_end).unwrap_or(self.rest.len());
        let (field, rest) = self.rest.split_at(end);
        self.rest = rest;
        field.to_owned()
    }

    fn quoted(&mut self) -> Result<String, CsvError> {
        let opened_in = self.line;
        let mut field = String::new();
        loop {
            let Some((part, rest)) = self.rest[1..].split_once('"') else {
                let cure = "close the quote, and write a quote inside a quoted field twice";
                return Err(error(opened_in, "a quote is opened here and never closed", cure));
            };
            self.line += part.matches('\n').count();
            field.push_str(part);
            self.rest = rest;
            if !rest.starts_with('"') {
                break;
            }
            field.push('"');
        }
        match self.rest.as_bytes().first() {
            None | Some(b'\n' | b'\r') => Ok(field),
            Some(byte) if *byte == self.separator => Ok(field),
            _ => {
                let cure = "put the whole field in quotes, and write a quote inside it twice";
                Err(error(self.line, "there is text after a closing quote", cure))
            }
        }
    }

    /// Takes `\n`, `\r\n` or, as old programs write it, `\r` alone.
    fn skip_line_end(&mut self) {
        let after = self.rest.strip_prefix("\r\n").or(self.rest.strip_prefix(['\n', '\r']));
        if let Some(after) = after {
            self.rest = after;
            self.line += 1;
        }
    }
}

impl Iterator for Records<'_> {
    type Item = Result<(usize, Vec<String>), CsvError>;

    fn next(&mut self) -> Option<Self::Item> {
        while self.rest.starts_with(['\n', '\r']) {
            self.skip_line_end();
        }
        if self.rest.is_empty() {
            return None;
        }
        let line = self.line;
        let record = self.record();
        if record.is_err() {
            self.rest = "";
        }
        Some(record.map(|fields| (line, fields)))
    }
}
