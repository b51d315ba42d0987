//! Selects how a learner hears what the coach says in a turn.

use outside::notify::RequestContext;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use store::Effect;

/// The field of an effect's payload that holds the [`Via`] of its result.
const FIELD: &str = "via";

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Via {
    /// In the answer to the caller.
    #[default]
    Caller,
    /// As a message on the learner's preferred channel, because no caller waits.
    Nobody,
    /// In the chat that the event came from.
    Chat(RequestContext),
}

impl Via {
    /// Returns how the result of an effect is told: in the same way as the turn that caused it.
    pub fn of_result(effect: &Effect) -> Via {
        let payload: Option<Value> = serde_json::from_str(&effect.payload).ok();
        payload.and_then(|payload| Via::deserialize(payload.get(FIELD)?).ok()).unwrap_or_default()
    }

    pub fn put_into(self, payload: &mut Value) {
        if let Value::Object(fields) = payload {
            fields.insert(FIELD.to_owned(), json!(self));
        }
    }
}
