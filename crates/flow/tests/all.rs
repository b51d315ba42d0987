//! Every integration test of the crate in one program, because linking takes longer than compiling.

mod diff;
mod explorer;
mod export;
mod pages;
#[allow(dead_code, reason = "each crate uses its part")]
mod peers;
mod proofs;
mod properties;
mod reading;
