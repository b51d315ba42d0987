//! Walks a model along the histories of cards and predicts the chance of recall before each review.

use super::metrics::Predicted;
use crate::learner::log::{ReviewLog, Reviewed};
use crate::learner::memory::{DESIRED_RETENTION, Memory, MemoryState, Model};
use std::ops::Range;

/// A review that can be predicted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Case {
    pub(super) at_us: i64,
    pub(super) card: usize,
    pub(super) review: usize,
}

impl Case {
    pub(super) fn of(self, log: &ReviewLog) -> &Reviewed {
        &log.cards()[self.card][self.review]
    }
}

/// Returns all reviews that can be predicted, oldest first.
pub(super) fn cases(log: &ReviewLog) -> Vec<Case> {
    let cards = log.cards().iter().enumerate();
    let reviews = cards.flat_map(|(card, reviews)| {
        let later = reviews.iter().enumerate().skip(1).filter(|(_, reviewed)| reviewed.elapsed_days > 0);
        later.map(move |(review, reviewed)| Case { at_us: reviewed.at_us, card, review })
    });
    let mut cases: Vec<Case> = reviews.collect();
    cases.sort_unstable();
    cases
}

/// Predicts the reviews of one piece. The model always knows a card's own past, even within the piece.
pub(super) fn walk(log: &ReviewLog, cases: &[Case], piece: &Range<usize>, model: &Model) -> Vec<Predicted> {
    let mut wanted: Vec<&Case> = cases[piece.clone()].iter().collect();
    wanted.sort_unstable_by_key(|case| (case.card, case.review));
    let mut predicted = Vec::with_capacity(wanted.len());
    for of_card in wanted.chunk_by(|a, b| a.card == b.card) {
        let reviews = &log.cards()[of_card[0].card];
        let mut path = Path { model, state: None, elapsed_days: 0, seen: 0 };
        for case in of_card {
            let chance = path.before(reviews, case.review);
            predicted.push(Predicted::new(log, case, chance));
        }
    }
    predicted
}

/// The progress of a model along the history of one card.
struct Path<'m> {
    model: &'m Model,
    state: Option<MemoryState>,
    /// The days since the last review that the model has counted.
    elapsed_days: u32,
    seen: usize,
}

impl Path<'_> {
    /// Returns the chance of recall at a review, given all reviews before it.
    fn before(&mut self, reviews: &[Reviewed], review: usize) -> f64 {
        while self.seen < review {
            self.take(&reviews[self.seen]);
            self.seen += 1;
        }
        let elapsed_days = self.elapsed_days.saturating_add(reviews[review].elapsed_days);
        self.state.map_or(DESIRED_RETENTION, |state| self.model.recall(state, f64::from(elapsed_days)))
    }

    /// Takes a review into account. SM-2 knows only days, so it does not count further answers on the same day.
    fn take(&mut self, reviewed: &Reviewed) {
        let elapsed_days = self.elapsed_days.saturating_add(reviewed.elapsed_days);
        if self.model.memory() == Memory::Sm2 && self.state.is_some() && elapsed_days == 0 {
            return;
        }
        let (state, _) = self.model.review(self.state, reviewed.quality, elapsed_days, DESIRED_RETENTION);
        (self.state, self.elapsed_days) = (Some(state), 0);
    }
}
