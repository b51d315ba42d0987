//! Records the engine's steps along random events, in lines that any other program can be compared with.
//!
//! An order is `begin`, `event NAME` or `wait MILLIS`, with the facts that hold. The answer contains the verdict,
//! the state, the counters, the outcome and the actions. Fields are separated by tabs.

use crate::export::dice::Dice;
use flow::{EventId, Facts, Instance, Machine, Refused, Step, begin, step};

const MAX_EVENTS: usize = 60;

#[derive(Debug)]
pub(crate) struct Trace {
    pub(crate) law: String,
    pub(crate) orders: Vec<String>,
    pub(crate) answers: Vec<String>,
}

impl Trace {
    pub(crate) fn walk(law: &str, machine: &Machine, dice: &mut Dice) -> Trace {
        let mut trace = Trace { law: law.to_owned(), orders: Vec::new(), answers: Vec::new() };
        let facts = thrown_facts(machine, dice);
        let first = begin(machine, facts);
        let Ok(Step { to: mut at, .. }) = first else {
            trace.push("begin\t", machine, facts, "broken\t-\t-\t-\t-".into());
            return trace;
        };
        trace.push("begin\t", machine, facts, answer(machine, &at, &first));
        // A timer fires once; none is set again until a state is entered.
        let mut has_gone_off = false;
        for _ in 0..1 + dice.below(MAX_EVENTS) {
            let facts = thrown_facts(machine, dice);
            let (order, event) = thrown_event(machine, &at, has_gone_off, dice);
            let taken = step(machine, &at, event, facts);
            trace.push(&order, machine, facts, answer(machine, &at, &taken));
            if let Ok(step) = taken {
                has_gone_off = step.stays() && (has_gone_off || order.starts_with("wait"));
                at = step.to;
            }
        }
        trace
    }

    fn push(&mut self, order: &str, machine: &Machine, facts: Facts, answer: String) {
        let names = machine.fact_names().enumerate().filter(|(fact, _)| facts.holds(*fact));
        let names: Vec<&str> = names.map(|(_, name)| name).collect();
        self.orders.push(format!("{order}\t{}", names.join(",")));
        self.answers.push(answer);
    }
}

fn thrown_facts(machine: &Machine, dice: &mut Dice) -> Facts {
    (0..machine.fact_names().count()).fold(Facts::default(), |facts, at| facts.with(at, dice.percent(60)))
}

/// Returns mostly an allowed event, sometimes any event, sometimes the state's first timeout.
fn thrown_event(machine: &Machine, at: &Instance, has_gone_off: bool, dice: &mut Dice) -> (String, EventId) {
    // The length of a growing pause is tested elsewhere.
    let is_fixed =
        |after: &&flow::After| after.delay(&[0; flow::MAX_COUNTERS]) == after.delay(&[9; flow::MAX_COUNTERS]);
    let timers = machine.timers(at.state).iter();
    let first_due = timers.clone().min_by_key(|after| after.delay(&at.counters)).filter(is_fixed);
    if let Some(after) = first_due.filter(|_| !has_gone_off && dice.percent(25)) {
        return (format!("wait\t{}", after.millis), after.event);
    }
    let allowed: Vec<EventId> = machine.allowed(at.state).collect();
    let event = if allowed.is_empty() || dice.percent(10) {
        EventId(dice.below(machine.event_names().count()) as u16)
    } else {
        allowed[dice.below(allowed.len())]
    };
    (format!("event\t{}", machine.event_name(event)), event)
}

fn answer(machine: &Machine, before: &Instance, step: &Result<Step, Refused>) -> String {
    let (said, at) = match step {
        Ok(step) => ("taken", &step.to),
        Err(Refused::Over { .. }) => ("over", before),
        Err(Refused::NotNow { .. }) => ("not_now", before),
        Err(Refused::Broken { .. } | Refused::Denied { .. }) => ("broken", before),
    };
    let outcome = step.as_ref().ok().and_then(|step| step.outcome);
    let actions = step.iter().flat_map(|step| step.actions(machine));
    let actions: Vec<&str> = actions.map(|action| machine.action_name(action)).collect();
    let counters = at.counters.iter().take(machine.counter_names().count());
    let counters: Vec<String> = counters.map(u32::to_string).collect();
    [
        said,
        machine.state_name(at.state),
        &counters.join(","),
        outcome.map_or("-", |outcome| machine.outcome_name(outcome)),
        &actions.join(","),
    ]
    .join("\t")
}
