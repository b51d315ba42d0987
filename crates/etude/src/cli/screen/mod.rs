//! A terminal, on which lines appear and are typed, and text is laid out in columns.

pub(crate) mod layout;
pub(crate) mod terminal;

use super::config::Config;
use super::output;
use std::time::Duration;
use terminal::{Heard, Terminal};

/// The smallest width. A narrower one has no room for a word.
const MIN_COLUMNS: usize = 20;
/// The smallest page. On a smaller one there would be more pauses than text.
const MIN_ROWS: usize = 5;
/// The rows below a page: an empty line, the prompt, and the cursor.
const ROWS_BESIDE: usize = 3;

/// Returns the width of listings: the terminal's, or no limit without a terminal.
pub(crate) fn columns() -> usize {
    match terminal_size::terminal_size_of(std::io::stdout()) {
        Some((width, _)) => usize::from(width.0).max(MIN_COLUMNS),
        None => usize::MAX,
    }
}

/// A learner's screen: prints text in a form that it can show, and reads lines.
pub(crate) struct Screen {
    terminal: Terminal,
    most_columns: usize,
    is_ascii: bool,
    is_json: bool,
}

/// The form of the output.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Look {
    /// One line of JSON for every turn, for programs.
    Json,
    /// Lines that name their kind in words, for screen readers and pipes.
    Plain,
    /// Laid out text, for an interactive terminal.
    Pretty { columns: usize, colours: bool },
}

impl Screen {
    /// Opens a screen, which is plain on request and without a terminal. Lines longer than `most_columns` are
    /// hard to read, and no more than `most_chars` of a typed line are kept.
    pub(crate) fn new(config: &Config, plain: bool, most_columns: usize, most_chars: usize) -> Screen {
        let is_ascii = !config.shows_utf8();
        let is_json = config.json;
        let editor = if plain || is_json { None } else { Terminal::editor(most_chars, is_ascii) };
        let terminal = editor.unwrap_or_else(|| Terminal::plain(most_chars, is_json));
        Screen { terminal, most_columns, is_ascii, is_json }
    }

    /// Whether a person sits at the screen, so that silence means something.
    pub(crate) fn is_looked_at(&self) -> bool {
        self.terminal.is_editor()
    }

    /// Returns the form of the output. It can change at any time, because a window can be resized.
    pub(crate) fn look(&self) -> Look {
        if !self.is_looked_at() {
            return if self.is_json { Look::Json } else { Look::Plain };
        }
        let columns = terminal_size::terminal_size().map_or(self.most_columns, |(width, _)| width.0.into());
        let columns = columns.clamp(MIN_COLUMNS, self.most_columns);
        Look::Pretty { columns, colours: output::colours() }
    }

    /// Prints whole lines in one piece, so that nothing comes between them.
    pub(crate) fn print(&mut self, text: &str) {
        if !text.is_empty() {
            let text = self.shown(text);
            self.terminal.print(&text);
        }
    }

    /// Splits a text into parts that fit on the screen. Returns a single part if the output is not a terminal.
    pub(crate) fn pages(&self, text: &str) -> Vec<String> {
        let rows = terminal_size::terminal_size().map(|(_, height)| usize::from(height.0));
        match rows.filter(|_| self.is_looked_at()) {
            Some(rows) => layout::pages(text, rows.saturating_sub(ROWS_BESIDE).max(MIN_ROWS)),
            None => vec![text.to_owned()],
        }
    }

    /// Waits for a line, for as long as `patience` after the last key.
    pub(crate) async fn hear(&mut self, you: &str, patience: Option<Duration>) -> Heard {
        self.terminal.hear(you, patience).await
    }

    pub(crate) async fn close(self, last_words: &str) {
        let last_words = self.shown(last_words);
        self.terminal.close(&last_words).await;
    }

    fn shown(&self, text: &str) -> String {
        let text =
            if output::colours() { text.to_owned() } else { anstream::adapter::strip_str(text).to_string() };
        if self.is_ascii && !self.is_json { layout::ascii(&text) } else { text }
    }
}
