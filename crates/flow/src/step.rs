//! Takes one event as one step. Pure and bounded; a law is run and proved with the same code.

use crate::guard::Op;
use crate::law::{COUNTER_CEILING, MAX_COUNTERS};
use crate::machine::{ActionId, Edge, EventId, Facts, MAX_CHAIN, Machine, Move, OutcomeId, StateId, Test};
use crate::text::test_text;

/// The position of one flow: its state and counters. Small enough to copy.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Instance {
    pub state: StateId,
    pub counters: [u32; MAX_COUNTERS],
}

/// The effect of one event.
#[derive(Debug, Clone, Copy)]
pub struct Step {
    pub from: StateId,
    pub to: Instance,
    /// The outcome, if the flow ended.
    pub outcome: Option<OutcomeId>,
    entered: [u16; MAX_CHAIN],
    entered_len: u8,
}

impl Step {
    /// Returns the states that the step entered. The flow now waits in the last; there is none if it stayed.
    pub fn entered(&self) -> impl Iterator<Item = StateId> {
        self.entered[..self.entered_len as usize].iter().map(|state| StateId(u32::from(*state)))
    }

    /// Whether the flow stayed in its state without entering it again, so that its timers keep running.
    pub fn stays(&self) -> bool {
        self.entered_len == 0
    }

    /// Returns the actions to perform, in order.
    pub fn actions<'m>(&'m self, machine: &'m Machine) -> impl Iterator<Item = ActionId> + 'm {
        self.entered().flat_map(|state| machine.entry(state)).copied()
    }
}

/// The reason why an event was not taken. Nothing has changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Refused {
    /// The flow is over.
    Over { state: StateId },
    /// The state takes other events.
    NotNow { state: StateId, event: EventId, allowed: Vec<EventId> },
    /// The step would break a promise of the law, which a proved law never does.
    Broken { state: StateId, promise: String },
    /// The facts deny a requirement of the present state.
    Denied { state: StateId, fact: String, must_hold: bool },
}

/// Enters the initial state.
pub fn begin(machine: &Machine, facts: Facts) -> Result<Step, Refused> {
    let mut counters = [0; MAX_COUNTERS];
    for (slot, counter) in counters.iter_mut().zip(&machine.counters) {
        *slot = counter.start;
    }
    let mut world = Running::new(machine, counters, facts);
    let settled = enter(machine, machine.initial, None, &mut world);
    finish(world, machine.initial, settled)
}

/// Takes one event through every guard to the next wait.
pub fn step(machine: &Machine, at: &Instance, event: EventId, facts: Facts) -> Result<Step, Refused> {
    let Some(edge) = machine.edge(at.state, event) else {
        return Err(refusal(machine, at.state, event));
    };
    let given = &machine.states[at.state.index()].given;
    if (facts.0 ^ given.values) & given.known != 0 {
        return Err(contradiction(machine, at.state, facts));
    }
    let mut world = Running::new(machine, at.counters, facts);
    let settled = follow(machine, edge, &mut world);
    finish(world, at.state, settled)
}

#[cold]
fn refusal(machine: &Machine, state: StateId, event: EventId) -> Refused {
    if machine.is_final(state) {
        return Refused::Over { state };
    }
    Refused::NotNow { state, event, allowed: machine.allowed(state).collect() }
}

/// Names the fact that an event denies. The proof relies on what a state requires, so such an event is refused.
#[cold]
fn contradiction(machine: &Machine, state: StateId, facts: Facts) -> Refused {
    let given = machine.states[state.index()].given;
    let denied = (facts.0 ^ given.values) & given.known;
    let fact = denied.trailing_zeros() as usize;
    Refused::Denied {
        state,
        fact: machine.fact_names[fact].clone(),
        must_hold: given.values >> fact & 1 == 1,
    }
}

/// Returns the step, or why it is refused. Inlined, so that state and counters are written once, in the pieces in
/// which the next step reads them.
#[inline(always)]
fn finish(world: Running<'_>, from: StateId, settled: Settled) -> Result<Step, Refused> {
    let state = match settled {
        Settled::At(state) | Settled::Stuck(state) => state,
        Settled::Endless(state) => return Err(endless(state)),
    };
    let Running { machine, counters, facts, is_within, entered, entered_len, outcome } = world;
    let to = Instance { state, counters };
    if (!is_within || promises_more(machine, state))
        && let Some(promise) = first_broken(machine, &to, facts, |_| true)
    {
        return Err(Refused::Broken { state, promise });
    }
    Ok(Step { from, to, outcome, entered, entered_len })
}

#[cold]
fn endless(state: StateId) -> Refused {
    let promise = format!("no more than {MAX_CHAIN} states in one step");
    Refused::Broken { state, promise }
}

/// Describes the first invariant or requirement that does not hold.
#[inline]
pub fn broken_promise(machine: &Machine, at: &Instance, facts: Facts) -> Option<String> {
    match machine.limits.hold(&at.counters) && !promises_more(machine, at.state) {
        true => None,
        false => first_broken(machine, at, facts, |_| true),
    }
}

/// Whether the law promises more of a state than the limits of counters.
#[inline]
fn promises_more(machine: &Machine, state: StateId) -> bool {
    !machine.limits.are_all || !machine.states[state.index()].require.is_empty()
}

/// Describes the first promise that is broken in a flow at rest, when only the facts that its state requires are
/// known. Promises that depend on other facts are left out.
pub fn broken_at_rest(machine: &Machine, at: &Instance) -> Option<String> {
    let given = machine.states[at.state.index()].given;
    first_broken(machine, at, Facts(given.values), |test| given.open_fact(test).is_none())
}

fn first_broken(
    machine: &Machine,
    at: &Instance,
    facts: Facts,
    is_asked: impl Fn(&Test) -> bool,
) -> Option<String> {
    let state = &machine.states[at.state.index()];
    let mut world = Resting { counters: &at.counters, facts };
    for (test, _) in &machine.invariants {
        if is_asked(test) && !holds(test, &mut world) {
            return Some(promise(machine, "invariant", test, &state.name));
        }
    }
    let broken = state.require.iter().find(|test| is_asked(test) && !holds(test, &mut world));
    broken.map(|test| promise(machine, "requirement", test, &state.name))
}

#[cold]
fn promise(machine: &Machine, what: &str, test: &Test, state: &str) -> String {
    format!("{what} `{}` in `{state}`", test_text(machine, test))
}

/// The surroundings that a step reads and writes. Running and proving differ only here.
pub(crate) trait World {
    fn counter(&mut self, counter: u8) -> i64;
    fn apply(&mut self, mv: Move);
    fn fact(&mut self, fact: u8) -> bool;
    fn entered(&mut self, state: StateId);
    fn ended(&mut self, outcome: OutcomeId);

    fn compare(&mut self, counter: u8, op: Op, value: i64) -> bool {
        op.holds(self.counter(counter), value)
    }

    fn compare_pair(&mut self, a: u8, op: Op, b: u8) -> bool {
        op.holds(self.counter(a), self.counter(b))
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Settled {
    /// In a state that waits or is final.
    At(StateId),
    /// At a guard that is false and has no else.
    Stuck(StateId),
    /// Among guards that do not come to rest.
    Endless(StateId),
}

#[inline]
pub(crate) fn follow<W: World>(machine: &Machine, edge: &Edge, world: &mut W) -> Settled {
    for mv in machine.moves(&edge.moves) {
        world.apply(*mv);
    }
    if edge.stays {
        return Settled::At(edge.target);
    }
    enter(machine, edge.target, edge.outcome, world)
}

#[inline]
pub(crate) fn enter<W: World>(
    machine: &Machine,
    mut target: StateId,
    mut outcome: Option<OutcomeId>,
    world: &mut W,
) -> Settled {
    for _ in 0..MAX_CHAIN {
        let state = &machine.states[target.index()];
        world.entered(target);
        for mv in machine.moves(&state.entry_moves) {
            world.apply(*mv);
        }
        let Some(choice) = &state.choice else {
            if let Some(outcome) = outcome {
                world.ended(outcome);
            }
            return Settled::At(target);
        };
        let edge = match (holds(&choice.test, world), &choice.no) {
            (true, _) => &choice.yes,
            (false, Some(no)) => no,
            (false, None) => return Settled::Stuck(target),
        };
        for mv in machine.moves(&edge.moves) {
            world.apply(*mv);
        }
        (target, outcome) = (edge.target, edge.outcome);
    }
    Settled::Endless(target)
}

/// Answers a test. Most guards are one comparison or one fact; these are answered without a call.
#[inline]
pub(crate) fn holds<W: World>(test: &Test, world: &mut W) -> bool {
    match test {
        Test::Compare(counter, op, value) => world.compare(*counter, *op, *value),
        Test::Fact(fact) => world.fact(*fact),
        deeper => holds_deeper(deeper, world),
    }
}

fn holds_deeper<W: World>(test: &Test, world: &mut W) -> bool {
    match test {
        Test::Compare(counter, op, value) => world.compare(*counter, *op, *value),
        Test::CompareCounters(a, op, b) => world.compare_pair(*a, *op, *b),
        Test::Fact(fact) => world.fact(*fact),
        Test::Not(inner) => !holds(inner, world),
        Test::And(a, b) => holds(a, world) && holds(b, world),
        Test::Or(a, b) => holds(a, world) || holds(b, world),
        Test::Always(value) => *value,
    }
}

/// The world of a flow at rest, for questions only.
struct Resting<'a> {
    counters: &'a [u32; MAX_COUNTERS],
    facts: Facts,
}

impl World for Resting<'_> {
    #[inline]
    fn counter(&mut self, counter: u8) -> i64 {
        i64::from(self.counters[counter as usize % MAX_COUNTERS])
    }

    #[inline]
    fn fact(&mut self, fact: u8) -> bool {
        self.facts.holds(fact as usize)
    }

    fn apply(&mut self, _: Move) {}

    fn entered(&mut self, _: StateId) {}

    fn ended(&mut self, _: OutcomeId) {}
}

struct Running<'m> {
    machine: &'m Machine,
    counters: [u32; MAX_COUNTERS],
    facts: Facts,
    /// Whether every counter is within its limit. Kept up to date with each move, because reading all counters
    /// right after writing one makes the processor wait.
    is_within: bool,
    entered: [u16; MAX_CHAIN],
    entered_len: u8,
    outcome: Option<OutcomeId>,
}

impl<'m> Running<'m> {
    #[inline]
    fn new(machine: &'m Machine, counters: [u32; MAX_COUNTERS], facts: Facts) -> Running<'m> {
        let is_within = machine.limits.hold(&counters);
        Running {
            machine,
            counters,
            facts,
            is_within,
            entered: [0; MAX_CHAIN],
            entered_len: 0,
            outcome: None,
        }
    }
}

impl World for Running<'_> {
    #[inline]
    fn counter(&mut self, counter: u8) -> i64 {
        i64::from(self.counters[counter as usize % MAX_COUNTERS])
    }

    #[inline]
    fn apply(&mut self, mv: Move) {
        let (Move::Count(counter) | Move::Reset(counter)) = mv;
        let at = counter as usize % MAX_COUNTERS;
        let slot = &mut self.counters[at];
        *slot = match mv {
            Move::Count(_) if *slot == COUNTER_CEILING => COUNTER_CEILING,
            Move::Count(_) => *slot + 1,
            Move::Reset(_) => self.machine.counters[counter as usize].start,
        };
        self.is_within &= *slot <= self.machine.limits.most[at];
    }

    #[inline]
    fn fact(&mut self, fact: u8) -> bool {
        self.facts.holds(fact as usize)
    }

    #[inline]
    fn entered(&mut self, state: StateId) {
        if let Some(slot) = self.entered.get_mut(self.entered_len as usize) {
            *slot = state.0 as u16;
            self.entered_len += 1;
        }
    }

    fn ended(&mut self, outcome: OutcomeId) {
        self.outcome = Some(outcome);
    }
}
