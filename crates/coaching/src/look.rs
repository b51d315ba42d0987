//! Reads stored data as a pure function. A look takes its data from a [`Shelf`]; it asks for missing data and is
//! called again once that has been read.

use crate::rejected::Rejected;
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::any::Any;
use std::collections::HashMap;
use std::sync::Arc;

/// The name of the look that lists the [`Subject`]s which a flow has for a learner.
pub const SUBJECTS: &str = "subjects";

/// Something that a learner has begun or can begin: a pack, a course.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct Subject {
    pub id: String,
    pub title: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub about: String,
    /// The call that takes up what is due.
    pub begin: Begin,
    /// How many of its parts the learner knows.
    pub known: usize,
    pub of: usize,
    /// The times at which parts come back, in microseconds.
    pub due_us: Vec<i64>,
}

impl Subject {
    /// Returns how many of its parts are due.
    pub fn due(&self, now_us: i64) -> usize {
        self.due_us.iter().filter(|at_us| **at_us <= now_us).count()
    }
}

/// The call that begins a flow.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct Begin {
    pub flow: String,
    /// The flow that it opens beside.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub beside: Option<String>,
    pub given: Value,
}

/// A request for stored data, all of it of one learner.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Want {
    /// The flow with this id.
    Flow(String),
    /// All flows of this name.
    Flows(&'static str),
    /// All records of this kind.
    Records(&'static str),
    /// All records of this kind whose keys begin with this text, however many.
    Every(&'static str, String),
    Record(&'static str, String),
    /// The records that flows of this scope share.
    Scope(String),
    /// The newest records of a kind and a topic within a scope.
    Recent {
        scope: String,
        kind: &'static str,
        topic: String,
        limit: usize,
    },
    /// The numbers of records of a kind in each standing, by scope.
    Tallies(&'static str),
    /// A shared document of a flow, by its name and key.
    Document {
        flow: &'static str,
        name: &'static str,
        key: String,
    },
}

/// The stored data that answers a [`Want`].
#[derive(Debug, Clone)]
pub enum Found {
    Flows(Vec<StoredFlow>),
    Records(Vec<StoredRecord>),
    Tallies(Vec<Tally>),
    Document(Option<Arc<dyn Any + Send + Sync>>),
}

#[derive(Debug, Clone)]
pub struct StoredFlow {
    pub id: String,
    pub flow: String,
    /// JSON.
    pub data: String,
    /// The reason why it ended, if it has.
    pub outcome: Option<String>,
}

#[derive(Debug, Clone)]
pub struct StoredRecord {
    pub kind: String,
    pub key: String,
    pub scope: String,
    pub standing: Option<String>,
    pub due_at_us: Option<i64>,
    /// JSON.
    pub body: String,
}

#[derive(Debug, Clone)]
pub struct Tally {
    pub scope: String,
    pub standing: String,
    pub count: u64,
}

/// The reason why a look has no answer.
#[derive(Debug, Clone)]
pub enum Unseen {
    /// The look needs this data first.
    Wants(Vec<Want>),
    /// There is no flow with this id.
    UnknownFlow(String),
    Rejected(Rejected),
    /// The data stored under this id cannot be read; the second text says why.
    Broken(String, String),
}

impl From<Rejected> for Unseen {
    fn from(rejected: Rejected) -> Unseen {
        Unseen::Rejected(rejected)
    }
}

/// The stored data read so far.
#[derive(Debug, Clone, Default)]
pub struct Shelf {
    pub now_us: i64,
    found: HashMap<Want, Found>,
}

impl Shelf {
    pub fn new(now_us: i64) -> Shelf {
        Shelf { now_us, found: HashMap::new() }
    }

    pub fn put(&mut self, want: Want, found: Found) {
        self.found.insert(want, found);
    }

    /// Asks for several at once, so that they are read side by side. Fails with those that are missing.
    pub fn need(&self, wants: impl IntoIterator<Item = Want>) -> Result<(), Unseen> {
        let missing: Vec<Want> = wants.into_iter().filter(|want| !self.found.contains_key(want)).collect();
        if missing.is_empty() { Ok(()) } else { Err(Unseen::Wants(missing)) }
    }

    fn get(&self, want: Want) -> Result<&Found, Unseen> {
        self.found.get(&want).ok_or_else(|| Unseen::Wants(vec![want]))
    }

    pub fn flow(&self, id: &str) -> Result<Option<&StoredFlow>, Unseen> {
        self.flows_of(Want::Flow(id.to_owned())).map(<[StoredFlow]>::first)
    }

    pub fn flows(&self, name: &'static str) -> Result<&[StoredFlow], Unseen> {
        self.flows_of(Want::Flows(name))
    }

    fn flows_of(&self, want: Want) -> Result<&[StoredFlow], Unseen> {
        match self.get(want)? {
            Found::Flows(flows) => Ok(flows),
            _ => Ok(&[]),
        }
    }

    pub fn records(&self, want: Want) -> Result<&[StoredRecord], Unseen> {
        match self.get(want)? {
            Found::Records(records) => Ok(records),
            _ => Ok(&[]),
        }
    }

    pub fn tallies(&self, kind: &'static str) -> Result<&[Tally], Unseen> {
        match self.get(Want::Tallies(kind))? {
            Found::Tallies(tallies) => Ok(tallies),
            _ => Ok(&[]),
        }
    }

    pub fn document<T: Any + Send + Sync>(
        &self,
        flow: &'static str,
        name: &'static str,
        key: &str,
    ) -> Result<Option<Arc<T>>, Unseen> {
        match self.get(Want::Document { flow, name, key: key.to_owned() })? {
            Found::Document(document) => Ok(document.clone().and_then(|document| document.downcast().ok())),
            _ => Ok(None),
        }
    }
}

impl StoredRecord {
    /// Reads the body; `None` if it cannot be read.
    pub fn read<T: DeserializeOwned>(&self) -> Option<T> {
        serde_json::from_str(&self.body).ok()
    }
}

impl StoredFlow {
    pub fn read<T: DeserializeOwned>(&self) -> Result<T, Unseen> {
        serde_json::from_str(&self.data).map_err(|error| Unseen::Broken(self.id.clone(), error.to_string()))
    }
}
