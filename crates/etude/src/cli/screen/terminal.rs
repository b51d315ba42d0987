//! The place where the learner types and lines appear: a line editor, or plain lines from a pipe.
//!
//! Reading blocks, so a separate thread reads one line each time it is asked. While the editor is open, lines
//! are printed above it, and the text typed so far stays.

use super::layout::clean;
use rustyline::completion::Completer;
use rustyline::error::ReadlineError;
use rustyline::highlight::Highlighter;
use rustyline::hint::Hinter;
use rustyline::history::DefaultHistory;
use rustyline::validate::Validator;
use rustyline::{Config, Context, Editor, ExternalPrinter, Helper};
use std::io::{BufRead, IsTerminal, Read, Write};
use std::sync::{Arc, mpsc};
use std::time::Duration;
use tokio::sync::{Notify, mpsc as answers};

const PROMPT: &str = "› ";
const ASCII_PROMPT: &str = "> ";
/// The text for a tab, as wide as most editors show it.
const TAB: &str = "    ";
/// The largest number of bytes in a character.
const MAX_CHAR_BYTES: usize = 4;

/// The input and the output of a conversation with a person or a pipe.
pub(crate) struct Terminal {
    asks: mpsc::Sender<()>,
    heard: answers::Receiver<Heard>,
    is_asked: bool,
    face: Face,
    /// Notified when a key changes the line.
    typing: Arc<Notify>,
    /// Whether the reader of the output has gone.
    is_gone: bool,
}

enum Face {
    Editor(Box<dyn ExternalPrinter + Send>),
    /// A person's typing is already on the screen. Input from a pipe is repeated, so that the output contains
    /// the whole conversation. A program that reads JSON knows what it sent, so nothing is repeated for it.
    Plain {
        repeats: bool,
        is_silent: bool,
    },
}

#[derive(Debug, PartialEq)]
pub(crate) enum Heard {
    Line(Line),
    /// The wait is over; the line may be half typed.
    Silence,
    Interrupted,
    End,
}

/// A typed line, safe to show, store and compare. Text pasted in one piece keeps its line breaks.
#[derive(Debug, PartialEq)]
pub(crate) struct Line {
    pub text: String,
    pub was_cut: bool,
    pub was_unreadable: bool,
}

impl Terminal {
    /// Opens a line editor, if a person sits at a terminal that can have one.
    pub(crate) fn editor(most_chars: usize, is_ascii: bool) -> Option<Terminal> {
        if !std::io::stdin().is_terminal() || !std::io::stdout().is_terminal() {
            return None;
        }
        let config = Config::builder().auto_add_history(false).build();
        let mut editor = LineEditor::with_config(config).ok()?;
        let printer = editor.create_external_printer().ok()?;
        let typing = Arc::<Notify>::default();
        let prompt = if is_ascii { ASCII_PROMPT } else { PROMPT };
        editor.set_helper(Some(Typing(typing.clone())));
        let terminal =
            Terminal::new(Face::Editor(Box::new(printer)), move || edit(&mut editor, prompt, most_chars));
        Some(Terminal { typing, ..terminal })
    }

    /// Reads plain lines, of which at most `most_chars` are kept.
    pub(crate) fn plain(most_chars: usize, is_silent: bool) -> Terminal {
        let repeats = !std::io::stdin().is_terminal();
        let read = move || {
            let line = read_line(&mut std::io::stdin().lock(), most_chars);
            line.ok().flatten().map_or(Heard::End, Heard::Line)
        };
        Terminal::new(Face::Plain { repeats, is_silent }, read)
    }

    fn new(face: Face, mut read: impl FnMut() -> Heard + Send + 'static) -> Terminal {
        let (asks, asked) = mpsc::channel();
        let (answer, heard) = answers::channel(1);
        std::thread::spawn(move || while asked.recv().is_ok() && answer.blocking_send(read()).is_ok() {});
        Terminal { asks, heard, is_asked: false, face, typing: Arc::default(), is_gone: false }
    }

    pub(crate) fn is_editor(&self) -> bool {
        matches!(self.face, Face::Editor(_))
    }

    /// Prints whole lines.
    pub(crate) fn print(&mut self, text: &str) {
        let printed = match &mut self.face {
            Face::Editor(printer) => printer.print(text.to_owned()).is_ok(),
            Face::Plain { .. } => write(text).is_ok(),
        };
        self.is_gone |= !printed;
    }

    /// Waits for a line, but no longer than `patience` after the last key. A line that is half typed by then
    /// stays, and the next call waits for it.
    pub(crate) async fn hear(&mut self, you: &str, patience: Option<Duration>) -> Heard {
        if self.is_gone {
            return Heard::End;
        }
        if !self.is_asked {
            self.prompt(you);
            self.is_asked = self.asks.send(()).is_ok();
        }
        let heard = tokio::select! {
            heard = self.heard.recv() => {
                self.is_asked = false;
                heard.unwrap_or(Heard::End)
            }
            _ = tokio::signal::ctrl_c() => Heard::Interrupted,
            () = silence(&self.typing, patience) => return Heard::Silence,
        };
        self.repeat(you, &heard);
        heard
    }

    /// Closes the editor. An open editor changes the terminal's mode, and only the learner's next key closes it.
    pub(crate) async fn close(mut self, last_words: &str) {
        if self.is_asked && self.is_editor() && !self.is_gone {
            self.print(last_words);
            self.hear("", None).await;
        }
    }

    fn prompt(&mut self, you: &str) {
        if let Face::Plain { repeats: false, is_silent: false } = self.face {
            self.is_gone |= write(&format!("{you}: ")).is_err();
        }
    }

    fn repeat(&mut self, you: &str, heard: &Heard) {
        let text = match (&self.face, heard) {
            (Face::Plain { repeats: true, is_silent: false }, Heard::Line(line)) => labelled(you, &line.text),
            // The prompt's line still has no end.
            (Face::Plain { repeats: false, is_silent: false }, Heard::Interrupted | Heard::End) => {
                "\n".to_owned()
            }
            _ => return,
        };
        self.is_gone |= write(&text).is_err();
    }
}

/// Puts a label before a line, for screen readers and pipes. The text is cleaned, so it cannot break out of its line.
pub(crate) fn labelled(label: &str, text: &str) -> String {
    format!("{label}: {}", clean(text).trim()).trim_end().to_owned() + "\n"
}

impl Line {
    fn new(bytes: &[u8], was_cut: bool, most_chars: usize) -> Line {
        let text = String::from_utf8_lossy(bytes);
        let text = text.trim_end_matches(['\r', '\n']);
        let is_unreadable =
            |c: char| c == char::REPLACEMENT_CHARACTER || (c.is_control() && !c.is_whitespace());
        let short: String = text.chars().take(most_chars).collect();
        Line {
            was_cut: was_cut || short.len() < text.len(),
            was_unreadable: short.contains(is_unreadable),
            text: short.lines().map(tidy).collect::<Vec<_>>().join("\n"),
        }
    }
}

/// Cleans one line. Keeps its leading spaces, because they mean something in code.
fn tidy(line: &str) -> String {
    let text = clean(&line.replace('\t', TAB)).replace(char::REPLACEMENT_CHARACTER, " ");
    text.trim_end().to_owned()
}

/// Waits until nothing has been typed for this long.
async fn silence(typing: &Notify, patience: Option<Duration>) {
    let Some(patience) = patience else { return std::future::pending().await };
    while tokio::time::timeout(patience, typing.notified()).await.is_ok() {}
}

type LineEditor = Editor<Typing, DefaultHistory>;

/// Notices typing: the editor asks it for a hint at every change of the line. It never has one.
struct Typing(Arc<Notify>);

impl Hinter for Typing {
    type Hint = String;

    fn hint(&self, _: &str, _: usize, _: &Context<'_>) -> Option<String> {
        self.0.notify_one();
        None
    }
}

impl Completer for Typing {
    type Candidate = String;
}

impl Highlighter for Typing {}
impl Validator for Typing {}
impl Helper for Typing {}

fn edit(editor: &mut LineEditor, prompt: &str, most_chars: usize) -> Heard {
    match editor.readline(prompt) {
        Ok(text) => Heard::Line(Line::new(text.as_bytes(), false, most_chars)),
        Err(ReadlineError::Interrupted) => Heard::Interrupted,
        Err(ReadlineError::Eof) => Heard::End,
        Err(error) => {
            tracing::warn!(%error, "the line editor failed; the session is saved");
            Heard::End
        }
    }
}

/// Reads one line of any length, and keeps only its beginning.
fn read_line(input: &mut impl BufRead, most_chars: usize) -> std::io::Result<Option<Line>> {
    let most_bytes = most_chars * MAX_CHAR_BYTES;
    let mut bytes = Vec::new();
    if input.by_ref().take(most_bytes as u64).read_until(b'\n', &mut bytes)? == 0 {
        return Ok(None);
    }
    let is_whole = bytes.len() < most_bytes || bytes.ends_with(b"\n");
    let rest = if is_whole { 0 } else { input.skip_until(b'\n')? };
    // A line of exactly the maximal length leaves nothing but its line break.
    Ok(Some(Line::new(&bytes, rest > 1, most_chars)))
}

fn write(text: &str) -> std::io::Result<()> {
    let mut out = std::io::stdout().lock();
    out.write_all(text.as_bytes())?;
    out.flush()
}

#[cfg(test)]
mod tests {
    use super::*;

    const MOST_CHARS: usize = 2_000;

    fn check(input: &[u8], expected: &[(&str, bool, bool)]) {
        let mut input = input;
        for (text, was_cut, was_unreadable) in expected {
            let line =
                read_line(&mut input, MOST_CHARS).expect("memory can be read").expect("there is a line");
            assert_eq!(
                (line.text.as_str(), line.was_cut, line.was_unreadable),
                (*text, *was_cut, *was_unreadable)
            );
        }
        assert_eq!(read_line(&mut input, MOST_CHARS).expect("memory can be read"), None);
    }

    #[test]
    fn lines_of_every_kind_are_read() {
        check(
            b"hallo\r\n\n  danke ",
            &[("hallo", false, false), ("", false, false), ("  danke", false, false)],
        );
        check(b"ha\xff\xfello\n", &[("ha  llo", false, true)]);
        check(b"a\x1b[31m\x00b\tc\n", &[("a [31m b    c", false, true)]);
        let long = "я".repeat(50_000) + "\nja\n";
        check(long.as_bytes(), &[("я".repeat(MOST_CHARS).as_str(), true, false), ("ja", false, false)]);
        let full = "x".repeat(MOST_CHARS * MAX_CHAR_BYTES);
        check(full.as_bytes(), &[("x".repeat(MOST_CHARS).as_str(), true, false)]);
    }
}
