//! Measures memory models: how well they foresee a learner whose memory is known, and how long fitting takes.
//!
//! The learner is made up: their recall follows FSRS with weights far from the usual ones. A model that knows those
//! weights predicts as well as possible; that number stands beside ours.

#[path = "../../crates/coaching/tests/memory/population.rs"]
mod population;

use crate::bench::Bench;
use crate::row::{Beside, Better, Measured, Row};
use coaching::learner::{Candidate, Memory, Model, choose, evaluate, score_tested};
use population::{TRUE_WEIGHTS, population};
use std::time::Instant;

const GROUP: &str = "memory";
const SEED: u64 = 20_241_115;
const MAX_CHOOSING_S: f64 = 60.0;

pub fn rows(bench: &Bench) -> Result<Vec<Row>, String> {
    let sizes: &[usize] = if bench.is_quick { &[2_000] } else { &[10_000, 100_000] };
    let mut rows = Vec::new();
    for size in sizes {
        let log = population(*size, SEED);
        let started = Instant::now();
        let chosen = choose(&log);
        let seconds = started.elapsed().as_secs_f64();
        if chosen.evaluation != evaluate(&log) {
            return Err("two evaluations of one log differ".into());
        }
        rows.push(Row {
            group: GROUP,
            what: format!("comparing and fitting models, {size} reviews"),
            unit: "s",
            better: Better::Less,
            ours: Measured::of(vec![Ok(seconds)], Better::Less),
            beside: None,
            target: Some(MAX_CHOOSING_S),
        });
        let oracle = score_tested(&log, &Model::new(Memory::Fsrs, Some(&TRUE_WEIGHTS))).log_loss;
        rows.extend(chosen.evaluation.models.iter().map(|(candidate, scores)| Row {
            group: GROUP,
            what: format!("log loss of {}, {size} reviews", candidate.as_str()),
            unit: "nats",
            better: Better::Less,
            ours: loss(scores.log_loss),
            beside: Some(Beside { name: "knowing the weights".into(), measured: loss(oracle) }),
            // From so few reviews, three percent above the possible minimum is as good as it gets.
            target: (*candidate == Candidate::FsrsFitted && !bench.is_quick).then_some(0.97),
        }));
    }
    Ok(rows)
}

fn loss(loss: Option<f64>) -> Measured {
    Measured::of(vec![loss.ok_or_else(|| "nothing was predicted".to_owned())], Better::Less)
}
