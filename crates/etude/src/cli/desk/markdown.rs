//! Splits Markdown into pieces that a terminal can show.

use pulldown_cmark::{CodeBlockKind, Event, Options, Parser, Tag, TagEnd};

/// A block-level piece of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Piece {
    Heading(String),
    Paragraph(Vec<Inline>),
    Item {
        /// The depth of nesting.
        level: usize,
        /// The bullet or number. Empty if the item continues after a gap.
        mark: String,
        text: Vec<Inline>,
    },
    Code(Vec<String>),
    /// The output of the code before it.
    Output(Vec<String>),
    Table(Vec<Vec<String>>),
}

/// A stretch of a line in one style.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Inline {
    Text(String),
    Strong(String),
    Code(String),
}

/// The language tag of a block that shows the output of code.
const OUTPUT: &str = "text";

/// Reads a text. Anything that is not Markdown counts as plain text, HTML included.
pub(crate) fn read(text: &str) -> Vec<Piece> {
    let mut reader = Reader::default();
    for (event, range) in Parser::new_ext(text, Options::ENABLE_TABLES).into_offset_iter() {
        reader.take(event, &text[range]);
    }
    reader.end_line();
    reader.pieces
}

/// Returns a line without its markup; code keeps its backquotes.
pub(crate) fn unmarked(line: &[Inline]) -> String {
    let text = |piece: &Inline| match piece {
        Inline::Text(text) | Inline::Strong(text) => text.clone(),
        Inline::Code(text) => format!("`{text}`"),
    };
    line.iter().map(text).collect()
}

#[derive(Debug, Default)]
struct Reader {
    pieces: Vec<Piece>,
    /// The line that is being read.
    line: Vec<Inline>,
    /// The number of the next item of each open list. `None` for lists without numbers.
    lists: Vec<Option<u64>>,
    mark: String,
    emphasis: usize,
    /// The language and the text of the code that is being read.
    code: Option<(String, String)>,
}

impl Reader {
    fn take(&mut self, event: Event<'_>, source: &str) {
        match event {
            Event::Start(tag) => self.begin(tag, source),
            Event::End(tag) => self.end(tag, source),
            Event::Text(text) => self.add(&text),
            Event::Code(code) => self.line.push(Inline::Code(code.trim().to_owned())),
            Event::SoftBreak | Event::HardBreak => self.add(" "),
            Event::Rule if !source.starts_with('_') => self.end_line(),
            // A gap on a line of its own parses as a rule, and HTML is plain text.
            _ => self.add(source.trim_end_matches('\n')),
        }
    }

    fn begin(&mut self, tag: Tag<'_>, source: &str) {
        match tag {
            // In lessons, runs of underscores are gaps to fill.
            Tag::Emphasis if source.starts_with('_') => self.add("_"),
            Tag::Strong if source.starts_with('_') => self.add("__"),
            Tag::Emphasis | Tag::Strong => self.emphasis += 1,
            Tag::CodeBlock(kind) => {
                self.end_line();
                let language = match kind {
                    CodeBlockKind::Fenced(language) => language.to_string(),
                    CodeBlockKind::Indented => String::new(),
                };
                self.code = Some((language, String::new()));
            }
            Tag::List(first) => {
                self.end_line();
                self.lists.push(first);
            }
            Tag::Item => {
                self.mark = match self.lists.last_mut() {
                    Some(Some(number)) => {
                        *number += 1;
                        format!("{}.", *number - 1)
                    }
                    _ => "–".to_owned(),
                };
            }
            Tag::Table(_) => {
                self.end_line();
                self.pieces.push(Piece::Table(Vec::new()));
            }
            Tag::TableHead | Tag::TableRow => {
                if let Some(Piece::Table(rows)) = self.pieces.last_mut() {
                    rows.push(Vec::new());
                }
            }
            Tag::Paragraph | Tag::Heading { .. } | Tag::BlockQuote(_) => self.end_line(),
            _ => {}
        }
    }

    fn end(&mut self, tag: TagEnd, source: &str) {
        match tag {
            TagEnd::Emphasis if source.starts_with('_') => self.add("_"),
            TagEnd::Strong if source.starts_with('_') => self.add("__"),
            TagEnd::Emphasis | TagEnd::Strong => self.emphasis -= 1,
            TagEnd::Heading(_) => {
                let heading = unmarked(&std::mem::take(&mut self.line));
                self.pieces.push(Piece::Heading(heading));
            }
            TagEnd::CodeBlock => self.end_code(),
            TagEnd::List(_) => {
                self.end_line();
                self.lists.pop();
            }
            TagEnd::TableCell => {
                let cell = unmarked(&std::mem::take(&mut self.line));
                if let Some(Piece::Table(rows)) = self.pieces.last_mut()
                    && let Some(row) = rows.last_mut()
                {
                    row.push(cell);
                }
            }
            TagEnd::Paragraph | TagEnd::Item => self.end_line(),
            _ => {}
        }
    }

    fn add(&mut self, text: &str) {
        if let Some((_, code)) = &mut self.code {
            return code.push_str(text);
        }
        match (self.line.last_mut(), self.emphasis) {
            (Some(Inline::Text(before)), 0) => before.push_str(text),
            (Some(Inline::Strong(before)), 1..) => before.push_str(text),
            (_, 0) => self.line.push(Inline::Text(text.to_owned())),
            _ => self.line.push(Inline::Strong(text.to_owned())),
        }
    }

    fn end_line(&mut self) {
        let text = std::mem::take(&mut self.line);
        if text.is_empty() {
            return;
        }
        self.pieces.push(match self.lists.len().checked_sub(1) {
            Some(level) => Piece::Item { level, mark: std::mem::take(&mut self.mark), text },
            None => Piece::Paragraph(text),
        });
    }

    fn end_code(&mut self) {
        let Some((language, code)) = self.code.take() else { return };
        let lines = code.trim_end_matches('\n').split('\n').map(str::to_owned).collect();
        let is_output = language == OUTPUT && matches!(self.pieces.last(), Some(Piece::Code(_)));
        self.pieces.push(if is_output { Piece::Output(lines) } else { Piece::Code(lines) });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Writes each piece as one line of text.
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
            Piece::Table(rows) => format!("table {rows:?}"),
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
        check("- one\n\n  more\n\n- two", &["– one", " more", "– two"]);
        check("```sql\nSELECT 1;\n  x\n```\nafter", &[r#"code ["SELECT 1;", "  x"]"#, "after"]);
        check("| a | `b` |\n|---|---|\n| 1 | 2 |", &[r#"table [["a", "`b`"], ["1", "2"]]"#]);
        check("```sql\nx\n```\n\n```text\n1\n```", &[r#"code ["x"]"#, r#"output ["1"]"#]);
        check("```text\n1\n```", &[r#"code ["1"]"#]);
        check("9. nine\n10. ten", &["9. nine", "10. ten"]);
    }

    #[test]
    fn what_is_no_mark_is_text() {
        let check = |text: &str, expected: &str| assert_eq!(noted(text), [expected], "{text:?}");
        check("2 * 3 * 4", "2 * 3 * 4");
        check("SELECT COUNT(*) and *that*", "SELECT COUNT(*) and <that>");
        check("a ` b", "a ` b");
        check("**open", "**open");
        check("#hash and a) in the middle", "#hash and a) in the middle");
        check("fill the ___ and the ___", "fill the ___ and the ___");
        check("___(x) and y___", "___(x) and y___");
        check("___", "___");
        check("Vec<T> and <script>alert(1)</script>", "Vec<T> and <script>alert(1)</script>");
        check("`` a`b ``", "[a`b]");
        check("```\nnever closed", r#"code ["never closed"]"#);
    }
}
