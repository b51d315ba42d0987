//! Coaches coding agents. A hook, a supervised process, HTTP or a tool reports on an agent.
//!
//! [`agent_turn`] takes one report and decides what happens next. Beneath it, [`tell`] moves the agent's
//! [`Session`] through the one door, and the [`Desk`] has everything outside the store: the kill switch, the log
//! and the way to the human.

mod check;
mod desk;
mod journal;
mod live;
mod session;
mod settings;
pub mod transcript;
mod turn;
mod word;

pub use check::{Checking, hash, is_not_runnable};
pub use desk::{Desk, News, split};
pub use journal::{Entry, Journal};
pub use live::{Happening, Live};
pub use session::{FLOW, Session, Stuck, standing};
pub use settings::{AgentSettings, ProjectSettings};
pub use turn::{AgentTurn, AgentTurned, ToolUse, agent_turn};
pub use word::{MAX_CONTINUES, Outcome, Terms, Word, bounded, failed_open, tell};
