//! What is kept about a learner, and what is done with it.

pub mod profiles;
pub mod remembering;
pub mod rights;
