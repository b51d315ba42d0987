//! Turns the Markdown of explanations into marks beside the text: fenced blocks, `code`, **bold** and *italic*.
//!
//! Telegram takes marks as they are, so no text can break them and nothing needs escaping. For mail they become
//! HTML elements, with everything else escaped. All other markup is shown as it was written.

use std::ops::Range;

use pulldown_cmark::{CodeBlockKind, Event, Parser, Tag};

use super::Message;

#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Formatted {
    pub(super) text: String,
    /// The marks in order, never overlapping.
    pub(super) marks: Vec<Mark>,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) struct Mark {
    /// The range in bytes of the text.
    pub(super) range: Range<usize>,
    pub(super) kind: Kind,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Kind {
    Bold,
    Italic,
    Code,
    /// A fenced block, with its language if it names one.
    Pre(String),
}

/// Formats a message: the heading, in which nothing is markup, and the text below it.
pub(super) fn format(message: &Message) -> Formatted {
    let mut formatted = Formatted::default();
    if let Some(heading) = message.heading.as_deref().map(str::trim).filter(|heading| !heading.is_empty()) {
        formatted.add_marked(heading, Kind::Bold);
        formatted.text.push_str(if message.text.trim().is_empty() { "" } else { "\n\n" });
    }
    formatted.add(&message.text);
    formatted
}

/// Joins the lines of each paragraph, because chats and mail programs break lines themselves. Code, tables,
/// headings and the items of lists keep their lines.
pub fn joined(source: &str) -> String {
    let (mut joined, mut end) = (String::new(), 0);
    let events = Parser::new(source).into_offset_iter();
    let breaks = events.filter(|(event, _)| matches!(event, Event::SoftBreak | Event::Code(_)));
    for (start, piece) in breaks.map(|(_, range)| (range.start, &source[range])) {
        for (line_end, _) in piece.match_indices('\n') {
            let (before, after) = (&source[..start + line_end], &source[start + line_end + 1..]);
            if is_one_sentence(before, after) {
                joined.push_str(before[end..].trim_end());
                joined.push(' ');
                end = source.len() - after.trim_start().len();
            }
        }
    }
    joined.push_str(source[end..].strip_suffix('\n').unwrap_or(&source[end..]));
    joined
}

/// Whether a line break only wraps a sentence. To Markdown, options such as `b) this`, rows of a table without a
/// head, and indented lines belong to the paragraph, too.
fn is_one_sentence(before: &str, after: &str) -> bool {
    let is_row = |line: &str| line.trim_start().starts_with(['|', '>', '#']);
    let is_option = matches!(after.trim_start().as_bytes(), [b'a'..=b'z', b')', b' ', ..]);
    let line_before = before.lines().next_back().unwrap_or_default();
    !is_option && !after.starts_with("    ") && !is_row(line_before) && !is_row(after)
}

impl Formatted {
    /// Returns the text as HTML that needs no style sheet.
    pub(super) fn html(&self) -> String {
        let mut html = String::new();
        let mut end = 0;
        for mark in &self.marks {
            html.push_str(&lines(&self.text[end..mark.range.start]));
            let inner = &self.text[mark.range.clone()];
            let (element, inner) = match mark.kind {
                Kind::Bold => ("b", lines(inner)),
                Kind::Italic => ("i", lines(inner)),
                Kind::Code => ("code", lines(inner)),
                Kind::Pre(_) => ("pre", escape(inner)),
            };
            html.push_str(&format!("<{element}>{inner}</{element}>"));
            end = mark.range.end;
        }
        html.push_str(&lines(&self.text[end..]));
        format!("<html><body style=\"font:14px sans-serif;color:#222\">\n<div>{html}</div>\n</body></html>\n")
    }

    fn add(&mut self, source: &str) {
        let mut end = 0;
        for (event, range) in Parser::new(source).into_offset_iter() {
            // Marks do not nest: the outermost counts.
            if range.start >= end
                && let Some((text, kind)) = marked(source, &event, &range)
            {
                self.text.push_str(&source[end..range.start]);
                self.add_marked(text, kind);
                end = range.end;
            }
        }
        self.text.push_str(&source[end..]);
    }

    fn add_marked(&mut self, text: &str, kind: Kind) {
        let start = self.text.len();
        self.text.push_str(text);
        self.marks.push(Mark { range: start..self.text.len(), kind });
    }
}

/// Returns the text of a piece of Markdown and its kind, if the piece is a mark.
fn marked<'a>(source: &'a str, event: &Event<'_>, range: &Range<usize>) -> Option<(&'a str, Kind)> {
    let piece = &source[range.clone()];
    let (text, kind) = match event {
        Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(info))) => return fenced(piece, info),
        Event::Start(Tag::Strong) => (piece.strip_prefix("**")?.strip_suffix("**")?, Kind::Bold),
        Event::Start(Tag::Emphasis) => (piece.strip_prefix('*')?.strip_suffix('*')?, Kind::Italic),
        Event::Code(_) => (piece.strip_prefix('`')?.strip_suffix('`')?, Kind::Code),
        _ => return None,
    };
    let is_word = |char: Option<char>| char.is_some_and(char::is_alphanumeric);
    let beside = [source[..range.start].chars().next_back(), source[range.end..].chars().next()];
    // Markdown sees markup in formulas such as 2**3**4 and `SELECT *, count(*)`; a reader does not.
    let is_markup = match kind {
        Kind::Code => !text.starts_with('`'),
        Kind::Italic => is_word(text.chars().next()) && is_word(text.chars().next_back()),
        Kind::Bold | Kind::Pre(_) => true,
    };
    let is_markup = is_markup && (kind == Kind::Code || !beside.into_iter().any(is_word));
    (is_markup && !text.trim().is_empty()).then_some((text, kind))
}

/// Reads a fenced block that is closed and shows something.
fn fenced<'a>(block: &'a str, info: &str) -> Option<(&'a str, Kind)> {
    let (open, lines) = block.split_once('\n')?;
    let (code, close) = lines.rsplit_once('\n')?;
    let language = info.split_whitespace().next().unwrap_or_default().to_owned();
    let is_closed = close.trim_start().starts_with(&open[..3]);
    (is_closed && !code.trim().is_empty()).then_some((code, Kind::Pre(language)))
}

fn lines(text: &str) -> String {
    escape(text).replace('\n', "<br>\n")
}

/// Escapes text for use in HTML.
fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::Channel;
    use super::*;

    fn format_text(source: &str) -> Formatted {
        format(&Message::send(Channel::Telegram, "1", source))
    }

    /// Checks the formatting of a source. `marks` are the marked pieces of the text with their kinds.
    fn check(source: &str, text: &str, marks: &[(&str, Kind)]) {
        let formatted = format_text(source);
        assert_eq!(formatted.text, text, "{source:?}");
        let found: Vec<_> =
            formatted.marks.iter().map(|mark| (&text[mark.range.clone()], mark.kind.clone())).collect();
        assert_eq!(found, marks, "{source:?}");
    }

    #[test]
    fn markup_becomes_marks() {
        let pre = |language: &str| Kind::Pre(language.to_owned());
        check("", "", &[]);
        check("A `let` binds.", "A let binds.", &[("let", Kind::Code)]);
        check("**Try**: `a` `b`", "Try: a b", &[("Try", Kind::Bold), ("a", Kind::Code), ("b", Kind::Code)]);
        check(
            "x\n```rust\nlet a = `1`;\n\n  b\n```\ny",
            "x\nlet a = `1`;\n\n  b\ny",
            &[("let a = `1`;\n\n  b", pre("rust"))],
        );
        check("```\nü\n```", "ü", &[("ü", pre(""))]);
        check(
            "it `let mut\ntotal` **one\ntwo**",
            "it let mut\ntotal one\ntwo",
            &[("let mut\ntotal", Kind::Code), ("one\ntwo", Kind::Bold)],
        );
        check("the loan *and* the name", "the loan and the name", &[("and", Kind::Italic)]);
        check(
            "*All of it*, **bold**",
            "All of it, bold",
            &[("All of it", Kind::Italic), ("bold", Kind::Bold)],
        );
    }

    #[test]
    fn nothing_in_a_heading_is_markup() {
        let heading = Some("Stars **x** and `y` <b>".to_owned());
        let message = Message { heading, ..Message::send(Channel::Telegram, "1", "It is `so`.") };
        let formatted = format(&message);
        assert_eq!(formatted.text, "Stars **x** and `y` <b>\n\nIt is so.");
        let marks: Vec<&str> =
            formatted.marks.iter().map(|mark| &formatted.text[mark.range.clone()]).collect();
        assert_eq!(marks, ["Stars **x** and `y` <b>", "so"]);
        let html = formatted.html();
        for part in ["<b>Stars **x** and `y` &lt;b&gt;</b><br>\n<br>\nIt is <code>so</code>.", "<html>"] {
            assert!(html.contains(part), "{part}: {html}");
        }
    }

    #[test]
    fn lines_of_a_paragraph_become_one() {
        let rows = [
            ("", ""),
            ("one\ntwo\n\nthree\n", "one two\n\nthree"),
            ("- one\n  more\n- two\nmore", "- one more\n- two more"),
            ("Which?\n  a) this\n  b) that", "Which?\n  a) this\n  b) that"),
            ("1. one\n2. two", "1. one\n2. two"),
            ("see\n```sql\nSELECT 1\nFROM t\n```\nso\nit is", "see\n```sql\nSELECT 1\nFROM t\n```\nso it is"),
            ("see:\n    x = 1\n    y = 2", "see:\n    x = 1\n    y = 2"),
            ("| a | b |\n| 1 | 2 |", "| a | b |\n| 1 | 2 |"),
            ("# Title\ntext", "# Title\ntext"),
            ("declare it `let mut\n  total` and\nwrite", "declare it `let mut total` and write"),
        ];
        for (source, expected) in rows {
            assert_eq!(joined(source), expected, "{source:?}");
        }
    }

    #[test]
    fn what_is_no_markup_stays() {
        for source in [
            "2**3**4 is 2**81",
            "f(*args, **kwargs) and **kwargs",
            "** not bold **",
            "a ` alone",
            "``",
            "****",
            "SELECT *, count(*) and 2 * 3 * 4, a*b*c",
            "*args and **kwargs, *not closed",
            "```\nnever closed",
            "```\n```",
            "```rust\n \n```",
            "```three words here```",
            "<b>&amp;</b> _x_ [y](z)",
            "line\r\n\n\nline",
        ] {
            check(source, source, &[]);
        }
    }

    proptest! {
        #[test]
        fn marks_lie_in_the_text_and_in_order(source in "[a ü👍`*\n]{0,200}|(```|\n|x){0,40}") {
            let formatted = format_text(&source);
            let mut end = 0;
            for mark in &formatted.marks {
                prop_assert!(mark.range.start >= end && !mark.range.is_empty());
                prop_assert!(formatted.text.get(mark.range.clone()).is_some());
                end = mark.range.end;
            }
        }
    }
}
