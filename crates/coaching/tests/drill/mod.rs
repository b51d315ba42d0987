//! Tests of the drill as a learner meets it: real packs, the real law, a single entry point.

mod coach;
mod face;
mod law;
mod memory;
mod model;
mod opening;
mod paths;
mod properties;
mod session;
