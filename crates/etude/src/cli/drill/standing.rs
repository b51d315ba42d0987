//! What a drill shows of itself, as the terminal reads it.

use coaching::desk::Line;
use coaching::text::Piece;
use serde::Deserialize;
use serde_json::Value;

#[derive(Debug, Clone, Deserialize)]
pub(super) struct Standing {
    pub pack: PackName,
    /// The word that is being practised.
    pub target: Option<Target>,
    pub progress: Progress,
    /// Words that wait for their turn.
    pub queue: usize,
    /// Words that the coach may use.
    pub pool: usize,
    /// What came of the last answer.
    pub feedback: Option<Feedback>,
    /// The lines that the learner is to answer.
    pub last_said: Vec<Line>,
    /// There when the session is over.
    pub summary: Option<Summary>,
}

#[derive(Debug, Clone, Deserialize)]
pub(super) struct PackName {
    pub id: String,
    pub title: String,
}

#[derive(Debug, Clone, Deserialize)]
pub(super) struct Target {
    pub text: String,
    pub meaning: String,
    pub is_review: bool,
    /// The learner should recall the word, so the screen does not show it.
    pub is_unaided: bool,
}

#[derive(Debug, Clone, Copy, Deserialize)]
pub(super) struct Progress {
    pub usage: usize,
    pub required: usize,
}

#[derive(Debug, Clone, Deserialize)]
pub(super) struct Feedback {
    pub matched: bool,
    pub difference: Vec<Piece>,
}

#[derive(Debug, Clone, Deserialize)]
pub(super) struct Summary {
    pub learned: Vec<Finished>,
    pub parked: Vec<Finished>,
    pub waiting: usize,
}

#[derive(Debug, Clone, Deserialize)]
pub(super) struct Finished {
    /// Absent when the pack no longer has the word.
    pub text: Option<String>,
    pub due_at_us: i64,
}

impl Standing {
    /// Nothing when this is not a drill, or when its pack is no longer there.
    pub(super) fn read(data: &Value) -> Option<Standing> {
        Standing::deserialize(data).ok()
    }

    /// Whether the last answer does not count.
    pub(super) fn is_missed(&self) -> bool {
        self.feedback.as_ref().is_some_and(|feedback| !feedback.matched)
    }

    /// The difference between the last answer and the word, when the answer had something of the word in it.
    pub(super) fn difference(&self) -> &[Piece] {
        let pieces = self.feedback.as_ref().map_or(&[][..], |feedback| &feedback.difference);
        let is_near = pieces.iter().any(|piece| matches!(piece, Piece::Same { .. } | Piece::Changed { .. }));
        if is_near { pieces } else { &[] }
    }
}
