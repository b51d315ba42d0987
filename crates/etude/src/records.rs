//! What is known about a learner, between the form that flows read and the form that the store keeps.

use coaching::turn::Record;
use serde_json::Value;
use store::{At, RecordChange};

/// A stored document as flows read it. A body that is no JSON counts as none.
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

/// What a flow remembers about a learner, to be stored.
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
