//! Coding agents and their coach, for whoever brings word of them: a hook, a supervised process, HTTP, a tool.
//!
//! [`agent_turn`] takes one word about an agent and says what is to happen. Beneath it, [`tell`] moves the agent's
//! [`Session`] through the one door, and the [`Desk`] has what lies outside the store: the kill switch, the log and the
//! way to the human.

mod desk;
mod journal;
mod live;
mod session;
mod settings;
mod turn;
mod word;
mod words;

pub use desk::Desk;
pub use journal::{Entry, Journal};
pub use live::{Happening, Live};
pub use session::{FLOW, Session, Stuck};
pub use settings::AgentSettings;
pub use turn::{AgentTurn, AgentTurned, ToolUse, agent_turn};
pub use word::{Outcome, Terms, Word, bounded, end_of, failed_open, tell};
pub use words::split;
