//! Tests of the coach for coding agents through the program as agents call it: a hook with a payload on standard
//! input.
//!
//! The payloads in `fixtures` have the shape that each agent sends; their names give the version that was observed.

mod by_model;
mod checking;
mod contracts;
mod evaluate;
mod failing_open;
mod history;
mod install;
mod over_http;
mod routing;
#[cfg(target_os = "linux")]
mod running;
mod scripted;
mod transcripts;
