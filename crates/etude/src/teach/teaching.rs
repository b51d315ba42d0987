//! What can be done with courses, maps and reviews, in one place for the terminal, HTTP and MCP.
//!
//! Everything that changes goes through the turn loop; what only reads asks the store for whole sets at once.

use crate::engine::app::App;
use crate::engine::failure::Failure;
use crate::engine::look::look;
use crate::engine::records;
use crate::engine::setting::scope_of;
use crate::engine::turn::{self, Opening, Request, Via};
use crate::engine::view::{Answer, View};
use coaching::curriculum::Shown;
use coaching::desk::{Line, Role};
use coaching::map::{EdgeType, Format, MapId, NodeId};
use coaching::rejected::Rejected;
use coaching::teach::looks;
pub use coaching::teach::looks::{Atlas, CurriculumView, Listed, NodeView};
use coaching::teach::progress::ResponseType;
use coaching::teach::state::{FlowState, FlowStatus};
use coaching::teach::{Header, MAP_KIND, Response, Schedule};
use coaching::turn::Source;
use coaching::words::Text;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::collections::HashMap;
use store::{At, Filter, Instance, StoreError};

pub const COURSE: &str = "teach";
pub const REVIEW: &str = "review";
/// More open sittings than any learner still cares about.
const MAX_SITTINGS: usize = 1_000;

/// A course after a move, and what Etude said on the way.
#[derive(Debug, Clone, Serialize)]
pub struct Moved {
    #[serde(flatten)]
    pub state: FlowState,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub said: Vec<Line>,
}

/// What is given to start a course.
#[derive(Debug, Clone, Default)]
pub struct Start {
    /// What to learn, in the learner's words.
    pub topic: String,
    pub goal: Option<String>,
    /// The tutor: `etude`, with its curricula or its model, or `outside`, the caller.
    pub tutor: Option<String>,
    /// A curriculum by its id.
    pub curriculum: Option<String>,
    /// The caller's idempotency key.
    pub request: Option<String>,
}

/// Starts a course: map, state and first step are one commit.
pub async fn start(app: &App, learner: &str, start: &Start, via: Via) -> Result<Answer, Failure> {
    let mut opening = json!({"topic": start.topic, "goal": start.goal, "curriculum": start.curriculum});
    if let Some(tutor) = &start.tutor {
        opening["tutor"] = json!(tutor);
    }
    open(app, learner, opening, start.request.clone(), via).await
}

/// Starts a course on an imported map.
pub async fn import(
    app: &App,
    learner: &str,
    map: Value,
    tutor: &str,
    request: Option<String>,
) -> Result<Answer, Failure> {
    open(app, learner, json!({"map": map, "tutor": tutor}), request, Via::Caller).await
}

/// Goes on with an abandoned course under a new id.
pub async fn resume(
    app: &App,
    learner: &str,
    from: &str,
    request: Option<String>,
) -> Result<Answer, Failure> {
    state(app, from).await?.ok_or_else(|| unknown(from))?;
    open(app, learner, json!({"from": from}), request, Via::Caller).await
}

async fn open(
    app: &App,
    learner: &str,
    opening: Value,
    request: Option<String>,
    via: Via,
) -> Result<Answer, Failure> {
    let (flow, learner) = (COURSE.to_owned(), learner.to_owned());
    turn::open(app, Opening { flow, learner, opening, request, via, ..Opening::default() }).await
}

/// The open sitting, which asks its question again, or a new one: of what is due or, with `ahead`, of what is not
/// mastered yet.
pub async fn review(app: &App, mind_map_id: &str, ahead: bool, via: Via) -> Result<Answer, Failure> {
    let learner = course(app, mind_map_id).await?.learner;
    let open = open_sittings(app, &learner).await?.remove(mind_map_id);
    if let Some(view) = sound(app, open).await? {
        let line = |say| Line::new(Role::Question, say);
        let said = question(&view).map(line).into_iter().collect();
        return Ok(Answer { view, said, actions: Vec::new(), repeated: true });
    }
    let id = format!("{mind_map_id}.review-{}", uuid::Uuid::now_v7());
    let opening = Opening {
        flow: REVIEW.into(),
        learner,
        id: Some(id),
        opening: json!({"ahead": ahead}),
        via,
        ..Opening::default()
    };
    turn::open(app, opening).await
}

/// The sittings that wait for an answer, by course. If a course has several, the newest counts.
pub async fn open_sittings(app: &App, learner: &str) -> Result<HashMap<String, Instance>, StoreError> {
    let filter = Filter {
        flow: Some(REVIEW.into()),
        learner: Some(learner.into()),
        open: Some(true),
        ..Filter::default()
    };
    let page = app.store.list(&filter, None, MAX_SITTINGS).await?;
    let by_course = |row: Instance| (scope_of(&row.id).to_owned(), row);
    // The list starts with the newest, which must be inserted last.
    Ok(page.instances.into_iter().rev().map(by_course).collect())
}

/// The view of a sitting. A sitting that cannot continue under the present law or data is skipped.
pub async fn sound(app: &App, sitting: Option<Instance>) -> Result<Option<View>, Failure> {
    let Some(row) = sitting else { return Ok(None) };
    match app.place(row).await {
        Ok(placed) => Ok(Some(turn::view_of(&placed))),
        Err(Failure::Store(error)) => Err(Failure::Store(error)),
        Err(failure) => {
            tracing::warn!(%failure, "a sitting is left alone");
            Ok(None)
        }
    }
}

/// The open question of a flow, as text.
pub fn question(view: &View) -> Option<Text> {
    let shown = Shown::deserialize(view.data.pointer("/question/shown")?).ok()?;
    Some(shown.text())
}

/// Where a course stands, in the form of its key-value entry; `None` when there is no such course.
pub async fn state(app: &App, mind_map_id: &str) -> Result<Option<FlowState>, Failure> {
    let row = app.store.load(mind_map_id).await?.filter(|row| row.flow == COURSE);
    row.map(|row| read(&row)).transpose()
}

/// Moves a course to its next status. `expected` refuses the move if the course has already moved on.
pub async fn advance(app: &App, mind_map_id: &str, expected: Option<FlowStatus>) -> Result<Moved, Failure> {
    let payload = expected.map_or(json!({}), |expected| json!({"expected_status": expected}));
    let moved = act(app, mind_map_id, "advance", payload).await;
    Moved::read(moved.map_err(|failure| not_from_there(failure, "another status"))?)
}

/// Retries a map that could not be made: from the named curriculum, else from one that fits the topic, else with a
/// model.
pub async fn plan_again(
    app: &App,
    mind_map_id: &str,
    curriculum: Option<&str>,
    key: Option<String>,
) -> Result<Answer, Failure> {
    let payload = curriculum.map_or(json!({}), |curriculum| json!({"curriculum": curriculum}));
    act_once(app, mind_map_id, "plan_again", payload, key).await
}

/// Records how far the tutor has come with the current concept: it was explained, or a question was asked.
pub async fn enter_phase(app: &App, mind_map_id: &str, event: &str) -> Result<Moved, Failure> {
    let moved = act(app, mind_map_id, event, json!({})).await;
    Moved::read(moved.map_err(|failure| not_from_there(failure, "`teaching`"))?)
}

pub async fn abandon(app: &App, mind_map_id: &str) -> Result<(), Failure> {
    let abandoned = act(app, mind_map_id, "abandon", json!({})).await;
    abandoned.map(drop).map_err(|failure| not_from_there(failure, "`abandoned`"))
}

/// What has ended stays as it is. Says which transition was asked for.
fn not_from_there(failure: Failure, to: &str) -> Failure {
    let Failure::Over { state, .. } = failure else { return failure };
    Failure::Rejected(Rejected {
        code: "invalid_transition",
        message: format!("invalid transition from `{state}` to {to}: a course that is {state} stays so")
            .into(),
        cure: "start a new course; one that was abandoned can be resumed".into(),
    })
}

impl Moved {
    pub fn read(answer: Answer) -> Result<Moved, Failure> {
        let state = FlowState::deserialize(&answer.view.data)
            .map_err(|error| Failure::Broken { id: answer.view.id, reason: error.to_string() })?;
        Ok(Moved { state, said: answer.said })
    }
}

/// Sends an event to a course or a review.
pub async fn act(app: &App, id: &str, event: &str, payload: Value) -> Result<Answer, Failure> {
    act_once(app, id, event, payload, None).await
}

/// The same; a request with a key is taken once, however often it comes.
pub async fn act_once(
    app: &App,
    id: &str,
    event: &str,
    payload: Value,
    key: Option<String>,
) -> Result<Answer, Failure> {
    course(app, scope_of(id)).await?;
    let request = Request { payload, request: key, ..Request::new(id, event, Source::User) };
    turn::take(app, request).await
}

/// Adds a concept; says which id it got.
pub async fn create_node(
    app: &App,
    mind_map_id: &str,
    label: &str,
    description: Option<&str>,
    effort_minutes: Option<u32>,
) -> Result<NodeId, Failure> {
    let node_id = NodeId::new(uuid::Uuid::now_v7());
    let edit = json!({
        "edit": "node_create",
        "node_id": node_id,
        "label": label,
        "description": description,
        "effort_minutes": effort_minutes,
    });
    act(app, mind_map_id, "edited", edit).await?;
    Ok(node_id)
}

pub async fn create_edge(
    app: &App,
    mind_map_id: &str,
    parent: &str,
    child: &str,
    edge_type: EdgeType,
) -> Result<(), Failure> {
    let edit = json!({
        "edit": "edge_create",
        "parent_node_id": parent,
        "child_node_id": child,
        "edge_type": edge_type,
    });
    act(app, mind_map_id, "edited", edit).await.map(drop)
}

/// Changes what is known about a concept; `changes` has the fields of the edit `node_update`.
pub async fn update_node(
    app: &App,
    mind_map_id: &str,
    node_id: &str,
    changes: Value,
) -> Result<NodeView, Failure> {
    let mut edit = json!({"edit": "node_update", "node_id": node_id});
    if let (Value::Object(edit), Value::Object(changes)) = (&mut edit, changes) {
        edit.extend(changes);
    }
    act(app, mind_map_id, "edited", edit).await?;
    node(app, mind_map_id, node_id).await
}

/// Records an answer that an outside tutor has asked for and judged.
pub async fn record(
    app: &App,
    mind_map_id: &str,
    node_id: &str,
    (question_text, user_answer): (&str, &str),
    quality: &Value,
    response_type: ResponseType,
) -> Result<(), Failure> {
    let payload = json!({
        "node_id": node_id,
        "question_text": question_text,
        "user_answer": user_answer,
        "quality": quality,
        "response_type": response_type,
    });
    act(app, mind_map_id, "recorded", payload).await.map(drop)
}

/// The courses of a learner, the one used last first.
pub async fn list(app: &App, learner: &str, status: Option<FlowStatus>) -> Result<Vec<Listed>, Failure> {
    look(app, learner, |shelf| looks::courses(shelf, status)).await
}

/// A map with how well its concepts are known.
pub async fn atlas(app: &App, mind_map_id: &str) -> Result<Atlas, Failure> {
    let learner = course(app, mind_map_id).await?.learner;
    look(app, &learner, |shelf| looks::atlas(shelf, mind_map_id)).await
}

/// One concept of a map.
pub async fn node(app: &App, mind_map_id: &str, node_id: &str) -> Result<NodeView, Failure> {
    let learner = course(app, mind_map_id).await?.learner;
    look(app, &learner, |shelf| looks::atlas(shelf, mind_map_id)?.node(node_id)).await
}

/// A notation that a map can be written in, by its name.
pub fn format(name: &str) -> Result<Format, Failure> {
    looks::format(name).map_err(Failure::Rejected)
}

pub async fn recent_answers(
    app: &App,
    learner: &str,
    map: MapId,
    node: NodeId,
) -> Result<Vec<Response>, Failure> {
    look(app, learner, |shelf| looks::recent_answers(shelf, map, node)).await
}

/// The reviews to come, of all maps of a learner, the next one first.
pub async fn schedules(app: &App, learner: &str) -> Result<Vec<Schedule>, Failure> {
    look(app, learner, looks::schedules).await
}

/// What can be taught without a model.
pub fn curricula(app: &App) -> Vec<CurriculumView> {
    looks::curricula(&app.flows.curricula)
}

/// The head of one map of a learner.
pub async fn header(app: &App, learner: &str, mind_map_id: &str) -> Result<Option<Header>, StoreError> {
    records::read(&app.store, learner, MAP_KIND, mind_map_id).await
}

/// When the concepts of each course come back that a learner has understood.
pub async fn coming_back(app: &App, learner: &str) -> Result<HashMap<String, Vec<At>>, Failure> {
    let coming = look(app, learner, looks::coming_back).await?;
    Ok(coming.into_iter().map(|(course, at)| (course, at.into_iter().map(At).collect())).collect())
}

/// The heads of a learner's maps, those that are still in use first, then the newest.
pub async fn headers(app: &App, learner: &str) -> Result<Vec<Header>, Failure> {
    look(app, learner, looks::headers).await
}

/// The map of a concept, for callers that know only the concept.
pub async fn map_with(app: &App, learner: &str, node_id: &str) -> Result<String, Failure> {
    look(app, learner, |shelf| looks::map_with(shelf, node_id)).await
}

/// A course by its id.
pub async fn course(app: &App, mind_map_id: &str) -> Result<store::Instance, Failure> {
    let row = app.store.load(mind_map_id).await?.filter(|row| row.flow == COURSE);
    row.ok_or_else(|| unknown(mind_map_id))
}

fn read<T: serde::de::DeserializeOwned>(row: &store::Instance) -> Result<T, Failure> {
    serde_json::from_str(&row.data)
        .map_err(|error| Failure::Broken { id: row.id.clone(), reason: error.to_string() })
}

fn unknown(id: &str) -> Failure {
    Failure::UnknownInstance { id: id.to_owned() }
}
