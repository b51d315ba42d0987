//! A law with every name bound: the form that runs and is proved.
//!
//! [`Machine::bind`] is the only way to make one. A machine has no unknown names, only small numbers.

use crate::guard::Op;
use crate::law::{Attribute, Constant, FAILED, MAX_COUNTERS, Named, Origin};
use crate::problem::Place;
use std::collections::BTreeMap;
use std::ops::Range;

macro_rules! ids {
    ($($(#[$meta:meta])* $id:ident($number:ty)),+) => {$(
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $id(pub $number);

        impl $id {
            pub fn index(self) -> usize {
                self.0 as usize
            }
        }
    )+};
}

ids!(
    /// The index of a state. As wide as a counter, so that an instance is read in the same pieces in which it was
    /// written.
    StateId(u32),
    EventId(u16),
    ActionId(u16),
    OutcomeId(u16)
);

/// Constants set from outside, in place of the law's own.
pub type Overrides = BTreeMap<String, i64>;

/// The most states that one step passes through.
pub const MAX_CHAIN: usize = 20;

#[derive(Debug, Clone)]
pub struct Machine {
    pub(crate) session: String,
    pub(crate) version: String,
    pub(crate) hash: String,
    pub(crate) states: Vec<State>,
    pub(crate) edges: Vec<Edge>,
    pub(crate) moves: Vec<Move>,
    pub(crate) actions: Vec<ActionId>,
    pub(crate) timers: Vec<After>,
    /// Groups of states with deadlines, and the states of laws that this one uses; inner regions before outer ones.
    pub(crate) regions: Vec<Region>,
    pub(crate) counters: Vec<Counter>,
    pub(crate) attributes: Vec<Attribute>,
    pub(crate) invariants: Vec<(Test, Place)>,
    pub(crate) limits: Limits,
    pub(crate) initial: StateId,
    pub(crate) event_names: Vec<String>,
    pub(crate) origins: Vec<Origin>,
    /// Events that others may send too, although they belong to the machine or the clock.
    pub(crate) opened: Vec<EventId>,
    /// Events that only the machine or the clock may send.
    pub(crate) closed: Vec<EventId>,
    /// Whether the law is bound without a vocabulary, that is, has no Rust of its own.
    pub(crate) is_alone: bool,
    pub(crate) action_names: Vec<String>,
    pub(crate) fact_names: Vec<String>,
    pub(crate) outcome_names: Vec<String>,
    pub(crate) constants: Vec<(String, Constant)>,
}

#[derive(Debug, Clone)]
pub(crate) struct State {
    pub(crate) name: String,
    pub(crate) place: Place,
    pub(crate) entry: Range<u32>,
    pub(crate) entry_moves: Range<u32>,
    /// The transitions, sorted by event.
    pub(crate) edges: Range<u32>,
    pub(crate) choice: Option<Choice>,
    pub(crate) timers: Range<u32>,
    pub(crate) require: Vec<Test>,
    pub(crate) given: Given,
    pub(crate) is_final: bool,
    pub(crate) outcomes: Vec<OutcomeId>,
    /// Attributes with their values, in the order in which the law declares them.
    pub(crate) attributes: Vec<(Named, Named)>,
}

impl State {
    pub(crate) fn attribute(&self, name: &str) -> Option<&Named> {
        self.attributes.iter().find(|(known, _)| known.name == name).map(|(_, value)| value)
    }
}

#[derive(Debug, Clone)]
pub(crate) struct Choice {
    pub(crate) test: Test,
    pub(crate) yes: Edge,
    pub(crate) no: Option<Edge>,
    pub(crate) place: Place,
    pub(crate) text: String,
}

#[derive(Debug, Clone)]
pub(crate) struct Edge {
    pub(crate) event: EventId,
    pub(crate) target: StateId,
    pub(crate) moves: Range<u32>,
    pub(crate) outcome: Option<OutcomeId>,
    /// Whether the flow stays in `target`, where it is already, and does not enter it again.
    pub(crate) stays: bool,
}

impl Edge {
    /// Returns the state that the transition enters, unless it stays.
    pub(crate) fn enters(&self) -> Option<StateId> {
        (!self.stays).then_some(self.target)
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Move {
    Count(u8),
    Reset(u8),
}

#[derive(Debug, Clone)]
pub(crate) struct Counter {
    pub(crate) name: String,
    pub(crate) start: u32,
    pub(crate) place: Place,
    /// Whether nothing in the law moves the counter, so that it keeps its start value.
    pub(crate) is_free: bool,
}

/// The invariants that bound a single counter, in a form that is checked for all counters at once.
#[derive(Debug, Clone)]
pub(crate) struct Limits {
    pub(crate) most: [u32; MAX_COUNTERS],
    /// Whether every invariant has this form.
    pub(crate) are_all: bool,
}

impl Limits {
    pub(crate) fn of(invariants: &[(Test, Place)]) -> Limits {
        let mut limits = Limits { most: [u32::MAX; MAX_COUNTERS], are_all: true };
        for (test, _) in invariants {
            match test {
                Test::Compare(counter, Op::LessOrEqual, most) if *most >= 0 => {
                    let slot = &mut limits.most[*counter as usize % MAX_COUNTERS];
                    *slot = (*slot).min(u32::try_from(*most).unwrap_or(u32::MAX));
                }
                _ => limits.are_all = false,
            }
        }
        limits
    }

    #[inline]
    pub(crate) fn hold(&self, counters: &[u32; MAX_COUNTERS]) -> bool {
        // Without branches, so that the processor compares several at a time.
        counters.iter().zip(&self.most).fold(true, |all, (counter, most)| all & (counter <= most))
    }
}

/// A timer: `event` happens once a flow has waited in a state, or been within a group, for `millis`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct After {
    pub millis: u64,
    pub event: EventId,
    pub(crate) growth: Option<Growth>,
}

/// The growth of a pause: by `factor` with each count above `from`, up to `most`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Growth {
    pub(crate) most: u64,
    pub(crate) factor: u32,
    pub(crate) counter: u8,
    pub(crate) from: u32,
}

impl After {
    /// Returns the delay in milliseconds for a flow with these counters.
    pub fn delay(&self, counters: &[u32; MAX_COUNTERS]) -> u64 {
        let Some(growth) = self.growth else { return self.millis };
        let rounds = counters[growth.counter as usize % MAX_COUNTERS].saturating_sub(growth.from);
        let grown =
            u64::from(growth.factor).checked_pow(rounds).and_then(|times| self.millis.checked_mul(times));
        grown.map_or(growth.most, |millis| millis.min(growth.most))
    }
}

/// States that belong together. A flow is inside as long as it rests in one of them.
#[derive(Debug, Clone)]
pub(crate) struct Region {
    pub(crate) name: String,
    /// The states that wait, sorted.
    pub(crate) states: Vec<StateId>,
    /// Timers that start when the region is entered, and run until it is left.
    pub(crate) deadlines: Vec<After>,
    /// Whether the states are those of a law that this one uses.
    pub(crate) is_law: bool,
}

/// A guard with every name bound.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Test {
    Compare(u8, Op, i64),
    CompareCounters(u8, Op, u8),
    Fact(u8),
    Not(Box<Test>),
    And(Box<Test>, Box<Test>),
    Or(Box<Test>, Box<Test>),
    Always(bool),
}

/// The answers to a law's facts at one moment, one bit each.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Facts(pub u64);

impl Facts {
    pub fn holds(self, fact: usize) -> bool {
        self.0 >> fact & 1 == 1
    }

    pub fn with(self, fact: usize, value: bool) -> Facts {
        Facts(self.0 & !(1 << fact) | u64::from(value) << fact)
    }
}

/// The facts that a state's requirements settle while a flow rests there. The proof relies on them when the state is
/// left, so a step with other answers is refused.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Given {
    pub(crate) known: u64,
    pub(crate) values: u64,
}

impl Given {
    pub(crate) fn by(require: &[Test]) -> Given {
        require.iter().fold(Given::default(), Given::and)
    }

    fn and(self, test: &Test) -> Given {
        match test {
            Test::Fact(fact) => self.with(*fact, true),
            Test::Not(inner) => match inner.as_ref() {
                Test::Fact(fact) => self.with(*fact, false),
                _ => self,
            },
            Test::And(a, b) => self.and(a).and(b),
            _ => self,
        }
    }

    pub(crate) fn with(self, fact: u8, value: bool) -> Given {
        let bit = 1 << fact;
        Given { known: self.known | bit, values: self.values & !bit | u64::from(value) << fact }
    }

    /// Returns the answer to a fact, if it is known.
    pub(crate) fn fact(self, fact: u8) -> Option<bool> {
        (self.known >> fact & 1 == 1).then(|| self.values >> fact & 1 == 1)
    }

    /// Returns the first fact of a test whose answer is not known.
    pub(crate) fn open_fact(self, test: &Test) -> Option<u8> {
        match test {
            Test::Fact(fact) => self.fact(*fact).is_none().then_some(*fact),
            Test::Not(inner) => self.open_fact(inner),
            Test::And(a, b) | Test::Or(a, b) => self.open_fact(a).or_else(|| self.open_fact(b)),
            Test::Compare(..) | Test::CompareCounters(..) | Test::Always(_) => None,
        }
    }

    /// Returns one test for each fact that is known.
    pub(crate) fn tests(self) -> impl Iterator<Item = Test> {
        (0..64).filter_map(move |fact| {
            let asked = Test::Fact(fact);
            self.fact(fact).map(|value| if value { asked } else { Test::Not(Box::new(asked)) })
        })
    }
}

impl Machine {
    pub fn session(&self) -> &str {
        &self.session
    }

    pub fn version(&self) -> &str {
        &self.version
    }

    /// Returns the hash of what the law means. Comments and layout do not count; constants do.
    pub fn hash(&self) -> &str {
        &self.hash
    }

    pub fn initial(&self) -> StateId {
        self.initial
    }

    pub fn state_name(&self, state: StateId) -> &str {
        &self.states[state.index()].name
    }

    pub fn state_named(&self, name: &str) -> Option<StateId> {
        find(self.states.iter().map(|state| state.name.as_str()), name).map(|at| StateId(at.into()))
    }

    pub fn states(&self) -> impl Iterator<Item = StateId> + use<> {
        (0..self.states.len() as u32).map(StateId)
    }

    pub fn event_name(&self, event: EventId) -> &str {
        &self.event_names[event.index()]
    }

    pub fn event_named(&self, name: &str) -> Option<EventId> {
        find(self.event_names.iter().map(String::as_str), name).map(EventId)
    }

    pub fn event_names(&self) -> impl Iterator<Item = &str> {
        self.event_names.iter().map(String::as_str)
    }

    pub fn origin(&self, event: EventId) -> Origin {
        self.origins[event.index()]
    }

    pub fn action_name(&self, action: ActionId) -> &str {
        &self.action_names[action.index()]
    }

    pub fn action_names(&self) -> impl Iterator<Item = &str> {
        self.action_names.iter().map(String::as_str)
    }

    pub fn fact_names(&self) -> impl Iterator<Item = &str> {
        self.fact_names.iter().map(String::as_str)
    }

    pub fn fact_named(&self, name: &str) -> Option<usize> {
        self.fact_names.iter().position(|fact| fact == name)
    }

    pub fn counter_names(&self) -> impl Iterator<Item = &str> {
        self.counters.iter().map(|counter| counter.name.as_str())
    }

    pub fn counter_start(&self, name: &str) -> u32 {
        self.counters.iter().find(|counter| counter.name == name).map_or(0, |counter| counter.start)
    }

    pub fn outcome_name(&self, outcome: OutcomeId) -> &str {
        &self.outcome_names[outcome.index()]
    }

    /// Returns a constant of the law, or the value set in its place.
    pub fn constant(&self, name: &str) -> Option<&Constant> {
        self.constants.iter().find(|(known, _)| known == name).map(|(_, value)| value)
    }

    pub fn constants(&self) -> &[(String, Constant)] {
        &self.constants
    }

    /// Returns a whole-number constant; `otherwise` if the law has no such constant.
    pub fn number(&self, name: &str, otherwise: i64) -> i64 {
        match self.constant(name) {
            Some(Constant::Number(number)) => *number,
            _ => otherwise,
        }
    }

    pub fn is_final(&self, state: StateId) -> bool {
        self.states[state.index()].is_final
    }

    /// Returns a state's value of an attribute, if it has one.
    pub fn attribute(&self, state: StateId, name: &str) -> Option<&str> {
        self.states[state.index()].attribute(name).map(|value| value.name.as_str())
    }

    /// Returns the events that a state takes, in the order of their ids.
    pub fn allowed(&self, state: StateId) -> impl Iterator<Item = EventId> {
        self.edges_of(state).iter().map(|edge| edge.event)
    }

    /// Returns the facts that hold in a state because it requires them.
    pub fn given(&self, state: StateId) -> Facts {
        Facts(self.states[state.index()].given.values)
    }

    /// Returns the law without its invariants, to see where a path leads that breaks one on the way.
    #[must_use]
    pub fn without_invariants(mut self) -> Machine {
        self.invariants.clear();
        self.limits = Limits::of(&[]);
        self
    }

    /// Returns the names of the facts that hold.
    pub(crate) fn facts_of(&self, given: Given) -> Vec<String> {
        let holds = |(at, _): &(usize, &String)| given.fact(*at as u8) == Some(true);
        self.fact_names.iter().enumerate().filter(holds).map(|(_, name)| name.clone()).collect()
    }

    /// Whether an event can happen in a state without a learner: by its origin, or because a timer raises it there.
    pub(crate) fn needs_no_learner(&self, state: StateId, event: EventId) -> bool {
        self.origin(event) != Origin::Learner || self.is_timed(state, event)
    }

    /// Whether the clock raises an event in a state.
    pub(crate) fn is_timed(&self, state: StateId, event: EventId) -> bool {
        self.timers(state).iter().any(|after| after.event == event)
            || self.deadlines(state).any(|after| after.event == event)
    }

    /// Whether only the machine or the clock may send an event.
    pub fn is_closed(&self, event: EventId) -> bool {
        self.closed.contains(&event)
    }

    /// Whether an event can take a flow on although the machine stays silent.
    pub(crate) fn is_way_out(&self, state: StateId, edge: &Edge) -> bool {
        let comes = match self.origin(edge.event) {
            Origin::Learner => true,
            Origin::Silence => !self.is_closed(edge.event),
            Origin::Machine => self.event_name(edge.event) == FAILED || self.opened.contains(&edge.event),
        };
        !edge.stays && (comes || self.is_timed(state, edge.event))
    }

    /// Returns the deadlines that run while a flow rests in a state. Each started when the flow came into its
    /// group.
    pub fn deadlines(&self, state: StateId) -> impl Iterator<Item = After> {
        let around = self.regions.iter().filter(move |region| region.states.binary_search(&state).is_ok());
        around.flat_map(|region| region.deadlines.iter().copied())
    }

    /// Whether the law has deadlines at all.
    pub fn has_deadlines(&self) -> bool {
        self.regions.iter().any(|region| !region.deadlines.is_empty())
    }

    pub fn timers(&self, state: StateId) -> &[After] {
        &self.timers[span(&self.states[state.index()].timers)]
    }

    pub fn entry(&self, state: StateId) -> &[ActionId] {
        &self.actions[span(&self.states[state.index()].entry)]
    }

    /// Returns the outcomes with which a final state can end a flow, if it lists them.
    pub fn outcomes(&self, state: StateId) -> &[OutcomeId] {
        &self.states[state.index()].outcomes
    }

    #[inline]
    pub(crate) fn edges_of(&self, state: StateId) -> &[Edge] {
        &self.edges[span(&self.states[state.index()].edges)]
    }

    #[inline]
    pub(crate) fn edge(&self, state: StateId, event: EventId) -> Option<&Edge> {
        let edges = self.edges_of(state);
        if edges.len() <= 8 {
            return edges.iter().find(|edge| edge.event == event);
        }
        edges.binary_search_by_key(&event, |edge| edge.event).ok().map(|at| &edges[at])
    }

    #[inline]
    pub(crate) fn moves(&self, range: &Range<u32>) -> &[Move] {
        &self.moves[span(range)]
    }
}

fn find<'n>(mut names: impl Iterator<Item = &'n str>, name: &str) -> Option<u16> {
    names.position(|known| known == name).map(|at| at as u16)
}

#[inline]
pub(crate) fn span(range: &Range<u32>) -> Range<usize> {
    range.start as usize..range.end as usize
}
