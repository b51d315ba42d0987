//! The shell of Etude, in rooms. A room uses those below it and never one above.

pub mod agent;
pub mod builtin;
pub mod chat;
pub mod cli;
pub mod effects;
pub mod engine;
mod http;
pub mod learners;
mod mcp;
pub mod rounds;
pub mod scenario;
mod shelf;
pub mod teach;
pub mod voice;

pub use cli::run;
