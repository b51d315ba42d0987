//! Connects courses to the rest of the shell: maps, due reviews, scheduled messages.

pub mod digest;
pub mod schedules;
pub mod stale;
pub mod teaching;
