//! Defines how far a learner has come with a concept of a map.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

// The contract lists the names alone, so these variants have no doc comments.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(inline)]
pub enum MasteryStatus {
    #[default]
    Unseen,
    // Probably known, according to a diagnosis, but not taught yet.
    Diagnosed,
    Learning,
    // Understood; it comes back for review.
    Reviewing,
    Mastered,
}

/// The condition on a concept before those that build on it are taught.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(inline)]
pub enum Gate {
    // The lesson was passed; reviews keep the concept alive.
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
    /// Whether the concept can still be taught.
    pub fn is_teachable(self) -> bool {
        matches!(self, MasteryStatus::Unseen | MasteryStatus::Diagnosed | MasteryStatus::Learning)
    }

    /// Returns the statuses that may follow. A concept is diagnosed or taught, then understood, then mastered. A
    /// failed quiz leads back to teaching, and forgetting back to review.
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
