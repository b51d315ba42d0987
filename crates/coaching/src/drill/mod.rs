//! The drill: words and phrases of a language, one at a time, used until they stick.
//!
//! `law.yaml` decides what happens next. This module computes what the law asks for: which word comes, what the
//! coach says, and whether the learner used the word. Everything comes from packs and pure rules, so a drill needs
//! no model. A model may invent the small dialogues, in words that the learner has met.

mod coach;
mod cue;
mod data;
mod desk;
mod dialogue;
mod opening;
mod primer;
mod repertoire;
mod slow;
mod subjects;
mod ways_out;
pub mod words;

pub use data::{Data, Feedback, POOL_KIND, PoolUses};
pub use desk::DrillMore;
pub use opening::DrillOpening;

use crate::ask::ModelAnswer;
use crate::desk::{Desk, Role};
use crate::face::{
    Answers, Does, Face, Given, NEEDS, Needs, Recalls, Tool, Verb, Who, as_given, http, schema,
};
use crate::learner::{ITEM_KIND, PROFILE_KIND, Quality};
use crate::look::{SUBJECTS, Shelf, Unseen};
use crate::pack::Pack;
use crate::record::Record;
use crate::rejected::Rejected;
use crate::text::MAX_HEARD_CHARS;
use crate::turn::{At, Flow, Stage};
use coach::Coach;
use data::Drilled;
use flow::{Cause, Implied, Machine, Origin, Vocabulary};
use primer::Primer;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

/// The law that ships with Etude.
pub const LAW: &str = include_str!("law.yaml");

flow::names! {
    pub enum Action {
        IntroduceWord = "coach_introduce_word",
        ExplainWord = "coach_explain_word",
        ExampleSentence = "coach_example_sentence",
        PromptDialogue = "coach_prompt_dialogue",
        SlowRepeat = "coach_slow_repeat",
        RemindWord = "coach_remind_word",
        AskRecall = "coach_ask_recall",
        GiveCue = "coach_give_cue",
        TellWord = "coach_tell_word",
        ShowWord = "coach_show_word",
        RememberAgain = "remember_again",
        RememberHard = "remember_hard",
        RememberGood = "remember_good",
        RememberEasy = "remember_easy",
        RestWord = "rest_word",
        SkipWord = "skip_word",
        PraiseUse = "coach_praise_use",
        Nudge = "coach_nudge",
        EvaluateUsage = "evaluate_usage",
        ResetFailures = "reset_failures_counter",
        AddToPool = "add_word_to_learned_pool",
        ParkWord = "park_word",
        PromiseReturn = "coach_promise_return",
        PositiveReinforce = "coach_positive_reinforce",
        PickNextWord = "pick_next_new_word",
        ResetCounters = "reset_counters",
        NothingToDo = "coach_nothing_to_do",
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
        GaveUp = "gave_up",
        Skip = "skip",
        NextWordAvailable = "next_word_available",
        NoMoreWords = "no_more_words",
        Done = "done",
        Leave = "leave",
    }
}

flow::names! {
    pub enum Fact {
        HasTarget = "has_target",
        IsKnown = "is_known",
        IsBack = "is_back",
        CanRest = "can_rest",
        IsFlawless = "is_flawless",
        IsAtOnce = "is_at_once",
        HasFailed = "has_failed",
    }
}

/// Returns the names of the drill. In laws of the first dialect, events and actions move counters.
pub fn vocabulary() -> Vocabulary {
    let implied = |cause, count, reset| Implied { cause, count, reset };
    Vocabulary::of::<Action, Event, Fact>("DialogueSession", origin)
        .reading(&[REQUIRED_USAGES, CUED_FROM, UNAIDED_FROM, AT_ONCE_SECONDS])
        .counting(&[USAGE])
        .implying(&[
            implied(Cause::Event("usage_correct"), &[USAGE], &[]),
            implied(Cause::Event("usage_incorrect"), &["failures"], &[]),
            implied(Cause::Action("reset_failures_counter"), &[], &["failures"]),
            implied(Cause::Action("reset_counters"), &[], &[USAGE, "failures"]),
        ])
}

/// The counter of correct uses of the word.
const USAGE: &str = "usage";
/// The constants of the law that the coach reads.
const REQUIRED_USAGES: &str = "required_usages";
const CUED_FROM: &str = "cued_from";
const UNAIDED_FROM: &str = "unaided_from";
const AT_ONCE_SECONDS: &str = "at_once_seconds";

/// Returns how many correct uses the law asks for; 0 for a law that does not say.
fn required_usages(at: &At<'_>) -> u32 {
    at.number(REQUIRED_USAGES).unwrap_or(0)
}

/// Whether the learner has used the word often enough to answer without seeing it.
fn is_unaided(at: &At<'_>) -> bool {
    at.number(UNAIDED_FROM).is_some_and(|from| at.counter(USAGE) >= from)
}

fn origin(event: Event) -> Origin {
    match event {
        Event::Start | Event::AsrResult | Event::GaveUp | Event::Skip | Event::Leave => Origin::Learner,
        Event::Timeout => Origin::Silence,
        _ => Origin::Machine,
    }
}

/// The drill with the packs it teaches from.
#[derive(Debug)]
pub struct Drill {
    primers: Vec<Primer>,
}

impl Drill {
    pub fn new(packs: impl IntoIterator<Item = Pack>) -> Drill {
        Drill { primers: packs.into_iter().map(Primer::new).collect() }
    }

    /// Returns every pack, in the order in which they were given.
    pub fn packs(&self) -> impl Iterator<Item = &Pack> {
        self.primers.iter().map(|primer| &primer.pack)
    }

    fn primer(&self, data: &Data) -> Result<&Primer, Rejected> {
        primer::find(&self.primers, &data.pack)
    }

    /// Refuses a target that the pack no longer has: a pack can be edited while a session is open.
    fn check_target(&self, data: &Data) -> Result<(), Rejected> {
        let primer = self.primer(data)?;
        match &data.target {
            Some(word) if primer.item(&word.id).is_none() => Err(Rejected {
                code: "word_gone",
                message: words::word_gone(&data.pack, &word.id),
                cure: words::word_gone_cure(),
            }),
            _ => Ok(()),
        }
    }
}

/// An answer of the learner.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct DrillAnswer {
    /// The learner's own words, as typed or as heard.
    pub text: String,
    /// Whether speech recognition wrote the text down. If this is left out, it did in a spoken session.
    #[serde(default)]
    pub heard: Option<bool>,
}

const OPEN: Verb = Verb {
    name: "open",
    does: Does::Opens,
    who: Who::Learner,
    payload: Some(schema::<DrillOpening>),
    prepare: pack_named,
    http: http("start_drill", "/api/drills", "Start a drill with a pack"),
    replies: None,
    tool: Some(Tool {
        name: "drill_start",
        title: "Start a drill",
        about: "Drills the words of a pack with the learner: each is introduced, then used in small dialogues until it \
                sticks. Pass on what the coach says (`said`) unchanged, and the learner's answers with drill_answer.",
        id: None,
        answers: Answers::View,
    }),
    chat: &["drill"],
    asks_first: None,
    typed: &[],
    german: &[],
};

const START: Verb = Verb {
    name: "start",
    does: Does::Begins(Event::Start.name()),
    payload: None,
    prepare: as_given,
    http: None,
    tool: None,
    chat: &[],
    ..OPEN
};

const ANSWER: Verb = Verb {
    name: "answer",
    does: Does::Says(Event::AsrResult.name()),
    payload: Some(schema::<DrillAnswer>),
    http: http(
        "answer_drill",
        "/api/drills/{id}/answer",
        "Answer as the learner; repeatable with an Idempotency-Key header",
    ),
    tool: Some(Tool {
        name: "drill_answer",
        title: "Answer in a drill",
        about: "Passes the learner's own words to the coach of a drill, unchanged. Returns what the coach says (`said`) \
                and where the drill stands.",
        id: Some("drill_id"),
        answers: Answers::View,
    }),
    ..START
};

const LEAVE: Verb = Verb {
    name: "leave",
    does: Does::Ends(Event::Leave.name()),
    http: http("leave_drill", "/api/drills/{id}/leave", "End a drill for good; what was learned is kept"),
    tool: Some(Tool {
        name: "drill_leave",
        title: "End a drill",
        about: "Ends a drill for good. What was learned is kept, and the word that was being practised comes first in \
                the next drill.",
        id: Some("drill_id"),
        answers: Answers::View,
    }),
    chat: &["leave"],
    typed: &[":leave"],
    ..START
};

const GIVE_UP: Verb = Verb {
    name: "give_up",
    does: Does::Acts(Event::GaveUp.name()),
    typed: &["hint", "tipp"],
    german: &["tipp"],
    ..START
};

const SKIP: Verb = Verb {
    name: "skip",
    does: Does::Acts(Event::Skip.name()),
    typed: &["skip", "überspringen"],
    german: &["überspringen"],
    ..START
};

/// Prepares an opening. In a chat, the text after the command names the pack, and the learner may take their time.
fn pack_named(given: Given<'_>) -> Value {
    match given.body.get("text") {
        Some(pack) if given.body.get("pack").is_none() => json!({"pack": pack, "timed": false}),
        _ => given.body,
    }
}

impl Flow for Drill {
    type Action = Action;
    type Event = Event;
    type Fact = Fact;
    type Data = Data;
    type More = Option<DrillMore>;
    const FACE: Face = Face {
        name: "drill",
        law: LAW,
        vocabulary,
        words: words::FILES,
        verbs: &[OPEN, START, ANSWER, GIVE_UP, SKIP, LEAVE],
        looks: subjects::LOOKS,
        find: None,
        needs: Needs {
            records: &[ITEM_KIND, POOL_KIND, PROFILE_KIND],
            recalls: Some(Recalls { kind: ITEM_KIND, read: data::recalls }),
            model: true,
            spoken: Some("tts_done"),
            ..NEEDS
        },
    };

    fn open(&self, opening: &Value, _: &Machine, stage: &mut Stage<'_>) -> Result<Data, Rejected> {
        opening::open(&self.primers, opening, &stage.moment)
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
        // Any event closes an unanswered question to a model.
        let asked = data.asked.take();
        match event {
            Event::TtsDone => {
                Coach(self.primer(data)?).go_on(data, asked, ModelAnswer::read(payload)?, stage)?;
            }
            Event::AsrResult => {
                let DrillAnswer { text, heard } = utterance(payload)?;
                data.is_spoken = heard.unwrap_or(data.voice);
                data.heard = text;
            }
            Event::Timeout | Event::GaveUp => data.feedback = None,
            _ => {}
        }
        Ok(())
    }

    fn holds(&self, data: &Data, fact: Fact) -> bool {
        match fact {
            Fact::HasTarget => data.target.is_some(),
            Fact::IsKnown => data.target.as_ref().is_some_and(Drilled::is_review),
            Fact::IsBack => data.target.as_ref().is_some_and(|word| word.is_resting),
            Fact::CanRest => data.has_another(),
            Fact::IsFlawless => data.feedback.as_ref().is_some_and(Feedback::is_flawless),
            Fact::IsAtOnce => data.is_at_once,
            Fact::HasFailed => data.target.as_ref().is_some_and(Drilled::has_failed),
        }
    }

    fn act(&self, data: &mut Data, action: Action, at: &At<'_>, stage: &mut Stage<'_>) {
        // `hear` has made sure that the pack is there.
        let Ok(primer) = self.primer(data) else { return };
        let coach = Coach(primer);
        match action {
            Action::IntroduceWord => coach.introduce(data, stage),
            Action::RemindWord => coach.remind(stage),
            Action::ExplainWord => coach.explain(data, stage),
            Action::ExampleSentence => coach.give_example(data, stage),
            Action::PromptDialogue => coach.prompt(data, at, stage),
            Action::AskRecall => coach.ask_recall(data, stage),
            Action::GiveCue => coach.give_cue(data, stage),
            Action::ShowWord => coach.show_word(data, stage),
            Action::TellWord => coach.tell_word(data, stage),
            Action::RememberAgain => tell_memory(data, Quality::AGAIN, stage),
            Action::RememberHard => tell_memory(data, Quality::HARD, stage),
            Action::RememberGood => tell_memory(data, Quality::GOOD, stage),
            Action::RememberEasy => tell_memory(data, Quality::EASY, stage),
            Action::RestWord => {
                data.rest_target(|id| primer.item(id).is_some());
                stage.raise(Event::NextWordAvailable, json!({}));
            }
            Action::SkipWord => {
                coach.put_off(data, stage);
                let records = [data.skip_target(), data.take_new_uses()];
                remember(data, records, stage);
            }
            Action::SlowRepeat => coach.repeat_slowly(data, stage),
            Action::EvaluateUsage => coach.evaluate(data, at, stage),
            Action::PraiseUse => coach.praise_use(data, stage),
            Action::Nudge => coach.nudge(data, stage),
            Action::AddToPool => finish_word(data, true, stage),
            Action::ParkWord => finish_word(data, false, stage),
            Action::PositiveReinforce => coach.reinforce(data, stage),
            Action::PromiseReturn => coach.promise_return(data, stage),
            Action::PickNextWord => pick_next_word(data, primer, stage),
            Action::NothingToDo => stage.tell(Role::Note, words::nothing_to_do()),
            // Counters belong to the law, which resets them with these actions; `settled` raises `done`.
            Action::ResetFailures | Action::ResetCounters => {}
        }
    }

    /// Bookkeeping is done at once. So is speaking, unless a voice speaks or a model is asked for the line.
    fn settled(&self, data: &Data, at: &At<'_>) -> Option<Event> {
        let is_said = |event: &Event| *event != Event::TtsDone || !data.voice && data.asked.is_none();
        [Event::Done, Event::TtsDone].into_iter().filter(is_said).find(|event| at.takes(event.name()))
    }

    fn is_timed(&self, data: &Data) -> bool {
        !data.is_untimed
    }

    fn look(&self, look: &str, _: &str, _: &Value, shelf: &Shelf) -> Result<Value, Unseen> {
        match look {
            SUBJECTS => Ok(json!(subjects::subjects(self.packs(), shelf)?)),
            _ => Ok(Value::Null),
        }
    }

    fn desk(&self, data: &Data, at: &At<'_>) -> Desk {
        match self.primer(data) {
            Ok(primer) => desk::desk(primer, data, at),
            Err(rejected) => Desk { title: rejected.message, ..Desk::default() },
        }
    }

    fn more(&self, data: &Data, at: &At<'_>) -> Option<DrillMore> {
        self.primer(data).ok().map(|primer| desk::more(primer, data, at))
    }
}

fn utterance(payload: &Value) -> Result<DrillAnswer, Rejected> {
    let DrillAnswer { text, heard } = DrillAnswer::deserialize(payload).map_err(|_| words::no_text())?;
    Ok(DrillAnswer { text: text.chars().take(MAX_HEARD_CHARS).collect(), heard })
}

/// Tells memory of the first try without help. A forgotten word is practised from the beginning.
fn tell_memory(data: &mut Data, quality: Quality, stage: &mut Stage<'_>) {
    let record = data.tell_memory(quality, stage.moment.now_us);
    if let Some(word) = data.target.as_mut().filter(|_| !quality.is_recalled()) {
        word.is_resting = false;
    }
    remember(data, [record, None], stage);
}

/// Moves the word into the pool, learned or parked.
fn finish_word(data: &mut Data, is_learned: bool, stage: &mut Stage<'_>) {
    let records = [data.finish_target(is_learned, stage.moment.now_us), data.take_new_uses()];
    remember(data, records, stage);
}

/// Stores changed records. The change is refused if another session of the learner has practised the same words
/// meanwhile.
fn remember(data: &mut Data, records: [Option<Record>; 2], stage: &mut Stage<'_>) {
    records.into_iter().flatten().for_each(|record| stage.remember_over(&mut data.edition, record));
}

fn pick_next_word(data: &mut Data, primer: &Primer, stage: &mut Stage<'_>) {
    let is_found = data.next_target(|id| primer.item(id).is_some());
    stage.raise(if is_found { Event::NextWordAvailable } else { Event::NoMoreWords }, json!({}));
}
