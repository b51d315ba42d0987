//! Fits the weights of FSRS to the things that one learner has remembered and forgotten.

use super::log::Reviewed;
use fsrs::{ComputeParametersInput, FSRSItem, FSRSReview};

/// The longest history of a card that is used. Longer ones add nothing; FSRS ignores them too.
const MAX_CARD_REVIEWS: usize = 256;
/// The number of the newest reviews that are used: far more than the weights need, and fitted within seconds.
const MAX_FITTED: usize = 200_000;

/// A card, and its history up to some review.
#[derive(Debug, Clone, Copy)]
pub(super) struct CardHistory<'l> {
    pub(super) card: usize,
    pub(super) history: &'l [Reviewed],
}

/// Fits weights to reviews at least a day after the previous one, oldest first, each with the history that ends
/// in it. The same reviews always give the same weights. Returns `None` if there are too few for FSRS.
pub(super) fn fit(reviews: &[CardHistory<'_>]) -> Option<Vec<f32>> {
    let newest = &reviews[reviews.len().saturating_sub(MAX_FITTED)..];
    let fitted: Vec<&CardHistory<'_>> =
        newest.iter().filter(|seen| seen.history.len() <= MAX_CARD_REVIEWS).collect();
    let input = ComputeParametersInput {
        train_set: fitted.iter().map(|seen| item(seen.history)).collect(),
        card_ids: Some(fitted.iter().map(|seen| seen.card as i64).collect()),
        ..ComputeParametersInput::default()
    };
    fsrs::compute_parameters(input).ok().filter(|weights| weights.iter().all(|weight| weight.is_finite()))
}

fn item(history: &[Reviewed]) -> FSRSItem {
    let review = |reviewed: &Reviewed| FSRSReview {
        rating: reviewed.quality.button(),
        delta_t: reviewed.elapsed_days,
    };
    FSRSItem { reviews: history.iter().map(review).collect() }
}
