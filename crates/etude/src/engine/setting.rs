//! What a turn is decided with: what is known about the learner, and the map that the flow is about.

use crate::engine::app::{App, Placed};
use crate::engine::failure::Failure;
use crate::engine::flows::Entry;
use crate::engine::records;
use coaching::learner::{PROFILE_KEY, PROFILE_KIND};
use coaching::map::{MapId, MindMap};
use coaching::record::Record;
use coaching::teach::{MAP_DOCUMENT_KIND, MAP_KIND, SCHEDULE_KIND, schedules_scope};
use coaching::turn::{Edition, Moment, Turned};
use serde_json::Value;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use store::{At, Commit, Seen};

/// The most records of one kind that an opening reads.
const MAX_RECORDS: usize = 10_000;
/// The maps that are kept in memory. One of thousands of concepts takes a few milliseconds to read.
const MAX_MAPS: usize = 256;

/// A larger working set is read again for every turn instead of being kept.
const MAX_KEPT_RECORDS: usize = 128;

#[derive(Debug, Default)]
pub struct Setting {
    records: Vec<Record>,
    map: Option<Arc<MindMap>>,
    /// How many reviews of other maps the learner has when; `None` until a turn wants to know.
    due_elsewhere: Option<Vec<(i64, u32)>>,
    /// What must still hold when the turn is written. `None` for a flow that shares no documents.
    seen: Option<Seen>,
    /// Of which edition the records are that a flow without such documents has looked at.
    edition: Option<u64>,
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
        drop(app.settings.take(&name(learner, id)));
        let mut setting = Setting::of_scope(app, entry, learner, id).await?;
        if let Some(from) = opening.get("from").and_then(Value::as_str).filter(|_| entry.is_scoped) {
            let (_, left) = app.store.scope(learner, scope_of(from)).await?;
            setting.records.extend(left.into_iter().map(records::known));
            setting.map = map(app, learner, &setting.records).await?;
        }
        setting.look_around(app, entry, learner).await?;
        Ok(setting)
    }

    /// For a turn of a flow that is there.
    pub async fn of_turn(app: &App, placed: &Placed) -> Result<Setting, Failure> {
        let store::Instance { learner, id, .. } = &placed.row;
        let (setting, due_elsewhere) =
            tokio::try_join!(Setting::of_scope(app, &placed.entry, learner, id), due_elsewhere(app, placed))?;
        Ok(Setting { due_elsewhere: Some(due_elsewhere), ..setting })
    }

    /// For a turn that was decided before and refused: what the flow has read when it was opened may have changed.
    pub async fn of_turn_again(app: &App, placed: &Placed) -> Result<Setting, Failure> {
        let mut setting = Setting::of_turn(app, placed).await?;
        setting.look_around(app, &placed.entry, &placed.row.learner).await?;
        Ok(setting)
    }

    /// Reads what the flow wants to know beside the documents that it shares. It may be newer than its edition says,
    /// never older.
    async fn look_around(&mut self, app: &App, entry: &Entry, learner: &str) -> Result<(), Failure> {
        if entry.reads.is_empty() {
            return Ok(());
        }
        self.edition = Some(app.store.scope_version(learner, &known_scope(learner)).await?);
        for kind in entry.reads {
            let known = app.store.records(learner, kind, MAX_RECORDS).await?;
            self.records.extend(known.into_iter().map(records::known));
        }
        Ok(())
    }

    /// The same as it was after the last turn here, if that is remembered. What other maps have due since then is not
    /// looked at again: the days of reviews are balanced well enough without.
    pub async fn of_next_turn(app: &App, placed: &Placed) -> Result<Setting, Failure> {
        match app.settings.take(&name(&placed.row.learner, &placed.row.id)) {
            Some(setting) if placed.entry.is_scoped && setting.due_elsewhere.is_some() => Ok(setting),
            Some(setting) if placed.entry.is_scoped => {
                Ok(Setting { due_elsewhere: Some(due_elsewhere(app, placed).await?), ..setting })
            }
            _ => Setting::of_turn(app, placed).await,
        }
    }

    async fn of_scope(app: &App, entry: &Entry, learner: &str, id: &str) -> Result<Setting, Failure> {
        if !entry.is_scoped {
            return Ok(Setting::default());
        }
        let (version, found) = app.store.scope(learner, scope_of(id)).await?;
        let profile = app.store.record(learner, PROFILE_KIND, PROFILE_KEY).await?;
        let seen = Seen {
            scope: scope_of(id).to_owned(),
            version,
            next: version,
            kind: PROFILE_KIND.to_owned(),
            key: PROFILE_KEY.to_owned(),
            body: profile.as_ref().map(|profile| profile.body.clone()).unwrap_or_default(),
        };
        let records: Vec<Record> = found.into_iter().chain(profile).map(records::known).collect();
        let map = map(app, learner, &records).await?;
        Ok(Setting { records, map, seen: Some(seen), ..Setting::default() })
    }

    pub fn moment<'a>(&'a self, now: At, seed: u64, learner: &'a str) -> Moment<'a> {
        let Setting { records, map, edition, .. } = self;
        let due_elsewhere = self.due_elsewhere.as_deref().unwrap_or_default();
        let map = map.as_ref();
        Moment { now_us: now.0, seed, learner, records, map, due_elsewhere, edition: *edition }
    }

    /// What a turn rests on that is written now.
    pub fn seen(&self, turned: &Turned, learner: &str, now: At) -> Option<Seen> {
        let next = |seen: &Seen| Edition::after(seen.version, now.0).next;
        let shared = self.seen.as_ref().map(|seen| Seen { next: next(seen), ..seen.clone() });
        shared.or_else(|| {
            let Edition { seen, next } = turned.edition?;
            Some(Seen { scope: known_scope(learner), version: seen, next, ..Seen::default() })
        })
    }

    /// Keeps the setting for the next turn, as a turn that is written has left it.
    pub fn keep(mut self, app: &App, commit: &Commit, changes: &[Record]) {
        let (Some(seen), Some(written)) = (&mut self.seen, &commit.seen) else { return };
        seen.version = written.version_after(&commit.records);
        let name = name(&commit.instance.learner, &seen.scope);
        let is_other = |known: &Record, change: &Record| known.kind != change.kind || known.key != change.key;
        for change in changes {
            // The next turn has to read another map.
            if change.kind == MAP_DOCUMENT_KIND {
                return;
            }
            self.records.retain(|known| is_other(known, change));
            if change.body.is_some() && change.scope == seen.scope {
                self.records.push(change.clone());
            }
        }
        if self.records.len() <= MAX_KEPT_RECORDS {
            app.settings.keep(name, self);
        }
    }
}

/// What the setting of a flow is kept under. Flows that share their documents share it.
fn name(learner: &str, id: &str) -> String {
    format!("{learner}/{}", scope_of(id))
}

/// What a flow and those that run beside it share: `MAP.review-1` works on the same as `MAP`.
pub fn scope_of(id: &str) -> &str {
    id.split('.').next().unwrap_or(id)
}

/// One read, for turns that may put a review down: an opening puts none.
async fn due_elsewhere(app: &App, placed: &Placed) -> Result<Vec<(i64, u32)>, Failure> {
    let Some(map) = MapId::parse(scope_of(&placed.row.id)).ok().filter(|_| placed.entry.is_scoped) else {
        return Ok(Vec::new());
    };
    let schedules = (placed.row.learner.as_str(), SCHEDULE_KIND);
    let ahead = app.store.due_ahead(schedules, &schedules_scope(map), app.clock.now()).await?;
    Ok(ahead.into_iter().map(|(at, count)| (at.0, u32::try_from(count).unwrap_or(u32::MAX))).collect())
}

/// Under which name the store counts the changes of what is known about a learner beside courses. No flow has a `/`
/// in its id.
fn known_scope(learner: &str) -> String {
    format!("known/{learner}")
}

/// The map that the head of a course names.
async fn map(app: &App, learner: &str, records: &[Record]) -> Result<Option<Arc<MindMap>>, Failure> {
    let header = records.iter().find(|record| record.kind == MAP_KIND).and_then(|head| head.body.as_ref());
    match header.and_then(|header| header.get("document")?.as_str()) {
        Some(document) => app.maps.get(app, learner, document).await,
        None => Ok(None),
    }
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
