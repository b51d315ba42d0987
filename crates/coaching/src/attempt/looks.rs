//! Shows an attempt, and what else can be read: the problems, and a learner's attempts.

use super::data::{
    Data, Mode, PlanPayload, ReflectPayload, Step, Submission, UnderstandPayload, VerifyPayload,
};
use super::plan::{self, DiscoveryQuestion};
use super::values;
use super::words;
use super::{ASKS, Asks};
use crate::face::{Answers, LOOK, Look, Tool, http, schema};
use crate::look::{Shelf, Unseen};
use crate::problems::{Catalogue, Problem, Template};
use crate::turn::At;
use crate::words::Text;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// An attempt, by the names of the interface. `v2Step` is null for one from before there were five steps.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(extend("examples" = [{
    "problemId": "two-sum", "title": "Two numbers that make a sum", "rung": 1, "mode": "BEGINNER",
    "v2Step": "UNDERSTAND", "attemptStatus": "OPEN", "understandPayload": null, "openQuestion": null,
    "planPayload": null, "discoveryQuestion": null, "invariantTemplates": [], "verifyPayload": null,
    "reflectPayload": null, "hintBudget": 6, "hintsUsedCount": 0, "language": "python", "code": null,
    "submissions": [], "reply": null,
}]))]
pub struct AttemptV2 {
    pub problem_id: String,
    pub title: String,
    pub rung: u8,
    pub mode: Mode,
    pub v2_step: Option<Step>,
    pub attempt_status: AttemptStatus,
    pub understand_payload: Option<UnderstandPayload>,
    /// The unanswered question about the explanation.
    pub open_question: Option<Text>,
    pub plan_payload: Option<PlanPayload>,
    /// The unanswered question of the tree.
    pub discovery_question: Option<DiscoveryQuestion>,
    /// The sentences that an invariant can be built from, for beginners on the first rungs, once their pattern is
    /// accepted. A gap without choices is the learner's to fill: such a sentence is sent as `invariantText`.
    pub invariant_templates: Vec<InvariantTemplate>,
    pub verify_payload: Option<VerifyPayload>,
    pub reflect_payload: Option<ReflectPayload>,
    pub hint_budget: u32,
    pub hints_used_count: u32,
    pub language: String,
    pub code: Option<String>,
    pub submissions: Vec<Submission>,
    /// The reply to the last verb.
    pub reply: Value,
}

/// Whether an attempt goes on. `v2Step` says how far it came.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "UPPERCASE")]
pub enum AttemptStatus {
    Open,
    Complete,
    Abandoned,
}

impl AttemptStatus {
    fn of(outcome: Option<&str>) -> AttemptStatus {
        match outcome {
            None => AttemptStatus::Open,
            Some("abandoned") => AttemptStatus::Abandoned,
            Some(_) => AttemptStatus::Complete,
        }
    }
}

#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct InvariantTemplate {
    pub template_id: String,
    pub text: String,
    /// The choices for each gap.
    pub slots: BTreeMap<String, Vec<String>>,
}

pub(super) fn attempt(
    problem: Option<&Problem>,
    catalogue: &Catalogue,
    data: &Data,
    at: &At<'_>,
) -> AttemptV2 {
    let plan = (data.plan != PlanPayload::default()).then(|| data.plan.clone());
    let is_planning = data.step == Some(Step::Plan) && !at.is_final();
    let builder = problem.filter(|_| at.attribute_as(ASKS) == Some(Asks::Invariant));
    AttemptV2 {
        problem_id: data.problem.clone(),
        title: problem.map_or_else(String::new, |problem| problem.title.clone()),
        rung: problem.map_or(1, |problem| problem.rung),
        mode: data.mode,
        v2_step: data.step,
        attempt_status: AttemptStatus::of(at.outcome()),
        understand_payload: data.understand.clone(),
        open_question: data.question.clone(),
        plan_payload: plan,
        discovery_question: plan::question(catalogue, data).filter(|_| is_planning),
        invariant_templates: builder
            .iter()
            .flat_map(|problem| plan::templates(problem, catalogue, data))
            .map(|known| template(&known))
            .collect(),
        verify_payload: data.verify.clone(),
        reflect_payload: data.reflect.clone(),
        hint_budget: data.hint_budget,
        hints_used_count: data.hints_used,
        language: data.language.clone(),
        code: data.code.clone(),
        submissions: data.submissions.clone(),
        reply: data.reply.clone(),
    }
}

fn template(template: &Template) -> InvariantTemplate {
    let slots = template.slots.iter().map(|slot| (slot.name.clone(), slot.choices.clone()));
    InvariantTemplate {
        template_id: template.id.clone(),
        text: template.text.clone(),
        slots: slots.collect(),
    }
}

/// The available problems. The list does not say which pattern fits.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[schemars(extend("examples" = [{"problems": [{"id": "two-sum", "title": "Two numbers that make a sum", "rung": 1, "language": "en", "solved": false}]}]))]
pub struct Problems {
    pub problems: Vec<ProblemRow>,
}

#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ProblemRow {
    pub id: String,
    pub title: String,
    pub rung: u8,
    pub language: String,
    /// Whether the learner has solved it.
    pub solved: bool,
}

#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(extend("examples" = [{
    "id": "two-sum", "title": "Two numbers that make a sum", "rung": 1, "language": "en", "statement": "…",
    "constraints": [], "function": "two_sum", "returns": "[int]", "hiddenTests": 13,
    "parameters": [{"name": "numbers", "type": "[int]"}, {"name": "target", "type": "int"}],
    "samples": [{"call": "two_sum([3, 2, 4], 6)", "args": [[3, 2, 4], 6], "expected": [1, 2], "why": null}],
    "starter": {"python": "def two_sum(numbers, target):"},
}]))]
pub struct ShownProblem {
    pub id: String,
    pub title: String,
    pub rung: u8,
    pub language: String,
    /// Markdown.
    pub statement: String,
    pub constraints: Vec<String>,
    pub function: String,
    pub parameters: Vec<ShownParameter>,
    pub returns: String,
    pub samples: Vec<ShownSample>,
    /// The text that an editor shows first, by language.
    pub starter: BTreeMap<String, String>,
    /// The number of tests besides the samples.
    pub hidden_tests: usize,
}

#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub struct ShownParameter {
    pub name: String,
    #[serde(rename = "type")]
    pub kind: String,
}

#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub struct ShownSample {
    pub call: String,
    pub args: Vec<Value>,
    pub expected: Value,
    pub why: Option<String>,
}

#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[schemars(extend("examples" = [{"attempts": [{
    "id": "01J", "problemId": "two-sum", "mode": "BEGINNER", "v2Step": "PLAN", "attemptStatus": "OPEN",
    "solved": false, "hintBudget": 6, "hintsUsedCount": 0,
}]}]))]
pub struct Attempts {
    pub attempts: Vec<AttemptRow>,
}

#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct AttemptRow {
    pub id: String,
    pub problem_id: String,
    pub mode: Mode,
    pub v2_step: Option<Step>,
    pub attempt_status: AttemptStatus,
    pub solved: bool,
    pub hint_budget: u32,
    pub hints_used_count: u32,
}

pub(super) const LOOKS: &[Look] = &[
    Look {
        name: "problems",
        gives: schema::<Problems>,
        http: http("list_problems", "/api/problems", "The coding problems there are"),
        tool: Some(Tool {
            name: "attempt_problems",
            title: "List coding problems",
            about: "The coding problems there are, from the first rung to the fifth.",
            id: None,
            answers: Answers::Look("problems"),
        }),
        ..LOOK
    },
    Look {
        name: "problem",
        gives: schema::<ShownProblem>,
        http: http(
            "view_problem",
            "/api/problems/{name}",
            "One problem: statement, limits, samples and starters",
        ),
        ..LOOK
    },
    Look {
        name: "attempts",
        gives: schema::<Attempts>,
        http: http("list_attempts", "/api/attempts", "A learner's attempts, newest first"),
        ..LOOK
    },
];

pub(super) fn look(problems: &[Problem], look: &str, given: &Value, shelf: &Shelf) -> Result<Value, Unseen> {
    Ok(match look {
        "problems" => json!(list(problems, shelf)?),
        "problem" => {
            let name = given["name"].as_str().unwrap_or_default();
            let problem = problems.iter().find(|problem| problem.id == name);
            json!(shown(problem.ok_or_else(|| words::unknown_problem(super::repeated(name)))?))
        }
        _ => json!(Attempts { attempts: attempts(shelf)? }),
    })
}

fn list(problems: &[Problem], shelf: &Shelf) -> Result<Problems, Unseen> {
    let attempts = attempts(shelf)?;
    let mut rows: Vec<ProblemRow> = problems
        .iter()
        .map(|problem| ProblemRow {
            id: problem.id.clone(),
            title: problem.title.clone(),
            rung: problem.rung,
            language: problem.language.clone(),
            solved: attempts.iter().any(|attempt| attempt.solved && attempt.problem_id == problem.id),
        })
        .collect();
    rows.sort_by(|a, b| (a.rung, &a.id).cmp(&(b.rung, &b.id)));
    Ok(Problems { problems: rows })
}

fn attempts(shelf: &Shelf) -> Result<Vec<AttemptRow>, Unseen> {
    let row = |flow: &crate::look::StoredFlow| {
        let data: Data = flow.read()?;
        Ok(AttemptRow {
            id: flow.id.clone(),
            problem_id: data.problem,
            mode: data.mode,
            v2_step: data.step,
            attempt_status: AttemptStatus::of(flow.outcome.as_deref()),
            solved: data.all_passed,
            hint_budget: data.hint_budget,
            hints_used_count: data.hints_used,
        })
    };
    shelf.flows("attempt")?.iter().map(row).collect()
}

fn shown(problem: &Problem) -> ShownProblem {
    let sample = |sample: &crate::problems::Sample| ShownSample {
        call: values::call(&problem.signature.function, &sample.args),
        args: sample.args.clone(),
        expected: sample.expected.clone(),
        why: sample.why.clone(),
    };
    let parameters = problem.signature.parameters.iter();
    let parameters =
        parameters.map(|(name, kind)| ShownParameter { name: name.clone(), kind: kind.to_string() });
    ShownProblem {
        id: problem.id.clone(),
        title: problem.title.clone(),
        rung: problem.rung,
        language: problem.language.clone(),
        statement: problem.statement.clone(),
        constraints: problem.constraints.clone(),
        function: problem.signature.function.clone(),
        parameters: parameters.collect(),
        returns: problem.signature.returns.to_string(),
        samples: problem.samples.iter().map(sample).collect(),
        starter: problem
            .starter
            .0
            .iter()
            .map(|(language, code)| ((*language).to_owned(), code.clone()))
            .collect(),
        hidden_tests: problem.tests.len(),
    }
}
