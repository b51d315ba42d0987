//! Defines a judge's questions and answers as data, and decides when an answer is the expected one. The judge
//! itself runs programs and lives in another crate.

mod compare;
mod exercism;
mod read;
mod run;
mod smaller;

pub use compare::{Apart, compare, compare_output, short};
pub use exercism::{Imported, from_exercism};
pub use read::{exact_json, named_json, read_exact, read_tests};
pub use run::{
    Exam, JUDGE_KIND, Ran, Random, Run, Shrinking, Smallest, TRACE_KIND, Traced, Tracing, without_exam,
};
pub use smaller::{Size, size, smaller};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;

/// The tests of a program, as an author writes them.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Tests {
    /// The function that is called with each test's arguments. Without it a test gives standard input and
    /// compares standard output.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub function: Option<String>,
    #[serde(default)]
    pub comparison: Comparison,
    pub tests: Vec<Test>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Test {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub args: Option<Vec<Value>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stdin: Option<String>,
    pub expected: Value,
    /// A hidden test shows its verdict and never its values.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub hidden: bool,
}

/// The rule by which an answer counts as the expected one. Types always matter: `1` is not `"1"`, `true` is not
/// `1`, and where an integer is expected `2.0` is not `2`. Where a fraction is expected, an integer of the same
/// value will do, because JavaScript has no other numbers.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Comparison {
    #[default]
    Exact,
    /// The outermost list may come in any order.
    Unordered,
    /// Numbers may differ by this much, either absolutely or relative to the expected one.
    Float(f64),
    /// The author's own program decides whether an answer is right: `check(args, expected, actual) -> bool`, in
    /// Python.
    Checker(String),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    Accepted,
    WrongAnswer,
    TimeLimit,
    MemoryLimit,
    OutputLimit,
    RuntimeError,
    CompileError,
    InternalError,
}

/// The outcome of a program.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Report {
    pub verdict: Verdict,
    pub tests: Vec<Tried>,
    /// How well the program was isolated: `full`, `lite` or `none`.
    pub isolation: String,
    /// The message of the compiler or the judge, if there are no tests to report it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
}

/// The outcome of one test.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Tried {
    pub index: usize,
    pub verdict: Verdict,
    pub time_ms: u64,
    pub memory_kb: u64,
    /// The difference from the expected answer. Only for tests that are not hidden.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub difference: Option<Difference>,
    /// The program's output or the way it failed, shortened. Only for tests that are not hidden.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub hidden: bool,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Difference {
    pub input: String,
    pub expected: String,
    pub actual: String,
    /// The place of the first difference: `at [2]: 7 instead of 9`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub place: Option<String>,
}

/// The steps of a call, line by line.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
pub struct Trace {
    pub steps: Vec<Step>,
    /// The returned value.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub result: Option<String>,
    /// The error that ended the call.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// Whether the call went on after the last step.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub cut: bool,
}

impl Trace {
    /// Returns the trace with its first steps only, at most `most_steps` and at most `most_bytes` of JSON.
    pub fn within(mut self, most_steps: usize, most_bytes: usize) -> Trace {
        let mut used = 0;
        let mut fits = |step: &Step| {
            used += serde_json::to_string(step).map_or(most_bytes, |text| text.len());
            used <= most_bytes
        };
        let kept = self.steps.iter().take(most_steps).take_while(|step| fits(step)).count();
        self.cut |= kept < self.steps.len();
        self.steps.truncate(kept);
        self
    }
}

/// One moment of a call: the line that runs next, or the end of a function.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
pub struct Step {
    pub line: u64,
    pub function: String,
    /// The variables of this function, as the language writes them, shortened.
    pub variables: BTreeMap<String, String>,
    /// The names of the variables that are new or have changed since the last step of the same call.
    pub changed: Vec<String>,
    /// The value that this function returns now.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub returned: Option<String>,
    /// The calls that led here, the innermost first.
    pub stack: Vec<Frame>,
}

#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
pub struct Frame {
    pub function: String,
    pub line: u64,
}
