//! The surface of sound: runs the loop of the voice, and holds any other flow by voice.
//!
//! The law decides; the layers of `voice` listen and speak. This asks the layers for what the law waits for, and tells the
//! flow what came of it.

pub mod holding;
mod running;
pub mod service;
pub mod talking;

pub use running::{Run, Step};
