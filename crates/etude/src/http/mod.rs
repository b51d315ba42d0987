//! The HTTP shell: small, boring, and closed by default.

mod agent;
mod auth;
mod operations;
mod problem;
mod request;
mod serve;
mod stream;
mod teaching;
mod telegram;

pub use auth::token;
pub use operations::openapi;
pub use serve::{DRAIN_TIMEOUT, Options, serve};
