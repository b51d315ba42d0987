//! Tests of when to meet something again: the models, the days, and the evidence of a review log about both.

mod calendar;
mod credit;
mod evaluation;
mod log;
mod models;
mod population;
mod profile;
