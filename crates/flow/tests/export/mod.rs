//! Tests of exports: pinned as snapshots, then loaded or compiled by the tools they are written for, and walked
//! beside the engine along the same events.

pub(crate) mod dice;
mod laws;
mod random_law;
mod replay;
mod snapshots;
mod traces;
