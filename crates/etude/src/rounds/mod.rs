//! What time brings: reviews that fall due, and the jobs of the calendar.

pub mod digest;
pub mod jobs;
pub mod schedules;
pub mod stale;
