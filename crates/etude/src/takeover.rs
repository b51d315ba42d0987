//! Laws change while flows are under way. This decides whether the present law can take one over.

use crate::flows::{Entry, Flows, StoredLaw};
use flow::{Bounds, Law, Machine};
use std::sync::Arc;

const BOUNDS: Bounds = Bounds { configurations: 1_000_000 };

/// The machine that instances started under the stored law run on from now on, or why there is none.
pub fn machine(flows: &Flows, entry: &Entry, stored: &StoredLaw, hash: &str) -> Result<Arc<Machine>, String> {
    let present = flows
        .machine(entry, &stored.set)
        .map_err(|unproved| format!("the present law has {} problems", unproved.problems.len()))?;
    if present.hash() == hash {
        return Ok(present);
    }
    let old = bind(entry, stored)?;
    let difference = flow::diff(&old, &present, BOUNDS);
    if difference.compatible {
        return Ok(present);
    }
    let homeless = difference.homeless.first();
    Err(homeless.map_or_else(|| "it changed incompatibly".into(), |h| format!("`{}`: {}", h.state, h.reason)))
}

fn bind(entry: &Entry, stored: &StoredLaw) -> Result<Machine, String> {
    let first = |problems: Vec<flow::Problem>| {
        problems
            .first()
            .map_or_else(|| "the old law cannot be read".into(), |problem| problem.message.clone())
    };
    let law = Law::read(&stored.law).map_err(first)?;
    Machine::bind(&law, entry.vocabulary.as_ref(), &stored.set).map_err(first)
}
