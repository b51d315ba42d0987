//! Measures the explorer on every configuration of a law that has more than ten million of them.

use crate::bench::Bench;
use crate::row::{Better, Measured, Row};
use flow::{Bounds, Law, Machine, Overrides};
use std::fmt::Write;
use std::time::Instant;

const GROUP: &str = "explore";
const MIN_CONFIGURATIONS: usize = 10_000_000;
const BOUNDS: Bounds = Bounds { configurations: 40_000_000 };

pub fn rows(bench: &Bench) -> Result<Vec<Row>, String> {
    let (counters, limit) = if bench.is_quick { (3, 60) } else { (4, 48) };
    let law = law(counters, limit);
    let law = Law::read(&law).map_err(|problems| format!("{problems:?}"))?;
    let machine = Machine::bind(&law, None, &Overrides::new()).map_err(|problems| format!("{problems:?}"))?;
    let (mut rates, mut bytes, mut configurations) = (Vec::new(), Vec::new(), 0);
    for _ in 0..bench.rounds {
        let started = Instant::now();
        let report = flow::prove(&machine, BOUNDS);
        let seconds = started.elapsed().as_secs_f64();
        if !report.complete || !report.may_run() {
            return Err(format!("the law was not proved: {:?}", report.problems));
        }
        configurations = report.configurations;
        rates.push(Ok(configurations as f64 / seconds));
        bytes.push(Ok(report.walk_bytes as f64 / configurations as f64));
    }
    if configurations < MIN_CONFIGURATIONS && !bench.is_quick {
        return Err(format!("the law has only {configurations} configurations"));
    }
    let row = |what: String, unit, better, runs, target| Row {
        group: GROUP,
        what,
        unit,
        better,
        ours: Measured::of(runs, better),
        beside: None,
        target: Some(target),
    };
    let millions = configurations as f64 / 1e6;
    Ok(vec![
        row(format!("proof of {millions:.1}M configurations"), "/s", Better::More, rates, 3e6),
        row("memory of the walk, for each".into(), "bytes", Better::Less, bytes, 64.0),
    ])
}

/// Writes a law whose counters are each counted by an event of their own, up to a limit at which a guard resets
/// them: `limit` to the power of `counters` configurations, and as many again at the end. The machine may end it,
/// so that the search for loops without a learner has something to examine.
fn law(counters: usize, limit: usize) -> String {
    let mut law = format!("session: Explosion\nversion: 1\ncontext:\n  limit: {limit}\ncounters:\n");
    let names: Vec<String> = (0..counters).map(|at| format!("c{at}")).collect();
    for name in &names {
        let _ = writeln!(law, "  {name}: 0");
    }
    law.push_str("events:\n  finish: machine\n");
    for name in &names {
        let _ = writeln!(law, "  count_{name}: learner");
    }
    law.push_str("states:\n  WAIT:\n    on:\n      finish: DONE\n");
    for name in &names {
        let _ = writeln!(law, "      count_{name}: {{target: CHECK_{name}, count: {name}}}");
    }
    for name in &names {
        let _ = write!(
            law,
            "  CHECK_{name}:\n    guard: counters.{name} >= limit\n    on_true: {{target: WAIT, reset: {name}}}\n    \
             on_false: WAIT\n",
        );
    }
    law.push_str("  DONE:\n    type: final\n");
    law
}
