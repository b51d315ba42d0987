//! Tests of a learner's data and calendar: context, numbers, jobs, and data rights, on real courses in a real store
//! with a clock that the tests set.

mod context;
mod jobs;
mod mail;
mod numbers;
pub mod place;
mod reviews;
mod rights;
mod schedules;
