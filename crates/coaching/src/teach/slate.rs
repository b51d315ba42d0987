//! The slate between two turns: the open question, and what led to it.

use super::diagnosis::Probed;
use super::objection::Objectionable;
use crate::curriculum::{Purpose, Question, Shown, Unusable};
use crate::desk::Line;
use crate::grade::Grade;
use crate::learner::Quality;
use crate::map::NodeId;
use crate::words::Text;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

// The tutor who leads a course.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(inline)]
pub enum Tutor {
    // Etude explains, asks and marks.
    #[default]
    Etude,
    // Another tutor does; Etude keeps the map, the memory and the law.
    Outside,
}

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Slate {
    pub tutor: Tutor,
    /// Whether a model may be asked.
    pub model: bool,
    pub topic: String,
    pub goal: Option<String>,
    /// Whether the course continues an abandoned one, so that the learner's knowledge need not be found out again.
    pub is_resumed: bool,
    /// The lesson on the current concept, to show again when the learner comes back.
    pub lesson: Vec<Line>,
    /// The current question.
    pub question: Option<Posed>,
    /// The follow-up to the learner's own question; it is answered first.
    pub help: Option<Posed>,
    /// The concept that is asked for, if it was explained while its question waited.
    pub explained: Option<NodeId>,
    /// The answer that is still to be marked.
    pub answer: Option<String>,
    /// Whether the answer marked last belonged to a follow-up question in between.
    pub was_for_help: bool,
    /// The probes of the diagnosis, in order.
    pub probes: Vec<Probed>,
    /// The mark of the comprehension question on the current concept.
    pub understood: Option<Quality>,
    /// The marks of the quiz on it so far.
    pub quiz: Vec<Quality>,
    pub is_quiz_failed: bool,
    /// The number of the request whose answer the flow waits for. It went to a model, a judge or a database.
    pub waits_for_model: Option<u64>,
    /// Questions of the lesson that a model has to write again.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub unusable: Vec<Unusable>,
    /// The feedback on the last answer.
    pub last: Option<Marked>,
    /// The last mark, as long as the learner may object to it.
    pub objectionable: Option<Objectionable>,
    pub summary: Summary,
}

/// The progress of a course after its last turn. A review beside it may have moved its concepts on since.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Summary {
    pub title: String,
    pub concepts: u32,
    pub mastered: u32,
    pub next_review_at_us: Option<i64>,
}

impl Slate {
    /// Returns the question that is answered next.
    pub fn asked(&self) -> Option<&Posed> {
        self.help.as_ref().or(self.question.as_ref())
    }

    /// Whether the learner compares their last answer with a good one.
    pub fn is_in_doubt(&self) -> bool {
        matches!(self.question, Some(Posed { question: Question::Compare(_), .. }))
    }
}

/// A question that was put to the learner.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Posed {
    pub node_id: NodeId,
    pub purpose: Purpose,
    /// The index of the question among those of the concept; `None` for one made on the spot.
    pub index: Option<usize>,
    pub question: Question,
    pub shown: Shown,
}

impl Posed {
    /// Returns the question as it is recorded.
    pub(super) fn text(&self) -> Text {
        match &self.question {
            Question::Compare(compare) => compare.asked.as_str().into(),
            _ => self.shown.text(),
        }
    }
}

/// The mark of an answer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Marked {
    pub node_id: NodeId,
    /// The question in words.
    #[serde(default)]
    pub asked: String,
    #[serde(default)]
    pub answer: String,
    pub grade: Grade,
}
