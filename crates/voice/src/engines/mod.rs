//! Models that run on this machine, all on one ONNX runtime. [`packages`](crate::packages) lists the sources of
//! their files.

pub mod dittli;
mod english;
mod german;
pub mod moonshine;
mod runtime;
pub mod silero;
pub(crate) mod spectrum;
mod tokens;
pub mod wake;
pub mod whisper;

pub(crate) use runtime::give_back;
pub use runtime::{Runtime, report_nothing, spare_memory};
