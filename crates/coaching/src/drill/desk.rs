//! What the learner sees of a session: the desk, and the drill's own view for surfaces that want more.

use super::coach::{hint_line, is_near};
use super::data::{Data, Feedback, Finished};
use super::primer::Primer;
use super::{Event, is_unaided, required_usages, words};
use crate::desk::{Ask, Block, Desk, Form, Line, Progress, Role};
use crate::learner::{Calendar, Status};
use crate::pack::Item;
use crate::turn::At;
use crate::words::Text;
use flow::Name;
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::BTreeMap;

const MINUTE_US: f64 = 60e6;
const DAYS_PER_MONTH: f64 = 30.4375;

pub(super) fn desk(primer: &Primer, data: &Data, at: &At<'_>) -> Desk {
    Desk {
        title: (&primer.pack.title).into(),
        blocks: if at.is_final() { ending(primer, data) } else { practice(primer, data, at) },
        ask: ask(at),
        progress: progress(data, at),
        language: Some(primer.pack.explained_in.clone()),
        expected: target(primer, data).map(|(_, item)| item.text.clone()).into_iter().collect(),
        ..Desk::default()
    }
}

/// What came of the last answer, and what the learner should answer now.
fn practice(primer: &Primer, data: &Data, at: &At<'_>) -> Vec<Block> {
    let difference = data.feedback.as_ref().map(|feedback| &feedback.result.difference);
    let difference = difference.filter(|pieces| is_near(pieces)).cloned();
    let mut blocks: Vec<Block> = difference.map(|pieces| Block::Difference { pieces }).into_iter().collect();
    blocks.extend(data.last_cue.iter().cloned().map(Block::Line));
    if let Some((_, item)) = target(primer, data).filter(|_| !data.last_cue.is_empty()) {
        blocks.push(Block::Line(match is_unaided(at) {
            true => Line::new(Role::Note, words::recall(&item.meaning)),
            false => hint_line(item),
        }));
    }
    blocks
}

/// What came of the session.
fn ending(primer: &Primer, data: &Data) -> Vec<Block> {
    let mut blocks = Vec::new();
    if !data.finished.is_empty() {
        let row = |word: &Finished| row(primer, data, word);
        let head = vec![words::head_word(), words::head_status(), words::head_back()];
        blocks.push(Block::Table { head, rows: data.finished.iter().filter_map(row).collect() });
    }
    if !data.queue.is_empty() {
        blocks.push(Block::Line(Line::new(Role::Note, words::waiting(data.queue.len()))));
    }
    blocks
}

/// None for a word that the pack no longer has.
fn row(primer: &Primer, data: &Data, word: &Finished) -> Option<Vec<Text>> {
    let status = match word.status {
        Status::Learned => words::status_learned(),
        Status::New | Status::Parked => words::status_parked(),
    };
    let back = word.at_us.map(|at_us| back_in(data, at_us, word.due_at_us)).unwrap_or_default();
    Some(vec![(&primer.item(&word.id)?.text).into(), status, back])
}

/// The time between two moments in the learner's days: after a night it is tomorrow, however few hours away.
fn back_in(data: &Data, from_us: i64, to_us: i64) -> Text {
    let minutes = to_us.saturating_sub(from_us).max(0) as f64 / MINUTE_US;
    let profile = data.profile.clone().unwrap_or_default();
    let days = f64::from(Calendar::of(&profile).days_between(from_us, to_us));
    let (count, unit) = match days {
        _ if minutes < 0.5 => (0.0, "now"),
        0.0 if minutes < 90.0 => (minutes, "minutes"),
        0.0 => (minutes / 60.0, "hours"),
        1.0 => (1.0, "tomorrow"),
        _ if days < 1.5 * DAYS_PER_MONTH => (days, "days"),
        _ => (days / DAYS_PER_MONTH, "months"),
    };
    words::back_in(count.round(), unit)
}

/// While a model or a voice is at work, the learner can only wait.
fn ask(at: &At<'_>) -> Option<Ask> {
    let (verb, form) = match () {
        () if at.is_final() => return None,
        () if at.takes(Event::Start.name()) => ("start", Form::Read),
        () if at.takes(Event::AsrResult.name()) => ("answer", Form::Say),
        () => ("answer", Form::Wait { until: None }),
    };
    Some(Ask { verb: verb.to_owned(), question: Text::default(), form })
}

fn progress(data: &Data, at: &At<'_>) -> Vec<Progress> {
    let count = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
    let begun = data.finished.len() + usize::from(data.target.is_some());
    vec![
        Progress::new("usage", words::used(), at.counter("usage"), Some(required_usages(at))),
        Progress::new("words", words::words(), count(begun), Some(count(begun + data.queue.len()))),
        Progress::new("pool", words::pool(), count(data.pool.len()), None),
    ]
}

/// What a drill shows of itself.
#[derive(Debug, Serialize, JsonSchema)]
pub struct DrillMore {
    pack: PackName,
    /// The word that is being practised.
    target: Option<Practised>,
    /// Every counter of the law, and with `required` how many uses it asks for.
    progress: BTreeMap<String, u32>,
    /// How many words wait for their turn.
    queue: usize,
    /// How many words the coach may use.
    pool: usize,
    /// What came of the last answer.
    feedback: Option<Feedback>,
    /// The lines that the learner should answer.
    last_said: Vec<Line>,
    /// There when the session is over.
    summary: Option<DrillSummary>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct PackName {
    id: String,
    title: String,
    language: String,
    explained_in: String,
}

#[derive(Debug, Serialize, JsonSchema)]
struct Practised {
    id: String,
    text: String,
    meaning: String,
    is_review: bool,
    /// The learner should recall the word, so a screen should hide it.
    is_unaided: bool,
}

#[derive(Debug, Serialize, JsonSchema)]
struct DrillSummary {
    learned: Vec<Ending>,
    parked: Vec<Ending>,
    /// How many words were not reached.
    waiting: usize,
    next_review_us: Option<i64>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct Ending {
    id: String,
    /// Null when the pack no longer has the word.
    text: Option<String>,
    due_at_us: i64,
}

pub(super) fn more(primer: &Primer, data: &Data, at: &At<'_>) -> DrillMore {
    let pack = &primer.pack;
    let counters = at.machine.counter_names().map(|name| (name.to_owned(), at.counter(name)));
    DrillMore {
        pack: PackName {
            id: pack.id.clone(),
            title: pack.title.clone(),
            language: pack.language.clone(),
            explained_in: pack.explained_in.clone(),
        },
        target: target(primer, data).map(|(is_review, item)| Practised {
            id: item.id.clone(),
            text: item.text.clone(),
            meaning: item.meaning.clone(),
            is_review,
            is_unaided: is_unaided(at),
        }),
        progress: counters.chain([("required".to_owned(), required_usages(at))]).collect(),
        queue: data.queue.len(),
        pool: data.pool.len(),
        feedback: data.feedback.clone(),
        last_said: data.last_cue.clone(),
        summary: at.is_final().then(|| summary(primer, data)),
    }
}

/// The item that is practised, and whether it is a review.
fn target<'p>(primer: &'p Primer, data: &Data) -> Option<(bool, &'p Item)> {
    let word = data.target.as_ref()?;
    Some((word.due_at_us.is_some(), primer.item(&word.id)?))
}

fn summary(primer: &Primer, data: &Data) -> DrillSummary {
    let ending = |word: &Finished| Ending {
        id: word.id.clone(),
        text: primer.item(&word.id).map(|item| item.text.clone()),
        due_at_us: word.due_at_us,
    };
    let of = |status| data.finished.iter().filter(|word| word.status == status).map(ending).collect();
    DrillSummary {
        learned: of(Status::Learned),
        parked: of(Status::Parked),
        waiting: data.queue.len(),
        next_review_us: data.finished.iter().map(|word| word.due_at_us).min(),
    }
}
