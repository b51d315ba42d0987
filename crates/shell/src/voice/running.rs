//! Runs the voice loop once, from its opening to its end.

use super::{FLOW, law};
use crate::engine::app::App;
use crate::engine::failure::Failure;
use crate::engine::turn::{self, Opening, Request};
use crate::engine::view::{Answer, View};
use crate::engine::worker;
use ::voice::Trouble;
use ::voice::ears::{Recording, Woken};
use ::voice::layers::{Layers, Parsed};
use ::voice::line::{Line, Pace};
use coaching::text::Words;
use coaching::turn::Source;
use coaching::voice::intent::Intent;
use coaching::voice::{By, Manner, VoiceMore, stop_words, words};
use coaching::words::Text;
use serde_json::{Value, json};
use std::time::{Duration, Instant};

/// The pause between two looks at a flow that waits for a model, and the most looks.
const LOOK_AGAIN: Duration = Duration::from_millis(100);
const MAX_LOOKS: usize = 100;

/// A run with its layers.
#[expect(missing_debug_implementations, reason = "a closure cannot be shown")]
pub struct Run<'a> {
    pub app: &'a App,
    pub layers: &'a mut Layers,
    pub learner: &'a str,
    pub language: &'a str,
    /// Whether a wake word begins a turn. The end of that word is then no part of the answer.
    pub has_wake_word: bool,
    /// Whether an intent service and a handler outside Etude are asked.
    pub intents_outside: bool,
    pub answers_outside: bool,
    pub set: flow::Overrides,
    /// Hears of every step.
    pub log: &'a mut dyn FnMut(Step<'_>),
}

/// A step of a run, for its log.
#[derive(Debug)]
pub enum Step<'a> {
    Started { of: u32, stop_words: &'a str },
    Iteration { turn: u32, of: u32 },
    Listening,
    Woken,
    Recording,
    Recorded { samples: usize, seconds: f32 },
    Transcribing,
    Transcribed { text: &'a str, ms: u64 },
    Parsing,
    Intent(&'a Intent),
    Generating,
    Answer { text: &'a str, by: By, ms: u64 },
    Speaking,
    Spoken { seconds: f32, first_sound_ms: Option<u64> },
    CutIn,
    NotHeard { text: &'a str },
    StopWord { word: &'a str },
    Failed { trouble: &'a Trouble },
    GoesOn { left: u32 },
    Ended { turns: u32, reason: &'a str, outcome: &'a str },
}

/// The state of one turn. The next turn gets a new one.
#[derive(Default)]
struct Now {
    recording: Recording,
    /// When the end of the learner's speech was noticed.
    heard_at: Option<Instant>,
    /// Whether the learner cut in and is speaking already.
    is_speaking: bool,
}

/// The speaker's state, which passes from turn to turn. No turn reads it.
#[derive(Default)]
struct Mouth {
    /// The text spoken last, for “say that again”.
    last: Option<String>,
    /// Whether the learner cut in.
    is_cut_in: bool,
}

impl Run<'_> {
    /// Runs the loop to its end and returns the final view of the flow.
    pub async fn run(&mut self) -> Result<View, Failure> {
        let opening = json!({
            "language": self.language, "voice": true,
            "intents_outside": self.intents_outside, "answers_outside": self.answers_outside,
        });
        let (learner, set) = (self.learner.to_owned(), self.set.clone());
        let opened = turn::open(
            self.app,
            Opening { flow: FLOW.to_owned(), learner, opening, set, ..Opening::default() },
        );
        let mut answer = opened.await?;
        let law = law(self.app);
        let stop_words = law.as_ref().map_or("", stop_words);
        (self.log)(Step::Started { of: shown(&answer.view).of, stop_words });
        let (mut mouth, mut now) = (Mouth::default(), Now::default());
        while answer.view.outcome.is_none() {
            answer = match layer(&answer.view).as_str() {
                "wake" => {
                    now = Now { is_speaking: std::mem::take(&mut mouth.is_cut_in), ..Now::default() };
                    self.listen(&answer.view, now.is_speaking).await?
                }
                "record" => self.record(&answer.view, &mut now).await?,
                "transcribe" => self.transcribe(&answer.view, &now).await?,
                "understand" => self.understand(&answer.view).await?,
                "respond" if self.answers_outside => self.answer(&answer.view).await?,
                "speak" | "excuse" => self.speak(&answer, &now, &mut mouth).await?,
                _ => self.wait(&answer.view).await?,
            };
        }
        let VoiceMore { turn, reason, .. } = shown(&answer.view);
        let reason = self.say(&reason.unwrap_or_default());
        let outcome = answer.view.outcome.clone().unwrap_or_default();
        (self.log)(Step::Ended { turns: turn, reason: &reason, outcome: &outcome });
        Ok(answer.view)
    }

    /// Waits for the trigger that begins a turn. A learner who cut in has begun already.
    async fn listen(&mut self, view: &View, is_speaking: bool) -> Result<Answer, Failure> {
        let VoiceMore { turn, of, .. } = shown(view);
        let turn = turn + 1;
        if turn > 1 {
            (self.log)(Step::GoesOn { left: of - turn + 1 });
        }
        (self.log)(Step::Iteration { turn, of });
        self.layers.reset();
        if is_speaking {
            return self.send(view, "wake", Value::Null, Source::User).await;
        }
        (self.log)(Step::Listening);
        let Layers { trigger, ears, .. } = &mut *self.layers;
        match tokio::task::block_in_place(|| trigger.wait(ears)) {
            Ok(Woken::Yes) => {
                (self.log)(Step::Woken);
                self.send(view, "wake", Value::Null, Source::User).await
            }
            Ok(Woken::No) => self.send(view, "no_wake", Value::Null, Source::Timer).await,
            Ok(Woken::Interrupted) => self.send(view, "leave", Value::Null, Source::User).await,
            Err(trouble) => self.fail(view, &trouble).await,
        }
    }

    async fn record(&mut self, view: &View, now: &mut Now) -> Result<Answer, Failure> {
        (self.log)(Step::Recording);
        match tokio::task::block_in_place(|| self.utterance(now.is_speaking)) {
            Ok(recording) => {
                let (samples, seconds) = (recording.sound.samples.len(), recording.sound.seconds());
                if recording.text.is_none() {
                    (self.log)(Step::Recorded { samples, seconds });
                }
                *now = Now { recording, heard_at: Some(Instant::now()), is_speaking: false };
                self.send(view, "recorded", json!({"samples": samples, "seconds": seconds}), Source::System)
                    .await
            }
            Err(trouble) => self.fail(view, &trouble).await,
        }
    }

    /// Records the learner's words. A learner who cut in has already begun; if they said only the wake word, their
    /// words follow.
    fn utterance(&mut self, is_speaking: bool) -> Result<Recording, Trouble> {
        let layers = &mut *self.layers;
        let recording = layers.record(self.has_wake_word && !is_speaking, self.language)?;
        if is_speaking && self.has_wake_word && layers.trigger.is_all_of(&recording)? {
            (self.log)(Step::Woken);
            return layers.record(false, self.language);
        }
        Ok(recording)
    }

    async fn transcribe(&mut self, view: &View, now: &Now) -> Result<Answer, Failure> {
        (self.log)(Step::Transcribing);
        let started = Instant::now();
        let (language, recogniser) = (self.language, &mut self.layers.recogniser);
        match tokio::task::block_in_place(|| recogniser.transcribe(&now.recording, language)) {
            Ok(text) => {
                let ms = started.elapsed().as_millis() as u64;
                (self.log)(Step::Transcribed { text: &text, ms });
                if !Words::new(&text).is_empty() {
                    (self.log)(Step::Parsing);
                }
                let heard = json!({"text": text, "ms": ms});
                let answer = self.send(view, "transcribed", heard, Source::System).await?;
                self.tell_intent(&answer.view);
                self.tell_answer(&answer.view, started);
                Ok(answer)
            }
            Err(trouble) => self.fail(view, &trouble).await,
        }
    }

    /// Asks a service outside Etude for the intent.
    async fn understand(&mut self, view: &View) -> Result<Answer, Failure> {
        let (heard, started) = (shown(view).heard, Instant::now());
        let (language, parser) = (self.language, &mut self.layers.parser);
        match tokio::task::block_in_place(|| parser.parse(&heard, language)) {
            Ok(parsed) => {
                let intent = intent(parsed, &heard, language);
                let answer = self.send(view, "understood", intent, Source::System).await?;
                self.tell_intent(&answer.view);
                self.tell_answer(&answer.view, started);
                Ok(answer)
            }
            Err(trouble) => self.fail(view, &trouble).await,
        }
    }

    /// Asks a handler outside Etude for an answer.
    async fn answer(&mut self, view: &View) -> Result<Answer, Failure> {
        let (heard, started) = (shown(view).heard, Instant::now());
        let (language, responder) = (self.language, &mut self.layers.responder);
        match tokio::task::block_in_place(|| responder.respond(&heard, language)) {
            Ok(text) => {
                let text = json!({"text": text.unwrap_or_default()});
                let answer = self.send(view, "answered", text, Source::Model).await?;
                self.tell_answer(&answer.view, started);
                Ok(answer)
            }
            Err(trouble) => self.fail(view, &trouble).await,
        }
    }

    fn tell_intent(&mut self, view: &View) {
        if let Some(intent) = shown(view).intent {
            (self.log)(Step::Intent(&intent));
            (self.log)(Step::Generating);
        }
    }

    /// Logs the answer, unless only the speaker knows the words.
    fn tell_answer(&mut self, view: &View, since: Instant) {
        let VoiceMore { answer, answered_by, manner, .. } = shown(view);
        if layer(view) == "speak" && manner.unwrap_or_default() == Manner::Plain {
            let (text, by) = (self.say(&answer.unwrap_or_default()), answered_by.unwrap_or(By::Rules));
            (self.log)(Step::Answer { text: &text, by, ms: since.elapsed().as_millis() as u64 });
        }
    }

    async fn speak(&mut self, answer: &Answer, now: &Now, mouth: &mut Mouth) -> Result<Answer, Failure> {
        let view = &answer.view;
        let said: Vec<String> = answer.said.iter().map(|line| self.say(&line.say)).collect();
        let said = said.join(" ");
        let VoiceMore { manner, stop_word, .. } = shown(view);
        let manner = manner.unwrap_or_default();
        let is_answer = layer(view) == "speak";
        let text = if is_answer && manner != Manner::Plain {
            let last = mouth.last.clone().unwrap_or_else(|| self.say(&words::nothing_to_repeat()));
            (self.log)(Step::Answer { text: &last, by: By::Rules, ms: 0 });
            last
        } else {
            said
        };
        if !is_answer {
            (self.log)(Step::NotHeard { text: &text });
        }
        (self.log)(Step::Speaking);
        let pace = if manner == Manner::Slower { Pace::Slow } else { Pace::Usual };
        // If Etude has no sentences in this language, they come in another.
        let language = self.app.words.choose([self.language]).to_owned();
        let line = Line { text: text.clone(), language, pace };
        let before = now.heard_at.map(|at| at.elapsed().as_millis() as u64 + now.recording.noticed_ms);
        let Layers { speaker, ears, .. } = &mut *self.layers;
        let spoken = tokio::task::block_in_place(|| speaker.speak(&line, ears));
        mouth.last = Some(text);
        match spoken {
            Ok(spoken) => {
                let first_sound_ms = before.map(|before| before + spoken.ready_ms);
                (self.log)(Step::Spoken { seconds: spoken.seconds, first_sound_ms });
                mouth.is_cut_in = spoken.is_interrupted && !self.layers.ears.is_over();
                if spoken.is_interrupted {
                    (self.log)(Step::CutIn);
                }
                if let Some(word) = stop_word.as_deref().filter(|_| is_answer) {
                    (self.log)(Step::StopWord { word });
                }
                self.send(view, "spoken", json!({"seconds": spoken.seconds}), Source::System).await
            }
            Err(trouble) => self.fail(view, &trouble).await,
        }
    }

    /// Waits for a model, up to a limit, and then goes on without it.
    async fn wait(&mut self, view: &View) -> Result<Answer, Failure> {
        for _ in 0..MAX_LOOKS {
            worker::take_up(self.app, &view.id).await?;
            let now = turn::view_of(&self.app.load(&view.id).await?);
            if now.version != view.version {
                self.tell_answer(&now, Instant::now());
                let said = now.desk.iter().flat_map(|desk| &desk.blocks);
                let lines = said.filter_map(|block| match block {
                    coaching::desk::Block::Line(line) => Some(line.clone()),
                    _ => None,
                });
                return Ok(Answer { said: lines.collect(), ..Answer::of(now.clone()) });
            }
            tokio::time::sleep(LOOK_AGAIN).await;
        }
        self.send(view, "stalled", Value::Null, Source::Timer).await
    }

    /// Ends the run after the first error; the law makes the coach say so, once. If the learner has asked to end,
    /// that is the reason for the error, and the flow is left.
    async fn fail(&mut self, view: &View, trouble: &Trouble) -> Result<Answer, Failure> {
        if self.layers.ears.is_interrupted() {
            return self.send(view, "leave", Value::Null, Source::User).await;
        }
        (self.log)(Step::Failed { trouble });
        self.send(view, "failed", json!({"reason": trouble.message}), Source::System).await
    }

    async fn send(
        &self,
        view: &View,
        event: &str,
        payload: Value,
        source: Source,
    ) -> Result<Answer, Failure> {
        let expect_version = Some(view.version);
        let request = Request { payload, expect_version, ..Request::new(&view.id, event, source) };
        match turn::take(self.app, request).await {
            // A server beside this run also fires the law's timers. Its decision holds.
            Err(Failure::Conflict { .. }) => Ok(Answer::of(turn::view_of(&self.app.load(&view.id).await?))),
            taken => taken,
        }
    }

    fn say(&self, text: &Text) -> String {
        self.app.words.say(self.app.words.choose([self.language]), text)
    }
}

/// Returns the intent that a service found, or the rules' intent if the service found none.
fn intent(parsed: Option<Parsed>, heard: &str, language: &str) -> Value {
    let Some(Parsed { name, confidence }) = parsed else { return json!(Intent::parse(heard, language).ok()) };
    let known = ["greeting", "question", "command"].into_iter().find(|known| *known == name);
    json!({"kind": known.unwrap_or("unknown"), "confidence": confidence, "text": heard})
}

fn shown(view: &View) -> VoiceMore {
    view.more()
}

/// Returns the layer that has the turn.
fn layer(view: &View) -> String {
    shown(view).layer.unwrap_or_default()
}
