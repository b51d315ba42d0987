//! Every integration test of the crate in one program, because linking takes longer than compiling.

#[allow(dead_code, reason = "the example `rates` uses more of it")]
mod common;
mod conformance;
mod failures;
mod upgrade;
