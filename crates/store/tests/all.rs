//! Every integration test of the crate in one program, because linking takes longer than compiling.

mod backup;
mod breakable;
mod common;
mod conformance;
mod failover;
mod failures;
#[path = "../../flow/tests/peers.rs"]
#[allow(dead_code, reason = "each crate uses its part")]
mod peers;
mod upgrade;
