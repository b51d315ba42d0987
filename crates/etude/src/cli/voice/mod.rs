//! `etude voice`: talks with the coach in a few independent turns.

mod chain;
mod log;
mod sound;

pub(super) use sound::Sound;

use super::config::Config;
use super::context::on_app;
use super::desk::{self, Aloud, End, Seat};
use super::output::{self, Done, Stop, no, say, unreadable};
use super::words::Voice as Words;
use ::voice::Trouble;
use ::voice::layers::Layers;
use ::voice::wyoming;
use clap::builder::NonEmptyStringValueParser;
use clap::{Args, Subcommand};
use coaching::desk::Role;
use coaching::look::Begin;
use coaching::voice::VoiceMore;
use coaching::voice::intent::Intent;
use coaching::words::Text;
use log::Log;
use serde_json::{Value, json};
use shell::engine::app::App;
use shell::engine::turn::Opening;
use shell::learners::command_line::{ME, typed};
use shell::learners::profiles;
use shell::voice::holding::Moment;
use shell::voice::service::Coach;
use shell::voice::{Run, Step};
use std::net::TcpListener;
use std::process::ExitCode;
use std::sync::Arc;
use tokio::runtime::Handle;

#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true)]
pub(crate) struct VoiceCommand {
    #[command(subcommand)]
    command: Option<Below>,
    /// Type instead of speaking; each line is one turn
    #[arg(long)]
    text: bool,
    /// Override a constant of the law, such as max_interactions=5
    #[arg(long, value_name = "NAME=NUMBER", value_parser = super::laws::parse_set)]
    set: Vec<(String, i64)>,
    #[command(flatten)]
    whose: Whose,
    #[command(flatten)]
    sound: Sound,
}

#[derive(Debug, Args)]
struct Whose {
    /// The learner
    #[arg(long, default_value = ME, value_parser = NonEmptyStringValueParser::new())]
    learner: String,
    /// The language that is spoken [default: the learner's, then that of your system]
    #[arg(long, value_name = "TAG")]
    language: Option<String>,
}

#[derive(Debug, Subcommand)]
enum Below {
    /// Fetch the engines, and show what each is, its licence and its size
    Setup(chain::Setup),
    /// Show the microphones and loudspeakers that can be used
    Devices(chain::ShowDevices),
    /// Speak a sentence, hear it back, and say whether the chain works and how fast
    Test(chain::TestChain),
    /// Say a text aloud, or into a file
    Say(chain::SayText),
    /// Transcribe a WAV file
    Hear(chain::HearFile),
    /// Show how the rules understand a text
    Intent(ShowIntent),
    /// Let Home Assistant and other Wyoming clients talk to the coach
    Serve(ServeCoach),
}

impl VoiceCommand {
    pub(crate) async fn run(self, config: &Config) -> Done {
        match &self.command {
            Some(Below::Setup(args)) => args.run(config),
            Some(Below::Devices(args)) => args.run(config),
            Some(Below::Test(args)) => args.run(config),
            Some(Below::Say(args)) => args.run(config),
            Some(Below::Hear(args)) => args.run(config),
            Some(Below::Intent(args)) => args.run(config),
            Some(Below::Serve(args)) => args.run(config).await,
            None => {
                let app = config.asking_app(config.flows()).await;
                on_app(config, app, None, async |app| self.talk(app, config).await).await
            }
        }
    }

    async fn talk(&self, app: &App, config: &Config) -> Done {
        let words = self.whose.words(app, config).await?;
        let layers = self.sound.layers(config, [&words.language; 2], self.text);
        let mut layers = layers.map_err(|trouble| stop(&trouble))?;
        let mut log = Log::new(&words, config.json);
        let mut tell = |step: Step<'_>| log.note(&step);
        let mut run = Run {
            app,
            layers: &mut layers,
            learner: &self.whose.learner,
            language: &words.language,
            has_wake_word: !self.text && self.sound.has_wake_word(),
            intents_outside: self.sound.intent.is_some(),
            answers_outside: self.sound.handle.is_some(),
            set: self.set.iter().cloned().collect(),
            log: &mut tell,
        };
        let view = run.run().await?;
        log.finish(&view)?;
        if let Some(next) = view.more::<VoiceMore>().next {
            return self.go_on(app, next, &words.language, layers, config).await;
        }
        Ok(if view.outcome.as_deref() == Some("error") {
            ExitCode::from(super::NO)
        } else {
            ExitCode::SUCCESS
        })
    }

    /// Continues with what the learner asked for, by voice as before.
    async fn go_on(&self, app: &App, next: Begin, language: &str, layers: Layers, config: &Config) -> Done {
        let mut opening = next.given.clone();
        opening["voice"] = (!self.text).into();
        let opening = Opening { flow: next.flow.clone(), opening, ..Opening::default() };
        let options = desk::Options::of(&self.whose.learner, language);
        let pack = next.given["pack"].as_str().unwrap_or_default();
        let command = typed(&[next.flow.as_str(), pack], &self.whose.learner);
        let aloud = Aloud::new(&self.sound, Some(layers));
        let practise = async |seat: &mut Seat<'_>| {
            let mut held = seat.open(opening, super::words::thinking()).await?;
            let command = seat.command(command);
            let end = seat.hold(&mut held, |_| None).await?;
            let next = if end == End::Over {
                super::words::next_session(command)
            } else {
                super::words::saved(command)
            };
            seat.note(next);
            Ok(())
        };
        options.sit(app, config, Some(aloud), practise).await
    }
}

impl Whose {
    async fn words<'a>(&self, app: &'a App, config: &Config) -> Result<Words<'a>, Stop> {
        let (zone, now) = (config.time_zone.as_deref(), app.clock.now());
        profiles::at_home(&app.store, &self.learner, zone, now).await?;
        let wish = self.language.as_deref();
        let words = Words::of(app, config, &self.learner, wish, None).await?;
        // A language that the coach understands may have no texts of its own yet.
        let heard = coaching::voice::intent::languages()
            .find(|known| wish.is_some_and(|wish| wish.starts_with(known)));
        Ok(match heard {
            Some(heard) if heard != words.language => Words::new(&app.words, heard),
            _ => words,
        })
    }
}

/// Returns the line that is shown for a moment of a flow held by voice, if there is one.
pub(super) fn shown(moment: &Moment<'_>) -> Option<Text> {
    use super::words as said;
    Some(match moment {
        Moment::Says { role: Role::Slow, text } => said::voice_says_slowly(*text),
        Moment::Says { text, .. } => said::voice_says(*text),
        Moment::Listens => said::voice_listens(),
        Moment::Hears { text, ms } => said::voice_hears(*text, *ms),
        Moment::Fits { text, margin } => said::voice_fits(*text, format!("{margin:.1}")),
        Moment::Silence => said::voice_silence(),
        Moment::Troubled { trouble } => said::voice_troubled(trouble.message.as_str()),
        Moment::Thinks | Moment::Takes { .. } => return None,
    })
}

/// Turns a trouble into the end of a command.
pub(super) fn stop(trouble: &Trouble) -> Stop {
    no(format!("{}\n  do: {}", trouble.message, trouble.cure))
}

#[derive(Debug, Args)]
struct ShowIntent {
    /// The texts to understand
    #[arg(required = true)]
    texts: Vec<String>,
    /// The language of the texts
    #[arg(long, value_name = "TAG", default_value = "en")]
    language: String,
}

impl ShowIntent {
    fn run(&self, config: &Config) -> Done {
        let lexicon = coaching::words::Lexicon::new(coaching::voice::words::FILES.iter().copied());
        let mut found = Vec::new();
        for text in &self.texts {
            let intent = Intent::parse(text, &self.language).map_err(|mut rejected| {
                lexicon.translate("en", &mut rejected);
                unreadable(format!("“{text}”: {}; {}", rejected.message, rejected.cure))
            })?;
            found.push(intent);
        }
        output::answer(config, &found, |found| {
            for intent in found {
                say!("{} (confidence={:.2})  {}", intent.kind.as_str(), intent.confidence, intent.text);
            }
        })
    }
}

#[derive(Debug, Args)]
struct ServeCoach {
    /// Where to listen. The protocol has no passwords: keep it on this machine
    #[arg(long, value_name = "HOST:PORT", default_value = "127.0.0.1:10500")]
    address: String,
    #[command(flatten)]
    whose: Whose,
}

impl ServeCoach {
    async fn run(&self, config: &Config) -> Done {
        let app = Arc::new(config.asking_app(config.flows()).await?);
        let language = self.whose.words(&app, config).await?.language;
        let taken = |error| no(format!("{} cannot be listened on: {error}", self.address));
        let listener = TcpListener::bind(&self.address).map_err(taken)?;
        let address = listener.local_addr().map_err(taken)?;
        say!("Etude listens for Wyoming clients on tcp://{address}");
        let coach = Coach { app, learner: self.whose.learner.clone(), language, handle: Handle::current() };
        let served = tokio::task::spawn_blocking(move || wyoming::serve(&listener, Arc::new(coach)));
        tokio::select! {
            served = served => match served {
                Ok(Ok(())) => Ok(ExitCode::SUCCESS),
                Ok(Err(error)) => Err(no(format!("the server has stopped: {error}"))),
                Err(error) => Err(no(error)),
            },
            _ = tokio::signal::ctrl_c() => std::process::exit(0),
        }
    }
}

/// Rounds a value for a log to the digits that matter.
fn rounded(value: f32) -> Value {
    json!((f64::from(value) * 1_000.0).round() / 1_000.0)
}
