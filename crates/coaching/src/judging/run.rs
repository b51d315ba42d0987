//! A question to the judge, as a value, and its outcome.
//!
//! A flow does not wait for a judge. It leaves a [`Run`] as an effect and continues when an event brings the [`Ran`].

use super::{Difference, Report, Tests, Trace, Verdict};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The kind of effect that a [`Run`] is.
pub const JUDGE_KIND: &str = "judge";

/// A question to a judge.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Run {
    /// Tells this run from the others of its attempt; the report repeats it.
    pub number: u64,
    pub language: String,
    pub source: String,
    /// The problem whose exam the flow provides when the run is performed. A learner may read what is stored, so the exam
    /// itself is not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub problem: Option<String>,
    /// Tests that are not secret.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tests: Option<Tests>,
    /// The event that brings the report.
    pub answered_by: String,
}

/// What a program has to pass. It has the solution in it, so it cannot be written down; runs of before still bring one.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct Exam {
    pub tests: Tests,
    /// How further hidden tests are made.
    #[serde(default)]
    pub random: Option<Random>,
    /// How a smaller input is found for a test that fails.
    #[serde(default)]
    pub shrinking: Option<Shrinking>,
}

/// The payload of a run as a learner may read it.
pub fn without_exam(mut payload: Value) -> Value {
    if let Some(run) = payload.as_object_mut() {
        run.retain(|name, _| !matches!(name.as_str(), "tests" | "random" | "shrinking"));
    }
    payload
}

/// Further hidden tests: Python that makes arguments, and Python that knows the results.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Random {
    /// It has `make(random)`.
    pub make: String,
    /// It has `large()`, with the arguments of tests that are always tried.
    #[serde(default)]
    pub large: Option<String>,
    pub reference: String,
    pub count: u32,
    pub seed: u64,
}

/// Inputs that a problem allows, and their results: Python of the author's.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Shrinking {
    /// It has the function that is tested.
    pub reference: String,
    /// It has `valid(…)`, with the parameters of that function.
    pub valid: String,
}

/// The judge's answer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Ran {
    pub number: u64,
    pub report: Report,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub smallest: Option<Smallest>,
}

/// The smallest input that was found to fail. It is no input of a hidden test.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Smallest {
    /// The failing test that it was made from.
    pub test_index: usize,
    pub args: Vec<Value>,
    pub expected: Value,
    pub verdict: Verdict,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub difference: Option<Difference>,
    /// What the program printed or how it failed, shortened.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
}

/// The kind of effect that a [`Tracing`] is.
pub const TRACE_KIND: &str = "trace";

/// Asks a judge to run one call line by line.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Tracing {
    /// Tells this trace from the others of its attempt.
    pub number: u64,
    pub language: String,
    pub source: String,
    pub function: String,
    pub args: Vec<Value>,
    /// The event that brings the trace.
    pub answered_by: String,
}

/// What comes back: a trace, or why there is none.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Traced {
    pub number: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub trace: Option<Trace>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
}
