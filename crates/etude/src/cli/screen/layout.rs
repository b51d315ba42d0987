//! Lays text out in lines: cleaned, styled, and wrapped to the available columns.

use crate::cli::output::{QUIET, STRONG, paint};
use anstyle::Style;
use unicode_width::UnicodeWidthChar;

/// A stretch of text in one style. Spaces between words are part of the text.
#[derive(Debug, Clone)]
pub(crate) struct Span {
    pub style: Style,
    pub text: String,
}

impl Span {
    pub(crate) fn new(style: Style, text: impl Into<String>) -> Span {
        Span { style, text: text.into() }
    }
}

/// Makes text safe to show or send: packs and learners can contain anything, and a terminal obeys some of it.
/// Control characters and marks that change the writing direction become spaces.
pub(crate) fn clean(text: &str) -> String {
    let is_bad = |c: char| c.is_control() || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    text.chars().map(|c| if is_bad(c) { ' ' } else { c }).collect()
}

/// Replaces the signs that this program draws with, for a terminal that has only ASCII. Letters stay, because a
/// word without them would be another word.
pub(crate) fn ascii(text: &str) -> String {
    let sign = |c: char| match c {
        '“' | '”' | '„' => Some("\""),
        '‘' | '’' => Some("'"),
        '–' | '—' | '─' | '·' => Some("-"),
        '…' => Some("..."),
        '→' => Some("->"),
        '›' => Some(">"),
        '│' | '├' => Some("|"),
        '└' => Some("`"),
        '✓' => Some("+"),
        '✗' => Some("x"),
        '≈' => Some("~"),
        '●' | '█' => Some("#"),
        '◐' => Some("o"),
        '○' | '░' => Some("."),
        _ => None,
    };
    text.chars().map(|c| sign(c).map_or_else(|| c.to_string(), str::to_owned)).collect()
}

/// Splits a text into pages of at most this many lines. A page ends between paragraphs if there is such a place
/// in its second half.
pub(crate) fn pages(text: &str, rows: usize) -> Vec<String> {
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let (mut pages, mut rest) = (Vec::new(), lines.as_slice());
    while rest.len() > rows {
        let gap = rest[rows / 2..=rows].iter().rposition(|line| line.trim().is_empty());
        let (page, left) = rest.split_at(gap.map_or(rows, |at| rows / 2 + at));
        pages.push(page.concat());
        rest = left;
    }
    pages.push(rest.concat());
    pages
}

/// Lays spans out as a paragraph. Every line begins with `indent` and ends with a line break.
pub(crate) fn paragraph(indent: &str, spans: &[Span], columns: usize) -> String {
    let room = columns.saturating_sub(columns_of(indent)).max(1);
    let mut lines = vec![Vec::new()];
    let mut used = 0;
    for word in words(spans) {
        let width: usize = word.iter().map(Glyph::columns).sum();
        if used > 0 && used + 1 + width > room {
            lines.push(Vec::new());
            used = 0;
        }
        if let Some(line) = lines.last_mut().filter(|_| used > 0) {
            line.push(Glyph { c: ' ', style: space_style(line, &word) });
            used += 1;
        }
        for glyph in word {
            // A word longer than a line, or a script without spaces, is cut at the end of the line.
            if used + glyph.columns() > room && used > 0 {
                lines.push(Vec::new());
                used = 0;
            }
            used += glyph.columns();
            if let Some(line) = lines.last_mut() {
                line.push(glyph);
            }
        }
    }
    lines.iter().map(|line| format!("{indent}{}\n", painted(line))).collect()
}

/// Lays out a paragraph that begins with `first`, which is as wide as the `indent` of the other lines.
pub(crate) fn hanging(first: &str, indent: &str, spans: &[Span], columns: usize) -> String {
    let lines = paragraph(indent, spans, columns);
    format!("{first}{}", &lines[indent.len()..])
}

/// Draws a heading across the whole width.
pub(crate) fn rule(heading: &str, columns: usize) -> String {
    let heading = clean(heading);
    let rest = "─".repeat(columns.saturating_sub(columns_of(&heading) + 4));
    let line = [Span::new(QUIET, "── "), Span::new(STRONG, heading), Span::new(QUIET, format!(" {rest}"))];
    paragraph("", &line, columns.max(1))
}

/// Lays out names and their descriptions in two columns under a title.
pub(crate) fn list(title: &str, entries: &[(String, String)], columns: usize) -> String {
    let widest = entries.iter().map(|(name, _)| columns_of(name)).max().unwrap_or(0);
    let mut lines = format!("\n{}", paragraph("  ", &[Span::new(STRONG, title)], columns));
    for (name, what) in entries {
        let first = format!("    {}{}", clean(name), " ".repeat(widest - columns_of(name) + 2));
        lines += &hanging(&first, &" ".repeat(widest + 6), &[Span::new(QUIET, what)], columns);
    }
    lines
}

pub(crate) fn columns_of(text: &str) -> usize {
    text.chars().map(|c| c.width().unwrap_or(0)).sum()
}

#[derive(Debug, Clone, Copy)]
struct Glyph {
    c: char,
    style: Style,
}

impl Glyph {
    fn columns(&self) -> usize {
        self.c.width().unwrap_or(0)
    }
}

fn words(spans: &[Span]) -> Vec<Vec<Glyph>> {
    let mut words = vec![Vec::new()];
    for span in spans {
        for c in clean(&span.text).chars() {
            // A non-breaking space holds the columns of a list apart.
            let breaks = c.is_whitespace() && c != '\u{a0}';
            match words.last_mut().filter(|_| !breaks) {
                Some(word) => word.push(Glyph { c, style: span.style }),
                None => words.push(Vec::new()),
            }
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

/// Returns the style of a space, which has one only if both of its sides share it.
fn space_style(line: &[Glyph], word: &[Glyph]) -> Style {
    match (line.last(), word.first()) {
        (Some(before), Some(after)) if before.style == after.style => before.style,
        _ => Style::new(),
    }
}

fn painted(line: &[Glyph]) -> String {
    let runs = line.chunk_by(|a, b| a.style == b.style);
    let run = |glyphs: &[Glyph]| {
        // On the screen, a non-breaking space is an ordinary space.
        let text: String =
            glyphs.iter().map(|glyph| if glyph.c == '\u{a0}' { ' ' } else { glyph.c }).collect();
        paint(glyphs[0].style, text)
    };
    runs.map(run).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, columns: usize, expected: &str) {
        let spans = [Span::new(Style::new(), text)];
        assert_eq!(paragraph("  ", &spans, columns), expected, "{text:?} in {columns}");
    }

    #[test]
    fn text_is_wrapped_by_the_columns_it_takes() {
        check("one two three", 80, "  one two three\n");
        check("one two three", 9, "  one two\n  three\n");
        check("  one   two ", 80, "  one two\n");
        check("incomprehensible", 10, "  incompre\n  hensible\n");
        check("我想喝咖啡", 8, "  我想喝\n  咖啡\n");
        check("na\u{308}chste", 10, "  na\u{308}chste\n");
        check("a b", 0, "  a\n  b\n");
        check("", 80, "  \n");
    }

    #[test]
    fn pages_end_between_paragraphs_where_they_can() {
        let check = |text: &str, rows, expected: &[&str]| assert_eq!(pages(text, rows), expected, "{text:?}");
        check("a\nb\n", 5, &["a\nb\n"]);
        check("a\nb\nc\nd\n\ne\nf\n", 5, &["a\nb\nc\nd\n", "\ne\nf\n"]);
        check("a\nb\nc\nd\ne\nf\ng\n", 5, &["a\nb\nc\nd\ne\n", "f\ng\n"]);
        check("a\n\nc\nd\ne\nf\n", 5, &["a\n\nc\nd\ne\n", "f\n"]);
    }

    #[test]
    fn signs_become_ascii_and_letters_stay() {
        assert_eq!(ascii("› “schön” … ✓ ●○ └─ Tür"), "> \"schön\" ... + #. `- Tür");
    }

    #[test]
    fn what_a_terminal_would_obey_is_not_shown() {
        check("a\u{1b}[31mb\u{7}c", 80, "  a [31mb c\n");
        check("a\u{202e}b\r\nc", 80, "  a b c\n");
    }

    #[test]
    fn styles_keep_to_their_words() {
        let bold = Style::new().bold();
        let spans = [Span::new(bold, "two words"), Span::new(Style::new(), " and more")];
        let lines = paragraph("", &spans, 80);
        assert_eq!(lines, format!("{bold}two words{bold:#} and more\n"));
    }
}
