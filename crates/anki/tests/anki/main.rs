//! Tests of Anki's packages: read from other programs, written for them, and refused when hostile.

mod files;
mod hostile;
mod others;
#[path = "../../../flow/tests/peers.rs"]
#[allow(dead_code, reason = "each crate uses its part")]
mod peers;
mod schedule;
