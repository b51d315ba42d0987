//! Runs a learner's program against tests and reports the outcome. The program runs in a sandbox. Answers are
//! compared outside, so nothing inside knows the right ones.

mod exam;
mod failing;
mod isolation;
mod language;
mod limits;
mod settings;

pub use failing::Failing;
pub use isolation::{Isolation, Layer, Level};
pub use language::Language;
pub use limits::Limits;
pub use settings::{Options, Settings};

#[cfg(not(target_os = "linux"))]
mod elsewhere;
#[cfg(not(target_os = "linux"))]
pub use elsewhere::{Judge, inner};

#[cfg(target_os = "linux")]
mod judge;
#[cfg(target_os = "linux")]
mod nursery;
#[cfg(target_os = "linux")]
mod probe;
#[cfg(target_os = "linux")]
mod queue;
#[cfg(target_os = "linux")]
mod running;
#[cfg(target_os = "linux")]
mod said;
#[cfg(target_os = "linux")]
mod sandbox;
#[cfg(target_os = "linux")]
mod shrink;
#[cfg(target_os = "linux")]
mod text;
#[cfg(target_os = "linux")]
mod toolchain;
#[cfg(target_os = "linux")]
mod trace;
#[cfg(target_os = "linux")]
pub use judge::Judge;
#[cfg(target_os = "linux")]
pub use sandbox::inner;
