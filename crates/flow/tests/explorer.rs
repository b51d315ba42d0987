//! Checks the proof against a second opinion: random laws, walked by an interpreter that shares nothing with the
//! engine.
//!
//! A random law is generated as a model, written as YAML, and walked breadth-first as the documentation describes.
//! The proof must find what this walk finds, and a flow must take the same steps.

use crate::export::dice::Dice;
use flow::{Bounds, Code, EventId, Facts, Law, Machine, Overrides, Refused};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet, VecDeque};
use std::fmt::Write;

const LAWS: u64 = 1_500;
const EVENTS: [&str; 4] = ["ask", "nod", "report_done", "failed"];
const DEADLINE: &str = "expired";
const PAUSE: &str = "retry";
/// Greater than every number in a guard.
const CEILING: u32 = 5;

#[derive(Debug, Clone)]
enum Test {
    Fact(usize),
    AtLeast(usize, u32),
    Both(Box<Test>, Box<Test>),
    Not(Box<Test>),
}

#[derive(Debug, Clone, Default)]
struct Jump {
    /// `None` means to stay.
    target: Option<String>,
    count: Option<usize>,
    reset: Option<usize>,
}

#[derive(Debug, Clone)]
enum Kind {
    Waits {
        on: BTreeMap<String, Jump>,
        pause: bool,
    },
    Decides {
        test: Test,
        yes: Jump,
        no: Option<Jump>,
    },
    Ends,
    /// Leads to a state and resets counters, as on entering a law that is used.
    LeadsTo(String, Vec<usize>),
}

/// A law as the interpreter sees it: one flat list of states.
#[derive(Debug, Clone, Default)]
struct Model {
    states: Vec<(String, Kind)>,
    /// The members of the group with a deadline.
    group: BTreeSet<String>,
    invariant: Option<(usize, u32)>,
    counters: Vec<String>,
}

type At = (usize, Vec<u32>);

enum Went {
    To(At),
    Stuck(At),
    Endless,
}

impl Model {
    fn find(&self, name: &str) -> usize {
        self.states.iter().position(|(known, _)| known == name).expect("a state of the model")
    }

    fn jump(&self, at: &At, event: &str) -> Option<Jump> {
        match &self.states[at.0].1 {
            Kind::Waits { on, .. } => on.get(event).cloned(),
            _ => None,
        }
    }

    fn follow(&self, at: &At, jump: &Jump, facts: u64) -> Went {
        let counters = moved(at.1.clone(), jump);
        match &jump.target {
            None => Went::To((at.0, counters)),
            Some(target) => self.enter(self.find(target), counters, facts),
        }
    }

    fn enter(&self, mut state: usize, mut counters: Vec<u32>, facts: u64) -> Went {
        for _ in 0..flow::MAX_CHAIN {
            let jump = match &self.states[state].1 {
                Kind::Waits { .. } | Kind::Ends => return Went::To((state, counters)),
                Kind::LeadsTo(target, reset) => {
                    reset.iter().for_each(|counter| counters[*counter] = 0);
                    Jump { target: Some(target.clone()), ..Jump::default() }
                }
                Kind::Decides { test, yes, no } => match (holds(test, &counters, facts), no) {
                    (true, _) => yes.clone(),
                    (false, Some(no)) => no.clone(),
                    (false, None) => return Went::Stuck((state, counters)),
                },
            };
            counters = moved(counters, &jump);
            state = self.find(jump.target.as_ref().expect("a guard leads on"));
        }
        Went::Endless
    }

    fn is_silent(&self, at: &At, event: &str) -> bool {
        let (name, kind) = &self.states[at.0];
        let is_pause = matches!(kind, Kind::Waits { pause: true, .. }) && event == PAUSE;
        matches!(event, "report_done" | "failed")
            || is_pause
            || event == DEADLINE && self.group.contains(name)
    }
}

fn moved(mut counters: Vec<u32>, jump: &Jump) -> Vec<u32> {
    if let Some(counter) = jump.count {
        counters[counter] = (counters[counter] + 1).min(CEILING);
    }
    if let Some(counter) = jump.reset {
        counters[counter] = 0;
    }
    counters
}

fn holds(test: &Test, counters: &[u32], facts: u64) -> bool {
    match test {
        Test::Fact(fact) => facts >> fact & 1 == 1,
        Test::AtLeast(counter, number) => counters[*counter] >= *number,
        Test::Both(a, b) => holds(a, counters, facts) && holds(b, counters, facts),
        Test::Not(a) => !holds(a, counters, facts),
    }
}

/// The findings of a complete walk.
#[derive(Debug, Default, PartialEq, Eq)]
struct Shown {
    unreached: BTreeSet<String>,
    stuck: BTreeSet<String>,
    is_endless: bool,
    loops: bool,
    traps: bool,
    breaks_invariant: bool,
}

fn explore(model: &Model) -> Shown {
    let mut shown = Shown::default();
    let mut entered: HashSet<usize> = HashSet::new();
    let mut steps: HashMap<At, Vec<(At, bool)>> = HashMap::new();
    let mut ends: HashSet<At> = HashSet::new();
    let mut queue: VecDeque<At> = VecDeque::new();
    let note = |went: Went, shown: &mut Shown| match went {
        Went::To(at) => Some(at),
        Went::Stuck(at) => {
            shown.stuck.insert(model.states[at.0].0.clone());
            Some(at)
        }
        Went::Endless => {
            shown.is_endless = true;
            None
        }
    };
    let start = vec![0; model.counters.len()];
    for facts in 0..4 {
        queue.extend(note(model.enter(0, start.clone(), facts), &mut shown));
    }
    while let Some(at) = queue.pop_front() {
        if steps.contains_key(&at) {
            continue;
        }
        let mut next = Vec::new();
        for event in EVENTS.into_iter().chain([DEADLINE, PAUSE]) {
            let Some(jump) = model.jump(&at, event) else { continue };
            for facts in 0..4 {
                match note(model.follow(&at, &jump, facts), &mut shown) {
                    Some(to) => {
                        next.push((to.clone(), model.is_silent(&at, event)));
                        queue.push_back(to);
                    }
                    // Guards that never rest are reported elsewhere and are no trap.
                    None => drop(ends.insert(at.clone())),
                }
            }
        }
        if next.is_empty() {
            ends.insert(at.clone());
        }
        if let Some((counter, most)) = model.invariant {
            shown.breaks_invariant |= at.1[counter] > most;
        }
        steps.insert(at, next);
    }
    entered.extend(passed(model, &steps));
    let names = model.states.iter().enumerate().filter(|(at, _)| !entered.contains(at));
    shown.unreached = names.map(|(_, (name, _))| name.clone()).collect();
    shown.loops = has_silent_circle(&steps);
    shown.traps = has_trap(&steps, &ends);
    shown
}

/// Returns every state that a step enters or passes, found by trying all steps again.
fn passed(model: &Model, steps: &HashMap<At, Vec<(At, bool)>>) -> HashSet<usize> {
    let mut seen = HashSet::new();
    let mut trace = |mut state: usize, mut counters: Vec<u32>, facts: u64| {
        for _ in 0..flow::MAX_CHAIN {
            seen.insert(state);
            let jump = match &model.states[state].1 {
                Kind::Decides { test, yes, no } => match holds(test, &counters, facts) {
                    true => yes.clone(),
                    false => no.clone().unwrap_or_default(),
                },
                Kind::LeadsTo(target, reset) => {
                    reset.iter().for_each(|counter| counters[*counter] = 0);
                    Jump { target: Some(target.clone()), ..Jump::default() }
                }
                _ => return,
            };
            let Some(target) = &jump.target else { return };
            state = model.find(target);
            counters = moved(counters, &jump);
        }
    };
    for facts in 0..4 {
        trace(0, vec![0; model.counters.len()], facts);
        for at in steps.keys() {
            for event in EVENTS.into_iter().chain([DEADLINE, PAUSE]) {
                let Some(jump) = model.jump(at, event) else { continue };
                if let Some(target) = &jump.target {
                    trace(model.find(target), moved(at.1.clone(), &jump), facts);
                }
            }
        }
    }
    seen
}

/// Whether there is a cycle of silent steps: removes configurations without a silent step to a remaining one until
/// none can be removed.
fn has_silent_circle(steps: &HashMap<At, Vec<(At, bool)>>) -> bool {
    let mut left: HashSet<&At> = steps.keys().collect();
    loop {
        let before = left.len();
        let goes_on = |at: &&At| steps[*at].iter().any(|(to, is_silent)| *is_silent && left.contains(to));
        let kept: HashSet<&At> = left.iter().copied().filter(goes_on).collect();
        left = kept;
        if left.len() == before {
            return !left.is_empty();
        }
    }
}

fn has_trap(steps: &HashMap<At, Vec<(At, bool)>>, ends: &HashSet<At>) -> bool {
    let mut good: HashSet<&At> = steps.keys().filter(|at| ends.contains(*at)).collect();
    loop {
        let before = good.len();
        let more: Vec<&At> =
            steps.keys().filter(|at| steps[*at].iter().any(|(to, _)| good.contains(to))).collect();
        good.extend(more);
        if good.len() == before {
            return good.len() < steps.len();
        }
    }
}

/// Generates a random law: the model and its text.
fn throw(dice: &mut Dice) -> (Model, String) {
    let mut model = Model { counters: vec!["n".into(), "m".into()], ..Model::default() };
    let many = 4 + dice.below(4);
    let names: Vec<String> = (0..many).map(|at| format!("S{at}")).collect();
    let uses = dice.percent(40);
    let targets: Vec<String> = names.iter().cloned().chain(uses.then(|| "U".to_owned())).collect();
    for (at, name) in names.iter().enumerate() {
        let kind = match dice.below(10) {
            _ if at == many - 1 => Kind::Ends,
            0..=2 if at > 0 => decision(&targets, 2, dice),
            _ => waiting(&targets, 2, dice),
        };
        model.states.push((name.clone(), kind));
    }
    if dice.percent(50) {
        let waits = model.states.iter().filter(|(_, kind)| matches!(kind, Kind::Waits { .. }));
        model.group = waits.map(|(name, _)| name.clone()).filter(|_| dice.percent(60)).collect();
        let late = dice.one_of(&names.iter().map(String::as_str).collect::<Vec<_>>()).to_owned();
        for (name, kind) in &mut model.states {
            if let Kind::Waits { on, .. } = kind
                && model.group.contains(name)
            {
                on.insert(DEADLINE.into(), Jump { target: Some(late.clone()), ..Jump::default() });
            }
        }
    }
    if dice.percent(50) {
        model.invariant = Some((dice.below(2), 1 + dice.below(3) as u32));
    }
    let mut text = format!(
        "session: Thrown\nversion: 1\nfacts: [early, late]\nevents: {{ask: learner, nod: learner, report_done: machine, failed: machine, {DEADLINE}: learner, {PAUSE}: learner}}\ncounters: {{n: 0, m: 0}}\nstates:\n"
    );
    for (name, kind) in &model.states {
        write_state(&mut text, "  ", name, kind, &model.counters);
    }
    if !model.group.is_empty() {
        let members: Vec<&str> = model.group.iter().map(String::as_str).collect();
        let _ = writeln!(text, "  any of [{}]: {{after: {{5m: {DEADLINE}}}}}", members.join(", "));
    }
    if uses {
        use_law(&mut model, &mut text, &names, dice);
    }
    if let Some((counter, most)) = model.invariant {
        let _ = writeln!(text, "invariants: [\"{} <= {most}\"]", model.counters[counter]);
    }
    (model, text)
}

/// Adds a law inside the law: two states that wait, a guard, and an end with two outcomes.
fn use_law(model: &mut Model, text: &mut String, names: &[String], dice: &mut Dice) {
    model.counters.push("U-k".into());
    let target =
        |dice: &mut Dice| dice.one_of(&names.iter().map(String::as_str).collect::<Vec<_>>()).to_owned();
    let (good, bad, left) = (target(dice), target(dice), target(dice));
    let to = |target: &str| Jump { target: Some(target.to_owned()), ..Jump::default() };
    let counting = |target: &str| Jump { count: Some(2), ..to(target) };
    let limit = 1 + dice.below(3) as u32;
    let wait = |on: &[(&str, Jump)]| {
        let own = on.iter().map(|(event, jump)| ((*event).to_owned(), jump.clone()));
        // `ask` is a user's event, taken by all states inside.
        let on = own.chain([("ask".to_owned(), to(&left))]).collect();
        Kind::Waits { on, pause: false }
    };
    model.states.push(("U".into(), Kind::LeadsTo("U-A".into(), vec![2])));
    model.states.push(("U-A".into(), wait(&[("nod", counting("U-G")), ("failed", to(&bad))])));
    model.states.push(("U-B".into(), wait(&[("nod", to("U-A"))])));
    let test = Test::AtLeast(2, limit);
    model.states.push(("U-G".into(), Kind::Decides { test, yes: to(&good), no: Some(to("U-B")) }));
    let _ = write!(
        text,
        "  U:\n    use: inner\n    on: {{good: {good}, bad: {bad}, ask: {left}}}\nlaws:\n  inner:\n    session: Inner\n    version: 1\n    \
         counters: {{k: 0}}\n    context: {{limit: {limit}}}\n    states:\n      A: {{on: {{nod: {{target: G, count: k}}, failed: {{target: E, outcome: bad}}}}}}\n      \
         B: {{on: {{nod: A}}}}\n      G: {{guard: k >= limit, on_true: {{target: E, outcome: good}}, on_false: B}}\n      \
         E: {{type: final, outcomes: [good, bad]}}\n"
    );
}

fn decision(targets: &[String], counters: usize, dice: &mut Dice) -> Kind {
    let no = dice.percent(85).then(|| jump(targets, counters, false, dice));
    Kind::Decides { test: test(counters, 1, dice), yes: jump(targets, counters, false, dice), no }
}

fn waiting(targets: &[String], counters: usize, dice: &mut Dice) -> Kind {
    let mut on = BTreeMap::new();
    for event in EVENTS {
        if dice.percent(45) {
            let may_stay = matches!(event, "ask" | "nod");
            on.insert(event.to_owned(), jump(targets, counters, may_stay, dice));
        }
    }
    let pause = dice.percent(25);
    if pause || on.is_empty() {
        on.insert(PAUSE.to_owned(), Jump { count: Some(0), ..jump(targets, counters, false, dice) });
    }
    Kind::Waits { on, pause }
}

fn jump(targets: &[String], counters: usize, may_stay: bool, dice: &mut Dice) -> Jump {
    let names: Vec<&str> = targets.iter().map(String::as_str).collect();
    Jump {
        target: (!(may_stay && dice.percent(25))).then(|| dice.one_of(&names).to_owned()),
        count: dice.percent(40).then(|| dice.below(counters)),
        reset: dice.percent(15).then(|| dice.below(counters)),
    }
}

fn test(counters: usize, depth: usize, dice: &mut Dice) -> Test {
    match dice.below(if depth == 0 { 2 } else { 4 }) {
        0 => Test::Fact(dice.below(2)),
        1 => Test::AtLeast(dice.below(counters), 1 + dice.below(3) as u32),
        2 => Test::Both(Box::new(test(counters, 0, dice)), Box::new(test(counters, 0, dice))),
        _ => Test::Not(Box::new(test(counters, 0, dice))),
    }
}

fn write_state(text: &mut String, indent: &str, name: &str, kind: &Kind, counters: &[String]) {
    let _ = match kind {
        Kind::Ends | Kind::LeadsTo(..) => writeln!(text, "{indent}{name}: {{type: final}}"),
        Kind::Waits { on, pause } => {
            let on: Vec<String> =
                on.iter().map(|(event, jump)| format!("{event}: {}", jump_text(jump, counters))).collect();
            let after = if *pause { format!(", after: {{1s..1m x2 by n: {PAUSE}}}") } else { String::new() };
            writeln!(text, "{indent}{name}: {{on: {{{}}}{after}}}", on.join(", "))
        }
        Kind::Decides { test, yes, no } => {
            let no =
                no.as_ref().map_or(String::new(), |no| format!(", on_false: {}", jump_text(no, counters)));
            let yes = jump_text(yes, counters);
            writeln!(text, "{indent}{name}: {{guard: \"{}\", on_true: {yes}{no}}}", test_text(test, counters))
        }
    };
}

fn jump_text(jump: &Jump, counters: &[String]) -> String {
    let mut text = format!("{{target: {}", jump.target.as_deref().unwrap_or("stay"));
    if let Some(counter) = jump.count {
        let _ = write!(text, ", count: {}", counters[counter]);
    }
    if let Some(counter) = jump.reset {
        let _ = write!(text, ", reset: {}", counters[counter]);
    }
    text + "}"
}

fn test_text(test: &Test, counters: &[String]) -> String {
    match test {
        Test::Fact(fact) => ["early", "late"][*fact].to_owned(),
        Test::AtLeast(counter, number) => format!("{} >= {number}", counters[*counter]),
        Test::Both(a, b) => format!("({} and {})", test_text(a, counters), test_text(b, counters)),
        Test::Not(a) => format!("not ({})", test_text(a, counters)),
    }
}

/// Returns the machine and the proof's findings, in the terms of the walk.
fn proved(text: &str) -> (Machine, Shown) {
    let law = Law::read(text).unwrap_or_else(|problems| panic!("{text}\n{problems:#?}"));
    let report = flow::check(&law, None, &Overrides::new(), Bounds::default());
    let report = report.unwrap_or_else(|problems| panic!("{text}\n{problems:#?}"));
    assert!(report.complete, "{text}");
    let states = |code: Code| {
        let found =
            report.problems.iter().filter(move |p| p.code == code && p.severity == flow::Severity::Error);
        found.filter_map(|problem| problem.state.clone()).collect::<BTreeSet<String>>()
    };
    let any = |code: Code| report.problems.iter().any(|problem| problem.code == code);
    let unreached = report.problems.iter().filter(|problem| problem.code == Code::UnreachableState);
    let shown = Shown {
        unreached: unreached.filter_map(|problem| problem.state.clone()).collect(),
        stuck: states(Code::MissingElse),
        is_endless: any(Code::EndlessChain),
        loops: any(Code::SilentLoop),
        traps: any(Code::NoWayOut),
        breaks_invariant: any(Code::BrokenInvariant),
    };
    for problem in report.problems.iter().filter(|problem| !problem.path.is_empty()) {
        replays(text, &law, problem);
    }
    (Machine::bind(&law, None, &Overrides::new()).expect("it was bound before"), shown)
}

/// Checks that the path of a problem, with its facts, can be walked up to its last step.
fn replays(text: &str, law: &Law, problem: &flow::Problem) {
    let machine = Machine::bind(law, None, &problem.set).expect("it was bound before");
    let machine = match problem.code {
        Code::BrokenInvariant => machine,
        _ => machine.without_invariants(),
    };
    let facts = |at: usize| {
        let names = problem.facts.get(at).into_iter().flatten();
        names
            .fold(Facts::default(), |facts, name| facts.with(machine.fact_named(name).expect("a fact"), true))
    };
    let begun = flow::begin(&machine, facts(0));
    let Ok(mut at) = begun.map(|step| step.to) else { return };
    for (number, event) in problem.path.iter().enumerate() {
        let event = machine.event_named(event).expect("an event of the law");
        match flow::step(&machine, &at, event, facts(number + 1)) {
            Ok(step) => at = step.to,
            Err(refused) => {
                let is_meant = matches!(problem.code, Code::BrokenInvariant | Code::EndlessChain);
                let is_meant = is_meant && matches!(refused, Refused::Broken { .. });
                assert!(is_meant, "{text}\n{problem:#?}\n{refused:?}");
                return;
            }
        }
    }
    let ends_there =
        matches!(problem.code, Code::MissingElse | Code::BrokenInvariant | Code::NoWayOut | Code::DeadEnd);
    if ends_there {
        assert_eq!(problem.state.as_deref(), Some(machine.state_name(at.state)), "{text}\n{problem:#?}");
    }
}

/// Sends the same random events to the model and the machine.
fn walk_together(model: &Model, machine: &Machine, text: &str, dice: &mut Dice) -> usize {
    let facts = dice.below(4) as u64;
    let begun = flow::begin(machine, Facts(facts));
    let Went::To(mut here) = model.enter(0, vec![0; model.counters.len()], facts) else { return 0 };
    let Ok(mut there) = begun.map(|step| step.to) else { return 0 };
    for step in 0..12 {
        let event = EventId(dice.below(machine.event_names().count()) as u16);
        let (name, facts) = (machine.event_name(event), dice.below(4) as u64);
        let expected = model.jump(&here, name).map(|jump| model.follow(&here, &jump, facts));
        let is_kept = |at: &At| model.invariant.is_none_or(|(counter, most)| at.1[counter] <= most);
        match (flow::step(machine, &there, event, Facts(facts)), expected) {
            (Ok(step), Some(Went::To(at) | Went::Stuck(at))) => {
                let counters = step.to.counters.map(|value| value.min(CEILING));
                assert_eq!(machine.state_name(step.to.state), model.states[at.0].0, "{text}");
                assert_eq!(counters[..at.1.len()], at.1, "{text}");
                (here, there) = (at, step.to);
            }
            (Err(Refused::Broken { .. }), Some(Went::Endless)) => return step,
            (Err(Refused::Broken { .. }), Some(Went::To(at) | Went::Stuck(at))) if !is_kept(&at) => {
                return step;
            }
            (Err(Refused::NotNow { .. } | Refused::Over { .. }), None) => {}
            (found, _) => panic!("{text}\n{name} in {} gives {found:?}", model.states[here.0].0),
        }
    }
    12
}

#[test]
fn proof_and_run_agree_with_a_second_opinion() {
    let mut seen: BTreeMap<&str, usize> = BTreeMap::new();
    for seed in 0..LAWS {
        let mut dice = Dice::new(seed);
        let (model, text) = throw(&mut dice);
        let (machine, mut found) = proved(&text);
        let mut expected = explore(&model);
        if expected.is_endless {
            // A run through guards that never rests is refused, so its counters on the way mean nothing.
            (found.breaks_invariant, expected.breaks_invariant) = (false, false);
        }
        assert_eq!(found, expected, "{text}");
        let mut count = |what, is_so: bool| *seen.entry(what).or_default() += usize::from(is_so);
        count("deadlines", !model.group.is_empty());
        count("laws inside", model.counters.len() > 2);
        count("loops", expected.loops);
        count("stuck", !expected.stuck.is_empty());
        count("traps", expected.traps);
        count("broken invariants", expected.breaks_invariant);
        count("clean", expected == Shown { unreached: expected.unreached.clone(), ..Shown::default() });
        for _ in 0..10 {
            count("steps", walk_together(&model, &machine, &text, &mut dice) > 5);
        }
    }
    assert!(seen.values().all(|many| *many >= 20), "too few laws of some kind: {seen:?}");
}
