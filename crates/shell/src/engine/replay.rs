//! Replays the log of a flow through its law, and compares the result with the stored state.

use crate::engine::app::App;
use crate::engine::failure::Failure;
use crate::engine::takeover::LAW_CHANGED;
use crate::engine::view;
use flow::{Facts, Instance, Machine};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value};

const PAGE: usize = 1000;

/// The result of a replay.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Replay {
    pub id: String,
    pub transitions: u64,
    pub state: String,
    pub counters: Map<String, Value>,
    pub same: bool,
    /// The first place where log and law, or log and stored state, disagree.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub difference: Option<String>,
}

/// Steps through every transition in the log, and compares the result with the stored state.
pub async fn replay(app: &App, id: &str) -> Result<Replay, Failure> {
    let (placed, _) = app.look(app.row(id).await?).await?;
    let machine = &placed.machine;
    let mut past = Past { app, flow: &placed.row.flow, id, machine: None, at: None, last: 0 };
    let mut difference = past.walk().await?.err();
    let last = past.last;
    // A flow that has not moved since its law changed is compared under its old law.
    let is_behind = placed.row.law_hash != machine.hash();
    let at = past.at.filter(|_| !is_behind);
    let end = at.unwrap_or(placed.at);
    let state = machine.state_name(end.state).to_owned();
    let counters = view::counters(machine, &end);
    if difference.is_none() && (last != placed.row.version || end != placed.at) {
        difference = Some(format!(
            "the log ends at version {last} in {state} {}, stored is version {} in {} {}",
            Value::Object(counters.clone()),
            placed.row.version,
            placed.row.state,
            placed.row.counters,
        ));
    }
    Ok(Replay {
        id: id.to_owned(),
        transitions: last,
        state,
        counters,
        same: difference.is_none(),
        difference,
    })
}

/// A flow at some point in its log.
struct Past<'a> {
    app: &'a App,
    flow: &'a str,
    id: &'a str,
    machine: Option<Machine>,
    at: Option<Instance>,
    /// The version of the last entry.
    last: u64,
}

impl Past<'_> {
    /// Walks through the whole log. The inner error is the first difference.
    async fn walk(&mut self) -> Result<Result<(), String>, Failure> {
        loop {
            let entries = self.app.store.log(self.id, self.last, PAGE).await?;
            let is_last = entries.len() < PAGE;
            for entry in entries {
                if entry.version != 1 && self.last == 0 {
                    return Ok(Err(format!("its log was pruned up to version {}", entry.version - 1)));
                }
                if entry.version != self.last + 1 {
                    return Ok(Err(format!("version {} is missing from the log", self.last + 1)));
                }
                self.last = entry.version;
                if let Err(why) = self.step(&entry).await? {
                    return Ok(Err(format!("version {}: {why}", self.last)));
                }
            }
            if is_last {
                return Ok(Ok(()));
            }
        }
    }

    /// Replays one entry. The inner error is a difference; the outer one means that the replay cannot continue.
    async fn step(&mut self, entry: &store::LogEntry) -> Result<Result<(), String>, Failure> {
        let payload: Value = serde_json::from_str(&entry.payload).unwrap_or(Value::Null);
        let is_change = entry.event == LAW_CHANGED || self.machine.is_none();
        if let Some(law) = payload["law"].as_str().filter(|_| is_change) {
            self.machine = Some(self.app.past_machine(law, self.flow, self.id).await?);
        }
        let Some(machine) = &self.machine else {
            return Ok(Err("the log does not say under which law".into()));
        };
        let next = match entry.event == LAW_CHANGED {
            true => taken_over(machine, entry, &payload["counters"]),
            false => next(machine, self.at.as_ref(), entry),
        };
        Ok(next.map(|at| self.at = Some(at)))
    }
}

/// Returns the position of a flow after another law had taken it over.
fn taken_over(machine: &Machine, entry: &store::LogEntry, counters: &Value) -> Result<Instance, String> {
    let unknown = || format!("the law has no state `{}`", entry.to_state);
    let mut at = Instance {
        state: machine.state_named(&entry.to_state).ok_or_else(unknown)?,
        counters: Default::default(),
    };
    for (slot, name) in at.counters.iter_mut().zip(machine.counter_names()) {
        let value = counters[name].as_u64().and_then(|value| u32::try_from(value).ok());
        *slot = value.ok_or_else(|| format!("the counter `{name}` was not written down"))?;
    }
    Ok(at)
}

fn next(machine: &Machine, at: Option<&Instance>, entry: &store::LogEntry) -> Result<Instance, String> {
    let names: Vec<String> = serde_json::from_str(&entry.facts).unwrap_or_default();
    let known = names.iter().filter_map(|name| machine.fact_named(name));
    let facts = known.fold(Facts::default(), |facts, fact| facts.with(fact, true));
    let step = match at {
        None => flow::begin(machine, facts),
        Some(at) => {
            let event =
                machine.event_named(&entry.event).ok_or_else(|| format!("no event `{}`", entry.event))?;
            flow::step(machine, at, event, facts)
        }
    };
    let to = step.map_err(|refused| format!("`{}` is refused: {refused:?}", entry.event))?.to;
    let reached = machine.state_name(to.state);
    if reached != entry.to_state {
        return Err(format!("`{}` leads to {reached}, the log says {}", entry.event, entry.to_state));
    }
    Ok(to)
}
