//! How far a concept of a map has come.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

// The contract lists the names alone, so these variants have no doc comments.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(inline)]
pub enum MasteryStatus {
    #[default]
    Unseen,
    // Believed to be known from a diagnosis, not taught yet.
    Diagnosed,
    Learning,
    // Understood; comes back for review.
    Reviewing,
    Mastered,
}

/// What must be true of a concept before those that build on it are taught.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(inline)]
pub enum Gate {
    // Its lesson was passed; reviews keep it alive.
    Understood,
    Mastered,
}

impl Gate {
    pub fn is_open(self, status: MasteryStatus) -> bool {
        match self {
            Gate::Understood => matches!(status, MasteryStatus::Reviewing | MasteryStatus::Mastered),
            Gate::Mastered => status == MasteryStatus::Mastered,
        }
    }
}

impl MasteryStatus {
    /// Whether it can still be taught.
    pub fn is_teachable(self) -> bool {
        matches!(self, MasteryStatus::Unseen | MasteryStatus::Diagnosed | MasteryStatus::Learning)
    }

    /// The statuses that may follow: a concept is diagnosed or taught, then understood, then mastered. A failed quiz leads
    /// back to teaching, forgetting back to review.
    pub fn next(self) -> &'static [MasteryStatus] {
        match self {
            MasteryStatus::Unseen => &[MasteryStatus::Diagnosed, MasteryStatus::Learning],
            MasteryStatus::Diagnosed => &[MasteryStatus::Learning],
            MasteryStatus::Learning => &[MasteryStatus::Reviewing],
            MasteryStatus::Reviewing => &[MasteryStatus::Mastered, MasteryStatus::Learning],
            MasteryStatus::Mastered => &[MasteryStatus::Reviewing],
        }
    }

    pub fn as_str(self) -> &'static str {
        match self {
            MasteryStatus::Unseen => "unseen",
            MasteryStatus::Diagnosed => "diagnosed",
            MasteryStatus::Learning => "learning",
            MasteryStatus::Reviewing => "reviewing",
            MasteryStatus::Mastered => "mastered",
        }
    }
}
