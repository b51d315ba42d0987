//! Sound: microphones and loudspeakers, speech recognition and synthesis, on this machine or over Wyoming. The
//! crate knows nothing about flows.
//!
//! All sound inside is 16 kHz mono. Everything that listens is new or reset for every turn, so that no turn
//! hears another.

pub mod devices;
pub mod ears;
mod echo;
pub mod engines;
pub mod far;
pub mod layers;
pub mod line;
pub mod loudspeaker;
mod onnx;
pub mod packages;
mod sound;
mod trouble;
mod wav;
pub mod wire;
pub mod wyoming;

pub use sound::{FRAME, RATE, Sound};
pub use trouble::Trouble;
