//! Shows agents' sessions live, with nothing but the sessions' own data: previews without secrets.

use super::session::FLOW;
use crate::engine::app::App;
use serde_json::{Value, json};
use std::collections::{HashMap, VecDeque};
use store::Filter;

/// The most sessions that are watched, newest first.
const MAX_SESSIONS: usize = 200;

/// Something to show: its kind is `session`, `decision` or `watchdog`.
#[derive(Debug, Clone, PartialEq)]
pub struct Happening {
    pub kind: &'static str,
    pub data: Value,
}

/// The state of one viewer: what they have seen, and what waits for them.
#[derive(Debug, Default)]
pub struct Live {
    seen: HashMap<String, Snapshot>,
    waiting: VecDeque<Happening>,
    is_started: bool,
}

#[derive(Debug, Clone, Default)]
struct Snapshot {
    version: u64,
    stops: u64,
    alarms: usize,
}

impl Live {
    /// Returns the next news for this viewer, if any. A new viewer first sees the state of every open session.
    pub async fn next(&mut self, app: &App) -> Result<Option<Happening>, store::StoreError> {
        if self.waiting.is_empty() {
            let mut rows = app.store.list(&Filter::of_flow(FLOW), None, MAX_SESSIONS).await?.instances;
            self.seen.retain(|id, _| rows.iter().any(|row| row.id == *id));
            rows.sort_by_key(|row| row.updated_at);
            rows.iter().for_each(|row| self.look_at(app, row));
            self.is_started = true;
        }
        Ok(self.waiting.pop_front())
    }

    fn look_at(&mut self, app: &App, row: &store::Instance) {
        let before = self.seen.get(&row.id).cloned().unwrap_or_default();
        if before.version == row.version {
            return;
        }
        let mut data: Value = serde_json::from_str(&row.data).unwrap_or_default();
        app.words.translate_json(app.words.choose(app.locale.as_deref()), &mut data);
        let alarms = data["alarms"].as_array().cloned().unwrap_or_default();
        let stops = data["counts"]["stops"].as_u64().unwrap_or(0);
        let now = Snapshot { version: row.version, stops, alarms: alarms.len() };
        let named = |mut about: Value| {
            about["agent"] = data["agent"].clone();
            about["session"] = data["session"].clone();
            about
        };
        if self.is_started || row.outcome.is_none() {
            let about =
                json!({"id": row.id, "state": row.state, "outcome": row.outcome, "counts": data["counts"]});
            self.waiting.push_back(Happening { kind: "session", data: named(about) });
        }
        if self.is_started && stops > before.stops && data["last"].is_object() {
            self.waiting.push_back(Happening { kind: "decision", data: named(data["last"].clone()) });
        }
        let new = alarms.into_iter().skip(before.alarms).filter(|_| self.is_started);
        self.waiting.extend(new.map(|alarm| Happening { kind: "watchdog", data: named(alarm) }));
        self.seen.insert(row.id.clone(), now);
    }
}
