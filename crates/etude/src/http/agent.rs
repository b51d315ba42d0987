//! Coding agents over HTTP: reports from programs without hooks, and a live view.

use super::operations::{Events, LOOK_EVERY, sse};
use super::problem::ProblemJson;
use super::request;
use super::serve::Server;
use crate::agent::{self, AgentTurn, AgentTurned, Live};
use axum::Json;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::sse::Event as SseEvent;
use futures_util::stream;

pub(super) async fn turn(
    State(server): State<Server>,
    headers: HeaderMap,
    body: Bytes,
) -> Result<Json<AgentTurned>, ProblemJson> {
    let turn: AgentTurn = request::read(&headers, &body)?;
    Ok(Json(agent::agent_turn(&server.app, &server.desk, turn).await?))
}

/// Hooks run as separate processes and send no news, so the server polls.
pub(super) async fn live(State(server): State<Server>) -> Events {
    sse(stream::unfold((server, Live::default()), |(server, mut live)| async move {
        let mut stop = server.stop.clone();
        while !*stop.borrow() {
            match live.next(&server.app).await {
                Ok(Some(happening)) => {
                    let event = SseEvent::default().event(happening.kind).data(happening.data.to_string());
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
    }))
}
