//! Holds a desk by voice: speaks its lines and listens for the answers. Shows what cannot be spoken, and takes
//! its answer from the keyboard.

use super::page::{self, Item};
use super::seat::text;
use super::{End, Held, Seat};
use crate::cli::NO;
use crate::cli::output::Done;
use crate::cli::screen::Look;
use crate::cli::voice::{Sound, shown, stop};
use crate::cli::words::{self, Voice};
use ::voice::Trouble;
use ::voice::layers::Layers;
use ::voice::line::{Line as Spoken, Pace};
use clap::Args;
use coaching::desk::{Block, Form, Line};
use coaching::words::Text;
use serde_json::json;
use shell::builtin;
use shell::engine::failure::Failure;
use shell::engine::turn;
use shell::engine::view::{Answer, View};
use shell::voice::holding::{ANSWER_BOUNDS, Holding, Left, Moment, practised};
use std::process::ExitCode;

pub(super) use shell::voice::holding::spoken_event;

/// The options for holding a flow by voice.
#[derive(Debug, Clone, Args)]
pub(crate) struct ByVoice {
    /// Speak and listen in place of typing
    #[arg(long)]
    pub voice: bool,
    #[command(flatten)]
    sound: Sound,
}

impl ByVoice {
    pub(crate) fn aloud(&self) -> Option<Aloud> {
        self.voice.then(|| Aloud::new(&self.sound, None))
    }
}

/// The voice that speaks and listens in place of the keyboard.
pub(crate) struct Aloud {
    sound: Sound,
    /// The engines, which are loaded once the language is known.
    layers: Option<Layers>,
    /// The failure that ended the talk, if one did.
    trouble: Option<Trouble>,
}

impl Aloud {
    pub(crate) fn new(sound: &Sound, layers: Option<Layers>) -> Aloud {
        Aloud { sound: sound.for_answers(), layers, trouble: None }
    }
}

impl Seat<'_> {
    /// Completes a command so that it continues in the same way, by voice or by keyboard.
    pub(crate) fn command(&self, command: String) -> String {
        match self.aloud.as_ref().map(|aloud| &aloud.layers) {
            Some(Some(layers)) if layers.ears.is_text() => command,
            Some(_) => command + " --voice",
            None => command,
        }
    }

    /// Switches the talk to this language. Returns false if the desk is not held by voice or lacks words in the
    /// language.
    pub(crate) fn speaks(&mut self, language: &str) -> bool {
        let known = self.app.words.choose([language]);
        let is_spoken = self.aloud.is_some() && known == language;
        if is_spoken {
            self.voice = Voice::new(&self.app.words, known);
        }
        is_spoken
    }

    /// Ends a sitting, and reports a device or an engine that has failed.
    pub(super) fn end(&mut self) -> Done {
        match self.aloud.take().and_then(|aloud| aloud.trouble) {
            None => Ok(ExitCode::SUCCESS),
            Some(_) if self.screen.look() == Look::Json => Ok(ExitCode::from(NO)),
            Some(trouble) => Err(stop(&trouble)),
        }
    }

    /// Holds a flow by voice for as long as its questions can be answered aloud. Returns `None` if something
    /// has to be typed.
    pub(super) async fn talk(&mut self, held: &mut Held) -> Result<Option<End>, Failure> {
        let Some(aloud) = &mut self.aloud else { return Ok(None) };
        let language = &self.voice.language;
        let tongue = practised(&held.view).map_or(language.as_str(), |(_, tongue)| tongue);
        let loaded = match aloud.layers.take() {
            Some(layers) => Ok(layers),
            None => aloud.sound.layers(self.config, [language, tongue], false),
        };
        let left = match loaded {
            Ok(mut layers) => {
                let left = self.speak(held, &mut layers).await?;
                if matches!(left, Left::Waits) {
                    self.want_typing(held, &mut layers);
                }
                if let Some(aloud) = &mut self.aloud {
                    aloud.layers = Some(layers);
                }
                left
            }
            Err(trouble) => Left::Troubled(trouble),
        };
        if matches!(left, Left::Waits) {
            return Ok(None);
        }
        self.tell_end(&held.view, &left);
        match left {
            Left::Over { .. } => return Ok(Some(End::Over)),
            Left::Troubled(trouble) => {
                if let Some(aloud) = &mut self.aloud {
                    aloud.trouble = Some(trouble);
                }
            }
            _ => {}
        }
        self.leave(held).await.map(Some)
    }

    async fn speak(&mut self, held: &mut Held, layers: &mut Layers) -> Result<Left, Failure> {
        layers.ears.bounds = ANSWER_BOUNDS;
        let Seat { app, config, screen, voice, .. } = self;
        let language = voice.language.clone();
        loop {
            let (pack, tongue) = practised(&held.view).unwrap_or(("", &language));
            let others = builtin::texts_of(pack, config.packs_folder());
            let target_language = tongue.to_owned();
            let answer = Answer { said: std::mem::take(&mut held.unsaid), ..Answer::of(held.view.clone()) };
            let (mut seen, mut said) = (held.seen.take(), Vec::new());
            let mut log = |moment: Moment<'_>| {
                if let Moment::Takes { answer, .. } = &moment {
                    said.extend(answer.said.iter().cloned());
                    // While the coach still has something to say, the desk is not laid out yet.
                    if spoken_event(app, &answer.view).is_none() {
                        let desk = answer.view.desk.clone().unwrap_or_default();
                        let mut items = page::turn(&said, seen.as_ref(), &desk);
                        items.retain(|item| !is_spoken(item, Some(&said)));
                        screen.print(&text(&items, screen.look(), voice));
                        (seen, said) = (Some(desk), Vec::new());
                    }
                }
                if let Some(line) = shown(&moment).filter(|_| screen.look() != Look::Json) {
                    screen.print(&format!("{}\n", voice.say(&line)));
                }
            };
            let language = language.clone();
            let ends_at_heading = held.ends_at_heading;
            let mut holding =
                Holding { app, layers, language, target_language, others, ends_at_heading, log: &mut log };
            let spoken = holding.hold(answer).await;
            held.seen = seen;
            match spoken {
                Ok((left, view)) => {
                    held.stand(view);
                    return Ok(left);
                }
                // Someone else was faster: the talk continues from the flow's present state.
                Err(Failure::Conflict { .. } | Failure::Refused { .. } | Failure::Over { .. }) => {
                    held.stand(turn::view_of(&app.load(&held.view.id).await?));
                }
                Err(failure) => return Err(failure),
            }
        }
    }

    /// Shows a question whose answer cannot be spoken, and says that it has to be typed.
    fn want_typing(&mut self, held: &Held, layers: &mut Layers) {
        let Some(mut ask) = held.desk.ask.clone().filter(|ask| !matches!(ask.form, Form::Wait { .. })) else {
            return;
        };
        // The question has already been spoken.
        ask.question = Text::default();
        let text = words::voice_typed();
        let line =
            Spoken { text: self.voice.say(&text), language: self.voice.language.clone(), pace: Pace::Usual };
        self.show(&[Item::Ask(ask), Item::Note(text)]);
        // A loudspeaker that fails here will fail again when it is needed.
        let Layers { speaker, ears, .. } = layers;
        let _ = tokio::task::block_in_place(|| speaker.speak(&line, ears));
    }

    fn tell_end(&mut self, view: &View, left: &Left) {
        let trouble = match left {
            Left::Troubled(trouble) => json!({"message": trouble.message, "cure": trouble.cure}),
            _ => json!(null),
        };
        if self.screen.look() == Look::Json {
            let told = json!({
                "id": view.id, "state": view.state, "outcome": view.outcome, "counters": view.counters,
                "data": view.data, "trouble": trouble,
            });
            self.screen.print(&format!("{told}\n"));
        }
        if matches!(left, Left::Silent | Left::Over { in_silence: true }) {
            self.note(words::voice_unheard());
        }
    }
}

/// Whether an item is spoken with these lines or, without lines, with the whole desk.
pub(super) fn is_spoken(item: &Item, said: Option<&[Line]>) -> bool {
    match item {
        Item::Block(Block::Line(line)) | Item::Feedback(line, _) => {
            said.is_none_or(|said| said.contains(line))
        }
        Item::Block(Block::Text { .. }) => said.is_none(),
        Item::Ask(_) => true,
        _ => false,
    }
}
