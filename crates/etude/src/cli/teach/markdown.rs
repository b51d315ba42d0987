//! The Markdown of lessons, as far as lessons use it: headings, paragraphs, lists, code, and marks within a line.

/// One piece of a text, from top to bottom.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Piece {
    Heading(String),
    Paragraph(Vec<Inline>),
    Item {
        /// How deep it is nested.
        level: usize,
        mark: String,
        text: Vec<Inline>,
    },
    /// Lines to be kept as they are.
    Code(Vec<String>),
    /// What the code before it shows when it runs.
    Output(Vec<String>),
}

/// A stretch of a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Inline {
    Text(String),
    Strong(String),
    Code(String),
}

/// What opens a block that is no code.
const TEXT_FENCE: &str = "```text";

/// Reads a text. Whatever is no Markdown is text.
pub(super) fn read(text: &str) -> Vec<Piece> {
    let mut reader = Reader::default();
    for line in text.lines() {
        reader.take(line);
    }
    reader.finish()
}

#[derive(Debug, Default)]
struct Reader {
    pieces: Vec<Piece>,
    /// The paragraph or item that is being read, line by line.
    open: Option<Open>,
    /// The lines of a block of code that is not closed yet.
    code: Option<Vec<String>>,
    /// Whether that block follows one of code and is itself only text.
    is_output: bool,
}

#[derive(Debug)]
struct Open {
    item: Option<(usize, String)>,
    text: String,
}

impl Reader {
    fn take(&mut self, line: &str) {
        let bare = line.trim();
        match (&mut self.code, bare.starts_with("```")) {
            (Some(_), true) => self.close(),
            (Some(code), false) => code.push(line.trim_end().to_owned()),
            (None, true) => {
                self.close();
                self.code = Some(Vec::new());
                self.is_output = bare == TEXT_FENCE && matches!(self.pieces.last(), Some(Piece::Code(_)));
            }
            (None, false) if bare.is_empty() => self.close(),
            (None, false) if bare.starts_with('|') => self.take_row(bare),
            (None, false) => self.take_text(line, bare),
        }
    }

    /// A row of a table keeps its columns.
    fn take_row(&mut self, row: &str) {
        self.close();
        match self.pieces.last_mut() {
            Some(Piece::Code(rows)) if rows.iter().all(|row| row.starts_with('|')) => {
                rows.push(row.to_owned())
            }
            _ => self.pieces.push(Piece::Code(vec![row.to_owned()])),
        }
    }

    fn take_text(&mut self, line: &str, bare: &str) {
        let indent = line.len() - line.trim_start().len();
        if let Some(heading) = heading(bare) {
            self.close();
            self.pieces.push(Piece::Heading(heading.to_owned()));
        } else if let Some((mark, text)) = item(bare) {
            self.close();
            self.open = Some(Open { item: Some((indent / 2, mark)), text: text.to_owned() });
        } else if let Some(open) = &mut self.open {
            open.text = format!("{} {bare}", open.text);
        } else {
            self.open = Some(Open { item: None, text: bare.to_owned() });
        }
    }

    fn close(&mut self) {
        if let Some(code) = self.code.take() {
            let code = dedented(code);
            self.pieces.push(if self.is_output { Piece::Output(code) } else { Piece::Code(code) });
        }
        match self.open.take() {
            Some(Open { item: Some((level, mark)), text }) => {
                self.pieces.push(Piece::Item { level, mark, text: inline(&text) });
            }
            Some(Open { item: None, text }) => self.pieces.push(Piece::Paragraph(inline(&text))),
            None => {}
        }
    }

    fn finish(mut self) -> Vec<Piece> {
        self.close();
        self.pieces
    }
}

fn heading(line: &str) -> Option<&str> {
    let text = line.trim_start_matches('#');
    (text.len() < line.len() && text.starts_with(' ')).then(|| text.trim())
}

/// An item of a list with its mark: `- `, `2. `, or `b) ` as options have it.
fn item(line: &str) -> Option<(String, &str)> {
    let (mark, text) = line.split_once(' ')?;
    let counted = |end: char| {
        let number = mark.strip_suffix(end)?;
        let is_number = !number.is_empty() && number.len() <= 2 && number.chars().all(|c| c.is_ascii_digit());
        let is_letter = end == ')' && number.len() == 1 && number.chars().all(|c| c.is_ascii_lowercase());
        (is_number || is_letter).then(|| mark.to_owned())
    };
    let mark = if ["-", "*", "+"].contains(&mark) { Some("–".to_owned()) } else { None };
    let mark = mark.or_else(|| counted('.')).or_else(|| counted(')'))?;
    Some((mark, text.trim()))
}

/// Code inside of a list is indented as a whole.
fn dedented(lines: Vec<String>) -> Vec<String> {
    let indent = |line: &String| line.len() - line.trim_start_matches(' ').len();
    let least = lines.iter().filter(|line| !line.trim().is_empty()).map(indent).min().unwrap_or(0);
    lines.into_iter().map(|line| line.get(least..).unwrap_or("").to_owned()).collect()
}

/// The marks within a line. One that is never closed is text.
pub(super) fn inline(text: &str) -> Vec<Inline> {
    let mut pieces = Vec::new();
    let mut plain = String::new();
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        match marked(rest) {
            Some((piece, after)) => {
                if !plain.is_empty() {
                    pieces.push(Inline::Text(std::mem::take(&mut plain)));
                }
                pieces.push(piece);
                rest = after;
            }
            None => {
                // A run of stars that opens nothing is taken whole, so that none of it opens something else.
                let run =
                    if c == '*' { rest.len() - rest.trim_start_matches('*').len() } else { c.len_utf8() };
                plain.push_str(&rest[..run]);
                rest = &rest[run..];
            }
        }
    }
    if !plain.is_empty() {
        pieces.push(Inline::Text(plain));
    }
    pieces
}

/// A marked stretch at the beginning of a text, and what follows it.
fn marked(text: &str) -> Option<(Inline, &str)> {
    if text.starts_with('`') {
        let ticks = text.len() - text.trim_start_matches('`').len();
        let (mark, rest) = text.split_at(ticks);
        let (code, after) = rest.split_once(mark)?;
        return Some((Inline::Code(code.trim().to_owned()), after));
    }
    let mark = ["**", "*"].into_iter().find(|mark| text.starts_with(mark))?;
    let rest = &text[mark.len()..];
    let (strong, after) = rest.split_once(mark)?;
    // A star with a space beside it multiplies.
    let is_closed = !strong.is_empty() && !strong.starts_with([' ', '*']) && !strong.ends_with(' ');
    is_closed.then(|| (Inline::Strong(strong.replace('`', "")), after))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Pieces in a notation of one line each.
    fn noted(text: &str) -> Vec<String> {
        let inline = |pieces: &[Inline]| -> String {
            let piece = |piece: &Inline| match piece {
                Inline::Text(text) => text.clone(),
                Inline::Strong(text) => format!("<{text}>"),
                Inline::Code(text) => format!("[{text}]"),
            };
            pieces.iter().map(piece).collect()
        };
        let piece = |piece: &Piece| match piece {
            Piece::Heading(text) => format!("# {text}"),
            Piece::Paragraph(text) => inline(text),
            Piece::Item { level, mark, text } => format!("{}{mark} {}", ">".repeat(*level), inline(text)),
            Piece::Code(lines) => format!("code {lines:?}"),
            Piece::Output(lines) => format!("output {lines:?}"),
        };
        read(text).iter().map(piece).collect()
    }

    #[test]
    fn lessons_are_read() {
        let check = |text: &str, expected: &[&str]| assert_eq!(noted(text), expected, "{text:?}");
        check("one\ntwo\n\nthree", &["one two", "three"]);
        check("A **table** holds `title TEXT`.", &["A <table> holds [title TEXT]."]);
        check("## Why\nBecause.", &["# Why", "Because."]);
        check("- one\n  more\n- two\n  - deep", &["– one more", "– two", ">– deep"]);
        check("Which?\n  a) `x`\n  b) y", &["Which?", ">a) [x]", ">b) y"]);
        check("```sql\n  SELECT 1;\n    x\n```\nafter", &[r#"code ["SELECT 1;", "  x"]"#, "after"]);
        check("| a | b |\n|---|---|\n| 1 | 2 |", &[r#"code ["| a | b |", "|---|---|", "| 1 | 2 |"]"#]);
        check("```sql\nx\n```\n\n```text\n1\n```", &[r#"code ["x"]"#, r#"output ["1"]"#]);
        check("```text\n1\n```", &[r#"code ["1"]"#]);
        check("1. one\n10. ten", &["1. one", "10. ten"]);
    }

    #[test]
    fn what_is_no_mark_is_text() {
        let check = |text: &str, expected: &str| assert_eq!(noted(text), [expected], "{text:?}");
        check("2 * 3 * 4", "2 * 3 * 4");
        check("SELECT COUNT(*) and *that*", "SELECT COUNT(*) and <that>");
        check("a ` b", "a ` b");
        check("**open", "**open");
        check("****", "****");
        check("#hash and a) in the middle", "#hash and a) in the middle");
        check("fill the ___ and the ___", "fill the ___ and the ___");
        check("`` a`b ``", "[a`b]");
        check("```\nnever closed", r#"code ["never closed"]"#);
    }
}
