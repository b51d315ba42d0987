//! Opens and moves courses and the reviews beside them. `coaching::teach::looks` has everything that only reads.

use crate::engine::app::App;
use crate::engine::call::{self, Call};
use crate::engine::failure::Failure;
use crate::engine::setting::scope_of;
use crate::engine::turn::{self, Opening, Request, Via};
use crate::engine::view::{Answer, View};
use coaching::teach::Exchange;
use coaching::teach::verbs::SIT;
use coaching::turn::Source;
use coaching::words::Text;
use serde_json::{Value, json};
use std::collections::HashMap;
use store::{Instance, StoreError};

pub use coaching::teach::{COURSE, REVIEW};

/// Starts a course: on a topic, on a map of one's own, or `from` an abandoned one.
pub async fn open(app: &App, learner: &str, opening: Value) -> Result<Answer, Failure> {
    let (flow, learner) = (COURSE.to_owned(), learner.to_owned());
    turn::open(app, Opening { flow, learner, opening, ..Opening::default() }).await
}

/// Sends the learner's event to a course or a review.
pub async fn act(app: &App, id: &str, event: &str, payload: Value) -> Result<Answer, Failure> {
    turn::take(app, Request { payload, ..Request::new(id, event, Source::User) }).await
}

/// Returns the open sitting, which asks its question again, or opens a new one: on the due concepts or, with
/// `ahead`, on those not mastered yet.
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

/// Returns the sittings that wait for an answer, by course. If a course has several, the newest counts.
pub async fn open_sittings(app: &App, learner: &str) -> Result<HashMap<String, Instance>, StoreError> {
    let by_course = |row: Instance| (scope_of(&row.id).to_owned(), row);
    // The list starts with the newest, which must be inserted last.
    Ok(call::open_flows(app, REVIEW, learner).await?.into_iter().rev().map(by_course).collect())
}

/// Returns the open question of a flow, as text.
pub fn question(view: &View) -> Option<Text> {
    Some(view.more::<Exchange>().question?.shown.text())
}

/// Returns a course by its id.
async fn course(app: &App, mind_map_id: &str) -> Result<Instance, Failure> {
    let row = app.store.load(mind_map_id).await?.filter(|row| row.flow == COURSE);
    row.ok_or_else(|| unknown(mind_map_id))
}

fn unknown(id: &str) -> Failure {
    Failure::UnknownInstance { id: id.to_owned() }
}
