//! Defines the records about a learner, as the store keeps them.

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Something known about a learner: an item, a review, a setting.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Record {
    pub kind: String,
    pub key: String,
    /// Absent in a change that deletes the record.
    pub body: Option<Value>,
    pub due_at_us: Option<i64>,
    pub rank: Option<f64>,
    /// The larger thing that the record belongs to; empty for none.
    pub scope: String,
    /// The value by which the records of a scope are selected, such as a status or a node.
    pub standing: Option<String>,
}
