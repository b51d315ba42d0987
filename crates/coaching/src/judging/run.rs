//! Defines the questions to the judge and their outcomes as values.
//!
//! A flow does not wait for a judge. It leaves a [`Run`] as an effect and continues when an event brings the
//! [`Ran`].

use super::{Difference, Report, Tests, Trace, Verdict};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The kind of the effect that carries a [`Run`].
pub const JUDGE_KIND: &str = "judge";

/// A request to the judge to run a program against tests.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Run {
    /// The number of this run within its attempt; the report repeats it.
    pub number: u64,
    pub language: String,
    pub source: String,
    /// The problem whose exam the flow provides when the run is performed. The exam itself is not stored, because
    /// a learner may read what is stored.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub problem: Option<String>,
    /// Tests that need not be secret.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tests: Option<Tests>,
    /// The name of the event that brings the report.
    pub answered_by: String,
}

/// The tests that a program has to pass. An exam contains the solution, so it cannot be serialised; runs from
/// before this rule still bring one.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct Exam {
    pub tests: Tests,
    /// The source of further hidden tests.
    #[serde(default)]
    pub random: Option<Random>,
    /// The means to find a smaller input for a test that fails.
    #[serde(default)]
    pub shrinking: Option<Shrinking>,
}

/// Returns the payload of a run as a learner may read it.
pub fn without_exam(mut payload: Value) -> Value {
    if let Some(run) = payload.as_object_mut() {
        run.retain(|name, _| !matches!(name.as_str(), "tests" | "random" | "shrinking"));
    }
    payload
}

/// The source of further hidden tests: Python that makes arguments, and Python that knows the results.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Random {
    /// Python that defines `make(random)`.
    pub make: String,
    /// Python that defines `large()`, which returns the arguments of tests that are always tried.
    #[serde(default)]
    pub large: Option<String>,
    pub reference: String,
    pub count: u32,
    pub seed: u64,
}

/// The author's Python that decides which inputs a problem allows, and knows their results.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Shrinking {
    /// Python that defines the tested function.
    pub reference: String,
    /// Python that defines `valid(…)`, with the parameters of that function.
    pub valid: String,
}

/// The judge's answer to a [`Run`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Ran {
    pub number: u64,
    pub report: Report,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub smallest: Option<Smallest>,
}

/// The smallest input that was found to fail. It is never an input of a hidden test.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Smallest {
    /// The index of the failing test from which it was made.
    pub test_index: usize,
    pub args: Vec<Value>,
    pub expected: Value,
    pub verdict: Verdict,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub difference: Option<Difference>,
    /// The program's output or the way it failed, shortened.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
}

/// The kind of the effect that carries a [`Tracing`].
pub const TRACE_KIND: &str = "trace";

/// A request to a judge to run one call line by line.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Tracing {
    /// The number of this trace within its attempt.
    pub number: u64,
    pub language: String,
    pub source: String,
    pub function: String,
    pub args: Vec<Value>,
    /// The name of the event that brings the trace.
    pub answered_by: String,
}

/// The judge's answer to a [`Tracing`]: a trace, or the reason why there is none.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Traced {
    pub number: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub trace: Option<Trace>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
}
