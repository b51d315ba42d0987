//! What a walk shows about going on: loops without the learner, counters without a bound, ways out.

use crate::explore::{Walk, Walker};
use crate::law::Origin;
use crate::machine::{EventId, Machine, Move, StateId};
use crate::problem::{Code, Problem};
use std::collections::{BTreeSet, HashMap};

/// One law has few distinct loops; a hostile one may have many.
const MAX_LOOPS: usize = 24;
/// The search for unbounded counters keeps more per configuration than the walk does.
const MAX_COMPONENT_CONFIGURATIONS: usize = 3_000_000;

pub(crate) fn problems(walker: &mut Walker<'_>, walk: &Walk) -> Vec<Problem> {
    let mut problems = silent_loops(walker, walk);
    for counter in 0..walker.machine.counters.len() {
        problems.extend(unbounded_counter(walker, walk, counter));
    }
    problems.extend(no_way_out(walker, walk));
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

/// A configuration on the present path of a depth-first search, with the range of its untried steps.
struct Frame {
    code: u64,
    /// The event that led here.
    by: EventId,
    next: usize,
    end: usize,
    first: usize,
}

/// Depth-first over steps that need no learner. A step back onto the present path is a loop, and as
/// configurations carry every bounded counter, no bounded counter moves on it.
fn silent_loops(walker: &mut Walker<'_>, walk: &Walk) -> Vec<Problem> {
    let machine = walker.machine;
    if machine.origins.iter().all(|origin| *origin == Origin::Learner) {
        return Vec::new();
    }
    let mut search = Search {
        open: Marks::new(walk),
        closed: Marks::new(walk),
        ways: Vec::new(),
        path: Vec::new(),
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
    loops: Vec<(BTreeSet<StateId>, Problem)>,
}

impl Search {
    fn from(&mut self, walker: &mut Walker<'_>, walk: &Walk, root: u64) {
        self.push(walker, walk, root, EventId(u16::MAX));
        while let Some(frame) = self.path.last_mut() {
            if frame.next == frame.end {
                let slot = walk.seen.slot(frame.code);
                self.open.clear(slot);
                self.closed.set(slot);
                self.ways.truncate(frame.first);
                self.path.pop();
                continue;
            }
            let (to, event) = self.ways[frame.next];
            frame.next += 1;
            let slot = walk.seen.slot(to);
            if self.open.has(slot) {
                self.note(walker, walk, to, event);
            } else if !self.closed.has(slot) {
                self.push(walker, walk, to, event);
            }
        }
    }

    fn push(&mut self, walker: &mut Walker<'_>, walk: &Walk, code: u64, by: EventId) {
        let machine = walker.machine;
        let first = self.ways.len();
        let ways = &mut self.ways;
        walker.successors(code, |way| {
            if machine.origin(way.event) != Origin::Learner {
                ways.push((way.to, way.event));
            }
        });
        self.open.set(walk.seen.slot(code));
        self.path.push(Frame { code, by, next: first, end: self.ways.len(), first });
    }

    /// The loop runs from `to` along the present path and back by `event`.
    #[cold]
    fn note(&mut self, walker: &Walker<'_>, walk: &Walk, to: u64, event: EventId) {
        let machine = walker.machine;
        let from = self.path.iter().rposition(|frame| frame.code == to).unwrap_or(0);
        let frames = &self.path[from..];
        let states: BTreeSet<StateId> = frames.iter().map(|frame| walker.layout.state(frame.code)).collect();
        if self.loops.len() >= MAX_LOOPS || self.loops.iter().any(|(known, _)| *known == states) {
            return;
        }
        let events: Vec<EventId> = frames[1..].iter().map(|frame| frame.by).chain([event]).collect();
        let named = |event: &EventId| machine.event_name(*event).to_owned();
        let start = walk.codes.iter().position(|code| *code == to).unwrap_or(0) as u32;
        let mut path = walk.path(machine, start);
        path.extend(events.iter().map(named));
        let silence =
            events.iter().find(|event| machine.origin(**event) == Origin::Silence).unwrap_or(&event);
        let state = &machine.states[waiting_state(walker, frames, *silence).index()];
        let round = states.iter().map(|state| machine.state_name(*state)).collect::<Vec<_>>().join(", ");
        let message = format!(
            "an endless loop that needs no learner: {} leads round through {round}, and no bounded counter moves",
            events
                .iter()
                .map(|event| format!("`{}`", machine.event_name(*event)))
                .collect::<Vec<_>>()
                .join(", "),
        );
        let cure = format!(
            "count the rounds (`{}: {{target: …, count: silences}}`) and leave by a guard at a bound",
            machine.event_name(*silence)
        );
        let problem = Problem::new(Code::SilentLoop, state.place, message, cure)
            .state(&state.name)
            .event(machine.event_name(*silence))
            .path(path);
        self.loops.push((states, problem));
    }
}

/// The state of the loop in which the silence happens.
fn waiting_state(walker: &Walker<'_>, frames: &[Frame], silence: EventId) -> StateId {
    let mut states = frames.iter().map(|frame| walker.layout.state(frame.code));
    let first = states.next().unwrap_or(StateId(0));
    std::iter::once(first)
        .chain(states)
        .find(|state| walker.machine.edge(*state, silence).is_some())
        .unwrap_or(first)
}

/// A counter is unbounded when some circle counts it, never resets it, and lies wholly where it has
/// already outgrown every constant it is compared with.
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
        let message = format!("too many configurations to prove a bound for the counter `{name}`");
        return Some(
            Problem::new(Code::NotExplored, place, message, "compare it with a constant somewhere").warning(),
        );
    }
    let (at, event) = counting_circle(walker, &beyond, counter)?;
    let index = walk.codes.iter().position(|code| *code == at).unwrap_or(0) as u32;
    let mut path = walk.path(machine, index);
    path.push(machine.event_name(event).to_owned());
    let message =
        format!("nothing bounds the counter `{name}`: a circle counts it without ever resetting it");
    let cure = format!("leave the circle by a guard such as `{name} >= LIMIT`, or reset it on the way round");
    Some(
        Problem::new(Code::UnboundedCounter, place, message, cure)
            .state(machine.state_name(walker.layout.state(at)))
            .event(machine.event_name(event))
            .path(path),
    )
}

/// A step that counts within a strongly connected part of `nodes` (steps that reset left out).
fn counting_circle(walker: &mut Walker<'_>, nodes: &[u64], counter: usize) -> Option<(u64, EventId)> {
    let index: HashMap<u64, u32> = nodes.iter().enumerate().map(|(at, code)| (*code, at as u32)).collect();
    let mut steps: Vec<Vec<u32>> = Vec::with_capacity(nodes.len());
    let mut counting: Vec<(u32, u32, EventId)> = Vec::new();
    for (at, code) in nodes.iter().enumerate() {
        let mut next = Vec::new();
        walker.successors(*code, |way| {
            let Some(to) = index.get(&way.to).filter(|_| way.reset >> counter & 1 == 0) else { return };
            next.push(*to);
            if way.counted >> counter & 1 == 1 {
                counting.push((at as u32, *to, way.event));
            }
        });
        steps.push(next);
    }
    let part = components(&steps);
    let circle = counting.iter().find(|(from, to, _)| part[*from as usize] == part[*to as usize]);
    circle.map(|(from, _, event)| (nodes[*from as usize], *event))
}

/// Tarjan's strongly connected components, without recursion. Nodes of one component share a number.
fn components(steps: &[Vec<u32>]) -> Vec<u32> {
    const NEW: u32 = u32::MAX;
    let mut order = vec![NEW; steps.len()];
    let mut low = vec![0; steps.len()];
    let mut part = vec![NEW; steps.len()];
    let mut stack = Vec::new();
    let mut path: Vec<(u32, usize)> = Vec::new();
    let (mut clock, mut parts) = (0, 0);
    for root in 0..steps.len() as u32 {
        if order[root as usize] != NEW {
            continue;
        }
        path.push((root, 0));
        while let Some((node, next)) = path.last_mut() {
            let at = *node as usize;
            if *next == 0 {
                (order[at], low[at]) = (clock, clock);
                clock += 1;
                stack.push(*node);
            }
            if let Some(to) = steps[at].get(*next).map(|to| *to as usize) {
                *next += 1;
                if order[to] == NEW {
                    path.push((to as u32, 0));
                } else if part[to] == NEW {
                    low[at] = low[at].min(order[to]);
                }
                continue;
            }
            if low[at] == order[at] {
                while let Some(member) = stack.pop() {
                    part[member as usize] = parts;
                    if member as usize == at {
                        break;
                    }
                }
                parts += 1;
            }
            path.pop();
            if let Some((parent, _)) = path.last() {
                low[*parent as usize] = low[*parent as usize].min(low[at]);
            }
        }
    }
    part
}

/// Configurations from which no end can be reached. Stuck ones have been reported as such already.
fn no_way_out(walker: &mut Walker<'_>, walk: &Walk) -> Vec<Problem> {
    let machine = walker.machine;
    if !machine.states.iter().any(|state| state.is_final) {
        let message = "the law has no final state, so no flow ever ends";
        let place = machine.states[machine.initial.index()].place;
        return vec![Problem::new(
            Code::NoWayOut,
            place,
            message,
            "add a state with `type: final` and lead to it",
        )];
    }
    let good = can_end(walker, walk);
    let mut problems: Vec<Problem> = Vec::new();
    for (at, code) in walk.codes.iter().enumerate() {
        if good.has(walk.seen.slot(*code)) {
            continue;
        }
        let state = &machine.states[walker.layout.state(*code).index()];
        // One report for the whole trap: where it is entered first.
        let message = format!("from `{}` on, no final state can be reached", state.name);
        problems.push(
            Problem::new(Code::NoWayOut, state.place, message, "lead out of it to a final state")
                .state(&state.name)
                .path(walk.path(machine, at as u32)),
        );
        break;
    }
    problems
}

/// Marks every configuration that can end, going backwards through the walk until nothing changes.
fn can_end(walker: &mut Walker<'_>, walk: &Walk) -> Marks {
    let machine = walker.machine;
    let mut good = Marks::new(walk);
    loop {
        let mut has_changed = false;
        for code in walk.codes.iter().rev() {
            let slot = walk.seen.slot(*code);
            if good.has(slot) {
                continue;
            }
            let is_good = ends_here(machine, walker.layout.state(*code)) || {
                let mut leads_on = false;
                walker.successors(*code, |way| leads_on |= good.has(walk.seen.slot(way.to)));
                leads_on
            };
            if is_good {
                good.set(slot);
                has_changed = true;
            }
        }
        if !has_changed {
            return good;
        }
    }
}

fn ends_here(machine: &Machine, state: StateId) -> bool {
    let state = &machine.states[state.index()];
    state.is_final || state.choice.is_some() || state.edges.is_empty()
}
