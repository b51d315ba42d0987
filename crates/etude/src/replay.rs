//! Replays the log of a flow through its law and compares.

use crate::app::App;
use crate::failure::Failure;
use crate::view;
use flow::{Facts, Instance, Machine};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value};

const PAGE: usize = 1000;

/// What a replay found.
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

/// Steps through every transition in the log, and compares the end with what is stored.
pub async fn replay(app: &App, id: &str) -> Result<Replay, Failure> {
    let placed = app.load(id).await?;
    let machine = &placed.machine;
    let mut at: Option<Instance> = None;
    let mut last = 0;
    let mut difference = None;
    'pages: loop {
        let entries = app.store.log(id, last, PAGE).await?;
        let is_last = entries.len() < PAGE;
        for entry in entries {
            if entry.version != last + 1 {
                difference = Some(format!("version {} is missing from the log", last + 1));
                break 'pages;
            }
            last = entry.version;
            match next(machine, at.as_ref(), &entry) {
                Ok(instance) => at = Some(instance),
                Err(why) => {
                    difference = Some(format!("version {last}: {why}"));
                    break 'pages;
                }
            }
        }
        if is_last {
            break;
        }
    }
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
