//! The conversation: the coach's lines go out, the learner's answers, commands and silences come in.

use super::page;
use super::screen::Screen;
use super::session::{Session, Turn};
use super::standing::Standing;
use crate::cli::screen::commands::Command;
use crate::cli::screen::terminal::{Heard, Line};
use crate::cli::screen::words::fill;
use crate::engine::failure::Failure;
use coaching::text::MAX_HEARD_CHARS;
use std::time::Duration;

/// How a conversation ended.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum End {
    /// The session is over.
    Over,
    /// The learner has stopped; the session can go on another time.
    Stopped,
}

/// Talks until the session is over or the learner stops. `patience` is used in place of the law's own.
pub(super) async fn converse(
    session: &mut Session<'_>,
    screen: &mut Screen,
    patience: Option<Duration>,
) -> Result<End, Failure> {
    while session.outcome().is_none() {
        screen.show(&[page::progress(session, screen.words)]);
        let wait = session.patience().await?;
        let lasts = wait.as_ref().map(|wait| patience.unwrap_or(wait.lasts));
        let turn = match (screen.hear(lasts).await, wait) {
            (Heard::Line(line), _) => match heed(&line, session, screen).await? {
                Heeded::Turn(turn) => turn,
                Heeded::Here => continue,
                Heeded::Stop => return stop(session).await,
            },
            (Heard::Silence, Some(wait)) => {
                let turn = session.stay_silent(&wait).await?;
                if session.outcome().is_none() {
                    screen.show(&[page::Block::Space]);
                }
                turn
            }
            (Heard::Silence, None) => continue,
            (Heard::Interrupted | Heard::End, _) => return stop(session).await,
        };
        show(turn, session, screen);
    }
    Ok(End::Over)
}

async fn stop(session: &mut Session<'_>) -> Result<End, Failure> {
    session.stop().await.map(|()| End::Stopped)
}

/// What a line came to.
enum Heeded {
    Turn(Turn),
    /// A command that only shows something.
    Here,
    Stop,
}

/// A line that begins with a colon is never an answer, and neither is a command or a question, unless the word that is
/// practised is in it.
async fn heed(line: &Line, session: &mut Session<'_>, screen: &mut Screen) -> Result<Heeded, Failure> {
    let words = screen.words;
    let text = line.text.trim();
    let is_answer = !text.starts_with(':') && is_practised(text, session.standing());
    match Command::read(text).filter(|_| !is_answer) {
        Some(Command::Quit) => return Ok(Heeded::Stop),
        Some(Command::Leave) => return session.leave().await.map(Heeded::Turn),
        Some(Command::Help) => screen.show(&[page::help(words)]),
        Some(Command::Again) => match page::word(session.standing()) {
            Some(word) => screen.show(&word),
            None => screen.note(words.no_word),
        },
        Some(Command::Skip | Command::GoOn | Command::Mine | Command::Why) => {
            screen.note(words.only_in_courses);
        }
        None if text.starts_with('?') => screen.note(words.only_in_courses),
        None if text.starts_with(':') => {
            let short: String = text.chars().take(20).collect();
            screen.note(fill(words.unknown_command, &[("command", &short)]));
        }
        None => {
            warn(line, screen);
            return session.answer(text).await.map(Heeded::Turn);
        }
    }
    Ok(Heeded::Here)
}

/// Whether what was typed is part of the word that is practised.
fn is_practised(text: &str, standing: &Standing) -> bool {
    let target = standing.target.as_ref().map(|target| target.text.to_lowercase()).unwrap_or_default();
    target.split(|c: char| !c.is_alphanumeric()).any(|word| word == text.to_lowercase())
}

/// Says what of a line could not be used.
fn warn(line: &Line, screen: &mut Screen) {
    let words = screen.words;
    if line.was_cut {
        screen.note(fill(words.cut, &[("n", &MAX_HEARD_CHARS.to_string())]));
    }
    if line.was_unreadable {
        screen.note(words.not_text);
    }
}

fn show(turn: Turn, session: &Session<'_>, screen: &mut Screen) {
    match turn {
        Turn::Taken(said) => screen.show(&page::turn(&said, session, screen.words)),
        Turn::MovedOn => {
            screen.note(screen.words.moved_on);
            screen.show(&page::reminder(session.standing()));
        }
    }
}
