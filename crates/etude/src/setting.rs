//! What a turn is decided with: what is known about the learner, and the map that the flow is about.

use crate::app::{App, Placed};
use crate::failure::Failure;
use crate::flows::Entry;
use crate::records;
use coaching::learner::{PROFILE_KEY, PROFILE_KIND};
use coaching::teach::map::MindMap;
use coaching::teach::{MAP_DOCUMENT_KIND, MAP_KIND};
use coaching::turn::{Moment, Record};
use serde_json::Value;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use store::At;

/// The most learner records that a turn is decided with.
const MAX_RECORDS: usize = 10_000;
/// The maps that are kept in memory. One of thousands of concepts takes a few milliseconds to read.
const MAX_MAPS: usize = 256;

#[derive(Debug, Default)]
pub struct Setting {
    records: Vec<Record>,
    map: Option<Arc<MindMap>>,
}

impl Setting {
    /// For a new flow. An opening with a field `from` goes on from where another flow of the learner has left.
    pub async fn of_opening(
        app: &App,
        entry: &Entry,
        learner: &str,
        id: &str,
        opening: &Value,
    ) -> Result<Setting, Failure> {
        let mut all = Vec::new();
        for kind in entry.reads {
            all.extend(app.store.records(learner, kind, MAX_RECORDS).await?.into_iter().map(records::known));
        }
        let from = opening.get("from").and_then(Value::as_str).unwrap_or(id);
        let mut setting = Setting::of_scope(app, entry, learner, from).await?;
        setting.records.extend(all);
        Ok(setting)
    }

    /// For a turn of a flow that is there.
    pub async fn of_turn(app: &App, placed: &Placed) -> Result<Setting, Failure> {
        Setting::of_scope(app, &placed.entry, &placed.row.learner, &placed.row.id).await
    }

    async fn of_scope(app: &App, entry: &Entry, learner: &str, id: &str) -> Result<Setting, Failure> {
        if !entry.is_scoped {
            return Ok(Setting::default());
        }
        let found = app.store.records_in(learner, scope_of(id), MAX_RECORDS).await?;
        let profile = app.store.record(learner, PROFILE_KIND, PROFILE_KEY).await?;
        let records: Vec<Record> = found.into_iter().chain(profile).map(records::known).collect();
        let map = match map_document(&records) {
            Some(document) => app.maps.get(app, learner, document).await?,
            None => None,
        };
        Ok(Setting { records, map })
    }

    pub fn moment<'a>(&'a self, now: At, seed: u64, learner: &'a str) -> Moment<'a> {
        Moment { now_us: now.0, seed, learner, records: &self.records, map: self.map.as_ref() }
    }
}

/// What a flow and those that run beside it share: `MAP.review-1` works on the same as `MAP`.
pub fn scope_of(id: &str) -> &str {
    id.split('.').next().unwrap_or(id)
}

fn map_document(records: &[Record]) -> Option<&str> {
    let header = records.iter().find(|record| record.kind == MAP_KIND)?;
    header.body.as_ref()?.get("document")?.as_str()
}

/// Maps by the name of their document. A document never changes: a map that does gets another one.
#[derive(Debug, Default)]
pub struct Maps(Mutex<HashMap<String, Arc<MindMap>>>);

impl Maps {
    pub async fn get(
        &self,
        app: &App,
        learner: &str,
        document: &str,
    ) -> Result<Option<Arc<MindMap>>, Failure> {
        if let Some(map) = self.known().get(document) {
            return Ok(Some(map.clone()));
        }
        let Some(record) = app.store.record(learner, MAP_DOCUMENT_KIND, document).await? else {
            return Ok(None);
        };
        let broken = |error: serde_json::Error| Failure::Broken {
            id: document.to_owned(),
            reason: format!("its map cannot be read: {error}"),
        };
        let map = Arc::new(serde_json::from_str::<MindMap>(&record.body).map_err(broken)?);
        let mut known = self.known();
        if known.len() >= MAX_MAPS {
            known.clear();
        }
        known.insert(document.to_owned(), map.clone());
        Ok(Some(map))
    }

    fn known(&self) -> std::sync::MutexGuard<'_, HashMap<String, Arc<MindMap>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
