//! Keeps one learner's knowledge of a word or phrase.

use super::memory::{DESIRED_RETENTION, Memory, MemoryState, Model, Quality, after_days_us, days_between};
use crate::record::Record;
use crate::text::How;
use serde::{Deserialize, Serialize};
use std::collections::VecDeque;

/// The kind of the record that holds an item. Its key is `PACK/ITEM`.
pub const ITEM_KIND: &str = "item";
/// The number of attempts that are kept.
pub const MAX_HISTORY: usize = 50;
/// The number of ratings that are kept.
pub const MAX_RATINGS: usize = 200;
/// The number of characters of an utterance that an attempt keeps.
const MAX_PREVIEW_CHARS: usize = 40;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct LearnerItem {
    pub status: Status,
    /// The number of correct uses while the item was being learned or reviewed.
    pub usage: u32,
    /// The number of times that the coach has asked for the item.
    pub presentations: u32,
    /// The newest attempts, oldest first.
    pub history: VecDeque<Attempt>,
    pub memory: Option<MemoryState>,
    /// The newest ratings, oldest first. Memory models are fitted to them; other programs call them reviews.
    #[serde(default)]
    pub ratings: VecDeque<Rated>,
    pub first_met_us: i64,
    pub last_used_us: Option<i64>,
    /// The time of the last rating, from which the next review counts its days.
    pub reviewed_us: Option<i64>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// Perhaps begun, but never finished.
    New,
    Learned,
    /// In the pool with too few correct uses, so that it comes back soon.
    Parked,
}

/// An attempt to say the item.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Attempt {
    pub at_us: i64,
    /// The beginning of the heard text.
    pub heard: String,
    pub how: How,
}

/// A rating: how well the item was remembered, and when.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rated {
    pub at_us: i64,
    pub quality: Quality,
}

impl LearnerItem {
    pub fn new(now_us: i64) -> LearnerItem {
        LearnerItem {
            status: Status::New,
            usage: 0,
            presentations: 0,
            history: VecDeque::new(),
            memory: None,
            ratings: VecDeque::new(),
            first_met_us: now_us,
            last_used_us: None,
            reviewed_us: None,
        }
    }

    pub fn attempt(&mut self, now_us: i64, heard: &str, how: How) {
        if how != How::None {
            self.usage = self.usage.saturating_add(1);
            self.last_used_us = Some(now_us);
        }
        let heard = heard.chars().take(MAX_PREVIEW_CHARS).collect();
        self.history.push_back(Attempt { at_us: now_us, heard, how });
        while self.history.len() > MAX_HISTORY {
            self.history.pop_front();
        }
    }

    /// Rates the item with the average learner's weights. Returns the time at which it is due again.
    pub fn rate(&mut self, memory: Memory, quality: Quality, now_us: i64) -> i64 {
        let elapsed_days = self.reviewed_us.map_or(0, |at_us| days_between(at_us, now_us));
        let model = Model::new(memory, None);
        let interval_days = self.review(&model, DESIRED_RETENTION, quality, elapsed_days, now_us);
        after_days_us(now_us, interval_days)
    }

    /// Rates the item with its learner's weights, `elapsed_days` of the learner's days after the last rating.
    /// Returns the number of days after which it should come back; [`next_due_us`](super::next_due_us) turns that
    /// into a time.
    pub fn review(
        &mut self,
        model: &Model,
        desired_retention: f64,
        quality: Quality,
        elapsed_days: u32,
        now_us: i64,
    ) -> f64 {
        let (state, interval_days) = model.review(self.memory, quality, elapsed_days, desired_retention);
        self.memory = Some(state);
        self.reviewed_us = Some(now_us);
        self.ratings.push_back(Rated { at_us: now_us, quality });
        while self.ratings.len() > MAX_RATINGS {
            self.ratings.pop_front();
        }
        self.status = if quality.is_recalled() { Status::Learned } else { Status::Parked };
        interval_days
    }

    pub fn record(&self, key: String, due_at_us: Option<i64>) -> Record {
        let body = serde_json::to_value(self).expect("an item has only text keys and finite numbers");
        Record { kind: ITEM_KIND.to_owned(), key, body: Some(body), due_at_us, ..Record::default() }
    }
}
