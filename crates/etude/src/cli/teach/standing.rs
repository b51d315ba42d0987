//! What a course or a review shows of itself, as the terminal reads it.

use coaching::curriculum::Shown;
use coaching::desk::Line;
use coaching::learner::Quality;
use coaching::map::NodeId;
use coaching::teach::slate::Tutor;
use coaching::teach::state::FlowStatus;
use serde::Deserialize;
use serde_json::Value;

#[derive(Debug, Clone, Deserialize)]
pub(super) struct Standing {
    /// There in a course, absent in a review.
    #[serde(default)]
    pub status: Option<FlowStatus>,
    #[serde(default)]
    pub current_node_id: Option<NodeId>,
    #[serde(default)]
    pub tutor: Tutor,
    /// The lesson on the concept at hand.
    #[serde(default)]
    pub lesson: Vec<Line>,
    /// What the learner is to answer.
    pub question: Option<Asked>,
    /// What waits behind a question that follows one of the learner's own.
    #[serde(default)]
    pub waiting: Option<Asked>,
    /// How the last answer was marked.
    pub last: Option<Marked>,
    /// In a review: what is left to recall, and what was.
    #[serde(default)]
    pub left: usize,
    #[serde(default)]
    pub answered: usize,
}

#[derive(Debug, Clone, Deserialize)]
pub(super) struct Asked {
    /// Whether it follows a question of the learner's own.
    #[serde(default)]
    pub is_for_help: bool,
    pub shown: Shown,
}

#[derive(Debug, Clone, Deserialize)]
pub(super) struct Marked {
    pub quality: Quality,
    #[serde(default)]
    pub feedback: String,
    /// Whether the learner may still hold the answer to be right.
    #[serde(default)]
    pub may_object: bool,
}

impl Standing {
    /// Whether the learner may hold their last answer to be right.
    pub(super) fn may_object(&self) -> bool {
        self.last.as_ref().is_some_and(|last| last.may_object)
    }

    /// Nothing when this is neither a course nor a review.
    pub(super) fn read(data: &Value) -> Option<Standing> {
        Standing::deserialize(data).ok()
    }
}
