//! Follows chains of guards: the states that one event can enter before the flow rests, and the chains that never
//! rest.

use crate::cycles::components;
use crate::explore::{Walk, Walker};
use crate::machine::{Choice, MAX_CHAIN, Machine, StateId};
use crate::problem::{Code, Problem};
use std::collections::{BTreeSet, HashSet};

/// The most chains that are reported.
const MAX_CHAINS: usize = 24;

/// Reports steps that pass through more states than a step may. A cycle is reported once, however it is entered.
pub(crate) fn long_chains(walker: &Walker<'_>, walk: &Walk) -> Vec<Problem> {
    let machine = walker.machine;
    if walk.found.endless.is_empty() {
        return Vec::new();
    }
    let steps: Vec<Vec<u32>> = machine
        .states
        .iter()
        .map(|state| state.choice.iter().flat_map(targets).map(|id| id.0).collect())
        .collect();
    let part = components(&steps);
    let mut reported = HashSet::new();
    let mut problems = Vec::new();
    for (id, arrival) in walk.found.endless.iter().take(MAX_CHAINS) {
        let state = &machine.states[id.index()];
        let own = part[id.index()];
        let cycle: Vec<StateId> = machine.states().filter(|other| part[other.index()] == own).collect();
        let is_cycle = cycle.len() > 1 || steps[id.index()].contains(&id.0);
        if is_cycle && !reported.insert(own) {
            continue;
        }
        let names: Vec<String> = cycle.iter().map(|id| format!("`{}`", machine.state_name(*id))).collect();
        let (message, cure) = match is_cycle {
            true => (
                format!(
                    "guards go round through {} without coming to rest within {MAX_CHAIN} states",
                    names.join(", ")
                ),
                "put a state that waits for an event into the loop, or count the rounds",
            ),
            false => (
                format!(
                    "too many guards in a row before `{}`: a step passes through {MAX_CHAIN} states at most",
                    state.name
                ),
                "put a state that waits for an event between them, or join guards with `and` and `or`",
            ),
        };
        problems.push(
            Problem::new(Code::EndlessChain, state.place, message, cure)
                .state(&state.name)
                .path(walk.path_of(walker, *arrival)),
        );
    }
    problems
}

/// Returns every state that a step can enter, beginning with `from`. The step goes on only through states that
/// `may_pass`.
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

fn targets(choice: &Choice) -> impl Iterator<Item = StateId> {
    std::iter::once(choice.yes.target).chain(choice.no.as_ref().map(|no| no.target))
}
