//! What courses need of the shell: maps, reviews that fall due, messages by the calendar.

pub mod analytics;
pub mod digest;
pub mod schedules;
pub mod stale;
pub mod teaching;
