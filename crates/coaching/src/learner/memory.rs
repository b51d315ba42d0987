//! When to meet something again: two memory models behind one function.
//!
//! FSRS-6 is the default and predicts better; SM-2 is there for learners who want the classic intervals. Both
//! are pure: the days that have passed are an argument.

use fsrs::FSRS;
use serde::{Deserialize, Serialize};

/// The chance of recall at which something is asked again.
pub const DESIRED_RETENTION: f64 = 0.9;

/// No interval is longer: a century is for ever.
const MAX_INTERVAL_DAYS: f64 = 36_500.0;
/// What a desired retention may be; outside of it intervals become nothing or for ever.
const RETENTION: std::ops::RangeInclusive<f64> = 0.7..=0.99;
const US_PER_DAY: f64 = 86_400_000_000.0;

/// SM-2 begins here, goes down to the floor when recall is hard, and up without a limit.
const FIRST_EASE: f64 = 2.5;
const EASE_FLOOR: f64 = 1.3;

/// Which model decides when something comes back.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Memory {
    #[default]
    Fsrs,
    Sm2,
}

/// How well something was recalled, 0 to 5, as SM-2 asks. FSRS has four answers; see [`Memory::review`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "u8", into = "u8")]
pub struct Quality(u8);

impl Quality {
    pub const AGAIN: Quality = Quality(1);
    pub const HARD: Quality = Quality(3);
    pub const GOOD: Quality = Quality(4);
    pub const EASY: Quality = Quality(5);

    pub fn new(quality: u8) -> Option<Quality> {
        (quality <= 5).then_some(Quality(quality))
    }

    pub fn get(self) -> u8 {
        self.0
    }

    /// Below 3 the thing was forgotten.
    pub fn is_recalled(self) -> bool {
        self.0 >= 3
    }
}

impl TryFrom<u8> for Quality {
    type Error = String;

    fn try_from(quality: u8) -> Result<Quality, String> {
        Quality::new(quality).ok_or_else(|| format!("a quality is 0 to 5, not {quality}"))
    }
}

impl From<Quality> for u8 {
    fn from(quality: Quality) -> u8 {
        quality.0
    }
}

/// What a model remembers about one thing between reviews.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(tag = "model", rename_all = "lowercase")]
pub enum MemoryState {
    Fsrs { stability: f32, difficulty: f32 },
    Sm2 { ease: f64, repetitions: u32, interval_days: f64 },
}

impl Memory {
    /// The state after a review and the days until the next one. `elapsed_days` have passed since the last.
    ///
    /// FSRS reads qualities 0 to 2 as *again*, 3 as *hard*, 4 as *good*, 5 as *easy*. A state of the other
    /// model is converted first, so a learner may change models without starting over.
    pub fn review(
        self,
        state: Option<MemoryState>,
        quality: Quality,
        elapsed_days: u32,
        desired_retention: f64,
    ) -> (MemoryState, f64) {
        let retention = desired_retention.clamp(*RETENTION.start(), *RETENTION.end());
        let (state, interval_days) = match self {
            Memory::Fsrs => review_fsrs(state, quality, elapsed_days, retention as f32),
            Memory::Sm2 => review_sm2(state, quality),
        };
        (state, interval_days.clamp(0.0, MAX_INTERVAL_DAYS))
    }
}

/// The moment `days` after `now_us`.
pub fn after_days_us(now_us: i64, days: f64) -> i64 {
    now_us.saturating_add((days * US_PER_DAY) as i64)
}

/// The whole days from one moment to a later one; none when the clock went back.
pub fn days_between(from_us: i64, to_us: i64) -> u32 {
    let days = to_us.saturating_sub(from_us).max(0) as f64 / US_PER_DAY;
    days as u32
}

fn review_fsrs(
    state: Option<MemoryState>,
    quality: Quality,
    elapsed_days: u32,
    retention: f32,
) -> (MemoryState, f64) {
    let model = FSRS::default();
    let known = state.and_then(|state| as_fsrs(&model, state));
    // Only a state that is not finite is refused, and such a one is as good as none.
    let next = model
        .next_states(known, retention, elapsed_days)
        .or_else(|_| model.next_states(None, retention, 0))
        .expect("FSRS has a first state for every retention in bounds");
    let next = match quality.get() {
        0..=2 => next.again,
        3 => next.hard,
        4 => next.good,
        _ => next.easy,
    };
    let fsrs::MemoryState { stability, difficulty } = next.memory;
    (MemoryState::Fsrs { stability, difficulty }, f64::from(next.interval))
}

fn as_fsrs(model: &FSRS, state: MemoryState) -> Option<fsrs::MemoryState> {
    match state {
        MemoryState::Fsrs { stability, difficulty } => Some(fsrs::MemoryState { stability, difficulty }),
        MemoryState::Sm2 { ease, interval_days, .. } => {
            model.memory_state_from_sm2(ease as f32, interval_days as f32, DESIRED_RETENTION as f32).ok()
        }
    }
}

/// The first success waits a day, the second six, and each later one the last interval times the ease. A
/// failure begins again with a day and keeps the ease it has come down to.
fn review_sm2(state: Option<MemoryState>, quality: Quality) -> (MemoryState, f64) {
    let (ease, repetitions, interval_days) = match state {
        None => (FIRST_EASE, 0, 0.0),
        Some(MemoryState::Sm2 { ease, repetitions, interval_days }) => (ease, repetitions, interval_days),
        // FSRS calls the days until recall drops to 90 % stability: that is the interval it stands at.
        Some(MemoryState::Fsrs { stability, .. }) => (FIRST_EASE, 2, f64::from(stability)),
    };
    let missing = f64::from(5 - quality.get());
    let ease = (ease + 0.1 - missing * (0.08 + 0.02 * missing)).max(EASE_FLOOR);
    let (repetitions, interval_days) = match (quality.is_recalled(), repetitions) {
        (false, _) => (0, 1.0),
        (true, 0) => (1, 1.0),
        (true, 1) => (2, 6.0),
        (true, n) => (n.saturating_add(1), (interval_days * ease).min(MAX_INTERVAL_DAYS)),
    };
    (MemoryState::Sm2 { ease, repetitions, interval_days }, interval_days)
}
