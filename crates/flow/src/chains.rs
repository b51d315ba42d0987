//! Runs through guards: what one event can enter before it comes to rest, and where it does not.

use crate::explore::Walk;
use crate::machine::{Choice, MAX_CHAIN, Machine, StateId};
use crate::problem::{Code, Problem};
use std::collections::{BTreeSet, HashMap, HashSet};

/// More are told of no law.
const MAX_CHAINS: usize = 24;

/// Steps that pass through more states than one may. A circle is told once, however it is entered.
pub(crate) fn long_chains(machine: &Machine, walk: &Walk) -> Vec<Problem> {
    let mut reported = HashSet::new();
    let mut problems = Vec::new();
    for (id, arrival) in walk.found.endless.iter().take(MAX_CHAINS) {
        let state = &machine.states[id.index()];
        let circle = circle(machine, *id);
        let names: Vec<String> = circle.iter().map(|id| format!("`{}`", machine.state_name(*id))).collect();
        let (message, cure) = if circle.is_empty() {
            (
                format!(
                    "guards in a row up to `{}`: a step passes through {MAX_CHAIN} states at most",
                    state.name
                ),
                "put a state that waits for an event into the row, or join guards with `and` and `or`",
            )
        } else {
            (
                format!(
                    "guards lead in a circle through {} and do not come to rest within {MAX_CHAIN} states",
                    names.join(", ")
                ),
                "put a state that waits for an event into the circle, or count the rounds",
            )
        };
        if circle.is_empty() || reported.insert(circle) {
            problems.push(
                Problem::new(Code::EndlessChain, state.place, message, cure)
                    .state(&state.name)
                    .path(walk.path_of(machine, *arrival)),
            );
        }
    }
    problems
}

/// Every state that one step may enter from these on, as far as it passes only through states that `may_pass`.
pub(crate) fn after_guards(
    machine: &Machine,
    from: impl IntoIterator<Item = StateId>,
    may_pass: impl Fn(StateId) -> bool,
) -> BTreeSet<StateId> {
    let mut entered = BTreeSet::new();
    let mut open: Vec<StateId> = from.into_iter().collect();
    while let Some(id) = open.pop() {
        if entered.insert(id) && may_pass(id) {
            open.extend(machine.states[id.index()].choice.iter().flat_map(targets));
        }
    }
    entered
}

/// The deciding states that lie on a circle of such states with this one.
fn circle(machine: &Machine, state: StateId) -> BTreeSet<StateId> {
    let choice = |id: StateId| machine.states[id.index()].choice.as_ref();
    let onward = after_guards(machine, [state], |_| true);
    let mut before: HashMap<StateId, Vec<StateId>> = HashMap::new();
    for id in &onward {
        for target in choice(*id).into_iter().flat_map(targets) {
            before.entry(target).or_default().push(*id);
        }
    }
    let mut circle = BTreeSet::new();
    let mut open = before.get(&state).cloned().unwrap_or_default();
    while let Some(id) = open.pop() {
        if circle.insert(id) {
            open.extend(before.get(&id).into_iter().flatten());
        }
    }
    circle
}

fn targets(choice: &Choice) -> impl Iterator<Item = StateId> {
    std::iter::once(choice.yes.target).chain(choice.no.as_ref().map(|no| no.target))
}
