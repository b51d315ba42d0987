//! Runs flows and serves them: the engine, learners, effects, and the surfaces for programs, browsers and chats.
//! Each module is a room that uses only rooms below it. The command line is the crate `etude`.
//!
//! Hot code sits in boxed futures: a bare future is compiled in every crate that awaits it, and the command line is
//! compiled without optimisation.

pub mod agent;
pub mod builtin;
pub mod chat;
pub mod effects;
pub mod engine;
pub mod http;
pub mod learners;
pub mod mcp;
pub mod rounds;
pub mod shelf;
pub mod teach;
pub mod voice;
