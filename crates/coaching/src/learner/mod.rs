//! What is known about a learner: the words they have met, and when to meet them again.

mod item;
mod memory;

pub use item::{Attempt, ITEM_KIND, LearnerItem, MAX_HISTORY, MAX_RATINGS, Rated, Status};
pub use memory::{DESIRED_RETENTION, Memory, MemoryState, Quality, after_days_us, days_between};
