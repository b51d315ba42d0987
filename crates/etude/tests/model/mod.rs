//! Drills and courses with a model behind them, through the program as its users have it: a rich reply is shown, and
//! whatever else a model or its server does, the session goes on.

mod courses;
mod doctor;
mod drills;
mod lessons;
pub mod place;
mod small_model;
