//! What the tests of the shell share: the program as a process, a folder of its own for each test, and a
//! client that speaks just enough HTTP. Nothing here knows the inside of the program.

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

/// How long a test waits for something that must come. Only a fault lets it wait this long, on any machine.
pub const PATIENCE: Duration = Duration::from_secs(120);

/// Asks again and again until there is an answer.
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

/// A text in a JSON value, by pointer. What is not there reads as nothing.
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
