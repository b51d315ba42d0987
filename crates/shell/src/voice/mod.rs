//! The surface of sound: runs the loop of the voice, and holds any other flow by voice.
//!
//! The law decides; the layers of `voice` listen and speak. This room asks the layers for what the law waits for, and
//! tells the flow the result.

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

/// The law of the loop. It also says which words end any other flow that is held by voice, and how much silence does.
fn law(app: &App) -> Option<Machine> {
    app.flows.get(FLOW)?.bind(&Overrides::new()).ok()
}
