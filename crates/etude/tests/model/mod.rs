//! Tests of drills and courses with a model, through the program as its users run it: a good reply is shown, and
//! whatever else a model or its server does, the session goes on.

mod courses;
mod doctor;
mod drills;
mod lessons;
pub mod place;
mod small_model;
