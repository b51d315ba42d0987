//! The HTTP shell: small, boring, and closed by default.

mod agent;
mod auth;
mod faces;
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

pub use auth::token;
pub use operations::openapi;
pub use serve::{DRAIN_TIMEOUT, Options, serve};
