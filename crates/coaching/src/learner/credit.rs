//! Gives implicit credit: a good answer on an advanced concept also counts a little for the concepts that it
//! builds on.
//!
//! Solving a quadratic equation uses fractions. So an answer of quality 3 or better counts as part of a good
//! review of each prerequisite: half a review for direct ones, a quarter one step further, and so on up to
//! [`MAX_DISTANCE`]. Part of a review moves everything that part of the way: stability towards its value after a
//! good review, and the day of the last review towards today. Difficulty stays, because the learner was not
//! asked.
//!
//! Credit never brings a review forward. Learners cannot farm it either: all answers of a day together amount to
//! about one review, because each leaves less elapsed time for the next.

use super::calendar::next_due_us;
use super::memory::{DESIRED_RETENTION, MAX_INTERVAL_DAYS, Memory, MemoryState, Model, Quality, US_PER_DAY};
use super::profile::Profile;
use jiff::civil::Date;

/// The greatest distance at which a prerequisite gets credit. Further away it would be less than a sixteenth of a
/// review.
pub const MAX_DISTANCE: u32 = 4;

/// The memory of a prerequisite, before or after the credit.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Remembered {
    pub state: MemoryState,
    /// The time from which the next review counts its days.
    pub reviewed_us: i64,
    pub due_us: i64,
}

/// Returns the new memory of this prerequisite after an answer on a concept `distance` steps above it, or `None`
/// if nothing changes. As after a review, the prerequisite comes back at the beginning of a day with little
/// `load`.
pub fn credit(
    profile: &Profile,
    known: Remembered,
    quality: Quality,
    distance: u32,
    now_us: i64,
    load: &dyn Fn(Date) -> u32,
) -> Option<Remembered> {
    let counts =
        profile.gives_implicit_credit && quality.is_recalled() && (1..=MAX_DISTANCE).contains(&distance);
    let elapsed_us = now_us.saturating_sub(known.reviewed_us);
    if !counts || elapsed_us <= 0 {
        return None;
    }
    // A state stays with its model; a state of SM-2 can be moved without a model.
    let model = Model::new(Memory::Fsrs, profile.weights.as_deref());
    let part = 0.5f64.powi(distance as i32);
    let elapsed_days = elapsed_us as f64 / US_PER_DAY as f64;
    let state = partly_reviewed(&model, known.state, elapsed_days, part);
    let reviewed_us = known.reviewed_us.saturating_add((elapsed_us as f64 * part) as i64);
    let interval_days = model.interval_days(state, profile.desired_retention);
    let due_us = next_due_us(profile, reviewed_us, interval_days, load).max(known.due_us);
    Some(Remembered { state, reviewed_us, due_us })
}

fn partly_reviewed(model: &Model, state: MemoryState, elapsed_days: f64, part: f64) -> MemoryState {
    match state {
        MemoryState::Fsrs { stability, difficulty } => {
            let good = model.review(Some(state), Quality::GOOD, elapsed_days as u32, DESIRED_RETENTION).0;
            let MemoryState::Fsrs { stability: reviewed, .. } = good else { return state };
            let stability = stability + (reviewed - stability).max(0.0) * part as f32;
            MemoryState::Fsrs { stability, difficulty }
        }
        MemoryState::Sm2 { ease, repetitions, interval_days } => {
            // SM-2 lengthens an interval even if little of it has passed, so only that part counts.
            let passed = (elapsed_days / interval_days.max(1.0)).min(1.0);
            let grown = interval_days * (1.0 + (ease - 1.0).max(0.0) * part * passed);
            MemoryState::Sm2 { ease, repetitions, interval_days: grown.min(MAX_INTERVAL_DAYS) }
        }
    }
}
