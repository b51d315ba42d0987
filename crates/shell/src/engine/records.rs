//! Converts records about a learner between the form that flows read and the form that the store keeps.

use coaching::record::Record;
use serde::de::DeserializeOwned;
use serde_json::Value;
use store::{At, MAX_LIMIT, RecordChange, Store, StoreError};

/// A bound above the number of records of one kind that any learner has.
const MAX_FOUND: usize = 1_000_000;

/// Reads every record of a kind whose key starts with `beginning`, in the order of keys. `read` converts each one.
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

/// Reads one record as its type. A body that cannot be parsed counts as missing.
pub async fn read<T: DeserializeOwned>(
    store: &Store,
    learner: &str,
    kind: &str,
    key: &str,
) -> Result<Option<T>, StoreError> {
    let record = store.record(learner, kind, key).await?;
    Ok(record.and_then(|record| serde_json::from_str(&record.body).ok()))
}

/// Converts a stored record to the form that flows read. A body that is not JSON counts as missing.
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

/// Returns the change that deletes a stored record.
pub fn gone(record: &store::Record) -> RecordChange {
    RecordChange {
        learner: record.learner.clone(),
        kind: record.kind.clone(),
        key: record.key.clone(),
        ..RecordChange::default()
    }
}

/// Returns the change that stores a flow's record about a learner.
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
