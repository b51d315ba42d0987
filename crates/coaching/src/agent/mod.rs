//! A coach for coding agents: what an agent stopped with, and what to tell it.
//!
//! [`classify`] reads an agent's final message with rules alone; [`parse_reply`] reads what a model made of it.
//! Either gives a [`ClassificationResult`].

mod classify;
mod cues;
mod error_shape;
mod evidence;
mod findings;
mod message;
mod spans;
mod verdict;

pub use classify::classify;
pub use verdict::{ClassificationResult, MIN_CONFIDENCE, OutputType, Signals, StopReason};
