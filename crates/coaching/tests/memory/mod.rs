//! When to meet something again: the models, the days, and what a log of reviews tells about both.

mod calendar;
mod credit;
mod evaluation;
mod log;
mod models;
mod population;
mod profile;
