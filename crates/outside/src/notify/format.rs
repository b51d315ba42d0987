//! Turns the little markup of explanations into marks beside the text: fenced blocks, `code`, **bold** and *italic*.
//!
//! Telegram takes marks as they are, so no text can break them and nothing needs escaping: what is not recognised as
//! markup is shown as it stands. For mail they become elements of HTML, with everything else escaped.

use std::ops::Range;

use super::Message;
use super::chart::escape;

const FENCE: &str = "```";

#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Formatted {
    pub(super) text: String,
    /// In order, never overlapping.
    pub(super) marks: Vec<Mark>,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) struct Mark {
    /// In bytes of the text.
    pub(super) range: Range<usize>,
    pub(super) kind: Kind,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Kind {
    Bold,
    Italic,
    Code,
    /// A block, with its language if it names one.
    Pre(String),
}

/// The heading, in which nothing is markup, and the text below it.
pub(super) fn format(message: &Message) -> Formatted {
    let mut formatted = Formatted::default();
    if let Some(heading) = message.heading.as_deref().map(str::trim).filter(|heading| !heading.is_empty()) {
        formatted.add_marked(heading, Kind::Bold);
        formatted.text.push_str(if message.text.trim().is_empty() { "" } else { "\n\n" });
    }
    formatted.add(&message.text);
    formatted
}

/// Makes one line of the lines of a paragraph, as whoever shows it breaks lines by itself. Code, tables, headings and the
/// items of lists stay on lines of their own.
pub fn joined(source: &str) -> String {
    let mut joined = String::new();
    let (mut is_fenced, mut can_go_on) = (false, false);
    for (index, line) in source.lines().enumerate() {
        let bare = line.trim();
        let is_fence = bare.starts_with(FENCE);
        if can_go_on && !is_fence && goes_on(line) {
            joined.push(' ');
            joined.push_str(bare);
            continue;
        }
        joined.push_str(if index > 0 { "\n" } else { "" });
        joined.push_str(line);
        is_fenced ^= is_fence;
        can_go_on = !is_fenced && !is_fence && !bare.is_empty() && !bare.starts_with(['#', '|']);
    }
    joined
}

/// Whether a line may belong to the paragraph or the item before it.
fn goes_on(line: &str) -> bool {
    let bare = line.trim();
    let is_code = line.starts_with("    ");
    !bare.is_empty() && !is_code && !bare.starts_with(['#', '|', '>']) && !is_item(bare)
}

/// Whether it begins like an item of a list: `- `, `2. `, or `b) ` as options have it.
fn is_item(line: &str) -> bool {
    let Some((mark, _)) = line.split_once(' ') else { return false };
    let counted = mark.strip_suffix(['.', ')']).unwrap_or_default();
    let is_number = (1..=2).contains(&counted.len()) && counted.bytes().all(|byte| byte.is_ascii_digit());
    let is_letter =
        mark.ends_with(')') && counted.len() == 1 && counted.bytes().all(|byte| byte.is_ascii_lowercase());
    ["-", "*", "+"].contains(&mark) || is_number || is_letter
}

/// The language of the fence that opens here, and the line that closes it.
fn fence<'a>(lines: &[&'a str], open: usize) -> Option<(&'a str, usize)> {
    let language = lines.get(open)?.trim().strip_prefix(FENCE)?.trim();
    if language.contains(['`', ' ']) {
        return None;
    }
    let close = (open + 1..lines.len()).find(|line| lines[*line].trim() == FENCE)?;
    let shows_something = lines[open + 1..close].iter().any(|line| !line.trim().is_empty());
    shows_something.then_some((language, close))
}

impl Formatted {
    /// As HTML that needs no style sheet.
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
        let lines: Vec<&str> = source.split('\n').collect();
        // After the last closing line no search for one can succeed.
        let fenced = lines.iter().rposition(|line| line.trim() == FENCE).map_or(0, |last| last + 1);
        let mut index = 0;
        while index < lines.len() {
            if index > 0 {
                self.text.push('\n');
            }
            match fence(&lines[..fenced], index) {
                Some((language, end)) => {
                    self.add_marked(&lines[index + 1..end].join("\n"), Kind::Pre(language.to_owned()));
                    index = end + 1;
                }
                None => {
                    self.add_line(lines[index]);
                    index += 1;
                }
            }
        }
    }

    fn add_marked(&mut self, text: &str, kind: Kind) {
        let start = self.text.len();
        self.text.push_str(text);
        self.marks.push(Mark { range: start..self.text.len(), kind });
    }

    fn add_line(&mut self, line: &str) {
        let mut rest = line;
        let mut before = None;
        while let Some(char) = rest.chars().next() {
            if let Some((inner, marker, kind)) = span(rest, before) {
                self.add_marked(inner, kind);
                rest = &rest[inner.len() + 2 * marker..];
                before = None;
            } else {
                self.text.push(char);
                rest = &rest[char.len_utf8()..];
                before = Some(char);
            }
        }
    }
}

fn lines(text: &str) -> String {
    escape(text).replace('\n', "<br>\n")
}

/// The marked text that begins here, the length of the markers around it, and what they mean.
fn span(rest: &str, before: Option<char>) -> Option<(&str, usize, Kind)> {
    let (marker, kind) = if rest.starts_with('`') {
        ("`", Kind::Code)
    } else if rest.starts_with("**") {
        ("**", Kind::Bold)
    } else if rest.starts_with('*') && before != Some('*') {
        ("*", Kind::Italic)
    } else {
        return None;
    };
    let inner = &rest[marker.len()..];
    let inner = &inner[..inner.find(marker)?];
    let after = rest[inner.len() + 2 * marker.len()..].chars().next();
    let mut beside = [before, after].into_iter().flatten();
    let is_markup = match kind {
        Kind::Code => !beside.any(|char| char == '`'),
        // What is not a word or several, such as the stars in `*, count(*)`, is no markup.
        Kind::Italic => {
            let is_word = |end: Option<char>| end.is_some_and(char::is_alphanumeric);
            is_word(inner.chars().next())
                && is_word(inner.chars().next_back())
                && !beside.any(|char| char.is_alphanumeric() || char == '*')
        }
        // Stars within a formula, such as 2**3**4, are no markup.
        _ => inner.trim() == inner && !beside.any(char::is_alphanumeric),
    };
    (!inner.trim().is_empty() && is_markup).then_some((inner, marker.len(), kind))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::Channel;
    use super::*;

    fn format_text(source: &str) -> Formatted {
        format(&Message::send(Channel::Telegram, "1", source))
    }

    /// `marks` are the marked pieces of the text with their kinds.
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
