//! Writes a machine in words: guards and transitions for messages, and the text behind its hash.

use crate::law::{Attribute, Constant, STAY};
use crate::machine::{After, Edge, Machine, Move, StateId, Test};
use std::fmt::Write;

/// Writes everything that a machine means, in a fixed order. The machine's hash is the hash of this text.
pub(crate) fn canonical(machine: &Machine) -> String {
    let mut out = String::new();
    let _ = writeln!(out, "{} {}", machine.session, machine.version);
    for (name, constant) in &machine.constants {
        let _ = match constant {
            Constant::Number(number) => writeln!(out, "constant {name} {number}"),
            Constant::Duration(millis) => writeln!(out, "constant {name} {millis}ms"),
            Constant::Text(text) => writeln!(out, "constant {name} {text:?}"),
        };
    }
    for counter in &machine.counters {
        let _ = writeln!(out, "counter {} {}", counter.name, counter.start);
    }
    let mut events: Vec<_> = machine.event_names.iter().zip(&machine.origins).collect();
    events.sort_by_key(|(name, _)| *name);
    for (name, origin) in events {
        let is_open = machine.opened.iter().any(|event| machine.event_name(*event) == name.as_str());
        let _ = writeln!(out, "event {name} {origin:?}{}", if is_open { " open" } else { "" });
    }
    for attribute in &machine.attributes {
        for value in attribute.listed().into_keys() {
            let _ =
                writeln!(out, "attribute {} {value} {}", attribute.name.name, followers(attribute, value));
        }
    }
    let _ = writeln!(out, "initial {}", machine.state_name(machine.initial));
    for (test, _) in &machine.invariants {
        let _ = writeln!(out, "invariant {}", test_text(machine, test));
    }
    for id in machine.states() {
        canonical_state(machine, id, &mut out);
    }
    for region in &machine.regions {
        for after in &region.deadlines {
            let states: Vec<&str> = region.states.iter().map(|state| machine.state_name(*state)).collect();
            let _ = writeln!(out, "within {} after {}", states.join(" "), after_text(machine, after));
        }
    }
    out
}

/// Writes a timer in one line, such as `20000 timeout`.
fn after_text(machine: &Machine, after: &After) -> String {
    let grows = after.growth.map_or(String::new(), |growth| {
        let counter = &machine.counters[growth.counter as usize].name;
        format!(" x{} to {} by {counter} from {}", growth.factor, growth.most, growth.from)
    });
    format!("{}{grows} {}", after.millis, machine.event_name(after.event))
}

/// Describes how long a timer waits: `20s`, or `1s growing ×2 up to 1m with tries`.
pub(crate) fn delay_words(machine: &Machine, after: &After) -> String {
    let first = duration(after.millis);
    after.growth.map_or(first.clone(), |growth| {
        let counter = &machine.counters[growth.counter as usize].name;
        format!("{first} growing ×{} up to {} with {counter}", growth.factor, duration(growth.most))
    })
}

fn canonical_state(machine: &Machine, id: StateId, out: &mut String) {
    let state = &machine.states[id.index()];
    let _ = writeln!(out, "state {}{}", state.name, if state.is_final { " final" } else { "" });
    for (name, value) in &state.attributes {
        let _ = writeln!(out, "  is {} {}", name.name, value.name);
    }
    for outcome in &state.outcomes {
        let _ = writeln!(out, "  may end as {}", machine.outcome_name(*outcome));
    }
    for action in machine.entry(id) {
        let _ = writeln!(out, "  do {}", machine.action_name(*action));
    }
    let _ = writeln!(out, "  moves {}", moves_text(machine, machine.moves(&state.entry_moves)));
    for test in &state.require {
        let _ = writeln!(out, "  require {}", test_text(machine, test));
    }
    if let Some(choice) = &state.choice {
        let _ = writeln!(out, "  if {}", test_text(machine, &choice.test));
        let _ = writeln!(out, "  then {}", edge_text(machine, &choice.yes));
        if let Some(no) = &choice.no {
            let _ = writeln!(out, "  else {}", edge_text(machine, no));
        }
    }
    let mut edges: Vec<_> = machine.edges_of(id).iter().collect();
    edges.sort_by_key(|edge| machine.event_name(edge.event));
    for edge in edges {
        let _ = writeln!(out, "  on {} {}", machine.event_name(edge.event), edge_text(machine, edge));
    }
    for after in machine.timers(id) {
        let _ = writeln!(out, "  after {}", after_text(machine, after));
    }
}

/// Returns the values that may follow one, in a fixed order.
pub(crate) fn followers(attribute: &Attribute, value: &str) -> String {
    let mut names: Vec<&str> = attribute.after(value).collect();
    names.sort_unstable();
    names.join(", ")
}

/// Writes the target and the effects of a transition in one line.
pub(crate) fn edge_text(machine: &Machine, edge: &Edge) -> String {
    let moves = moves_text(machine, machine.moves(&edge.moves));
    let outcome =
        edge.outcome.map_or(String::new(), |outcome| format!(" as {}", machine.outcome_name(outcome)));
    format!("{}{moves}{outcome}", target_text(machine, edge))
}

/// Returns the state that a transition enters, or `stay`.
pub(crate) fn target_text<'m>(machine: &'m Machine, edge: &Edge) -> &'m str {
    edge.enters().map_or(STAY, |state| machine.state_name(state))
}

fn moves_text(machine: &Machine, moves: &[Move]) -> String {
    let text = |mv: &Move| match mv {
        Move::Count(counter) => format!(" +{}", machine.counters[*counter as usize].name),
        Move::Reset(counter) => format!(" ={}", machine.counters[*counter as usize].name),
    };
    moves.iter().map(text).collect()
}

/// Writes a guard with the values of its constants.
pub(crate) fn test_text(machine: &Machine, test: &Test) -> String {
    let counter = |at: &u8| machine.counters[*at as usize].name.clone();
    match test {
        Test::Compare(a, op, value) => format!("{} {} {value}", counter(a), op.as_str()),
        Test::CompareCounters(a, op, b) => format!("{} {} {}", counter(a), op.as_str(), counter(b)),
        Test::Fact(fact) => machine.fact_names[*fact as usize].clone(),
        Test::Not(inner) => format!("not {}", test_text(machine, inner)),
        Test::And(a, b) => format!("({} and {})", test_text(machine, a), test_text(machine, b)),
        Test::Or(a, b) => format!("({} or {})", test_text(machine, a), test_text(machine, b)),
        Test::Always(value) => value.to_string(),
    }
}

/// Writes milliseconds as a law does.
pub(crate) fn duration(millis: u64) -> String {
    const UNITS: [(u64, &str); 4] = [(86_400_000, "d"), (3_600_000, "h"), (60_000, "m"), (1_000, "s")];
    let unit = UNITS.iter().find(|(size, _)| millis >= *size && millis.is_multiple_of(*size));
    match unit {
        Some((size, name)) => format!("{}{name}", millis / size),
        None => format!("{millis}ms"),
    }
}
