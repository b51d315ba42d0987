//! Tests of courses and reviews as a learner meets them: the real laws, a single entry point, and a store in
//! memory.

mod chart;
pub mod class;
mod contract;
mod desk;
mod law;
mod progress;
mod words;
