//! “But I was right”: the rules know only the words of the rubric, so a learner with other words may object to the
//! mark. Their judgement then replaces it, and the answer is kept as one that the rules missed.

use super::progress::{Progress, ResponseType};
use super::room::{Room, Written};
use super::slate::{Posed, Slate};
use super::{tutor, words};
use crate::curriculum::{Purpose, Question};
use crate::desk::Role;
use crate::grade::{Grade, Verdict};
use crate::learner::Quality;
use crate::turn::Stage;
use serde::{Deserialize, Serialize};

/// The quality of an answer after an objection.
const HELD_RIGHT: Quality = Quality::HARD;

/// A mark that the learner may object to, with the state before it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Objectionable {
    pub purpose: Purpose,
    /// The index of the question among those of the concept.
    index: Option<usize>,
    written: Written,
    before: Progress,
    /// The marks of the quiz before this one.
    quiz: Vec<Quality>,
}

impl Objectionable {
    /// Returns the mark if the learner may object to it. Only a free answer may be right in words that the rules do
    /// not know. A question can be objected to once, and a mark that the learner gave themselves not at all.
    pub(super) fn of(
        posed: &Posed,
        grade: &Grade,
        before: Progress,
        written: Written,
    ) -> Option<Objectionable> {
        let is_read = matches!(&posed.question, Question::Free(free) if !free.ideas.is_empty());
        let is_first = !posed.index.is_some_and(|index| before.is_objected(index));
        let is_poor = grade.quality < HELD_RIGHT && grade.verdict != Verdict::Blank;
        (is_read && is_first && is_poor).then(|| Objectionable {
            purpose: posed.purpose,
            index: posed.index,
            written,
            before,
            quiz: Vec::new(),
        })
    }

    /// Returns the mark as one that followed others in a quiz.
    pub(super) fn after(self, quiz: &[Quality]) -> Objectionable {
        Objectionable { quiz: quiz.to_vec(), ..self }
    }

    /// Returns the marks of the quiz, with this one as the learner sees it.
    pub(super) fn quiz_held_right(&self) -> Vec<Quality> {
        self.quiz.iter().copied().chain([HELD_RIGHT]).collect()
    }

    /// Returns the mark as the learner sees it.
    pub(super) fn held(&self) -> Quality {
        HELD_RIGHT
    }

    pub(super) fn was_recalled(&self) -> bool {
        self.mark().1.is_recalled()
    }

    /// Returns the occasion of the answer, and its original mark.
    fn mark(&self) -> (ResponseType, Quality) {
        (self.written.response.response_type, self.written.response.quality)
    }

    /// Whether nothing else was answered about the concept since then.
    fn is_latest(&self, room: &Room) -> bool {
        let mut then = self.before.clone();
        let (on, quality) = self.mark();
        then.answered(on, quality, false);
        then.qualities == room.progress(self.written.response.node_id).qualities
    }
}

/// Whether there is a mark that the learner may object to now.
pub(super) fn is_possible(slate: &Slate, room: &Room) -> bool {
    slate.objectionable.as_ref().is_some_and(|mark| mark.is_latest(room))
}

/// Marks the last answer as the learner sees it. Returns the old mark, for the caller to take into account.
pub(super) fn uphold(slate: &mut Slate, room: &mut Room, stage: &mut Stage<'_>) -> Option<Objectionable> {
    let mark = slate.objectionable.take()?;
    slate.help = None;
    let node = mark.written.response.node_id;
    let (on, was) = mark.mark();
    let mut progress = Progress { schedule: room.progress(node).schedule, ..mark.before.clone() };
    room.unschedule(&mut progress, stage);
    progress.answered(on, HELD_RIGHT, false);
    if let Some(index) = mark.index {
        progress.was_asked(index, HELD_RIGHT);
        progress.was_objected(index);
    }
    if on == ResponseType::Teach && progress.mastery_status.is_teachable() {
        progress.is_being_learned();
    }
    room.set_progress(node, progress, stage);
    room.judge_again(&mark.written, HELD_RIGHT, stage);
    if on == ResponseType::Review {
        tutor::rated(room, node, HELD_RIGHT, stage);
        if !was.is_recalled() {
            tutor::credit_prerequisites(room, node, HELD_RIGHT, stage);
        }
    }
    if let Some(last) = &mut slate.last {
        (last.grade.quality, last.grade.verdict) = (HELD_RIGHT, Verdict::of(HELD_RIGHT));
        last.grade.feedback = words::own_judgement();
    }
    stage.tell(Role::Notice, words::held_right());
    Some(mark)
}
