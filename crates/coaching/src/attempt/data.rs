//! Holds the data that one attempt keeps from turn to turn, and the payloads that it shows. Names match the
//! interface, so a payload is the same on the wire, in the store and here.

use crate::judging::{Difference, Report, Smallest, Trace, Verdict};
use crate::learner::{LearnerItem, Profile};
use crate::words::Text;
use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;

/// How much the coach holds back and asks for.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "UPPERCASE")]
pub enum Mode {
    #[default]
    Beginner,
    Expert,
}

/// The step at which an attempt stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "UPPERCASE")]
pub enum Step {
    Understand,
    Plan,
    Implement,
    Verify,
    Reflect,
    Complete,
}

impl Step {
    pub const ALL: [Step; 6] =
        [Step::Understand, Step::Plan, Step::Implement, Step::Verify, Step::Reflect, Step::Complete];

    pub fn name(self) -> &'static str {
        match self {
            Step::Understand => "UNDERSTAND",
            Step::Plan => "PLAN",
            Step::Implement => "IMPLEMENT",
            Step::Verify => "VERIFY",
            Step::Reflect => "REFLECT",
            Step::Complete => "COMPLETE",
        }
    }
}

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Data {
    pub(super) problem: String,
    pub(super) mode: Mode,
    /// None for an attempt from before there were five steps.
    pub(super) step: Option<Step>,
    pub(super) is_legacy: bool,
    /// Whether a model may look for ideas.
    pub(super) model: bool,
    /// The number of times that a model was asked.
    pub(super) asks: u64,
    pub(super) understand: Option<UnderstandPayload>,
    /// The number of answers that were given before the explanation was given last.
    #[serde(default)]
    pub(super) answers_before: usize,
    /// The unanswered question about the explanation.
    pub(super) question: Option<Text>,
    /// The numbers of the questions that were asked.
    pub(super) asked: Vec<usize>,
    pub(super) plan: PlanPayload,
    /// The verdict on the last choice.
    pub(super) choice: Option<Choice>,
    pub(super) discovery: Option<Discovery>,
    /// The budget as the law had it in the last turn, for the list of attempts. The law itself decides.
    pub(super) hint_budget: u32,
    pub(super) hints_used: u32,
    /// The next hint in a model's words, if they may be used.
    #[serde(default)]
    pub(super) phrased: Option<String>,
    pub(super) language: String,
    pub(super) code: Option<String>,
    pub(super) submissions: Vec<Submission>,
    /// The number of the run whose report is awaited, or of the last run.
    pub(super) run: u64,
    pub(super) verify: Option<VerifyPayload>,
    /// The call that the learner asked to see line by line.
    #[serde(default)]
    pub(super) tracing: Option<TracedCase>,
    pub(super) all_passed: bool,
    pub(super) reflect: Option<ReflectPayload>,
    pub(super) challenge: Option<Challenge>,
    /// The reply to the last verb.
    pub(super) reply: Value,
    /// The coach's own lines so far, for the guard.
    pub(super) said: Vec<String>,
    /// The learner's memory of the pattern, as it was last read.
    pub(super) item: Option<LearnerItem>,
    pub(super) profile: Option<Profile>,
    pub(super) edition: u64,
    /// The time at which the pattern comes back.
    pub(super) due_at: Option<Timestamp>,
}

/// The learner's explanation of the problem.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
#[schemars(extend("examples" = [{
    "explanation": "Find the two articles that cost what the voucher is worth.",
    "inputOutputDescription": "In: prices and the voucher. Out: two positions.",
    "constraintsDescription": "Up to 10,000 prices.",
    "exampleWalkthrough": "3, 2, 4 and 6: 2 + 4 = 6, so [1, 2].",
    "wrongApproach": "Every pair is too slow.",
}]))]
pub struct Explanation {
    /// The problem, as you would explain it to a twelve-year-old
    pub explanation: String,
    /// What goes in and what comes out
    pub input_output_description: String,
    /// The limits that matter
    pub constraints_description: String,
    /// One example, step by step, with its values
    pub example_walkthrough: String,
    /// An approach that does not work or is too slow, and why
    pub wrong_approach: String,
}

impl Explanation {
    fn is_blank(&self) -> bool {
        super::understand::texts(self).iter().all(|text| text.trim().is_empty())
    }
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct UnderstandPayload {
    #[serde(flatten)]
    pub said: Explanation,
    pub ai_assessment: Option<Assessment>,
    pub followups: Vec<Followup>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Status {
    Pass,
    NeedsWork,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Assessment {
    pub status: Status,
    pub strengths: Vec<Text>,
    pub gaps: Vec<Text>,
    pub followup_questions: Vec<Text>,
    /// Whether rules alone or also a model looked at it.
    pub source: Source,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Source {
    #[default]
    Rules,
    Model,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Followup {
    pub question: Text,
    pub answer: String,
    pub timestamp: Timestamp,
}

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct PlanPayload {
    pub suggested_patterns: Vec<Suggested>,
    pub chosen_pattern: Option<String>,
    /// From 1 to 5.
    pub user_confidence: Option<u8>,
    pub invariant: Option<Invariant>,
    pub complexity: Option<String>,
    pub discovery_triggered: bool,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Suggested {
    pub pattern_id: String,
    pub name: String,
    pub reason: String,
    pub ai_confidence: f64,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Invariant {
    pub text: String,
    pub builder_used: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub template_id: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub template_choices: Option<BTreeMap<String, usize>>,
}

/// The judgement of a chosen pattern.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Choice {
    pub fit: Fit,
    /// Whether the learner is confident enough for the law.
    #[serde(default)]
    pub is_confident: bool,
    /// Whether it is the pattern of the choice before.
    #[serde(default)]
    pub keeps_pattern: bool,
    pub name: String,
    pub invariant: Option<Text>,
    pub complexity: Option<Text>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "UPPERCASE")]
pub enum Fit {
    Good,
    Maybe,
    Mismatch,
}

/// A walk through the question tree.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Discovery {
    /// The current question, or none at the end.
    pub node: Option<String>,
    /// The number of the last answer, as long as the walk has not followed it.
    pub answer: Option<usize>,
    /// The patterns that are left at the end.
    pub left: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Submission {
    pub language: String,
    pub code: String,
    pub at: Timestamp,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct VerifyPayload {
    pub verdict: Verdict,
    /// The message of the compiler or the judge about the whole program.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    pub isolation: String,
    pub test_results: Vec<TestResult>,
    pub failure_explanations: Vec<FailureExplanation>,
    /// The smallest input that was found to fail.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub smallest_failure: Option<Smallest>,
    pub trace_notes: Option<String>,
}

/// One call of the learner's program, line by line.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(extend("examples" = [{
    "testIndex": 0, "args": [[3, 2, 4], 6], "expected": [1, 2],
    "trace": {
        "steps": [{
            "line": 2, "function": "two_sum", "variables": {"target": "6"}, "changed": ["target"],
            "stack": [{"function": "two_sum", "line": 2}],
        }],
        "result": "[0, 2]",
    },
}]))]
pub struct TracedCase {
    /// The test it belongs to; none for the smallest input that fails.
    pub test_index: Option<usize>,
    pub args: Vec<Value>,
    pub expected: Value,
    pub trace: Option<Trace>,
    /// Why there is no trace.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
}

/// One test as the learner sees it. A hidden test shows its verdict and no values.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct TestResult {
    pub test_index: usize,
    pub verdict: Verdict,
    pub passed: bool,
    pub hidden: bool,
    pub time_ms: u64,
    pub memory_kb: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub difference: Option<Difference>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct FailureExplanation {
    pub test_index: usize,
    pub user_explanation: String,
    pub ai_guidance: Text,
    pub timestamp: Timestamp,
}

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ReflectPayload {
    pub cues_next_time: Vec<String>,
    pub invariant_summary: String,
    pub micro_lesson_id: Option<String>,
    pub adversary_challenge_completed: bool,
}

/// The outcome of the challenge with a changed constraint.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Challenge {
    /// Everything that was answered so far.
    pub answer: String,
    pub passed: bool,
    pub feedback: Text,
    #[serde(default)]
    pub tries: u32,
}

impl Data {
    pub(super) fn is_expert(&self) -> bool {
        self.mode == Mode::Expert
    }

    /// Whether nothing was submitted yet, so that the mode can still change. An empty form counts as nothing.
    pub(super) fn is_untouched(&self) -> bool {
        let said = self.understand.as_ref().map(|payload| &payload.said);
        said.is_none_or(Explanation::is_blank) && self.step == Some(Step::Understand)
    }

    pub(super) fn status(&self) -> Option<Status> {
        Some(self.understand.as_ref()?.ai_assessment.as_ref()?.status)
    }

    /// Whether the judge has said something about the program, if only that it does not compile.
    pub(super) fn is_tested(&self) -> bool {
        let says_something = |verify: &VerifyPayload| {
            !verify.test_results.is_empty() || verify.verdict == Verdict::CompileError
        };
        self.verify.as_ref().is_some_and(says_something)
    }

    /// Takes in the judge's report. Values of hidden tests are left out even if the report has them, and a report
    /// that leaves tests out proves nothing.
    pub(super) fn judged(&mut self, report: Report, smallest: Option<Smallest>, authored_tests: usize) {
        let result = |tried: crate::judging::Tried| TestResult {
            test_index: tried.index,
            verdict: tried.verdict,
            passed: tried.verdict == Verdict::Accepted,
            hidden: tried.hidden,
            time_ms: tried.time_ms,
            memory_kb: tried.memory_kb,
            difference: tried.difference.filter(|_| !tried.hidden),
            message: tried.message.filter(|_| !tried.hidden),
        };
        let tests: Vec<TestResult> = report.tests.into_iter().map(result).collect();
        self.all_passed = report.verdict == Verdict::Accepted
            && tests.len() >= authored_tests
            && tests.iter().all(|test| test.passed);
        let explained = self.verify.take().map(|verify| verify.failure_explanations).unwrap_or_default();
        self.verify = Some(VerifyPayload {
            verdict: report.verdict,
            message: report.message,
            isolation: report.isolation,
            test_results: tests,
            failure_explanations: explained,
            smallest_failure: smallest.filter(|_| !self.all_passed),
            trace_notes: None,
        });
    }

    /// Whether the judge's report has a failure that the learner can explain. A program that does not compile has
    /// one, although it ran no test.
    pub(super) fn has_failed(&self) -> bool {
        self.is_tested() && !self.all_passed && (self.first_failure().is_some() || !self.has_run())
    }

    /// Whether any test of the last report has run.
    fn has_run(&self) -> bool {
        self.verify.as_ref().is_some_and(|verify| !verify.test_results.is_empty())
    }

    /// Returns the first test that failed.
    pub(super) fn first_failure(&self) -> Option<&TestResult> {
        self.verify.as_ref()?.test_results.iter().find(|test| !test.passed)
    }
}
