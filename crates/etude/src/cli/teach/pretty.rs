//! Blocks for a terminal that is looked at. Colour only repeats what words and marks say.

use super::markdown::{self, Inline, Piece};
use super::page::{self, Block, Progress};
use super::words::Words;
use crate::cli::output::{CAREFUL, GOOD, QUIET, STRONG, paint};
use crate::cli::screen::layout::{Span, clean, columns_of, list, paragraph, rule};
use anstyle::{AnsiColor, Style};
use unicode_width::UnicodeWidthChar;

const PLAIN: Style = Style::new();
const CODE: Style = AnsiColor::Cyan.on_default();
const BAD: Style = AnsiColor::Red.on_default();
const INDENT: &str = "  ";
const BAR: &str = "  │ ";
/// Where marks hang, and what stands under them.
const MARK_COLUMNS: usize = 2;
const BAR_CELLS: usize = 20;

/// The room there is, and whether there are colours in it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Canvas {
    pub columns: usize,
    pub colours: bool,
    /// What stands above that which code shows.
    pub output: &'static str,
}

pub(super) fn lines(block: &Block, words: &Words, canvas: Canvas) -> String {
    let text = |style: Style, text: &str| paragraph(INDENT, &[Span::new(style, text)], canvas.columns);
    match block {
        Block::Title(title) => text(STRONG, title),
        Block::Heading(heading) => format!("\n{}", rule(heading, canvas.columns)),
        Block::Lesson(lesson) => format!("\n{}", marked(INDENT, "", PLAIN, lesson, canvas)),
        Block::Example(example) => {
            let title = paragraph(BAR, &[Span::new(QUIET, words.labels.example)], canvas.columns);
            format!("\n{title}{}", marked(BAR, "", PLAIN, example, canvas))
        }
        Block::Question(question) => format!("\n{}\n", marked(INDENT, "? ", STRONG, question, canvas)),
        Block::Prompt(prompt) => format!("\n{}", text(QUIET, prompt)),
        Block::Praise(praise) => format!("\n{}", marked(INDENT, "✓ ", GOOD, praise, canvas)),
        Block::Partly(feedback) => format!("\n{}", marked(INDENT, "≈ ", CAREFUL, feedback, canvas)),
        Block::Wrong(feedback) => format!("\n{}", marked(INDENT, "✗ ", BAD, feedback, canvas)),
        Block::Notice(notice) => format!("\n{}", marked(INDENT, "", PLAIN, notice, canvas)),
        Block::Progress(progress) => format!("\n{}", bar(progress, words, canvas.columns)),
        Block::Note(note) => text(QUIET, note),
        Block::List { title, entries } => list(title, entries, canvas.columns),
    }
}

/// A share as a bar of so many cells.
pub(super) fn cells(share: f64, of: usize) -> (String, String) {
    let full = (share.clamp(0.0, 1.0) * of as f64).round() as usize;
    ("█".repeat(full), "░".repeat(of - full))
}

/// Markdown under a mark. What the mark belongs to, the first piece, has its style.
fn marked(indent: &str, mark: &str, style: Style, text: &str, canvas: Canvas) -> String {
    let hanging = format!("{indent}{}", " ".repeat(columns_of(mark)));
    let mut lines = String::new();
    let mut before = None;
    for (at, piece) in markdown::read(text).iter().enumerate() {
        let is_first = at == 0;
        let goes_on = is_item(before) && is_item(Some(piece));
        if !is_first && !goes_on {
            lines += &format!("{}\n", indent.trim_end());
        }
        let style = if is_first { style } else { PLAIN };
        let mut shown = self::piece(piece, &hanging, style, canvas);
        if is_first && !mark.is_empty() {
            let signed = paragraph(indent, &[Span::new(style, mark)], canvas.columns);
            shown = format!("{} {}", signed.trim_end_matches('\n'), &shown[hanging.len()..]);
        }
        lines += &shown;
        before = Some(piece);
    }
    lines
}

fn is_item(piece: Option<&Piece>) -> bool {
    matches!(piece, Some(Piece::Item { .. }))
}

fn piece(piece: &Piece, indent: &str, style: Style, canvas: Canvas) -> String {
    match piece {
        Piece::Heading(text) => paragraph(indent, &[Span::new(STRONG, text)], canvas.columns),
        Piece::Paragraph(text) => paragraph(indent, &spans(text, style, canvas), canvas.columns),
        Piece::Item { level, mark, text } => {
            let nested = format!("{indent}{}", " ".repeat(level * MARK_COLUMNS));
            let hanging = format!("{nested}{}", " ".repeat(columns_of(mark) + 1));
            let shown = paragraph(&hanging, &spans(text, PLAIN, canvas), canvas.columns);
            format!("{nested}{mark} {}", &shown[hanging.len()..])
        }
        Piece::Code(lines) => {
            lines.iter().map(|line| code(line, &format!("{indent}  "), CODE, canvas.columns)).collect()
        }
        Piece::Output(lines) => {
            let label = paragraph(indent, &[Span::new(QUIET, format!("{}:", canvas.output))], canvas.columns);
            let line = |line: &String| code(line, &format!("{indent}  "), PLAIN, canvas.columns);
            label + &lines.iter().map(line).collect::<String>()
        }
    }
}

fn spans(text: &[Inline], style: Style, canvas: Canvas) -> Vec<Span> {
    let span = |piece: &Inline| match piece {
        Inline::Text(text) => Span::new(style, text),
        Inline::Strong(text) => Span::new(style.bold(), text),
        Inline::Code(text) if canvas.colours => Span::new(CODE, text),
        Inline::Code(text) => Span::new(style, format!("`{text}`")),
    };
    text.iter().map(span).collect()
}

/// A line of code keeps its spaces; one that is too long is cut where the line ends.
fn code(line: &str, indent: &str, style: Style, columns: usize) -> String {
    let room = columns.saturating_sub(columns_of(indent)).max(1);
    let mut rows = vec![String::new()];
    let mut used = 0;
    for c in clean(&line.replace('\t', "    ")).chars() {
        let width = c.width().unwrap_or(0);
        if used + width > room {
            rows.push(String::new());
            used = 0;
        }
        used += width;
        if let Some(row) = rows.last_mut() {
            row.push(c);
        }
    }
    rows.iter().map(|row| format!("{indent}{}\n", paint(style, row))).collect()
}

fn bar(progress: &Progress, words: &Words, columns: usize) -> String {
    let share = progress.understood as f64 / progress.all.max(1) as f64;
    let (full, empty) = cells(share, BAR_CELLS.min(columns / 4));
    let line = format!(" {}", page::progress(progress, words));
    paragraph(INDENT, &[Span::new(GOOD, full), Span::new(QUIET, empty), Span::new(QUIET, line)], columns)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::screen::words::Language;

    fn check(block: Block, columns: usize, expected: &str) {
        let words = Words::in_language(Language::English);
        let shown = lines(&block, words, Canvas { columns, colours: false, output: words.labels.output });
        assert_eq!(anstream::adapter::strip_str(&shown).to_string(), expected, "{block:?}");
    }

    #[test]
    fn lessons_are_laid_out() {
        check(
            Block::Lesson("A **table** of `rows`:\n\n```sql\nSELECT title\n  FROM books;\n```".into()),
            40,
            "\n  A table of `rows`:\n\n    SELECT title\n      FROM books;\n",
        );
        check(
            Block::Lesson("So:\n\n```sql\nSELECT 1;\n```\n\n```text\n1\n```".into()),
            40,
            "\n  So:\n\n    SELECT 1;\n\n  Result:\n    1\n",
        );
        check(
            Block::Example("Look:\n\n- one thing that is long\n- two".into()),
            24,
            "\n  │ Example\n  │ Look:\n  │\n  │ – one thing that is\n  │   long\n  │ – two\n",
        );
        check(
            Block::Question("Which one is it?\n  a) this\n  b) that".into()),
            40,
            "\n  ? Which one is it?\n\n      a) this\n      b) that\n\n",
        );
        check(
            Block::Partly("Partly.\n\nA good answer: x".into()),
            40,
            "\n  ≈ Partly.\n\n    A good answer: x\n",
        );
    }

    #[test]
    fn nothing_is_wider_than_the_window() {
        let words = Words::in_language(Language::German);
        let text = "Ein **langes** Wort `SELECT title, pages FROM books` und\n\n1. Punkt mit mehr Text\n\n```\n\
                    SELECT title, pages, genre, remark FROM books WHERE pages > 100 ORDER BY title;\n```";
        for columns in [40, 60, 88, 200] {
            for block in
                [Block::Lesson(text.into()), Block::Example(text.into()), Block::Question(text.into())]
            {
                let shown = anstream::adapter::strip_str(&lines(
                    &block,
                    words,
                    Canvas { columns, colours: true, output: words.labels.output },
                ))
                .to_string();
                let widest = shown.lines().map(columns_of).max().unwrap_or(0);
                assert!(widest <= columns, "{widest} of {columns}:\n{shown}");
            }
        }
    }

    #[test]
    fn what_a_terminal_would_obey_is_not_shown() {
        let words = Words::in_language(Language::English);
        let text = "a\u{1b}]0;owned\u{7}b\n\n```\n\u{1b}[2J\n```\n\n- \u{1b}[31mred";
        let shown = lines(
            &Block::Lesson(text.into()),
            words,
            Canvas { columns: 80, colours: false, output: words.labels.output },
        );
        let bare = anstream::adapter::strip_str(&shown).to_string();
        assert!(bare.contains("]0;owned") && bare.contains("[2J") && bare.contains("[31mred"), "{bare:?}");
        assert!(!bare.contains(['\u{1b}', '\u{7}']), "{bare:?}");
    }
}
