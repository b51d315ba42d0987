//! Blocks for screen readers and pipes: every line says in words what it is, and is as long as it needs to be.

use super::markdown::{self, Inline, Piece};
use super::page::{self, Block};
use super::words::Words;
use crate::cli::screen::terminal::labelled;

pub(super) fn lines(block: &Block, words: &Words) -> String {
    let labels = &words.labels;
    match block {
        Block::Title(text) | Block::Note(text) | Block::Prompt(text) => labelled(labels.note, text),
        Block::Heading(text) => labelled(labels.heading, text),
        Block::Lesson(text) => marked(labels.tutor, text, words),
        Block::Example(text) => marked(labels.example, text, words),
        Block::Question(text) => marked(labels.question, text, words),
        Block::Praise(text) | Block::Notice(text) | Block::Partly(text) | Block::Wrong(text) => {
            marked(labels.tutor, text, words)
        }
        Block::Progress(progress) => labelled(labels.progress, &page::progress(progress, words)),
        Block::List { title, entries } => {
            entries.iter().map(|(name, what)| labelled(title, &format!("{name}, {what}"))).collect()
        }
    }
}

/// Every paragraph and every line of code is a line.
fn marked(label: &str, text: &str, words: &Words) -> String {
    let piece = |piece: &Piece| match piece {
        Piece::Heading(text) => labelled(label, text),
        Piece::Paragraph(text) => labelled(label, &unmarked(text)),
        Piece::Item { mark, text, .. } => labelled(label, &format!("{mark} {}", unmarked(text))),
        Piece::Code(lines) => lines.iter().map(|line| code(words.labels.code, line)).collect(),
        Piece::Output(lines) => lines.iter().map(|line| code(words.labels.output, line)).collect(),
    };
    markdown::read(text).iter().map(piece).collect()
}

/// A line of code keeps the spaces it begins with.
fn code(label: &str, line: &str) -> String {
    let indent: String = line.chars().take_while(|c| *c == ' ').collect();
    labelled(label, &format!("|{indent}{}", line.trim_start())).replacen('|', "", 1)
}

fn unmarked(text: &[Inline]) -> String {
    let piece = |piece: &Inline| match piece {
        Inline::Text(text) | Inline::Strong(text) => text.clone(),
        Inline::Code(text) => format!("`{text}`"),
    };
    text.iter().map(piece).collect()
}
