//! The view of a run: the last answer, how many turns are left, and at the end why it ended.

use super::intent::Intent;
use super::{Answer, By, Data, Event, INTERACTIONS, LAYER, MAX_INTERACTIONS, Manner, REASON, words};
use crate::desk::{Ask, Block, Desk, Form, Line, Progress, Role};
use crate::look::Begin;
use crate::turn::At;
use crate::words::Text;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

flow::names! {
    /// The reason why a run has ended, as the law's attribute names it.
    pub enum Reason {
        StopWord = "stop_word",
        Model = "model",
        Done = "done",
        Cap = "cap",
        NoWake = "no_wake",
        Timeout = "timeout",
        Error = "error",
        Left = "left",
    }
}

/// The view of a conversation: the present turn, and why it ended.
#[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
pub struct VoiceMore {
    pub language: String,
    /// The side that has the turn, from the law's attribute.
    pub layer: Option<String>,
    /// The number of this turn, from 1, and how many there may be.
    pub turn: u32,
    pub of: u32,
    pub heard: String,
    pub intent: Option<Intent>,
    pub answer: Option<Text>,
    pub answered_by: Option<By>,
    pub manner: Option<Manner>,
    /// The word that ends the run.
    pub stop_word: Option<String>,
    /// The reason why it ended.
    pub reason: Option<Text>,
    /// The flow that the learner goes on with.
    pub next: Option<Begin>,
}

pub(super) fn desk(data: &Data, at: &At<'_>) -> Desk {
    let line = |answer: &Answer| Block::Line(Line::new(Role::Feedback, answer.say.clone()));
    let form = match () {
        () if at.takes(Event::Said.name()) => Form::Say,
        () => Form::Wait { until: None },
    };
    let ask = Ask { verb: "say".to_owned(), question: words::question(), form };
    Desk {
        title: words::title(),
        blocks: data.turn.answer.iter().map(line).collect(),
        ask: (!at.is_final()).then_some(ask),
        progress: vec![Progress::new("turns", words::turns(), turn(at), at.number(MAX_INTERACTIONS))],
        language: Some(data.language.clone()),
        ..Desk::default()
    }
}

pub(super) fn more(data: &Data, at: &At<'_>) -> VoiceMore {
    let now = &data.turn;
    let answer = now.answer.as_ref();
    VoiceMore {
        language: data.language.clone(),
        layer: at.attribute(LAYER).map(str::to_owned),
        turn: turn(at),
        of: at.number(MAX_INTERACTIONS).unwrap_or(0),
        heard: now.heard.clone(),
        intent: now.intent.clone(),
        answer: answer.map(|answer| answer.say.clone()),
        answered_by: answer.map(|answer| answer.by),
        manner: answer.map(|answer| answer.manner),
        stop_word: now.stop_by_user.clone().or_else(|| now.stop_by_model.clone()),
        reason: at.attribute_as(REASON).map(|reason| told(reason, data, at)),
        next: answer.and_then(|answer| answer.next.clone()).map(|(begin, _)| begin),
    }
}

fn turn(at: &At<'_>) -> u32 {
    at.counter(INTERACTIONS)
}

fn told(reason: Reason, data: &Data, at: &At<'_>) -> Text {
    let now = &data.turn;
    let next = now.answer.as_ref().and_then(|answer| answer.next.as_ref());
    match reason {
        Reason::StopWord => words::reason_stop_word(now.stop_by_user.clone().unwrap_or_default()),
        Reason::Model => words::reason_model(now.stop_by_model.clone().unwrap_or_default()),
        Reason::Done => words::reason_done(next.map(|(_, title)| title.clone()).unwrap_or_default()),
        Reason::Cap => words::reason_cap(at.number(MAX_INTERACTIONS).unwrap_or(0)),
        Reason::NoWake => words::reason_no_wake(),
        Reason::Timeout => words::reason_timeout(),
        Reason::Error => words::reason_error(data.failure.clone().unwrap_or_default()),
        Reason::Left => words::reason_left(),
    }
}
