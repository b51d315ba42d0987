//! The program: its command line, and the scenarios that run on it.

pub mod cli;
pub mod scenario;

pub use cli::run;
