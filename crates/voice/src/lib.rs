//! Sound: microphones and loudspeakers, recognising and speaking, on this machine or over Wyoming. It knows no flow.
//!
//! Everything inside is 16 kHz mono. Whatever listens is made new or reset for every turn, so that no turn hears another.

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
