//! Offers the coach of coding agents as a tool, for agents whose programs have no hooks.

use super::tool::{Caller, Does, Tool};
use crate::agent::{self, AgentTurn, AgentTurned};
use crate::engine::failure::Failure;

pub fn tools() -> Vec<Tool> {
    vec![Tool::new(
        "agent_turn",
        "Report a turn of a coding agent",
        Does::Adds,
        "For coding agents without hooks: tells the coach what an agent did or said, exactly one of `text` (it has \
         stopped with this message), `error`, `prompt` (a human has spoken) and `tool` (it has used one). Returns \
         whether to `continue` with a message, to `deliver` to a human, or to `stop`.",
        turn,
    )
    .for_owner()]
}

async fn turn(caller: Caller, turn: AgentTurn) -> Result<AgentTurned, Failure> {
    agent::agent_turn(&caller.app, &caller.desk, turn).await
}
