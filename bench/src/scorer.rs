//! Trains the scorer that reads the last messages of agents, and measures how it reads messages that it was not
//! trained with.
//!
//! Training is a pure function of the labelled messages: no randomness, one thread, a fixed number of steps. The weights
//! are rounded, so that the last digits of a machine's arithmetic do not show.

use coaching::agent::scorer::{CLAIM, CLASSES, PerClass, Scorer, kinds, scales, softmax, zone};
use coaching::agent::{Judged, MIN_CONFIDENCE, OutputType, features};
use serde::Deserialize;
use std::collections::{BTreeMap, HashMap};
use std::fmt::Write;

/// The messages that were invented. `held.jsonl` beside them is only measured.
pub const INVENTED: [&str; 3] = [
    include_str!("../../crates/coaching/tests/agent/messages.jsonl"),
    include_str!("../../crates/coaching/tests/agent/unseen.jsonl"),
    include_str!("../../crates/coaching/tests/agent/longer.jsonl"),
];
/// The messages that were written after real ones, each in the manner of one.
pub const MODELLED: &str = include_str!("../../crates/coaching/tests/agent/modelled.jsonl");
/// The weight of a modelled message beside an invented one.
const MODELLED_COUNT: f64 = 2.0;
/// The file of the weights, from the folder of this crate.
pub const FILE: &str = "../crates/coaching/src/agent/scorer.tsv";
/// The expected share of each class among all messages, in the order of the classes. The training messages have
/// more of the rare ones, so that each can be learnt.
const SHARES: PerClass = [0.26, 0.15, 0.40, 0.08, 0.09, 0.02];
/// The fewest messages with a feature that is used. A feature of a single message teaches nothing.
const MIN_MESSAGES: usize = 2;
/// The number of features that are kept: those with large weights in many messages.
const KEPT: usize = 6_000;
/// The penalty on large weights.
const RIDGE: f64 = 0.02;
const STEPS: i32 = 200;
const RATE: f64 = 0.05;
/// The number of last steps whose weights are averaged, which evens out the features that each step left out.
const AVERAGED: i32 = 100;
const FOLDS: usize = 5;

#[derive(Debug, Clone, Deserialize)]
pub struct Example {
    pub text: String,
    pub label: OutputType,
    #[serde(default)]
    pub rejected: bool,
}

/// An example as the trainer sees it.
#[derive(Debug, Clone)]
struct Row {
    features: Vec<String>,
    label: OutputType,
    class: usize,
    is_modelled: bool,
}

/// The result of training.
#[derive(Debug)]
pub struct Trained {
    /// The text of the file of weights, as it is committed.
    pub file: String,
    /// The verdicts on each message by weights that were trained without it.
    pub crossed: Vec<Judged>,
}

pub fn examples(lines: &str) -> Result<Vec<Example>, String> {
    lines.lines().map(|line| serde_json::from_str(line).map_err(|error| error.to_string())).collect()
}

/// Trains with all messages. The doubt comes from cross-validation.
pub fn trained() -> Result<Trained, String> {
    let invented = examples(&INVENTED.concat())?.into_iter().map(|example| Row::of(example, false));
    let modelled = examples(MODELLED)?.into_iter().map(|example| Row::of(example, true));
    let rows: Vec<Row> = invented.chain(modelled).collect();
    let mut folds = folds(&rows);
    let doubt = doubt(&folds);
    folds.iter_mut().for_each(|fold| fold.scorer.doubt = doubt);
    let scorer = Scorer { doubt, ..fit(&rows.iter().collect::<Vec<_>>()) };
    let judged = folds.iter().flat_map(|fold| fold.rows.iter().map(|row| row.judged(&fold.scorer)));
    Ok(Trained { file: written(&scorer), crossed: judged.collect() })
}

impl Row {
    fn of(example: Example, is_modelled: bool) -> Row {
        let class = if example.rejected { CLAIM } else { example.label as usize };
        Row { features: features(&example.text), label: example.label, class, is_modelled }
    }

    /// Returns the most probable kind, and the probability of each.
    fn best(&self, scorer: &Scorer) -> (OutputType, [f64; 5]) {
        let kinds = kinds(scorer.probabilities(self.features.iter().map(String::as_str)));
        let best =
            OutputType::ALL.into_iter().max_by(|a, b| kinds[*a as usize].total_cmp(&kinds[*b as usize]));
        (best.unwrap_or(OutputType::Question), kinds)
    }

    /// Returns the verdict, settled as in use: a guess counts as a question.
    fn judged(&self, scorer: &Scorer) -> Judged {
        let (best, kinds) = self.best(scorer);
        let said = if kinds[best as usize] < MIN_CONFIDENCE { OutputType::Question } else { best };
        Judged { label: self.label, said, confidence: kinds[said as usize] }
    }
}

/// Some of the rows, and a scorer that was trained with all others.
struct Fold<'r> {
    rows: Vec<&'r Row>,
    scorer: Scorer,
}

fn folds(rows: &[Row]) -> Vec<Fold<'_>> {
    let fold = |fold: usize| {
        let (inside, outside): (Vec<_>, Vec<_>) =
            rows.iter().enumerate().partition(|(at, _)| at % FOLDS == fold);
        let bare = |rows: Vec<(usize, _)>| rows.into_iter().map(|(_, row)| row).collect::<Vec<&Row>>();
        Fold { rows: bare(inside), scorer: fit(&bare(outside)) }
    };
    (0..FOLDS).map(fold).collect()
}

/// Measures how much less often sure verdicts are right than they claim, on messages that the scorer was not
/// trained with.
fn doubt(folds: &[Fold<'_>]) -> f64 {
    let rows = folds.iter().flat_map(|fold| fold.rows.iter().map(move |row| (row, &fold.scorer)));
    let verdicts = rows.map(|(row, scorer)| {
        let (best, kinds) = row.best(scorer);
        (kinds[best as usize], f64::from(u8::from(best == row.label)))
    });
    let sure: Vec<(f64, f64)> = verdicts.filter(|(confidence, _)| *confidence >= MIN_CONFIDENCE).collect();
    let excess: f64 = sure.iter().map(|(confidence, right)| confidence - right).sum();
    rounded((excess / sure.len().max(1) as f64).max(0.0))
}

/// Trains twice: with every feature, and then with those that proved to weigh most.
fn fit(rows: &[&Row]) -> Scorer {
    let counts = counts(rows);
    let known =
        counts.iter().filter(|(_, count)| **count >= MIN_MESSAGES).map(|(name, _)| (*name).to_owned());
    let all = descend(rows, &known.collect::<Vec<_>>());
    let matter = |name: &String, weights: &PerClass| norm(weights) * counts[name.as_str()] as f64;
    let mut names: Vec<(&String, f64)> =
        all.weights.iter().map(|(name, weights)| (name, matter(name, weights))).collect();
    names.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(b.0)));
    names.truncate(KEPT);
    let mut kept: Vec<String> = names.into_iter().map(|(name, _)| name.clone()).collect();
    kept.sort();
    descend(rows, &kept)
}

fn norm(weights: &PerClass) -> f64 {
    weights.iter().map(|weight| weight * weight).sum::<f64>().sqrt()
}

/// Counts the messages that have each feature.
fn counts<'r>(rows: &[&'r Row]) -> BTreeMap<&'r str, usize> {
    let mut counts = BTreeMap::new();
    rows.iter().flat_map(|row| &row.features).for_each(|name| *counts.entry(name.as_str()).or_default() += 1);
    counts
}

/// Trains by gradient descent with momentum and a rate for each weight (Adam) on the ridge-penalised likelihood.
/// Messages count by the share of their class. Each step leaves out half of the features of each message, as if
/// their words had never been met, so that no single word is relied on.
fn descend(rows: &[&Row], names: &[String]) -> Scorer {
    let index: HashMap<&str, usize> =
        names.iter().enumerate().map(|(at, name)| (name.as_str(), at)).collect();
    let inputs: Vec<Input> =
        rows.iter().zip(importance(rows)).map(|(row, counts)| Input::of(row, counts, &index)).collect();
    // The last weights are the bias.
    let mut weights = vec![[0.0; 6]; names.len() + 1];
    let (mut first, mut second, mut mean) = (weights.clone(), weights.clone(), weights.clone());
    let mut coins = Coins::default();
    for step in 1..=STEPS {
        let slopes = slopes(&weights, &inputs, &mut coins);
        let (warm, long) = (1.0 - 0.9_f64.powi(step), 1.0 - 0.99_f64.powi(step));
        let moments = first.iter_mut().flatten().zip(second.iter_mut().flatten());
        let moved = weights.iter_mut().flatten().zip(moments).zip(slopes.iter().flatten());
        for ((weight, (first, second)), slope) in moved {
            *first = 0.9 * *first + 0.1 * slope;
            *second = 0.99 * *second + 0.01 * slope * slope;
            *weight -= RATE * *first / warm / ((*second / long).sqrt() + 1e-8);
        }
        if step > STEPS - AVERAGED {
            let sums = mean.iter_mut().flatten().zip(weights.iter().flatten());
            sums.for_each(|(sum, weight)| *sum += weight / f64::from(AVERAGED));
        }
    }
    let bias = mean.pop().unwrap_or_default().map(rounded);
    let named = names.iter().cloned().zip(mean.into_iter().map(|weights| weights.map(rounded)));
    Scorer { doubt: 0.0, bias, weights: named.collect() }
}

/// Returns the gradient of the loss.
fn slopes(weights: &[PerClass], inputs: &[Input], coins: &mut Coins) -> Vec<PerClass> {
    let ridge = RIDGE / inputs.len() as f64;
    let bias = weights.len() - 1;
    let mut slopes: Vec<PerClass> =
        weights.iter().map(|weights| weights.map(|weight| ridge * weight)).collect();
    for input in inputs {
        let kept: Vec<(usize, usize)> =
            input.features.iter().copied().filter(|_| coins.next().unwrap_or_default()).collect();
        let scales = scales(kept.iter().map(|(_, zone)| *zone));
        let mut scores = weights[bias];
        for &(at, zone) in &kept {
            (0..6).for_each(|class| scores[class] += scales[zone] * weights[at][class]);
        }
        let mut off = softmax(scores);
        off[input.class] -= 1.0;
        off = off.map(|off| off * input.counts);
        (0..6).for_each(|class| slopes[bias][class] += off[class]);
        for &(at, zone) in &kept {
            (0..6).for_each(|class| slopes[at][class] += scales[zone] * off[class]);
        }
    }
    slopes
}

/// A generator of coin tosses that are the same in every training: SplitMix64, bit by bit.
#[derive(Debug, Default)]
struct Coins {
    state: u64,
    bits: u64,
    left: u32,
}

impl Iterator for Coins {
    type Item = bool;

    fn next(&mut self) -> Option<bool> {
        if self.left == 0 {
            self.state = self.state.wrapping_add(0x9E37_79B9_7F4A_7C15);
            let mixed = (self.state ^ (self.state >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
            let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
            (self.bits, self.left) = (mixed ^ (mixed >> 31), u64::BITS);
        }
        self.left -= 1;
        let is_head = self.bits & 1 == 1;
        self.bits >>= 1;
        Some(is_head)
    }
}

/// A row as numbers.
struct Input {
    /// The known features by their index, and their zones.
    features: Vec<(usize, usize)>,
    class: usize,
    /// The weight of the row.
    counts: f64,
}

impl Input {
    fn of(row: &Row, counts: f64, index: &HashMap<&str, usize>) -> Input {
        let known =
            row.features.iter().filter_map(|name| Some((index.get(name.as_str()).copied()?, zone(name))));
        Input { features: known.collect(), class: row.class, counts }
    }
}

/// Returns the weight of each row, so that every class has its share and all together make one.
fn importance(rows: &[&Row]) -> Vec<f64> {
    let count = |row: &Row| if row.is_modelled { MODELLED_COUNT } else { 1.0 };
    let mut counts = [0.0; 6];
    rows.iter().for_each(|row| counts[row.class] += count(row));
    rows.iter().map(|row| count(row) * SHARES[row.class] / counts[row.class]).collect()
}

fn rounded(weight: f64) -> f64 {
    (weight * 100.0).round() / 100.0 + 0.0
}

fn written(scorer: &Scorer) -> String {
    let mut file = format!(
        "# What each feature of a message says for each kind. Written by `cargo run -p bench -- train-agent`.\n# {}\n",
        CLASSES.join("\t")
    );
    let mut line = |name: &str, numbers: &[f64]| {
        let numbers: Vec<String> = numbers.iter().map(|number| format!("{number:.2}")).collect();
        // Writing to a string cannot fail.
        let _ = writeln!(file, "{name}\t{}", numbers.join("\t"));
    };
    line("doubt", &[scorer.doubt]);
    line("bias", &scorer.bias);
    let mut names: Vec<(&String, &PerClass)> = scorer.weights.iter().collect();
    names.sort_by(|a, b| a.0.cmp(b.0));
    names.into_iter().for_each(|(name, weights)| line(name, weights));
    file
}

#[cfg(test)]
mod tests {
    use super::*;
    use coaching::agent::Evaluation;

    #[test]
    fn training_gives_the_committed_weights() {
        let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join(FILE);
        let committed = std::fs::read_to_string(path).unwrap();
        let trained = trained().unwrap();
        assert!(
            trained.file == committed,
            "the messages or the features have changed: run `cargo run -p bench -- train-agent`"
        );
        let crossed = Evaluation::of(&trained.crossed);
        assert!(crossed.macro_f1 >= 0.72, "{crossed:?}");
        assert!(crossed.costs.continued.share <= 0.02 && crossed.costs.nudged.share <= 0.05, "{crossed:?}");
    }
}
