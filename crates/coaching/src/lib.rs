//! What Etude knows about coaching: pure rules, no clock, no storage, no network.

pub mod agent;
pub mod ask;
pub mod drill;
pub mod learner;
pub mod pack;
pub mod teach;
pub mod text;
pub mod turn;
