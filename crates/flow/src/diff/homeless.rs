//! Proves whether flows that rest under an old law can go on under a new one.
//!
//! A walk of the old law finds every configuration in which a flow can rest, and each is carried over by name.
//! Flows that have ended stay under their law. For the others, the new law must have the same state, of the same
//! kind; its invariants and requirements must hold there, and an event must still be able to come. Configurations
//! that the new law does not reach by itself are strangers: the walk continues from them, and must find no problem
//! that the new law does not have anyway.

use super::kind;
use crate::check::Bounds;
use crate::explore::{Verdict, Walk, Walker, walk};
use crate::law::Origin;
use crate::layout::{Layout, ceilings};
use crate::liveness;
use crate::machine::{Given, Machine, StateId, Test};
use crate::migration::Migration;
use crate::text::test_text;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::fmt;

/// The most homeless configurations that are listed. Of those with the same state and reason, only the one with the
/// shortest path is listed.
const MAX_HOMELESS: usize = 100;

/// A configuration of the old law for which the new law has no place.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Homeless {
    pub state: String,
    /// The values of the old law's counters. A value above every number that either law compares it with stands for
    /// all higher ones.
    pub counters: BTreeMap<String, u64>,
    pub reason: String,
    /// The shortest sequence of events of the old law that leads here.
    pub path: Vec<String>,
}

/// Finds the homeless configurations. Also returns whether the search was complete.
pub(super) fn find(
    old: &Machine,
    new: &Machine,
    migration: &Migration,
    bounds: Bounds,
) -> (Vec<Homeless>, bool) {
    let Some(crossing) = Crossing::new(old, new, migration) else { return (Vec::new(), false) };
    let bound = bounds.configurations;
    let rests = walk(&mut Walker::new(old, crossing.from.clone()), bound);
    let mut walker = Walker::new(new, crossing.to.clone());
    let mut reached = walk(&mut walker, bound);
    if !rests.is_complete || !reached.is_complete || walker.notes.is_undecided() {
        return (Vec::new(), false);
    }
    let mut list = List { crossing: &crossing, rests: &rests, homeless: Vec::new() };
    let own_troubles = troubles(&mut walker, &reached);
    let own_count = reached.codes.len();
    let mut strangers = Vec::new();
    let is_open = |code: &u64| !old.is_final(crossing.from.state(*code));
    for (index, code) in rests.codes.iter().enumerate().filter(|(_, code)| is_open(code)) {
        match crossing.door(&walker, *code) {
            Err(reason) => list.add(index, reason),
            Ok(place) if reached.begin_at(place) => strangers.push((index, place)),
            Ok(_) => {}
        }
    }
    reached.go_on(&mut walker, own_count, bound);
    let is_complete = reached.is_complete
        && !walker.notes.is_undecided()
        && (troubles(&mut walker, &reached).is_subset(&own_troubles)
            || list.troubled(&mut walker, &strangers, &own_troubles, bound));
    (list.homeless, is_complete)
}

/// The way of flows from one law to another.
struct Crossing<'m> {
    old: &'m Machine,
    new: &'m Machine,
    /// Both layouts tell counters apart as far as either law does.
    from: Layout,
    to: Layout,
    /// For each state of the old law, the state in which its flows go on.
    states: Vec<Option<StateId>>,
    /// For each counter of the new law, the old counter that it takes its value from.
    counters: Vec<Option<usize>>,
}

impl<'m> Crossing<'m> {
    /// Returns `None` if configurations do not fit into 64 bits.
    fn new(old: &'m Machine, new: &'m Machine, migration: &Migration) -> Option<Crossing<'m>> {
        let old_counter = |name: &str| old.counters.iter().position(|counter| counter.name == name);
        let counters: Vec<_> = new
            .counters
            .iter()
            .map(|counter| migration.counter(&counter.name).and_then(old_counter))
            .collect();
        // A counter that the new law never moves can still have another value in a flow that comes from the old one.
        let asked = ceilings(new).into_iter().zip(&counters);
        let least: Vec<u64> =
            asked.map(|(asked, namesake)| asked.filter(|_| namesake.is_some()).unwrap_or(0)).collect();
        let to = Layout::of(new)?.raised(&least)?;
        let mut least = vec![0; old.counters.len()];
        for (at, namesake) in counters.iter().enumerate() {
            // A counter that the old law never moves has its start value and needs no room.
            if let Some(namesake) = namesake.filter(|namesake| !old.counters[*namesake].is_free) {
                least[namesake] = least[namesake].max(to.ceiling(at));
            }
        }
        let from = Layout::of(old)?.raised(&least)?;
        let states = old.states.iter().map(|state| new.state_named(migration.state(&state.name))).collect();
        Some(Crossing { old, new, from, to, states, counters })
    }

    /// Returns the configuration in which a flow at `code` goes on under the new law, or why it cannot.
    fn door(&self, walker: &Walker<'_>, code: u64) -> Result<u64, String> {
        let state = self.from.state(code);
        let name = self.old.state_name(state);
        let Some(namesake) = self.states[state.index()] else {
            return Err(format!("the new law has no state `{name}`"));
        };
        let before = kind(&self.old.states[state.index()]);
        let after = kind(&self.new.states[namesake.index()]);
        // A flow rests in a guard only if it is stuck there. A migration can lead it to a state that waits.
        let was_stuck = self.old.states[state.index()].choice.is_some();
        if was_stuck && self.new.states[namesake.index()].choice.is_some() {
            return Err(format!("it is stuck in the guard of `{name}`, and the new law does not free it"));
        }
        if before != after && !was_stuck {
            return Err(format!("`{name}` {before} in the old law and {after} in the new one"));
        }
        let place = self.to.pack(namesake, (0..self.counters.len()).map(|at| self.value(code, at)));
        match self.broken_promise(walker, state, place).or_else(|| self.deafness(state, namesake)) {
            Some(reason) => Err(reason),
            None => Ok(place),
        }
    }

    /// Returns the value of a counter of the new law in a flow that is taken over.
    fn value(&self, code: u64, counter: usize) -> u64 {
        match self.counters[counter] {
            Some(namesake) if self.old.counters[namesake].is_free => {
                u64::from(self.old.counters[namesake].start)
            }
            Some(namesake) => self.from.counter(code, namesake),
            None => u64::from(self.new.counters[counter].start),
        }
    }

    /// Describes the first promise of the new law that does not hold on arrival, or that the old law did not make.
    fn broken_promise(&self, walker: &Walker<'_>, from: StateId, place: u64) -> Option<String> {
        let state = &self.new.states[self.to.state(place).index()];
        for (invariant, _) in &self.new.invariants {
            let text = test_text(self.new, invariant);
            if walker.judge(invariant, place, state.given) == Some(false) {
                return Some(format!("the invariant `{text}` does not hold there"));
            }
            let is_kept = |test: &Test| matches!(walker.verdict(test, place, state.given).0, Verdict::Kept);
            let is_kept = |test: &&Test| is_kept(test) || self.was_promised(from, &test_text(self.new, test));
            if !conjuncts(invariant).iter().all(is_kept) {
                return Some(format!("the old law does not promise the invariant `{text}` there"));
            }
        }
        for test in state.require.iter().flat_map(conjuncts) {
            let known = walker.judge(test, place, Given::default());
            if known == Some(true) {
                continue;
            }
            let text = test_text(self.new, test);
            if known == Some(false) {
                return Some(format!("`{}` requires `{text}`, which does not hold there", state.name));
            }
            if !self.was_promised(from, &text) {
                let name = &state.name;
                return Some(format!("`{name}` requires `{text}`, which the old law does not promise there"));
            }
        }
        None
    }

    fn was_promised(&self, state: StateId, text: &str) -> bool {
        let invariants = self.old.invariants.iter().map(|(test, _)| test);
        let promises = self.old.states[state.index()].require.iter().chain(invariants);
        promises.flat_map(conjuncts).any(|test| test_text(self.old, test) == text)
    }

    /// Describes why a state waits for an event that will never come. Actions under way report back with events of
    /// the old law; those of the new law were never performed.
    fn deafness(&self, state: StateId, namesake: StateId) -> Option<String> {
        if self.new.is_final(namesake) {
            return None;
        }
        let name = self.new.state_name(namesake);
        let was_awaited = |event: &str| {
            self.old.event_named(event).is_some_and(|event| self.old.edge(state, event).is_some())
        };
        let mut awaited = Vec::new();
        for event in self.new.allowed(namesake) {
            let event_name = self.new.event_name(event);
            let comes_by_itself =
                self.new.origin(event) != Origin::Machine || self.new.is_timed(namesake, event);
            if comes_by_itself || was_awaited(event_name) {
                return None;
            }
            awaited.push(format!("`{event_name}`"));
        }
        Some(match awaited.len() {
            0 => format!("`{name}` takes no event"),
            _ => format!("`{name}` waits for {}, and nothing under way will send that", awaited.join(", ")),
        })
    }
}

/// Returns the tests that must all hold for `test` to hold.
fn conjuncts(test: &Test) -> Vec<&Test> {
    match test {
        Test::And(a, b) => [conjuncts(a), conjuncts(b)].concat(),
        other => vec![other],
    }
}

/// Describes everything that can go wrong in a walk, in words that do not depend on the path.
fn troubles(walker: &mut Walker<'_>, walk: &Walk) -> BTreeSet<String> {
    let machine = walker.machine;
    let name = |state: &StateId| machine.state_name(*state);
    let mut said = BTreeSet::new();
    for (state, _) in &walk.found.stuck {
        said.insert(format!("it can get stuck in `{}`, whose guard has no else", name(state)));
    }
    for (state, _) in &walk.found.endless {
        said.insert(format!("guards can go round through `{}` without coming to rest", name(state)));
    }
    for (which, ..) in &walk.found.invariants {
        let text = test_text(machine, &machine.invariants[*which].0);
        said.insert(format!("the invariant `{text}` can be broken"));
    }
    for (state, which, _) in &walk.found.requires {
        let text = test_text(machine, &machine.states[state.index()].require[*which as usize]);
        said.insert(format!("it can rest in `{}` without the required `{text}`", name(state)));
    }
    let visited: HashSet<StateId> = walk.codes.iter().map(|code| walker.layout.state(*code)).collect();
    for id in visited {
        let state = &machine.states[id.index()];
        if !state.is_final && state.choice.is_none() && state.edges.is_empty() {
            said.insert(format!("it can come to `{}`, which takes no event", state.name));
        }
    }
    said.extend(liveness::problems(walker, walk).into_iter().map(|problem| problem.message));
    said
}

struct List<'w> {
    crossing: &'w Crossing<'w>,
    rests: &'w Walk,
    homeless: Vec<Homeless>,
}

impl List<'_> {
    fn add(&mut self, index: usize, reason: String) {
        let Crossing { old, from, .. } = self.crossing;
        let code = self.rests.codes[index];
        let state = old.state_name(from.state(code));
        let is_known = |known: &Homeless| known.state == state && known.reason == reason;
        if self.homeless.len() >= MAX_HOMELESS || self.homeless.iter().any(is_known) {
            return;
        }
        let kept = (0..old.counters.len()).filter(|at| from.ceiling(*at) > 0);
        self.homeless.push(Homeless {
            state: state.to_owned(),
            counters: kept.map(|at| (old.counters[at].name.clone(), from.counter(code, at))).collect(),
            reason,
            path: self.rests.path(&Walker::new(old, from.clone()), index as u32).events,
        });
    }

    /// Adds the strangers that run into trouble, with one walk for each. Returns false if the bound was reached.
    fn troubled(
        &mut self,
        walker: &mut Walker<'_>,
        strangers: &[(usize, u64)],
        own_troubles: &BTreeSet<String>,
        bound: usize,
    ) -> bool {
        let mut left = bound;
        for (index, place) in strangers {
            let mut walk = Walk::new(&walker.layout);
            walk.begin_at(*place);
            walk.go_on(walker, 0, left);
            if !walk.is_complete {
                return false;
            }
            left -= walk.codes.len();
            for trouble in troubles(walker, &walk).difference(own_troubles) {
                self.add(*index, format!("under the new law, {trouble}"));
            }
        }
        true
    }
}

impl fmt::Display for Homeless {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "! homeless in `{}`", self.state)?;
        if !self.counters.is_empty() {
            let values = self.counters.iter().map(|(name, value)| format!("{name} {value}"));
            write!(f, " with {}", values.collect::<Vec<_>>().join(", "))?;
        }
        write!(f, ": {}", self.reason)?;
        if !self.path.is_empty() {
            write!(f, "\n    seen after: {}", self.path.join(" → "))?;
        }
        Ok(())
    }
}
