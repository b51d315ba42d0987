//! Blocks for a terminal that is looked at. Colour only repeats what words and marks say.

use super::super::output::{GOOD, QUIET, STRONG};
use super::page::Block;
use super::words::Words;
use crate::cli::screen::layout::{Span, list, paragraph, rule};
use crate::cli::screen::words::fill;
use anstyle::{AnsiColor, Style};
use coaching::desk::Role;
use coaching::text::Piece;

const PLAIN: Style = Style::new();
const NEARLY: Style = AnsiColor::Yellow.on_default();
const ADDED: Style = AnsiColor::Red.on_default();
const INDENT: &str = "  ";
/// More dots than this say less than a number.
const MAX_DOTS: usize = 10;

pub(super) fn lines(block: &Block, words: &Words, columns: usize) -> String {
    let text = |indent: &str, spans: &[Span]| paragraph(indent, spans, columns);
    match block {
        Block::Title(title) => text(INDENT, &[Span::new(STRONG, title)]),
        Block::Heading(heading) => format!("\n{}", rule(heading, columns)),
        Block::Said { role, say, means } => said(*role, say, means.as_deref(), columns),
        Block::Missed(say) => text(INDENT, &[Span::new(NEARLY, "✗ "), Span::new(NEARLY, say)]),
        Block::Recall { means } => text(INDENT, &[Span::new(PLAIN, "→ … "), Span::new(QUIET, means)]),
        Block::Difference(pieces) => text("    ", &difference(pieces)),
        Block::Progress { usage, required, rest } => {
            let used = fill(words.used_of, &[("n", &usage.to_string()), ("all", &required.to_string())]);
            let line = format!(" {used} · {}", rest.join(" · "));
            format!("\n{}", text(INDENT, &[Span::new(GOOD, dots(*usage, *required)), Span::new(QUIET, line)]))
        }
        Block::Note(note) => text(INDENT, &[Span::new(QUIET, note)]),
        Block::List { title, entries } => list(title, entries, columns),
        Block::Space => "\n".to_owned(),
    }
}

fn said(role: Role, say: &str, means: Option<&str>, columns: usize) -> String {
    let strong = |mark: &str| {
        let mut spans = vec![Span::new(PLAIN, mark), Span::new(STRONG, say)];
        spans.extend(means.map(|means| Span::new(QUIET, format!(" — {means}"))));
        paragraph(INDENT, &spans, columns)
    };
    let painted = |style: Style, mark: &str| {
        paragraph(INDENT, &[Span::new(style, mark), Span::new(style, say)], columns)
    };
    match role {
        Role::Word => format!("\n{}", strong("")),
        Role::Example => format!("\n{}", strong("")),
        Role::Cue => strong("– "),
        Role::Hint => strong("→ "),
        Role::Slow => slowly(say, means, columns),
        Role::Explanation => format!("\n{}", painted(PLAIN, "")),
        Role::Scene => format!("\n{}", paragraph("  │ ", &[Span::new(PLAIN, say)], columns)),
        Role::Praise => painted(GOOD, "✓ "),
        Role::Correction => painted(NEARLY, "≈ "),
        _ => painted(QUIET, ""),
    }
}

/// The pieces of a word stand apart, so that each can be said by itself.
fn slowly(say: &str, means: Option<&str>, columns: usize) -> String {
    let mut spans = vec![Span::new(STRONG, say.replace('·', " · "))];
    spans.extend(means.map(|means| Span::new(QUIET, format!(" — {means}"))));
    format!("\n{}", paragraph("    ", &spans, columns))
}

/// What was missing is green behind a plus, what was too much is red behind a minus.
fn difference(pieces: &[Piece]) -> Vec<Span> {
    let mut spans = Vec::new();
    for piece in pieces {
        match piece {
            Piece::Same { text } => spans.push(Span::new(PLAIN, text)),
            Piece::Missing { text } => spans.push(Span::new(GOOD, format!("+{text}"))),
            Piece::Extra { text } => spans.push(Span::new(ADDED, format!("-{text}"))),
            Piece::Changed { expected, heard } => {
                let (before, after) = common_ends(expected, heard);
                spans.extend(marked("-", ADDED, heard, before, after));
                spans.push(Span::new(PLAIN, " "));
                spans.extend(marked("+", GOOD, expected, before, after));
            }
        }
        spans.push(Span::new(PLAIN, " "));
    }
    spans
}

/// A changed word with the part that differs underlined.
fn marked(mark: &str, style: Style, text: &str, before: usize, after: usize) -> [Span; 3] {
    let letters: Vec<char> = text.chars().collect();
    let part = |range: std::ops::Range<usize>| letters[range].iter().collect::<String>();
    let end = letters.len() - after;
    [
        Span::new(style, format!("{mark}{}", part(0..before))),
        Span::new(style.underline(), part(before..end)),
        Span::new(style, part(end..letters.len())),
    ]
}

/// How many letters two words share at their beginning, and at their end beyond that.
fn common_ends(a: &str, b: &str) -> (usize, usize) {
    let same = |(a, b): &(char, char)| a.to_lowercase().eq(b.to_lowercase());
    let before = a.chars().zip(b.chars()).take_while(same).count();
    let shortest = a.chars().count().min(b.chars().count());
    let after = a.chars().rev().zip(b.chars().rev()).take_while(same).count();
    (before, after.min(shortest - before))
}

fn dots(usage: usize, required: usize) -> String {
    match required {
        0..=MAX_DOTS => "●".repeat(usage.min(required)) + &"○".repeat(required.saturating_sub(usage)),
        _ => "●".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_difference_is_readable_without_colour() {
        let check = |pieces: &[Piece], expected: &str| {
            let line = paragraph("", &difference(pieces), 80);
            assert_eq!(anstream::adapter::strip_str(&line).to_string(), format!("{expected}\n"));
        };
        let same = |text: &str| Piece::Same { text: text.into() };
        let changed =
            |expected: &str, heard: &str| Piece::Changed { expected: expected.into(), heard: heard.into() };
        check(&[same("Guten"), changed("Morgen", "Morken")], "Guten -Morken +Morgen");
        check(&[same("Guten"), Piece::Missing { text: "Tag".into() }], "Guten +Tag");
        check(&[same("Wie"), Piece::Extra { text: "denn".into() }, same("geht")], "Wie -denn geht");
        check(&[changed("Tschüss", "Tschus")], "-Tschus +Tschüss");
    }

    /// The learner sees at once whether an answer counted.
    #[test]
    fn a_slip_and_a_miss_have_signs_of_their_own() {
        let words = Words::in_language(crate::cli::screen::words::Language::English);
        let check = |block: Block, expected: &str| {
            let line = lines(&block, words, 80);
            assert_eq!(anstream::adapter::strip_str(&line).to_string(), expected);
        };
        let said = |role| Block::Said { role, say: "So.".into(), means: None };
        check(said(Role::Praise), "  ✓ So.\n");
        check(said(Role::Correction), "  ≈ So.\n");
        check(Block::Missed("So.".into()), "  ✗ So.\n");
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
