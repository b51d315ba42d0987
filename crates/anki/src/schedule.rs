//! Converts between Anki's numbers and a card.

use coaching::learner::MemoryState;
use coaching::pack::cards::{Card, Hold, Rating, Review, ReviewKind, Side, Stage};
use serde::{Deserialize, Serialize};

use crate::{AnkiError, S_PER_DAY, US_PER_MS, US_PER_S};

/// The columns that say when a card is next asked.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Schedule {
    pub stage: i64,
    pub queue: i64,
    /// The due time: days since the collection was made, seconds since 1970, or the position among new cards.
    pub due: i64,
    pub interval: i64,
    pub factor: i64,
    pub reps: i64,
    pub lapses: i64,
    /// The `due` that the card had before it went into a filtered deck; 0 if it is in none.
    pub original_due: i64,
    pub data: String,
}

/// The columns of one entry of the history.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct HistoryEntry {
    pub at_ms: i64,
    pub button: i64,
    /// The new interval: days, or negative seconds.
    pub interval: i64,
    pub took_ms: i64,
    pub kind: i64,
}

/// The JSON beside a card: the state of FSRS, and the time of the last answer.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(default)]
struct Extra {
    #[serde(rename = "s", skip_serializing_if = "Option::is_none")]
    stability: Option<f32>,
    #[serde(rename = "d", skip_serializing_if = "Option::is_none")]
    difficulty: Option<f32>,
    #[serde(rename = "lrt", skip_serializing_if = "Option::is_none")]
    last_review_s: Option<i64>,
}

/// The lowest due number that means seconds; it is too large to mean days.
const FIRST_SECONDS: i64 = 1_000_000_000;
const MAX_DAYS: i64 = 36_500;
/// Anki's factor for a card that leaves the learning steps.
const FIRST_FACTOR: i64 = 2_500;
const PERMILLE: f64 = 1_000.0;

impl Schedule {
    /// Makes the card, in a collection that was made at `made_at_s`.
    pub(crate) fn to_card(
        &self,
        made_at_s: i64,
        asks: Side,
        reviews: Vec<Review>,
    ) -> Result<Card, AnkiError> {
        let stage = match self.stage {
            0 => Stage::New,
            1 => Stage::Learning,
            2 => Stage::Review,
            3 => Stage::Relearning,
            other => return Err(AnkiError::Damaged(format!("a card has the type {other}"))),
        };
        let hold = match self.queue {
            -1 => Some(Hold::Suspended),
            -2 | -3 => Some(Hold::Buried),
            _ => None,
        };
        Ok(Card {
            asks,
            stage,
            hold,
            due_at_us: self.due_at_us(stage, made_at_s),
            interval_days: bounded(self.interval, MAX_DAYS),
            ease_permille: bounded(self.factor, i64::from(u16::MAX)),
            reviews_count: bounded(self.reps, i64::from(u32::MAX)),
            lapses: bounded(self.lapses, i64::from(u32::MAX)),
            memory: self.memory(stage),
            reviews,
        })
    }

    fn due_at_us(&self, stage: Stage, made_at_s: i64) -> Option<i64> {
        let due = if self.original_due == 0 { self.due } else { self.original_due };
        let at_s = match stage {
            Stage::New => return None,
            Stage::Learning | Stage::Relearning if due >= FIRST_SECONDS => due,
            _ => made_at_s.saturating_add(due.saturating_mul(S_PER_DAY)),
        };
        Some(at_s.saturating_mul(US_PER_S))
    }

    /// Returns the state of FSRS or, without one, the state that the classic interval and ease imply.
    fn memory(&self, stage: Stage) -> Option<MemoryState> {
        let extra: Extra = serde_json::from_str(&self.data).unwrap_or_default();
        if let (Some(stability), Some(difficulty)) = (extra.stability, extra.difficulty) {
            let is_sound = stability.is_finite() && stability > 0.0 && difficulty.is_finite();
            return is_sound.then_some(MemoryState::Fsrs { stability, difficulty });
        }
        let was_learned = matches!(stage, Stage::Review | Stage::Relearning);
        (was_learned && self.factor > 0 && self.interval > 0).then(|| MemoryState::Sm2 {
            ease: self.factor as f64 / PERMILLE,
            repetitions: bounded(self.reps, i64::from(u32::MAX)),
            interval_days: self.interval.min(MAX_DAYS) as f64,
        })
    }

    /// Returns the columns of a card. `place` is its position if it is new.
    pub(crate) fn of_card(card: &Card, made_at_s: i64, place: i64) -> Schedule {
        let (stage, queue) = match card.stage {
            Stage::New => (0, 0),
            Stage::Learning => (1, 1),
            Stage::Review => (2, 2),
            Stage::Relearning => (3, 1),
        };
        let queue = match card.hold {
            Some(Hold::Suspended) => -1,
            Some(Hold::Buried) => -2,
            None => queue,
        };
        let due_s = card.due_at_us.map_or(made_at_s, |at_us| at_us.div_euclid(US_PER_S));
        let due = match card.stage {
            Stage::New => place,
            Stage::Review => due_s.saturating_sub(made_at_s).div_euclid(S_PER_DAY).clamp(-MAX_DAYS, MAX_DAYS),
            Stage::Learning | Stage::Relearning => due_s.max(FIRST_SECONDS),
        };
        let shortest = i64::from(card.stage == Stage::Review);
        Schedule {
            stage,
            queue,
            due,
            interval: i64::from(card.interval_days).clamp(shortest, MAX_DAYS),
            factor: factor(card),
            reps: i64::from(card.reviews_count),
            lapses: i64::from(card.lapses),
            original_due: 0,
            data: extra(card),
        }
    }
}

impl HistoryEntry {
    /// Returns the answer, or `None` if the interval was changed by hand.
    pub(crate) fn to_review(self) -> Option<Review> {
        let rating = Rating::from_button(self.button)?;
        let kind = match self.kind {
            0 => ReviewKind::Learning,
            1 => ReviewKind::Review,
            2 => ReviewKind::Relearning,
            3 => ReviewKind::Extra,
            _ => return None,
        };
        let interval_s = match self.interval {
            seconds @ ..0 => seconds.saturating_neg(),
            days => days.saturating_mul(S_PER_DAY),
        };
        let took_ms = bounded(self.took_ms, i64::from(u32::MAX));
        Some(Review { at_us: self.at_ms.saturating_mul(US_PER_MS), rating, interval_s, kind, took_ms })
    }

    pub(crate) fn of_review(review: &Review) -> HistoryEntry {
        let interval = match review.interval_s {
            whole if whole % S_PER_DAY == 0 => whole / S_PER_DAY,
            seconds => -seconds.max(0),
        };
        let kind = match review.kind {
            ReviewKind::Learning => 0,
            ReviewKind::Review => 1,
            ReviewKind::Relearning => 2,
            ReviewKind::Extra => 3,
        };
        let at_ms = review.at_us.div_euclid(US_PER_MS);
        HistoryEntry {
            at_ms,
            button: review.rating.button(),
            interval,
            took_ms: i64::from(review.took_ms),
            kind,
        }
    }
}

fn factor(card: &Card) -> i64 {
    match (card.ease_permille, card.memory) {
        (0, Some(MemoryState::Sm2 { ease, .. })) => (ease * PERMILLE) as i64,
        (0, _) if card.stage == Stage::Review => FIRST_FACTOR,
        (ease_permille, _) => i64::from(ease_permille),
    }
}

fn extra(card: &Card) -> String {
    let last_review_s = card.reviews.last().map(|review| review.at_us.div_euclid(US_PER_S));
    let extra = match card.memory {
        Some(MemoryState::Fsrs { stability, difficulty }) => {
            Extra { stability: Some(stability), difficulty: Some(difficulty), last_review_s }
        }
        _ => Extra { last_review_s, ..Extra::default() },
    };
    serde_json::to_string(&extra).expect("three numbers are always JSON")
}

fn bounded(number: i64, max: i64) -> u32 {
    u32::try_from(number.clamp(0, max)).unwrap_or(u32::MAX)
}
