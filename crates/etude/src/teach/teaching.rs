//! What can be done with courses, maps and reviews, in one place for the terminal, HTTP and MCP.
//!
//! Everything that changes goes through the turn loop; what only reads asks the store for whole sets at once.

use crate::engine::app::App;
use crate::engine::call::{self, Call};
use crate::engine::failure::Failure;
use crate::engine::look::look;
use crate::engine::records;
use crate::engine::setting::scope_of;
use crate::engine::turn::{self, Opening, Request, Via};
use crate::engine::view::{Answer, View};
use coaching::curriculum::Shown;
use coaching::teach::looks;
pub use coaching::teach::looks::{Atlas, CurriculumView, Listed, NodeView};
use coaching::teach::state::{FlowState, FlowStatus};
use coaching::teach::verbs::SIT;
use coaching::teach::{Header, MAP_KIND, Schedule};
use coaching::turn::Source;
use coaching::words::Text;
use serde::Deserialize;
use serde_json::{Value, json};
use std::collections::HashMap;
use store::{At, Instance, StoreError};

pub const COURSE: &str = "teach";
pub const REVIEW: &str = "review";

/// Starts a course on an imported map.
pub async fn import(app: &App, learner: &str, map: Value, tutor: &str) -> Result<Answer, Failure> {
    open(app, learner, json!({"map": map, "tutor": tutor})).await
}

/// Goes on with an abandoned course under a new id.
pub async fn resume(app: &App, learner: &str, from: &str) -> Result<Answer, Failure> {
    course(app, from).await?;
    open(app, learner, json!({"from": from})).await
}

async fn open(app: &App, learner: &str, opening: Value) -> Result<Answer, Failure> {
    let (flow, learner) = (COURSE.to_owned(), learner.to_owned());
    turn::open(app, Opening { flow, learner, opening, ..Opening::default() }).await
}

/// The open sitting, which asks its question again, or a new one: of what is due or, with `ahead`, of what is not
/// mastered yet.
pub async fn review(app: &App, mind_map_id: &str, ahead: bool) -> Result<Answer, Failure> {
    let learner = course(app, mind_map_id).await?.learner;
    let entry = app.flows.get(REVIEW).ok_or_else(|| unknown(mind_map_id))?;
    let sit = Call {
        entry,
        verb: &SIT,
        id: mind_map_id,
        learner: &learner,
        prepared: json!({"ahead": ahead}),
        chosen: None,
        key: None,
        via: Via::Caller,
    };
    call::call(app, sit).await
}

/// The sittings that wait for an answer, by course. If a course has several, the newest counts.
pub async fn open_sittings(app: &App, learner: &str) -> Result<HashMap<String, Instance>, StoreError> {
    let by_course = |row: Instance| (scope_of(&row.id).to_owned(), row);
    // The list starts with the newest, which must be inserted last.
    Ok(call::open_flows(app, REVIEW, learner).await?.into_iter().rev().map(by_course).collect())
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

/// Sends an event to a course or a review.
pub async fn act(app: &App, id: &str, event: &str, payload: Value) -> Result<Answer, Failure> {
    course(app, scope_of(id)).await?;
    turn::take(app, Request { payload, ..Request::new(id, event, Source::User) }).await
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

/// The reviews to come, of all maps of a learner, the next one first.
pub async fn schedules(app: &App, learner: &str) -> Result<Vec<Schedule>, Failure> {
    look(app, learner, looks::schedules).await
}

/// What can be taught without a model.
pub fn curricula(app: &App) -> Vec<CurriculumView> {
    looks::curricula(&app.flows.curricula.get())
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
