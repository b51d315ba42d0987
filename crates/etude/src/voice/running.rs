//! One run of the loop.

use crate::engine::app::App;
use crate::engine::failure::Failure;
use crate::engine::turn::{self, Opening, Request};
use crate::engine::view::{Answer, View};
use crate::engine::worker;
use ::voice::Trouble;
use ::voice::ears::{Recording, Woken};
use ::voice::layers::Layers;
use ::voice::line::{Line, Pace};
use coaching::turn::{Flow, Source};
use coaching::voice::VoiceLoop;
use coaching::words::Text;
use serde_json::{Value, json};
use std::time::{Duration, Instant};

const FLOW: &str = VoiceLoop::FACE.name;
/// How often a flow that waits for a model is looked at, and how many times.
const LOOK_AGAIN: Duration = Duration::from_millis(100);
const MAX_LOOKS: usize = 100;

/// A run with its layers.
#[expect(missing_debug_implementations, reason = "a closure cannot be shown")]
pub struct Run<'a> {
    pub app: &'a App,
    pub layers: &'a mut Layers,
    pub learner: &'a str,
    pub language: &'a str,
    /// Whether a wake word begins a turn, whose tail is not part of what is said.
    pub has_wake_word: bool,
    /// Whether an intent service and a handler beside Etude are asked.
    pub intents_outside: bool,
    pub answers_outside: bool,
    pub set: flow::Overrides,
    /// Is told of every step.
    pub log: &'a mut dyn FnMut(Step<'_>),
}

/// What happens in a run, for its log.
#[derive(Debug)]
pub enum Step<'a> {
    Started { of: u64 },
    Iteration { turn: u64, of: u64 },
    Listening,
    Woken,
    Recording,
    Recorded { samples: usize, seconds: f32 },
    Transcribing,
    Transcribed { text: &'a str, ms: u64 },
    Parsing,
    Intent { kind: &'a str, confidence: f64 },
    Generating,
    Answer { text: &'a str, by: &'a str, ms: u64 },
    Speaking,
    Spoken { seconds: f32, first_sound_ms: Option<u64> },
    CutIn,
    NotHeard { text: &'a str },
    StopWord { word: &'a str },
    Failed { trouble: &'a Trouble },
    GoesOn { left: u64 },
    Ended { turns: u64, reason: &'a str, outcome: &'a str },
}

/// What one turn holds until it is over. The next turn gets a new one.
#[derive(Default)]
struct Now {
    recording: Recording,
    /// When the learner was heard to have stopped.
    heard_at: Option<Instant>,
    /// Whether the learner cut in and is speaking already.
    is_speaking: bool,
}

/// What passes from turn to turn: the speaker's part. No turn knows of it.
#[derive(Default)]
struct Mouth {
    /// What was spoken last, for “say that again”.
    last: Option<String>,
    /// Whether the learner cut in.
    is_cut_in: bool,
}

impl Run<'_> {
    /// Runs to the end and returns what the flow shows then.
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
        (self.log)(Step::Started { of: number(&answer.view, "of") });
        let (mut mouth, mut now) = (Mouth::default(), Now::default());
        while answer.view.outcome.is_none() {
            answer = match layer(&answer.view) {
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
        let reason = self.say(&text_at(&answer.view, "reason"));
        let outcome = answer.view.outcome.clone().unwrap_or_default();
        let turns = number(&answer.view, "turn");
        (self.log)(Step::Ended { turns, reason: &reason, outcome: &outcome });
        Ok(answer.view)
    }

    /// Waits for what begins a turn. Who cut in has begun one.
    async fn listen(&mut self, view: &View, is_speaking: bool) -> Result<Answer, Failure> {
        let (turn, of) = (number(view, "turn") + 1, number(view, "of"));
        if turn > 1 {
            (self.log)(Step::GoesOn { left: of - turn + 1 });
        }
        (self.log)(Step::Iteration { turn, of });
        self.layers.ears.reset();
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

    /// What the learner says. Those who cut in have begun; if they said only the wake word, what they mean follows.
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
                let heard = json!({"text": text, "ms": ms});
                let answer = self.send(view, "transcribed", heard, Source::System).await?;
                self.tell_intent(&answer.view);
                self.tell_answer(&answer.view, started);
                Ok(answer)
            }
            Err(trouble) => self.fail(view, &trouble).await,
        }
    }

    /// Asks a service beside Etude what was meant.
    async fn understand(&mut self, view: &View) -> Result<Answer, Failure> {
        let (heard, started) = (heard(view), Instant::now());
        let (language, parser) = (self.language, &mut self.layers.parser);
        match tokio::task::block_in_place(|| parser.parse(&heard, language)) {
            Ok(parsed) => {
                let known = ["greeting", "question", "command"];
                let name = parsed.as_ref().map_or("unknown", |parsed| parsed.name.as_str());
                let kind = known.into_iter().find(|known| *known == name).unwrap_or("unknown");
                let confidence = parsed.as_ref().map_or(0.1, |parsed| parsed.confidence);
                let intent = json!({"kind": kind, "confidence": confidence, "text": heard});
                let answer = self.send(view, "understood", intent, Source::System).await?;
                self.tell_intent(&answer.view);
                self.tell_answer(&answer.view, started);
                Ok(answer)
            }
            Err(trouble) => self.fail(view, &trouble).await,
        }
    }

    /// Asks a handler beside Etude for an answer.
    async fn answer(&mut self, view: &View) -> Result<Answer, Failure> {
        let (heard, started) = (heard(view), Instant::now());
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
        if view.data["intent"].is_object() {
            (self.log)(Step::Parsing);
            let kind = view.data["intent"]["kind"].as_str().unwrap_or("unknown");
            let confidence = view.data["intent"]["confidence"].as_f64().unwrap_or(0.0);
            (self.log)(Step::Intent { kind, confidence });
        }
    }

    fn tell_answer(&mut self, view: &View, since: Instant) {
        if layer(view) == "speak" {
            (self.log)(Step::Generating);
            let text = self.say(&text_at(view, "answer"));
            let by = view.data["answered_by"].as_str().unwrap_or("rules");
            (self.log)(Step::Answer { text: &text, by, ms: since.elapsed().as_millis() as u64 });
        }
    }

    async fn speak(&mut self, answer: &Answer, now: &Now, mouth: &mut Mouth) -> Result<Answer, Failure> {
        let view = &answer.view;
        let said: Vec<String> = answer.said.iter().map(|line| self.say(&line.say)).collect();
        let said = said.join(" ");
        let manner = view.data["manner"].as_str().unwrap_or("plain");
        let is_answer = layer(view) == "speak";
        let text = match mouth.last.clone().filter(|_| is_answer && manner != "plain") {
            Some(last) => {
                (self.log)(Step::Answer { text: &last, by: "rules", ms: 0 });
                last
            }
            None => said,
        };
        if !is_answer {
            (self.log)(Step::NotHeard { text: &text });
        }
        (self.log)(Step::Speaking);
        let pace = if manner == "slower" { Pace::Slow } else { Pace::Usual };
        let line = Line { text: text.clone(), language: self.language.to_owned(), pace };
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
                if let Some(word) = view.data["stop_word"].as_str().filter(|_| is_answer) {
                    (self.log)(Step::StopWord { word });
                }
                self.send(view, "spoken", json!({"seconds": spoken.seconds}), Source::System).await
            }
            Err(trouble) => self.fail(view, &trouble).await,
        }
    }

    /// Waits for a model, and at last goes on without it.
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

    /// The first error ends the run. The law has the coach say so, once.
    async fn fail(&mut self, view: &View, trouble: &Trouble) -> Result<Answer, Failure> {
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
        turn::take(self.app, Request { payload, expect_version, ..Request::new(&view.id, event, source) })
            .await
    }

    fn say(&self, text: &Text) -> String {
        self.app.words.say(self.app.words.choose([self.language]), text)
    }
}

/// Who has the turn.
fn layer(view: &View) -> &str {
    view.data["layer"].as_str().unwrap_or_default()
}

fn heard(view: &View) -> String {
    view.data["heard"].as_str().unwrap_or_default().to_owned()
}

fn number(view: &View, name: &str) -> u64 {
    view.data[name].as_u64().unwrap_or(0)
}

/// A sentence in what a flow shows of itself.
fn text_at(view: &View, name: &str) -> Text {
    serde_json::from_value(view.data[name].clone()).unwrap_or_default()
}
