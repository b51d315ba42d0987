//! Gathers the data for deciding a turn: the records of the learner, and the documents that the flow shares.

use crate::engine::app::{App, Placed};
use crate::engine::failure::Failure;
use crate::engine::flows::FlowEntry;
use crate::engine::records;
use coaching::face::{Document, DocumentKind, Documents};
use coaching::learner::{PROFILE_KEY, PROFILE_KIND};
use coaching::record::Record;
use coaching::turn::{Edition, Moment, Turned};
use serde_json::Value;
use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use store::{At, Basis, Commit};

/// The most records of one kind that an opening reads.
const MAX_RECORDS: usize = 10_000;
/// The number of documents kept in memory. A map of thousands of concepts takes a few milliseconds to read.
const MAX_DOCUMENTS: usize = 256;

/// The largest number of records kept between turns. A larger working set is read again for every turn.
const MAX_KEPT_RECORDS: usize = 128;

#[derive(Debug, Default)]
pub struct Setting {
    records: Vec<Record>,
    documents: Documents,
    /// The times at which records of other scopes come due, and how many; `None` until a turn asks.
    dues: Option<Vec<(i64, u32)>>,
    /// The data that must be unchanged when the turn is written. `None` for a flow that shares no documents.
    seen: Option<Basis>,
    /// The edition of the learner's records that the flow has read, if it shares no documents.
    edition: Option<u64>,
}

impl Setting {
    /// Reads the setting for a new flow. An opening with a field `from` continues another flow of the learner.
    pub async fn of_opening(
        app: &App,
        entry: &FlowEntry,
        learner: &str,
        id: &str,
        opening: &Value,
    ) -> Result<Setting, Failure> {
        drop(app.settings.take(&name(learner, id)));
        let mut setting = Setting::of_scope(app, entry, learner, id).await?;
        if let Some(from) = opening.get("from").and_then(Value::as_str).filter(|_| entry.is_scoped()) {
            let (_, left) = app.store.scope(learner, scope_of(from)).await?;
            setting.records.extend(left.into_iter().map(records::known));
            setting.documents = documents(app, entry, learner, &setting.records).await?;
        }
        setting.look_around(app, entry, learner).await?;
        Ok(setting)
    }

    /// Reads the setting for a turn of an existing flow.
    pub async fn of_turn(app: &App, placed: &Placed) -> Result<Setting, Failure> {
        let store::Instance { learner, id, .. } = &placed.row;
        let (setting, dues) =
            tokio::try_join!(Setting::of_scope(app, &placed.entry, learner, id), dues(app, placed))?;
        Ok(Setting { dues: Some(dues), ..setting })
    }

    /// Reads the setting for a turn that the store refused: the records that the flow read at its opening may have
    /// changed.
    pub async fn of_turn_again(app: &App, placed: &Placed) -> Result<Setting, Failure> {
        let mut setting = Setting::of_turn(app, placed).await?;
        setting.look_around(app, &placed.entry, &placed.row.learner).await?;
        Ok(setting)
    }

    /// Reads the records that the flow needs besides its shared documents. They may be newer than the edition says,
    /// never older.
    async fn look_around(&mut self, app: &App, entry: &FlowEntry, learner: &str) -> Result<(), Failure> {
        if entry.needs().records.is_empty() {
            return Ok(());
        }
        self.edition = Some(app.store.scope_version(learner, &known_scope(learner)).await?);
        for kind in entry.needs().records {
            let known = app.store.records(learner, kind, MAX_RECORDS).await?;
            self.records.extend(known.into_iter().map(records::known));
        }
        Ok(())
    }

    /// Returns the setting after the last turn here, if it is remembered. Items that have come due in other maps
    /// since are not read again: the days of reviews are balanced well enough without them.
    pub async fn of_next_turn(app: &App, placed: &Placed) -> Result<Setting, Failure> {
        match app.settings.take(&name(&placed.row.learner, &placed.row.id)) {
            Some(setting) if placed.entry.is_scoped() && setting.dues.is_some() => Ok(setting),
            Some(setting) if placed.entry.is_scoped() => {
                Ok(Setting { dues: Some(dues(app, placed).await?), ..setting })
            }
            _ => Setting::of_turn(app, placed).await,
        }
    }

    async fn of_scope(app: &App, entry: &FlowEntry, learner: &str, id: &str) -> Result<Setting, Failure> {
        if !entry.is_scoped() {
            return Ok(Setting::default());
        }
        let (version, found) = app.store.scope(learner, scope_of(id)).await?;
        let profile = app.store.record(learner, PROFILE_KIND, PROFILE_KEY).await?;
        let seen = Basis {
            scope: scope_of(id).to_owned(),
            version,
            next: version,
            kind: PROFILE_KIND.to_owned(),
            key: PROFILE_KEY.to_owned(),
            body: profile.as_ref().map(|profile| profile.body.clone()).unwrap_or_default(),
        };
        let records: Vec<Record> = found.into_iter().chain(profile).map(records::known).collect();
        let documents = documents(app, entry, learner, &records).await?;
        Ok(Setting { records, documents, seen: Some(seen), ..Setting::default() })
    }

    pub fn moment<'a>(&'a self, now: At, seed: u64, learner: &'a str) -> Moment<'a> {
        let Setting { records, documents, edition, .. } = self;
        let dues = self.dues.as_deref().unwrap_or_default();
        Moment { now_us: now.0, seed, learner, records, documents, dues, edition: *edition }
    }

    /// Returns the data that must be unchanged when a turn is written.
    pub fn seen(&self, turned: &Turned, learner: &str, now: At) -> Option<Basis> {
        let next = |seen: &Basis| Edition::after(seen.version, now.0).next;
        let shared = self.seen.as_ref().map(|seen| Basis { next: next(seen), ..seen.clone() });
        shared.or_else(|| {
            let Edition { seen, next } = turned.edition?;
            Some(Basis { scope: known_scope(learner), version: seen, next, ..Basis::default() })
        })
    }

    /// Keeps the setting, as the written turn left it, for the next turn.
    pub fn keep(mut self, app: &App, entry: &FlowEntry, commit: &Commit, changes: &[Record]) {
        let (Some(seen), Some(written)) = (&mut self.seen, &commit.seen) else { return };
        seen.version = written.version_after(&commit.records);
        let name = name(&commit.instance.learner, &seen.scope);
        let is_other = |known: &Record, change: &Record| known.kind != change.kind || known.key != change.key;
        for change in changes {
            // The document has changed, so the next turn has to read it again.
            if entry.needs().documents.iter().any(|document| document.kind == change.kind) {
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

/// Returns the name of a flow's setting. Flows that share documents share their setting.
fn name(learner: &str, id: &str) -> String {
    format!("{learner}/{}", scope_of(id))
}

/// Returns the scope that a flow shares with those beside it: `MAP.review-1` works on the documents of `MAP`.
pub fn scope_of(id: &str) -> &str {
    id.split('.').next().unwrap_or(id)
}

/// Returns the times at which records in other scopes come due, of the kind that the flow asks for. Openings do not
/// need them.
async fn dues(app: &App, placed: &Placed) -> Result<Vec<(i64, u32)>, Failure> {
    let wanted = placed.entry.needs().dues;
    let wanted = wanted.and_then(|dues| Some((dues.kind, (dues.own)(scope_of(&placed.row.id))?)));
    let Some((kind, own)) = wanted else { return Ok(Vec::new()) };
    let ahead = app.store.due_ahead((&placed.row.learner, kind), &own, app.clock.now()).await?;
    Ok(ahead.into_iter().map(|(at, count)| (at.0, u32::try_from(count).unwrap_or(u32::MAX))).collect())
}

/// Returns the name under which the store counts changes of a learner's records. No flow has a `/` in its id, so it
/// cannot collide.
fn known_scope(learner: &str) -> String {
    format!("known/{learner}")
}

/// Returns the documents that a flow needs, as far as they exist.
pub async fn documents(
    app: &App,
    entry: &FlowEntry,
    learner: &str,
    records: &[Record],
) -> Result<Documents, Failure> {
    let mut found = Documents::default();
    for kind in entry.needs().documents {
        if let Some(key) = (kind.key)(records)
            && let Some(document) = app.library.get(app, kind, learner, &key).await?
        {
            found.0.push((kind.name, document));
        }
    }
    Ok(found)
}

/// A cache of documents, by learner and key. A document never changes: a new version has another key.
#[derive(Debug, Default)]
pub struct Library(Mutex<HashMap<String, Document>>);

impl Library {
    pub async fn get(
        &self,
        app: &App,
        kind: &DocumentKind,
        learner: &str,
        key: &str,
    ) -> Result<Option<Document>, Failure> {
        let name = format!("{learner}/{key}");
        if let Some(document) = self.known().get(&name) {
            return Ok(Some(document.clone()));
        }
        let Some(record) = app.store.record(learner, kind.kind, key).await? else { return Ok(None) };
        let document = (kind.read)(&record.body).map_err(|error| Failure::Broken {
            id: key.to_owned(),
            reason: format!("its {} cannot be read: {error}", kind.name),
        })?;
        let mut known = self.known();
        if known.len() >= MAX_DOCUMENTS {
            known.clear();
        }
        known.insert(name, document.clone());
        Ok(Some(document))
    }

    fn known(&self) -> MutexGuard<'_, HashMap<String, Document>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
