//! Holds a log of reviews, on which memory models are compared and fitted.
//!
//! The log comes from a learner's own ratings, from Anki, or from a table that some other program wrote
//! ([`read_log`]).

mod columns;
mod moment;
mod table;

use super::calendar::Calendar;
use super::memory::Quality;
use std::collections::HashMap;

pub use table::{BadRow, ReadLog, read_log};

/// The greatest number of reviews in a log; this is decades of hard work.
pub const MAX_REVIEWS: usize = 1_000_000;

/// All reviews of one learner, grouped by card, each card from its first review on.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ReviewLog {
    cards: Vec<Vec<Reviewed>>,
}

/// A review: how well something was remembered, when, and how many days after the last time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Reviewed {
    pub at_us: i64,
    pub quality: Quality,
    /// The number of the learner's days since the previous review; 0 for the first.
    pub elapsed_days: u32,
}

/// A review before it is sorted into the log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Loose {
    pub(super) card: String,
    pub(super) at_us: i64,
    pub(super) quality: Quality,
    /// The elapsed days, if the table has a column for them.
    pub(super) elapsed_days: Option<u32>,
}

impl ReviewLog {
    /// Sorts reviews into a log. They may come in any order, each with the name of its card. Duplicates count
    /// once.
    pub fn new(reviews: impl IntoIterator<Item = (String, i64, Quality)>, calendar: &Calendar) -> ReviewLog {
        let loose = |(card, at_us, quality)| Loose { card, at_us, quality, elapsed_days: None };
        ReviewLog::of(reviews.into_iter().map(loose), calendar)
    }

    pub(super) fn of(reviews: impl IntoIterator<Item = Loose>, calendar: &Calendar) -> ReviewLog {
        let mut places: HashMap<String, usize> = HashMap::new();
        let mut cards: Vec<Vec<Loose>> = Vec::new();
        for review in reviews {
            let place = *places.entry(review.card.clone()).or_insert(cards.len());
            if place == cards.len() {
                cards.push(Vec::new());
            }
            cards[place].push(review);
        }
        ReviewLog { cards: cards.into_iter().map(|reviews| in_order(reviews, calendar)).collect() }
    }

    pub fn cards(&self) -> &[Vec<Reviewed>] {
        &self.cards
    }

    /// Returns the number of reviews.
    pub fn len(&self) -> usize {
        self.cards.iter().map(Vec::len).sum()
    }

    pub fn is_empty(&self) -> bool {
        self.cards.is_empty()
    }
}

/// Sorts the reviews of one card, oldest first. Those at the same time keep their order.
fn in_order(mut reviews: Vec<Loose>, calendar: &Calendar) -> Vec<Reviewed> {
    reviews.sort_by_key(|review| review.at_us);
    reviews.dedup();
    let mut ordered: Vec<Reviewed> = Vec::with_capacity(reviews.len());
    for review in reviews {
        let Loose { at_us, quality, elapsed_days, .. } = review;
        let elapsed_days = ordered
            .last()
            .map_or(0, |before| elapsed_days.unwrap_or_else(|| calendar.days_between(before.at_us, at_us)));
        ordered.push(Reviewed { at_us, quality, elapsed_days });
    }
    ordered
}
