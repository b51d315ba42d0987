//! Calls a verb of a flow, for any surface.

use super::app::App;
use super::failure::Failure;
use super::flows::FlowEntry;
use super::setting::scope_of;
use super::turn::{self, Opening, Request};
use super::via::Via;
use super::view::{Answer, View};
use coaching::desk::{Line, Role};
use coaching::face::{Does, Given, Verb};
use coaching::rejected::Rejected;
use coaching::turn::Source;
use serde_json::Value;
use store::{Filter, Instance, StoreError};
use uuid::Uuid;

/// More than the number of flows that a learner has open at once.
const MAX_OPEN: usize = 1_000;

/// A call of a verb with its arguments.
#[derive(Debug, Clone)]
pub struct Call<'a> {
    pub entry: &'a FlowEntry,
    pub verb: &'static Verb,
    /// The id of the flow that the verb is used on; empty if there is none.
    pub id: &'a str,
    pub learner: &'a str,
    /// The payload of the event, or the opening.
    pub prepared: Value,
    /// The event, for verbs whose arguments choose it.
    pub chosen: Option<&'static str>,
    /// The caller's idempotency key.
    pub key: Option<String>,
    pub via: Via,
}

/// Converts the arguments of a verb into the form that the flow takes. A request repeated with its key gives the
/// same result.
pub fn prepare(verb: &Verb, id: &str, body: Value, key: Option<&str>) -> Value {
    (verb.prepare)(Given { id, body, fresh: &fresh(id, key).to_string() })
}

fn fresh(id: &str, key: Option<&str>) -> Uuid {
    let of_key = |key: &str| Uuid::new_v5(&Uuid::NAMESPACE_OID, format!("{id}/{key}").as_bytes());
    key.map_or_else(Uuid::now_v7, of_key)
}

pub async fn call(app: &App, call: Call<'_>) -> Result<Answer, Failure> {
    match call.verb.does {
        Does::Opens => open_with(app, call, None).await,
        Does::OpensBeside => {
            let fresh = fresh(call.id, call.key.as_deref());
            let id = format!("{}.{}-{fresh}", call.id, call.entry.name);
            // A repeated request gets its first answer again, whatever else is open by now.
            let is_repeated = call.key.is_some() && app.store.load(&id).await?.is_some();
            match open_beside(app, call.entry, call.id, call.learner).await? {
                Some(view) if !is_repeated => Ok(asking_again(view)),
                _ => open_with(app, call, Some(id)).await,
            }
        }
        _ => take(app, call).await,
    }
}

async fn open_with(app: &App, call: Call<'_>, id: Option<String>) -> Result<Answer, Failure> {
    let Call { entry, learner, prepared, key, via, .. } = call;
    let (flow, learner) = (entry.name.clone(), learner.to_owned());
    open(app, Opening { flow, learner, opening: prepared, request: key, id, via, ..Opening::default() }).await
}

/// Opens a flow, and starts it if it then waits for its starting verb.
pub async fn open(app: &App, opening: Opening) -> Result<Answer, Failure> {
    let (via, entry) = (opening.via, app.flows.get(&opening.flow));
    let event = entry.and_then(|entry| entry.face?.begins()?.event());
    let opened = turn::open(app, opening).await?;
    let Some(event) = event.filter(|event| opened.view.allowed.iter().any(|allowed| allowed == event)) else {
        return Ok(opened);
    };
    let request = Request { via, ..Request::new(&opened.view.id, event, Source::User) };
    let begun = turn::take(app, request).await?;
    let said = opened.said.into_iter().chain(begun.said).collect();
    let actions = opened.actions.into_iter().chain(begun.actions).collect();
    Ok(Answer { said, actions, repeated: opened.repeated, ..begun })
}

async fn take(app: &App, call: Call<'_>) -> Result<Answer, Failure> {
    let event = event(app, &call).await?;
    let Call { verb, id, prepared, key, via, .. } = call;
    let payload = if matches!(verb.does, Does::ActsBy { .. }) { Value::Null } else { prepared };
    let request = Request { payload, request: key, via, ..Request::new(id, event, Source::User) };
    turn::take(app, request).await
}

/// Returns the event that a verb sends. Flows that share documents share verb names: an answer may be meant for a
/// course or for a review beside it.
async fn event(app: &App, call: &Call<'_>) -> Result<&'static str, Failure> {
    let Call { entry, verb, id, .. } = call;
    let root = app.row(scope_of(id)).await?;
    if root.flow != entry.name {
        return Err(Failure::UnknownInstance { id: (*id).to_owned() });
    }
    let chosen = match verb.does {
        Does::ActsBy { .. } => call.chosen,
        _ if *id == root.id => verb.event(),
        _ => {
            let beside = app.flows.get(&app.row(id).await?.flow).and_then(|entry| entry.face);
            let named = beside.and_then(|face| face.verbs.iter().find(|known| known.name == verb.name));
            named.and_then(Verb::event)
        }
    };
    chosen.ok_or_else(|| {
        Failure::Rejected(Rejected {
            code: "bad_arguments",
            message: format!("`{}` cannot be used with this", verb.name).into(),
            cure: "the schema says what is expected".into(),
        })
    })
}

/// Finds the newest open flow of this kind beside another. Skips flows that cannot go on.
async fn open_beside(app: &App, entry: &FlowEntry, id: &str, learner: &str) -> Result<Option<View>, Failure> {
    for row in open_flows(app, &entry.name, learner).await? {
        if scope_of(&row.id) == id
            && let Some(view) = sound(app, row).await?
        {
            return Ok(Some(view));
        }
    }
    Ok(None)
}

/// Returns the open flows of one kind that belong to a learner, newest first.
pub async fn open_flows(app: &App, flow: &str, learner: &str) -> Result<Vec<Instance>, StoreError> {
    Ok(app.store.list(&Filter::open_of(flow, learner), None, MAX_OPEN).await?.instances)
}

/// Returns the view of a flow, or `None` if the present law or its own data keep it from going on.
pub async fn sound(app: &App, row: Instance) -> Result<Option<View>, Failure> {
    match app.place(row).await {
        Ok(placed) => Ok(Some(turn::view_of(&placed))),
        Err(Failure::Store(error)) => Err(Failure::Store(error)),
        Err(failure) => {
            tracing::warn!(%failure, "a flow that cannot go on is passed over");
            Ok(None)
        }
    }
}

/// Answers with an open flow by asking its question once more.
fn asking_again(view: View) -> Answer {
    let ask = view.desk.as_ref().and_then(|desk| desk.ask.as_ref());
    let question = ask.filter(|ask| !ask.question.is_empty()).map(|ask| ask.question.clone());
    let said = question.map(|question| Line::new(Role::Question, question)).into_iter().collect();
    Answer { view, said, actions: Vec::new(), repeated: true }
}
