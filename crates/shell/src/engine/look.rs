//! Answers looks: reads the data that a look asks for until it can answer.

use crate::engine::app::App;
use crate::engine::failure::Failure;
use crate::engine::records;
use coaching::look::{Found, SUBJECTS, Shelf, StoredFlow, StoredRecord, Subject, Tally, Unseen, Want};
use futures_util::future::try_join_all;
use serde_json::json;
use store::{Filter, Instance, MAX_LIMIT, Record};

/// The most rounds of reading. A look that asks for more after that would never end.
const MAX_ROUNDS: usize = 32;

/// Answers a look at a learner's stored data.
pub async fn look<T>(
    app: &App,
    learner: &str,
    look: impl Fn(&Shelf) -> Result<T, Unseen>,
) -> Result<T, Failure> {
    let mut shelf = Shelf::new(app.clock.now().0);
    for _ in 0..MAX_ROUNDS {
        match look(&shelf) {
            Ok(seen) => return Ok(seen),
            Err(Unseen::Wants(wants)) => {
                let reads = wants.into_iter().map(|want| async move {
                    let found = find(app, learner, &want).await?;
                    Ok::<_, Failure>((want, found))
                });
                for (want, found) in try_join_all(reads).await? {
                    shelf.put(want, found);
                }
            }
            Err(Unseen::UnknownFlow(id)) => return Err(Failure::UnknownInstance { id }),
            Err(Unseen::Rejected(rejected)) => return Err(Failure::Rejected(rejected)),
            Err(Unseen::Broken(id, reason)) => return Err(Failure::Broken { id, reason }),
        }
    }
    Err(Failure::Broken { id: learner.to_owned(), reason: "a look did not come to an end".to_owned() })
}

/// Returns the subjects that flows have for a learner, each with the name of its flow.
pub async fn subjects(app: &App, learner: &str) -> Result<Vec<(String, Subject)>, Failure> {
    let mut all = Vec::new();
    for entry in app.flows.entries() {
        let looks = entry.face.map_or(&[][..], |face| face.looks);
        if looks.iter().any(|look| look.name == SUBJECTS) {
            let seen = look(app, learner, |shelf| entry.handlers.get().look(SUBJECTS, "", &json!({}), shelf))
                .await?;
            let found: Vec<Subject> = serde_json::from_value(seen)
                .map_err(|error| Failure::Broken { id: entry.name.clone(), reason: error.to_string() })?;
            all.extend(found.into_iter().map(|subject| (entry.name.clone(), subject)));
        }
    }
    Ok(all)
}

async fn find(app: &App, learner: &str, want: &Want) -> Result<Found, Failure> {
    let store = &app.store;
    let records = match want {
        Want::Flow(id) => {
            let row = store.load(id).await?.filter(|row| row.learner == learner);
            return Ok(Found::Flows(row.into_iter().map(flow).collect()));
        }
        Want::Flows(name) => {
            let filter = Filter { flow: Some((*name).to_owned()), ..Filter::of_learner(learner) };
            let page = store.list(&filter, None, MAX_LIMIT).await?;
            return Ok(Found::Flows(page.instances.into_iter().map(flow).collect()));
        }
        Want::Tallies(kind) => {
            let tally = |tally: store::Tally| Tally {
                scope: tally.scope,
                standing: tally.standing,
                count: tally.count,
            };
            let tallies = store.tally_records(learner, kind).await?;
            return Ok(Found::Tallies(tallies.into_iter().map(tally).collect()));
        }
        Want::Document { flow, name, key } => {
            let documents = app.flows.get(flow).map(|entry| entry.needs().documents).unwrap_or_default();
            let kind = documents.iter().find(|kind| kind.name == *name);
            return Ok(Found::Document(match kind {
                Some(kind) => app.library.get(app, kind, learner, key).await?,
                None => None,
            }));
        }
        Want::Records(kind) => store.records(learner, kind, MAX_LIMIT).await?,
        Want::Every(kind, beginning) => records::every(store, learner, (kind, beginning), Some).await?,
        Want::Record(kind, key) => store.record(learner, kind, key).await?.into_iter().collect(),
        Want::Scope(scope) => store.scope(learner, scope).await?.1,
        Want::Recent { scope, kind, topic, limit } => {
            store.recent_records((learner, scope, kind, topic), *limit).await?
        }
    };
    Ok(Found::Records(records.into_iter().map(record).collect()))
}

fn flow(row: Instance) -> StoredFlow {
    StoredFlow { id: row.id, flow: row.flow, data: row.data, outcome: row.outcome }
}

fn record(record: Record) -> StoredRecord {
    StoredRecord {
        kind: record.kind,
        key: record.key,
        scope: record.scope,
        standing: record.standing,
        due_at_us: record.due_at.map(|at| at.0),
        body: record.body,
    }
}
