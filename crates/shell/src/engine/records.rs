//! Records about a learner, in the form that flows read and in the form that the store keeps.

use coaching::record::Record;
use serde::de::DeserializeOwned;
use serde_json::Value;
use store::{At, MAX_LIMIT, RecordChange, Store, StoreError};

/// No learner has more records of a kind.
const MAX_FOUND: usize = 1_000_000;

/// Every record of a kind whose key begins like this, by key, as `read` understands it.
pub async fn every<T, I: IntoIterator<Item = T>>(
    store: &Store,
    learner: &str,
    (kind, beginning): (&str, &str),
    read: impl Fn(store::Record) -> I,
) -> Result<Vec<T>, StoreError> {
    let (mut found, mut after) = (Vec::new(), beginning.to_owned());
    loop {
        let mut page = store.all_records(learner, (kind, &after), MAX_LIMIT).await?;
        let is_other = |record: &store::Record| record.kind != kind || !record.key.starts_with(beginning);
        page.truncate(page.iter().position(is_other).unwrap_or(page.len()));
        let is_last = page.len() < MAX_LIMIT;
        if let Some(last) = page.last() {
            after.clone_from(&last.key);
        }
        found.extend(page.into_iter().flat_map(&read));
        if is_last || found.len() >= MAX_FOUND {
            return Ok(found);
        }
    }
}

/// One record as its type. A body that cannot be read counts as none.
pub async fn read<T: DeserializeOwned>(
    store: &Store,
    learner: &str,
    kind: &str,
    key: &str,
) -> Result<Option<T>, StoreError> {
    let record = store.record(learner, kind, key).await?;
    Ok(record.and_then(|record| serde_json::from_str(&record.body).ok()))
}

/// A stored record as flows read it. A body that is not JSON counts as none.
pub fn known(record: store::Record) -> Record {
    Record {
        kind: record.kind,
        key: record.key,
        body: serde_json::from_str(&record.body).ok(),
        due_at_us: record.due_at.map(|at| at.0),
        rank: record.rank,
        scope: record.scope,
        standing: record.standing,
    }
}

/// The change that deletes a stored record.
pub fn gone(record: &store::Record) -> RecordChange {
    RecordChange {
        learner: record.learner.clone(),
        kind: record.kind.clone(),
        key: record.key.clone(),
        ..RecordChange::default()
    }
}

/// The change that stores what a flow remembers about a learner.
pub fn change(learner: &str, record: &Record) -> RecordChange {
    RecordChange {
        learner: learner.to_owned(),
        kind: record.kind.clone(),
        key: record.key.clone(),
        body: record.body.as_ref().map(Value::to_string),
        due_at: record.due_at_us.map(At),
        rank: record.rank,
        scope: record.scope.clone(),
        standing: record.standing.clone(),
    }
}
