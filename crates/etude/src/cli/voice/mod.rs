//! `etude voice`: talks with the coach, in a few independent turns.

mod chain;
mod log;
mod sound;

pub(super) use sound::Sound;

use super::config::Config;
use super::context::on_app;
use super::desk;
use super::output::{self, Done, Stop, no, say, unreadable};
use super::words::Voice as Words;
use crate::engine::app::App;
use crate::engine::call;
use crate::engine::turn::{self, Opening};
use crate::engine::view::{Answer, View};
use crate::learners::command_line::{ME, typed};
use crate::learners::profiles;
use crate::voice::holding::{ANSWER_BOUNDS, Holding, Left, Moment, practised};
use crate::voice::service::Coach;
use crate::voice::{Run, Step};
use ::voice::Trouble;
use ::voice::layers::Layers;
use ::voice::wyoming;
use clap::builder::NonEmptyStringValueParser;
use clap::{Args, Subcommand};
use coaching::desk::Role;
use coaching::look::Begin;
use coaching::voice::intent::Intent;
use log::Log;
use serde_json::{Value, json};
use std::net::TcpListener;
use std::process::ExitCode;
use std::sync::Arc;
use tokio::runtime::Handle;

#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true)]
pub(crate) struct VoiceCommand {
    #[command(subcommand)]
    command: Option<Below>,
    /// Type in place of speaking: each line is one turn
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
    /// Fetch the engines: what each is, its licence and its size
    Setup(chain::Setup),
    /// Show the microphones and loudspeakers that can be used
    Devices(chain::ShowDevices),
    /// Speak a sentence, hear it back, and say whether the chain works and how fast
    Test(chain::TestChain),
    /// Say a text aloud, or into a file
    Say(chain::SayText),
    /// Write down what is said in a WAV file
    Hear(chain::HearFile),
    /// Show what the rules understand of a text
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
        let mut layers = self.sound.layers(config, &words.language, self.text)?;
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
        let next: Option<Begin> = serde_json::from_value(view.data["next"].clone()).ok().flatten();
        if let Some(next) = next {
            return self.go_on(app, next, &words, &mut layers, config).await;
        }
        Ok(if view.outcome.as_deref() == Some("error") {
            ExitCode::from(super::NO)
        } else {
            ExitCode::SUCCESS
        })
    }

    /// Goes on with what the learner asked for, by the same voice.
    async fn go_on(
        &self,
        app: &App,
        next: Begin,
        words: &Words<'_>,
        layers: &mut Layers,
        config: &Config,
    ) -> Done {
        let mut opening = next.given.clone();
        opening["voice"] = (!self.text).into();
        let opening =
            Opening { flow: next.flow, learner: self.whose.learner.clone(), opening, ..Opening::default() };
        let answer = call::open(app, opening).await?;
        hold(app, answer, words, layers, config).await
    }
}

impl Whose {
    async fn words<'a>(&self, app: &'a App, config: &Config) -> Result<Words<'a>, Stop> {
        let (zone, now) = (config.time_zone.as_deref(), app.clock.now());
        profiles::at_home(&app.store, &self.learner, zone, now).await?;
        let wish = self.language.as_deref();
        let words = Words::of(app, config, &self.learner, wish, None).await?;
        // A language that is understood may have no sentences of its own yet.
        let heard = coaching::voice::intent::languages()
            .find(|known| wish.is_some_and(|wish| wish.starts_with(known)));
        Ok(match heard {
            Some(heard) if heard != words.language => Words::new(&app.words, heard),
            _ => words,
        })
    }
}

/// Practises with a pack by voice: goes on with the open session, or opens one.
pub(super) async fn practise(
    app: &App,
    config: &Config,
    options: &desk::Options,
    sound: &Sound,
    opening: Opening,
    is_it: impl Fn(&View) -> bool,
) -> Done {
    let (mut open, _) = desk::open_flows(app, &options.learner, &opening.flow).await?;
    // One that was left while the coach spoke waits for the end of that.
    for row in call::open_flows(app, &opening.flow, &options.learner).await? {
        let view = turn::view_of(&app.place(row).await?);
        open.extend(view.allowed.iter().any(|event| event == "tts_done").then_some(view));
    }
    let answer = match open.into_iter().find(|view| is_it(view)) {
        Some(view) => Answer::of(view),
        None => call::open(app, Opening { learner: options.learner.clone(), ..opening }).await?,
    };
    let desk = answer.view.desk.as_ref().and_then(|desk| desk.language.clone());
    let words = options.voice(app, desk.as_deref(), config).await?;
    let mut layers = sound.layers(config, &words.language, false)?;
    layers.ears.bounds = ANSWER_BOUNDS;
    hold(app, answer, &words, &mut layers, config).await
}

/// Holds a flow by voice and shows what is said.
async fn hold(app: &App, answer: Answer, words: &Words<'_>, layers: &mut Layers, config: &Config) -> Done {
    let language = words.language.clone();
    let practised = practised(&answer.view).map(|(pack, tongue)| (pack.to_owned(), tongue.to_owned()));
    let (pack, target) = practised.unzip();
    let pack = pack.unwrap_or_default();
    let others = crate::builtin::texts_of(&pack, config.packs_folder());
    let flow = answer.view.flow.clone();
    let layers_are_sound = !layers.ears.is_text();
    let mut show = |moment: Moment<'_>| show(&moment, words, config.json);
    let mut holding = Holding {
        app,
        layers,
        target_language: target.unwrap_or_else(|| language.clone()),
        language,
        others,
        log: &mut show,
    };
    let (left, view) = holding.hold(answer).await?;
    let command = match pack.as_str() {
        "" => typed(&[flow.as_str()], &view.learner),
        pack if layers_are_sound => typed(&[flow.as_str(), pack, "--voice"], &view.learner),
        pack => typed(&[flow.as_str(), pack], &view.learner),
    };
    if config.json {
        return output::json(&json!({
            "id": view.id, "state": view.state, "outcome": view.outcome, "counters": view.counters, "data": view.data,
        }));
    }
    if view.outcome.as_deref() == Some("timeout") || matches!(left, Left::Silent) {
        say!("{}", words.say(&super::words::voice_unheard()));
    }
    match left {
        Left::Over => say!("{}", words.say(&super::words::next_session(command))),
        Left::Saved | Left::Silent | Left::Waits => say!("{}", words.say(&super::words::saved(command))),
        Left::Troubled(trouble) => {
            say!("{}", words.say(&super::words::saved(command)));
            return Err(stop(&trouble));
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn show(moment: &Moment<'_>, words: &Words<'_>, is_json: bool) {
    if is_json {
        return;
    }
    use super::words as said;
    let line = match moment {
        Moment::Says { role: Role::Slow, text } => said::voice_says_slowly(*text),
        Moment::Says { text, .. } => said::voice_says(*text),
        Moment::Listens => said::voice_listens(),
        Moment::Hears { text, ms } => said::voice_hears(*text, *ms),
        Moment::Fits { text, margin } => said::voice_fits(*text, format!("{margin:.1}")),
        Moment::Silence => said::voice_silence(),
        Moment::Troubled { trouble } => said::voice_troubled(trouble.message.as_str()),
        Moment::Thinks | Moment::Takes { .. } => return,
    };
    say!("{}", words.say(&line));
}

/// A trouble as the end of a command.
fn stop(trouble: &Trouble) -> Stop {
    no(format!("{}\n  do: {}", trouble.message, trouble.cure))
}

#[derive(Debug, Args)]
struct ShowIntent {
    /// What is said
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

/// What is shown of a value in a log.
fn shown(value: f32) -> Value {
    json!((f64::from(value) * 1_000.0).round() / 1_000.0)
}
