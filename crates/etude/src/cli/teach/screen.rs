//! The learner's screen: blocks go out in the look it has, lines come in.

use super::page::Block;
use super::pretty::Canvas;
use super::words::Words;
use super::{plain, pretty};
use crate::cli::config::Config;
use crate::cli::screen::terminal::{Heard, Line};
use crate::cli::screen::words::fill;
use crate::cli::screen::{self, Look};
use coaching::grade::MAX_ANSWER_CHARS;
use std::time::Duration;

const MAX_COLUMNS: usize = 88;
/// What takes longer than this is said to take long.
const AT_ONCE: Duration = Duration::from_millis(700);
/// What opens and closes an answer of several lines.
const FENCE: &str = "```";

pub(super) struct Screen {
    pub words: &'static Words,
    screen: screen::Screen,
    /// Whether there is a model, for which one may have to wait.
    has_model: bool,
}

impl Screen {
    pub(super) fn new(words: &'static Words, config: &Config, plain: bool, has_model: bool) -> Screen {
        let screen = screen::Screen::new(config, plain, MAX_COLUMNS, MAX_ANSWER_CHARS);
        Screen { words, screen, has_model }
    }

    /// Shows blocks together, so that nothing comes between them.
    pub(super) fn show(&mut self, blocks: &[Block]) {
        let text = self.text(blocks);
        self.screen.print(&text);
    }

    pub(super) fn note(&mut self, text: impl Into<String>) {
        self.show(&[Block::Note(text.into())]);
    }

    /// What the learner types; `None` when they stop. A line that ends with a backslash goes on in the next one, and
    /// so does one that opens a block of code and does not close it.
    pub(super) async fn hear(&mut self) -> Option<String> {
        let mut text = String::new();
        loop {
            let Heard::Line(line) = self.screen.hear(self.words.labels.you, None).await else { return None };
            let room = MAX_ANSWER_CHARS.saturating_sub(text.chars().count());
            self.warn(&line, room);
            text.extend(line.text.chars().take(room));
            let is_in_code = text.matches(FENCE).count() % 2 == 1;
            if let Some(begun) = text.strip_suffix('\\').filter(|_| !is_in_code) {
                text = format!("{begun}\n");
            } else if is_in_code && room > line.text.chars().count() {
                text.push('\n');
            } else if text.contains(FENCE) {
                return Some(text);
            } else {
                return Some(text.trim().to_owned());
            }
        }
    }

    /// Does something, and says what is being waited for when a model takes long.
    pub(super) async fn wait<T>(&mut self, what: &str, work: impl Future<Output = T>) -> T {
        let mut work = std::pin::pin!(work);
        tokio::select! {
            done = &mut work => return done,
            () = tokio::time::sleep(AT_ONCE), if self.has_model => self.note(what),
        }
        work.await
    }

    pub(super) async fn close(self) {
        let last_words = self.text(&[Block::Note(self.words.press_enter.to_owned())]);
        self.screen.close(&last_words).await;
    }

    /// Says what of a line could not be used.
    fn warn(&mut self, line: &Line, room: usize) {
        let words = self.words;
        if line.was_cut || line.text.chars().count() > room {
            self.note(fill(words.cut, &[("n", &MAX_ANSWER_CHARS.to_string())]));
        }
        if line.was_unreadable {
            self.note(words.not_text);
        }
    }

    fn text(&self, blocks: &[Block]) -> String {
        let text = |block: &Block| match self.screen.look() {
            Look::Plain => plain::lines(block, self.words),
            Look::Pretty { columns, colours } => pretty::lines(
                block,
                self.words,
                Canvas { columns, colours, output: self.words.labels.output },
            ),
        };
        blocks.iter().map(text).collect()
    }
}
