//! Measures the quality of predictions: log loss, error in bins, and the area under the curve.

use super::Scores;
use super::walk::Case;
use crate::learner::log::{ReviewLog, Reviewed};
use std::collections::BTreeMap;

/// The least probability of either outcome in a prediction. Without this limit one surprise would outweigh
/// everything else.
const LEAST_CHANCE: f64 = 0.0001;

/// A model's prediction for a review, and the outcome.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Predicted {
    chance: f64,
    recalled: bool,
    bin: Bin,
}

/// A group of reviews with about the same days, reviews and lapses before them.
type Bin = (u32, u32, u32);

impl Predicted {
    pub(super) fn new(log: &ReviewLog, case: &Case, chance: f64) -> Predicted {
        let chance = if chance.is_finite() { chance.clamp(LEAST_CHANCE, 1.0 - LEAST_CHANCE) } else { 0.5 };
        let history = &log.cards()[case.card][..=case.review];
        Predicted { chance, recalled: case.of(log).quality.is_recalled(), bin: bin(history) }
    }
}

pub(super) fn scores(predicted: &[Predicted]) -> Scores {
    if predicted.is_empty() {
        return Scores::default();
    }
    Scores {
        log_loss: Some(log_loss(predicted)),
        rmse_bins: Some(rmse_bins(predicted)),
        auc: auc(predicted),
        n: predicted.len(),
    }
}

fn log_loss(predicted: &[Predicted]) -> f64 {
    let loss = |p: &Predicted| if p.recalled { -p.chance.ln() } else { -(1.0 - p.chance).ln() };
    predicted.iter().map(loss).sum::<f64>() / predicted.len() as f64
}

fn rmse_bins(predicted: &[Predicted]) -> f64 {
    let mut bins: BTreeMap<Bin, (f64, f64, f64)> = BTreeMap::new();
    for p in predicted {
        let (said, happened, count) = bins.entry(p.bin).or_default();
        *said += p.chance;
        *happened += f64::from(u8::from(p.recalled));
        *count += 1.0;
    }
    // Each bin is weighted by its size: the squared mean error times its number of reviews.
    let squares = bins.values().map(|(said, happened, count)| (said - happened).powi(2) / count);
    (squares.sum::<f64>() / predicted.len() as f64).sqrt()
}

/// Returns the bin of a review. Bins and constants are those of the FSRS benchmark, so that numbers can be
/// compared with published ones.
fn bin(history: &[Reviewed]) -> Bin {
    let step =
        |scale: f64, base: f64, value: f64| (scale * base.powf(value.log(base).floor())).round() as u32;
    let Some((last, before)) = history.split_last() else { return (0, 0, 0) };
    let is_long_term = |reviewed: &&Reviewed| reviewed.elapsed_days > 0;
    let reviews = history.iter().filter(is_long_term).count() + 1;
    let lapses =
        before.iter().filter(is_long_term).filter(|reviewed| !reviewed.quality.is_recalled()).count();
    let lapses = if lapses == 0 { 0 } else { step(1.65, 1.73, lapses as f64) };
    let days = step(248.0, 3.62, f64::from(last.elapsed_days.max(1)));
    (days, step(1.99, 1.89, reviews as f64), lapses)
}

/// Returns the chance that, of a recalled and a forgotten review, the recalled one had the higher prediction. A
/// tie counts half.
fn auc(predicted: &[Predicted]) -> Option<f64> {
    let mut sorted: Vec<&Predicted> = predicted.iter().collect();
    sorted.sort_by(|a, b| a.chance.total_cmp(&b.chance));
    let recalled = sorted.iter().filter(|p| p.recalled).count() as f64;
    let forgotten = sorted.len() as f64 - recalled;
    let (mut pairs, mut forgotten_below) = (0.0, 0.0);
    for equals in sorted.chunk_by(|a, b| a.chance == b.chance) {
        let up = equals.iter().filter(|p| p.recalled).count() as f64;
        let down = equals.len() as f64 - up;
        pairs += up * (forgotten_below + down / 2.0);
        forgotten_below += down;
    }
    (recalled > 0.0 && forgotten > 0.0).then(|| pairs / (recalled * forgotten))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn predicted(rows: &[(f64, bool)]) -> Vec<Predicted> {
        rows.iter()
            .map(|(chance, recalled)| Predicted { chance: *chance, recalled: *recalled, bin: (1, 1, 0) })
            .collect()
    }

    fn check(rows: &[(f64, bool)], log_loss: f64, rmse_bins: f64, auc: Option<f64>) {
        let found = scores(&predicted(rows));
        let is_near = |found: Option<f64>, expected: f64| (found.unwrap() - expected).abs() < 1e-9;
        assert!(is_near(found.log_loss, log_loss), "{rows:?}: {found:?}");
        assert!(is_near(found.rmse_bins, rmse_bins), "{rows:?}: {found:?}");
        assert!(
            found.auc.zip(auc).map_or(found.auc == auc, |(a, b)| (a - b).abs() < 1e-9),
            "{rows:?}: {found:?}"
        );
    }

    #[test]
    fn scores_are_the_usual_ones() {
        let ln2 = std::f64::consts::LN_2;
        check(&[(0.5, true), (0.5, false)], ln2, 0.0, Some(0.5));
        check(&[(0.8, true), (0.2, false)], -(0.8f64.ln()), 0.0, Some(1.0));
        check(&[(0.2, true), (0.8, false)], -(0.2f64.ln()), 0.0, Some(0.0));
        check(&[(0.9, true), (0.9, true)], -(0.9f64.ln()), 0.1, None);
        check(
            &[(0.6, true), (0.6, false), (0.9, true)],
            -(0.6f64.ln() + 0.4f64.ln() + 0.9f64.ln()) / 3.0,
            0.1 / 3.0,
            Some(0.75),
        );
        assert_eq!(scores(&[]), Scores::default());
    }
}
