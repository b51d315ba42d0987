//! Finds the memory model that best predicts one learner's own past.
//!
//! The predictable reviews are put in order of time. The later half is predicted in three pieces, each by models
//! that have seen only the reviews before the piece. A review is predictable if it is not the first of its card
//! and comes at least a day after the previous one. Within a day nearly everything is remembered, and none of
//! these models describes that.

mod metrics;
mod walk;

use super::fit::{self, CardHistory};
use super::log::ReviewLog;
use super::memory::{Memory, Model};
use metrics::Predicted;
use serde::Serialize;
use std::collections::BTreeMap;
use std::ops::Range;
use walk::{Case, cases, walk};

/// The number of predictions below which a difference between models is luck. FSRS with its default weights is
/// used then.
pub const MIN_TESTED: usize = 50;

/// The share of the log, from its end, that is predicted, and the number of pieces.
const TESTED_PART: f64 = 0.5;
const PIECES: usize = 3;

/// The models that are compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Candidate {
    Sm2,
    FsrsDefault,
    FsrsFitted,
    /// Predicts the share of reviews recalled so far for every review. A model that predicts no better knows
    /// nothing. The baseline cannot schedule anything and is never chosen.
    Baseline,
}

impl Candidate {
    pub const ALL: [Candidate; 4] =
        [Candidate::Sm2, Candidate::FsrsDefault, Candidate::FsrsFitted, Candidate::Baseline];

    pub fn as_str(self) -> &'static str {
        match self {
            Candidate::Sm2 => "sm2",
            Candidate::FsrsDefault => "fsrs_default",
            Candidate::FsrsFitted => "fsrs_fitted",
            Candidate::Baseline => "baseline",
        }
    }
}

/// The quality of a model's predictions. If `n` is 0, nothing was predicted.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
pub struct Scores {
    /// The log loss. Less is better.
    pub log_loss: Option<f64>,
    /// The distance of predictions from outcomes, in bins of similar reviews. Less is better.
    pub rmse_bins: Option<f64>,
    /// The ability to tell recalled reviews from forgotten ones: 0.5 is chance, 1 is perfect. `None` if all were
    /// recalled or all forgotten.
    pub auc: Option<f64>,
    pub n: usize,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Evaluation {
    pub models: BTreeMap<Candidate, Scores>,
    /// The candidate with the lowest log loss among those that can schedule.
    pub chosen: Candidate,
}

impl Evaluation {
    /// Whether the chosen model predicts better than the mean. If not, there is no reason to change anything.
    pub fn knows_something(&self) -> bool {
        let loss = |candidate| self.models.get(&candidate).and_then(|scores: &Scores| scores.log_loss);
        match (loss(self.chosen), loss(Candidate::Baseline)) {
            (Some(chosen), Some(mean)) => chosen < mean,
            _ => false,
        }
    }

    /// Whether there are enough predictions for a difference between models to be more than luck.
    pub fn is_enough(&self) -> bool {
        self.models.get(&self.chosen).is_some_and(|scores| scores.n >= MIN_TESTED)
    }
}

/// The memory model for a learner, with the evaluation behind the choice.
#[derive(Debug, Clone, PartialEq)]
pub struct Chosen {
    pub evaluation: Evaluation,
    pub memory: Memory,
    /// The weights fitted to the whole log, if fitted weights predict best.
    pub weights: Option<Vec<f32>>,
}

/// Compares the models on a log.
pub fn evaluate(log: &ReviewLog) -> Evaluation {
    let cases = cases(log);
    let mut predicted: BTreeMap<Candidate, Vec<Predicted>> = BTreeMap::new();
    for piece in pieces(&cases) {
        let known = &cases[..piece.start];
        let weights = fit::fit(&histories(log, known));
        for candidate in Candidate::ALL {
            let found = match candidate {
                Candidate::Sm2 => walk(log, &cases, &piece, &Model::new(Memory::Sm2, None)),
                Candidate::FsrsDefault => walk(log, &cases, &piece, &Model::new(Memory::Fsrs, None)),
                Candidate::FsrsFitted => {
                    walk(log, &cases, &piece, &Model::new(Memory::Fsrs, weights.as_deref()))
                }
                Candidate::Baseline => baseline(log, &cases, &piece),
            };
            predicted.entry(candidate).or_default().extend(found);
        }
    }
    let scores = |candidate| metrics::scores(predicted.get(&candidate).map_or(&[], Vec::as_slice));
    let models = Candidate::ALL.map(|candidate| (candidate, scores(candidate))).into();
    Evaluation { chosen: best(&models), models }
}

/// Compares the models on a log and prepares the best one for use.
pub fn choose(log: &ReviewLog) -> Chosen {
    let evaluation = evaluate(log);
    let (memory, weights) = match evaluation.chosen {
        Candidate::Sm2 => (Memory::Sm2, None),
        Candidate::FsrsFitted => (Memory::Fsrs, fit::fit(&histories(log, &cases(log)))),
        Candidate::FsrsDefault | Candidate::Baseline => (Memory::Fsrs, None),
    };
    Chosen { evaluation, memory, weights }
}

/// Scores one model on the reviews that [`evaluate`] predicts.
pub fn score_tested(log: &ReviewLog, model: &Model) -> Scores {
    let cases = cases(log);
    let all = pieces(&cases).into_iter().flat_map(|piece| walk(log, &cases, &piece, model));
    metrics::scores(&all.collect::<Vec<_>>())
}

fn best(models: &BTreeMap<Candidate, Scores>) -> Candidate {
    let can_schedule = [Candidate::FsrsDefault, Candidate::FsrsFitted, Candidate::Sm2];
    let loss = |candidate: &Candidate| models[candidate].log_loss.unwrap_or(f64::INFINITY);
    let is_enough = models.values().all(|scores| scores.n >= MIN_TESTED);
    // Of equal candidates the first wins, so that a model without fitting is preferred.
    let best = can_schedule.into_iter().min_by(|a, b| loss(a).total_cmp(&loss(b)));
    best.filter(|_| is_enough).unwrap_or(Candidate::FsrsDefault)
}

/// Splits the later part of the log into pieces. Reviews at the same time stay in one piece, so that none helps
/// to predict another.
fn pieces(cases: &[Case]) -> Vec<Range<usize>> {
    let tested = (cases.len() as f64 * TESTED_PART).ceil() as usize;
    let first = cases.len() - tested;
    let mut cuts: Vec<usize> = (0..PIECES).map(|piece| first + tested * piece / PIECES).collect();
    for cut in &mut cuts {
        *cut = cases.partition_point(|case| cases.get(*cut).is_some_and(|at| case.at_us < at.at_us));
    }
    cuts.push(cases.len());
    let ranges = cuts.windows(2).map(|pair| pair[0]..pair[1]);
    ranges.filter(|piece| !piece.is_empty()).collect()
}

fn histories<'l>(log: &'l ReviewLog, cases: &[Case]) -> Vec<CardHistory<'l>> {
    let seen =
        |case: &Case| CardHistory { card: case.card, history: &log.cards()[case.card][..=case.review] };
    cases.iter().map(seen).collect()
}

fn baseline(log: &ReviewLog, cases: &[Case], piece: &Range<usize>) -> Vec<Predicted> {
    let known = &cases[..piece.start];
    let recalled = known.iter().filter(|case| case.of(log).quality.is_recalled()).count();
    // The count starts with one of each outcome: a share of nothing is not a number, and nothing is ever certain.
    let chance = (recalled + 1) as f64 / (known.len() + 2) as f64;
    cases[piece.clone()].iter().map(|case| Predicted::new(log, case, chance)).collect()
}
