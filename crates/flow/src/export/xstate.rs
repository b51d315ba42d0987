//! A machine as the configuration of an XState v5 machine.
//!
//! JSON cannot carry functions, so guards and actions are named, with parameters. The few names are
//! always the same, and [`XSTATE_SETUP`] gives them their meaning: it works with every export.

use crate::export::comparable;
use crate::machine::{Edge, MAX_CHAIN, Machine, Move, StateId, Test};
use serde_json::{Map, Value, json};

/// The module that turns an export into a running XState machine.
pub const XSTATE_SETUP: &str = include_str!("xstate_setup.mjs");

pub(super) fn write(machine: &Machine) -> String {
    let states = machine.states().map(|id| (machine.state_name(id).to_owned(), state(machine, id)));
    let invariants = machine.invariants.iter().map(|(test, _)| guard(machine, test));
    let config = json!({
        "id": machine.session,
        "version": machine.version,
        "initial": machine.state_name(machine.initial),
        "context": { "counters": counters(machine), "outcome": null },
        "options": { "maxIterations": MAX_CHAIN },
        "meta": { "hash": machine.hash, "invariants": invariants.collect::<Vec<_>>() },
        "states": states.collect::<Map<_, _>>(),
    });
    format!("{config:#}\n")
}

fn counters(machine: &Machine) -> Map<String, Value> {
    machine.counters.iter().map(|counter| (counter.name.clone(), json!(counter.start))).collect()
}

fn state(machine: &Machine, id: StateId) -> Value {
    let state = &machine.states[id.index()];
    let mut config = Map::new();
    if state.is_final {
        config.insert("type".into(), json!("final"));
    }
    let parts = [
        ("entry", entry(machine, id)),
        ("on", on(machine, id)),
        ("after", after(machine, id)),
        ("always", always(machine, id)),
        ("meta", meta(machine, id)),
    ];
    for (key, part) in parts {
        config.extend(part.map(|part| (key.to_owned(), part)));
    }
    Value::Object(config)
}

fn entry(machine: &Machine, id: StateId) -> Option<Value> {
    let perform = |name: &str| json!({ "type": "perform", "params": { "action": name } });
    let performed = machine.entry(id).iter().map(|action| perform(machine.action_name(*action)));
    let moves = machine.moves(&machine.states[id.index()].entry_moves).iter().map(|mv| counted(machine, mv));
    some_list(moves.chain(performed).collect())
}

fn on(machine: &Machine, id: StateId) -> Option<Value> {
    let edges = machine.edges_of(id).iter();
    let jumps = edges.map(|edge| (machine.event_name(edge.event).to_owned(), jump(machine, id, edge)));
    some_map(jumps.collect())
}

/// A time-out takes the same way as the event it stands for.
fn after(machine: &Machine, id: StateId) -> Option<Value> {
    let mut delays = Map::new();
    for timer in machine.timers(id) {
        if let Some(edge) = machine.edge(id, timer.event) {
            delays.entry(timer.millis.to_string()).or_insert_with(|| jump(machine, id, edge));
        }
    }
    some_map(delays)
}

/// A choice is a state that is left at once: by the first way whose guard holds.
fn always(machine: &Machine, id: StateId) -> Option<Value> {
    let choice = machine.states[id.index()].choice.as_ref()?;
    let mut yes = jump(machine, id, &choice.yes);
    yes["guard"] = guard(machine, &choice.test);
    let no = choice.no.as_ref().map(|no| jump(machine, id, no));
    some_list(std::iter::once(yes).chain(no).collect())
}

fn meta(machine: &Machine, id: StateId) -> Option<Value> {
    let state = &machine.states[id.index()];
    let mut meta = Map::new();
    let require = some_list(state.require.iter().map(|test| guard(machine, test)).collect());
    let given = some_list(state.given.tests().map(|test| guard(machine, &test)).collect());
    let names = state.outcomes.iter().map(|outcome| json!(machine.outcome_name(*outcome)));
    let attributes = state.attributes.iter().map(|(name, value)| (name.name.clone(), json!(value.name)));
    meta.extend(some_map(attributes.collect()).map(|attributes| ("attributes".to_owned(), attributes)));
    meta.extend(require.map(|require| ("require".to_owned(), require)));
    meta.extend(given.map(|given| ("given".to_owned(), given)));
    meta.extend(some_list(names.collect()).map(|names| ("outcomes".to_owned(), names)));
    some_map(meta)
}

fn jump(machine: &Machine, from: StateId, edge: &Edge) -> Value {
    let mut jump = Map::new();
    if let Some(target) = edge.enters() {
        jump.insert("target".into(), json!(machine.state_name(target)));
        if target == from {
            // Without this a way back to the same state would not enter it again.
            jump.insert("reenter".into(), json!(true));
        }
    }
    let moves = machine.moves(&edge.moves).iter().map(|mv| counted(machine, mv));
    let end = edge
        .outcome
        .map(|outcome| json!({ "type": "end", "params": { "outcome": machine.outcome_name(outcome) } }));
    // XState takes a transition with neither target nor actions for a forbidden one.
    let stay = edge.stays.then(|| json!({ "type": "stay" }));
    let actions = some_list(moves.chain(end).chain(stay).collect());
    jump.extend(actions.map(|actions| ("actions".to_owned(), actions)));
    Value::Object(jump)
}

fn counted(machine: &Machine, mv: &Move) -> Value {
    match mv {
        Move::Count(counter) => {
            json!({ "type": "count", "params": { "counter": machine.counters[*counter as usize].name } })
        }
        Move::Reset(counter) => {
            let counter = &machine.counters[*counter as usize];
            json!({ "type": "reset", "params": { "counter": counter.name, "to": counter.start } })
        }
    }
}

fn guard(machine: &Machine, test: &Test) -> Value {
    let name = |counter: &u8| machine.counters[*counter as usize].name.as_str();
    let named = |kind: &str, params: Value| json!({ "type": kind, "params": params });
    let joined = |kind, a, b| named(kind, json!({ "guards": [guard(machine, a), guard(machine, b)] }));
    match test {
        Test::Compare(counter, op, value) => named(
            "compare",
            json!({ "counter": name(counter), "op": op.as_str(), "value": comparable(*value) }),
        ),
        Test::CompareCounters(a, op, b) => {
            named("compare", json!({ "counter": name(a), "op": op.as_str(), "other": name(b) }))
        }
        Test::Fact(fact) => named("fact", json!({ "fact": machine.fact_names[*fact as usize] })),
        Test::Not(inner) => named("not", json!({ "guard": guard(machine, inner) })),
        Test::And(a, b) => joined("and", a, b),
        Test::Or(a, b) => joined("or", a, b),
        Test::Always(value) => named("always", json!({ "value": value })),
    }
}

fn some_list(list: Vec<Value>) -> Option<Value> {
    (!list.is_empty()).then_some(Value::Array(list))
}

fn some_map(map: Map<String, Value>) -> Option<Value> {
    (!map.is_empty()).then_some(Value::Object(map))
}
