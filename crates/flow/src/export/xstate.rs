//! Exports a machine as the configuration of an XState v5 machine.
//!
//! JSON has no functions, so guards and actions are names with parameters. There are few such names, the same in every
//! export, and [`XSTATE_SETUP`] defines them.

use crate::export::comparable;
use crate::export::nest::Nest;
use crate::machine::{After, Edge, MAX_CHAIN, Machine, Move, Region, StateId, Test};
use serde_json::{Map, Value, json};

/// The module that turns an export into a running XState machine.
pub const XSTATE_SETUP: &str = include_str!("xstate_setup.mjs");

pub(super) fn write(machine: &Machine) -> String {
    let nest = Nest::of(machine);
    let (initial, states) = level(machine, &nest, None);
    let invariants = machine.invariants.iter().map(|(test, _)| guard(machine, test));
    let config = json!({
        "id": machine.session,
        "version": machine.version,
        "initial": initial,
        "context": { "counters": counters(machine), "outcome": null },
        "options": { "maxIterations": MAX_CHAIN },
        "meta": { "hash": machine.hash, "invariants": invariants.collect::<Vec<_>>() },
        "states": states,
    });
    format!("{config:#}\n")
}

fn counters(machine: &Machine) -> Map<String, Value> {
    machine.counters.iter().map(|counter| (counter.name.clone(), json!(counter.start))).collect()
}

/// Returns the state to begin in and the states of a box, or of no box. A group with deadlines, and a law that is
/// used, is a parent state: entering it starts its deadlines, and moving inside it does not touch them.
fn level(machine: &Machine, nest: &Nest, within: Option<usize>) -> (String, Map<String, Value>) {
    let states = nest.states(within).map(|id| (key(machine.state_name(id)), state(machine, id)));
    let mut found: Map<String, Value> = states.collect();
    let mut initial =
        nest.states(within).find(|id| *id == machine.initial).map(|id| key(machine.state_name(id)));
    for at in nest.boxes(within) {
        let region = &machine.regions[at];
        let (first, states) = level(machine, nest, Some(at));
        // No name of a state has a space.
        let name = format!("in {}", region.name);
        if nest.is_within(machine.initial, at) {
            initial = Some(name.clone());
        }
        let parent = filled([
            ("initial", Some(json!(first))),
            ("after", deadlines(machine, region)),
            ("states", Some(Value::Object(states))),
        ]);
        found.insert(name, Value::Object(parent));
    }
    let first = found.keys().next().cloned().unwrap_or_default();
    (initial.unwrap_or(first), found)
}

fn deadlines(machine: &Machine, region: &Region) -> Option<Value> {
    let mut delays = Map::new();
    for after in &region.deadlines {
        delays.entry(delay(machine, after)).or_insert_with(|| deadline(machine, region, after));
    }
    some_map(delays)
}

/// Writes a deadline. It takes the transition of its event; if that differs between states, it raises the event.
fn deadline(machine: &Machine, region: &Region, after: &After) -> Value {
    let edges: Vec<&Edge> = region.states.iter().filter_map(|id| machine.edge(*id, after.event)).collect();
    let is_same = |edge: &&Edge| {
        !edge.stays && jump(machine, edges[0].target, edge) == jump(machine, edges[0].target, edges[0])
    };
    match edges.len() == region.states.len() && edges.iter().all(is_same) {
        true => {
            let mut jump = jump(machine, edges[0].target, edges[0]);
            jump.as_object_mut().map(|jump| jump.remove("reenter"));
            jump
        }
        false => {
            json!({ "actions": [{ "type": "raise", "params": { "event": machine.event_name(after.event) } }] })
        }
    }
}

/// Returns the delay in milliseconds, or the name of a growing delay, which says how it grows.
fn delay(machine: &Machine, after: &After) -> String {
    after.growth.map_or(after.millis.to_string(), |growth| {
        let counter = &machine.counters[growth.counter as usize].name;
        format!("grows {} {} {} {} {counter}", after.millis, growth.factor, growth.most, growth.from)
    })
}

/// Returns the name of a state as a key of JavaScript objects. XState copies states into objects of its own, where
/// `__proto__` would be lost.
fn key(name: &str) -> String {
    if name == "__proto__" { format!("{name} ") } else { name.to_owned() }
}

/// Returns the id by which targets in other boxes are found. A law without boxes needs none.
fn id_of(machine: &Machine, id: StateId) -> String {
    format!("state {}", key(machine.state_name(id)))
}

fn state(machine: &Machine, id: StateId) -> Value {
    let state = &machine.states[id.index()];
    Value::Object(filled([
        ("id", (!machine.regions.is_empty()).then(|| json!(id_of(machine, id)))),
        ("type", state.is_final.then(|| json!("final"))),
        ("entry", entry(machine, id)),
        ("on", on(machine, id)),
        ("after", after(machine, id)),
        ("always", always(machine, id)),
        ("meta", meta(machine, id)),
    ]))
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

/// Writes the timers of a state. A timer takes the same transition as its event.
fn after(machine: &Machine, id: StateId) -> Option<Value> {
    let mut delays = Map::new();
    for timer in machine.timers(id) {
        if let Some(edge) = machine.edge(id, timer.event) {
            delays.entry(delay(machine, timer)).or_insert_with(|| jump(machine, id, edge));
        }
    }
    some_map(delays)
}

/// Writes the transitions out of a state that decides. It is left at once, by the first whose guard holds.
fn always(machine: &Machine, id: StateId) -> Option<Value> {
    let choice = machine.states[id.index()].choice.as_ref()?;
    let mut yes = jump(machine, id, &choice.yes);
    yes["guard"] = guard(machine, &choice.test);
    let no = choice.no.as_ref().map(|no| jump(machine, id, no));
    some_list(std::iter::once(yes).chain(no).collect())
}

fn meta(machine: &Machine, id: StateId) -> Option<Value> {
    let state = &machine.states[id.index()];
    let attributes = state.attributes.iter().map(|(name, value)| (name.name.clone(), json!(value.name)));
    let outcomes = state.outcomes.iter().map(|outcome| json!(machine.outcome_name(*outcome)));
    some_map(filled([
        ("attributes", some_map(attributes.collect())),
        ("require", some_list(state.require.iter().map(|test| guard(machine, test)).collect())),
        ("given", some_list(state.given.tests().map(|test| guard(machine, &test)).collect())),
        ("outcomes", some_list(outcomes.collect())),
    ]))
}

fn jump(machine: &Machine, from: StateId, edge: &Edge) -> Value {
    let moves = machine.moves(&edge.moves).iter().map(|mv| counted(machine, mv));
    let end = edge
        .outcome
        .map(|outcome| json!({ "type": "end", "params": { "outcome": machine.outcome_name(outcome) } }));
    // XState takes a transition with neither target nor actions for a forbidden one.
    let stay = edge.stays.then(|| json!({ "type": "stay" }));
    Value::Object(filled([
        ("target", edge.enters().map(|target| json!(target_of(machine, target)))),
        // Without this a transition to the same state would not enter it again.
        ("reenter", (edge.enters() == Some(from)).then(|| json!(true))),
        ("actions", some_list(moves.chain(end).chain(stay).collect())),
    ]))
}

fn target_of(machine: &Machine, target: StateId) -> String {
    match machine.regions.is_empty() {
        true => key(machine.state_name(target)),
        false => format!("#{}", id_of(machine, target)),
    }
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

/// Collects the parts that are present into an object.
fn filled<const N: usize>(parts: [(&str, Option<Value>); N]) -> Map<String, Value> {
    parts.into_iter().filter_map(|(key, part)| Some((key.to_owned(), part?))).collect()
}

fn some_list(list: Vec<Value>) -> Option<Value> {
    (!list.is_empty()).then_some(Value::Array(list))
}

fn some_map(map: Map<String, Value>) -> Option<Value> {
    (!map.is_empty()).then_some(Value::Object(map))
}
