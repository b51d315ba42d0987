//! Tests of the ports against real servers, well-behaved and not.

mod chaos;
mod notify;
#[path = "../../flow/tests/peers.rs"]
#[allow(dead_code, reason = "each crate uses its part")]
mod peers;
mod sql;
