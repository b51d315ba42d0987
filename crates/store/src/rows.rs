//! The rows as callers see them. Fields named like JSON documents hold their text; the store never looks inside.

use std::fmt;
use std::str::FromStr;

use crate::StoreError;
use crate::statement::{Row, Value};

/// A moment, in microseconds since 1970 (UTC).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct At(pub i64);

impl At {
    pub fn plus_ms(self, ms: i64) -> Self {
        Self(self.0.saturating_add(ms.saturating_mul(1000)))
    }
}

/// Where one flow stands. It is open until it has an outcome.
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
    /// JSON.
    pub data: String,
    /// Why it ended. What has ended stays so: a commit without an outcome leaves it as it is.
    pub outcome: Option<String>,
    pub created_at: At,
    pub updated_at: At,
}

/// One transition: the one that led to `version`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LogEntry {
    pub instance: String,
    pub version: u64,
    pub at: At,
    pub event: String,
    /// Who said it: user, model, rules, timer, system.
    pub source: String,
    /// JSON.
    pub payload: String,
    pub from_state: String,
    pub to_state: String,
    /// JSON: the counters that changed.
    pub changes: String,
    /// JSON: the facts that were asked.
    pub facts: String,
    pub outcome: Option<String>,
    /// The client's idempotency key, unique within the instance.
    pub request: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Status {
    Pending,
    Done,
    Dead,
}

/// Something to be done in the world because of a transition.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Effect {
    /// `instance/version/index`: the same effect never gets two keys.
    pub key: String,
    pub instance: String,
    pub kind: String,
    /// JSON.
    pub payload: String,
    pub status: Status,
    /// Attempts begun. Who commits an effect and performs it at once writes 1; every claim adds one.
    pub attempts: u64,
    /// No claim before this. Who performs it at once puts it in the future, so that only a crash leaves it to others.
    pub not_before: At,
    pub last_error: Option<String>,
    pub created_at: At,
    pub done_at: Option<At>,
    pub lease_owner: Option<String>,
    pub lease_until: Option<At>,
}

/// Which effects to claim: messages to people wait for slow channels, and nothing else should wait with them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sort {
    All,
    /// Effects of the kind `notify`.
    Messages,
    Others,
    /// The others but for those of the kind `action`, which need a receiver.
    Own,
}

/// An event that time will bring.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Timer {
    pub instance: String,
    pub event: String,
    pub due_at: At,
    /// The version that armed it.
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
    /// What larger thing it belongs to; empty for none.
    pub scope: String,
    /// Where it stands within that, as its owner counts.
    pub standing: Option<String>,
    pub updated_at: At,
}

/// How many documents of one scope stand somewhere.
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
    /// Whether somebody performs its actions.
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

/// One entry of the `kv` view.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KvEntry {
    pub value: String,
    pub version: u64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Counts {
    pub instances_open: u64,
    pub effects_pending: u64,
    pub effects_dead: u64,
    pub timers_due: u64,
}

/// How much was deleted with a learner.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Erased {
    pub instances: u64,
    pub log: u64,
    pub effects: u64,
    pub timers: u64,
    pub records: u64,
}

/// Which instances to list; what is `None` does not matter.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Filter {
    pub flow: Option<String>,
    pub state: Option<String>,
    pub learner: Option<String>,
    pub open: Option<bool>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Page {
    pub instances: Vec<Instance>,
    /// Where the next page begins; `None` after the last one.
    pub next: Option<Cursor>,
}

/// A place in a list of instances. Its text form may travel through a client.
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

/// A text from outside that was given as a cursor; its beginning.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is not a cursor: that is what a list gave as `next`")]
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

    fn parse(text: &str) -> Result<Self, StoreError> {
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

impl Instance {
    pub(crate) fn read(row: &mut Row) -> Result<Self, StoreError> {
        Ok(Self {
            id: row.text()?,
            flow: row.text()?,
            law_hash: row.text()?,
            law_version: row.text()?,
            learner: row.text()?,
            state: row.text()?,
            version: row.count()?,
            counters: row.text()?,
            outcome: row.optional_text()?,
            created_at: At(row.int()?),
            updated_at: At(row.int()?),
            data: row.text()?,
        })
    }
}

impl LogEntry {
    pub(crate) fn read(row: &mut Row) -> Result<Self, StoreError> {
        Ok(Self {
            instance: row.text()?,
            version: row.count()?,
            at: At(row.int()?),
            event: row.text()?,
            source: row.text()?,
            payload: row.text()?,
            from_state: row.text()?,
            to_state: row.text()?,
            changes: row.text()?,
            facts: row.text()?,
            outcome: row.optional_text()?,
            request: row.optional_text()?,
        })
    }
}

impl Effect {
    pub(crate) fn read(row: &mut Row) -> Result<Self, StoreError> {
        Ok(Self {
            key: row.text()?,
            instance: row.text()?,
            kind: row.text()?,
            payload: row.text()?,
            status: Status::parse(&row.text()?)?,
            attempts: row.count()?,
            not_before: At(row.int()?),
            last_error: row.optional_text()?,
            created_at: At(row.int()?),
            done_at: row.optional_int()?.map(At),
            lease_owner: row.optional_text()?,
            lease_until: row.optional_int()?.map(At),
        })
    }
}

impl Timer {
    pub(crate) fn read(row: &mut Row) -> Result<Self, StoreError> {
        Ok(Self { instance: row.text()?, event: row.text()?, due_at: At(row.int()?), version: row.count()? })
    }
}

impl Record {
    pub(crate) fn read(row: &mut Row) -> Result<Self, StoreError> {
        Ok(Self {
            learner: row.text()?,
            kind: row.text()?,
            key: row.text()?,
            body: row.text()?,
            due_at: row.optional_int()?.map(At),
            rank: row.optional_real()?,
            scope: row.text()?,
            standing: row.optional_text()?,
            updated_at: At(row.int()?),
        })
    }
}

impl Tally {
    pub(crate) fn read(row: &mut Row) -> Result<Self, StoreError> {
        Ok(Self { scope: row.text()?, standing: row.text()?, count: row.count()? })
    }
}

impl Law {
    pub(crate) fn read(row: &mut Row) -> Result<Self, StoreError> {
        Ok(Self {
            hash: row.text()?,
            flow: row.text()?,
            version: row.text()?,
            source: row.text()?,
            delivers: row.flag()?,
            created_at: At(row.int()?),
        })
    }
}

impl LawInUse {
    pub(crate) fn read(row: &mut Row) -> Result<Self, StoreError> {
        Ok(Self { hash: row.text()?, flow: row.text()?, version: row.text()?, open: row.count()? })
    }
}

impl KvEntry {
    pub(crate) fn read(row: &mut Row) -> Result<Self, StoreError> {
        let data = row.text()?;
        let mut value: serde_json::Value = serde_json::from_str(&data)
            .map_err(|error| StoreError::Corrupt(format!("the data of a flow is no JSON: {error}")))?;
        let is_whole = value.as_object_mut().is_none_or(|data| data.shift_remove("desk").is_none());
        Ok(Self { value: if is_whole { data } else { value.to_string() }, version: row.count()? })
    }
}

impl Counts {
    pub(crate) fn read(row: &mut Row) -> Result<Self, StoreError> {
        Ok(Self {
            instances_open: row.count()?,
            effects_pending: row.count()?,
            effects_dead: row.count()?,
            timers_due: row.count()?,
        })
    }
}
