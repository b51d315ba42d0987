//! Courses, maps and reviews, for every surface.

pub mod analytics;
pub mod context;
pub mod teaching;
pub mod wire;
