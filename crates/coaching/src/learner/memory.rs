//! Decides when to ask something again, with two memory models behind one function.
//!
//! FSRS-6 is the default and predicts better; SM-2 offers the classic intervals. Both are pure: elapsed days and
//! fitted weights are arguments.

use super::profile::Profile;
use fsrs::FSRS;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::ops::RangeInclusive;

/// The chance of recall at which something is asked again.
pub const DESIRED_RETENTION: f64 = 0.9;

/// The range of desired retention. Outside it, intervals vanish or never end.
pub const RETENTION: RangeInclusive<f64> = 0.7..=0.97;

/// The longest interval: a century.
pub const MAX_INTERVAL_DAYS: f64 = 36_500.0;
pub const US_PER_DAY: i64 = 86_400_000_000;

/// The first ease of SM-2, and its floor. The ease falls when recall is hard, and rises without a limit.
const FIRST_EASE: f64 = 2.5;
const EASE_FLOOR: f64 = 1.3;

/// The number of weights of FSRS-6, and the bounds of the last one, which is the decay of its forgetting curve.
const WEIGHTS: usize = 21;
const DECAY: RangeInclusive<f32> = 0.1..=0.8;
/// The lowest stability of FSRS, in days.
const LEAST_STABILITY: f32 = 0.001;
/// The number of the *easy* button of FSRS, whose buttons are counted from 1.
const EASY_BUTTON: u32 = 4;

/// The model that decides when something comes back.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(inline)]
pub enum Memory {
    #[default]
    Fsrs,
    Sm2,
}

/// How good an answer was: 0 no idea, 1 wrong, 2 wrong but close, 3 right with effort, 4 right, 5 perfect
// The scale of SM-2. FSRS has four answers; see [`Memory::review`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(try_from = "u8", into = "u8")]
#[schemars(inline, extend("minimum" = 0, "maximum" = 5))]
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

    /// Returns the quality as an answer to FSRS: 1 again, 2 hard, 3 good, 4 easy.
    pub(super) fn button(self) -> u32 {
        match self.0 {
            0..=2 => 1,
            3 => 2,
            4 => 3,
            _ => EASY_BUTTON,
        }
    }

    /// Whether the thing was remembered: a quality below 3 means that it was forgotten.
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

/// A model's memory of one thing between reviews.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(tag = "model", rename_all = "lowercase")]
pub enum MemoryState {
    Fsrs { stability: f32, difficulty: f32 },
    Sm2 { ease: f64, repetitions: u32, interval_days: f64 },
}

impl Memory {
    /// Like [`Model::review`], with the average learner's weights.
    pub fn review(
        self,
        state: Option<MemoryState>,
        quality: Quality,
        elapsed_days: u32,
        desired_retention: f64,
    ) -> (MemoryState, f64) {
        Model::new(self, None).review(state, quality, elapsed_days, desired_retention)
    }
}

/// Whether FSRS accepts these weights. It clamps each to its own bounds.
pub fn are_weights(weights: &[f32]) -> bool {
    weights.len() == WEIGHTS && weights.iter().all(|weight| weight.is_finite())
}

/// A memory model with its weights. Creating one takes well under a microsecond.
#[derive(Debug, Clone)]
pub struct Model {
    memory: Memory,
    fsrs: FSRS,
    /// The steepness of the forgetting curve.
    decay: f32,
    /// The stability after an easy first answer.
    easy_start: f32,
}

impl Model {
    /// Creates a model. Weights that FSRS does not accept are ignored, so that a learner with a damaged profile
    /// can still practise.
    pub fn new(memory: Memory, weights: Option<&[f32]>) -> Model {
        let weights = weights.filter(|weights| are_weights(weights));
        let weights = weights.unwrap_or(&fsrs::DEFAULT_PARAMETERS);
        let fsrs = FSRS::new(weights).expect("so many finite weights are always taken");
        let decay = weights[WEIGHTS - 1].clamp(*DECAY.start(), *DECAY.end());
        let easy_start = fsrs.next_interval(None, DESIRED_RETENTION as f32, EASY_BUTTON);
        Model { memory, fsrs, decay, easy_start }
    }

    /// Returns the model that the learner chose or that was fitted to them.
    pub fn of(profile: &Profile) -> Model {
        Model::new(profile.memory, profile.weights.as_deref())
    }

    pub fn memory(&self) -> Memory {
        self.memory
    }

    /// Returns the state after a review and the days until the next one. `elapsed_days` have passed since the
    /// last review.
    ///
    /// FSRS reads qualities 0 to 2 as *again*, 3 as *hard*, 4 as *good*, 5 as *easy*. A state of the other model
    /// is converted first, so a learner may change models without starting over.
    pub fn review(
        &self,
        state: Option<MemoryState>,
        quality: Quality,
        elapsed_days: u32,
        desired_retention: f64,
    ) -> (MemoryState, f64) {
        let (state, interval_days) = match self.memory {
            Memory::Fsrs => self.review_fsrs(state, quality, elapsed_days, retention(desired_retention)),
            Memory::Sm2 => review_sm2(state, quality),
        };
        (state, interval_days.clamp(0.0, MAX_INTERVAL_DAYS))
    }

    /// Returns the chance of recall this many days after the last review.
    ///
    /// SM-2 makes no such prediction. Its interval is taken as the days until recall has dropped to 90 %, which
    /// is what its learners see on average, and forgetting as exponential: 0.9 to the power of elapsed days over
    /// interval.
    pub fn recall(&self, state: MemoryState, elapsed_days: f64) -> f64 {
        let elapsed_days = elapsed_days.max(0.0);
        match state {
            MemoryState::Fsrs { stability, difficulty } => {
                let state = fsrs::MemoryState { stability: stability.max(LEAST_STABILITY), difficulty };
                f64::from(fsrs::current_retrievability(state, elapsed_days as f32, self.decay))
            }
            MemoryState::Sm2 { interval_days, .. } => {
                DESIRED_RETENTION.powf(elapsed_days / interval_days.max(f64::from(LEAST_STABILITY)))
            }
        }
    }

    /// Returns the days after a review at which recall has dropped to the desired retention.
    pub(super) fn interval_days(&self, state: MemoryState, desired_retention: f64) -> f64 {
        let days = match state {
            MemoryState::Fsrs { stability, .. } => {
                f64::from(self.fsrs.next_interval(Some(stability), retention(desired_retention), EASY_BUTTON))
            }
            MemoryState::Sm2 { interval_days, .. } => interval_days,
        };
        if days.is_finite() { days.clamp(0.0, MAX_INTERVAL_DAYS) } else { 0.0 }
    }

    fn review_fsrs(
        &self,
        state: Option<MemoryState>,
        quality: Quality,
        elapsed_days: u32,
        retention: f32,
    ) -> (MemoryState, f64) {
        let known = state.and_then(|state| self.as_fsrs(state));
        // FSRS refuses only a state that is not finite, and such a state is as good as none.
        let next = self
            .fsrs
            .next_states(known, retention, elapsed_days)
            .or_else(|_| self.fsrs.next_states(None, retention, 0))
            .expect("FSRS has a first state for every retention in bounds");
        let next = match quality.button() {
            1 => next.again,
            2 => next.hard,
            3 => next.good,
            _ => next.easy,
        };
        let fsrs::MemoryState { stability, difficulty } = next.memory;
        let most = known.filter(|_| elapsed_days == 0).map(|known| known.stability.max(self.easy_start));
        match most.filter(|most| stability > *most) {
            None => (MemoryState::Fsrs { stability, difficulty }, f64::from(next.interval)),
            // Cramming: FSRS lets every easy answer of one day multiply stability, up to decades by the evening. A
            // day of practice is worth no more than an easy first answer.
            Some(stability) => {
                let interval = self.fsrs.next_interval(Some(stability), retention, EASY_BUTTON);
                (MemoryState::Fsrs { stability, difficulty }, f64::from(interval))
            }
        }
    }

    fn as_fsrs(&self, state: MemoryState) -> Option<fsrs::MemoryState> {
        match state {
            MemoryState::Fsrs { stability, difficulty } => Some(fsrs::MemoryState { stability, difficulty }),
            MemoryState::Sm2 { ease, interval_days, .. } => self
                .fsrs
                .memory_state_from_sm2(ease as f32, interval_days as f32, DESIRED_RETENTION as f32)
                .ok(),
        }
    }
}
/// Returns the time `days` after `now_us`.
pub fn after_days_us(now_us: i64, days: f64) -> i64 {
    now_us.saturating_add((days * US_PER_DAY as f64) as i64)
}

/// Returns the whole days from one time to a later one; none if the clock went back.
pub fn days_between(from_us: i64, to_us: i64) -> u32 {
    let days = to_us.saturating_sub(from_us).max(0) as f64 / US_PER_DAY as f64;
    days as u32
}

/// Returns the desired retention within its bounds, in the precision of FSRS.
fn retention(desired: f64) -> f32 {
    desired.clamp(*RETENTION.start(), *RETENTION.end()) as f32
}

/// Reviews by the rules of SM-2. The first success waits one day, the second six, and each later one the last
/// interval times the ease. A failure starts again at one day and keeps its lowered ease.
fn review_sm2(state: Option<MemoryState>, quality: Quality) -> (MemoryState, f64) {
    let (ease, repetitions, interval_days) = match state {
        None => (FIRST_EASE, 0, 0.0),
        Some(MemoryState::Sm2 { ease, repetitions, interval_days }) => (ease, repetitions, interval_days),
        // In FSRS, stability is the number of days until recall drops to 90 %; here that is the interval.
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
