//! Draws items for a terminal that a person looks at. Colour only repeats what words and signs say.

use super::markdown::{self, Inline, Piece};
use super::page::{Item, Sign, how_to_answer};
use super::plain::{MAX_FAILED, counted, failed_test};
use super::steps::{around, ending};
use crate::cli::output::{CAREFUL, GOOD, QUIET, STRONG, paint};
use crate::cli::screen::layout::{Span, clean, columns_of, hanging, list, paragraph, rule};
use crate::cli::words::{self, Voice};
use anstyle::{AnsiColor, Style};
use coaching::desk::{Ask, Block, Choice, Form, Line, Progress, Role, TestRow};
use coaching::judging::Verdict;
use coaching::text;
use coaching::words::Text;
use unicode_width::UnicodeWidthChar;

const PLAIN: Style = Style::new();
const CODE: Style = AnsiColor::Cyan.on_default();
const BAD: Style = AnsiColor::Red.on_default();
const INDENT: &str = "  ";
const BAR: &str = "  │ ";
/// The largest total drawn as dots. Beyond it, a bar is easier to read.
const MAX_DOTS: u32 = 10;
const BAR_CELLS: usize = 20;
/// The space between the columns of a table, and the width below which a column is not squeezed.
const GAP: usize = 2;
const MIN_CELL: usize = 8;

/// The surface on which items are drawn.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Canvas<'a> {
    pub columns: usize,
    pub colours: bool,
    pub voice: &'a Voice<'a>,
}

/// Draws a share as a bar of this many cells: the full ones and the empty ones.
pub(crate) fn cells(share: f64, of: usize) -> (String, String) {
    let full = (share.clamp(0.0, 1.0) * of as f64).round() as usize;
    ("█".repeat(full), "░".repeat(of - full))
}

impl Canvas<'_> {
    pub(crate) fn lines(self, item: &Item) -> String {
        match item {
            Item::Title(title) => self.text(STRONG, title),
            Item::Note(note) => self.text(QUIET, note),
            Item::Prompt(prompt) => format!("\n{}", self.text(QUIET, prompt)),
            Item::Feedback(line, sign) => self.feedback(line, *sign),
            Item::Block(block) => self.block(block),
            Item::Step(block, at) => self.step(block, *at),
            Item::Ask(ask) => self.ask(ask),
            Item::Progress(progress) => format!("\n{}", self.progress(progress)),
            Item::List { title, entries } => {
                let entries: Vec<(String, String)> =
                    entries.iter().map(|(name, what)| (name.clone(), self.voice.say(what))).collect();
                list(&self.voice.say(title), &entries, self.columns)
            }
        }
    }

    fn block(self, block: &Block) -> String {
        match block {
            Block::Line(line) => self.spoken(line),
            Block::Text { text } => format!("\n{}", self.marked(INDENT, "", PLAIN, text)),
            Block::Code { text, .. } => {
                let lines = text.lines().map(|line| self.code(line, "    ", CODE));
                format!("\n{}", lines.collect::<String>())
            }
            Block::Table { head, rows } => {
                let row = |row: &Vec<Text>| row.iter().map(|cell| self.voice.say(cell)).collect();
                format!("\n{}", self.table([head].into_iter().chain(rows).map(row).collect(), INDENT))
            }
            Block::Difference { pieces } => self.paragraph("    ", &difference(pieces)),
            Block::Tests { tests } => self.tests(tests),
            Block::Steps { .. } => self.step(block, 0),
            Block::Marks { quality, found, missing } => {
                let found = found.iter().map(|found| ("✓", GOOD, words::found(&*found.words, &*found.idea)));
                let missing = missing.iter().map(|idea| ("✗", BAD, words::missing(idea.as_str())));
                let part = |(sign, style, text): (&str, Style, Text)| {
                    let text = Span::new(PLAIN, self.voice.say(&text));
                    hanging(&format!("  {} ", paint(style, sign)), "    ", &[text], self.columns)
                };
                format!("\n{}", self.text(PLAIN, &words::mark(*quality)))
                    + &found.chain(missing).map(part).collect::<String>()
            }
        }
    }

    /// Draws the program with a mark at the line that runs next, and its variables with the changed ones highlighted.
    fn step(self, block: &Block, at: usize) -> String {
        let Block::Steps { code, call, expected, trace, .. } = block else { return String::new() };
        let Some(step) = trace.steps.get(at) else {
            return self.text(PLAIN, &ending(trace, expected));
        };
        let title = words::step_of(call.as_str(), at as u32 + 1, trace.steps.len() as u32);
        let mut lines = format!("\n{}\n", self.text(STRONG, &title));
        for (number, line) in around(code, step.line) {
            let is_next = number as u64 == step.line;
            let mark = if is_next { "▶" } else { " " };
            let style = if is_next { STRONG } else { CODE };
            lines += &self.code(&format!("{mark}{number:>4}  {line}"), INDENT, style);
        }
        lines.push('\n');
        for (name, value) in &step.variables {
            let is_new = step.changed.contains(name);
            let (mark, style) = if is_new { ("    → ", STRONG) } else { ("      ", QUIET) };
            let text = Span::new(style, format!("{name} = {value}"));
            lines += &hanging(mark, "      ", &[text], self.columns);
        }
        if step.stack.len() > 1 {
            let calls = step.stack.iter().map(|frame| format!("{}:{}", frame.function, frame.line));
            let calls = calls.collect::<Vec<_>>().join(" ← ");
            lines += &self.text(QUIET, &words::step_stack(calls));
        }
        if let Some(value) = &step.returned {
            lines += &self.text(PLAIN, &words::step_returns_now(step.function.as_str(), value.as_str()));
        }
        if at + 1 == trace.steps.len() {
            lines += &self.text(PLAIN, &ending(trace, expected));
        }
        lines
    }

    /// Draws a sign for each test, and a line for each of the first that failed.
    fn tests(self, tests: &[TestRow]) -> String {
        let sign = |test: &TestRow| match test.verdict {
            Verdict::Accepted => Span::new(GOOD, "✓"),
            _ => Span::new(BAD, "✗"),
        };
        let signs: Vec<Span> = tests.iter().map(sign).collect();
        let failed = tests.iter().filter(|test| test.verdict != Verdict::Accepted).take(MAX_FAILED);
        let failed = failed.map(|test| self.text(PLAIN, &failed_test(test)));
        format!("\n{}{}", self.paragraph(INDENT, &signs), failed.collect::<String>())
    }

    fn spoken(self, line: &Line) -> String {
        let Line { say, means, role } = line;
        let means = means.as_ref().map(|means| Span::new(QUIET, format!(" — {}", self.voice.say(means))));
        let strong = |indent: &str, mark: &str, say: String| {
            let spans = [Span::new(PLAIN, mark), Span::new(STRONG, say)];
            self.paragraph(indent, &spans.into_iter().chain(means.clone()).collect::<Vec<_>>())
        };
        let said = || self.voice.say(say);
        match role {
            Role::Heading => format!("\n{}", rule(&said(), self.columns)),
            Role::Word => {
                let means = line.means.as_ref().map(|means| format!(" — {}", self.voice.say(means)));
                format!("\n{}", rule(&(said() + &means.unwrap_or_default()), self.columns))
            }
            Role::Cue => strong(INDENT, "– ", said()),
            Role::Hint => strong(INDENT, "→ ", said()),
            // The syllables of a word stand apart, so that each can be said by itself.
            Role::Slow => format!("\n{}", strong("    ", "", said().replace('·', " · "))),
            Role::Example if means.is_some() => format!("\n{}", strong(INDENT, "", said())),
            Role::Example => {
                let title = self.paragraph(BAR, &[Span::new(QUIET, self.voice.say(&words::label_example()))]);
                format!("\n{title}{}", self.marked(BAR, "", PLAIN, say))
            }
            Role::Scene => format!("\n{}", self.paragraph(BAR, &[Span::new(PLAIN, said())])),
            Role::Question => format!("\n{}\n", self.marked(INDENT, "? ", STRONG, say)),
            Role::Praise => self.marked(INDENT, "✓ ", GOOD, say),
            Role::Correction => self.marked(INDENT, "≈ ", CAREFUL, say),
            Role::Alarm => self.marked(INDENT, "! ", BAD, say),
            Role::Note | Role::Aside => self.text(QUIET, say),
            _ => format!("\n{}", self.marked(INDENT, "", PLAIN, say)),
        }
    }

    fn feedback(self, line: &Line, sign: Option<Sign>) -> String {
        let (mark, style) = match sign {
            Some(Sign::Good) => ("✓ ", GOOD),
            Some(Sign::Partly) => ("≈ ", CAREFUL),
            Some(Sign::Wrong) => ("✗ ", BAD),
            None => ("  ", PLAIN),
        };
        self.marked(INDENT, mark, style, &line.say)
    }

    fn ask(self, ask: &Ask) -> String {
        let mut lines = match (&ask.form, ask.question.is_empty()) {
            (_, true) => String::new(),
            (Form::Read | Form::Wait { .. }, _) => format!("\n{}", self.text(PLAIN, &ask.question)),
            _ => format!("\n{}", self.marked(INDENT, "? ", STRONG, &ask.question)),
        };
        if let Form::Choice { options } | Form::Order { options } | Form::Several { options } = &ask.form {
            let option =
                |Choice { label, text }: &Choice| self.marked("      ", &format!("{label}) "), PLAIN, text);
            lines += &format!("\n{}", options.iter().map(option).collect::<String>());
        }
        if let Some(hint) = how_to_answer(&ask.form) {
            lines += &format!("\n{}", self.text(QUIET, &hint));
        }
        let is_answered = !matches!(ask.form, Form::Read | Form::Wait { .. });
        if !lines.is_empty() && is_answered { lines + "\n" } else { lines }
    }

    fn progress(self, progress: &[Progress]) -> String {
        let parts: Vec<String> = progress.iter().map(|part| counted(part, self.voice)).collect();
        let drawn = progress.iter().find_map(|part| Some((part.done, part.of?))).map(|(done, of)| match of {
            0..=MAX_DOTS => ("●".repeat(done.min(of) as usize), "○".repeat(of.saturating_sub(done) as usize)),
            _ => cells(f64::from(done) / f64::from(of), BAR_CELLS.min(self.columns / 4)),
        });
        let (full, empty) = drawn.unwrap_or_default();
        let text = format!(" {}", parts.join(" · "));
        self.paragraph(INDENT, &[Span::new(GOOD, full), Span::new(QUIET, empty), Span::new(QUIET, text)])
    }

    fn text(self, style: Style, text: &Text) -> String {
        self.paragraph(INDENT, &[Span::new(style, self.voice.say(text))])
    }

    fn paragraph(self, indent: &str, spans: &[Span]) -> String {
        paragraph(indent, spans, self.columns)
    }

    /// Draws Markdown behind a mark. The first piece takes the style of the mark.
    fn marked(self, indent: &str, mark: &str, style: Style, text: &Text) -> String {
        let inner = format!("{indent}{}", " ".repeat(columns_of(mark)));
        let mut lines = String::new();
        let mut before: Option<&Piece> = None;
        let pieces = markdown::read(&self.voice.say(text));
        for piece in &pieces {
            let shown = match before {
                None if mark.is_empty() => self.piece(piece, &inner, style),
                None => {
                    let sign = format!("{indent}{}", paint(style, mark));
                    format!("{sign}{}", &self.piece(piece, &inner, style)[inner.len()..])
                }
                Some(Piece::Item { .. }) if matches!(piece, Piece::Item { .. }) => {
                    self.piece(piece, &inner, PLAIN)
                }
                Some(_) => format!("{}\n{}", indent.trim_end(), self.piece(piece, &inner, PLAIN)),
            };
            lines += &shown;
            before = Some(piece);
        }
        lines
    }

    fn piece(self, piece: &Piece, indent: &str, style: Style) -> String {
        let code = |lines: &[String], style: Style| -> String {
            lines.iter().map(|line| self.code(line, &format!("{indent}  "), style)).collect()
        };
        match piece {
            Piece::Heading(text) => self.paragraph(indent, &[Span::new(STRONG, text)]),
            Piece::Paragraph(text) => self.paragraph(indent, &self.spans(text, style)),
            Piece::Item { level, mark, text } => {
                let nested = format!("{indent}{}", "  ".repeat(*level));
                let inner = format!("{nested}{}", " ".repeat(columns_of(mark).max(1) + 1));
                hanging(&format!("{nested}{mark:1} "), &inner, &self.spans(text, PLAIN), self.columns)
            }
            Piece::Code(lines) => code(lines, CODE),
            Piece::Output(lines) => {
                let label = format!("{}:", self.voice.say(&words::label_output()));
                self.paragraph(indent, &[Span::new(QUIET, label)]) + &code(lines, PLAIN)
            }
            Piece::Table(rows) => self.table(rows.clone(), indent),
        }
    }

    fn spans(self, text: &[Inline], style: Style) -> Vec<Span> {
        let span = |piece: &Inline| match piece {
            Inline::Text(text) => Span::new(style, text),
            Inline::Strong(text) => Span::new(style.bold(), text),
            Inline::Code(text) if self.colours => Span::new(CODE, text),
            Inline::Code(text) => Span::new(style, format!("`{text}`")),
        };
        text.iter().map(span).collect()
    }

    /// Draws a line of code with its spaces. Breaks it at the window's edge if it is too long.
    fn code(self, line: &str, indent: &str, style: Style) -> String {
        let room = self.columns.saturating_sub(columns_of(indent)).max(1);
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

    /// Draws a table whose first row is the head. Each column is as wide as its widest cell; if the window is
    /// too narrow, the widest columns shrink and their cells wrap.
    fn table(self, rows: Vec<Vec<String>>, indent: &str) -> String {
        let count = rows.iter().map(Vec::len).max().unwrap_or(0);
        let width = |at: usize| rows.iter().filter_map(|row| row.get(at)).map(|cell| columns_of(cell)).max();
        let widths = (0..count).map(|at| width(at).unwrap_or(0)).collect();
        let widths = fitting(widths, self.columns.saturating_sub(columns_of(indent)));
        let line = |(at, row): (usize, &Vec<String>)| {
            let cells = row.iter().zip(&widths).map(|(cell, width)| wrapped(cell, *width));
            let cells: Vec<Vec<String>> = cells.collect();
            let height = cells.iter().map(Vec::len).max().unwrap_or(0);
            let text = |at: usize| -> String {
                let cell = |(lines, width): (&Vec<String>, &usize)| {
                    let text = lines.get(at).map_or("", String::as_str);
                    format!("{text}{}", " ".repeat(width.saturating_sub(columns_of(text)) + GAP))
                };
                cells.iter().zip(&widths).map(cell).collect()
            };
            let style = if at == 0 { QUIET } else { PLAIN };
            (0..height).map(|at| self.code(text(at).trim_end(), indent, style)).collect::<String>()
        };
        rows.iter().enumerate().map(line).collect()
    }
}

/// Shrinks the widest columns until all fit into `room`, but none below a readable width.
fn fitting(mut widths: Vec<usize>, room: usize) -> Vec<usize> {
    let room = room.saturating_sub(GAP * widths.len().saturating_sub(1));
    while widths.iter().sum::<usize>() > room {
        let Some(widest) = widths.iter_mut().max().filter(|width| **width > MIN_CELL) else { break };
        *widest -= 1;
    }
    widths
}

fn wrapped(cell: &str, width: usize) -> Vec<String> {
    if columns_of(cell) <= width {
        return vec![cell.to_owned()];
    }
    let lines = paragraph("", &[Span::new(PLAIN, cell)], width);
    lines.lines().map(|line| anstream::adapter::strip_str(line).to_string()).collect()
}

/// Colours a difference: missing text is green behind a plus, and extra text is red behind a minus.
fn difference(pieces: &[text::Piece]) -> Vec<Span> {
    let mut spans = Vec::new();
    for piece in pieces {
        match piece {
            text::Piece::Same { text } => spans.push(Span::new(PLAIN, text)),
            text::Piece::Missing { text } => spans.push(Span::new(GOOD, format!("+{text}"))),
            text::Piece::Extra { text } => spans.push(Span::new(BAD, format!("-{text}"))),
            text::Piece::Changed { expected, heard } => {
                let (before, after) = common_ends(expected, heard);
                spans.extend(underlined("-", BAD, heard, before, after));
                spans.push(Span::new(PLAIN, " "));
                spans.extend(underlined("+", GOOD, expected, before, after));
            }
        }
        spans.push(Span::new(PLAIN, " "));
    }
    spans
}

/// Splits a changed word so that the part that differs is underlined.
fn underlined(mark: &str, style: Style, text: &str, before: usize, after: usize) -> [Span; 3] {
    let letters: Vec<char> = text.chars().collect();
    let part = |range: std::ops::Range<usize>| letters[range].iter().collect::<String>();
    let end = letters.len() - after;
    [
        Span::new(style, format!("{mark}{}", part(0..before))),
        Span::new(style.underline(), part(before..end)),
        Span::new(style, part(end..letters.len())),
    ]
}

/// Counts the letters that two words share at the beginning, and at the end beyond that.
fn common_ends(a: &str, b: &str) -> (usize, usize) {
    let same = |(a, b): &(char, char)| a.to_lowercase().eq(b.to_lowercase());
    let before = a.chars().zip(b.chars()).take_while(same).count();
    let shortest = a.chars().count().min(b.chars().count());
    let after = a.chars().rev().zip(b.chars().rev()).take_while(same).count();
    (before, after.min(shortest - before))
}

#[cfg(test)]
mod tests {
    use super::*;
    use coaching::words::Lexicon;

    fn drawn(item: &Item, columns: usize, language: &str) -> String {
        let lexicon = Lexicon::new(words::FILES.iter().copied());
        let voice = Voice::new(&lexicon, language);
        let shown = Canvas { columns, colours: false, voice: &voice }.lines(item);
        anstream::adapter::strip_str(&shown).to_string()
    }

    fn said(role: Role, text: &str) -> Item {
        Item::Block(Block::Line(Line::new(role, text)))
    }

    #[test]
    fn lessons_are_laid_out() {
        let check = |item: Item, columns, expected: &str| {
            assert_eq!(drawn(&item, columns, "en"), expected, "{item:?}")
        };
        check(
            said(Role::Explanation, "A **table** of `rows`:\n\n```sql\nSELECT title\n  FROM books;\n```"),
            40,
            "\n  A table of `rows`:\n\n    SELECT title\n      FROM books;\n",
        );
        check(
            said(Role::Explanation, "So:\n\n```sql\nSELECT 1;\n```\n\n```text\n1\n```"),
            40,
            "\n  So:\n\n    SELECT 1;\n\n  Result:\n    1\n",
        );
        check(
            said(Role::Example, "Look:\n\n- one thing that is long\n- two"),
            24,
            "\n  │ Example\n  │ Look:\n  │\n  │ – one thing that is\n  │   long\n  │ – two\n",
        );
        check(
            said(Role::Explanation, "| name | n |\n|---|---|\n| a | 100 |"),
            40,
            "\n  name  n\n  a     100\n",
        );
        check(
            said(
                Role::Explanation,
                "| call | why |\n|---|---|\n| f([1, 2, 3]) | because of the two and the three |",
            ),
            32,
            "\n  call          why\n  f([1, 2, 3])  because of the\n                two and the\n                three\n",
        );
    }

    #[test]
    fn a_question_is_laid_out_with_its_options() {
        let option = |label: &str, text: &str| Choice { label: label.into(), text: text.into() };
        let form = Form::Choice { options: vec![option("a", "this"), option("b", "`that` one")] };
        let ask = Ask { verb: "answer".into(), question: "Which one is it?".into(), form };
        assert_eq!(
            drawn(&Item::Ask(ask), 40, "en"),
            "\n  ? Which one is it?\n\n      a) this\n      b) `that` one\n\n"
        );
    }

    #[test]
    fn nothing_is_wider_than_the_window() {
        let text = "Ein **langes** Wort `SELECT title, pages FROM books` und\n\n1. Punkt mit mehr Text\n\n```\n\
                    SELECT title, pages, genre, remark FROM books WHERE pages > 100 ORDER BY title;\n```";
        for columns in [40, 60, 88, 200] {
            for role in [Role::Explanation, Role::Example, Role::Question, Role::Praise] {
                let shown = drawn(&said(role, text), columns, "de");
                let widest = shown.lines().map(columns_of).max().unwrap_or(0);
                assert!(widest <= columns, "{widest} of {columns}:\n{shown}");
            }
        }
    }

    #[test]
    fn what_a_terminal_would_obey_is_not_shown() {
        let bare = drawn(
            &said(Role::Explanation, "a\u{1b}]0;owned\u{7}b\n\n```\n\u{1b}[2J\n```\n\n- \u{1b}[31mred"),
            80,
            "en",
        );
        assert!(bare.contains("]0;owned") && bare.contains("[2J") && bare.contains("[31mred"), "{bare:?}");
        assert!(!bare.contains(['\u{1b}', '\u{7}']), "{bare:?}");
    }

    #[test]
    fn a_difference_is_readable_without_colour() {
        let check = |pieces: &[text::Piece], expected: &str| {
            let line = paragraph("", &difference(pieces), 80);
            assert_eq!(anstream::adapter::strip_str(&line).to_string(), format!("{expected}\n"));
        };
        let same = |text: &str| text::Piece::Same { text: text.into() };
        let changed = |expected: &str, heard: &str| text::Piece::Changed {
            expected: expected.into(),
            heard: heard.into(),
        };
        check(&[same("Guten"), changed("Morgen", "Morken")], "Guten -Morken +Morgen");
        check(&[same("Guten"), text::Piece::Missing { text: "Tag".into() }], "Guten +Tag");
        check(&[same("Wie"), text::Piece::Extra { text: "denn".into() }, same("geht")], "Wie -denn geht");
    }

    /// A mark has its own sign, so that the learner sees at once whether an answer counted.
    #[test]
    fn a_mark_has_a_sign_of_its_own() {
        let check = |item: Item, expected: &str| assert_eq!(drawn(&item, 80, "en"), expected);
        let feedback = |sign| Item::Feedback(Line::new(Role::Feedback, "So."), sign);
        check(said(Role::Praise, "So."), "  ✓ So.\n");
        check(said(Role::Correction, "So."), "  ≈ So.\n");
        check(feedback(Some(Sign::Good)), "  ✓ So.\n");
        check(feedback(Some(Sign::Partly)), "  ≈ So.\n");
        check(feedback(Some(Sign::Wrong)), "  ✗ So.\n");
        check(feedback(None), "    So.\n");
    }

    #[test]
    fn only_what_differs_is_underlined() {
        let check =
            |a: &str, b: &str, expected: (usize, usize)| assert_eq!(common_ends(a, b), expected, "{a} {b}");
        check("Tschüss", "Tschus", (4, 1));
        check("Danke", "danke", (5, 0));
        check("aa", "aaa", (2, 0));
        check("", "x", (0, 0));
    }
}
