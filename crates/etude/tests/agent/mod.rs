//! The coach of coding agents through the program as agents have it: a hook with a payload on standard input.
//!
//! The payloads in `fixtures` have the shape that each agent sends; their names say which version was seen.

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
