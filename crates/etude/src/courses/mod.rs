//! Courses, maps and reviews, for every surface.

pub mod analytics;
pub mod teaching;
