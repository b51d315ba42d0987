//! A terminal: a place where lines appear and are typed, and text laid out in its columns.

pub(crate) mod layout;
pub(crate) mod terminal;

use super::config::Config;
use super::output;
use std::time::Duration;
use terminal::{Heard, Terminal};

/// Below this there is no room for a word.
const MIN_COLUMNS: usize = 20;
/// Below this a page would be a pause without a text.
const MIN_ROWS: usize = 5;
/// What stands below a page: an empty line, what can be done, and the cursor.
const ROWS_BESIDE: usize = 3;

/// How wide a listing may be: as wide as the terminal, or as it needs where there is none.
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
    /// For programs: every turn is a line of JSON.
    Json,
    /// For screen readers and pipes: every line says in words what it is.
    Plain,
    /// For an interactive terminal.
    Pretty { columns: usize, colours: bool },
}

impl Screen {
    /// Plain when that is asked for, and where there is no terminal. Lines longer than `most_columns` are hard to read, and
    /// no more than `most_chars` of what is typed are kept.
    pub(crate) fn new(config: &Config, plain: bool, most_columns: usize, most_chars: usize) -> Screen {
        let is_ascii = !config.shows_utf8();
        let is_json = config.json;
        let editor = if plain || is_json { None } else { Terminal::editor(most_chars, is_ascii) };
        let terminal = editor.unwrap_or_else(|| Terminal::plain(most_chars, is_json));
        Screen { terminal, most_columns, is_ascii, is_json }
    }

    /// Whether a person sits at it, so that silence means something.
    pub(crate) fn is_looked_at(&self) -> bool {
        self.terminal.is_editor()
    }

    /// Asked each time, because a window can be resized.
    pub(crate) fn look(&self) -> Look {
        if !self.is_looked_at() {
            return if self.is_json { Look::Json } else { Look::Plain };
        }
        let columns = terminal_size::terminal_size().map_or(self.most_columns, |(width, _)| width.0.into());
        let columns = columns.clamp(MIN_COLUMNS, self.most_columns);
        Look::Pretty { columns, colours: output::colours() }
    }

    /// Prints whole lines, together, so that nothing comes between them.
    pub(crate) fn print(&mut self, text: &str) {
        if !text.is_empty() {
            let text = self.shown(text);
            self.terminal.print(&text);
        }
    }

    /// The parts of a text that fit on the screen one after another; one part if the output is not a terminal.
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
