//! Every integration test of the crate in one program, because linking takes longer than compiling.

mod chaos;
mod notify;
#[path = "../../flow/tests/peers.rs"]
#[allow(dead_code, reason = "each crate uses its part")]
mod peers;
mod small_model;
