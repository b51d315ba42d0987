//! Measures the pure step: one round of drill events, in nanoseconds for each, beside other state machines.

use crate::allocations;
use crate::bench::Bench;
use crate::peers::{self, Answer};
use crate::row::{Beside, Better, Measured, Row};
use crate::statig_drill::{self, Drill};
use flow::{EventId, Facts, Format, Instance, Law, Machine, Name, Overrides};
use serde_json::json;
use statig::blocking::IntoStateMachineExt;
use std::hint::black_box;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

const GROUP: &str = "step";

/// The drill's law. The peers are written after this version of it.
const LAW: &str = include_str!("../../crates/coaching/tests/laws/drill-0.3.yaml");

/// The events from `INIT` to the first word.
const BEGIN: &str = "start";

/// The events of a round with two words: one is learned after a detour through silence and remediation, one is
/// given up. The end is where the round began, so that it can be walked again and again.
const ROUND: &str = "
    tts_done tts_done asr_result usage_correct
    tts_done asr_result usage_incorrect tts_done timeout
    tts_done asr_result usage_incorrect tts_done timeout tts_done asr_result not_an_attempt asr_result usage_correct
    done tts_done asr_result not_an_attempt asr_result usage_correct
    next_word_available done
    tts_done tts_done asr_result usage_incorrect tts_done asr_result usage_incorrect
    tts_done asr_result usage_incorrect tts_done asr_result usage_incorrect tts_done asr_result usage_incorrect
    next_word_available done";

pub fn rows(bench: &Bench) -> Result<Vec<Row>, String> {
    let drill = Walked::new()?;
    let ours = Measured::of(runs(bench, || drill.ns_per_event(bench.seconds)), Better::Less);
    let statig = Measured::of(runs(bench, || statig_ns_per_event(&drill, bench.seconds)), Better::Less);
    let xstate = peers::node_folder(&bench.cache).and_then(|folder| ask_xstate(bench, &drill, &folder));
    let transitions = peers::python(&bench.cache).and_then(|python| ask_transitions(bench, &drill, &python));
    let row = |beside, target| Row {
        group: GROUP,
        what: "one event of the drill law".into(),
        unit: "ns",
        better: Better::Less,
        ours: ours.clone(),
        beside,
        target: Some(target),
    };
    let allocations = Row {
        what: "its allocations, in a whole round".into(),
        unit: "",
        ours: Measured::of(vec![Ok(drill.allocations())], Better::Less),
        ..row(None, 0.0)
    };
    Ok(vec![
        row(None, 50.0),
        allocations,
        row(Some(answered("XState", xstate)), 200.0),
        row(Some(answered("transitions", transitions)), 300.0),
        row(Some(Beside { name: "statig 0.4".into(), measured: statig }), 1.0 / 20.0),
    ])
}

fn runs(bench: &Bench, run: impl Fn() -> Result<f64, String>) -> Vec<Result<f64, String>> {
    (0..bench.rounds).map(|_| run()).collect()
}

fn answered(name: &str, answer: Result<Answer, String>) -> Beside {
    match answer {
        Ok(Answer { value, version }) => Beside {
            name: format!("{name} {version}"),
            measured: Measured::of(vec![Ok(value)], Better::Less),
        },
        Err(reason) => Beside { name: name.into(), measured: Measured::NotMeasured { reason } },
    }
}

/// The drill's machine at the beginning of a round.
struct Walked {
    machine: Machine,
    at: Instance,
    facts: Facts,
    round: Vec<EventId>,
    /// The state to which each event of the round leads. Every peer must agree.
    states: Vec<String>,
}

impl Walked {
    fn new() -> Result<Walked, String> {
        let law = Law::read(LAW).map_err(|problems| format!("{problems:?}"))?;
        let machine =
            Machine::bind(&law, None, &Overrides::new()).map_err(|problems| format!("{problems:?}"))?;
        let facts = Facts(u64::MAX);
        let at = flow::begin(&machine, facts).map_err(|refused| format!("{refused:?}"))?.to;
        let at =
            walk(&machine, at, facts, &events(&machine, BEGIN)?)?.pop().ok_or("there is no beginning")?;
        let round = events(&machine, ROUND)?;
        let path = walk(&machine, at, facts, &round)?;
        if path.last() != Some(&at) {
            return Err("the round does not end where it began; the law of the drill has changed".into());
        }
        let states = path.iter().map(|at| machine.state_name(at.state).to_owned()).collect();
        Ok(Walked { machine, at, facts, round, states })
    }

    fn ns_per_event(&self, seconds: f64) -> Result<f64, String> {
        let mut at = self.at;
        Ok(ns_per_event(self.round.len(), seconds, || {
            at = self.walk_round(at);
        }))
    }

    fn allocations(&self) -> f64 {
        let before = allocations::made();
        black_box(self.walk_round(self.at));
        (allocations::made() - before) as f64
    }

    fn walk_round(&self, mut at: Instance) -> Instance {
        for event in &self.round {
            match &flow::step(black_box(&self.machine), &at, black_box(*event), self.facts) {
                Ok(step) => at = black_box(step).to,
                Err(_) => unreachable!("the round was walked before"),
            }
        }
        at
    }

    /// Writes the files that the peers read.
    fn write(&self, folder: &Path) -> Result<(), String> {
        let trace = json!({
            "begin": BEGIN.split_whitespace().collect::<Vec<_>>(),
            "round": ROUND.split_whitespace().collect::<Vec<_>>(),
            "states": self.states,
        });
        peers::make(folder)?;
        let files = [
            ("trace.json", trace.to_string()),
            ("law.json", flow::export(&self.machine, Format::Xstate)),
            ("xstate_setup.mjs", flow::XSTATE_SETUP.to_owned()),
        ];
        for (name, text) in files {
            std::fs::write(folder.join(name), text).map_err(|error| format!("{name}: {error}"))?;
        }
        Ok(())
    }
}

fn events(machine: &Machine, names: &str) -> Result<Vec<EventId>, String> {
    let named = |name| machine.event_named(name).ok_or_else(|| format!("the drill knows no event `{name}`"));
    names.split_whitespace().map(named).collect()
}

fn walk(
    machine: &Machine,
    mut at: Instance,
    facts: Facts,
    events: &[EventId],
) -> Result<Vec<Instance>, String> {
    let mut path = Vec::new();
    for event in events {
        at = flow::step(machine, &at, *event, facts).map_err(|refused| format!("{refused:?}"))?.to;
        path.push(at);
    }
    Ok(path)
}

/// Repeats a round for about this long. The clock is read rarely: reading it costs as much as a step.
fn ns_per_event(events: usize, seconds: f64, mut round: impl FnMut()) -> f64 {
    const ROUNDS_BETWEEN_LOOKS: usize = 200;
    let (started, wanted) = (Instant::now(), Duration::from_secs_f64(seconds));
    let mut rounds = 0;
    while started.elapsed() < wanted {
        for _ in 0..ROUNDS_BETWEEN_LOOKS {
            round();
        }
        rounds += ROUNDS_BETWEEN_LOOKS;
    }
    started.elapsed().as_nanos() as f64 / (rounds * events) as f64
}

fn statig_ns_per_event(drill: &Walked, seconds: f64) -> Result<f64, String> {
    let named = |name: &str| statig_drill::Event::ALL.iter().copied().find(|event| event.name() == name);
    let all = |names: &str| names.split_whitespace().map(named).collect::<Option<Vec<_>>>();
    let (begin, round) = all(BEGIN).zip(all(ROUND)).ok_or("the machine in statig lacks an event")?;
    let mut machine = Drill::new(true).state_machine();
    for event in &begin {
        machine.handle(event);
    }
    for (event, state) in round.iter().zip(&drill.states) {
        machine.handle(event);
        let found = shouted(&format!("{:?}", machine.state()));
        if found != *state {
            return Err(format!("`{}` led to {found} instead of {state}", event.name()));
        }
    }
    Ok(ns_per_event(round.len(), seconds, || {
        for event in &round {
            black_box(&mut machine).handle(black_box(event));
        }
    }))
}

/// Turns `WaitStudent` into `WAIT_STUDENT`.
fn shouted(name: &str) -> String {
    let mut shouted = String::new();
    for letter in name.chars().take_while(|letter| letter.is_alphanumeric()) {
        if letter.is_uppercase() && !shouted.is_empty() {
            shouted.push('_');
        }
        shouted.extend(letter.to_uppercase());
    }
    shouted
}

/// Measures XState. Modules are found beside the file that imports them, so the program is put where the package
/// is.
fn ask_xstate(bench: &Bench, drill: &Walked, folder: &Path) -> Result<Answer, String> {
    drill.write(folder)?;
    let program = folder.join("xstate.mjs");
    std::fs::copy(bench.peer("xstate.mjs"), &program).map_err(|error| format!("xstate.mjs: {error}"))?;
    peers::ask(Command::new("node").arg(program).arg(folder).arg(bench.seconds.to_string()))
}

fn ask_transitions(bench: &Bench, drill: &Walked, python: &Path) -> Result<Answer, String> {
    let folder = bench.cache.join("transitions");
    drill.write(&folder)?;
    let program = bench.peer("transitions_drill.py");
    peers::ask(
        Command::new(python).arg(program).arg(folder.join("trace.json")).arg(bench.seconds.to_string()),
    )
}
