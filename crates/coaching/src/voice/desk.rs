//! What is seen of a run: the last answer, how many turns are left, and at the end why it ended.

use super::intent::Intent;
use super::{Answer, By, Data, Ending, Event, MAX_INTERACTIONS, Manner, words};
use crate::desk::{Ask, Block, Desk, Form, Line, Progress, Role};
use crate::look::Begin;
use crate::turn::At;
use crate::words::Text;
use flow::Name;
use schemars::JsonSchema;
use serde::Serialize;

/// What a conversation shows of itself: the present turn, and why it ended.
#[derive(Debug, Serialize, JsonSchema)]
pub struct VoiceMore {
    language: String,
    /// Who has the turn, by the law's attribute.
    layer: Option<String>,
    /// The number of this turn, from 1, and how many there may be.
    turn: u32,
    of: u32,
    heard: String,
    intent: Option<Intent>,
    answer: Option<Text>,
    answered_by: Option<By>,
    manner: Option<Manner>,
    /// The word that ends the run.
    stop_word: Option<String>,
    /// Why it ended.
    reason: Option<Text>,
    /// What the learner goes on with.
    next: Option<Begin>,
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
        layer: at.attribute("layer").map(str::to_owned),
        turn: turn(at),
        of: at.number(MAX_INTERACTIONS).unwrap_or(0),
        heard: now.heard.clone(),
        intent: now.intent.clone(),
        answer: answer.map(|answer| answer.say.clone()),
        answered_by: answer.map(|answer| answer.by),
        manner: answer.map(|answer| answer.manner),
        stop_word: now.stop_by_user.clone().or_else(|| now.stop_by_model.clone()),
        reason: at.is_final().then(|| reason(data, at)),
        next: answer.and_then(|answer| answer.next.clone()).map(|(begin, _)| begin),
    }
}

fn turn(at: &At<'_>) -> u32 {
    at.counter("interactions")
}

/// Why a run has ended, in the order in which the law asks.
fn reason(data: &Data, at: &At<'_>) -> Text {
    let now = &data.turn;
    let next = now.answer.as_ref().and_then(|answer| answer.next.as_ref());
    match (&data.ending, &now.stop_by_user, &now.stop_by_model, next) {
        (Some(Ending::Left), ..) => words::reason_left(),
        (Some(Ending::NoWake), ..) => words::reason_no_wake(),
        (Some(Ending::Stalled), ..) => words::reason_timeout(),
        (Some(Ending::Failed(why)), ..) => words::reason_error(why),
        (None, Some(word), ..) => words::reason_stop_word(word),
        (None, None, Some(word), _) => words::reason_model(word),
        (None, None, None, Some((_, title))) => words::reason_done(title),
        (None, None, None, None) => words::reason_cap(at.number(MAX_INTERACTIONS).unwrap_or(0)),
    }
}
