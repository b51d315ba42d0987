//! Exports a machine as Kotlin: sealed types for every name, and a pure `step` that needs no library.

use crate::export::identifiers::{camel, identifiers, pascal};
use crate::export::{comparable, heading, is_comparison, without_brackets};
use crate::law::Named;
use crate::machine::{After, Edge, Machine, Move, State, StateId, Test};
use crate::text::test_text;
use std::fmt::Write;

/// The part of the code that is the same for every law.
const STEP: &str = include_str!("step.kt");

/// Names that no type of a law may have, because it would hide a type that its own declaration mentions.
const RESERVED_TYPES: &str = "Action Companion Event Fact List Outcome State String";

const KEYWORDS: &str = "as break class continue do else false for fun if in interface is null object package return \
                        super this throw true try typealias typeof val var when while";

pub(super) fn write(machine: &Machine) -> String {
    let mut code = Code::new(machine);
    code.heading();
    code.types();
    code.counters();
    code.out.push_str(STEP);
    code.jumps();
    code.decisions();
    code.entries();
    code.arrivals();
    code.timers();
    code.attributes();
    code.endings();
    code.promises();
    code.out
}

struct Code<'m> {
    machine: &'m Machine,
    states: Vec<String>,
    events: Vec<String>,
    actions: Vec<String>,
    facts: Vec<String>,
    outcomes: Vec<String>,
    counters: Vec<String>,
    out: String,
}

impl<'m> Code<'m> {
    fn new(machine: &'m Machine) -> Code<'m> {
        let names = |names: &[String]| identifiers(names.iter().map(String::as_str), pascal, RESERVED_TYPES);
        let states = machine.states().map(|id| machine.state_name(id));
        Code {
            machine,
            states: identifiers(states, pascal, RESERVED_TYPES),
            events: names(&machine.event_names),
            actions: names(&machine.action_names),
            facts: names(&machine.fact_names),
            outcomes: names(&machine.outcome_names),
            counters: identifiers(machine.counter_names(), camel, KEYWORDS),
            out: String::new(),
        }
    }

    fn heading(&mut self) {
        for line in heading(self.machine) {
            self.line(&format!("// {line}"));
        }
        self.line(&format!("package {}", package(self.machine)));
    }

    fn types(&mut self) {
        let machine = self.machine;
        let states = machine.states().map(|id| machine.state_name(id));
        let types = [
            sealed("State", &self.states, states),
            sealed("Event", &self.events, machine.event_names()),
            sealed("Action", &self.actions, machine.action_names()),
            sealed("Fact", &self.facts, machine.fact_names()),
            sealed("Outcome", &self.outcomes, machine.outcome_names.iter().map(String::as_str)),
        ];
        self.out += &types.concat();
    }

    fn counters(&mut self) {
        let known = self.counters.iter().zip(&self.machine.counters);
        let fields = known.clone().map(|(field, counter)| format!("val {field}: Long = {}", counter.start));
        let pairs = known.map(|(field, counter)| format!("{} to {field}", quoted(&counter.name)));
        let (fields, pairs) = (join(fields), join(pairs));
        // A data class cannot be empty.
        let (header, start) = match fields.as_str() {
            "" => ("data object Counters".to_owned(), "Counters"),
            fields => (format!("data class Counters({fields})"), "Counters()"),
        };
        self.line("\n/** How far each counter has come. */");
        self.line(&format!("{header} {{"));
        self.line("    /** By the names in the law. */");
        self.line(&format!("    fun named(): Map<String, Long> = mapOf({pairs})"));
        self.line("}");
        self.line(&format!("\nval initial: State = {}", self.state(self.machine.initial)));
        self.line(&format!("val start: Counters = {start}"));
    }

    fn jumps(&mut self) {
        self.line("\nprivate fun jump(state: State, event: Event, at: Counters): Jump? = when (state) {");
        for id in self.machine.states() {
            let state = self.state(id);
            let edges = self.machine.edges_of(id);
            if edges.is_empty() {
                self.line(&format!("    {state} -> null"));
                continue;
            }
            self.line(&format!("    {state} -> when (event) {{"));
            for edge in edges {
                let event = &self.events[edge.event.index()];
                self.line(&format!("        Event.{event} -> {}", self.jump(edge)));
            }
            self.line("        else -> null");
            self.line("    }");
        }
        self.line("}");
    }

    fn decisions(&mut self) {
        let signature = "decide(state: State, at: Counters, holds: (Fact) -> Boolean): Jump?";
        self.cases(signature, "null", |code, _, state| {
            let choice = state.choice.as_ref()?;
            let test = without_brackets(&choice.test, code.test(&choice.test));
            let no = choice.no.as_ref().map_or("null".to_owned(), |no| code.jump(no));
            let indent = " ".repeat(8);
            Some(format!("\n{indent}if ({test}) {}\n{indent}else {no}", code.jump(&choice.yes)))
        });
    }

    fn entries(&mut self) {
        self.cases("entry(state: State): List<Action>", "emptyList()", |code, id, _| {
            let actions = code.machine.entry(id).iter();
            let actions = join(actions.map(|action| format!("Action.{}", code.actions[action.index()])));
            (!actions.is_empty()).then(|| format!("listOf({actions})"))
        });
    }

    fn arrivals(&mut self) {
        self.cases("arrive(state: State, at: Counters): Counters", "at", |code, _, state| {
            let moves = code.machine.moves(&state.entry_moves);
            (!moves.is_empty()).then(|| code.moved(moves))
        });
    }

    fn timers(&mut self) {
        self.line("\n/** The timers of a state. */");
        let grow = self.machine.timers.iter().any(|after| after.growth.is_some());
        let counters = if grow { ", at: Counters = start" } else { "" };
        let signature = format!("timers(state: State{counters}): List<Timer>");
        self.public_cases(&signature, "emptyList()", |code, id, _| {
            let timers = join(code.machine.timers(id).iter().map(|after| code.timer(after)));
            (!timers.is_empty()).then(|| format!("listOf({timers})"))
        });
        let deadlines = self.machine.regions.iter().flat_map(|region| &region.deadlines);
        if grow || deadlines.into_iter().any(|after| after.growth.is_some()) {
            self.line("\nprivate fun grown(first: Long, factor: Long, rounds: Long, most: Long): Long =");
            self.line("    generateSequence(first) { minOf(it * factor, most) }.elementAt(rounds.coerceIn(0L, 64L).toInt())");
        }
        self.deadlines();
    }

    fn timer(&self, after: &After) -> String {
        let whole = |millis: u64| millis.min(i64::MAX as u64 / 100);
        let millis = match after.growth {
            None => format!("{}L", after.millis.min(i64::MAX as u64)),
            Some(growth) => format!(
                "grown({}L, {}L, at.{} - {}L, {}L)",
                whole(after.millis),
                growth.factor,
                self.counters[growth.counter as usize],
                growth.from,
                whole(growth.most)
            ),
        };
        format!("Timer({millis}, Event.{})", self.events[after.event.index()])
    }

    /// Writes the deadlines. A growing deadline grows with the counters at its start.
    fn deadlines(&mut self) {
        if !self.machine.has_deadlines() {
            return;
        }
        let mut found = Vec::new();
        for region in &self.machine.regions {
            let states = join(region.states.iter().map(|id| self.state(*id)));
            for after in &region.deadlines {
                found.push(format!("    Deadline(setOf({states})) {{ at -> {} }}", self.timer(after)));
            }
        }
        self.line("\n/** Starts when a flow comes into its states, and runs until it leaves them. */");
        self.line("class Deadline(val within: Set<State>, val timer: (Counters) -> Timer)");
        self.line(&format!("\nval deadlines: List<Deadline> = listOf(\n{}\n)", found.join(",\n")));
    }

    fn attributes(&mut self) {
        if self.machine.attributes.is_empty() {
            return;
        }
        self.line("\n/** What the law says about a state, by the names of its attributes. */");
        self.public_cases("attributes(state: State): Map<String, String>", "emptyMap()", |_, _, state| {
            let pair =
                |(name, value): &(Named, Named)| format!("{} to {}", quoted(&name.name), quoted(&value.name));
            let pairs = join(state.attributes.iter().map(pair));
            (!pairs.is_empty()).then(|| format!("mapOf({pairs})"))
        });
    }

    fn endings(&mut self) {
        self.line("");
        self.public_cases("isFinal(state: State): Boolean", "false", |_, _, state| {
            state.is_final.then(|| "true".to_owned())
        });
    }

    fn promises(&mut self) {
        let invariants = join(self.machine.invariants.iter().map(|(test, _)| self.promised(test)));
        self.line("\nprivate fun invariants(at: Counters, holds: (Fact) -> Boolean): List<Promised> =");
        self.line(&format!("    listOf({invariants})"));
        let signature = "requirements(state: State, at: Counters, holds: (Fact) -> Boolean): List<Promised>";
        self.cases(signature, "emptyList()", |code, _, state| {
            let promises = join(state.require.iter().map(|test| code.promised(test)));
            (!promises.is_empty()).then(|| format!("listOf({promises})"))
        });
        let signature = "given(state: State, at: Counters, holds: (Fact) -> Boolean): List<Promised>";
        self.cases(signature, "emptyList()", |code, _, state| {
            let promises = join(state.given.tests().map(|test| code.promised(&test)));
            (!promises.is_empty()).then(|| format!("listOf({promises})"))
        });
    }

    fn cases(
        &mut self,
        signature: &str,
        otherwise: &str,
        case: impl Fn(&Code<'m>, StateId, &State) -> Option<String>,
    ) {
        self.out.push_str("\nprivate ");
        self.public_cases(signature, otherwise, case);
    }

    /// Writes a function of the state, with one answer for all states that have none of their own.
    fn public_cases(
        &mut self,
        signature: &str,
        otherwise: &str,
        case: impl Fn(&Code<'m>, StateId, &State) -> Option<String>,
    ) {
        let states = self.machine.states().zip(&self.machine.states);
        let answers: Vec<(StateId, String)> =
            states.filter_map(|(id, state)| Some((id, case(self, id, state)?))).collect();
        if answers.is_empty() {
            self.line(&format!("fun {signature} = {otherwise}"));
            return;
        }
        self.line(&format!("fun {signature} = when (state) {{"));
        for (id, answer) in answers {
            // A long answer begins on a line of its own.
            let space = if answer.starts_with('\n') { "" } else { " " };
            self.line(&format!("    {} ->{space}{answer}", self.state(id)));
        }
        self.line(&format!("    else -> {otherwise}"));
        self.line("}");
    }

    fn jump(&self, edge: &Edge) -> String {
        let outcome = edge.outcome.map(|outcome| format!(", Outcome.{}", self.outcomes[outcome.index()]));
        let counters = self.moved(self.machine.moves(&edge.moves));
        let stays = if edge.stays { ", stays = true" } else { "" };
        format!("Jump({}, {counters}{}{stays})", self.state(edge.target), outcome.unwrap_or_default())
    }

    /// Returns the counters after some moves: for each counter that moves, its new value.
    fn moved(&self, moves: &[Move]) -> String {
        let mut changes: Vec<(u8, String)> = Vec::new();
        for mv in moves {
            let (Move::Count(counter) | Move::Reset(counter)) = mv;
            let at = changes.iter().position(|(known, _)| known == counter).unwrap_or_else(|| {
                changes.push((*counter, format!("at.{}", self.counters[*counter as usize])));
                changes.len() - 1
            });
            changes[at].1 = match mv {
                Move::Count(_) => format!("more({})", changes[at].1),
                Move::Reset(_) => format!("{}L", self.machine.counters[*counter as usize].start),
            };
        }
        let named = changes.iter().map(|(at, value)| format!("{} = {value}", self.counters[*at as usize]));
        if moves.is_empty() { "at".to_owned() } else { format!("at.copy({})", join(named)) }
    }

    fn promised(&self, test: &Test) -> String {
        format!("Promised({}, {})", quoted(&test_text(self.machine, test)), self.test(test))
    }

    fn test(&self, test: &Test) -> String {
        let count = |counter: &u8| format!("at.{}", self.counters[*counter as usize]);
        match test {
            Test::Compare(counter, op, value) => {
                format!("{} {} {}L", count(counter), op.as_str(), comparable(*value))
            }
            Test::CompareCounters(a, op, b) => format!("{} {} {}", count(a), op.as_str(), count(b)),
            Test::Fact(fact) => format!("holds(Fact.{})", self.facts[*fact as usize]),
            Test::Not(inner) if is_comparison(inner) => format!("!({})", self.test(inner)),
            Test::Not(inner) => format!("!{}", self.test(inner)),
            Test::And(a, b) => format!("({} && {})", self.test(a), self.test(b)),
            Test::Or(a, b) => format!("({} || {})", self.test(a), self.test(b)),
            Test::Always(value) => value.to_string(),
        }
    }

    fn state(&self, id: StateId) -> String {
        format!("State.{}", self.states[id.index()])
    }

    fn line(&mut self, text: &str) {
        let _ = writeln!(self.out, "{text}");
    }
}

/// Returns the package of a law. Every law has its own, so that a program can have several.
fn package(machine: &Machine) -> String {
    let names = identifiers(std::iter::once(machine.session()), pascal, KEYWORDS);
    format!("laws.{}", names.concat().to_lowercase())
}

fn sealed<'n>(name: &str, identifiers: &[String], names: impl Iterator<Item = &'n str>) -> String {
    let mut out =
        format!("\nsealed interface {name} {{\n    /** As the law says it. */\n    val name: String\n\n");
    for (identifier, known) in identifiers.iter().zip(names) {
        let known = quoted(known);
        let _ = writeln!(out, "    data object {identifier} : {name} {{ override val name = {known} }}");
    }
    let all = identifiers.join(", ");
    let _ = writeln!(
        out,
        "\n    companion object {{\n        val all: List<{name}> get() = listOf({all})\n    }}\n}}"
    );
    out
}

fn join(parts: impl Iterator<Item = String>) -> String {
    parts.collect::<Vec<_>>().join(", ")
}

/// Quotes a text. Names and guards have no quotes, no backslashes and no dollar signs, so nothing needs escaping.
fn quoted(text: &str) -> String {
    format!("\"{text}\"")
}
