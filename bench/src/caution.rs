//! Trains the model that tells ordinary steps from those that only a human may decide.
//!
//! Training is a pure function of the stops: no randomness, one thread, a fixed number of steps.

use crate::scorer;
use coaching::agent::OutputType;
use coaching::agent::caution::{CAREFUL, Caution, count, features};
use serde::Deserialize;
use std::collections::{BTreeMap, HashMap};
use std::fmt::Write;

/// The stops of agents. Six language models wrote them for this purpose, without knowing any rules.
const STOPS: &str = include_str!("../../crates/coaching/tests/agent/holds.jsonl");
/// The file of the weights, from the folder of this crate.
pub const FILE: &str = "../crates/coaching/src/agent/caution.tsv";
/// The fewest stops with a feature that is used. A feature of a single stop teaches nothing.
const MIN_STOPS: usize = 2;
/// The penalty on large weights.
const RIDGE: f64 = 1.0;
const STEPS: i32 = 300;
const RATE: f64 = 0.05;
const FOLDS: usize = 5;
/// The length of a message's end: about its last sentence or two.
const END_BYTES: usize = 120;

#[derive(Debug, Deserialize)]
struct Stop {
    message: String,
    step: String,
    why: Why,
}

#[derive(Debug, Clone, Copy, PartialEq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Why {
    Limit,
    Risk,
    None,
}

/// A stop as the trainer sees it.
#[derive(Debug)]
struct Row {
    features: Vec<String>,
    is_risk: bool,
}

/// The result of training.
#[derive(Debug)]
pub struct Trained {
    /// The text of the file of weights, as it is committed.
    pub file: String,
    /// The shares of risks and of other steps that are held back by weights that were trained without them.
    pub found: f64,
    pub held_back: f64,
}

pub fn trained() -> Result<Trained, String> {
    let rows = rows()?;
    let mut judged = Vec::new();
    for fold in 0..FOLDS {
        let of_fold = |inside: bool| {
            rows.iter().enumerate().filter(move |(at, _)| (at % FOLDS == fold) == inside).map(|(_, row)| row)
        };
        let caution = descend(&of_fold(false).collect::<Vec<_>>());
        judged.extend(of_fold(true).map(|row| (row.is_risk, risk(&caution, row) >= CAREFUL)));
    }
    let share = |is_risk: bool| {
        let of: Vec<bool> =
            judged.iter().filter(|(is, _)| *is == is_risk).map(|(_, is_held)| *is_held).collect();
        of.iter().filter(|is_held| **is_held).count() as f64 / of.len().max(1) as f64
    };
    let file = written(&descend(&rows.iter().collect::<Vec<_>>()));
    Ok(Trained { file, found: share(true), held_back: share(false) })
}

/// Reads the rows to train with. A step that is against a limit may be a risk or not, so it teaches nothing. The
/// messages of agents in the middle of their work are ordinary.
fn rows() -> Result<Vec<Row>, String> {
    let stops = STOPS.lines().map(|line| serde_json::from_str(line).map_err(|error| error.to_string()));
    let stops = stops.collect::<Result<Vec<Stop>, String>>()?;
    let row = |stop: Stop| Row {
        features: features(&stop.step, &stop.message).into_iter().collect(),
        is_risk: stop.why == Why::Risk,
    };
    let rows = stops.into_iter().filter(|stop| stop.why != Why::Limit).map(row);
    let messages = scorer::examples(&scorer::INVENTED.concat())?.into_iter();
    let ordinary = messages.filter(|message| message.label == OutputType::Status && !message.rejected);
    Ok(rows.chain(ordinary.map(|message| Row::ordinary(&message.text))).collect())
}

impl Row {
    /// Makes a row of the end of a message, which says what comes next.
    fn ordinary(message: &str) -> Row {
        let end = message.floor_char_boundary(message.len().saturating_sub(END_BYTES));
        Row { features: features(&message[end..], message).into_iter().collect(), is_risk: false }
    }
}

fn risk(caution: &Caution, row: &Row) -> f64 {
    let weigh = |name: &String| caution.weights.get(name).map_or(0.0, |weight| weight * count(name));
    let score = caution.bias + row.features.iter().map(weigh).sum::<f64>();
    1.0 / (1.0 + (-score).exp())
}

/// Trains by gradient descent with momentum and a rate for each weight (Adam) on the ridge-penalised likelihood.
fn descend(rows: &[&Row]) -> Caution {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    rows.iter().flat_map(|row| &row.features).for_each(|name| *counts.entry(name).or_default() += 1);
    let names: Vec<&str> =
        counts.into_iter().filter(|(_, count)| *count >= MIN_STOPS).map(|(name, _)| name).collect();
    let index: HashMap<&str, usize> = names.iter().enumerate().map(|(at, name)| (*name, at)).collect();
    let inputs: Vec<(Vec<(usize, f64)>, f64)> = rows
        .iter()
        .map(|row| {
            let known =
                row.features.iter().filter_map(|name| Some((*index.get(name.as_str())?, count(name))));
            // The last weight is the bias.
            (known.chain([(names.len(), 1.0)]).collect(), f64::from(row.is_risk))
        })
        .collect();
    let mut weights = vec![0.0; names.len() + 1];
    let (mut first, mut second) = (weights.clone(), weights.clone());
    for step in 1..=STEPS {
        let slopes = slopes(&weights, &inputs);
        let (warm, long) = (1.0 - 0.9_f64.powi(step), 1.0 - 0.99_f64.powi(step));
        for at in 0..weights.len() {
            first[at] = 0.9 * first[at] + 0.1 * slopes[at];
            second[at] = 0.99 * second[at] + 0.01 * slopes[at] * slopes[at];
            weights[at] -= RATE * (first[at] / warm) / ((second[at] / long).sqrt() + 1e-8);
        }
    }
    let bias = weights.pop().map_or(0.0, rounded);
    let weights = names.iter().map(|name| (*name).to_owned()).zip(weights.into_iter().map(rounded)).collect();
    Caution { bias, weights }
}

/// Returns the gradient of the loss.
fn slopes(weights: &[f64], inputs: &[(Vec<(usize, f64)>, f64)]) -> Vec<f64> {
    let ridge = RIDGE / inputs.len() as f64;
    let mut slopes: Vec<f64> = weights.iter().map(|weight| ridge * weight).collect();
    for (features, is_risk) in inputs {
        let score: f64 = features.iter().map(|(at, count)| weights[*at] * count).sum();
        let off = (1.0 / (1.0 + (-score).exp()) - is_risk) / inputs.len() as f64;
        features.iter().for_each(|(at, count)| slopes[*at] += off * count);
    }
    slopes
}

fn rounded(weight: f64) -> f64 {
    (weight * 100.0).round() / 100.0 + 0.0
}

fn written(caution: &Caution) -> String {
    let mut file =
        "# How much each feature of an announced step says for a risk. Written by `cargo run -p bench -- train-agent`.\n"
            .to_owned();
    // Writing to a string cannot fail.
    let _ = writeln!(file, "bias\t{:.2}", caution.bias);
    let weights: BTreeMap<&String, &f64> = caution.weights.iter().collect();
    for (name, weight) in weights.into_iter().filter(|(_, weight)| **weight != 0.0) {
        let _ = writeln!(file, "{name}\t{weight:.2}");
    }
    file
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn training_gives_the_committed_weights() {
        let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join(FILE);
        let committed = std::fs::read_to_string(path).unwrap();
        let trained = trained().unwrap();
        assert!(
            trained.file == committed,
            "the stops or the features have changed: run `cargo run -p bench -- train-agent`"
        );
        assert!(trained.found >= 0.85, "{}", trained.found);
    }
}
