//! Declares the verbs of an attempt, on every surface.

use super::Event;
use super::data::{Explanation, Mode, TracedCase};
use super::plan::{ChoosePattern, Discover};
use super::reflect::{ChallengeAnswer, Reflection};
use super::replies::{
    Challenged, Chosen, Discovered, ExplainedFailure, Hinted, ModeSet, Reflected, Suggestions, Tested,
    Understood,
};
use super::verify::{ExplainFailure, TraceTest};
use crate::face::{Answers, Does, SchemaOf, Tool, VERB, Verb, http, schema};
use schemars::JsonSchema;
use serde::Deserialize;

/// The opening of an attempt.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(extend("examples" = [{"problemId": "two-sum", "mode": "BEGINNER", "language": "python"}]))]
pub struct AttemptOpening {
    /// The problem, such as two-sum
    #[serde(alias = "problem", rename = "problemId")]
    pub problem: String,
    /// As usual here if it is left out
    #[serde(default)]
    pub mode: Option<Mode>,
    /// python, javascript or rust
    #[serde(default)]
    pub language: Option<String>,
    /// Whether a model may help
    #[serde(default)]
    pub model: bool,
    #[serde(default = "on", rename = "attempt_v2_flow")]
    #[schemars(skip)]
    pub attempt_v2_flow: bool,
    #[serde(default = "on", rename = "beginner_mode_default")]
    #[schemars(skip)]
    pub beginner_mode_default: bool,
}

fn on() -> bool {
    true
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(extend("examples" = [{"mode": "EXPERT"}]))]
pub(super) struct SetMode {
    /// BEGINNER or EXPERT
    pub mode: Mode,
}

/// An answer to a question about the explanation.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[schemars(extend("examples" = [{"answer": "Sorting would lose the positions."}]))]
pub(super) struct Answered {
    /// In your own words
    pub answer: String,
}

/// A program.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(extend("examples" = [{"language": "python", "code": "def two_sum(numbers, target):\n    return []\n"}]))]
pub(super) struct Code {
    /// The text of the program
    pub code: String,
    /// python, javascript or rust; else as before
    #[serde(default)]
    pub language: Option<String>,
}

/// The explanation that patterns are suggested for.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[schemars(extend("examples" = [{"explanation": "Two make a sum."}]))]
pub(super) struct Suggest {
    /// Your understanding in short
    #[serde(default)]
    #[expect(
        dead_code,
        reason = "the suggestions of a problem do not depend on it, so that they betray nothing"
    )]
    pub explanation: String,
}

const OPEN: Verb = Verb {
    name: "open",
    payload: Some(schema::<AttemptOpening>),
    http: http("start_attempt", "/api/attempts", "Start a coding problem; /api/problems lists them"),
    replies: Some(schema::<super::looks::AttemptV2>),
    tool: Some(Tool {
        id: None,
        ..tool(
            "attempt_start",
            "Start a coding problem",
            "Opens a coding problem in five steps: explain, plan, implement, verify, reflect. Pass on the learner's words and \
             programs unchanged; never solve it for them.",
        )
    }),
    ..VERB
};

const MODE: Verb = Verb {
    name: "mode",
    does: Does::Sets(Event::SetMode.name()),
    payload: Some(schema::<SetMode>),
    http: http(
        "set_attempt_mode",
        "/api/attempts/{id}/mode",
        "Choose beginner or expert mode, before anything is submitted",
    ),
    replies: replies::<ModeSet>(),
    tool: Some(tool(
        "attempt_mode",
        "Choose the mode",
        "Sets BEGINNER or EXPERT, before anything is submitted.",
    )),
    typed: &[":mode"],
    ..VERB
};

const EXPLAIN: Verb = Verb {
    name: "explain",
    does: Does::Says(Event::Explain.name()),
    payload: Some(schema::<Explanation>),
    http: http(
        "submit_understanding",
        "/api/attempts/{id}/understand/submit",
        "Explain the problem in your own words",
    ),
    replies: replies::<Understood>(),
    tool: Some(tool(
        "attempt_explain",
        "Explain the problem",
        "Passes on the learner's explanation of the problem. `status` says whether it is enough.",
    )),
    ..VERB
};

const FOLLOW_UP: Verb = Verb {
    name: "follow_up",
    does: Does::Acts(Event::FollowUp.name()),
    payload: Some(schema::<Answered>),
    http: http(
        "answer_followup",
        "/api/attempts/{id}/understand/followup",
        "Answer the coach's question about the explanation",
    ),
    replies: replies::<Understood>(),
    tool: Some(tool(
        "attempt_followup",
        "Answer a follow-up",
        "The learner's answer to the coach's question.",
    )),
    typed: &[":followup"],
    ..VERB
};

const SUGGEST: Verb = Verb {
    name: "suggest",
    does: Does::Acts(Event::Suggest.name()),
    payload: Some(schema::<Suggest>),
    http: http(
        "suggest_patterns",
        "/api/attempts/{id}/plan/suggest",
        "See two or three patterns that may fit; their order says nothing",
    ),
    replies: replies::<Suggestions>(),
    tool: Some(tool(
        "attempt_suggest",
        "Suggest patterns",
        "Patterns that may fit, in an order that says nothing.",
    )),
    typed: &["suggest", "vorschlag"],
    german: &["vorschlag"],
    ..VERB
};

const DISCOVER: Verb = Verb {
    name: "discover",
    does: Does::Acts(Event::Discover.name()),
    payload: Some(schema::<Discover>),
    http: http(
        "discover_pattern",
        "/api/attempts/{id}/plan/discover",
        "Find a pattern with questions: ask for the first one, or answer",
    ),
    replies: replies::<Discovered>(),
    tool: Some(tool(
        "attempt_discover",
        "Find a pattern with questions",
        "Asks the first question, or takes the learner's answer.",
    )),
    typed: &["discover", "fragen"],
    german: &["fragen"],
    ..VERB
};

const CHOOSE: Verb = Verb {
    name: "choose",
    does: Does::Acts(Event::Choose.name()),
    payload: Some(schema::<ChoosePattern>),
    http: http(
        "choose_pattern",
        "/api/attempts/{id}/plan/choose",
        "Choose a pattern, with confidence, invariant and complexity",
    ),
    replies: replies::<Chosen>(),
    tool: Some(tool(
        "attempt_choose",
        "Choose a pattern",
        "The learner's pattern, confidence, invariant and complexity.",
    )),
    typed: &[":choose"],
    ..VERB
};

const SUBMIT: Verb = Verb {
    name: "submit",
    does: Does::Acts(Event::Submit.name()),
    payload: Some(schema::<Code>),
    http: http(
        "submit_code",
        "/api/attempts/{id}/code",
        "Submit a program; it is saved, and the tests can be run",
    ),
    replies: replies::<super::looks::AttemptV2>(),
    tool: Some(tool("attempt_submit", "Submit a program", "Saves the learner's program, unchanged.")),
    typed: &[":submit"],
    ..VERB
};

const HINT: Verb = Verb {
    name: "hint",
    does: Does::Acts(Event::Hint.name()),
    http: http("get_hint", "/api/attempts/{id}/hint", "Use one hint of the budget"),
    replies: replies::<Hinted>(),
    tool: Some(tool(
        "attempt_hint",
        "Get a hint",
        "The next hint of the problem, taken from a budget. Pass it on unchanged.",
    )),
    typed: &["hint", "tipp"],
    german: &["tipp"],
    ..VERB
};

const RUN: Verb = Verb {
    name: "run",
    does: Does::Acts(Event::Run.name()),
    http: http("run_tests", "/api/attempts/{id}/verify/run", "Run the submitted program against every test"),
    replies: replies::<Tested>(),
    tool: Some(tool(
        "attempt_run",
        "Run the tests",
        "Runs the learner's program in a sandbox against every test.",
    )),
    typed: &["run", "test"],
    ..VERB
};

const EXPLAIN_FAILURE: Verb = Verb {
    name: "explain_failure",
    does: Does::Acts(Event::ExplainFailure.name()),
    payload: Some(schema::<ExplainFailure>),
    http: http(
        "explain_failure",
        "/api/attempts/{id}/verify/explain-failure",
        "Get help with a failing test; never code",
    ),
    replies: replies::<ExplainedFailure>(),
    tool: Some(tool(
        "attempt_explain_failure",
        "Help with a failing test",
        "The likely kind of mistake and what to look at next.",
    )),
    typed: &[":explain"],
    ..VERB
};

const TRACE: Verb = Verb {
    name: "trace",
    does: Does::Acts(Event::Trace.name()),
    payload: Some(schema::<TraceTest>),
    http: http(
        "trace_test",
        "/api/attempts/{id}/verify/trace",
        "See a failing case line by line; Python and JavaScript",
    ),
    replies: replies::<TracedCase>(),
    tool: Some(tool(
        "attempt_trace",
        "See a failing case line by line",
        "The learner's program on a failing case, line by line.",
    )),
    typed: &["trace", "ablauf"],
    german: &["ablauf"],
    ..VERB
};

const RETRY: Verb = Verb {
    name: "retry",
    does: Does::Acts(Event::Retry.name()),
    http: http("retry_attempt", "/api/attempts/{id}/verify/retry", "Go back to the program"),
    replies: replies::<super::looks::AttemptV2>(),
    tool: Some(tool(
        "attempt_retry",
        "Go back to the program",
        "After a failed run, the learner changes the program.",
    )),
    typed: &["retry", "fix", "zurück"],
    german: &["zurück"],
    ..VERB
};

const CHALLENGE: Verb = Verb {
    name: "challenge",
    does: Does::Acts(Event::Challenge.name()),
    payload: Some(schema::<ChallengeAnswer>),
    http: http(
        "take_challenge",
        "/api/attempts/{id}/reflect/challenge",
        "Answer the question about the changed constraint",
    ),
    replies: replies::<Challenged>(),
    tool: Some(tool(
        "attempt_challenge",
        "Take the challenge",
        "The learner's answer about the changed constraint.",
    )),
    typed: &[":challenge"],
    ..VERB
};

const REFLECT: Verb = Verb {
    name: "reflect",
    does: Does::Acts(Event::Reflect.name()),
    payload: Some(schema::<Reflection>),
    http: http(
        "submit_reflection",
        "/api/attempts/{id}/reflect/submit",
        "Keep what to recognise next time, and finish",
    ),
    replies: replies::<Reflected>(),
    tool: Some(tool("attempt_reflect", "Look back", "What the learner wants to remember. It finishes.")),
    typed: &[":reflect"],
    ..VERB
};

const SKIP_REFLECTION: Verb = Verb {
    name: "skip_reflection",
    does: Does::Acts(Event::SkipReflection.name()),
    http: http("skip_reflection", "/api/attempts/{id}/reflect/skip", "Finish without looking back"),
    replies: replies::<super::looks::AttemptV2>(),
    typed: &[":finish"],
    ..VERB
};

const SKIP: Verb = Verb {
    name: "skip",
    does: Does::Acts(Event::Skip.name()),
    http: http("skip_step", "/api/attempts/{id}/skip", "Skip the explanation or the plan; experts only"),
    replies: replies::<super::looks::AttemptV2>(),
    typed: &["skip", "überspringen"],
    german: &["überspringen"],
    ..VERB
};

const ABANDON: Verb = Verb {
    name: "abandon",
    does: Does::Ends(Event::Abandon.name()),
    http: http("abandon_attempt", "/api/attempts/{id}/abandon", "End an attempt for good"),
    replies: replies::<super::looks::AttemptV2>(),
    tool: Some(tool("attempt_abandon", "Give up", "Ends the attempt for good.")),
    typed: &[":abandon"],
    ..VERB
};

pub(super) const VERBS: &[Verb] = &[
    OPEN,
    MODE,
    EXPLAIN,
    FOLLOW_UP,
    SUGGEST,
    DISCOVER,
    CHOOSE,
    SUBMIT,
    HINT,
    RUN,
    EXPLAIN_FAILURE,
    TRACE,
    RETRY,
    CHALLENGE,
    REFLECT,
    SKIP_REFLECTION,
    SKIP,
    ABANDON,
];

const fn replies<T: JsonSchema>() -> Option<SchemaOf> {
    Some(schema::<T>)
}

const fn tool(name: &'static str, title: &'static str, about: &'static str) -> Tool {
    Tool { name, title, about, id: Some("attempt_id"), answers: Answers::View }
}
