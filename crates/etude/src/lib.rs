//! The shell of Etude: command line, HTTP, worker and the turn loop that all of them go through.

pub mod app;
pub mod asking;
mod books;
mod builtin;
pub mod cli;
pub mod clock;
pub mod failure;
pub mod flows;
mod http;
mod notices;
mod records;
pub mod replay;
pub mod scenario;
mod schedules;
mod setting;
mod takeover;
pub mod teaching;
pub mod turn;
pub mod view;
pub mod worker;
