//! The judge: runs a learner's program against tests and says what became of it. The program is shut in; what is right is compared
//! outside, so that nothing inside knows it.

mod isolation;
mod judge;
mod language;
mod limits;
mod queue;
mod running;
mod sandbox;
mod text;
mod trace;

pub use isolation::{Isolation, Layer, Level};
pub use judge::{Judge, Options, Settings};
pub use language::Language;
pub use limits::Limits;
pub use sandbox::inner;
