//! Walks through every reachable configuration, and tries each fact both ways.
//!
//! A configuration is a state with its counters, packed into one 64-bit word (see [`crate::layout`]). The walk takes the
//! same steps as a running flow ([`crate::step`]), in another [`World`].

use crate::guard::Op;
use crate::layout::{Disorder, Layout};
use crate::machine::{Edge, EventId, Given, Machine, Move, OutcomeId, StateId, Test};
use crate::problem::Trail;
use crate::step::{Settled, World, enter, follow, holds};

/// The most ways to answer the questions of one step that are tried: those of fourteen facts that all matter.
pub(crate) const MAX_WAYS_OF_STEP: usize = 1 << 14;

/// The most tries to answer the facts of one promise in one configuration.
pub(crate) const MAX_TRIES_OF_PROMISE: usize = 1 << 14;

/// Configurations of at most this many bits are marked in a bitmap, wider ones in a hash table.
const MAX_BITMAP_BITS: u32 = 31;

/// One way a step can go.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Way {
    pub(crate) event: EventId,
    pub(crate) to: u64,
    pub(crate) settled: Settled,
    /// The counters that were counted and those that were reset, one bit each.
    pub(crate) counted: u16,
    pub(crate) reset: u16,
    /// The position of the first requirement of the new state that does not hold.
    pub(crate) broken_require: Option<u8>,
    /// The first value of an attribute that may not follow the one before.
    pub(crate) disorder: Option<Disorder>,
    /// The answers that the step got to its facts.
    pub(crate) given: Given,
}

/// The verdict on a promise, whatever the answers to the facts that nothing settles.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Verdict {
    Kept,
    /// Broken with these facts.
    Broken(Given),
    /// Undecided, because it compares counters that have both reached their ceilings.
    Unclear,
    /// Undecided, because it asks too many facts to try every answer.
    Untried,
}

/// The world of the walk: packed counters, and facts that are answered both ways in turn.
struct Walking<'m> {
    layout: &'m Layout,
    code: u64,
    counted: u16,
    reset: u16,
    disorder: Option<Disorder>,
    given: Given,
    script: [bool; 64],
    script_len: usize,
    played: usize,
    /// Whether the step asked more questions than the script has lines.
    has_overflown: bool,
    at: StateId,
    notes: &'m mut Notes,
}

/// Notes that the walk takes across steps.
#[derive(Debug, Clone)]
pub(crate) struct Notes {
    pub(crate) entered: Vec<bool>,
    /// For each state that decides, the least value of the counter that it compares.
    pub(crate) least_on_arrival: Vec<u64>,
    /// Ways to answer the questions of steps, not counting the first of each step.
    answers: usize,
    /// State and event of the first step that has more ways to answer its questions than are tried.
    pub(crate) lost: Option<(StateId, EventId)>,
    /// Whether two counters were compared that had both reached their ceilings.
    pub(crate) is_unclear: bool,
    /// The position of the first invariant that asks too many facts.
    pub(crate) untried: Option<usize>,
}

impl Notes {
    /// Whether something was left open although every configuration was seen.
    pub(crate) fn is_undecided(&self) -> bool {
        self.is_unclear || self.untried.is_some()
    }
}

impl Walking<'_> {
    /// Answers a question with the next line of the script. A new line begins as "no".
    fn decide(&mut self) -> bool {
        if self.played == self.script_len {
            if self.script_len == self.script.len() {
                self.has_overflown = true;
                return false;
            }
            self.script[self.script_len] = false;
            self.script_len += 1;
        }
        self.played += 1;
        self.script[self.played - 1]
    }

    /// Follows the values of attributes. Cold, because few laws list them.
    #[cold]
    fn track(&mut self, state: StateId) {
        let (code, disorder) = self.layout.entered(self.code, state);
        (self.code, self.disorder) = (code, self.disorder.or(disorder));
    }

    /// Moves on to the next script. Returns false when every way has been tried.
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
        let now = self.layout.counter(self.code, counter as usize);
        let least = &mut self.notes.least_on_arrival[self.at.index()];
        *least = (*least).min(now);
        op.holds(now as i64, value)
    }

    fn compare_pair(&mut self, a: u8, op: Op, b: u8) -> bool {
        self.layout.compare_pair(self.code, a, op, b).unwrap_or_else(|| {
            self.notes.is_unclear = true;
            self.decide()
        })
    }

    #[inline]
    fn apply(&mut self, mv: Move) {
        match mv {
            Move::Count(counter) => {
                self.counted |= 1 << counter;
                self.code = self.layout.counted(self.code, counter);
            }
            Move::Reset(counter) => {
                self.reset |= 1 << counter;
                self.code = self.layout.reset(self.code, counter);
            }
        }
    }

    fn fact(&mut self, fact: u8) -> bool {
        self.given.fact(fact).unwrap_or_else(|| {
            let value = self.decide();
            self.given = self.given.with(fact, value);
            value
        })
    }

    #[inline]
    fn entered(&mut self, state: StateId) {
        self.at = state;
        self.notes.entered[state.index()] = true;
        if self.layout.is_tracking() {
            self.track(state);
        }
    }

    fn ended(&mut self, _: OutcomeId) {}
}

/// The generator of successors of configurations.
#[derive(Debug)]
pub(crate) struct Walker<'m> {
    pub(crate) machine: &'m Machine,
    pub(crate) layout: Layout,
    pub(crate) notes: Notes,
}

impl<'m> Walker<'m> {
    pub(crate) fn new(machine: &'m Machine, layout: Layout) -> Walker<'m> {
        let notes = Notes {
            entered: vec![false; machine.states.len()],
            least_on_arrival: vec![u64::MAX; machine.states.len()],
            answers: 0,
            lost: None,
            is_unclear: false,
            untried: None,
        };
        Walker { machine, layout, notes }
    }

    /// Passes every configuration in which a new flow can begin to `found`.
    pub(crate) fn beginnings(&mut self, mut found: impl FnMut(Way)) {
        let machine = self.machine;
        let from = (machine.initial, self.layout.start(), Given::default());
        let run = |world: &mut Walking<'_>| enter(machine, machine.initial, None, world);
        self.ways(from, EventId(u16::MAX), run, &mut found);
    }

    #[inline]
    pub(crate) fn successors(&mut self, code: u64, mut found: impl FnMut(Way)) {
        for edge in self.machine.edges_of(self.layout.state(code)) {
            self.follow(code, edge, &mut found);
        }
    }

    /// Returns facts with which a step leads from one configuration to another. Without `from`, the step is the
    /// opening.
    pub(crate) fn facts_between(&mut self, from: Option<u64>, event: EventId, to: u64) -> Option<Given> {
        let mut facts = None;
        let mut look = |way: Way| {
            if way.to == to && facts.is_none() {
                facts = Some(way.given);
            }
        };
        let machine = self.machine;
        match from {
            None => self.beginnings(look),
            Some(code) => {
                if let Some(edge) = machine.edge(self.layout.state(code), event) {
                    self.follow(code, edge, &mut look);
                }
            }
        }
        facts
    }

    /// Follows one transition of a configuration in every way it can go.
    #[inline]
    pub(crate) fn follow(&mut self, code: u64, edge: &Edge, found: &mut impl FnMut(Way)) {
        let machine = self.machine;
        let state = self.layout.state(code);
        let from = (state, code & !self.layout.state_mask(), machine.states[state.index()].given);
        let run = |world: &mut Walking<'_>| follow(machine, edge, world);
        self.ways(from, edge.event, run, found);
    }

    /// Runs one step once for every way to answer its questions, up to [`MAX_WAYS_OF_STEP`].
    #[inline]
    fn ways(
        &mut self,
        (from, code, given): (StateId, u64, Given),
        event: EventId,
        run: impl Fn(&mut Walking<'_>) -> Settled,
        found: &mut impl FnMut(Way),
    ) {
        let mut world = Walking {
            layout: &self.layout,
            code,
            counted: 0,
            reset: 0,
            disorder: None,
            given,
            script: [false; 64],
            script_len: 0,
            played: 0,
            has_overflown: false,
            at: from,
            notes: &mut self.notes,
        };
        for _ in 0..MAX_WAYS_OF_STEP {
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
                disorder: world.disorder,
                given: world.given,
            });
            if world.script_len == 0 || !world.next_script() {
                return;
            }
            if world.has_overflown {
                break;
            }
            world.notes.answers += 1;
            (world.code, world.counted, world.reset, world.played) = (code, 0, 0, 0);
            (world.given, world.disorder) = (given, None);
        }
        world.notes.lost.get_or_insert((from, event));
    }

    /// Whether a promise holds in a configuration, given some facts; `None` if that depends on others.
    pub(crate) fn judge(&self, test: &Test, code: u64, given: Given) -> Option<bool> {
        match test {
            Test::Compare(counter, op, value) => {
                Some(op.holds(self.layout.counter(code, *counter as usize) as i64, *value))
            }
            Test::CompareCounters(a, op, b) => self.layout.compare_pair(code, *a, *op, *b),
            Test::Fact(fact) => given.fact(*fact),
            Test::Not(inner) => self.judge(inner, code, given).map(|value| !value),
            Test::And(a, b) => self.joined(a, b, code, given, false),
            Test::Or(a, b) => self.joined(a, b, code, given, true),
            Test::Always(value) => Some(*value),
        }
    }

    /// Judges two joined parts. A part that is `decisive` decides alone; otherwise both must be known.
    fn joined(&self, a: &Test, b: &Test, code: u64, given: Given, decisive: bool) -> Option<bool> {
        match (self.judge(a, code, given), self.judge(b, code, given)) {
            (Some(value), _) | (_, Some(value)) if value == decisive => Some(decisive),
            (Some(_), Some(_)) => Some(!decisive),
            _ => None,
        }
    }

    /// Judges a promise in a configuration, with every answer to the facts that `given` leaves open. Also returns
    /// how many tries that took.
    pub(crate) fn verdict(&self, test: &Test, code: u64, given: Given) -> (Verdict, usize) {
        let mut left = MAX_TRIES_OF_PROMISE;
        let verdict = self.verdict_within(test, code, given, &mut left);
        (verdict, MAX_TRIES_OF_PROMISE - left)
    }

    fn verdict_within(&self, test: &Test, code: u64, given: Given, left: &mut usize) -> Verdict {
        match self.judge(test, code, given) {
            Some(true) => return Verdict::Kept,
            Some(false) => return Verdict::Broken(given),
            None if *left == 0 => return Verdict::Untried,
            None => *left -= 1,
        }
        if let Test::And(a, b) = test {
            return worse(self.verdict_within(a, code, given, left), || {
                self.verdict_within(b, code, given, left)
            });
        }
        let Some(fact) = self.open_fact(test, code, given) else { return Verdict::Unclear };
        worse(self.verdict_within(test, code, given.with(fact, false), left), || {
            self.verdict_within(test, code, given.with(fact, true), left)
        })
    }

    /// Returns the first fact that still matters for a test.
    fn open_fact(&self, test: &Test, code: u64, given: Given) -> Option<u8> {
        if self.judge(test, code, given).is_some() {
            return None;
        }
        match test {
            Test::Fact(fact) => Some(*fact),
            Test::Not(inner) => self.open_fact(inner, code, given),
            Test::And(a, b) | Test::Or(a, b) => {
                self.open_fact(a, code, given).or_else(|| self.open_fact(b, code, given))
            }
            Test::Compare(..) | Test::CompareCounters(..) | Test::Always(_) => None,
        }
    }
}

fn worse(one: Verdict, other: impl FnOnce() -> Verdict) -> Verdict {
    match one {
        Verdict::Broken(_) => one,
        Verdict::Kept => other(),
        Verdict::Unclear | Verdict::Untried => match other() {
            broken @ Verdict::Broken(_) => broken,
            _ => one,
        },
    }
}

/// The configurations seen so far: a bitmap where words are short, a hash table otherwise.
#[derive(Debug)]
pub(crate) enum Visited {
    Bits(Vec<u64>),
    Table { slots: Vec<u64>, used: usize },
}

impl Visited {
    fn new(layout: &Layout) -> Visited {
        if layout.bits() <= MAX_BITMAP_BITS {
            Visited::Bits(vec![0; 1usize.max((1usize << layout.bits()) / 64)])
        } else {
            Visited::Table { slots: vec![u64::MAX; 1 << 16], used: 0 }
        }
    }

    /// Marks a configuration. Returns true if it is new.
    #[inline]
    fn insert(&mut self, code: u64) -> bool {
        match self {
            Visited::Bits(words) => {
                let word = &mut words[(code / 64) as usize];
                let bit = 1 << (code % 64);
                let is_new = *word & bit == 0;
                *word |= bit;
                is_new
            }
            Visited::Table { slots, used } => {
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

    /// Returns a number that no other configuration of the walk has.
    pub(crate) fn slot(&self, code: u64) -> usize {
        match self {
            Visited::Bits(_) => code as usize,
            Visited::Table { slots, .. } => find(slots, code),
        }
    }

    pub(crate) fn slots(&self) -> usize {
        match self {
            Visited::Bits(words) => words.len() * 64,
            Visited::Table { slots, .. } => slots.len(),
        }
    }

    fn bytes(&self) -> usize {
        match self {
            Visited::Bits(words) => words.len() * 8,
            Visited::Table { slots, .. } => slots.len() * 8,
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
    pub(crate) seen: Visited,
    /// False if the walk stopped at its bound.
    pub(crate) is_complete: bool,
    pub(crate) found: Findings,
}

/// A step: the configuration of the walk that it leaves, and its event.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Arrival {
    pub(crate) parent: u32,
    pub(crate) event: EventId,
    /// The facts of the step, if it matters with which facts it was taken.
    pub(crate) given: Option<Given>,
}

/// The problems that the walk found, each once, with the first step that shows it.
#[derive(Debug, Default)]
pub(crate) struct Findings {
    /// States without else whose guard was false.
    pub(crate) stuck: Vec<(StateId, Arrival)>,
    /// States at which a step was given up because it had passed through too many states.
    pub(crate) endless: Vec<(StateId, Arrival)>,
    /// Invariants by position, with the index of the configuration and the facts that break them there.
    pub(crate) invariants: Vec<(usize, u32, Given)>,
    /// Requirements by position. They are checked on every way into a configuration: one way may keep what another
    /// breaks.
    pub(crate) requires: Vec<(StateId, u8, Arrival)>,
    pub(crate) disorders: Vec<(Disorder, Arrival)>,
}

/// Walks through everything reachable, up to `bound` configurations.
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
            seen: Visited::new(layout),
            is_complete: true,
            found: Findings::default(),
        }
    }

    /// Adds a configuration to begin in. Returns false if the walk had it already.
    pub(crate) fn begin_at(&mut self, code: u64) -> bool {
        self.visit(code, u32::MAX, EventId(u16::MAX))
    }

    /// Continues the walk with the configuration at index `next` and all after it. `bound` limits configurations
    /// and extra answers together.
    pub(crate) fn go_on(&mut self, walker: &mut Walker<'_>, mut next: usize, bound: usize) {
        let answers_before = walker.notes.answers;
        while next < self.codes.len() {
            let answers = walker.notes.answers - answers_before;
            if self.codes.len() + answers > bound || walker.notes.lost.is_some() {
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
        if way.is_bad() {
            self.note(way, parent);
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
    fn note(&mut self, way: Way, parent: u32) {
        let arrival = Arrival { parent, event: way.event, given: Some(way.given) };
        let Findings { stuck, endless, requires, disorders, .. } = &mut self.found;
        if let Some(disorder) =
            way.disorder.filter(|new| !disorders.iter().any(|(known, _)| known.is_like(new)))
        {
            disorders.push((disorder, arrival));
        }
        match way.settled {
            Settled::Stuck(state) if !stuck.iter().any(|(known, _)| *known == state) => {
                stuck.push((state, arrival));
            }
            Settled::Endless(state) if !endless.iter().any(|(known, _)| *known == state) => {
                endless.push((state, arrival));
            }
            Settled::At(state) => {
                let Some(which) = way.broken_require else { return };
                if !requires.iter().any(|(known, at, _)| *known == state && *at == which) {
                    requires.push((state, which, arrival));
                }
            }
            _ => {}
        }
    }

    fn check_invariant(&mut self, walker: &mut Walker<'_>, at: usize, code: u64, index: u32) {
        if self.found.invariants.iter().any(|(known, ..)| *known == at) {
            return;
        }
        let given = walker.machine.states[walker.layout.state(code).index()].given;
        let (verdict, tries) = walker.verdict(&walker.machine.invariants[at].0, code, given);
        walker.notes.answers += tries;
        match verdict {
            Verdict::Broken(given) => self.found.invariants.push((at, index, given)),
            Verdict::Kept => {}
            Verdict::Unclear => walker.notes.is_unclear = true,
            Verdict::Untried => walker.notes.untried = walker.notes.untried.or(Some(at)),
        }
    }

    /// Returns the path on which a flow gets to a configuration of the walk.
    pub(crate) fn path(&self, walker: &Walker<'_>, index: u32) -> Trail {
        self.trail(walker, self.arrival(index), Some(self.codes[index as usize]))
    }

    /// Returns the path that ends with a step.
    pub(crate) fn path_of(&self, walker: &Walker<'_>, arrival: Arrival) -> Trail {
        self.trail(walker, arrival, None)
    }

    /// Counts the events that lead to a configuration.
    pub(crate) fn depth(&self, index: u32) -> usize {
        self.way_to(self.arrival(index)).iter().filter(|arrival| arrival.event.0 != u16::MAX).count()
    }

    /// Returns the step that first led to a configuration.
    pub(crate) fn arrival(&self, index: u32) -> Arrival {
        Arrival { parent: self.parents[index as usize], event: self.events[index as usize], given: None }
    }

    /// Returns the steps that lead to a step, and the step itself.
    fn way_to(&self, last: Arrival) -> Vec<Arrival> {
        let mut way = vec![last];
        let mut parent = last.parent;
        while parent != u32::MAX {
            let arrival = self.arrival(parent);
            way.push(arrival);
            parent = arrival.parent;
        }
        way.reverse();
        way
    }

    /// Returns the events up to a step, each with the facts that hold.
    fn trail(&self, walker: &Walker<'_>, last: Arrival, to: Option<u64>) -> Trail {
        let way = self.way_to(last);
        let mut trail = Trail::default();
        let mut probe = Walker::new(walker.machine, walker.layout.clone());
        for (at, step) in way.iter().enumerate() {
            // The configuration in which the next step begins is where this one led to.
            let to = way.get(at + 1).map(|next| self.codes[next.parent as usize]).or(to);
            let given = step.given.or_else(|| {
                let from = self.codes.get(step.parent as usize).copied();
                probe.facts_between(from, step.event, to?)
            });
            trail.add(walker.machine, step.event, given.unwrap_or_default());
        }
        trail
    }

    pub(crate) fn bytes(&self) -> usize {
        self.codes.len() * (8 + 4 + 2) + self.seen.bytes()
    }
}

impl Trail {
    /// Adds one step. The opening has no event.
    pub(crate) fn add(&mut self, machine: &Machine, event: EventId, given: Given) {
        if event.0 == u16::MAX {
            self.facts.clear();
        } else {
            if self.facts.is_empty() {
                self.facts.push(Vec::new());
            }
            self.events.push(machine.event_name(event).to_owned());
        }
        self.facts.push(machine.facts_of(given));
    }
}

impl Way {
    #[inline]
    fn is_bad(&self) -> bool {
        !matches!(self.settled, Settled::At(_)) || self.broken_require.is_some() || self.disorder.is_some()
    }
}
