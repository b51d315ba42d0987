//! Drills and courses with a model behind them, through the program as its users have it: a rich reply is shown, and
//! whatever else a model or its server does, the session goes on.

#[path = "../common/mod.rs"]
mod common;
mod courses;
mod doctor;
mod drills;
mod lessons;
mod place;
#[path = "../../../outside/tests/chaos/server.rs"]
#[allow(dead_code, reason = "the tests of the port use more of it")]
mod server;
mod small_model;
