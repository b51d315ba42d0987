//! Turns the little markup of explanations into Telegram's entities: fenced blocks, `code` and **bold**.
//!
//! Entities are positions beside the text, so no text can break them and nothing needs escaping: what is not
//! recognised as markup is shown as it stands.

use std::ops::Range;

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
    Code,
    /// A block, with its language if it names one.
    Pre(String),
}

pub(super) fn format(source: &str) -> Formatted {
    let mut formatted = Formatted::default();
    let lines: Vec<&str> = source.split('\n').collect();
    // After the last closing line no search for one can succeed.
    let fenced = lines.iter().rposition(|line| line.trim() == FENCE).map_or(0, |last| last + 1);
    let mut index = 0;
    while index < lines.len() {
        if index > 0 {
            formatted.text.push('\n');
        }
        match fence(&lines[..fenced], index) {
            Some((language, end)) => {
                formatted.add_marked(&lines[index + 1..end].join("\n"), Kind::Pre(language.to_owned()));
                index = end + 1;
            }
            None => {
                formatted.add_line(lines[index]);
                index += 1;
            }
        }
    }
    formatted
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

/// The marked text that begins here, the length of the markers around it, and what they mean.
fn span(rest: &str, before: Option<char>) -> Option<(&str, usize, Kind)> {
    let (marker, kind) = if rest.starts_with('`') {
        ("`", Kind::Code)
    } else if rest.starts_with("**") {
        ("**", Kind::Bold)
    } else {
        return None;
    };
    let inner = &rest[marker.len()..];
    let inner = &inner[..inner.find(marker)?];
    let after = rest[inner.len() + 2 * marker.len()..].chars().next();
    let mut beside = [before, after].into_iter().flatten();
    let is_markup = match kind {
        Kind::Code => !beside.any(|char| char == '`'),
        // Stars within a formula, such as 2**3**4, are no markup.
        _ => inner.trim() == inner && !beside.any(char::is_alphanumeric),
    };
    (!inner.trim().is_empty() && is_markup).then_some((inner, marker.len(), kind))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// `marks` are the marked pieces of the text with their kinds.
    fn check(source: &str, text: &str, marks: &[(&str, Kind)]) {
        let formatted = format(source);
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
            let formatted = format(&source);
            let mut end = 0;
            for mark in &formatted.marks {
                prop_assert!(mark.range.start >= end && !mark.range.is_empty());
                prop_assert!(formatted.text.get(mark.range.clone()).is_some());
                end = mark.range.end;
            }
        }
    }
}
