//! Checks a law: its text first, then a walk through every configuration.

use crate::bind::{did_you_mean, unknown};
use crate::chains::{after_guards, long_chains};
use crate::explore::{Arrival, MAX_TRIES_OF_PROMISE, MAX_WAYS_OF_STEP, Walk, Walker, walk};
use crate::guard::Op;
use crate::law::{self, Attribute, Constant, Law, MAX_STATES, Named};
use crate::layout::{CEILING_OF_COMPARED_PAIR, Disorder, Layout};
use crate::liveness;
use crate::machine::{EventId, Given, Machine, Overrides, State, StateId, Test};
use crate::problem::{Code, Place, Problem, Severity, Trail};
use crate::text::test_text;
use crate::vocabulary::Vocabulary;
use serde::Serialize;
use std::collections::{BTreeSet, HashMap, HashSet};

/// The most values out of order that are reported.
const MAX_DISORDERS: usize = 24;

/// The limits of a check.
#[derive(Debug, Clone, Copy)]
pub struct Bounds {
    /// The walk stops after this many configurations, and the report says so.
    pub configurations: usize,
}

impl Default for Bounds {
    fn default() -> Bounds {
        Bounds { configurations: 20_000_000 }
    }
}

/// Everything a check found, in the form that `etude check --json` prints.
#[derive(Debug, Clone, Default, Serialize)]
pub struct Report {
    pub law: String,
    pub version: String,
    pub configurations: usize,
    /// False if the walk stopped at its bound or could not tell counters apart.
    pub complete: bool,
    pub problems: Vec<Problem>,
    #[serde(skip)]
    pub walk_bytes: usize,
}

impl Report {
    pub fn is_clean(&self) -> bool {
        self.problems.is_empty()
    }

    /// Whether the law may run: warnings do not stop it.
    pub fn may_run(&self) -> bool {
        !self.problems.iter().any(|problem| problem.severity == Severity::Error)
    }
}

/// Checks a law. Returns `Err` if its names cannot be bound.
pub fn check(
    law: &Law,
    vocabulary: Option<&Vocabulary>,
    set: &Overrides,
    bounds: Bounds,
) -> Result<Report, Vec<Problem>> {
    let machine = Machine::bind(law, vocabulary, set)?;
    let mut report = prove(&machine, bounds);
    let mut problems = unused_names(law, &machine, vocabulary);
    problems.extend(unhandled_events(law, &machine, vocabulary));
    problems.extend(undeclared_outcomes(law));
    problems.extend(vocabulary.iter().flat_map(|known| unmet_readers(law, &machine, known)));
    problems.append(&mut report.problems);
    latent_missing_else(law, vocabulary, set, &machine, &mut problems);
    problems.sort_by_key(|problem| (problem.severity, problem.line));
    report.problems = problems;
    Ok(report)
}

/// Checks everything about a machine that does not need the text of its law.
pub fn prove(machine: &Machine, bounds: Bounds) -> Report {
    let (law, version) = (machine.session.clone(), machine.version.clone());
    let mut report = Report { law, version, ..Report::default() };
    let Some(layout) = Layout::of(machine).and_then(|layout| layout.tracking(machine)) else {
        report.problems.push(Problem::new(
            Code::TooLarge,
            first_place(machine),
            "state, counters and attributes together need more than 64 bits, so the law cannot be explored",
            "compare counters with smaller constants, or use fewer counters",
        ));
        return report;
    };
    let mut walker = Walker::new(machine, layout);
    let walk = walk(&mut walker, bounds.configurations);
    report.configurations = walk.codes.len().min(bounds.configurations);
    report.complete = walk.is_complete && !walker.notes.is_undecided();
    report.walk_bytes = walk.bytes();
    let problems = &mut report.problems;
    if !walk.is_complete {
        problems.push(match walker.notes.lost {
            Some((state, event)) => too_many_answers(machine, state, event),
            None => not_explored(machine, &walk, bounds),
        });
    }
    if walker.notes.is_unclear {
        problems.push(not_told_apart(machine));
    }
    problems.extend(walker.notes.untried.map(|which| not_tried(machine, which)));
    problems.extend(stuck_places(&walker, &walk));
    problems.extend(broken_promises(&walker, &walk));
    problems.extend(values_out_of_order(&walker, &walk));
    if walk.is_complete {
        problems.extend(unreachable_states(machine, &walker));
        problems.extend(shared_caps(machine, &walker, &walk));
        problems.extend(liveness::problems(&mut walker, &walk));
        problems.extend(liveness::lonely_waits(&walker, &walk));
    }
    report
}

fn first_place(machine: &Machine) -> Place {
    machine.states[machine.initial.index()].place
}

fn not_explored(machine: &Machine, walk: &Walk, bounds: Bounds) -> Problem {
    let depth = walk.depth(walk.codes.len() as u32 - 1);
    Problem::new(
        Code::NotExplored,
        first_place(machine),
        format!(
            "stopped after {} configurations. Proved: within {} events of the start there is nothing wrong that is \
             not reported. Not proved: reachability, loops, bounds and endings beyond that",
            bounds.configurations,
            depth.saturating_sub(1)
        ),
        "use smaller constants or fewer counters; `etude check --bound` looks further",
    )
}

fn too_many_answers(machine: &Machine, state: StateId, event: EventId) -> Problem {
    let state = &machine.states[state.index()];
    let name = machine.event_names.get(event.index());
    let step = name
        .map_or("the first step".to_owned(), |name| format!("the step from `{}` by `{name}`", state.name));
    let message = format!(
        "stopped at {step}: its guards can be answered in more than {MAX_WAYS_OF_STEP} ways. Not proved: what \
         comes after them",
    );
    let cure = "let one fact stand for several, or put a state that waits between the guards";
    let problem = Problem::new(Code::NotExplored, state.place, message, cure).state(&state.name);
    name.map_or(problem.clone(), |name| problem.event(name))
}

fn not_told_apart(machine: &Machine) -> Problem {
    Problem::new(
        Code::NotExplored,
        first_place(machine),
        format!(
            "counters that are compared with each other both grow beyond {CEILING_OF_COMPARED_PAIR}; from there on \
             each comparison was tried both ways. Not proved: that flows which go so far can end"
        ),
        "compare one of them with a constant as well, so that it stops earlier",
    )
}

fn not_tried(machine: &Machine, which: usize) -> Problem {
    let (test, place) = &machine.invariants[which];
    Problem::new(
        Code::NotExplored,
        *place,
        format!(
            "the invariant `{}` asks so many facts that {MAX_TRIES_OF_PROMISE} tries did not settle it. Not proved: that \
             it holds",
            test_text(machine, test)
        ),
        "let one fact stand for several, or split it into several invariants",
    )
}

fn unused_names(law: &Law, machine: &Machine, vocabulary: Option<&Vocabulary>) -> Vec<Problem> {
    let used = used_names(law);
    let mut problems = Vec::new();
    for (named, _) in &law.constants {
        let is_read = vocabulary.is_some_and(|known| known.constants.contains(&named.name.as_str()));
        if !used.contains(named.name.as_str()) && !is_read {
            problems.push(unused("constant", &named.name, named.place));
        }
    }
    for (named, _) in &law.counters {
        let counter = machine.counters.iter().find(|counter| counter.name == named.name);
        let is_free = counter.is_some_and(|counter| counter.is_free);
        match (used.contains(named.name.as_str()), is_free) {
            (false, true) => problems.push(unused("counter", &named.name, named.place)),
            (true, true) => problems.push(unmoved(&named.name, named.place)),
            _ => {}
        }
    }
    for fact in &law.facts {
        if !used.contains(fact.name.as_str()) {
            problems.push(unused("fact", &fact.name, fact.place));
        }
    }
    problems.extend(law.attributes.iter().flat_map(|attribute| unused_values(machine, attribute)));
    problems
}

fn unused_values(machine: &Machine, attribute: &Attribute) -> Vec<Problem> {
    let Named { name, place } = &attribute.name;
    let used: HashSet<&str> = machine.states().filter_map(|state| machine.attribute(state, name)).collect();
    if used.is_empty() {
        return vec![unused("attribute", name, *place)];
    }
    let listed = attribute.listed().into_iter().filter(|(value, _)| !used.contains(value));
    listed.map(|(value, place)| unused(&format!("{name} value"), value, place)).collect()
}

fn unused(what: &str, name: &str, place: Place) -> Problem {
    let message = format!("the {what} `{name}` is used nowhere");
    Problem::new(Code::UnusedName, place, message, "use it or remove it").warning()
}

fn unmoved(name: &str, place: Place) -> Problem {
    let message = format!("nothing in the law moves `{name}`, so it never leaves its start value");
    let cure = format!("say where it moves: `count: {name}` and `reset: {name}` on transitions");
    Problem::new(Code::UnmovedCounter, place, message, cure).warning()
}

/// Reports counters and attributes that the flow's code reads and the law does not have. Binding accepts such a
/// law, because flows that are still open under an older law may lack them.
fn unmet_readers(law: &Law, machine: &Machine, vocabulary: &Vocabulary) -> Vec<Problem> {
    let lacking = |what: &str, name: &str, known: Vec<&str>| {
        let message = format!("the flow reads the {what} `{name}`, which the law does not have");
        let cure = did_you_mean(name, known.into_iter(), &format!("declare it under `{what}s`"));
        Problem::new(Code::UnknownName, law.session.place, message, cure)
    };
    let counters: Vec<&str> = machine.counter_names().collect();
    let uncounted = vocabulary.counters.iter().filter(|name| !counters.contains(name));
    let mut problems: Vec<Problem> =
        uncounted.map(|name| lacking("counter", name, counters.clone())).collect();
    let attributes: Vec<&str> = law.attributes.iter().map(|own| own.name.name.as_str()).collect();
    for (attribute, values) in &vocabulary.attributes {
        if !attributes.contains(attribute) {
            problems.push(lacking("attribute", attribute, attributes.clone()));
        }
        let found = machine.states.iter().filter_map(|state| state.attribute(attribute));
        let is_unknown = |value: &&Named| !values.is_empty() && !values.contains(&value.name.as_str());
        problems.extend(found.filter(is_unknown).map(|value| {
            let message = format!("{} of `{attribute}`", unknown("value", &value.name));
            let cure = did_you_mean(&value.name, values.iter().copied(), "use one that the flow knows");
            Problem::new(Code::UnknownName, value.place, message, cure)
        }));
    }
    problems.truncate(law::MAX_PROBLEMS);
    problems
}

/// Returns the names that guards, invariants, requirements and timers use, without their prefixes.
fn used_names(law: &Law) -> HashSet<String> {
    let mut used = HashSet::new();
    let states = law.states.iter();
    let guards = states.flat_map(|state| state.guard.iter().chain(&state.require)).chain(&law.invariants);
    for guard in guards {
        guard.expr.names(&mut |name| {
            let bare = name.split_once('.').map_or(name, |(_, bare)| bare);
            used.insert(bare.to_owned());
        });
    }
    let timers = law.states.iter().flat_map(|state| &state.after);
    for (after, _) in timers.chain(law.groups.iter().flat_map(|group| &group.after)) {
        used.extend(after.constants().into_iter().map(|named| named.name.clone()));
    }
    used
}

/// Reports outcomes that a transition names but its final state does not declare. They work, but no reader of the
/// final state, and no law that uses this one, expects them.
fn undeclared_outcomes(law: &Law) -> Vec<Problem> {
    let ends: HashMap<&str, &law::StateLaw> = law
        .states
        .iter()
        .filter(|state| state.is_final)
        .map(|state| (state.name.name.as_str(), state))
        .collect();
    let own = law.states.iter().flat_map(law::jumps);
    let shared = law.groups.iter().flat_map(|group| group.on.iter().map(|(_, jump)| jump));
    let mut seen = HashSet::new();
    let mut problems = Vec::new();
    for jump in own.chain(shared) {
        let (Some(target), Some(outcome)) = (&jump.target, &jump.outcome) else { continue };
        let Some(end) = ends.get(target.name.as_str()).filter(|end| end.outcomes.is_empty()) else {
            continue;
        };
        if outcome.name == DONE || !seen.insert((&target.name, &outcome.name)) {
            continue;
        }
        let message = format!("`{}` ends with `{}`, which it does not declare", end.name.name, outcome.name);
        let cure = format!("add `outcomes: [{}, …]` to `{}`", outcome.name, end.name.name);
        problems.push(
            Problem::new(Code::OutcomeUnclear, outcome.place, message, cure).warning().state(&end.name.name),
        );
    }
    problems.truncate(law::MAX_PROBLEMS);
    problems
}

/// The outcome of a final state that declares none.
const DONE: &str = "done";

fn unhandled_events(law: &Law, machine: &Machine, vocabulary: Option<&Vocabulary>) -> Vec<Problem> {
    let mut problems = Vec::new();
    let handled: HashSet<&str> = machine.edges.iter().map(|edge| machine.event_name(edge.event)).collect();
    for name in machine.event_names().filter(|name| !handled.contains(name)) {
        let declared = law.events.iter().find(|event| event.name.name == name);
        let place = declared.map_or(law.session.place, |event| event.name.place);
        let whose = if vocabulary.is_some() { "which the flow can send" } else { "which is declared" };
        let message = format!("no state takes `{name}`, {whose}");
        problems.push(
            Problem::new(Code::UnhandledEvent, place, message, "take it in some state, or drop it")
                .warning()
                .event(name),
        );
    }
    for state in &law.states {
        let Some(id) = machine.state_named(&state.name.name) else { continue };
        problems.extend(state.after.iter().filter_map(|(_, event)| untaken(machine, id, event)));
    }
    for group in &law.groups {
        let Some(region) = machine.regions.iter().find(|region| region.name == group.name) else { continue };
        for (_, event) in &group.after {
            problems.extend(region.states.iter().find_map(|id| untaken(machine, *id, event)));
        }
    }
    problems
}

/// Reports a timer whose event a state does not take.
fn untaken(machine: &Machine, id: StateId, event: &Named) -> Option<Problem> {
    let known = machine.event_named(&event.name);
    let state = machine.state_name(id);
    known.is_none_or(|event| machine.edge(id, event).is_none()).then(|| {
        let message = format!("`{state}` waits for `{}` but does not take it", event.name);
        let cure = format!("add `{}: STATE` to its `on`", event.name);
        Problem::new(Code::UnhandledEvent, event.place, message, cure).state(state).event(&event.name)
    })
}

fn unreachable_states(machine: &Machine, walker: &Walker<'_>) -> Vec<Problem> {
    let unreachable = machine.states.iter().zip(&walker.notes.entered).filter(|(_, entered)| !**entered);
    let problem = |(state, _): (&State, &bool)| {
        let message = format!("`{}` cannot be reached", state.name);
        Problem::new(Code::UnreachableState, state.place, message, "lead somewhere to it, or remove it")
            .warning()
            .state(&state.name)
    };
    unreachable.map(problem).collect()
}

fn stuck_places(walker: &Walker<'_>, walk: &Walk) -> Vec<Problem> {
    let machine = walker.machine;
    let mut problems = Vec::new();
    for (state, arrival) in &walk.found.stuck {
        problems.push(missing_else(machine, *state).path(walk.path_of(walker, *arrival)));
    }
    problems.extend(long_chains(walker, walk));
    let mut reported = HashSet::new();
    for (at, code) in walk.codes.iter().enumerate() {
        let id = walker.layout.state(*code);
        let state = &machine.states[id.index()];
        let is_dead = !state.is_final && state.choice.is_none() && state.edges.is_empty();
        if is_dead && reported.insert(id) {
            let message = format!(
                "`{}` is not final and takes no event: a flow that comes here never goes on",
                state.name
            );
            problems.push(
                Problem::new(Code::DeadEnd, state.place, message, "add `on`, or make it `type: final`")
                    .state(&state.name)
                    .path(walk.path(walker, at as u32)),
            );
        }
    }
    problems
}

fn missing_else(machine: &Machine, state: StateId) -> Problem {
    let state = &machine.states[state.index()];
    let (text, place) = match &state.choice {
        Some(choice) => (choice.text.as_str(), choice.place),
        None => ("", state.place),
    };
    let message =
        format!("`{}` has no `on_false`, and `{text}` can be false there: the flow gets stuck", state.name);
    Problem::new(Code::MissingElse, place, message, "add `on_false: STATE`").state(&state.name)
}

fn broken_promises(walker: &Walker<'_>, walk: &Walk) -> Vec<Problem> {
    let machine = walker.machine;
    let mut problems = Vec::new();
    for (which, at, given) in &walk.found.invariants {
        let (test, place) = &machine.invariants[*which];
        let message = format!("the invariant `{}` does not always hold", test_text(machine, test));
        let state = walker.layout.state(walk.codes[*at as usize]);
        let cure = "guard the step that breaks it, or correct it";
        let problem = Problem::new(Code::BrokenInvariant, *place, message, cure)
            .state(machine.state_name(state))
            .path(walk.path(walker, *at));
        problems.push(Problem { at_rest: machine.facts_of(*given), ..problem });
    }
    for (state, which, arrival) in &walk.found.requires {
        let state = &machine.states[state.index()];
        let text = test_text(machine, &state.require[*which as usize]);
        let message = format!("`{}` requires `{text}`, but a flow can rest here without it", state.name);
        let cure = format!("guard the way in with `{text}`, or require it in the state before");
        problems.push(
            Problem::new(Code::BrokenRequire, state.place, message, cure)
                .state(&state.name)
                .path(walk.path_of(walker, *arrival)),
        );
    }
    problems
}

fn values_out_of_order(walker: &Walker<'_>, walk: &Walk) -> Vec<Problem> {
    let machine = walker.machine;
    let problem = |(disorder, arrival): &(Disorder, Arrival)| {
        let (attribute, last, value) = walker.layout.names(disorder);
        let state = &machine.states[disorder.state.index()];
        let place = state.attribute(attribute).map_or(state.place, |named| named.place);
        let message = format!("`{attribute}` goes from `{last}` to `{value}`, which may not follow");
        let cure =
            format!("list `{value}` under `{last}`, or lead through a state whose value may come between");
        Problem::new(Code::OutOfOrder, place, message, cure)
            .state(&state.name)
            .path(walk.path_of(walker, *arrival))
    };
    walk.found.disorders.iter().take(MAX_DISORDERS).map(problem).collect()
}

/// Reports caps that leave fewer tries than they promise. A cap `counter >= K` promises K tries. If another guard
/// waits on the same counter, the counter does not start from zero when the capped loop begins, and fewer tries are
/// left.
fn shared_caps(machine: &Machine, walker: &Walker<'_>, walk: &Walk) -> Vec<Problem> {
    let mut problems = Vec::new();
    for (at, state) in machine.states.iter().enumerate() {
        let Some((counter, promised_at)) = state.choice.as_ref().and_then(|choice| cap(&choice.test)) else {
            continue;
        };
        let start = u64::from(machine.counters[counter as usize].start);
        let least = walker.notes.least_on_arrival[at];
        let promised = promised_at.saturating_sub(start);
        if least == u64::MAX || least <= start + 1 || promised == 0 {
            continue;
        }
        let left = (promised_at + 1).saturating_sub(least).max(1);
        let sharers = sharers(machine, counter, StateId(at as u32));
        let Some(sharer) = sharers.first().map(|sharer| &machine.states[sharer.index()]) else { continue };
        if left >= promised || !has_own_loop(walker, StateId(at as u32), &sharers) {
            continue;
        }
        let name = &machine.counters[counter as usize].name;
        let message = format!(
            "`{}` promises {promised} tries, but `{name}` already stands at {} or more when they begin \
             (`{}` waits on the same counter): {left} of {promised} {} left",
            state.name,
            least - 1,
            sharer.name,
            if left == 1 { "is" } else { "are" },
        );
        let cure = format!("give `{}` a counter of its own, and reset it where the loop begins", state.name);
        let place = state.choice.as_ref().map_or(state.place, |choice| choice.place);
        problems.push(
            Problem::new(Code::SharedCap, place, message, cure)
                .warning()
                .state(&state.name)
                .path(path_through(machine, walker, walk, StateId(at as u32))),
        );
    }
    problems
}

/// Returns the states that hold the other caps on the same counter.
fn sharers(machine: &Machine, counter: u8, own: StateId) -> Vec<StateId> {
    let caps_it = |id: &StateId| {
        let choice = machine.states[id.index()].choice.as_ref();
        *id != own && choice.and_then(|choice| cap(&choice.test)).is_some_and(|(capped, _)| capped == counter)
    };
    machine.states().filter(caps_it).collect()
}

/// Whether some state waits for tries that only this cap judges. If every step to the cap passes one of the
/// sharers, both judge the same tries, and each keeps its promise.
fn has_own_loop(walker: &Walker<'_>, cap: StateId, sharers: &[StateId]) -> bool {
    let machine = walker.machine;
    let waiting = machine.states().filter(|id| walker.notes.entered[id.index()]);
    let first = waiting.flat_map(|id| machine.edges_of(id)).map(|edge| edge.target);
    after_guards(machine, first, |id| !sharers.contains(&id)).contains(&cap)
}

/// Reads `counter >= K` or `counter > K` as the counter and the value at which the cap is reached.
fn cap(test: &Test) -> Option<(u8, u64)> {
    match test {
        Test::Compare(counter, Op::GreaterOrEqual, value) => Some((*counter, u64::try_from(*value).ok()?)),
        Test::Compare(counter, Op::Greater, value) => {
            Some((*counter, u64::try_from(value.checked_add(1)?).ok()?))
        }
        _ => None,
    }
}

/// Returns the shortest path whose last step passes through `wanted`, a state that decides.
fn path_through(machine: &Machine, walker: &Walker<'_>, walk: &Walk, wanted: StateId) -> Trail {
    let mut probe = Walker::new(machine, walker.layout.clone());
    for (at, code) in walk.codes.iter().enumerate() {
        probe.notes.entered[wanted.index()] = false;
        let mut through = None;
        let state = probe.layout.state(*code);
        for edge in machine.edges_of(state) {
            let mut last = Given::default();
            probe.follow(*code, edge, &mut |way| last = way.given);
            if probe.notes.entered[wanted.index()] && through.is_none() {
                through = Some((edge.event, last));
            }
        }
        if let Some((event, given)) = through {
            let mut path = walk.path(walker, at as u32);
            path.add(machine, event, given);
            return path;
        }
    }
    Trail::default()
}

/// The most states of a law that is tried with other constants.
const MAX_SWEPT_STATES: usize = MAX_STATES / 20;
const SWEPT_CONFIGURATIONS: usize = 100_000;
/// The most configurations that are tried in all. Binding ten bytes of a law counts as one configuration.
const MAX_SWEEPING: usize = 2_000_000;
const SWEPT: i64 = 10;

/// Reports guards without else that always hold with the constants as they are, but fail with others. Tries small
/// values, and values around the present one, for one constant at a time, and says for which values the flow gets
/// stuck.
fn latent_missing_else(
    law: &Law,
    vocabulary: Option<&Vocabulary>,
    set: &Overrides,
    machine: &Machine,
    problems: &mut Vec<Problem>,
) {
    let without_else =
        |state: &State| state.choice.as_ref().is_some_and(|c| c.no.is_none() && c.test != Test::Always(true));
    if machine.states.len() > MAX_SWEPT_STATES || !machine.states.iter().any(without_else) {
        return;
    }
    let bites = bites(law, vocabulary, set, machine);
    for id in machine.states() {
        let state = &machine.states[id.index()];
        let Some(choice) = state.choice.as_ref().filter(|choice| choice.no.is_none()) else { continue };
        let mut mine: Vec<&Bite> = bites.iter().filter(|bite| bite.state == id).collect();
        // The guard's own constants come first: the author is most likely to change these.
        mine.sort_by_key(|bite| !choice.text.contains(&bite.constant));
        let mut problem = problems.iter_mut().find(|problem| {
            problem.code == Code::MissingElse && problem.state.as_deref() == Some(&state.name)
        });
        if let Some(problem) = problem.as_mut() {
            let safe: Vec<String> = mine.iter().filter_map(|bite| bite.safe_values(machine)).collect();
            if !safe.is_empty() {
                problem.message += &format!(". It holds only when {}", either(&safe));
            }
        } else if !mine.is_empty() {
            let when: Vec<String> = mine.iter().map(|bite| bite.text(&bite.values, machine)).collect();
            let mut problem = missing_else(machine, id).warning().path(mine[0].path.clone());
            problem.set.insert(mine[0].constant.clone(), mine[0].values[0]);
            problem.message = format!(
                "`{}` has no `on_false`. With the constants as they are, `{}` always holds there; the flow gets \
                 stuck when {}",
                state.name,
                choice.text,
                either(&when),
            );
            problems.push(problem);
        }
    }
}

/// Returns the guards at which a flow gets stuck with other values of the law's constants, within a bound on the
/// work.
fn bites(law: &Law, vocabulary: Option<&Vocabulary>, set: &Overrides, machine: &Machine) -> Vec<Bite> {
    let used = used_names(law);
    let mut bites: Vec<Bite> = Vec::new();
    let mut work = 0;
    for (name, constant) in machine.constants.iter().filter(|(name, _)| used.contains(name)) {
        let Constant::Number(now) = constant else { continue };
        let first = bites.len();
        for value in tried(*now) {
            if work > MAX_SWEEPING {
                return bites;
            }
            let mut other = set.clone();
            other.insert(name.clone(), value);
            let Ok(machine) = Machine::bind(law, vocabulary, &other) else { continue };
            let Some(layout) = Layout::of(&machine) else { continue };
            let mut walker = Walker::new(&machine, layout);
            let walk = walk(&mut walker, SWEPT_CONFIGURATIONS);
            work += walk.codes.len() + law.source.len() / 10;
            for (state, arrival) in &walk.found.stuck {
                match bites[first..].iter_mut().find(|bite| bite.state == *state) {
                    Some(bite) => bite.values.push(value),
                    None => bites.push(Bite {
                        state: *state,
                        constant: name.clone(),
                        values: vec![value],
                        path: walk.path_of(&walker, *arrival),
                    }),
                }
            }
        }
    }
    bites
}

fn either(when: &[String]) -> String {
    format!("{} (one constant changed at a time)", when.join(", or when "))
}

/// The values of one constant with which a flow gets stuck at a guard.
struct Bite {
    state: StateId,
    constant: String,
    values: Vec<i64>,
    path: Trail,
}

impl Bite {
    fn tried(&self, machine: &Machine) -> impl Iterator<Item = i64> + use<> {
        tried(machine.number(&self.constant, 0))
    }

    /// Describes the values that are safe; `None` if there are none.
    fn safe_values(&self, machine: &Machine) -> Option<String> {
        let safe: Vec<i64> = self.tried(machine).filter(|value| !self.values.contains(value)).collect();
        (!safe.is_empty()).then(|| self.text(&safe, machine))
    }

    /// Describes some values, such as `max_repeat_loops is 4 or more`. Above the largest number in any comparison,
    /// and below zero, all values are alike; otherwise only values that were tried are named.
    fn text(&self, values: &[i64], machine: &Machine) -> String {
        let tried: Vec<i64> = self.tried(machine).collect();
        let (least, last) = (tried.first().copied(), tried.last().copied());
        let is_last = |value: i64| Some(value) == last && value > largest_number(machine);
        let mut parts = Vec::new();
        let mut values = values.iter().copied().peekable();
        while let Some(first) = values.next() {
            let mut end = first;
            while let Some(next) = values.next_if(|next| Some(*next) == end.checked_add(1)) {
                end = next;
            }
            parts.push(match (first, end) {
                (first, end) if is_last(end) => format!("{first} or more"),
                (first, end) if Some(first) == least => format!("{end} or less"),
                (first, end) if first == end => first.to_string(),
                (first, end) => format!("{first} to {end}"),
            });
        }
        format!("{} is {}", self.constant, parts.join(" or "))
    }
}

/// Returns the other values that a constant is tried with: those around zero, and those around its own.
fn tried(now: i64) -> impl Iterator<Item = i64> {
    let around = now.saturating_sub(SWEPT)..=now.saturating_add(SWEPT);
    let values: BTreeSet<i64> = (-1..=SWEPT).chain(around).filter(|value| *value >= now.min(-1)).collect();
    values.into_iter().filter(move |value| *value != now)
}

/// Returns the largest number in any comparison.
fn largest_number(machine: &Machine) -> i64 {
    fn largest(test: &Test) -> i64 {
        match test {
            Test::Compare(_, _, value) => *value,
            Test::Not(inner) => largest(inner),
            Test::And(a, b) | Test::Or(a, b) => largest(a).max(largest(b)),
            Test::CompareCounters(..) | Test::Fact(_) | Test::Always(_) => 0,
        }
    }
    let guards = machine.states.iter().flat_map(|state| state.choice.iter().map(|choice| &choice.test));
    let requires = machine.states.iter().flat_map(|state| &state.require);
    let invariants = machine.invariants.iter().map(|(test, _)| test);
    guards.chain(requires).chain(invariants).map(largest).max().unwrap_or(0)
}
