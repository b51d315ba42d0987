//! The rows as callers see them. Fields that hold JSON hold its text; the store never looks inside.

use std::fmt;
use std::str::FromStr;

use crate::StoreError;
use crate::statement::{Column, Row, Value};

/// A point in time, in microseconds since 1970 (UTC).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct At(pub i64);

impl At {
    pub fn plus_ms(self, ms: i64) -> Self {
        Self(self.0.saturating_add(ms.saturating_mul(1000)))
    }
}

/// A row that is read and written column by column, in the order of its fields.
pub(crate) trait Columns: Sized {
    fn read(row: &mut Row) -> Result<Self, StoreError>;

    /// Returns the values of a statement, with room for `more`.
    fn values(&self, more: usize) -> Vec<Value>;
}

/// Declares row types with their reader and writer. The SQL lists the columns in the same order.
macro_rules! rows {
    ($($(#[$meta:meta])* pub struct $name:ident { $($(#[$doc:meta])* pub $field:ident: $type:ty,)* })*) => {$(
        $(#[$meta])*
        pub struct $name { $($(#[$doc])* pub $field: $type,)* }

        impl Columns for $name {
            fn read(row: &mut Row) -> Result<Self, StoreError> {
                Ok(Self { $($field: row.take()?,)* })
            }

            fn values(&self, more: usize) -> Vec<Value> {
                let values = [$(Value::from(self.$field.clone()),)*];
                let mut with_room = Vec::with_capacity(values.len() + more);
                with_room.extend(values);
                with_room
            }
        }
    )*};
}

rows! {
    /// The state of a flow. It is open until it has an outcome.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct Instance {
        pub id: String,
        pub flow: String,
        pub law_hash: String,
        pub law_version: String,
        pub learner: String,
        pub state: String,
        pub version: u64,
        /// JSON.
        pub counters: String,
        /// The reason why it ended. A flow that has ended stays ended: a commit without an outcome leaves it as it
        /// is.
        pub outcome: Option<String>,
        pub created_at: At,
        pub updated_at: At,
        /// JSON.
        pub data: String,
    }

    /// The transition that led to `version`.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct LogEntry {
        pub instance: String,
        pub version: u64,
        pub at: At,
        pub event: String,
        /// The source of the event: user, model, rules, timer, system.
        pub source: String,
        /// JSON.
        pub payload: String,
        pub from_state: String,
        pub to_state: String,
        /// JSON: the counters that changed.
        pub changes: String,
        /// JSON: the facts that the law asked for.
        pub facts: String,
        pub outcome: Option<String>,
        /// The client's idempotency key, unique within the instance.
        pub request: Option<String>,
    }

    /// An action to perform in the world because of a transition.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct Effect {
        /// `instance/version/index`: an effect never gets two keys.
        pub key: String,
        pub instance: String,
        pub kind: String,
        /// JSON.
        pub payload: String,
        pub status: Status,
        /// Attempts begun. A caller that performs an effect right after its commit writes 1; every claim adds one.
        pub attempts: u64,
        /// The time before which it is not claimed. A caller that performs it at once sets this to the future, so
        /// that others take it up only after a crash.
        pub not_before: At,
        pub last_error: Option<String>,
        pub created_at: At,
        pub done_at: Option<At>,
        pub lease_owner: Option<String>,
        pub lease_until: Option<At>,
    }

    /// An event that time will bring.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct Timer {
        pub instance: String,
        pub event: String,
        pub due_at: At,
        /// The version of the instance that armed it.
        pub version: u64,
    }

    /// A document about a learner. Among those of one kind a lower rank comes first.
    #[derive(Debug, Clone, PartialEq)]
    pub struct Record {
        pub learner: String,
        pub kind: String,
        pub key: String,
        /// JSON.
        pub body: String,
        pub due_at: Option<At>,
        pub rank: Option<f64>,
        /// The larger thing that the document belongs to, if any.
        pub scope: String,
        /// The document's place within its scope, in the owner's words.
        pub standing: Option<String>,
        pub updated_at: At,
    }

    /// A new body for a learner's document, or its deletion.
    #[derive(Debug, Clone, Default, PartialEq)]
    pub struct RecordChange {
        pub learner: String,
        pub kind: String,
        pub key: String,
        /// JSON; `None` deletes the document.
        pub body: Option<String>,
        pub due_at: Option<At>,
        pub rank: Option<f64>,
        /// The larger thing that the document belongs to, if any.
        pub scope: String,
        /// The document's place within its scope.
        pub standing: Option<String>,
    }

    /// The number of documents of a scope that have one standing.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct Tally {
        pub scope: String,
        pub standing: String,
        pub count: u64,
    }

    /// The exact text of a law.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct Law {
        pub hash: String,
        pub flow: String,
        pub version: String,
        pub source: String,
        /// Whether its actions are performed.
        pub delivers: bool,
        pub created_at: At,
    }

    /// A law that open instances still run under.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct LawInUse {
        pub hash: String,
        pub flow: String,
        pub version: String,
        pub open: u64,
    }

    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub struct Counts {
        pub instances_open: u64,
        pub effects_pending: u64,
        pub effects_dead: u64,
        pub timers_due: u64,
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Status {
    Pending,
    Done,
    Dead,
}

/// The kinds of effects to claim.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kinds<'a> {
    /// All but these, in any order.
    AllBut(&'a [&'a str]),
    /// Only this one. An effect is ready only once its flow's earlier effects of this kind are done or given up.
    InOrder(&'a str),
}

/// An entry of the `kv` view.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KvEntry {
    pub value: String,
    pub version: u64,
}

/// The numbers of rows that were deleted with a learner.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Erased {
    pub instances: u64,
    pub log: u64,
    pub effects: u64,
    pub timers: u64,
    pub records: u64,
}

/// A filter for lists of instances. `None` matches all.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Filter {
    pub flow: Option<String>,
    pub state: Option<String>,
    pub learner: Option<String>,
    pub open: Option<bool>,
}

impl Filter {
    pub fn of_flow(flow: &str) -> Filter {
        Filter { flow: Some(flow.to_owned()), ..Filter::default() }
    }

    pub fn of_learner(learner: &str) -> Filter {
        Filter { learner: Some(learner.to_owned()), ..Filter::default() }
    }

    /// Matches the open instances of a flow that belong to a learner.
    pub fn open_of(flow: &str, learner: &str) -> Filter {
        Filter { open: Some(true), learner: Some(learner.to_owned()), ..Filter::of_flow(flow) }
    }
}

impl Effect {
    /// Makes an effect that may be claimed at once.
    pub fn new(key: String, instance: &str, kind: &str, payload: String, now: At) -> Effect {
        Effect {
            key,
            instance: instance.to_owned(),
            kind: kind.to_owned(),
            payload,
            status: Status::Pending,
            attempts: 0,
            not_before: now,
            last_error: None,
            created_at: now,
            done_at: None,
            lease_owner: None,
            lease_until: None,
        }
    }
}

impl RecordChange {
    /// Makes a change that gives a document a new body.
    pub fn new(learner: &str, kind: &str, key: &str, body: impl fmt::Display) -> RecordChange {
        let (learner, kind, key) = (learner.to_owned(), kind.to_owned(), key.to_owned());
        RecordChange { learner, kind, key, body: Some(body.to_string()), ..RecordChange::default() }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Page {
    pub instances: Vec<Instance>,
    /// The position at which the next page begins; `None` after the last one.
    pub next: Option<Cursor>,
}

/// A position in a list of instances. Clients pass its text form back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cursor {
    pub(crate) created_at: At,
    pub(crate) id: String,
}

impl Cursor {
    pub(crate) fn after(instance: &Instance) -> Self {
        Self { created_at: instance.created_at, id: instance.id.clone() }
    }
}

impl fmt::Display for Cursor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.created_at.0, self.id)
    }
}

impl FromStr for Cursor {
    type Err = NotACursor;

    fn from_str(text: &str) -> Result<Self, NotACursor> {
        let parse = || {
            let (created_at, id) = text.split_once('.')?;
            Some(Self { created_at: At(created_at.parse().ok()?), id: id.to_owned() })
        };
        parse().ok_or_else(|| NotACursor(text.chars().take(MAX_SHOWN).collect()))
    }
}

/// The beginning of a text that is not a cursor although it was given as one.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is not a cursor. Give what a list returned as `next`")]
pub struct NotACursor(String);

const MAX_SHOWN: usize = 80;

impl Status {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Pending => "pending",
            Self::Done => "done",
            Self::Dead => "dead",
        }
    }
}

impl From<Status> for Value {
    fn from(status: Status) -> Self {
        status.as_str().into()
    }
}

impl Column for Status {
    fn read(value: Value) -> Result<Self, StoreError> {
        let text = String::read(value)?;
        [Self::Pending, Self::Done, Self::Dead]
            .into_iter()
            .find(|status| status.as_str() == text)
            .ok_or_else(|| StoreError::Corrupt(format!("an effect has the status {text:?}")))
    }
}

impl From<At> for Value {
    fn from(at: At) -> Self {
        Self::Int(at.0)
    }
}

impl Column for At {
    fn read(value: Value) -> Result<Self, StoreError> {
        i64::read(value).map(At)
    }
}

impl KvEntry {
    pub(crate) fn read(row: &mut Row) -> Result<Self, StoreError> {
        let data: String = row.take()?;
        let mut value: serde_json::Value = serde_json::from_str(&data)
            .map_err(|error| StoreError::Corrupt(format!("the data of a flow is not JSON: {error}")))?;
        let is_whole = value.as_object_mut().is_none_or(|data| data.shift_remove("desk").is_none());
        Ok(Self { value: if is_whole { data } else { value.to_string() }, version: row.take()? })
    }
}
