//! The HTTP shell: small, boring, and closed by default.

mod auth;
mod operations;
mod problem;
mod request;
mod serve;

pub use auth::token;
pub use operations::openapi;
pub use serve::{Options, serve};
