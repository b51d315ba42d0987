//! Holds what is known about a learner: the words they have met, and when they meet them again.

mod calendar;
mod choice;
mod credit;
mod evaluation;
mod fit;
pub mod given;
mod item;
mod log;
mod memory;
mod profile;
pub mod words;

pub use calendar::{Calendar, Load, MAX_FORECAST_DAYS, leeway_days, next_due_us, time_zone};
pub use credit::{MAX_DISTANCE, Remembered, credit};
pub use evaluation::{Candidate, Chosen, Evaluation, MIN_TESTED, Scores, choose, evaluate, score_tested};
pub use item::{Attempt, ITEM_KIND, LearnerItem, MAX_HISTORY, MAX_RATINGS, Rated, Status};
pub use log::{BadRow, MAX_REVIEWS, ReadLog, ReviewLog, Reviewed, read_log};
pub use memory::{
    DESIRED_RETENTION, MAX_INTERVAL_DAYS, Memory, MemoryState, Model, Quality, RETENTION, US_PER_DAY,
    after_days_us, are_weights, days_between,
};
pub use profile::{Channel, Chooser, PROFILE_KEY, PROFILE_KIND, Profile};
