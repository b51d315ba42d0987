//! Takes reports about an agent from programs without hooks: over HTTP, or as a tool.

use super::desk::Desk;
use super::session::{Session, Stuck};
use super::word::{MAX_CONTINUES, Outcome, Terms, Word, bounded, failed_open, tell};
use crate::engine::app::App;
use crate::engine::failure::Failure;
use coaching::agent::{Signals, StopReason, Stopped, Watched, Work};
use coaching::rejected::Rejected;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::path::Path;

const MAX_INPUT_CHARS: usize = 2_000;

/// A report about an agent. Exactly one of `text`, `error`, `prompt` and `tool` says what happened.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct AgentTurn {
    /// The agent's own name for its session.
    pub session: String,
    /// The agent: lower-case letters, digits, `-`.
    pub agent: Option<String>,
    /// The agent has stopped, with this message.
    pub text: Option<String>,
    /// The agent's program has failed with this error. It is never continued.
    pub error: Option<String>,
    /// More about the error.
    pub details: Option<String>,
    /// A human has said this to the agent. It sets every bound back.
    pub prompt: Option<String>,
    /// The agent has used a tool.
    pub tool: Option<ToolUse>,
    /// Why the agent's program ended the turn: end_turn, max_tokens, refusal, aborted or error.
    #[schemars(with = "Option<String>")]
    pub stop_reason: Option<StopReason>,
    /// The phase of the work, such as build or test.
    pub phase: Option<String>,
    /// Whether the human's last message was a question.
    pub asked: Option<bool>,
    /// How many tasks of the agent still run.
    pub in_background: usize,
    /// The cost of the turn, in millionths of a US dollar.
    pub cost_microusd: Option<u64>,
    #[schemars(description = format!("How often a new session may be sent on in a row: 1 to {MAX_CONTINUES}."))]
    pub max_continues: Option<u8>,
    /// The work since the human last spoke: {prompt, task, todos, changed, calls, runs, plan …}.
    #[schemars(with = "Option<serde_json::Map<String, serde_json::Value>>")]
    pub work: Option<Work>,
    /// Whether an agent that only says that it goes on is told "continue".
    pub plain_continue: bool,
}

/// A call of a tool.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct ToolUse {
    pub name: String,
    pub input: Value,
    /// Whether it failed, once that is known.
    pub is_error: Option<bool>,
}

/// The coach's decision about a report.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct AgentTurned {
    /// `continue`: send `message` to the agent. `deliver`: a human has to look. `stop`: leave the agent alone.
    pub decision: String,
    /// The message to send to the agent; empty unless it is to continue.
    pub message: String,
    pub reason: String,
    /// The class of the message, if one was read: question, status, completion, blocker or error.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub class: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub confidence: Option<f64>,
    /// The tier that the message came from: 1, 1b, 2 or 3.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tier: Option<String>,
    /// The origin of the verdict: rules or model.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
    /// The watchdog's alarms.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub watchdog: Vec<String>,
    pub state: String,
}

/// Takes one report about an agent. If no decision is possible, the agent may stop, and the reason says why.
pub async fn agent_turn(app: &App, desk: &Desk, turn: AgentTurn) -> Result<AgentTurned, Failure> {
    let agent = turn.agent.clone().unwrap_or_else(|| "generic".to_owned());
    let session =
        Session::new(app, &agent, &turn.session).map_err(|message| unusable("bad_session", message))?;
    let usual = desk.settings.terms(Path::new(""));
    let terms = Terms { max_continues: turn.max_continues.map(Terms::most).or(usual.max_continues), ..usual };
    let outcome = match tell(&session, word(app, desk, turn)?, &terms).await {
        Ok(outcome) => outcome,
        Err(Stuck::Failure(failure)) => return Err(failure),
        Err(stuck) => failed_open(&session.name, stuck.to_string()),
    };
    desk.note(app.clock.now(), &agent, &outcome);
    desk.tell_human(app.clock.now(), &agent, &outcome).await;
    Ok(turned(outcome))
}

fn word(app: &App, desk: &Desk, turn: AgentTurn) -> Result<Word, Failure> {
    let AgentTurn { text, error, details, prompt, tool, .. } = turn;
    match (text, error, prompt, tool) {
        (None, Some(error), None, None) => Ok(Word::Crashed { error, details: details.unwrap_or_default() }),
        (None, None, text @ Some(_), None) => Ok(Word::Prompted { text, id: None }),
        (None, None, None, Some(tool)) => Ok(Word::Watched(tool.seen())),
        (Some(text), None, None, None) => Ok(Word::Stopped(Box::new(Stopped {
            text: bounded(&text),
            signals: Signals {
                agent_error: None,
                stop_reason: turn.stop_reason,
                user_asked_question: turn.asked,
                phase: turn.phase,
            },
            in_background: turn.in_background,
            is_switched_off: desk.is_off(),
            cost_microusd: turn.cost_microusd,
            work: turn.work,
            plain_continue: turn.plain_continue,
            min_confidence: Some(desk.settings.min_confidence),
            max_risk: Some(desk.settings.max_risk),
            model_ms: desk.model_ms(app),
            ..Stopped::default()
        }))),
        _ => {
            let message = "exactly one of text, error, prompt and tool has to say what happened".to_owned();
            Err(unusable("bad_turn", message))
        }
    }
}

impl ToolUse {
    /// Returns the call in the form that the watchdog compares.
    pub fn seen(&self) -> Watched {
        let input: String = self.input.to_string().chars().take(MAX_INPUT_CHARS).collect();
        Watched {
            call: Some(format!("{} {input}", self.name)),
            is_error: self.is_error,
            ..Watched::default()
        }
    }
}

fn unusable(code: &'static str, message: String) -> Failure {
    let cure = "`/openapi.json` describes what is expected".to_owned();
    Failure::Rejected(Rejected { code, message: message.into(), cure: cure.into() })
}

fn turned(outcome: Outcome) -> AgentTurned {
    AgentTurned {
        decision: match outcome.decision {
            "continue" | "deliver" => outcome.decision,
            _ => "stop",
        }
        .to_owned(),
        message: outcome.message.unwrap_or_default(),
        reason: outcome.reason,
        class: outcome.class.map(|class| class.as_str().to_owned()),
        confidence: outcome.confidence,
        tier: outcome.tier,
        source: outcome.source,
        watchdog: outcome.alarms,
        state: outcome.state,
    }
}
