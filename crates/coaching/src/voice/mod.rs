//! The voice: a bounded loop of independent turns.
//!
//! `law.yaml` decides what happens next: wake, record, transcribe, understand, answer, speak, stop or begin again.
//! This module knows no sound; surfaces with a microphone report what they heard and that they have spoken. A
//! [`Turn`] is all that a turn can see of what was said, and it is created before each one, so nothing passes from
//! one turn to the next.

mod answers;
mod desk;
pub mod intent;
pub mod words;

pub use answers::{KNOWLEDGE_KIND, Knowledge};
pub use desk::VoiceMore;

use crate::ask::{ModelAnswer, ModelResult};
use crate::desk::{Desk, Line, Role};
use crate::face::{Does, Face, NEEDS, Needs, VERB, Verb, http, schema};
use crate::look::Begin;
use crate::pack::Pack;
use crate::rejected::{Rejected, read_given};
use crate::text::{MAX_HEARD_CHARS, Words};
use crate::turn::{At, Flow, Stage};
use crate::words::{DEFAULT_LANGUAGE, Text};
use answers::Speaker;
use desk::Reason;
use flow::{Constant, Machine, Name, Origin, Vocabulary};
use intent::Intent;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

flow::names! {
    pub enum Action {
        ForgetTurn = "forget_turn",
        SayNotHeard = "say_not_heard",
        ParseIntent = "parse_intent",
        Answer = "answer",
        AnswerKnowing = "answer_knowing",
        Speak = "speak",
        SaySorry = "say_sorry",
    }
}

flow::names! {
    pub enum Event {
        Wake = "wake",
        Said = "said",
        Recorded = "recorded",
        Transcribed = "transcribed",
        Understood = "understood",
        Known = "known",
        Answered = "answered",
        Spoken = "spoken",
        Failed = "failed",
        NoWake = "no_wake",
        Stalled = "stalled",
        Leave = "leave",
    }
}

flow::names! {
    pub enum Fact {
        HasWords = "has_words",
        IsStopByUser = "is_stop_by_user",
        IsStopByModel = "is_stop_by_model",
        LeadsOn = "leads_on",
    }
}

pub fn vocabulary() -> Vocabulary {
    Vocabulary::of::<Action, Event, Fact>("VoiceLoop", |event| match event {
        Event::Wake | Event::Said | Event::Leave => Origin::Learner,
        Event::NoWake | Event::Stalled => Origin::Silence,
        _ => Origin::Machine,
    })
    .reading(&[MAX_INTERACTIONS, STOP_WORDS])
    .counting(&[INTERACTIONS])
    .describing(LAYER, &[])
    .describing(REASON, &Reason::names())
}

const INTERACTIONS: &str = "interactions";
const LAYER: &str = "layer";
const REASON: &str = "reason";

const MAX_INTERACTIONS: &str = "max_interactions";
const STOP_WORDS: &str = "stop_words";
/// The most characters of an answer. A longer one is cut: it would tire the listener.
const MAX_ANSWER_CHARS: usize = 600;
const MAX_REASON_CHARS: usize = 300;

/// The loop, with the packs whose words it can explain.
#[derive(Debug)]
pub struct VoiceLoop {
    packs: Vec<Pack>,
}

impl VoiceLoop {
    pub fn new(packs: impl IntoIterator<Item = Pack>) -> VoiceLoop {
        VoiceLoop { packs: packs.into_iter().collect() }
    }
}

/// The opening of a conversation.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct VoiceOpening {
    /// The language that is spoken, as a BCP 47 tag; English by default.
    #[serde(default)]
    language: Option<String>,
    /// Whether answers are spoken; `spoken` then reports that one has been.
    #[serde(default)]
    voice: bool,
    /// Whether the caller understands what was said and sends `understood`.
    #[serde(default)]
    intents_outside: bool,
    /// Whether the caller answers, by `answered`.
    #[serde(default)]
    answers_outside: bool,
    /// Whether a model may answer what the rules cannot.
    #[serde(default)]
    model: bool,
}

/// The data of one run: how it was opened, the present turn, and what went wrong. It is written after every step,
/// so empty fields are left out.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Data {
    language: String,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    voice: bool,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    intents_outside: bool,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    answers_outside: bool,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    model: bool,
    #[serde(default, skip_serializing_if = "Turn::is_empty")]
    turn: Turn,
    /// The first failure.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    failure: Option<String>,
}

/// Everything that is known in one turn. Each turn begins with an empty one.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Turn {
    heard: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    intent: Option<Intent>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    knowledge: Option<Knowledge>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    answer: Option<Answer>,
    /// The stop word that the learner said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    stop_by_user: Option<String>,
    /// The stop word in an answer from outside.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    stop_by_model: Option<String>,
}

impl Turn {
    /// Whether nothing was heard yet. Nothing is understood before that.
    fn is_empty(&self) -> bool {
        self.heard.is_empty()
    }
}

/// An answer of the coach.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Answer {
    say: Text,
    by: By,
    #[serde(default)]
    manner: Manner,
    /// The flow that the learner goes on with, and its title.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    next: Option<(Begin, String)>,
}

/// The author of an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum By {
    Rules,
    Model,
    /// A program beside Etude, such as a Wyoming handler.
    Outside,
}

impl By {
    pub fn as_str(self) -> &'static str {
        match self {
            By::Rules => "rules",
            By::Model => "model",
            By::Outside => "outside",
        }
    }
}

/// The manner in which an answer is spoken. The speaker knows what was spoken last; the loop does not.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Manner {
    #[default]
    Plain,
    /// Says again what was spoken last.
    Again,
    /// Says slowly what was spoken last.
    Slower,
}

/// A transcript.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Utterance {
    /// The learner's own words.
    pub text: String,
}

#[derive(Debug, Deserialize)]
struct Failure {
    reason: String,
}

/// There are no tools for assistants: an assistant has a voice of its own.
const OPEN: Verb = Verb {
    name: "open",
    does: Does::Opens,
    payload: Some(schema::<VoiceOpening>),
    http: http("start_voice", "/api/voices", "Start a conversation of a few independent turns"),
    ..VERB
};

const SAY: Verb = Verb {
    name: "say",
    does: Does::Says(Event::Said.name()),
    payload: Some(schema::<Utterance>),
    http: http("say_voice", "/api/voices/{id}/say", "Say something as the learner: one whole turn, in text"),
    ..VERB
};

const LEAVE: Verb = Verb {
    name: "leave",
    does: Does::Ends(Event::Leave.name()),
    http: http("leave_voice", "/api/voices/{id}/leave", "End a conversation"),
    typed: &[":leave"],
    ..VERB
};

impl Flow for VoiceLoop {
    type Action = Action;
    type Event = Event;
    type Fact = Fact;
    type Data = Data;
    type More = VoiceMore;
    const FACE: Face = Face {
        name: "voice",
        law: include_str!("law.yaml"),
        vocabulary,
        words: words::FILES,
        verbs: &[OPEN, SAY, LEAVE],
        looks: &[],
        find: None,
        needs: Needs { model: true, ..NEEDS },
    };

    fn open(&self, opening: &Value, _: &Machine, _: &mut Stage<'_>) -> Result<Data, Rejected> {
        let given: VoiceOpening = match opening {
            Value::Null => read("the opening", &json!({}))?,
            given => read("the opening", given)?,
        };
        Ok(Data {
            language: given.language.unwrap_or_else(|| DEFAULT_LANGUAGE.to_owned()),
            voice: given.voice,
            intents_outside: given.intents_outside,
            answers_outside: given.answers_outside,
            model: given.model,
            ..Data::default()
        })
    }

    fn hear(
        &self,
        data: &mut Data,
        event: Event,
        payload: &Value,
        _: &mut Stage<'_>,
    ) -> Result<(), Rejected> {
        match event {
            Event::Said | Event::Transcribed => {
                let Utterance { text } = read("what was heard", payload)?;
                data.turn.heard = cut(&text, MAX_HEARD_CHARS);
            }
            Event::Understood => {
                let intent: Intent = read("the intent", payload)?;
                let is_bare = data.intents_outside && intent.topic.is_none();
                data.turn.intent = Some(if is_bare { intent.completed(&data.language) } else { intent });
            }
            Event::Known => data.turn.knowledge = Some(Knowledge::read(payload)?),
            Event::Answered => self.take_answer(data, payload)?,
            Event::Failed => {
                let Failure { reason } = read("the failure", payload)?;
                data.failure.get_or_insert(cut(&reason, MAX_REASON_CHARS));
            }
            Event::Wake | Event::Recorded | Event::Spoken | Event::NoWake | Event::Stalled | Event::Leave => {
            }
        }
        Ok(())
    }

    fn holds(&self, data: &Data, fact: Fact) -> bool {
        match fact {
            Fact::HasWords => has_words(&data.turn.heard),
            Fact::IsStopByUser => data.turn.stop_by_user.is_some(),
            Fact::IsStopByModel => data.turn.stop_by_model.is_some(),
            Fact::LeadsOn => data.turn.answer.as_ref().is_some_and(|answer| answer.next.is_some()),
        }
    }

    fn act(&self, data: &mut Data, action: Action, at: &At<'_>, stage: &mut Stage<'_>) {
        match action {
            Action::ForgetTurn => data.turn = Turn::default(),
            Action::SayNotHeard => stage.tell(Role::Feedback, words::not_heard()),
            Action::ParseIntent => parse(data, at, stage),
            Action::Answer => self.answer(data, at, stage),
            Action::AnswerKnowing => {
                let speaker = Speaker { packs: &self.packs, language: &data.language };
                if let (Some(intent), Some(knowledge)) = (&data.turn.intent, &data.turn.knowledge) {
                    give(speaker.knowing(intent, knowledge), stage);
                }
            }
            Action::Speak => speak(data, at, stage),
            Action::SaySorry => stage.tell(Role::Alarm, words::sorry()),
        }
    }

    /// Without a voice, saying something takes no time.
    fn settled(&self, data: &Data, at: &At<'_>) -> Option<Event> {
        (!data.voice && at.takes(Event::Spoken.name())).then_some(Event::Spoken)
    }

    fn desk(&self, data: &Data, at: &At<'_>) -> Desk {
        desk::desk(data, at)
    }

    fn more(&self, data: &Data, at: &At<'_>) -> VoiceMore {
        desk::more(data, at)
    }
}

/// Notes the learner's stop word, and understands the utterance unless the caller does.
fn parse(data: &mut Data, at: &At<'_>, stage: &mut Stage<'_>) {
    data.turn.stop_by_user = intent::stop_word(&data.turn.heard, stop_words(at.machine), &data.language);
    if data.intents_outside {
        return;
    }
    // The law comes here only if something was said.
    if let Ok(intent) = Intent::parse(&data.turn.heard, &data.language) {
        stage.raise(Event::Understood, json!(intent));
    }
}

impl VoiceLoop {
    /// Answers one intent: from the rules, from what is known of the learner, or from a model.
    fn answer(&self, data: &mut Data, at: &At<'_>, stage: &mut Stage<'_>) {
        let (Some(intent), false) = (&data.turn.intent, data.answers_outside) else { return };
        let speaker = Speaker { packs: &self.packs, language: &data.language };
        let turn = at.counter(INTERACTIONS);
        match speaker.answer(intent, data.turn.stop_by_user.is_some()) {
            Some(answer) => give(answer, stage),
            None if answers::needs_knowledge(intent) => {
                let subjects = answers::needs_subjects(intent);
                let (answered_by, failed_by) = (Event::Known.name(), Event::Failed.name());
                let asked = json!({"answered_by": answered_by, "failed_by": failed_by, "subjects": subjects});
                stage.ask(KNOWLEDGE_KIND, asked);
            }
            None if data.model => stage.ask_model(&answers::prompt(intent, &data.language, turn.into())),
            None => give(speaker.clarify(intent), stage),
        }
    }

    /// Takes an answer of the rules, of a model, or of the caller. Without a usable one the rules answer.
    fn take_answer(&self, data: &mut Data, payload: &Value) -> Result<(), Rejected> {
        let speaker = Speaker { packs: &self.packs, language: &data.language };
        let answer = match ModelAnswer::read(payload)? {
            Some(ModelAnswer { result: ModelResult::Reply(reply), .. }) => answers::reply(&reply)?,
            Some(ModelAnswer { result: ModelResult::Failed(_), .. }) => match &data.turn.intent {
                Some(intent) => speaker.clarify(intent),
                None => return Ok(()),
            },
            None if payload.get("say").is_some() => read("the answer", payload)?,
            None => {
                let Utterance { text } = read("the answer", payload)?;
                let text = cut(&text.split_whitespace().collect::<Vec<_>>().join(" "), MAX_ANSWER_CHARS);
                match &data.turn.intent {
                    Some(intent) if !has_words(&text) => speaker.clarify(intent),
                    _ => Answer { say: text.into(), ..Answer::of(By::Outside) },
                }
            }
        };
        // Only a speaker remembers what it has said.
        let is_lost = !data.voice && answer.manner != Manner::Plain;
        let nothing = || Answer { say: words::nothing_to_repeat(), ..Answer::of(By::Rules) };
        data.turn.answer = Some(if is_lost { nothing() } else { answer });
        Ok(())
    }
}

/// Says the answer. The answers of the rules never ask to stop; those of others are searched for a stop word.
fn speak(data: &mut Data, at: &At<'_>, stage: &mut Stage<'_>) {
    let Some(answer) = &data.turn.answer else { return };
    if let (true, Some(text)) = (answer.by != By::Rules, answer.say.plain()) {
        data.turn.stop_by_model = intent::stop_word(text, stop_words(at.machine), &data.language);
    }
    stage.say(Line::new(Role::Feedback, answer.say.clone()));
}

fn give(answer: Answer, stage: &mut Stage<'_>) {
    stage.raise(Event::Answered, json!(answer));
}

impl Answer {
    fn of(by: By) -> Answer {
        Answer { say: Text::default(), by, manner: Manner::Plain, next: None }
    }
}

/// Returns the words that end a run in any language. They also end every other flow that is held by voice.
pub fn stop_words(law: &Machine) -> &str {
    match law.constant(STOP_WORDS) {
        Some(Constant::Text(words)) => words,
        _ => "",
    }
}

/// Returns how many turns a run has, silent ones included. Another flow that is held by voice asks as often into
/// silence.
pub fn max_turns(law: &Machine) -> usize {
    usize::try_from(law.number(MAX_INTERACTIONS, 0)).unwrap_or(0)
}

fn read<'v, T: Deserialize<'v>>(what: &'static str, given: &'v Value) -> Result<T, Rejected> {
    read_given(given).map_err(|why| words::unreadable(what, why))
}

/// Whether anything was said. Each turn asks several times, so a text with an ASCII letter or digit is not taken
/// apart.
fn has_words(text: &str) -> bool {
    text.bytes().any(|byte| byte.is_ascii_alphanumeric()) || !Words::new(text).is_empty()
}

fn cut(text: &str, chars: usize) -> String {
    text.trim().chars().take(chars).collect()
}
