//! The learner's view of a session: the desk, and the drill's own view for surfaces that want more.

use super::coach::aid_line;
use super::data::{Aid, Data, Feedback, Finished};
use super::primer::Primer;
use super::{Event, USAGE, is_unaided, required_usages, words};
use crate::desk::{Ask, Block, Desk, Form, Line, Progress, Role};
use crate::learner::{Calendar, Status};
use crate::pack::Item;
use crate::turn::At;
use crate::words::Text;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

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

/// Shows the outcome of the last answer, and the lines that the learner should answer now.
fn practice(primer: &Primer, data: &Data, at: &At<'_>) -> Vec<Block> {
    let near = data.feedback.as_ref().map(|feedback| &feedback.result).filter(|result| result.is_near());
    let difference = near.map(|result| result.difference.clone());
    let mut blocks: Vec<Block> = difference.map(|pieces| Block::Difference { pieces }).into_iter().collect();
    blocks.extend(data.last_cue.iter().cloned().map(Block::Line));
    if let Some((_, item)) = target(primer, data).filter(|_| !data.last_cue.is_empty()) {
        blocks.push(Block::Line(aid_line(item, data, aid(data, at))));
    }
    blocks
}

/// Returns how much of the word the learner sees. Sessions of older laws have not noted it.
fn aid(data: &Data, at: &At<'_>) -> Aid {
    data.aid.unwrap_or(if is_unaided(at) { Aid::Nothing } else { Aid::Word })
}

/// Shows the outcome of the session.
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

/// Returns the row of a finished word; `None` if the pack no longer has the word.
fn row(primer: &Primer, data: &Data, word: &Finished) -> Option<Vec<Text>> {
    let status = match word.status {
        Status::Learned => words::status_learned(),
        Status::New | Status::Parked => words::status_parked(),
    };
    let calendar = Calendar::of(&data.profile.clone().unwrap_or_default());
    let back = word.at_us.map(|at_us| calendar.until(at_us, word.due_at_us)).unwrap_or_default();
    Some(vec![(&primer.item(&word.id)?.text).into(), status, back])
}

/// Returns the input that the session waits for. While a model or a voice is at work, the learner can only wait.
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
    let resting = data.queue.iter().filter(|word| word.is_resting).count();
    let begun = data.finished.len() + usize::from(data.target.is_some()) + resting;
    vec![
        Progress::new(USAGE, words::used(), at.counter(USAGE), Some(required_usages(at))),
        Progress::new("words", words::words(), count(begun), Some(count(begun + data.queue.len() - resting))),
        Progress::new("pool", words::pool(), count(data.pool.len()), None),
    ]
}

/// The view of a drill.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub struct DrillMore {
    pub pack: PackName,
    /// The word that is being practised.
    target: Option<Practised>,
    /// Every counter of the law, and as `required` the number of uses that it asks for.
    progress: BTreeMap<String, u32>,
    /// How many words wait for their turn.
    queue: usize,
    /// How many words the coach may use.
    pool: usize,
    /// The outcome of the last answer.
    feedback: Option<Feedback>,
    /// The lines that the learner should answer.
    last_said: Vec<Line>,
    /// Set when the session is over.
    pub summary: Option<DrillSummary>,
}

#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub struct PackName {
    pub id: String,
    title: String,
    language: String,
    explained_in: String,
}

#[derive(Debug, Serialize, Deserialize, JsonSchema)]
struct Practised {
    id: String,
    /// Null while the learner should recall it.
    text: Option<String>,
    meaning: String,
    is_review: bool,
    /// Whether the learner should recall the word.
    is_unaided: bool,
}

#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub struct DrillSummary {
    pub learned: Vec<Ending>,
    pub parked: Vec<Ending>,
    /// How many words were not reached.
    waiting: usize,
    next_review_us: Option<i64>,
}

#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub struct Ending {
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
            text: (aid(data, at) == Aid::Word).then(|| item.text.clone()),
            meaning: item.meaning.clone(),
            is_review,
            is_unaided: aid(data, at) != Aid::Word,
        }),
        progress: counters.chain([("required".to_owned(), required_usages(at))]).collect(),
        queue: data.queue.len(),
        pool: data.pool.len(),
        feedback: data.feedback.clone(),
        last_said: data.last_cue.clone(),
        summary: at.is_final().then(|| summary(primer, data)),
    }
}

/// Returns the item that is practised, and whether it is a review.
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
