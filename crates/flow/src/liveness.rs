//! Finds problems in the course of a flow: loops without the learner, unbounded counters, no way out.

use crate::cycles::components;
use crate::explore::{Walk, Walker};
use crate::law::Origin;
use crate::machine::{EventId, Given, Machine, Move, StateId};
use crate::problem::{Code, Problem};
use std::collections::{BTreeSet, HashMap, VecDeque};

/// The most loops that are reported.
const MAX_LOOPS: usize = 24;
/// The most searches for a shortest loop.
const MAX_SEARCHES: usize = 100;
/// The most traps that are reported.
const MAX_TRAPS: usize = 24;
/// The most configurations among which an unbounded counter is searched: that needs more memory for each than the
/// walk.
const MAX_COMPONENT_CONFIGURATIONS: usize = 3_000_000;

pub(crate) fn problems(walker: &mut Walker<'_>, walk: &Walk) -> Vec<Problem> {
    let mut problems = silent_loops(walker, walk);
    for counter in 0..walker.machine.counters.len() {
        problems.extend(unbounded_counter(walker, walk, counter));
    }
    problems.extend(no_way_out(walker, walk));
    problems
}

/// Reports states in which a flow of a law without Rust waits for the machine only. If the awaited event is lost,
/// the flow waits for ever.
pub(crate) fn lonely_waits(walker: &Walker<'_>, walk: &Walk) -> Vec<Problem> {
    let machine = walker.machine;
    let mut seen = BTreeSet::new();
    let mut problems = Vec::new();
    for (at, code) in
        walk.codes.iter().enumerate().filter(|_| machine.is_alone && !machine.actions.is_empty())
    {
        let id = walker.layout.state(*code);
        let edges = machine.edges_of(id);
        let awaits_machine = edges.iter().any(|edge| machine.origin(edge.event) == Origin::Machine);
        let has_way_out = edges.iter().any(|edge| machine.is_way_out(id, edge));
        if !awaits_machine || has_way_out || !seen.insert(id) {
            continue;
        }
        let state = &machine.states[id.index()];
        let awaited: Vec<String> =
            machine.allowed(id).map(|event| format!("`{}`", machine.event_name(event))).collect();
        let message = format!(
            "`{}` waits only for the machine ({}): if its action is lost, the flow stays here forever",
            state.name,
            awaited.join(", ")
        );
        let cure = "take `failed`, which comes when an action is given up; or add a timer, or an event of the learner that leads out";
        problems.push(
            Problem::new(Code::WaitsForMachine, state.place, message, cure)
                .warning()
                .state(&state.name)
                .path(walk.path(walker, at as u32)),
        );
        if problems.len() >= MAX_TRAPS {
            break;
        }
    }
    problems
}

/// A set of bits over the slots of a walk.
struct Marks(Vec<u64>);

impl Marks {
    fn new(walk: &Walk) -> Marks {
        Marks(vec![0; walk.seen.slots() / 64 + 1])
    }

    fn has(&self, slot: usize) -> bool {
        self.0[slot / 64] >> (slot % 64) & 1 == 1
    }

    fn set(&mut self, slot: usize) {
        self.0[slot / 64] |= 1 << (slot % 64);
    }

    fn clear(&mut self, slot: usize) {
        self.0[slot / 64] &= !(1 << (slot % 64));
    }
}

/// A configuration on the current path of the search, with the range of its untried steps.
struct Frame {
    code: u64,
    next: usize,
    end: usize,
    first: usize,
}

/// Searches depth-first over steps that need no learner. A step back onto the current path closes a loop, and every
/// loop has such a step. No bounded counter moves on the loop, or the configuration would be another. The report
/// shows the shortest loop through the place where it was closed.
fn silent_loops(walker: &mut Walker<'_>, walk: &Walk) -> Vec<Problem> {
    let machine = walker.machine;
    if machine.timers.is_empty() && machine.origins.iter().all(|origin| *origin == Origin::Learner) {
        return Vec::new();
    }
    let mut search = Search {
        open: Marks::new(walk),
        closed: Marks::new(walk),
        ways: Vec::new(),
        path: Vec::new(),
        closings: BTreeSet::new(),
        loops: Vec::new(),
    };
    for root in &walk.codes {
        if !search.closed.has(walk.seen.slot(*root)) {
            search.from(walker, walk, *root);
        }
        if search.loops.len() >= MAX_LOOPS {
            break;
        }
    }
    search.loops.into_iter().map(|(_, problem)| problem).collect()
}

struct Search {
    open: Marks,
    closed: Marks,
    ways: Vec<(u64, EventId)>,
    path: Vec<Frame>,
    /// The states and events that closed loops so far. Loops that differ only in counters are reported once.
    closings: BTreeSet<(StateId, StateId, EventId)>,
    loops: Vec<(BTreeSet<StateId>, Problem)>,
}

impl Search {
    fn from(&mut self, walker: &mut Walker<'_>, walk: &Walk, root: u64) {
        self.push(walker, walk, root);
        while let Some(frame) = self.path.last_mut() {
            if frame.next == frame.end {
                let slot = walk.seen.slot(frame.code);
                self.open.clear(slot);
                self.closed.set(slot);
                self.ways.truncate(frame.first);
                self.path.pop();
                continue;
            }
            let (from, (to, event)) = (frame.code, self.ways[frame.next]);
            frame.next += 1;
            let slot = walk.seen.slot(to);
            if self.open.has(slot) {
                self.close(walker, walk, from, to, event);
            } else if !self.closed.has(slot) {
                self.push(walker, walk, to);
            }
        }
    }

    fn push(&mut self, walker: &mut Walker<'_>, walk: &Walk, code: u64) {
        let first = self.ways.len();
        let ways = &mut self.ways;
        silent_steps(walker, code, |to, event| ways.push((to, event)));
        self.open.set(walk.seen.slot(code));
        self.path.push(Frame { code, next: first, end: self.ways.len(), first });
    }

    #[cold]
    fn close(&mut self, walker: &mut Walker<'_>, walk: &Walk, from: u64, to: u64, event: EventId) {
        let state = |code| walker.layout.state(code);
        let closing = (state(from), state(to), event);
        if self.closings.len() >= MAX_SEARCHES || !self.closings.insert(closing) {
            return;
        }
        let round = shortest_round(walker, to);
        let states: BTreeSet<StateId> = round.iter().map(|(code, _)| walker.layout.state(*code)).collect();
        if self.loops.len() < MAX_LOOPS && !self.loops.iter().any(|(known, _)| *known == states) {
            let problem = silent_loop(walker, walk, round, &states);
            self.loops.push((states, problem));
        }
    }
}

fn silent_steps(walker: &mut Walker<'_>, code: u64, mut found: impl FnMut(u64, EventId)) {
    let machine = walker.machine;
    let state = walker.layout.state(code);
    for edge in machine.edges_of(state).iter().filter(|edge| machine.needs_no_learner(state, edge.event)) {
        walker.follow(code, edge, &mut |way| found(way.to, way.event));
    }
}

/// Returns the shortest way from a configuration back to itself: each configuration on it with the event that
/// leaves it.
fn shortest_round(walker: &mut Walker<'_>, start: u64) -> Vec<(u64, EventId)> {
    let mut came: HashMap<u64, (u64, EventId)> = HashMap::new();
    let mut queue = VecDeque::from([start]);
    while let Some(code) = queue.pop_front() {
        if came.contains_key(&start) {
            break;
        }
        silent_steps(walker, code, |to, event| {
            came.entry(to).or_insert_with(|| {
                queue.push_back(to);
                (code, event)
            });
        });
    }
    let mut round = Vec::new();
    let mut at = start;
    while let Some((from, event)) = came.get(&at) {
        round.push((*from, *event));
        at = *from;
        if at == start {
            break;
        }
    }
    round.reverse();
    round
}

/// Reports a loop, beginning at its configuration that is nearest to the start.
fn silent_loop(
    walker: &Walker<'_>,
    walk: &Walk,
    mut round: Vec<(u64, EventId)>,
    states: &BTreeSet<StateId>,
) -> Problem {
    let machine = walker.machine;
    let nearest =
        walk.codes.iter().position(|code| round.iter().any(|(on_it, _)| on_it == code)).unwrap_or(0);
    let first = round.iter().position(|(code, _)| *code == walk.codes[nearest]).unwrap_or(0);
    round.rotate_left(first);
    let events: Vec<&str> = round.iter().map(|(_, event)| machine.event_name(*event)).collect();
    let mut path = walk.path(walker, nearest as u32);
    let mut probe = Walker::new(machine, walker.layout.clone());
    for (at, (code, event)) in round.iter().enumerate() {
        let to = round[(at + 1) % round.len()].0;
        path.add(machine, *event, probe.facts_between(Some(*code), *event, to).unwrap_or_default());
    }
    let is_silence = |(code, event): &&(u64, EventId)| {
        machine.origin(*event) == Origin::Silence || machine.is_timed(walker.layout.state(*code), *event)
    };
    let (waiting, silence) = *round.iter().find(is_silence).unwrap_or(&round[round.len() - 1]);
    let state = &machine.states[walker.layout.state(waiting).index()];
    let named: Vec<String> = events.iter().map(|event| format!("`{event}`")).collect();
    let through = states.iter().map(|state| machine.state_name(*state)).collect::<Vec<_>>().join(", ");
    let stays =
        round.len() == 1 && machine.edge(walker.layout.state(waiting), silence).is_some_and(|e| e.stays);
    let message = match stays {
        true => format!(
            "{} stays in {through} and needs no learner: no guard is asked, so nothing bounds it",
            named[0]
        ),
        false => format!(
            "an endless loop that needs no learner: {} leads round through {through}, and no bounded counter moves",
            named.join(", "),
        ),
    };
    let cure = format!(
        "count the rounds (`{}: {{target: …, count: silences}}`) and leave by a guard at a bound",
        machine.event_name(silence)
    );
    Problem::new(Code::SilentLoop, state.place, message, cure)
        .state(&state.name)
        .event(machine.event_name(silence))
        .path(path)
}

/// Reports a counter that some cycle counts without resetting it, all of it beyond the counter's ceiling. Counts
/// made while staying are exempt: they tally what the learner does and send no flow round.
fn unbounded_counter(walker: &mut Walker<'_>, walk: &Walk, counter: usize) -> Option<Problem> {
    let machine = walker.machine;
    let counts = machine.moves.contains(&Move::Count(counter as u8));
    if !counts {
        return None;
    }
    let is_beyond = |code: &&u64| walker.layout.is_saturated(**code, counter);
    let beyond: Vec<u64> = walk.codes.iter().filter(is_beyond).copied().collect();
    if beyond.is_empty() {
        return None;
    }
    let name = &machine.counters[counter].name;
    let place = machine.counters[counter].place;
    if beyond.len() > MAX_COMPONENT_CONFIGURATIONS {
        let message = format!("too many configurations to prove that the counter `{name}` has a bound");
        return Some(
            Problem::new(Code::NotExplored, place, message, "compare it with a constant somewhere").warning(),
        );
    }
    let (at, event, given) = counting_cycle(walker, &beyond, counter)?;
    let index = walk.codes.iter().position(|code| *code == at).unwrap_or(0) as u32;
    let mut path = walk.path(walker, index);
    path.add(machine, event, given);
    let message = format!("nothing bounds the counter `{name}`: a loop counts it without ever resetting it");
    let cure = format!("leave the loop by a guard such as `{name} >= LIMIT`, or reset it in the loop");
    Some(
        Problem::new(Code::UnboundedCounter, place, message, cure)
            .state(machine.state_name(walker.layout.state(at)))
            .event(machine.event_name(event))
            .path(path),
    )
}

/// Finds a step that counts on a cycle within `nodes`. Steps that reset the counter are left out.
fn counting_cycle(walker: &mut Walker<'_>, nodes: &[u64], counter: usize) -> Option<(u64, EventId, Given)> {
    let machine = walker.machine;
    let index: HashMap<u64, u32> = nodes.iter().enumerate().map(|(at, code)| (*code, at as u32)).collect();
    let mut steps: Vec<Vec<u32>> = Vec::with_capacity(nodes.len());
    let mut counting: Vec<(u32, u32, EventId, Given)> = Vec::new();
    for (at, code) in nodes.iter().enumerate() {
        let mut next = Vec::new();
        for edge in machine.edges_of(walker.layout.state(*code)) {
            walker.follow(*code, edge, &mut |way| {
                let Some(to) = index.get(&way.to).filter(|_| way.reset >> counter & 1 == 0) else { return };
                next.push(*to);
                if way.counted >> counter & 1 == 1 && !edge.stays {
                    counting.push((at as u32, *to, way.event, way.given));
                }
            });
        }
        steps.push(next);
    }
    let part = components(&steps);
    let cycle = counting.iter().find(|(from, to, ..)| part[*from as usize] == part[*to as usize]);
    cycle.map(|(from, _, event, given)| (nodes[*from as usize], *event, *given))
}

/// Reports configurations from which no end can be reached. Stuck ones are reported elsewhere.
fn no_way_out(walker: &mut Walker<'_>, walk: &Walk) -> Vec<Problem> {
    let machine = walker.machine;
    if !machine.states.iter().any(|state| state.is_final) {
        let message = "the law has no final state, so no flow ever ends";
        let place = machine.states[machine.initial.index()].place;
        let cure = "add a state with `type: final` and lead to it";
        return vec![Problem::new(Code::NoWayOut, place, message, cure)];
    }
    let good = can_end(walker, walk);
    let mut reported = BTreeSet::new();
    let mut problems: Vec<Problem> = Vec::new();
    for (at, code) in walk.codes.iter().enumerate() {
        // A trap is reported once, at the place where it is entered first.
        let parent = walk.arrival(at as u32).parent;
        let is_entered_here =
            walk.codes.get(parent as usize).is_none_or(|parent| good.has(walk.seen.slot(*parent)));
        let id = walker.layout.state(*code);
        if good.has(walk.seen.slot(*code)) || !is_entered_here || !reported.insert(id) {
            continue;
        }
        let state = &machine.states[id.index()];
        let message = format!("from `{}` on, no final state can be reached", state.name);
        problems.push(
            Problem::new(Code::NoWayOut, state.place, message, "lead out of it to a final state")
                .state(&state.name)
                .path(walk.path(walker, at as u32)),
        );
        if problems.len() >= MAX_TRAPS {
            break;
        }
    }
    problems
}

/// Marks every configuration that can end. One pass backwards through the walk finds most. Among the rest, each one
/// found is passed on to those that lead to it.
fn can_end(walker: &mut Walker<'_>, walk: &Walk) -> Marks {
    let machine = walker.machine;
    let mut good = Marks::new(walk);
    let mut rest = Vec::new();
    for code in walk.codes.iter().rev() {
        if ends_here(machine, walker.layout.state(*code)) || leads_to_good(walker, walk, &good, *code) {
            good.set(walk.seen.slot(*code));
        } else {
            rest.push(*code);
        }
    }
    rest.sort_unstable();
    let leading = Leading::within(walker, &rest);
    let mut found: Vec<u64> = Vec::new();
    for code in &rest {
        if !good.has(walk.seen.slot(*code)) && leads_to_good(walker, walk, &good, *code) {
            good.set(walk.seen.slot(*code));
            found.push(*code);
        }
        while let Some(code) = found.pop() {
            for before in leading.to(&rest, code) {
                if !good.has(walk.seen.slot(before)) {
                    good.set(walk.seen.slot(before));
                    found.push(before);
                }
            }
        }
    }
    good
}

fn leads_to_good(walker: &mut Walker<'_>, walk: &Walk, good: &Marks, code: u64) -> bool {
    let mut leads_on = false;
    walker.successors(code, |way| leads_on |= good.has(walk.seen.slot(way.to)));
    leads_on
}

/// The steps among some configurations: pairs of positions in their sorted list, target first.
struct Leading(Vec<(u32, u32)>);

impl Leading {
    fn within(walker: &mut Walker<'_>, sorted: &[u64]) -> Leading {
        let mut steps = Vec::new();
        for (from, code) in sorted.iter().enumerate() {
            walker.successors(*code, |way| {
                if let Ok(to) = sorted.binary_search(&way.to) {
                    steps.push((to as u32, from as u32));
                }
            });
        }
        steps.sort_unstable();
        steps.dedup();
        Leading(steps)
    }

    /// Returns the configurations that lead to this one.
    fn to<'s>(&'s self, sorted: &'s [u64], code: u64) -> impl Iterator<Item = u64> + 's {
        let to = sorted.binary_search(&code).map_or(u32::MAX, |to| to as u32);
        let first = self.0.partition_point(|(other, _)| *other < to);
        self.0[first..]
            .iter()
            .take_while(move |(other, _)| *other == to)
            .map(|(_, from)| sorted[*from as usize])
    }
}

fn ends_here(machine: &Machine, state: StateId) -> bool {
    let state = &machine.states[state.index()];
    state.is_final || state.choice.is_some() || state.edges.is_empty()
}
