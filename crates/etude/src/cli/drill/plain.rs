//! Blocks for screen readers and pipes: every line says in words what it is, and is as long as it needs to be.

use super::page::Block;
use super::words::Words;
use crate::cli::screen::terminal::labelled as line;
use crate::cli::screen::words::fill;
use coaching::text::Piece;

pub(super) fn lines(block: &Block, words: &Words) -> String {
    let labels = &words.labels;
    match block {
        Block::Title(text) | Block::Note(text) => line(labels.note, text),
        // The progress line says the same as a heading.
        Block::Heading(_) | Block::Space => String::new(),
        Block::Said { role, say, means } => {
            let meaning = means.as_ref().map(|means| line(labels.meaning, means));
            line(labels.of(*role), say) + &meaning.unwrap_or_default()
        }
        Block::Missed(say) => line(labels.coach, say),
        Block::Recall { means } => line(labels.meaning, means),
        Block::Difference(pieces) => line(labels.difference, &difference(pieces, words)),
        Block::Progress { usage, required, rest } => {
            let used = fill(words.used_of, &[("n", &usage.to_string()), ("all", &required.to_string())]);
            line(labels.progress, &[&[used], rest.as_slice()].concat().join(", "))
        }
        Block::List { title, entries } => {
            entries.iter().map(|(name, what)| line(title, &format!("{name}, {what}"))).collect()
        }
    }
}

fn difference(pieces: &[Piece], words: &Words) -> String {
    let labels = &words.labels;
    let piece = |piece: &Piece| match piece {
        Piece::Same { text } => text.clone(),
        Piece::Missing { text } => fill(labels.missing, &[("expected", text)]),
        Piece::Extra { text } => fill(labels.extra, &[("heard", text)]),
        Piece::Changed { expected, heard } => {
            fill(labels.changed, &[("expected", expected), ("heard", heard)])
        }
    };
    pieces.iter().map(piece).collect::<Vec<_>>().join(", ")
}
