//! Serves coding agents over HTTP: reports from programs without hooks, and a live view.

use super::auth::Who;
use super::operations::{Events, LOOK_EVERY, sse};
use super::problem::ProblemJson;
use super::request;
use super::serve::Server;
use crate::agent::{self, AgentTurn, AgentTurned, FLOW, Live};
use crate::engine::app::App;
use crate::engine::failure::Failure;
use crate::engine::turn;
use crate::engine::view::View;
use axum::Json;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::sse::Event as SseEvent;
use coaching::desk::Progress;
use futures_util::stream;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use store::Filter;

const MAX_SESSIONS: usize = 100;
const MAX_LINES: usize = 200;

/// A session of a coding agent.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct SessionRow {
    id: String,
    agent: String,
    session: String,
    state: String,
    /// At work (`working`), `silent`, `waiting` for a human, or `finished`.
    stands: String,
    outcome: Option<String>,
    /// How often the coach has sent the agent on since the human last spoke, and how often it may.
    continues: Option<Progress>,
    counts: Value,
    /// The last decision, with its message and its reason.
    last: Value,
    alarms: Value,
    updated_at: String,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Sessions {
    /// Whether the coach may speak to agents.
    on: bool,
    sessions: Vec<SessionRow>,
    /// The log of the coach, newest first.
    log: Vec<Value>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct SwitchBody {
    on: bool,
}

pub(super) async fn sessions(State(server): State<Server>) -> Result<Json<Sessions>, ProblemJson> {
    let log = server.desk.journal().map(|journal| journal.read()).unwrap_or_default();
    Ok(Json(Sessions {
        on: !server.desk.is_off(),
        sessions: listed(&server.app, &Filter::of_flow(FLOW)).await?,
        log: log.iter().rev().take(MAX_LINES).map(|line| json!(line)).collect(),
    }))
}

/// Returns the sessions that wait for a person.
pub(super) async fn waiting(app: &App) -> Result<Vec<SessionRow>, Failure> {
    let mut open = listed(app, &Filter { open: Some(true), ..Filter::of_flow(FLOW) }).await?;
    open.retain(|session| session.stands == "waiting");
    Ok(open)
}

/// Switches the coach of all agents on or off.
pub(super) async fn switch(
    state: State<Server>,
    headers: HeaderMap,
    body: Bytes,
) -> Result<Json<Sessions>, ProblemJson> {
    let SwitchBody { on } = request::read(&headers, &body)?;
    state.desk.turn(on).map_err(|error| {
        let (title, cure) =
            (format!("the switch cannot be moved: {error}"), "look at the permissions of the data folder");
        ProblemJson::new(StatusCode::INTERNAL_SERVER_ERROR, "no_switch", title, cure)
    })?;
    sessions(state).await
}

async fn listed(app: &App, filter: &Filter) -> Result<Vec<SessionRow>, Failure> {
    let mut sessions = Vec::new();
    for row in app.store.list(filter, None, MAX_SESSIONS).await?.instances {
        sessions.push(session_row(app, turn::look(app, row).await?));
    }
    Ok(sessions)
}

fn session_row(app: &App, view: View) -> SessionRow {
    let View { id, state, outcome, desk, mut data, updated_at, .. } = view;
    let language = app.words.choose(app.locale.as_deref());
    app.words.translate_json(language, &mut data);
    let mut continues =
        desk.and_then(|desk| desk.progress.into_iter().find(|known| known.name == "continues"));
    if let Some(continues) = &mut continues {
        continues.label = app.words.say(language, &continues.label).into();
    }
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    SessionRow {
        id,
        agent: text(&data["agent"]),
        session: text(&data["session"]),
        stands: agent::standing(&app.flows, &state).to_owned(),
        state,
        outcome,
        continues,
        counts: data["counts"].take(),
        last: data["last"].take(),
        alarms: data["alarms"].take(),
        updated_at,
    }
}

pub(super) async fn turn(
    State(server): State<Server>,
    headers: HeaderMap,
    body: Bytes,
) -> Result<Json<AgentTurned>, ProblemJson> {
    let turn: AgentTurn = request::read(&headers, &body)?;
    Ok(Json(agent::agent_turn(&server.app, &server.desk, turn).await?))
}

/// Streams the live view. Hooks run as separate processes and send no notifications, so the server polls.
pub(super) async fn live(State(server): State<Server>, who: Who) -> Events {
    sse(
        &server.clone(),
        who,
        stream::unfold((server, Live::default()), |(server, mut live)| async move {
            let mut stop = server.stop.clone();
            while !*stop.borrow() {
                match live.next(&server.app).await {
                    Ok(Some(happening)) => {
                        let event =
                            SseEvent::default().event(happening.kind).data(happening.data.to_string());
                        return Some((Ok(event), (server, live)));
                    }
                    Ok(None) => {}
                    Err(error) => tracing::warn!(%error, "the sessions of agents could not be looked at"),
                }
                tokio::select! {
                    _ = tokio::time::sleep(LOOK_EVERY) => {}
                    _ = stop.changed() => {}
                }
            }
            None
        }),
    )
}
