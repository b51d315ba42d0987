//! Compares two laws: what differs, and which waiting flows have no place in the new law.
//!
//! Laws are compared after binding, so layout, comments and the spelling of guards do not count. A law is a list of
//! aspects, each with a name and a value; two laws differ where their lists do.

mod homeless;

pub use homeless::Homeless;

use crate::check::Bounds;
use crate::law::Constant;
use crate::machine::{Edge, Machine, Move, State, StateId};
use crate::migration::Migration;
use crate::text::{delay_words, duration, followers, target_text, test_text};
use serde::Serialize;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::fmt;
use std::ops::Range;

/// Everything that differs between two laws.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Difference {
    pub changes: Vec<Change>,
    /// Whether it is proved that every flow that rests under the old law can go on under the new one.
    pub compatible: bool,
    /// False if the search for homeless flows stopped at its bound.
    pub complete: bool,
    /// One homeless configuration for each state and reason, with the shortest path; at most a hundred.
    pub homeless: Vec<Homeless>,
}

/// One aspect that differs. Without an `old` value it was added, without a `new` one removed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Change {
    pub kind: ChangeKind,
    /// The name of the aspect, such as `ask on heard`. Empty if a law has only one of its kind.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub what: String,
    pub old: Option<String>,
    pub new: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum ChangeKind {
    Session,
    Version,
    Initial,
    Constant,
    Counter,
    Event,
    Invariant,
    /// A state's value of an attribute, or the values that may follow one.
    Attribute,
    /// A state came or went, or is of another kind: waiting, deciding or final.
    State,
    Entry,
    Requirement,
    Guard,
    Transition,
    /// The counters that a transition, or entering a state, counts and resets.
    Moves,
    /// The outcome with which a transition ends the flow.
    Outcome,
    /// The outcomes with which a final state can end a flow.
    Outcomes,
    Timer,
}

/// Compares what two laws mean. Machines with the same hash do not differ.
pub fn diff(old: &Machine, new: &Machine, migration: &Migration, bounds: Bounds) -> Difference {
    if old.hash == new.hash {
        return Difference { changes: Vec::new(), compatible: true, complete: true, homeless: Vec::new() };
    }
    let (homeless, complete) = homeless::find(old, new, migration, bounds);
    Difference { changes: changes(old, new), compatible: complete && homeless.is_empty(), complete, homeless }
}

/// A part of a law that can be named and compared.
struct Aspect {
    kind: ChangeKind,
    what: String,
    value: String,
    /// The state that the aspect belongs to. If the other law has no such state, only the missing state is
    /// reported.
    of: Option<StateId>,
}

impl Aspect {
    fn key(&self) -> (ChangeKind, &str) {
        (self.kind, &self.what)
    }

    fn matters(&self, own: &Machine, states_of_other: &HashSet<&str>) -> bool {
        self.of.is_none_or(|state| states_of_other.contains(own.state_name(state)))
    }
}

fn changes(old: &Machine, new: &Machine) -> Vec<Change> {
    let (before, after) = (aspects(old), aspects(new));
    let (old_states, new_states) = (state_names(old), state_names(new));
    let old_values: HashMap<_, _> = before.iter().map(|aspect| (aspect.key(), &aspect.value)).collect();
    let new_values: HashMap<_, _> = after.iter().map(|aspect| (aspect.key(), &aspect.value)).collect();
    let change = |aspect: &Aspect, old: Option<&String>, new: Option<&String>| Change {
        kind: aspect.kind,
        what: aspect.what.clone(),
        old: old.cloned(),
        new: new.cloned(),
    };
    let kept = before.iter().filter(|aspect| aspect.matters(old, &new_states)).filter_map(|aspect| {
        let now = new_values.get(&aspect.key()).copied();
        (now != Some(&aspect.value)).then(|| change(aspect, Some(&aspect.value), now))
    });
    let added = after.iter().filter(|aspect| aspect.matters(new, &old_states)).filter_map(|aspect| {
        let is_new = !old_values.contains_key(&aspect.key());
        is_new.then(|| change(aspect, None, Some(&aspect.value)))
    });
    kept.chain(added).collect()
}

fn state_names(machine: &Machine) -> HashSet<&str> {
    machine.states.iter().map(|state| state.name.as_str()).collect()
}

fn aspects(machine: &Machine) -> Vec<Aspect> {
    let mut found = Vec::new();
    let mut add = |kind, what: &str, value: String| {
        found.push(Aspect { kind, what: what.to_owned(), value, of: None });
    };
    add(ChangeKind::Session, "", machine.session.clone());
    add(ChangeKind::Version, "", machine.version.clone());
    add(ChangeKind::Initial, "", machine.state_name(machine.initial).to_owned());
    for (name, constant) in &machine.constants {
        add(ChangeKind::Constant, name, constant_text(constant));
    }
    for counter in &machine.counters {
        add(ChangeKind::Counter, &counter.name, format!("starts at {}", counter.start));
    }
    for (name, origin) in machine.event_names.iter().zip(&machine.origins) {
        let is_open = machine.opened.iter().any(|event| machine.event_name(*event) == name);
        add(ChangeKind::Event, name, format!("{}{}", if is_open { "open " } else { "" }, origin.as_str()));
    }
    for attribute in &machine.attributes {
        for value in attribute.listed().into_keys() {
            let next = Some(followers(attribute, value)).filter(|next| !next.is_empty());
            let what = format!("{} after {value}", attribute.name.name);
            add(ChangeKind::Attribute, &what, next.unwrap_or_else(|| "nothing".to_owned()));
        }
    }
    for (test, _) in &machine.invariants {
        let text = test_text(machine, test);
        add(ChangeKind::Invariant, &text, text.clone());
    }
    for region in machine.regions.iter().filter(|region| !region.deadlines.is_empty()) {
        let states: Vec<&str> = region.states.iter().map(|state| machine.state_name(*state)).collect();
        for after in &region.deadlines {
            let what = format!("{} for {}", region.name, machine.event_name(after.event));
            add(
                ChangeKind::Timer,
                &what,
                format!("{} in {}", delay_words(machine, after), states.join(", ")),
            );
        }
    }
    for id in machine.states() {
        let state = &machine.states[id.index()];
        add(ChangeKind::State, &state.name, kind(state).to_owned());
    }
    for id in machine.states() {
        state_aspects(machine, id, &mut found);
    }
    found
}

fn state_aspects(machine: &Machine, id: StateId, found: &mut Vec<Aspect>) {
    let state = &machine.states[id.index()];
    let mut add = |kind, what: String, value: String| {
        if !value.is_empty() {
            found.push(Aspect { kind, what, value, of: Some(id) });
        }
    };
    for (name, value) in &state.attributes {
        add(ChangeKind::Attribute, format!("{} of {}", name.name, state.name), value.name.clone());
    }
    let actions = machine.entry(id).iter().map(|action| machine.action_name(*action).to_owned());
    add(ChangeKind::Entry, state.name.clone(), list(actions));
    add(ChangeKind::Moves, format!("entering {}", state.name), moves_text(machine, &state.entry_moves));
    let outcomes = state.outcomes.iter().map(|outcome| machine.outcome_name(*outcome).to_owned());
    add(ChangeKind::Outcomes, state.name.clone(), list(outcomes));
    let requirements = state.require.iter().map(|test| test_text(machine, test));
    add(ChangeKind::Requirement, state.name.clone(), list(requirements));
    if let Some(choice) = &state.choice {
        add(ChangeKind::Guard, state.name.clone(), test_text(machine, &choice.test));
    }
    for (cause, edge) in transitions(machine, id) {
        let outcome = edge.outcome.map_or("", |outcome| machine.outcome_name(outcome));
        add(ChangeKind::Transition, cause.clone(), target_text(machine, edge).to_owned());
        add(ChangeKind::Moves, cause.clone(), moves_text(machine, &edge.moves));
        add(ChangeKind::Outcome, cause, outcome.to_owned());
    }
    // Several timers of one state may raise the same event.
    let mut delays: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for after in machine.timers(id) {
        delays.entry(machine.event_name(after.event)).or_default().push(delay_words(machine, after));
    }
    for (event, delays) in delays {
        add(ChangeKind::Timer, format!("{} for {event}", state.name), delays.join(", "));
    }
}

/// Returns every transition out of a state with its cause, such as `ask on heard` or `enough if true`.
fn transitions(machine: &Machine, id: StateId) -> Vec<(String, &Edge)> {
    let state = &machine.states[id.index()];
    let mut found = Vec::new();
    for edge in machine.edges_of(id) {
        found.push((format!("{} on {}", state.name, machine.event_name(edge.event)), edge));
    }
    if let Some(choice) = &state.choice {
        found.push((format!("{} if true", state.name), &choice.yes));
        found.extend(choice.no.iter().map(|no| (format!("{} if false", state.name), no)));
    }
    found
}

fn kind(state: &State) -> &'static str {
    match state {
        State { is_final: true, .. } => "is final",
        State { choice: Some(_), .. } => "decides",
        _ => "waits",
    }
}

fn constant_text(constant: &Constant) -> String {
    match constant {
        Constant::Number(number) => number.to_string(),
        Constant::Duration(millis) => duration(*millis),
        Constant::Text(text) => text.clone(),
    }
}

fn moves_text(machine: &Machine, moves: &Range<u32>) -> String {
    list(machine.moves(moves).iter().map(|mv| match mv {
        Move::Count(counter) => format!("count {}", machine.counters[*counter as usize].name),
        Move::Reset(counter) => format!("reset {}", machine.counters[*counter as usize].name),
    }))
}

fn list(items: impl Iterator<Item = String>) -> String {
    items.collect::<Vec<_>>().join(", ")
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.changes.is_empty() {
            writeln!(f, "The laws mean the same.")?;
        }
        for change in &self.changes {
            writeln!(f, "{change}")?;
        }
        if self.compatible {
            return writeln!(f, "Every flow that rests under the old law can go on under the new one.");
        }
        for homeless in &self.homeless {
            writeln!(f, "{homeless}")?;
        }
        if !self.complete {
            writeln!(
                f,
                "Not proved: the search for flows that cannot go on stopped at its bound. \
                 Use smaller constants or fewer counters, or raise the bound with `--bound`."
            )?;
        }
        Ok(())
    }
}

impl fmt::Display for Change {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = match (&self.old, &self.new) {
            (None, _) => '+',
            (_, None) => '-',
            _ => '~',
        };
        write!(f, "{sign} {}", self.kind)?;
        if !self.what.is_empty() {
            write!(f, " `{}`", self.what)?;
        }
        match (&self.old, &self.new) {
            (Some(old), Some(new)) => write!(f, ": {old} → {new}"),
            // An invariant's text is its name, and is not printed twice.
            (Some(value), None) | (None, Some(value)) if *value != self.what => write!(f, ": {value}"),
            _ => Ok(()),
        }
    }
}

impl fmt::Display for ChangeKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            ChangeKind::Session => "session",
            ChangeKind::Version => "version",
            ChangeKind::Initial => "initial state",
            ChangeKind::Constant => "constant",
            ChangeKind::Counter => "counter",
            ChangeKind::Event => "event",
            ChangeKind::Invariant => "invariant",
            ChangeKind::Attribute => "attribute",
            ChangeKind::State => "state",
            ChangeKind::Entry => "actions on entering",
            ChangeKind::Requirement => "requirement of",
            ChangeKind::Guard => "guard of",
            ChangeKind::Transition => "transition",
            ChangeKind::Moves => "counters moved by",
            ChangeKind::Outcome => "outcome of",
            ChangeKind::Outcomes => "outcomes of",
            ChangeKind::Timer => "timer of",
        })
    }
}
