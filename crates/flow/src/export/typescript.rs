//! Exports a machine as TypeScript: types for every name, a table that the compiler checks, and a pure `step`.

use crate::export::{comparable, heading, is_comparison, without_brackets};
use crate::guard::Op;
use crate::machine::{After, Edge, Growth, Machine, Move, StateId, Test};
use crate::text::test_text;
use std::fmt::Write;

/// The part of the code that is the same for every law: the types of the table, and the functions that walk it.
const STEP: &str = include_str!("step.ts");

pub(super) fn write(machine: &Machine) -> String {
    let mut out = String::new();
    for line in heading(machine) {
        let _ = writeln!(out, "// {line}");
    }
    out.push('\n');
    union(&mut out, "State", machine.states().map(|id| machine.state_name(id)));
    union(&mut out, "Event", machine.event_names());
    union(&mut out, "Action", machine.action_names());
    union(&mut out, "Fact", machine.fact_names());
    union(&mut out, "Outcome", machine.outcome_names.iter().map(String::as_str));
    union(&mut out, "Counter", machine.counter_names());
    out.push('\n');
    constants(machine, &mut out);
    out.push_str("\nexport const states = {\n");
    for id in machine.states() {
        state(machine, id, &mut out);
    }
    out.push_str("} as const satisfies Readonly<Record<State, Rule>>;\n");
    deadlines(machine, &mut out);
    out + STEP
}

fn union<'n>(out: &mut String, name: &str, members: impl Iterator<Item = &'n str>) {
    let members: Vec<String> = members.map(|member| format!("\n  | {}", quoted(member))).collect();
    let members = if members.is_empty() { " never".to_owned() } else { members.concat() };
    let _ = writeln!(out, "export type {name} ={members};");
}

fn constants(machine: &Machine, out: &mut String) {
    for (name, value) in
        [("session", &machine.session), ("version", &machine.version), ("hash", &machine.hash)]
    {
        let _ = writeln!(out, "export const {name} = {};", quoted(value));
    }
    let _ = writeln!(out, "export const initial: State = {};", quoted(machine.state_name(machine.initial)));
    let starts = machine.counters.iter().map(|counter| format!("{}: {}", key(&counter.name), counter.start));
    let _ = writeln!(out, "export const start: Counters = {};", object(starts));
    let invariants: Vec<String> =
        machine.invariants.iter().map(|(test, _)| format!("\n  {},", promised(machine, test))).collect();
    let end = if invariants.is_empty() { "" } else { "\n" };
    let _ = writeln!(out, "const invariants: readonly Promised[] = [{}{end}];", invariants.concat());
}

fn state(machine: &Machine, id: StateId, out: &mut String) {
    let state = &machine.states[id.index()];
    let _ = writeln!(out, "  {}: {{", key(&state.name));
    if state.is_final {
        out.push_str("    isFinal: true,\n");
    }
    if !state.attributes.is_empty() {
        let attributes = state.attributes.iter();
        let members = attributes.map(|(name, value)| format!("{}: {}", key(&name.name), quoted(&value.name)));
        let _ = writeln!(out, "    attributes: {},", object(members));
    }
    let outcomes = state.outcomes.iter().map(|outcome| quoted(machine.outcome_name(*outcome)));
    let entry = machine.entry(id).iter().map(|action| quoted(machine.action_name(*action)));
    let timers = machine.timers(id).iter().map(|after| timer(machine, after, None));
    list(out, "outcomes", outcomes);
    list(out, "entry", entry);
    list(out, "moves", moves(machine, machine.moves(&state.entry_moves)));
    list(out, "after", timers);
    list(out, "require", state.require.iter().map(|test| promised(machine, test)));
    list(out, "given", state.given.tests().map(|test| promised(machine, &test)));
    jumps(machine, id, out);
    out.push_str("  },\n");
}

/// Writes a timer or, with the states that it covers, a deadline.
fn timer(machine: &Machine, after: &After, within: Option<String>) -> String {
    let within = within.map(|states| format!("within: [{states}]"));
    let event = format!("event: {}", quoted(machine.event_name(after.event)));
    let grows = after.growth.map(|growth| {
        let counter = quoted(&machine.counters[growth.counter as usize].name);
        let Growth { most, factor, from, .. } = growth;
        format!("grows: {{ most: {most}, factor: {factor}, counter: {counter}, from: {from} }}")
    });
    object(within.into_iter().chain([format!("millis: {}", after.millis), event]).chain(grows))
}

fn deadlines(machine: &Machine, out: &mut String) {
    let mut found = String::new();
    for region in &machine.regions {
        let states: Vec<String> = region.states.iter().map(|id| quoted(machine.state_name(*id))).collect();
        for after in &region.deadlines {
            let _ = writeln!(found, "  {},", timer(machine, after, Some(states.join(", "))));
        }
    }
    if !found.is_empty() {
        out.push_str(
            "\n/** Each starts when a flow comes into its states, and runs until it leaves them. */\n",
        );
        let _ = writeln!(out, "export const deadlines: readonly Deadline[] = [\n{found}];");
        out.push_str("export type Deadline = Timer & { readonly within: readonly State[] };\n");
    }
}

fn jumps(machine: &Machine, id: StateId, out: &mut String) {
    let edges = machine.edges_of(id);
    if !edges.is_empty() {
        out.push_str("    on: [\n");
        for edge in edges {
            let event = format!("event: {}", quoted(machine.event_name(edge.event)));
            let members = std::iter::once(event).chain(jump(machine, edge));
            let _ = writeln!(out, "      {},", object(members));
        }
        out.push_str("    ],\n");
    }
    if let Some(choice) = &machine.states[id.index()].choice {
        out.push_str("    choice: {\n");
        let _ = writeln!(out, "      test: {},", arrow(machine, &choice.test));
        let _ = writeln!(out, "      yes: {},", object(jump(machine, &choice.yes)));
        if let Some(no) = &choice.no {
            let _ = writeln!(out, "      no: {},", object(jump(machine, no)));
        }
        out.push_str("    },\n");
    }
}

fn list(out: &mut String, name: &str, items: impl Iterator<Item = String>) {
    let items: Vec<String> = items.collect();
    if !items.is_empty() {
        let _ = writeln!(out, "    {name}: [{}],", items.join(", "));
    }
}

fn jump(machine: &Machine, edge: &Edge) -> impl Iterator<Item = String> {
    let target = edge.enters().map(|state| format!("target: {}", quoted(machine.state_name(state))));
    let moves: Vec<String> = moves(machine, machine.moves(&edge.moves)).collect();
    let moves = (!moves.is_empty()).then(|| format!("moves: [{}]", moves.join(", ")));
    let outcome = edge.outcome.map(|outcome| format!("outcome: {}", quoted(machine.outcome_name(outcome))));
    target.into_iter().chain(moves).chain(outcome)
}

fn moves(machine: &Machine, moves: &[Move]) -> impl Iterator<Item = String> {
    moves.iter().map(|mv| match mv {
        Move::Count(counter) => format!("{{ count: {} }}", quoted(&machine.counters[*counter as usize].name)),
        Move::Reset(counter) => format!("{{ reset: {} }}", quoted(&machine.counters[*counter as usize].name)),
    })
}

fn promised(machine: &Machine, test: &Test) -> String {
    format!("{{ text: {}, test: {} }}", quoted(&test_text(machine, test)), arrow(machine, test))
}

/// Writes a guard as a function of the counters and facts that it reads.
fn arrow(machine: &Machine, test: &Test) -> String {
    let expression = without_brackets(test, expression(machine, test));
    match (reads(test, &|test| matches!(test, Test::Fact(_))), reads(test, &is_comparison)) {
        (true, true) => format!("(count, facts) => {expression}"),
        (true, false) => format!("(_, facts) => {expression}"),
        (false, true) => format!("(count) => {expression}"),
        (false, false) => format!("() => {expression}"),
    }
}

fn reads(test: &Test, wanted: &dyn Fn(&Test) -> bool) -> bool {
    match test {
        Test::Not(inner) => reads(inner, wanted),
        Test::And(a, b) | Test::Or(a, b) => reads(a, wanted) || reads(b, wanted),
        leaf => wanted(leaf),
    }
}

fn expression(machine: &Machine, test: &Test) -> String {
    let count = |counter: &u8| member(&machine.counters[*counter as usize].name);
    match test {
        Test::Compare(counter, op, value) => {
            format!("{} {} {}", side(*op, count(counter)), sign(*op), comparable(*value))
        }
        Test::CompareCounters(a, op, b) => format!("{} {} {}", side(*op, count(a)), sign(*op), count(b)),
        Test::Fact(fact) => format!("facts.has({})", quoted(&machine.fact_names[*fact as usize])),
        Test::Not(inner) if is_comparison(inner) => format!("!({})", expression(machine, inner)),
        Test::Not(inner) => format!("!{}", expression(machine, inner)),
        Test::And(a, b) => format!("({} && {})", expression(machine, a), expression(machine, b)),
        Test::Or(a, b) => format!("({} || {})", expression(machine, a), expression(machine, b)),
        Test::Always(value) => value.to_string(),
    }
}

/// Writes the left side of a comparison. After `n === 3` the compiler takes `n === 4` for a mistake, because it has
/// narrowed the type of `n`. It does not narrow `+n`.
fn side(op: Op, count: String) -> String {
    match op {
        Op::Equal | Op::NotEqual => format!("+{count}"),
        _ => count,
    }
}

fn sign(op: Op) -> &'static str {
    match op {
        Op::Equal => "===",
        Op::NotEqual => "!==",
        other => other.as_str(),
    }
}

fn member(name: &str) -> String {
    if is_plain(name) { format!("count.{name}") } else { format!("count[{}]", quoted(name)) }
}

/// Writes a key of an object literal. Only in brackets is `__proto__` a key like any other.
fn key(name: &str) -> String {
    match name {
        "__proto__" => format!("[{}]", quoted(name)),
        plain if is_plain(plain) => plain.to_owned(),
        other => quoted(other),
    }
}

fn is_plain(name: &str) -> bool {
    name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

fn object(members: impl Iterator<Item = String>) -> String {
    let members: Vec<String> = members.collect();
    if members.is_empty() { "{}".to_owned() } else { format!("{{ {} }}", members.join(", ")) }
}

fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}
