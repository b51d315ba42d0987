//! `etude drill`: a session with the coach in the terminal.
//!
//! Everything goes through the turn loop on the local database, so a session can be begun here, gone on with
//! over HTTP and ended here. After every answer it is saved.

mod conversation;
mod packs;
mod page;
mod plain;
mod pretty;
mod screen;
mod session;
mod standing;
mod words;

use super::UNREADABLE;
use super::config::Config;
use super::output;
use super::screen::layout;
use super::screen::words::{Language, Now, fill};
use crate::cli::context::on_app;
use crate::engine::app::App;
use crate::engine::failure::Failure;
use crate::engine::turn::Opening;
use crate::engine::view::{Said, View};
use crate::learners::command_line::typed;
use crate::learners::profiles;
use clap::Args;
use clap::builder::NonEmptyStringValueParser;
use conversation::{End, converse};
use page::Block;
use screen::Screen;
use serde_json::{Value, json};
use session::{Open, Session};
use std::process::ExitCode;
use std::time::Duration;
use words::Words;

pub(super) use crate::learners::command_line::ME;

#[derive(Debug, Args)]
pub(crate) struct Drill {
    /// What to learn from; without one, the packs are listed
    pack: Option<String>,
    /// Who learns
    #[arg(long, value_name = "NAME", default_value = ME, value_parser = NonEmptyStringValueParser::new())]
    learner: String,
    /// How many new words a new session has, 1 to 50 [default: 5]
    #[arg(long, value_name = "NUMBER", value_parser = clap::value_parser!(u32).range(1..=50))]
    words: Option<u32>,
    /// Use another value for a constant of the law in a new session
    #[arg(long, value_name = "NAME=NUMBER", value_parser = super::laws::parse_set)]
    set: Vec<(String, i64)>,
    /// End the open session for good and begin a new one
    #[arg(long)]
    new: bool,
    /// For screen readers and pipes: no colours, no line editing, every line says what it is. Chosen by itself
    /// when there is no terminal
    #[arg(long)]
    plain: bool,
    /// After so much silence the coach says it again, and after the third time the session ends [default: the coach
    /// waits as long as it takes]
    #[arg(long, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..=3600))]
    patience: Option<u64>,
    /// Language of the terminal's own words [default: that of your system, else English]
    #[arg(long, value_enum, value_name = "LANGUAGE")]
    lang: Option<Language>,
}

impl Drill {
    pub(crate) async fn run(self, config: &Config) -> ExitCode {
        let words = Words::in_language(self.lang.unwrap_or(config.language));
        if config.json && self.pack.is_some() {
            let cure = "`etude new drill` and `etude send` take the same turns in JSON";
            return output::error(
                &format!("a session is a conversation and has no JSON; {cure}"),
                UNREADABLE,
            );
        }
        on_app(config, config.asking_app(config.flows()).await, async |app| {
            let Some(pack) = self.pack.as_deref().map(|pack| packs::meant(pack, config)) else {
                return packs::list(app, &self, config, words).await;
            };
            match self.objection(app, &pack, config) {
                Some(message) => Ok(output::error(&message, UNREADABLE)),
                None => self.practise(app, &pack, config, words).await,
            }
        })
        .await
    }

    /// What is wrong with the wishes, where the terminal can say it better than the turn loop.
    fn objection(&self, app: &App, pack: &str, config: &Config) -> Option<String> {
        packs::broken(pack, config).or_else(|| {
            let known = app.flows.get(session::FLOW).map(|entry| entry.law.constants.as_slice())?;
            let names: Vec<&str> = known.iter().map(|(named, _)| named.name.as_str()).collect();
            let (unknown, _) = self.set.iter().find(|(name, _)| !names.contains(&name.as_str()))?;
            let unknown = layout::clean(unknown);
            Some(format!("--set: the law has no constant `{unknown}`. There are: {}", names.join(", ")))
        })
    }

    async fn practise(
        &self,
        app: &App,
        pack: &str,
        config: &Config,
        words: &'static Words,
    ) -> Result<ExitCode, Failure> {
        profiles::at_home(&app.store, &self.learner, config.time_zone.as_deref(), app.clock.now()).await?;
        let mut screen = Screen::new(words, config, self.plain);
        let practised = self.practise_on(&mut screen, app, pack).await;
        screen.close().await;
        practised.map(|()| ExitCode::SUCCESS)
    }

    async fn practise_on(&self, screen: &mut Screen, app: &App, pack: &str) -> Result<(), Failure> {
        let words = screen.words;
        let (mut session, said) = self.take_up(app, pack, screen).await?;
        if said.is_empty() {
            screen.show(&page::reminder(session.standing()));
        } else {
            screen.show(&page::turn(&said, &session, words));
        }
        let patience = self.patience.map(Duration::from_secs);
        let command = command(pack, &self.learner);
        match converse(&mut session, screen, patience).await? {
            End::Stopped => screen.note(fill(words.saved, &[("command", &command)])),
            End::Over => {
                let now = Now::of(app, &self.learner).await?;
                let next = packs::tally(app, &self.learner, pack).await?.next_due_at.map(|at| at.0);
                screen.show(&page::ending(&session, words, &now, next, &command));
            }
        }
        Ok(())
    }

    /// Goes on with the session that is open, or begins one.
    async fn take_up<'a>(
        &self,
        app: &'a App,
        pack: &str,
        screen: &mut Screen,
    ) -> Result<(Session<'a>, Vec<Said>), Failure> {
        let words = screen.words;
        // A pipe is not silent, and whoever is called away from a keyboard has not failed.
        let is_timed = screen.is_looked_at() && self.patience.is_some();
        if let Some(view) = self.find(app, pack, screen).await? {
            let has_wishes = self.words.is_some() || !self.set.is_empty();
            let (session, said) = session::go_on(app, view, is_timed).await?;
            screen.show(&[Block::Title(welcome(&session, words)), Block::Note(words.goes_on.to_owned())]);
            if has_wishes {
                screen.note(words.only_for_new);
            }
            return Ok((session, said));
        }
        let opening = Opening {
            learner: self.learner.clone(),
            opening: self.opening(pack),
            set: self.set.iter().cloned().collect(),
            ..Opening::default()
        };
        let (session, said) = session::begin(app, opening, is_timed).await?;
        screen.show(&[Block::Title(welcome(&session, words))]);
        Ok((session, said))
    }

    /// The newest open session with this pack. With `--new` there is none afterwards.
    async fn find(&self, app: &App, pack: &str, screen: &mut Screen) -> Result<Option<View>, Failure> {
        let words = screen.words;
        let (mut views, mut stuck) = (Vec::new(), None);
        for open in session::open_sessions(app, &self.learner).await? {
            match open {
                Open::Resumable(view, standing) if standing.pack.id == pack => views.push(*view),
                Open::Resumable(..) => {}
                Open::Stuck(failure) => stuck = Some(failure),
            }
        }
        if let Some(failure) = stuck.filter(|_| views.is_empty()) {
            screen.note(fill(words.cannot_go_on, &[("reason", &failure.to_string())]));
        }
        if !self.new {
            return Ok(views.into_iter().next());
        }
        for view in &views {
            session::end(app, view).await?;
            screen.note(words.left_the_old);
        }
        Ok(None)
    }

    fn opening(&self, pack: &str) -> Value {
        match self.words {
            Some(words) => json!({"pack": pack, "new_words": words}),
            None => json!({"pack": pack}),
        }
    }
}

fn welcome(session: &Session<'_>, words: &Words) -> String {
    fill(words.welcome, &[("title", &session.standing().pack.title)])
}

/// What to type to practise with a pack, as a shell takes it.
pub(super) fn command(pack: &str, learner: &str) -> String {
    typed(&["drill", pack], learner)
}
