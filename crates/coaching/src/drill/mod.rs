//! The drill: words and phrases of a language, one at a time, used until they stick.
//!
//! `law.yaml` decides what happens next. Here is what it asks for: which word comes, what the coach says, and
//! whether the learner used the word. Everything comes from packs and pure rules, so a drill needs no model. Where
//! there is one, it may invent the small dialogues, in words that the learner has met.

mod coach;
mod data;
mod dialogue;
mod opening;
mod phrases;
mod repertoire;
mod shelf;
mod slow;
mod view;

pub use data::{Data, POOL_KIND, PoolUses};

use crate::ask::ModelAnswer;
use crate::desk::Desk;
use crate::face::{Face, NEEDS, Needs};
use crate::learner::{ITEM_KIND, PROFILE_KIND};
use crate::pack::Pack;
use crate::record::Record;
use crate::rejected::Rejected;
use crate::text::MAX_HEARD_CHARS;
use crate::turn::{At, Flow, Stage};
use coach::Coach;
use flow::{Cause, Implied, Machine, Name, Origin, Vocabulary};
use serde_json::{Value, json};
use shelf::Shelf;

/// The law that ships with Etude.
pub const LAW: &str = include_str!("law.yaml");
/// The kinds of records that a drill reads when it opens.
pub const READS: [&str; 3] = [ITEM_KIND, POOL_KIND, PROFILE_KIND];

flow::names! {
    pub enum Action {
        IntroduceWord = "coach_introduce_word",
        ExplainWord = "coach_explain_word",
        ExampleSentence = "coach_example_sentence",
        PromptDialogue = "coach_prompt_dialogue",
        SlowRepeat = "coach_slow_repeat",
        EvaluateUsage = "evaluate_usage",
        ResetFailures = "reset_failures_counter",
        AddToPool = "add_word_to_learned_pool",
        PositiveReinforce = "coach_positive_reinforce",
        PickNextWord = "pick_next_new_word",
        ResetCounters = "reset_counters",
    }
}

flow::names! {
    pub enum Event {
        Start = "start",
        TtsDone = "tts_done",
        AsrResult = "asr_result",
        Timeout = "timeout",
        UsageCorrect = "usage_correct",
        UsageIncorrect = "usage_incorrect",
        NotAnAttempt = "not_an_attempt",
        NextWordAvailable = "next_word_available",
        NoMoreWords = "no_more_words",
        Done = "done",
        Leave = "leave",
    }
}

flow::names! {
    pub enum Fact {
        HasTarget = "has_target",
    }
}

/// The names of the drill. Laws that leave it to events and actions to move counters get what those imply.
pub fn vocabulary() -> Vocabulary {
    let implied = |cause, count, reset| Implied { cause, count, reset };
    Vocabulary::of::<Action, Event, Fact>("DialogueSession", origin).reading(&["required_usages"]).implying(
        &[
            implied(Cause::Event("usage_correct"), &["usage"], &[]),
            implied(Cause::Event("usage_incorrect"), &["failures"], &[]),
            implied(Cause::Action("reset_failures_counter"), &[], &["failures"]),
            implied(Cause::Action("reset_counters"), &[], &["usage", "failures"]),
        ],
    )
}

fn origin(event: Event) -> Origin {
    match event {
        Event::Start | Event::AsrResult | Event::Leave => Origin::Learner,
        Event::Timeout => Origin::Silence,
        Event::TtsDone
        | Event::UsageCorrect
        | Event::UsageIncorrect
        | Event::NotAnAttempt
        | Event::NextWordAvailable
        | Event::NoMoreWords
        | Event::Done => Origin::Machine,
    }
}

/// The drill with the packs it teaches from.
#[derive(Debug)]
pub struct Drill {
    shelves: Vec<Shelf>,
}

impl Drill {
    pub fn new(packs: impl IntoIterator<Item = Pack>) -> Drill {
        Drill { shelves: packs.into_iter().map(Shelf::new).collect() }
    }

    /// Every pack, in the order they were given.
    pub fn packs(&self) -> impl Iterator<Item = &Pack> {
        self.shelves.iter().map(|shelf| &shelf.pack)
    }

    fn shelf(&self, data: &Data) -> Result<&Shelf, Rejected> {
        shelf::find(&self.shelves, &data.pack)
    }

    /// A pack can be edited while a session is open; a word that is gone cannot be practised.
    fn check_target(&self, data: &Data) -> Result<(), Rejected> {
        let shelf = self.shelf(data)?;
        match &data.target {
            Some(word) if shelf.item(&word.id).is_none() => Err(Rejected {
                code: "word_gone",
                message: format!("the pack `{}` no longer has the word `{}`", data.pack, word.id).into(),
                cure: "leave this session and open a new one".into(),
            }),
            _ => Ok(()),
        }
    }
}

impl Flow for Drill {
    type Action = Action;
    type Event = Event;
    type Fact = Fact;
    type Data = Data;
    type More = Value;
    const FACE: Face = Face {
        name: "drill",
        law: LAW,
        vocabulary,
        words: &[],
        verbs: &[],
        looks: &[],
        needs: Needs { records: &READS, model: true, ..NEEDS },
    };

    fn open(&self, opening: &Value, _: &Machine, stage: &mut Stage<'_>) -> Result<Data, Rejected> {
        opening::open(&self.shelves, opening, &stage.moment)
    }

    fn hear(
        &self,
        data: &mut Data,
        event: Event,
        payload: &Value,
        stage: &mut Stage<'_>,
    ) -> Result<(), Rejected> {
        if let Some(edition) = stage.news(data.edition) {
            opening::catch_up(data, edition, stage.moment.records)?;
        }
        if event == Event::Leave {
            let records = [data.put_back_target(), data.take_new_uses()];
            remember(data, records, stage);
            return Ok(());
        }
        self.check_target(data)?;
        let coach = Coach::new(self.shelf(data)?);
        // Whatever else happens in place of an answer, nobody waits for the answer any more.
        let asked = data.asked.take();
        match event {
            Event::Start if data.target.is_none() => coach.say_nothing_to_do(stage),
            Event::TtsDone => coach.go_on(data, asked, ModelAnswer::read(payload)?, stage)?,
            Event::AsrResult => data.heard = utterance(payload)?,
            Event::Timeout => data.feedback = None,
            _ => {}
        }
        Ok(())
    }

    fn holds(&self, data: &Data, fact: Fact) -> bool {
        match fact {
            Fact::HasTarget => data.target.is_some(),
        }
    }

    fn act(&self, data: &mut Data, action: Action, at: &At<'_>, stage: &mut Stage<'_>) {
        // `hear` has made sure that the pack is there.
        let Ok(shelf) = self.shelf(data) else { return };
        let coach = Coach::new(shelf);
        match action {
            Action::IntroduceWord => coach.introduce(data, stage),
            Action::ExplainWord => coach.explain(data, stage),
            Action::ExampleSentence => coach.give_example(data, stage),
            Action::PromptDialogue => coach.prompt(data, at, stage),
            Action::SlowRepeat => coach.repeat_slowly(data, at, stage),
            Action::EvaluateUsage => coach.evaluate(data, at, stage),
            Action::AddToPool => add_to_pool(data, at, stage),
            Action::PositiveReinforce => coach.reinforce(data, stage),
            Action::PickNextWord => pick_next_word(data, shelf, stage),
            // Counters belong to the law, which resets them with these actions; `settled` says `done`.
            Action::ResetFailures | Action::ResetCounters => {}
        }
    }

    /// Bookkeeping is done at once, and so is speaking where lines are read and a model is not asked for one.
    fn settled(&self, data: &Data, at: &At<'_>) -> Option<Event> {
        let is_said = |event: &Event| *event != Event::TtsDone || !data.voice && data.asked.is_none();
        [Event::Done, Event::TtsDone].into_iter().filter(is_said).find(|event| at.takes(event.name()))
    }

    fn desk(&self, _: &Data, _: &At<'_>) -> Desk {
        Desk::default()
    }

    fn more(&self, data: &Data, at: &At<'_>) -> Value {
        self.shelf(data).map_or(Value::Null, |shelf| view::view(shelf, data, at))
    }
}

/// The uses that the law asks for until a word is learned.
fn required_usages(at: &At<'_>) -> u32 {
    u32::try_from(at.machine.number("required_usages", 3)).unwrap_or(0)
}

fn utterance(payload: &Value) -> Result<String, Rejected> {
    let text = payload.get("text").and_then(Value::as_str).ok_or_else(|| Rejected {
        code: "no_text",
        message: "there is no text in what was heard".into(),
        cure: "send what the learner said as {\"text\": \"…\"}".into(),
    })?;
    Ok(text.chars().take(MAX_HEARD_CHARS).collect())
}

fn add_to_pool(data: &mut Data, at: &At<'_>, stage: &mut Stage<'_>) {
    let is_mastered = at.counter("usage") >= required_usages(at);
    let records = [data.finish_target(is_mastered, stage.moment.now_us), data.take_new_uses()];
    remember(data, records, stage);
}

/// Another session of the learner may have practised the same words meanwhile.
fn remember(data: &mut Data, records: [Option<Record>; 2], stage: &mut Stage<'_>) {
    records.into_iter().flatten().for_each(|record| stage.remember_over(&mut data.edition, record));
}

fn pick_next_word(data: &mut Data, shelf: &Shelf, stage: &mut Stage<'_>) {
    let is_found = data.next_target(|id| shelf.item(id).is_some());
    stage.raise(if is_found { Event::NextWordAvailable } else { Event::NoMoreWords }, json!({}));
}
