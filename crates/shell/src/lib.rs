//! What runs flows and serves them, in rooms: the engine, learners, effects, and the surfaces for programs and browsers. A room uses
//! those below it and never one above. The command line is the crate `etude`.
//!
//! Hot code is in boxed futures. A bare future is compiled in every crate that awaits it, and the command line is
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
