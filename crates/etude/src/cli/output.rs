//! Writes to the terminal: the single place for colours and failures.

use super::config::Config;
use super::{NO, UNREADABLE};
use anstyle::{AnsiColor, Style};
use serde::Serialize;
use shell::engine::failure::Failure;
use std::fmt::Display;
use std::io::{IsTerminal, Write};
use std::process::ExitCode;
use std::sync::mpsc::RecvTimeoutError;
use std::time::{Duration, Instant};

pub(crate) use shell::learners::command_line::quoted;

pub(crate) const GOOD: Style = AnsiColor::Green.on_default();
pub(crate) const CAREFUL: Style = AnsiColor::Yellow.on_default();
pub(crate) const BAD: Style = AnsiColor::Red.on_default().bold();
pub(crate) const QUIET: Style = Style::new().dimmed();
pub(crate) const STRONG: Style = Style::new().bold();

/// Prints a line. A reader such as `head` may stop early; that is not a failure.
macro_rules! say {
    ($($part:tt)*) => { $crate::cli::output::line(format_args!($($part)*)) };
}
pub(crate) use say;

pub(crate) fn line(text: std::fmt::Arguments<'_>) {
    let _ = writeln!(anstream::stdout(), "{text}");
}

/// Prints a report beside the output, which may be read by another program.
pub(crate) fn aside(report: &str) {
    let _ = writeln!(anstream::stderr(), "{report}\n");
}

/// Prints text for another program unchanged. A reader that stops early is not a failure.
pub(crate) fn text(text: &str) {
    let _ = std::io::stdout().write_all(text.as_bytes());
}

/// Prints a note about something that works, but not as its user may expect.
pub(crate) fn note(text: &str) {
    anstream::eprintln!("{} {text}", paint(CAREFUL, "note:"));
}

pub(crate) fn paint(style: Style, text: impl Display) -> String {
    format!("{style}{text}{style:#}")
}

pub(crate) fn colours() -> bool {
    std::io::stdout().is_terminal()
        && anstream::AutoStream::choice(&std::io::stdout()) != anstream::ColorChoice::Never
}

pub(crate) fn error(message: &str, code: u8) -> ExitCode {
    anstream::eprintln!("{} {message}", paint(BAD, "error:"));
    ExitCode::from(code)
}

/// The end of a command: an exit code, or the reason why there is no answer.
pub(crate) type Done = Result<ExitCode, Stop>;

/// The reason why a command has no answer.
#[derive(Debug)]
pub(crate) enum Stop {
    Message(String, u8),
    Failure(Failure),
    /// An exit code, after the reason was already shown.
    Said(u8),
}

/// Stops because the input cannot be used.
pub(crate) fn unreadable(message: impl Display) -> Stop {
    Stop::Message(message.to_string(), UNREADABLE)
}

/// Stops because the answer is no.
pub(crate) fn no(message: impl Display) -> Stop {
    Stop::Message(message.to_string(), NO)
}

impl<F: Into<Failure>> From<F> for Stop {
    fn from(failure: F) -> Stop {
        Stop::Failure(failure.into())
    }
}

impl Stop {
    /// Reports why there is no answer and what to do about it. Returns the exit code.
    pub(crate) fn tell(self, json: bool) -> ExitCode {
        let failure = match self {
            Stop::Said(code) => return ExitCode::from(code),
            Stop::Message(message, code) => return error(&message, code),
            Stop::Failure(failure) => failure,
        };
        if json {
            let value = serde_json::json!({
                "code": failure.code(), "title": failure.to_string(), "cure": failure.cure(), "allowed": failure.allowed(),
            });
            text(&format!("{value}\n"));
        } else {
            anstream::eprintln!("{} {failure}", paint(BAD, "error:"));
            anstream::eprintln!("  {} {}", paint(STRONG, "do:"), failure.cure());
        }
        let unreadable = matches!(failure.status(), 400 | 422);
        ExitCode::from(if unreadable { UNREADABLE } else { NO })
    }
}

/// Prints an answer as JSON if `--json` asks for that, else in the form for people.
pub(crate) fn answer<T: Serialize>(config: &Config, answer: &T, show: impl FnOnce(&T)) -> Done {
    if config.json {
        return json(answer);
    }
    show(answer);
    Ok(ExitCode::SUCCESS)
}

pub(crate) fn json(value: &impl Serialize) -> Done {
    let json = serde_json::to_string_pretty(value);
    let json = json.map_err(|problem| no(format!("the answer cannot be printed: {problem}")))?;
    text(&format!("{json}\n"));
    Ok(ExitCode::SUCCESS)
}

/// Does work that may take long. Meanwhile a terminal shows that it is still going on.
pub(crate) fn with_progress<T: Send>(what: &str, work: impl FnOnce() -> T + Send) -> T {
    if !std::io::stderr().is_terminal() {
        return work();
    }
    std::thread::scope(|scope| {
        let (done, is_done) = std::sync::mpsc::channel::<()>();
        scope.spawn(move || {
            let started = Instant::now();
            while is_done.recv_timeout(Duration::from_secs(1)) == Err(RecvTimeoutError::Timeout) {
                anstream::eprint!(
                    "\r{}",
                    paint(QUIET, format!("{what}, {} s …", started.elapsed().as_secs()))
                );
            }
            if started.elapsed() > Duration::from_secs(1) {
                anstream::eprint!("\r{:40}\r", "");
            }
        });
        let result = work();
        drop(done);
        result
    })
}
