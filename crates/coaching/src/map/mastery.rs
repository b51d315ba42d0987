//! How far a concept of a map has come.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

// The contract lists the names alone, so what they mean is no documentation of theirs.
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
