//! Watches one flow: its moves, the words its coach is writing, and lines that no request waited for.

use super::auth::Who;
use super::faces;
use super::operations::{Events, LOOK_EVERY, change, sse};
use super::problem::ProblemJson;
use super::request::InPath;
use super::serve::Server;
use crate::engine::aloud::Doing;
use crate::engine::view::Answer;
use crate::learners::language;
use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::sse::Event;
use futures_util::stream;
use serde_json::json;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::{broadcast, watch};
use tokio::time::{Interval, MissedTickBehavior};

pub(super) async fn watch_instance(
    State(server): State<Server>,
    who: Who,
    InPath(id): InPath,
    headers: HeaderMap,
) -> Result<Events, ProblemJson> {
    let aloud = &server.app.aloud;
    let (changes, aloud, late) = (server.app.store.changes(), aloud.watch(), aloud.listen());
    let latest = who.access.row(&server.app, &id).await?.version;
    let mut look = tokio::time::interval(LOOK_EVERY);
    look.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let wish = faces::wish(&headers).map(str::to_owned);
    let started = Watcher {
        server: server.clone(),
        id,
        wish,
        changes,
        aloud,
        late,
        look,
        told: 0,
        latest,
        doing: None,
    };
    Ok(sse(
        &server,
        who,
        stream::unfold(started, |mut watcher| async move {
            let event = watcher.next().await?;
            Some((Ok(event), watcher))
        }),
    ))
}

struct Watcher {
    server: Server,
    id: String,
    /// The languages that the client would like.
    wish: Option<String>,
    changes: broadcast::Receiver<store::Change>,
    aloud: watch::Receiver<u64>,
    late: broadcast::Receiver<Arc<Answer>>,
    look: Interval,
    told: u64,
    latest: u64,
    /// The state of the coach that the client has been told.
    doing: Option<Doing>,
}

impl Watcher {
    /// Returns the next event; `None` once the server stops.
    async fn next(&mut self) -> Option<Event> {
        let mut stop = self.server.stop.clone();
        loop {
            if *stop.borrow() {
                return None;
            }
            if let Some(event) = self.news() {
                return Some(event);
            }
            tokio::select! {
                changed = self.changes.recv() => match changed {
                    Ok(change) if change.instance == self.id => self.latest = self.latest.max(change.version),
                    Ok(_) => {}
                    // Some changes were missed; the next tick reads the flow from the store.
                    Err(_) => tokio::time::sleep(Duration::from_millis(50)).await,
                },
                late = self.late.recv() => match late {
                    Ok(answer) if answer.view.id == self.id => return Some(self.said((*answer).clone()).await),
                    _ => {}
                },
                _ = self.aloud.changed() => {}
                // The tick comes even if much happens elsewhere.
                _ = self.look.tick() => {
                    if let Ok(Some(row)) = self.server.app.store.load(&self.id).await {
                        self.latest = self.latest.max(row.version);
                    }
                }
                _ = stop.changed() => return None,
            }
        }
    }

    fn news(&mut self) -> Option<Event> {
        if self.latest != self.told {
            self.told = self.latest;
            return Some(change(&self.id, self.latest));
        }
        let doing = self.server.app.aloud.doing(&self.id);
        if doing == self.doing {
            return None;
        }
        self.doing = doing;
        let shown = self.doing.as_ref().map(|doing| json!({"asks": doing.asks, "text": doing.text}));
        Some(Event::default().event("coach").data(shown.unwrap_or_else(|| json!({})).to_string()))
    }

    /// Returns lines in the learner's language, with the version that they lead to.
    async fn said(&mut self, mut answer: Answer) -> Event {
        // Lines in another language are better than none.
        let _ = language::translate(&self.server.app, &mut answer, self.wish.as_deref()).await;
        let said = json!({"id": self.id, "version": answer.view.version, "said": answer.said});
        Event::default().event("said").data(said.to_string())
    }
}
