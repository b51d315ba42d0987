//! Defines the replies to verbs, besides the view.

use super::data::{Assessment, Data, Fit, Mode, Status, TestResult};
use super::plan::DiscoveryQuestion;
use super::verify::BugType;
use crate::judging::{Smallest, Verdict};
use crate::problems::MicroLesson;
use crate::words::Text;
use jiff::Timestamp;
use schemars::JsonSchema;
use serde::Serialize;

#[derive(Debug, Serialize, JsonSchema)]
#[schemars(extend("examples" = [{"mode": "EXPERT"}]))]
pub struct ModeSet {
    pub mode: Mode,
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(extend("examples" = [{
    "status": "NEEDS_WORK", "strengths": [], "gaps": ["Say which limits matter."],
    "followupQuestions": ["What should happen here: two equal numbers?"], "solutionLeakRisk": "low",
}]))]
pub struct Understood {
    pub status: Status,
    pub strengths: Vec<Text>,
    pub gaps: Vec<Text>,
    pub followup_questions: Vec<Text>,
    /// How much this answer tells about the solution: low, medium or high.
    pub solution_leak_risk: &'static str,
}

impl Understood {
    pub(super) fn new(assessment: Assessment, solution_leak_risk: &'static str) -> Understood {
        let Assessment { status, strengths, gaps, followup_questions, .. } = assessment;
        Understood { status, strengths, gaps, followup_questions, solution_leak_risk }
    }
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(extend("examples" = [{
    "candidates": [{"patternId": "hash-map", "name": "Hash map", "reason": "Look-ups by value.", "confidence": 0.5}],
    "recommendedNextAction": "Try each of them on a sample by hand.",
}]))]
pub struct Suggestions {
    pub candidates: Vec<Candidate>,
    pub recommended_next_action: Text,
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Candidate {
    pub pattern_id: String,
    pub name: String,
    pub reason: String,
    pub confidence: f64,
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(extend("examples" = [{"accepted": true, "match": "GOOD", "rationale": "Hash map fits this problem.", "discoveryRecommended": false}]))]
pub struct Chosen {
    pub accepted: bool,
    #[serde(rename = "match")]
    pub fit: Fit,
    pub rationale: Text,
    pub discovery_recommended: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub invariant_feedback: Option<Text>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub complexity_feedback: Option<Text>,
    /// The first question of the tree, where discovery has begun.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub discovery: Option<Discovery>,
}

#[derive(Debug, Serialize, JsonSchema)]
#[schemars(extend("examples" = [{"discovery": {"question": null, "candidates": ["hash-map", "two-pointers"]}}]))]
pub struct Discovered {
    pub discovery: Discovery,
}

#[derive(Debug, Serialize, JsonSchema)]
pub struct Discovery {
    /// None at the end of the tree.
    pub question: Option<DiscoveryQuestion>,
    /// The ids of the patterns that are left at the end.
    pub candidates: Vec<String>,
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(extend("examples" = [{"level": 1, "hint": "Which other number would you need to see?", "remaining": 5, "isRephrased": false}]))]
pub struct Hinted {
    /// From 1, a question, to 5, almost the answer.
    pub level: usize,
    pub hint: String,
    pub remaining: u32,
    /// Whether a model has said it in other words.
    pub is_rephrased: bool,
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(extend("examples" = [{
    "verdict": "time_limit", "allPassed": false, "passed": 0, "total": 1, "firstFailure": null, "message": null,
    "testResults": [{
        "testIndex": 0, "verdict": "time_limit", "passed": false, "hidden": true, "timeMs": 2000, "memoryKb": 9000,
    }],
    "isolation": "full",
}]))]
pub struct Tested {
    pub verdict: Verdict,
    pub all_passed: bool,
    pub passed: usize,
    pub total: usize,
    pub test_results: Vec<TestResult>,
    pub first_failure: Option<TestResult>,
    /// The smallest input that was found to fail.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub smallest_failure: Option<Smallest>,
    /// The message of the compiler or the judge about the whole program.
    pub message: Option<String>,
    pub isolation: String,
    /// Present once every test has passed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reflection: Option<Reflected>,
}

impl Tested {
    pub(super) fn of(data: &Data, reflection: Option<Reflected>) -> Option<Tested> {
        let verify = data.verify.as_ref()?;
        Some(Tested {
            verdict: verify.verdict,
            all_passed: data.all_passed,
            passed: verify.test_results.iter().filter(|test| test.passed).count(),
            total: verify.test_results.len(),
            test_results: verify.test_results.clone(),
            first_failure: data.first_failure().cloned(),
            smallest_failure: verify.smallest_failure.clone(),
            message: verify.message.clone(),
            isolation: verify.isolation.clone(),
            reflection,
        })
    }
}

#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(extend("examples" = [{
    "likelyBugType": "off_by_one", "failingCaseExplanation": "For [1, 2] the result 3 is next to 2.",
    "suggestedNextDebugStep": "Write down the values of your loop variable.",
}]))]
pub struct ExplainedFailure {
    pub likely_bug_type: BugType,
    /// The verdict on the learner's own explanation.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub about_your_explanation: Option<Text>,
    pub failing_case_explanation: Text,
    /// The smallest input that was found to fail, in words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub smallest_case: Option<Text>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub smallest_failure: Option<Smallest>,
    pub suggested_next_debug_step: Text,
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(extend("examples" = [{"passed": false, "feedback": "Not all of it is clear yet. Say more."}]))]
pub struct Challenged {
    pub passed: bool,
    pub feedback: Text,
    /// Present after a passing answer, or a second one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub good_answer: Option<String>,
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(extend("examples" = [{
    "cues": ["A partner is a lookup."], "invariant": null, "microLessonId": "hash-map-partners",
    "microLesson": {"id": "hash-map-partners", "title": "Look back instead of searching", "text": "…"},
    "adversaryChallenge": {"change": "streaming", "question": "What do you keep?", "completed": false},
    "patternDueAt": "2030-01-02T09:00:00Z",
}]))]
pub struct Reflected {
    pub cues: Vec<String>,
    pub invariant: Option<String>,
    pub micro_lesson_id: String,
    pub micro_lesson: MicroLesson,
    pub adversary_challenge: AdversaryChallenge,
    /// When the pattern comes back for review.
    pub pattern_due_at: Option<Timestamp>,
}

#[derive(Debug, Serialize, JsonSchema)]
pub struct AdversaryChallenge {
    /// The kind of change, such as streaming or duplicates.
    pub change: String,
    pub question: String,
    pub completed: bool,
}
