//! The learner's screen: blocks go out in the look it has, lines come in.

use super::page::Block;
use super::terminal::{Heard, Terminal};
use super::words::Words;
use super::{plain, pretty};
use crate::cli::output;
use std::time::Duration;

/// Longer lines are hard to read, shorter ones leave no room for a word.
const COLUMNS: std::ops::RangeInclusive<usize> = 20..=80;

pub(super) struct Screen {
    pub words: &'static Words,
    terminal: Terminal,
}

impl Screen {
    /// Plain when that is asked for, and where there is no terminal to be looked at.
    pub(super) fn new(words: &'static Words, plain: bool) -> Screen {
        let editor = if plain { None } else { Terminal::editor() };
        Screen { words, terminal: editor.unwrap_or_else(Terminal::plain) }
    }

    /// Whether somebody sits before it, so that silence means something.
    pub(super) fn is_looked_at(&self) -> bool {
        self.terminal.is_editor()
    }

    /// Shows blocks together, so that nothing comes between them.
    pub(super) fn show(&mut self, blocks: &[Block]) {
        if blocks.is_empty() {
            return;
        }
        let text = self.text(blocks);
        self.terminal.print(&text);
    }

    pub(super) fn note(&mut self, text: impl Into<String>) {
        self.show(&[Block::Note(text.into())]);
    }

    pub(super) async fn hear(&mut self, patience: Option<Duration>) -> Heard {
        self.terminal.hear(self.words.labels.you, patience).await
    }

    pub(super) async fn close(self) {
        let last_words = self.text(&[Block::Note(self.words.press_enter.to_owned())]);
        self.terminal.close(&last_words).await;
    }

    fn text(&self, blocks: &[Block]) -> String {
        if !self.is_looked_at() {
            return blocks.iter().map(|block| plain::lines(block, self.words)).collect();
        }
        // Asked anew each time, because a window can be resized.
        let columns = terminal_size::terminal_size().map_or(*COLUMNS.end(), |(width, _)| width.0.into());
        let columns = columns.clamp(*COLUMNS.start(), *COLUMNS.end());
        let text: String = blocks.iter().map(|block| pretty::lines(block, self.words, columns)).collect();
        if output::colours() { text } else { anstream::adapter::strip_str(&text).to_string() }
    }
}
