//! How far a concept of a map has come.

use serde::{Deserialize, Serialize};

/// How far a concept has come.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum MasteryStatus {
    #[default]
    Unseen,
    /// Believed to be known from a diagnosis, not taught yet.
    Diagnosed,
    Learning,
    /// Understood; comes back for review.
    Reviewing,
    Mastered,
}

impl MasteryStatus {
    /// Whether it can still be taught.
    pub fn is_teachable(self) -> bool {
        matches!(self, MasteryStatus::Unseen | MasteryStatus::Diagnosed | MasteryStatus::Learning)
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
