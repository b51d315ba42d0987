//! Tools about courses: to start, lead, look at and end them, and to speak with Etude where it is the tutor.

use super::tool::{Caller, Does, Tool};
use crate::courses::teaching::{self, Listed, Moved, Start};
use crate::courses::wire;
use crate::engine::failure::Failure;
use crate::engine::turn::Via;
use crate::engine::view::Answer;
use coaching::teach::state::{FlowState, FlowStatus};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

pub fn tools() -> Vec<Tool> {
    vec![
        Tool::new(
            "teaching_flow_start",
            "Start a course",
            Does::Adds,
            "Starts a course on a topic and returns its state, which is `diagnosing`. By default you are the tutor: \
             find out in 3 to 7 questions what the learner knows (record each with quiz_response_record), call \
             teaching_flow_advance, lay out the map with mind_map_node_create and mind_map_edge_create, advance \
             again, and teach one concept at a time. With tutor `etude`, Etude teaches from its own curricula \
             (curriculum_list) and you only pass on what it says and what the learner answers (teach_answer). \
             Keep `mind_map_id`: every other tool asks for it.",
            start,
        ),
        Tool::new(
            "teaching_flow_get",
            "Look at a course",
            Does::Reads,
            "Where a course stands: status, current node, phase, what the diagnosis found. Null when there is no \
             such course. Call it first in every session: nothing else remembers where you left off.",
            get,
        ),
        Tool::new(
            "teaching_flow_advance",
            "Move a course on",
            Does::Adds,
            "Moves a course to its next status and returns the new state: diagnosing to planning to teaching to \
             quizzing, and from there to the next concept (teaching), to waiting for reviews (reviewing) or to \
             completed, as the frontier of the map decides. A failed quiz goes back to the same concept. Give \
             expected_status, the status you believe the course to have, so that you never move one that somebody \
             else has moved in the meantime.",
            advance,
        ),
        Tool::new(
            "teaching_flow_plan_again",
            "Try again to get a map",
            Does::Adds,
            "For a course that Etude teaches and that has no map, because its model could not name the concepts: asks \
             the model once more, or takes a curriculum (curriculum_list) in its place. Returns the new state and what \
             Etude says, which is its first question when there is a map now.",
            plan_again,
        ),
        Tool::new(
            "teaching_flow_phase",
            "Say how far the teaching has come",
            Does::Adds,
            "While a course is in `teaching` and you are the tutor: `explained` after you have explained the current \
             concept (the phase becomes questioning), `asked` after you have put your comprehension question (the \
             phase becomes evaluating). A later session then goes on without explaining again.",
            phase,
        ),
        Tool::new(
            "teaching_flow_abandon",
            "Abandon a course",
            Does::Ends,
            "Ends a course for good and deletes its pending reviews. Its map and history stay, and \
             teaching_flow_resume can go on from them under a new id. Ask the learner first.",
            abandon,
        ),
        Tool::new(
            "teaching_flow_resume",
            "Resume an abandoned course",
            Does::Adds,
            "Goes on with an abandoned course: a new course with a new mind_map_id and a copy of the map and of \
             everything that was learned, whose concepts have new node_ids; its reviews are put down again. The \
             abandoned course stays as it ended. Call it once: each call makes another copy.",
            resume,
        ),
        Tool::new(
            "teaching_flow_list",
            "List courses",
            Does::Reads,
            "The learner's courses, the one used last first, with status and mastery_pct (0 to 1). Filter with \
             status.",
            list,
        ),
        Tool::new(
            "teach_answer",
            "Answer Etude's question",
            Does::Adds,
            "Passes the learner's answer to the question that Etude has put, in a course that Etude teaches or in a \
             review. Returns what Etude says (`said`: feedback, explanations, the next question) and where the \
             flow stands. Pass the learner's own words on unchanged.",
            answer,
        ),
        Tool::new(
            "teach_ask",
            "Ask Etude something in between",
            Does::Adds,
            "Passes a question of the learner's own to Etude, in a course that Etude teaches. It is matched to the \
             current concept, another one of the map, or called out of scope; the course stays where it is.",
            ask,
        ),
        Tool::new(
            "teach_go_on",
            "Go on after an explanation",
            Does::Adds,
            "The learner has read the explanation and wants the comprehension question, in a course that Etude \
             teaches.",
            go_on,
        ),
        Tool::new(
            "review_start",
            "Start a review",
            Does::Adds,
            "Begins a sitting of recall beside a course: Etude asks for every concept that is due, once, or with \
             `ahead` for those that are understood but not mastered yet. A course has one sitting at a time: one that \
             is open goes on. Returns the question in `said` and an `id`; answer with teach_answer and that id. The course itself is not disturbed.",
            review,
        ),
    ]
}

/// One course.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Which {
    /// The id of the course, which is that of its map.
    pub mind_map_id: String,
    /// Whose course it must be; the usual learner where none is named.
    #[serde(default)]
    pub learner: Option<String>,
}

/// Whose things are meant.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Whose {
    /// The usual learner where none is named.
    #[serde(default)]
    pub learner: Option<String>,
}

impl Which {
    /// A course that is somebody else's is as unknown as one that is not there.
    pub async fn check(&self, caller: &Caller) -> Result<(), Failure> {
        check_owner(caller, &self.mind_map_id, &self.learner).await
    }
}

/// Whether a course or a review is that of the learner who is named, or else of the usual one.
pub async fn check_owner(caller: &Caller, id: &str, learner: &Option<String>) -> Result<(), Failure> {
    let course = teaching::course(&caller.app, crate::engine::setting::scope_of(id)).await?;
    match course.learner == caller.learner(learner) {
        true => Ok(()),
        false => Err(Failure::UnknownInstance { id: id.to_owned() }),
    }
}

/// Nothing, for tools that only do something.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Done {
    pub result: (),
}

#[derive(Debug, Serialize, JsonSchema)]
pub struct List<T> {
    pub result: Vec<T>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct StartInput {
    /// What to learn, in a few words; it becomes the title of the map.
    topic: String,
    /// What the learner wants to be able to do.
    #[serde(default)]
    goal: Option<String>,
    /// Who teaches: `outside` is you, `etude` is Etude itself.
    #[serde(default)]
    #[schemars(schema_with = "wire::tutor")]
    tutor: Option<String>,
    /// A curriculum by its id (see curriculum_list); only for tutor `etude`.
    #[serde(default)]
    curriculum: Option<String>,
    /// Who learns; the usual learner where none is named.
    #[serde(default)]
    learner: Option<String>,
}

async fn start(caller: Caller, input: StartInput) -> Result<Moved, Failure> {
    let learner = caller.learner(&input.learner);
    let tutor = input.tutor.clone().unwrap_or_else(|| "outside".to_owned());
    let start = Start {
        topic: input.topic,
        goal: input.goal,
        tutor: Some(tutor),
        curriculum: input.curriculum,
        request: None,
    };
    Moved::read(teaching::start(&caller.app, learner, &start, Via::Caller).await?)
}

#[derive(Debug, Serialize, JsonSchema)]
struct Found {
    #[schemars(schema_with = "wire::optional_state")]
    result: Option<FlowState>,
}

async fn get(caller: Caller, which: Which) -> Result<Found, Failure> {
    match which.check(&caller).await {
        Err(Failure::UnknownInstance { .. }) => return Ok(Found { result: None }),
        checked => checked?,
    }
    Ok(Found { result: teaching::state(&caller.app, &which.mind_map_id).await? })
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct AdvanceInput {
    mind_map_id: String,
    /// Refuse when the course has another status.
    #[serde(default)]
    #[schemars(schema_with = "wire::optional_status")]
    expected_status: Option<FlowStatus>,
    #[serde(default)]
    learner: Option<String>,
}

async fn advance(caller: Caller, input: AdvanceInput) -> Result<Moved, Failure> {
    check_owner(&caller, &input.mind_map_id, &input.learner).await?;
    teaching::advance(&caller.app, &input.mind_map_id, input.expected_status).await
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct PlanInput {
    mind_map_id: String,
    /// A curriculum by its id or title; without one, a model is asked.
    #[serde(default)]
    curriculum: Option<String>,
    #[serde(default)]
    learner: Option<String>,
}

async fn plan_again(caller: Caller, input: PlanInput) -> Result<Moved, Failure> {
    check_owner(&caller, &input.mind_map_id, &input.learner).await?;
    let curriculum = input.curriculum.as_deref();
    Moved::read(teaching::plan_again(&caller.app, &input.mind_map_id, curriculum, None).await?)
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct PhaseInput {
    mind_map_id: String,
    /// What has just happened.
    phase: Passed,
    #[serde(default)]
    learner: Option<String>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Passed {
    Explained,
    Asked,
}

async fn phase(caller: Caller, input: PhaseInput) -> Result<Moved, Failure> {
    check_owner(&caller, &input.mind_map_id, &input.learner).await?;
    let event = match input.phase {
        Passed::Explained => "explained",
        Passed::Asked => "asked",
    };
    teaching::enter_phase(&caller.app, &input.mind_map_id, event).await
}

async fn abandon(caller: Caller, which: Which) -> Result<Done, Failure> {
    which.check(&caller).await?;
    teaching::abandon(&caller.app, &which.mind_map_id).await?;
    Ok(Done { result: () })
}

async fn resume(caller: Caller, which: Which) -> Result<Moved, Failure> {
    which.check(&caller).await?;
    let learner = teaching::course(&caller.app, &which.mind_map_id).await?.learner;
    Moved::read(teaching::resume(&caller.app, &learner, &which.mind_map_id, None).await?)
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct ListInput {
    /// Only courses with this status.
    #[serde(default)]
    #[schemars(schema_with = "wire::optional_status")]
    status: Option<FlowStatus>,
    #[serde(default)]
    learner: Option<String>,
}

async fn list(caller: Caller, input: ListInput) -> Result<List<Listed>, Failure> {
    let result = teaching::list(&caller.app, caller.learner(&input.learner), input.status).await?;
    Ok(List { result })
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct AnswerInput {
    /// The id of the course or of the review.
    id: String,
    /// The learner's answer, in their own words.
    text: String,
    #[serde(default)]
    learner: Option<String>,
}

async fn answer(caller: Caller, input: AnswerInput) -> Result<Answer, Failure> {
    check_owner(&caller, &input.id, &input.learner).await?;
    teaching::act(&caller.app, &input.id, "answered", json!({"text": input.text})).await
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct AskInput {
    /// The id of the course or of the review.
    mind_map_id: String,
    /// The learner's question.
    text: String,
    #[serde(default)]
    learner: Option<String>,
}

async fn ask(caller: Caller, input: AskInput) -> Result<Answer, Failure> {
    check_owner(&caller, &input.mind_map_id, &input.learner).await?;
    teaching::act(&caller.app, &input.mind_map_id, "asks", json!({"text": input.text})).await
}

async fn go_on(caller: Caller, which: Which) -> Result<Answer, Failure> {
    which.check(&caller).await?;
    teaching::act(&caller.app, &which.mind_map_id, "go_on", json!({})).await
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct ReviewInput {
    mind_map_id: String,
    /// Also what is not due yet but not mastered either.
    #[serde(default)]
    ahead: bool,
    #[serde(default)]
    learner: Option<String>,
}

async fn review(caller: Caller, input: ReviewInput) -> Result<Answer, Failure> {
    check_owner(&caller, &input.mind_map_id, &input.learner).await?;
    teaching::review(&caller.app, &input.mind_map_id, input.ahead, Via::Caller).await
}
