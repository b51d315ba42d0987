//! Uses a verb of a flow, for any surface.

use crate::engine::app::App;
use crate::engine::failure::Failure;
use crate::engine::flows::Entry;
use crate::engine::setting::scope_of;
use crate::engine::turn::{self, Opening, Request, Via};
use crate::engine::view::Answer;
use coaching::face::{Does, Given, Verb};
use coaching::turn::Source;
use serde_json::Value;
use uuid::Uuid;

/// A verb with what is given.
#[derive(Debug, Clone)]
pub struct Call<'a> {
    pub entry: &'a Entry,
    pub verb: &'static Verb,
    /// The flow that it is about; empty where it opens one.
    pub id: &'a str,
    pub learner: &'a str,
    pub body: Value,
    /// The caller's idempotency key.
    pub key: Option<String>,
    pub via: Via,
}

pub async fn call(app: &App, call: Call<'_>) -> Result<Answer, Failure> {
    let Call { entry, verb, id, learner, body, key, via } = call;
    let fresh = Uuid::now_v7().to_string();
    let prepared = (verb.prepare)(Given { id, body, fresh: &fresh });
    let Some(event) = event(app, entry, verb, id).await? else {
        let (flow, learner) = (entry.name.clone(), learner.to_owned());
        let opening = Opening { flow, learner, opening: prepared, request: key, via, ..Opening::default() };
        return turn::open(app, opening).await;
    };
    let request = Request { payload: prepared, request: key, via, ..Request::new(id, event, Source::User) };
    turn::take(app, request).await
}

/// The event that a verb sends to a flow. Flows that share documents share the names of their verbs: an answer may be for
/// a course or for a review beside it.
async fn event(
    app: &App,
    entry: &Entry,
    verb: &'static Verb,
    id: &str,
) -> Result<Option<&'static str>, Failure> {
    if verb.does == Does::Opens {
        return Ok(None);
    }
    let unknown = || Failure::UnknownInstance { id: id.to_owned() };
    let root = app.row(scope_of(id)).await?;
    if root.flow != entry.name {
        return Err(unknown());
    }
    if id == scope_of(id) {
        return Ok(verb.event());
    }
    let beside = app.flows.get(&app.row(id).await?.flow).and_then(|entry| entry.face);
    let named = beside.and_then(|face| face.verbs.iter().find(|known| known.name == verb.name));
    Ok(named.and_then(Verb::event).or(verb.event()))
}
