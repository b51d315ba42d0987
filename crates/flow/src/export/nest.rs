//! Works out which states lie in which box: groups with deadlines, and the states of laws that are used.

use crate::chains::after_guards;
use crate::machine::{Machine, Region, StateId};

/// The boxes of a machine, each inside another or apart.
pub(super) struct Nest {
    /// The innermost box around each state.
    inner: Vec<Option<usize>>,
    /// The box around each box.
    outer: Vec<Option<usize>>,
}

impl Nest {
    pub(super) fn of(machine: &Machine) -> Nest {
        let regions = &machine.regions;
        let contains = |outer: &Region, inner: &Region| {
            inner.states.iter().all(|state| outer.states.binary_search(state).is_ok())
        };
        let around =
            |at: usize| (at + 1..regions.len()).find(|outer| contains(&regions[*outer], &regions[at]));
        let guards: Vec<Vec<StateId>> = regions.iter().map(|region| guards_within(machine, region)).collect();
        let box_of = |state: StateId| {
            (0..regions.len())
                .find(|at| regions[*at].states.binary_search(&state).is_ok() || guards[*at].contains(&state))
        };
        Nest {
            inner: machine.states().map(box_of).collect(),
            outer: (0..regions.len()).map(around).collect(),
        }
    }

    /// Returns the states directly in a box or, without one, those in none.
    pub(super) fn states(&self, within: Option<usize>) -> impl Iterator<Item = StateId> {
        let here = self.inner.iter().enumerate().filter(move |(_, inner)| **inner == within);
        here.map(|(at, _)| StateId(at as u32))
    }

    /// Returns the boxes directly in a box, except empty ones.
    pub(super) fn boxes(&self, within: Option<usize>) -> impl Iterator<Item = usize> {
        let here = self.outer.iter().enumerate().filter(move |(_, outer)| **outer == within);
        here.map(|(at, _)| at).filter(|at| self.has_any(*at))
    }

    fn has_any(&self, at: usize) -> bool {
        self.inner.contains(&Some(at))
            || self.outer.iter().enumerate().any(|(inner, outer)| *outer == Some(at) && self.has_any(inner))
    }

    /// Whether a state lies in a box, however deep.
    pub(super) fn is_within(&self, state: StateId, region: usize) -> bool {
        let mut at = self.inner[state.index()];
        while let Some(here) = at {
            if here == region {
                return true;
            }
            at = self.outer[here];
        }
        false
    }
}

/// Returns the guards through which a flow passes from one state of a box to another, and those of a law that is
/// the box. If they were drawn outside, the flow would seem to leave the box there.
fn guards_within(machine: &Machine, region: &Region) -> Vec<StateId> {
    let decides = |id: &StateId| machine.states[id.index()].choice.is_some();
    let leads_in = |id: &StateId| {
        after_guards(machine, [*id], |_| true).iter().any(|to| region.states.binary_search(to).is_ok())
    };
    let is_own = |id: &StateId| {
        let name = machine.state_name(*id).strip_prefix(region.name.as_str());
        region.is_law && name.is_some_and(|rest| rest.is_empty() || rest.starts_with('-'))
    };
    let targets = region.states.iter().flat_map(|state| machine.edges_of(*state)).map(|edge| edge.target);
    let passed = after_guards(machine, targets, |_| true);
    machine.states().filter(decides).filter(|id| is_own(id) || passed.contains(id) && leads_in(id)).collect()
}
