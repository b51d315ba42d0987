//! Serves HTTP: small, boring, and closed by default.

mod agent;
mod auth;
mod faces;
mod files;
mod guests;
mod home;
mod laws;
mod learner;
mod microphone;
mod operations;
mod page;
mod problem;
mod request;
mod serve;
mod stream;

mod telegram;
mod watching;

pub use auth::token;
pub use operations::openapi;
pub use serve::{DRAIN_TIMEOUT, Options, serve};
