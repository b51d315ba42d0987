//! Courses and reviews as a learner meets them: the real laws, one door, and a store that is a table in memory.

mod chart;
pub mod class;
mod contract;
mod desk;
mod law;
mod progress;
mod words;
