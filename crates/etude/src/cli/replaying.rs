//! `etude check --replay`: walks the path of a problem with the law as it runs.

use super::output::{BAD, QUIET, STRONG, paint, say};
use flow::{Code, EventId, Facts, Instance, Machine, Overrides, Problem, Refused, Step};
use serde::Serialize;
use serde_json::{Map, Value};
use shell::engine::flows::FlowEntry;
use shell::engine::view;

/// Returns the problem with this number in the report, counted from 1.
pub(crate) fn chosen(problems: &[Problem], number: usize) -> Result<&Problem, String> {
    let found = number.checked_sub(1).and_then(|at| problems.get(at));
    found.ok_or_else(|| match problems.len() {
        0 => "the law has no problems, so there is nothing to replay".to_owned(),
        many => format!("there is no problem {number}: give a number from 1 to {many}"),
    })
}

/// Binds the law to the constants that show the problem.
pub(crate) fn machine(
    entry: &FlowEntry,
    set: &Overrides,
    problem: &Problem,
) -> Result<Machine, Vec<Problem>> {
    let mut set = set.clone();
    set.extend(problem.set.clone());
    entry.bind(&set)
}

/// The path of a problem, step by step.
#[derive(Debug, Serialize)]
pub(crate) struct Replayed<'p> {
    problem: &'p Problem,
    steps: Vec<Walked>,
    /// The finding at the end of the path.
    shown: String,
}

#[derive(Debug, Serialize)]
struct Walked {
    event: String,
    facts: Vec<String>,
    /// The states entered. None if the flow stayed or the event was refused.
    entered: Vec<String>,
    state: String,
    counters: Map<String, Value>,
    actions: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    outcome: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    refused: Option<String>,
    /// A promise that breaks at this step, although the path is about another problem.
    #[serde(skip_serializing_if = "Option::is_none")]
    breaks: Option<String>,
}

impl<'p> Replayed<'p> {
    pub(crate) fn of(machine: &Machine, problem: &'p Problem) -> Replayed<'p> {
        // A path to another problem may break an invariant on the way, which is a problem of its own.
        let lenient = machine.clone().without_invariants();
        let walking = if problem.code == Code::BrokenInvariant { machine } else { &lenient };
        let mut walk = Walk { machine: walking, law: machine, at: None, steps: Vec::new() };
        let is_whole = walk.take("opened", None, &facts_of(problem, 0)) && {
            let mut events = problem.path.iter().enumerate();
            events.all(|(at, event)| {
                let known = machine.event_named(event);
                known.is_some() && walk.take(event, known, &facts_of(problem, at + 1))
            })
        };
        let shown = walk.shown(problem, is_whole);
        Replayed { problem, steps: walk.steps, shown }
    }

    pub(crate) fn show(&self) {
        let Problem { code, message, set, .. } = self.problem;
        say!("{} {message}", paint(STRONG, code.to_string()));
        for (name, value) in set {
            say!("{}", paint(QUIET, format!("with {name}={value}")));
        }
        for (number, step) in self.steps.iter().enumerate() {
            step.show(number);
        }
        say!("{}", self.shown);
    }
}

fn facts_of(problem: &Problem, at: usize) -> Vec<String> {
    problem.facts.get(at).cloned().unwrap_or_default()
}

struct Walk<'m> {
    machine: &'m Machine,
    /// The law with its invariants.
    law: &'m Machine,
    at: Option<Instance>,
    steps: Vec<Walked>,
}

impl Walk<'_> {
    /// Takes one step. Returns false if it was refused.
    fn take(&mut self, name: &str, event: Option<EventId>, facts: &[String]) -> bool {
        let (machine, held) = (self.machine, held(self.machine, facts));
        let step = match (&self.at, event) {
            (Some(at), Some(event)) => flow::step(machine, at, event, held),
            _ => flow::begin(machine, held),
        };
        self.at = step.as_ref().ok().map(|step| step.to).or(self.at);
        let broken = step.as_ref().ok().and_then(|step| flow::broken_promise(self.law, &step.to, held));
        let walked = walked(machine, name, facts, &step, self.at.as_ref());
        self.steps.push(Walked { breaks: broken, ..walked });
        step.is_ok()
    }

    /// Describes the end of the path.
    fn shown(&self, problem: &Problem, is_whole: bool) -> String {
        let refused = self.steps.last().and_then(|step| step.refused.clone());
        let Some(at) = self.at.filter(|_| is_whole) else {
            return match refused {
                Some(reason) => format!("The last step is refused: {reason}."),
                None => "The path leads nowhere.".to_owned(),
            };
        };
        let rests = self.machine.state_name(at.state);
        let broken = flow::broken_promise(self.law, &at, held(self.law, &problem.at_rest));
        match (problem.code, broken) {
            (Code::BrokenInvariant | Code::BrokenRequire, Some(promise)) if problem.at_rest.is_empty() => {
                format!("In `{rests}` this is broken: {promise}.")
            }
            (Code::BrokenInvariant | Code::BrokenRequire, Some(promise)) => {
                format!(
                    "In `{rests}`, while {} holds, this is broken: {promise}.",
                    problem.at_rest.join(", ")
                )
            }
            _ if problem.path.is_empty() && problem.facts.is_empty() => {
                format!("The problem needs no path. A flow begins in `{rests}`.")
            }
            _ => format!("The flow is now in `{rests}`."),
        }
    }
}

fn held(machine: &Machine, names: &[String]) -> Facts {
    let known = names.iter().filter_map(|name| machine.fact_named(name));
    known.fold(Facts::default(), |facts, fact| facts.with(fact, true))
}

fn walked(
    machine: &Machine,
    event: &str,
    facts: &[String],
    step: &Result<Step, Refused>,
    at: Option<&Instance>,
) -> Walked {
    let name = |state| machine.state_name(state).to_owned();
    let taken = step.as_ref().ok();
    Walked {
        event: event.to_owned(),
        facts: facts.to_vec(),
        entered: taken.iter().flat_map(|step| step.entered()).map(name).collect(),
        state: at.map_or_else(String::new, |at| name(at.state)),
        counters: at.map(|at| view::counters(machine, at)).unwrap_or_default(),
        actions: taken
            .iter()
            .flat_map(|step| step.actions(machine))
            .map(|a| machine.action_name(a).to_owned())
            .collect(),
        outcome: taken.and_then(|step| step.outcome).map(|outcome| machine.outcome_name(outcome).to_owned()),
        refused: step.as_ref().err().map(|refused| reason(machine, refused)),
        breaks: None,
    }
}

fn reason(machine: &Machine, refused: &Refused) -> String {
    match refused {
        Refused::Over { state } => format!("the flow has ended in `{}`", machine.state_name(*state)),
        Refused::NotNow { state, event, .. } => {
            format!("`{}` does not take `{}`", machine.state_name(*state), machine.event_name(*event))
        }
        Refused::Broken { promise, .. } => format!("it would break the {promise}"),
        Refused::Denied { state, fact, .. } => {
            format!("`{}` requires another answer to `{fact}`", machine.state_name(*state))
        }
    }
}

impl Walked {
    fn show(&self, number: usize) {
        let facts =
            if self.facts.is_empty() { String::new() } else { format!(" ({})", self.facts.join(", ")) };
        let counters = self.counters.iter().map(|(name, value)| format!("{name} {value}"));
        let counters = paint(QUIET, counters.collect::<Vec<_>>().join(", "));
        let way = match (&self.refused, self.entered.is_empty()) {
            (Some(reason), _) => paint(BAD, format!("refused: {reason}")),
            (None, true) => format!("stays in {}", self.state),
            (None, false) => format!("→ {}", self.entered.join(" → ")),
        };
        let end = self.outcome.as_ref().map_or(String::new(), |outcome| format!(" ({outcome})"));
        let breaks =
            self.breaks.as_ref().map_or(String::new(), |broken| paint(BAD, format!("  breaks the {broken}")));
        say!("{number:>3}  {}{facts} {way}{end}  {counters}{breaks}", self.event);
    }
}
