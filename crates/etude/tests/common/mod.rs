//! Shared helpers of the shell's tests: the program as a process, a folder for each test, and a minimal HTTP
//! client. Nothing here knows the program's internals.

mod client;
pub mod learner;
mod program;
pub mod pty;
mod receiver;
pub mod stored;

pub use client::{Client, Reply, Request, events};
pub use program::{Folder, Outcome, Server, built_example, example, law};
pub use receiver::{Delivery, Receiver};

use serde_json::Value;
use std::time::{Duration, Instant};

/// The longest time that a test waits for something that must happen. Only a fault uses it up, on any machine.
pub const PATIENCE: Duration = Duration::from_secs(120);

/// Calls `ask` until it returns an answer, and panics after [`PATIENCE`].
pub fn eventually<T>(what: &str, mut ask: impl FnMut() -> Option<T>) -> T {
    let started = Instant::now();
    loop {
        if let Some(answer) = ask() {
            return answer;
        }
        assert!(started.elapsed() < PATIENCE, "{what}: not within {PATIENCE:?}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// The text at a pointer of a JSON value; empty if there is none.
pub fn text<'v>(value: &'v Value, pointer: &str) -> &'v str {
    value.pointer(pointer).and_then(Value::as_str).unwrap_or("")
}

pub fn number(value: &Value, pointer: &str) -> u64 {
    value
        .pointer(pointer)
        .and_then(Value::as_u64)
        .unwrap_or_else(|| panic!("no number at {pointer} in {value}"))
}

pub fn names(value: &Value) -> Vec<&str> {
    value.as_array().map(|list| list.iter().filter_map(Value::as_str).collect()).unwrap_or_default()
}
