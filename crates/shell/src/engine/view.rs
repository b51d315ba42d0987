//! The view of a flow for its callers.

use crate::engine::clock::iso;
use crate::engine::flows;
use coaching::desk::{Desk, Line};
use coaching::words::{Text, Worded};
use flow::{Instance, Machine, Origin, StateId};
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// The current state of one flow.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct View {
    pub id: String,
    pub flow: String,
    pub law_version: String,
    pub law_hash: String,
    pub learner: String,
    pub state: String,
    /// Grows by one with every transition.
    pub version: u64,
    pub counters: Map<String, Value>,
    /// The events that can be sent now.
    pub allowed: Vec<String>,
    /// Why no events can be sent though the flow is open: the present law cannot take it over.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub refused: Option<String>,
    /// Why the flow ended; absent while it is open.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub outcome: Option<String>,
    /// The desk: everything that the learner has in front of them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub desk: Option<Desk>,
    /// Further data that the flow publishes about itself.
    pub data: Value,
    pub created_at: String,
    pub updated_at: String,
}

impl View {
    /// Parses the flow's published data as its type. Data that cannot be parsed counts as empty, and the log says
    /// so.
    pub fn more<T: DeserializeOwned + Default>(&self) -> T {
        if self.data.is_null() {
            return T::default();
        }
        T::deserialize(&self.data).unwrap_or_else(|error| {
            let (instance, flow) = (&self.id, &self.flow);
            tracing::warn!(instance, flow, %error, "what a flow shows of itself cannot be read");
            T::default()
        })
    }
}

/// The answer of a turn: the new view, and what happened on the way.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct Answer {
    #[serde(flatten)]
    pub view: View,
    /// The lines that the coach said in this turn.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub said: Vec<Line>,
    /// The actions the law asked for in this turn, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub actions: Vec<String>,
    /// True if this request had been answered before: nothing happened now.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub repeated: bool,
}

impl Answer {
    /// Returns the answer for a caller that only looks.
    pub fn of(view: View) -> Answer {
        Answer { view, said: Vec::new(), actions: Vec::new(), repeated: false }
    }
}

impl Worded for Answer {
    fn each_text(&mut self, change: &mut dyn FnMut(&mut Text)) {
        self.view.desk.each_text(change);
        self.said.each_text(change);
    }
}

/// One row of a list: a view without the flow's own data.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct Row {
    pub id: String,
    pub flow: String,
    pub learner: String,
    pub state: String,
    pub version: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub outcome: Option<String>,
    pub created_at: String,
    pub updated_at: String,
}

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct Rows {
    pub instances: Vec<Row>,
    /// Give this as `cursor` for the next page.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next: Option<String>,
}

/// One transition.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct Entry {
    pub version: u64,
    pub at: String,
    pub event: String,
    /// Its cause: user, model, rules, timer or system.
    pub source: String,
    pub from: String,
    pub to: String,
    /// The values of each changed counter before and after, by name.
    pub changes: Value,
    pub facts: Value,
    pub payload: Value,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub outcome: Option<String>,
}

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct Log {
    pub entries: Vec<Entry>,
}

pub fn row(instance: &store::Instance) -> Row {
    Row {
        id: instance.id.clone(),
        flow: instance.flow.clone(),
        learner: instance.learner.clone(),
        state: instance.state.clone(),
        version: instance.version,
        outcome: instance.outcome.clone(),
        created_at: iso(instance.created_at),
        updated_at: iso(instance.updated_at),
    }
}

pub fn entry(entry: &store::LogEntry) -> Entry {
    let json = |text: &str| serde_json::from_str(text).unwrap_or(Value::Null);
    Entry {
        version: entry.version,
        at: iso(entry.at),
        event: entry.event.clone(),
        source: entry.source.clone(),
        from: entry.from_state.clone(),
        to: entry.to_state.clone(),
        changes: json(&entry.changes),
        facts: json(&entry.facts),
        payload: json(&entry.payload),
        outcome: entry.outcome.clone(),
    }
}

pub fn view(row: &store::Instance, machine: &Machine, entry: &flows::FlowEntry, at: &Instance) -> View {
    View {
        id: row.id.clone(),
        flow: row.flow.clone(),
        law_version: row.law_version.clone(),
        law_hash: row.law_hash.clone(),
        learner: row.learner.clone(),
        state: machine.state_name(at.state).to_owned(),
        version: row.version,
        counters: counters(machine, at),
        allowed: allowed(entry, machine, at.state),
        refused: None,
        outcome: row.outcome.clone(),
        desk: entry.handlers.get().desk(machine, at, &row.data),
        data: entry.handlers.get().more(machine, at, &row.data),
        created_at: iso(row.created_at),
        updated_at: iso(row.updated_at),
    }
}

pub fn counters(machine: &Machine, at: &Instance) -> Map<String, Value> {
    machine.counter_names().zip(at.counters).map(|(name, value)| (name.to_owned(), value.into())).collect()
}

/// Returns the events that can be sent now, the learner's own first.
pub fn allowed(entry: &flows::FlowEntry, machine: &Machine, state: StateId) -> Vec<String> {
    let mut events: Vec<_> =
        machine.allowed(state).filter(|event| !entry.is_for_the_clock(machine, *event)).collect();
    events.retain(|event| !entry.is_sealed(machine.event_name(*event)) && !entry.is_closed(machine, *event));
    events.sort_by_key(|event| machine.origin(*event) != Origin::Learner);
    events.into_iter().map(|event| machine.event_name(event).to_owned()).collect()
}
