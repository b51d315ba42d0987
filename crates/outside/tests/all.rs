//! The ports against real servers: some behave, some do not.

mod chaos;
mod notify;
#[path = "../../flow/tests/peers.rs"]
#[allow(dead_code, reason = "each crate uses its part")]
mod peers;
mod sql;
