//! `etude NAME`: runs any flow of the program that has no command of its own.

use super::config::Config;
use super::context::on_app;
use super::desk::{self, ByVoice, End, Seat};
use super::output::Done;
use super::words;
use clap::Args;
use coaching::face::{Does, Face, Given};
use coaching::words::{DEFAULT_LANGUAGE, Lexicon};
use serde_json::Value;
use shell::engine::failure::Failure;
use shell::engine::turn::Opening;
use shell::learners::command_line::typed;

#[derive(Debug, Args)]
pub(crate) struct Play {
    /// The values to open it with, as JSON or otherwise as text
    #[arg(value_name = "KEY=VALUE", value_parser = parse_given)]
    given: Vec<(String, Value)>,
    /// Override a constant of the law in a new session
    #[arg(long, value_name = "NAME=NUMBER", value_parser = super::laws::parse_set)]
    set: Vec<(String, i64)>,
    /// End the open session for good and start a new one
    #[arg(long)]
    new: bool,
    #[command(flatten)]
    by_voice: ByVoice,
    #[command(flatten)]
    options: desk::Options,
}

fn parse_given(text: &str) -> Result<(String, Value), String> {
    let (key, value) = text.split_once('=').ok_or("write KEY=VALUE")?;
    Ok((key.to_owned(), serde_json::from_str(value).unwrap_or_else(|_| Value::from(value))))
}

/// Builds the command for a flow, described in the flow's own words.
pub(super) fn command(face: &Face) -> clap::Command {
    let about = Lexicon::new(face.words.iter().copied()).say(DEFAULT_LANGUAGE, &face.about());
    Play::augment_args(clap::Command::new(face.name)).about(about)
}

impl Play {
    pub(crate) async fn run(self, face: Face, config: &Config) -> Done {
        let (app, options) = (config.asking_app(config.flows()).await, &self.options);
        on_app(config, app, Some(options), async |app| {
            options.sit(app, config, self.by_voice.aloud(), async |seat| self.play(face, seat).await).await
        })
        .await
    }

    async fn play(&self, face: Face, seat: &mut Seat<'_>) -> Result<(), Failure> {
        let has_wishes = !self.given.is_empty() || !self.set.is_empty();
        let mut held = seat.sit_down(self.opening(face), self.new, has_wishes, |_| true).await?;
        let command = seat.command(typed(&[face.name], &self.options.learner));
        let end = seat.hold(&mut held, |_| None).await?;
        seat.note(if end == End::Over { words::next_session(command) } else { words::saved(command) });
        Ok(())
    }

    fn opening(&self, face: Face) -> Opening {
        let body: Value = Value::Object(self.given.iter().cloned().collect());
        let verb = face.verbs.iter().find(|verb| matches!(verb.does, Does::Opens));
        let fresh = uuid::Uuid::now_v7().to_string();
        let opening = match verb {
            Some(verb) => (verb.prepare)(Given { id: "", body, fresh: &fresh }),
            None => body,
        };
        let set = self.set.iter().cloned().collect();
        Opening { flow: face.name.to_owned(), opening, set, ..Opening::default() }
    }
}
