//! Provides the surface of sound: runs the voice loop, and holds any other flow by voice.
//!
//! The law decides; the layers of `voice` listen and speak. This room asks the layers for the event that the law
//! waits for, and tells the flow the result.

pub mod fitting;
pub mod holding;
mod running;
pub mod service;
pub mod talking;

pub use running::{Run, Step};

use crate::engine::app::App;
use coaching::turn::Flow;
use coaching::voice::VoiceLoop;
use flow::{Machine, Overrides};

const FLOW: &str = VoiceLoop::FACE.name;

/// Binds the law of the loop. For every other flow held by voice, it also names the words that end the talk, and
/// how many silences do.
fn law(app: &App) -> Option<Machine> {
    app.flows.get(FLOW)?.bind(&Overrides::new()).ok()
}
