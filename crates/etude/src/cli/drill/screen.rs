//! The learner's screen: blocks go out in the look it has, lines come in.

use super::page::Block;
use super::words::Words;
use super::{plain, pretty};
use crate::cli::config::Config;
use crate::cli::screen::terminal::Heard;
use crate::cli::screen::{self, Look};
use coaching::text::MAX_HEARD_CHARS;
use std::time::Duration;

const MAX_COLUMNS: usize = 80;

pub(super) struct Screen {
    pub words: &'static Words,
    screen: screen::Screen,
}

impl Screen {
    pub(super) fn new(words: &'static Words, config: &Config, plain: bool) -> Screen {
        Screen { words, screen: screen::Screen::new(config, plain, MAX_COLUMNS, MAX_HEARD_CHARS) }
    }

    /// Whether somebody sits before it, so that silence means something.
    pub(super) fn is_looked_at(&self) -> bool {
        self.screen.is_looked_at()
    }

    /// Shows blocks together, so that nothing comes between them.
    pub(super) fn show(&mut self, blocks: &[Block]) {
        let text = self.text(blocks);
        self.screen.print(&text);
    }

    pub(super) fn note(&mut self, text: impl Into<String>) {
        self.show(&[Block::Note(text.into())]);
    }

    pub(super) async fn hear(&mut self, patience: Option<Duration>) -> Heard {
        self.screen.hear(self.words.labels.you, patience).await
    }

    pub(super) async fn close(self) {
        let last_words = self.text(&[Block::Note(self.words.press_enter.to_owned())]);
        self.screen.close(&last_words).await;
    }

    fn text(&self, blocks: &[Block]) -> String {
        let text = |block: &Block| match self.screen.look() {
            Look::Plain => plain::lines(block, self.words),
            Look::Pretty { columns, .. } => pretty::lines(block, self.words, columns),
        };
        blocks.iter().map(text).collect()
    }
}
