//! The shell's part of courses: maps, due reviews, scheduled messages.

pub mod digest;
pub mod schedules;
pub mod stale;
pub mod teaching;
