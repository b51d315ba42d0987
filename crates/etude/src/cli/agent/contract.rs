//! The contract with each coding agent: the payloads of its hooks and the answers it expects.
//!
//! Payloads are read field by field, and unknown fields are ignored, because agents add fields in every
//! release. An agent acts on the exact form of an answer, so all answers are built here.

use clap::ValueEnum;
use coaching::agent::{Signals, StopReason};
use serde_json::{Value, json};
use std::path::PathBuf;

/// A program whose hooks Etude understands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Agent {
    ClaudeCode,
    Codex,
    Gemini,
    Cursor,
    Copilot,
    Opencode,
    /// Any other: {session_id, text, error?, prompt?}
    Generic,
}

/// One call of a hook, as the payload describes it.
#[derive(Debug, PartialEq)]
pub(super) struct Told {
    /// The agent's name for its session. Empty when the agent does not give one.
    pub session: String,
    /// The folder that the agent works in.
    pub cwd: Option<String>,
    pub what: What,
}

#[derive(Debug, PartialEq)]
pub(super) enum What {
    Stop(Box<Stop>),
    Crash {
        error: String,
        details: String,
        /// Whether the agent has stopped and waits for an answer.
        is_stop: bool,
    },
    /// The human has said something to the agent.
    Prompt {
        text: String,
    },
    /// A message of the agent, to keep for its next stop.
    Reply {
        text: String,
        turn: String,
    },
    /// The agent has used a tool.
    Tool {
        name: String,
        input: Value,
        is_error: Option<bool>,
    },
    /// Nothing of interest to the coach.
    Other {
        event: String,
    },
}

impl What {
    /// Whether the agent waits to hear if it may stop.
    pub(super) fn is_stop(&self) -> bool {
        matches!(self, What::Stop(_) | What::Crash { is_stop: true, .. })
    }
}

/// The details of a stop.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Stop {
    /// The agent's last message, if the payload has it.
    pub text: Option<String>,
    /// The transcript that holds the message, for payloads without it.
    pub transcript: Option<PathBuf>,
    /// The conversation, if the payload has it.
    pub records: Vec<Value>,
    /// The turn that has ended, for agents that send the message in a separate event.
    pub turn: String,
    pub signals: Signals,
    /// The human's last message, if the payload has it.
    pub prompt: Option<String>,
    /// The number of background tasks that still run, if the payload lists them.
    pub in_background: Option<usize>,
    /// Whether the human asked for a plan only.
    pub is_planning: bool,
}

impl Agent {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Agent::ClaudeCode => "claude-code",
            Agent::Codex => "codex",
            Agent::Gemini => "gemini",
            Agent::Cursor => "cursor",
            Agent::Copilot => "copilot",
            Agent::Opencode => "opencode",
            Agent::Generic => "generic",
        }
    }

    /// Reads a payload. Any field may be missing or of another type.
    pub(super) fn read(self, payload: &Value) -> Told {
        match self {
            Agent::ClaudeCode | Agent::Codex | Agent::Gemini => by_event_name(payload),
            Agent::Cursor => cursor(payload),
            Agent::Copilot => copilot(payload),
            Agent::Opencode | Agent::Generic => generic(payload),
        }
    }

    /// Returns the output that lets the agent stop. Most agents take silence for that; some show their human a
    /// message.
    pub(super) fn let_stop(self, reason: &str, for_human: Option<&str>) -> Option<Value> {
        let told = for_human.map(|message| json!({"systemMessage": format!("Etude: {message}")}));
        match self {
            Agent::ClaudeCode | Agent::Codex | Agent::Gemini if told.is_some() => told,
            Agent::ClaudeCode | Agent::Codex | Agent::Copilot => None,
            Agent::Gemini | Agent::Cursor => Some(json!({})),
            Agent::Opencode | Agent::Generic => {
                Some(json!({"decision": "stop", "message": "", "reason": reason}))
            }
        }
    }

    /// Returns the output that sends the agent on with a message.
    pub(super) fn go_on(self, message: &str, reason: &str) -> Value {
        match self {
            Agent::ClaudeCode | Agent::Codex | Agent::Gemini | Agent::Copilot => {
                json!({"decision": "block", "reason": message})
            }
            Agent::Cursor => json!({"followup_message": message}),
            Agent::Opencode | Agent::Generic => {
                json!({"decision": "continue", "message": message, "reason": reason})
            }
        }
    }
}

/// Reads a payload of Claude Code, Codex or Gemini, which name the event in `hook_event_name`.
fn by_event_name(payload: &Value) -> Told {
    let what = match text(payload, "hook_event_name").as_str() {
        "Stop" | "SubagentStop" | "AfterAgent" | "" => What::Stop(Box::new(Stop {
            text: some_text(payload, &["last_assistant_message", "prompt_response"]),
            transcript: transcript(payload, &["agent_transcript_path", "transcript_path"]),
            turn: text(payload, "turn_id"),
            signals: Signals { user_asked_question: asks(payload), ..Signals::default() },
            prompt: some_text(payload, &["prompt"]),
            in_background: in_background(payload),
            is_planning: is_planning(payload),
            ..Stop::default()
        })),
        "StopFailure" => crash(payload, false),
        "PostToolUse" | "PostToolUseFailure" | "AfterTool" => tool(payload),
        "UserPromptSubmit" | "BeforeAgent" => What::Prompt { text: text(payload, "prompt") },
        other => What::Other { event: other.to_owned() },
    };
    Told { session: session_of_task(payload), cwd: some_text(payload, &["cwd"]), what }
}

/// Reads a tool event. The event's name, an `error` field or the tool's response can report a failure.
fn tool(payload: &Value) -> What {
    let response = payload.get("tool_response").unwrap_or(&Value::Null);
    let has_error = |value: &Value| value.get("error").is_some_and(|error| !error.is_null());
    let failed = text(payload, "hook_event_name") == "PostToolUseFailure"
        || has_error(payload)
        || has_error(response)
        || is_true(response, "is_error");
    What::Tool {
        name: text(payload, "tool_name"),
        input: payload.get("tool_input").cloned().unwrap_or_default(),
        is_error: Some(failed),
    }
}

/// Returns the session that a payload is about. A subagent has its own: finishing its task does not finish the work.
fn session_of_task(payload: &Value) -> String {
    let session = text(payload, "session_id");
    match (text(payload, "hook_event_name").as_str(), text(payload, "agent_id")) {
        ("SubagentStop", task) if task.is_empty() => String::new(),
        ("SubagentStop", task) if !session.is_empty() => format!("{session}.{task}"),
        _ => session,
    }
}

fn cursor(payload: &Value) -> Told {
    let turn = text(payload, "generation_id");
    let what = match (text(payload, "hook_event_name").as_str(), text(payload, "status").as_str()) {
        ("stop" | "", "error") => {
            What::Crash { error: "error".to_owned(), details: String::new(), is_stop: true }
        }
        ("stop" | "", status) => What::Stop(Box::new(Stop {
            turn,
            transcript: transcript(payload, &["transcript_path"]),
            signals: Signals { stop_reason: stop_reason(status), ..Signals::default() },
            ..Stop::default()
        })),
        ("afterAgentResponse", _) => What::Reply { text: text(payload, "text"), turn },
        ("beforeSubmitPrompt", _) => What::Prompt { text: text(payload, "prompt") },
        (other, _) => What::Other { event: other.to_owned() },
    };
    let cwd = payload.pointer("/workspace_roots/0").and_then(Value::as_str).map(str::to_owned);
    Told { session: text(payload, "conversation_id"), cwd, what }
}

/// Reads a payload of Copilot, which does not name the event; its fields tell the events apart.
fn copilot(payload: &Value) -> Told {
    let what = if payload.get("error").is_some_and(|error| !error.is_null()) {
        match is_true(payload, "recoverable") {
            true => What::Other { event: "a recoverable error".to_owned() },
            false => crash(payload, false),
        }
    } else if payload.get("prompt").is_some() {
        What::Prompt { text: text(payload, "prompt") }
    } else {
        What::Stop(Box::new(Stop {
            transcript: transcript(payload, &["transcriptPath"]),
            signals: Signals { stop_reason: stop_reason(&text(payload, "stopReason")), ..Signals::default() },
            ..Stop::default()
        }))
    };
    let cwd = some_text(payload, &["workingDirectory", "cwd"]);
    Told { session: text(payload, "sessionId"), cwd, what }
}

fn generic(payload: &Value) -> Told {
    let what = if payload.get("error").is_some_and(|error| !error.is_null()) {
        crash(payload, true)
    } else if payload.get("prompt").is_some() {
        What::Prompt { text: text(payload, "prompt") }
    } else {
        What::Stop(Box::new(Stop {
            text: some_text(payload, &["text"]),
            transcript: transcript(payload, &["transcript_path"]),
            records: payload["records"].as_array().cloned().unwrap_or_default(),
            in_background: in_background(payload),
            is_planning: is_planning(payload),
            ..Stop::default()
        }))
    };
    Told { session: text(payload, "session_id"), cwd: some_text(payload, &["cwd"]), what }
}

/// Reads an error, which is either a string or an object with a message, a name or a type.
fn crash(payload: &Value, is_stop: bool) -> What {
    let error = payload.get("error").unwrap_or(&Value::Null);
    let told = error.as_str().map(str::to_owned).or_else(|| some_text(error, &["message", "name", "type"]));
    let details = some_text(payload, &["error_details", "errorContext", "details"]);
    let error = told.unwrap_or_else(|| "unknown".to_owned());
    What::Crash { error, details: details.unwrap_or_default(), is_stop }
}

fn stop_reason(told: &str) -> Option<StopReason> {
    match told.to_ascii_lowercase().as_str() {
        "completed" | "end_turn" | "complete" => Some(StopReason::EndTurn),
        "max_tokens" | "length" => Some(StopReason::MaxTokens),
        "refusal" => Some(StopReason::Refusal),
        "aborted" | "abort" | "cancelled" | "canceled" | "user_exit" => Some(StopReason::Aborted),
        "error" | "timeout" => Some(StopReason::Error),
        _ => None,
    }
}

/// Whether the human's message ends with a question mark. `None` without such a message.
fn asks(payload: &Value) -> Option<bool> {
    some_text(payload, &["prompt"]).map(|prompt| prompt.trim_end().ends_with('?'))
}

fn text(payload: &Value, field: &str) -> String {
    payload.get(field).and_then(Value::as_str).unwrap_or_default().to_owned()
}

/// Returns the first of these fields that is not blank.
fn some_text(payload: &Value, fields: &[&str]) -> Option<String> {
    let mut texts = fields.iter().map(|field| text(payload, field));
    texts.find(|text| !text.trim().is_empty())
}

fn transcript(payload: &Value, fields: &[&str]) -> Option<PathBuf> {
    some_text(payload, fields).map(PathBuf::from)
}

fn is_planning(payload: &Value) -> bool {
    text(payload, "permission_mode") == "plan"
}

/// Counts the tasks and schedules that still run, if the agent lists them.
fn in_background(payload: &Value) -> Option<usize> {
    let listed = |field: &str| payload.get(field).and_then(Value::as_array).map(Vec::len);
    match (listed("background_tasks"), listed("session_crons")) {
        (None, None) => None,
        (tasks, schedules) => Some(tasks.unwrap_or(0) + schedules.unwrap_or(0)),
    }
}

fn is_true(payload: &Value, field: &str) -> bool {
    payload.get(field).and_then(Value::as_bool).unwrap_or(false)
}
