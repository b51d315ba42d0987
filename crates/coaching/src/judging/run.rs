//! A question to the judge, as a value, and its outcome.
//!
//! A flow does not wait for a judge. It leaves a [`Run`] as an effect and continues when an event brings the [`Ran`].

use super::{Report, Tests};
use serde::{Deserialize, Serialize};

/// The kind of effect that a [`Run`] is.
pub const JUDGE_KIND: &str = "judge";

/// What a judge is asked.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Run {
    /// Tells this run from the others of its attempt; the report repeats it.
    pub number: u64,
    pub language: String,
    pub source: String,
    pub tests: Tests,
    /// How further hidden tests are made.
    #[serde(default)]
    pub random: Option<Random>,
    /// The event that brings the report.
    pub answered_by: String,
}

/// Further hidden tests: Python that makes arguments, and Python that knows the results.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Random {
    /// It has `make(random)`.
    pub make: String,
    pub reference: String,
    pub count: u32,
    pub seed: u64,
}

/// What comes back.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Ran {
    pub number: u64,
    pub report: Report,
}
