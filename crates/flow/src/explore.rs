//! An exhaustive walk of every reachable configuration: state and counters, facts tried both ways.
//!
//! A configuration is packed into one 64-bit word. A counter is kept exactly up to one above the
//! largest number any guard compares it with; beyond that no guard can tell values apart, so the
//! walk is finite and still exact. What is walked is [`crate::step`] itself, over another [`World`].

use crate::guard::Op;
use crate::machine::{Edge, EventId, Machine, Move, OutcomeId, StateId, Test};
use crate::step::{Settled, World, enter, follow, holds};

/// Counters compared with each other have no natural ceiling; beyond this one they count as unbounded.
const CEILING_OF_COMPARED_PAIR: u64 = 255;

/// Configurations up to this many bits are marked in a bitmap, wider ones in a hash table.
const MAX_BITMAP_BITS: u32 = 31;

/// How a configuration is packed into a word: the state in the low bits, then a field per counter.
#[derive(Debug, Clone)]
pub(crate) struct Layout {
    state_mask: u64,
    fields: Vec<Field>,
    bits: u32,
}

#[derive(Debug, Clone, Copy)]
struct Field {
    shift: u32,
    mask: u64,
    /// Nought for a counter that no guard reads: it is left out of the configuration.
    ceiling: u64,
    start: u64,
}

impl Layout {
    /// `None` when a configuration does not fit into 64 bits.
    pub(crate) fn of(machine: &Machine) -> Option<Layout> {
        let mut ceilings = vec![None; machine.counters.len()];
        let choices =
            machine.states.iter().filter_map(|state| state.choice.as_ref()).map(|choice| &choice.test);
        let requires = machine.states.iter().flat_map(|state| &state.require);
        for test in choices.chain(requires).chain(machine.invariants.iter().map(|(test, _)| test)) {
            raise(test, &mut ceilings);
        }
        let state_bits = width(machine.states.len().saturating_sub(1) as u64);
        let mut bits = state_bits;
        let mut fields = Vec::new();
        for (counter, ceiling) in machine.counters.iter().zip(ceilings) {
            let start = u64::from(counter.start);
            let ceiling = match ceiling {
                Some(ceiling) if !counter.is_free => ceiling.max(start + 1),
                _ => 0,
            };
            let wide = width(ceiling);
            fields.push(Field { shift: bits.min(63), mask: mask(wide), ceiling, start });
            bits += wide;
        }
        (bits <= 64).then_some(Layout { state_mask: mask(state_bits), fields, bits })
    }

    pub(crate) fn state(&self, code: u64) -> StateId {
        StateId((code & self.state_mask) as u32)
    }

    pub(crate) fn counter(&self, code: u64, counter: usize) -> u64 {
        let field = &self.fields[counter];
        code >> field.shift & field.mask
    }

    /// Whether the counter has outgrown everything it is compared with.
    pub(crate) fn is_saturated(&self, code: u64, counter: usize) -> bool {
        self.counter(code, counter) == self.fields[counter].ceiling
    }

    fn start(&self) -> u64 {
        let fields = self.fields.iter().filter(|field| field.ceiling > 0);
        fields.fold(0, |code, field| code | field.start << field.shift)
    }
}

fn raise(test: &Test, ceilings: &mut [Option<u64>]) {
    let mut lift = |counter: u8, to: u64| {
        let slot = &mut ceilings[counter as usize];
        *slot = Some(slot.unwrap_or(0).max(to));
    };
    match test {
        Test::Compare(counter, _, value) => lift(*counter, (*value).clamp(0, i64::from(u32::MAX)) as u64 + 1),
        Test::CompareCounters(a, _, b) => {
            lift(*a, CEILING_OF_COMPARED_PAIR);
            lift(*b, CEILING_OF_COMPARED_PAIR);
        }
        Test::Not(inner) => raise(inner, ceilings),
        Test::And(a, b) | Test::Or(a, b) => {
            raise(a, ceilings);
            raise(b, ceilings);
        }
        Test::Fact(_) | Test::Always(_) => {}
    }
}

fn width(largest: u64) -> u32 {
    64 - largest.leading_zeros()
}

fn mask(bits: u32) -> u64 {
    if bits == 0 { 0 } else { u64::MAX >> (64 - bits) }
}

/// One way a step can go.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Way {
    pub(crate) event: EventId,
    pub(crate) to: u64,
    pub(crate) settled: Settled,
    /// Counters counted and reset on the way, a bit each.
    pub(crate) counted: u16,
    pub(crate) reset: u16,
    /// The first requirement of the new state that does not hold, by position.
    pub(crate) broken_require: Option<u8>,
}

/// The world as the walk sees it: packed counters, and facts that answer both ways in turn.
struct Walking<'m> {
    machine: &'m Machine,
    layout: &'m Layout,
    code: u64,
    counted: u16,
    reset: u16,
    known: u64,
    values: u64,
    script: [bool; 64],
    script_len: usize,
    played: usize,
    at: StateId,
    notes: &'m mut Notes,
}

/// What the walk learns about guards in passing.
#[derive(Debug, Clone)]
pub(crate) struct Notes {
    pub(crate) entered: Vec<bool>,
    /// The least value of the counter a guard state compares, over all arrivals there.
    pub(crate) least_on_arrival: Vec<u64>,
}

impl Walking<'_> {
    /// Answers a question with the next line of the script, or opens a new line with "no".
    fn decide(&mut self) -> bool {
        if self.played == self.script_len {
            if self.script_len == self.script.len() {
                return false;
            }
            self.script[self.script_len] = false;
            self.script_len += 1;
        }
        self.played += 1;
        self.script[self.played - 1]
    }

    /// Moves on to the next script; false when every way has been tried.
    fn next_script(&mut self) -> bool {
        while self.script_len > 0 && self.script[self.script_len - 1] {
            self.script_len -= 1;
        }
        if self.script_len == 0 {
            return false;
        }
        self.script[self.script_len - 1] = true;
        true
    }
}

impl World for Walking<'_> {
    fn counter(&mut self, counter: u8) -> i64 {
        self.layout.counter(self.code, counter as usize) as i64
    }

    #[inline]
    fn compare(&mut self, counter: u8, op: Op, value: i64) -> bool {
        if self.machine.counters[counter as usize].is_free {
            return self.decide();
        }
        let now = self.layout.counter(self.code, counter as usize);
        let least = &mut self.notes.least_on_arrival[self.at.index()];
        *least = (*least).min(now);
        op.holds(now as i64, value)
    }

    #[inline]
    fn apply(&mut self, mv: Move) {
        match mv {
            Move::Count(counter) => {
                let field = &self.layout.fields[counter as usize];
                self.counted |= 1 << counter;
                if self.code >> field.shift & field.mask < field.ceiling {
                    self.code += 1 << field.shift;
                }
            }
            Move::Reset(counter) => {
                let field = &self.layout.fields[counter as usize];
                self.reset |= 1 << counter;
                let start = if field.ceiling == 0 { 0 } else { field.start };
                self.code = self.code & !(field.mask << field.shift) | start << field.shift;
            }
        }
    }

    fn fact(&mut self, fact: u8) -> bool {
        let bit = 1 << fact;
        if self.known & bit == 0 {
            let value = self.decide();
            self.known |= bit;
            self.values = self.values & !bit | u64::from(value) << fact;
        }
        self.values & bit != 0
    }

    #[inline]
    fn entered(&mut self, state: StateId) {
        self.at = state;
        self.notes.entered[state.index()] = true;
    }

    fn ended(&mut self, _: OutcomeId) {}
}

/// Generates the successors of configurations.
#[derive(Debug)]
pub(crate) struct Walker<'m> {
    pub(crate) machine: &'m Machine,
    pub(crate) layout: Layout,
    /// For each state the facts its requirements promise: which are known, and their values.
    promised: Vec<(u64, u64)>,
    pub(crate) notes: Notes,
}

impl<'m> Walker<'m> {
    pub(crate) fn new(machine: &'m Machine, layout: Layout) -> Walker<'m> {
        let promised = machine.states.iter().map(|state| {
            let mut promise = (0, 0);
            state.require.iter().for_each(|test| promises(test, &mut promise));
            promise
        });
        let notes = Notes {
            entered: vec![false; machine.states.len()],
            least_on_arrival: vec![u64::MAX; machine.states.len()],
        };
        Walker { machine, layout, promised: promised.collect(), notes }
    }

    /// The configurations a new flow can begin in.
    pub(crate) fn beginnings(&mut self, mut found: impl FnMut(Way)) {
        let (machine, code) = (self.machine, self.layout.start());
        let run = |world: &mut Walking<'_>| enter(machine, machine.initial, None, world);
        self.ways(code, (0, 0), EventId(u16::MAX), run, &mut found);
    }

    #[inline]
    pub(crate) fn successors(&mut self, code: u64, mut found: impl FnMut(Way)) {
        let machine = self.machine;
        let state = self.layout.state(code);
        let counters = code & !self.layout.state_mask;
        for edge in machine.edges_of(state) {
            let run = |world: &mut Walking<'_>| follow(machine, edge, world);
            self.ways(counters, self.promised[state.index()], edge.event, run, &mut found);
        }
    }

    /// Follows one transition of a configuration, only for what it leaves in the notes.
    pub(crate) fn follow_one(&mut self, code: u64, edge: &Edge) {
        let machine = self.machine;
        let state = self.layout.state(code);
        let counters = code & !self.layout.state_mask;
        let run = |world: &mut Walking<'_>| follow(machine, edge, world);
        self.ways(counters, self.promised[state.index()], edge.event, run, &mut |_| {});
    }

    /// Runs one step once for every way its questions can be answered.
    #[inline]
    fn ways(
        &mut self,
        code: u64,
        (known, values): (u64, u64),
        event: EventId,
        run: impl Fn(&mut Walking<'_>) -> Settled,
        found: &mut impl FnMut(Way),
    ) {
        let mut world = Walking {
            machine: self.machine,
            layout: &self.layout,
            code,
            counted: 0,
            reset: 0,
            known,
            values,
            script: [false; 64],
            script_len: 0,
            played: 0,
            at: StateId(0),
            notes: &mut self.notes,
        };
        loop {
            let settled = run(&mut world);
            let (Settled::At(state) | Settled::Stuck(state) | Settled::Endless(state)) = settled;
            let require = &self.machine.states[state.index()].require;
            let broken = require.iter().position(|test| !holds(test, &mut world)).map(|at| at as u8);
            found(Way {
                event,
                to: world.code | u64::from(state.0),
                settled,
                counted: world.counted,
                reset: world.reset,
                broken_require: broken,
            });
            if world.script_len == 0 || !world.next_script() {
                return;
            }
            (world.code, world.counted, world.reset, world.played) = (code, 0, 0, 0);
            (world.known, world.values) = (known, values);
        }
    }
}

fn promises(test: &Test, promise: &mut (u64, u64)) {
    match test {
        Test::Fact(fact) => {
            promise.0 |= 1 << fact;
            promise.1 |= 1 << fact;
        }
        Test::Not(inner) => {
            if let Test::Fact(fact) = inner.as_ref() {
                promise.0 |= 1 << fact;
            }
        }
        Test::And(a, b) => {
            promises(a, promise);
            promises(b, promise);
        }
        _ => {}
    }
}

/// Which configurations have been seen: a bit each where the words are short, a hash table else.
#[derive(Debug)]
pub(crate) enum Seen {
    Bits(Vec<u64>),
    Table { slots: Vec<u64>, used: usize },
}

impl Seen {
    fn new(layout: &Layout) -> Seen {
        if layout.bits <= MAX_BITMAP_BITS {
            Seen::Bits(vec![0; 1usize.max((1usize << layout.bits) / 64)])
        } else {
            Seen::Table { slots: vec![u64::MAX; 1 << 16], used: 0 }
        }
    }

    /// Marks a configuration; true when it is new.
    #[inline]
    fn insert(&mut self, code: u64) -> bool {
        match self {
            Seen::Bits(words) => {
                let word = &mut words[(code / 64) as usize];
                let bit = 1 << (code % 64);
                let is_new = *word & bit == 0;
                *word |= bit;
                is_new
            }
            Seen::Table { slots, used } => {
                if *used * 2 > slots.len() {
                    let bigger = vec![u64::MAX; slots.len() * 2];
                    for code in std::mem::replace(slots, bigger) {
                        if code != u64::MAX {
                            let at = find(slots, code);
                            slots[at] = code;
                        }
                    }
                }
                let at = find(slots, code);
                let is_new = slots[at] != code;
                slots[at] = code;
                *used += usize::from(is_new);
                is_new
            }
        }
    }

    /// A small number that belongs to a seen configuration alone.
    pub(crate) fn slot(&self, code: u64) -> usize {
        match self {
            Seen::Bits(_) => code as usize,
            Seen::Table { slots, .. } => find(slots, code),
        }
    }

    pub(crate) fn slots(&self) -> usize {
        match self {
            Seen::Bits(words) => words.len() * 64,
            Seen::Table { slots, .. } => slots.len(),
        }
    }

    fn bytes(&self) -> usize {
        match self {
            Seen::Bits(words) => words.len() * 8,
            Seen::Table { slots, .. } => slots.len() * 8,
        }
    }
}

fn find(slots: &[u64], code: u64) -> usize {
    let mask = slots.len() - 1;
    let mut at = (code.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 20) as usize & mask;
    while slots[at] != u64::MAX && slots[at] != code {
        at = (at + 1) & mask;
    }
    at
}

/// Every reachable configuration in breadth-first order, each with the step that first led to it.
#[derive(Debug)]
pub(crate) struct Walk {
    pub(crate) codes: Vec<u64>,
    parents: Vec<u32>,
    events: Vec<EventId>,
    pub(crate) seen: Seen,
    /// False when the bound was reached: only what lies within it is proved.
    pub(crate) is_complete: bool,
    pub(crate) found: Found,
}

/// What is wrong at some configuration, each kind at the first place it shows: index into the walk.
#[derive(Debug, Default)]
pub(crate) struct Found {
    /// A guard state that was false without an else.
    pub(crate) stuck: Vec<(StateId, u32)>,
    pub(crate) endless: Option<(StateId, u32)>,
    pub(crate) invariants: Vec<(usize, u32)>,
    pub(crate) requires: Vec<(StateId, u8, u32)>,
}

/// Walks everything reachable, up to `bound` configurations.
pub(crate) fn walk(walker: &mut Walker<'_>, bound: usize) -> Walk {
    let mut walk = Walk::new(&walker.layout);
    walker.beginnings(|way| walk.add(way, u32::MAX));
    walk.go_on(walker, 0, bound);
    walk
}

impl Walk {
    pub(crate) fn new(layout: &Layout) -> Walk {
        Walk {
            codes: Vec::new(),
            parents: Vec::new(),
            events: Vec::new(),
            seen: Seen::new(layout),
            is_complete: true,
            found: Found::default(),
        }
    }

    /// Lets a flow begin in a configuration of the caller's choice; false when it was known already.
    pub(crate) fn begin_at(&mut self, code: u64) -> bool {
        self.visit(code, u32::MAX, EventId(u16::MAX))
    }

    /// Walks on from the configuration at index `next` and all that follow it.
    pub(crate) fn go_on(&mut self, walker: &mut Walker<'_>, mut next: usize, bound: usize) {
        while next < self.codes.len() {
            if self.codes.len() >= bound {
                self.is_complete = false;
                break;
            }
            let code = self.codes[next];
            walker.successors(code, |way| self.add(way, next as u32));
            for at in 0..walker.machine.invariants.len() {
                self.check_invariant(walker, at, code, next as u32);
            }
            next += 1;
        }
    }

    #[inline]
    fn add(&mut self, way: Way, parent: u32) {
        self.visit(way.to, parent, way.event);
        if way.settled_badly() {
            self.note(way);
        }
    }

    #[inline]
    fn visit(&mut self, code: u64, parent: u32, event: EventId) -> bool {
        let is_new = self.seen.insert(code);
        if is_new {
            self.codes.push(code);
            self.parents.push(parent);
            self.events.push(event);
        }
        is_new
    }

    #[cold]
    fn note(&mut self, way: Way) {
        let index = || self.codes.iter().position(|code| *code == way.to).unwrap_or(0) as u32;
        match way.settled {
            Settled::Stuck(state) if !self.found.stuck.iter().any(|(known, _)| *known == state) => {
                let at = index();
                self.found.stuck.push((state, at));
            }
            Settled::Endless(state) if self.found.endless.is_none() => {
                self.found.endless = Some((state, index()));
            }
            Settled::At(state) => {
                let Some(which) = way.broken_require else { return };
                let is_known = |(known, at, _): &(StateId, u8, u32)| *known == state && *at == which;
                if !self.found.requires.iter().any(is_known) {
                    let at = index();
                    self.found.requires.push((state, which, at));
                }
            }
            _ => {}
        }
    }

    fn check_invariant(&mut self, walker: &Walker<'_>, at: usize, code: u64, index: u32) {
        let broken = invariant(&walker.machine.invariants[at].0, walker, code) == Some(false);
        if broken && !self.found.invariants.iter().any(|(known, _)| *known == at) {
            self.found.invariants.push((at, index));
        }
    }

    /// The events that lead to a configuration of the walk.
    pub(crate) fn path(&self, machine: &Machine, index: u32) -> Vec<String> {
        let mut path = Vec::new();
        let mut at = index;
        while at != u32::MAX {
            let event = self.events[at as usize];
            if event.0 != u16::MAX {
                path.push(machine.event_name(event).to_owned());
            }
            at = self.parents[at as usize];
        }
        path.reverse();
        path
    }

    pub(crate) fn bytes(&self) -> usize {
        self.codes.len() * (8 + 4 + 2) + self.seen.bytes()
    }
}

/// Whether an invariant holds; `None` where it rests on a fact or on a counter the law never moves.
pub(crate) fn invariant(test: &Test, walker: &Walker<'_>, code: u64) -> Option<bool> {
    let counter = |counter: u8| {
        let is_free = walker.machine.counters[counter as usize].is_free;
        (!is_free).then(|| walker.layout.counter(code, counter as usize) as i64)
    };
    Some(match test {
        Test::Compare(a, op, value) => op.holds(counter(*a)?, *value),
        Test::CompareCounters(a, op, b) => op.holds(counter(*a)?, counter(*b)?),
        Test::Fact(_) => return None,
        Test::Not(inner) => !invariant(inner, walker, code)?,
        Test::And(a, b) => invariant(a, walker, code)? && invariant(b, walker, code)?,
        Test::Or(a, b) => invariant(a, walker, code)? || invariant(b, walker, code)?,
        Test::Always(value) => *value,
    })
}

impl Way {
    #[inline]
    fn settled_badly(&self) -> bool {
        !matches!(self.settled, Settled::At(_)) || self.broken_require.is_some()
    }
}

impl Layout {
    pub(crate) fn ceiling(&self, counter: usize) -> u64 {
        self.fields[counter].ceiling
    }

    /// The same layout with ceilings at least this high; `None` when that needs more than 64 bits.
    pub(crate) fn raised(mut self, least: &[u64]) -> Option<Layout> {
        self.bits = width(self.state_mask);
        for (field, least) in self.fields.iter_mut().zip(least) {
            if *least > 0 {
                field.ceiling = field.ceiling.max(*least).max(field.start + 1);
            }
            (field.shift, field.mask) = (self.bits.min(63), mask(width(field.ceiling)));
            self.bits += width(field.ceiling);
        }
        (self.bits <= 64).then_some(self)
    }

    /// Packs a configuration. Values beyond a ceiling count as the ceiling: no guard tells them apart.
    pub(crate) fn pack(&self, state: StateId, counters: impl Iterator<Item = u64>) -> u64 {
        let fields = self.fields.iter().zip(counters);
        fields.fold(u64::from(state.0), |code, (field, value)| code | value.min(field.ceiling) << field.shift)
    }
}
