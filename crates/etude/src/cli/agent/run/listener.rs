//! Reads the output of an agent's process for its last message, the end of its turn, the tools it uses, its
//! errors, its session and its cost.
//!
//! Agents that print events as JSON lines are understood by the shape of the events, whatever the events are
//! called. Any other output counts as plain text, of which the beginning and the end are kept.

use coaching::agent::{StopReason, Watched, Work};
use serde_json::Value;
use shell::agent::transcript::Story;

/// The longest line that can be an event. A longer one is read as text.
const MAX_LINE_BYTES: usize = 8 << 20;
/// The part of plain text that is kept: this much of the beginning and of the end.
const HEAD_BYTES: usize = 8 << 10;
const TAIL_BYTES: usize = 64 << 10;
/// The longest output that is tried as a single JSON document over several lines.
const MAX_DOCUMENT_BYTES: usize = 1 << 20;

/// A notable event in a piece of output.
#[derive(Debug, PartialEq)]
pub(super) enum Heard {
    /// The start or the end of a tool call.
    Tool(Watched),
    /// The agent's statement that its turn is over.
    TurnEnded,
}

/// A turn of the agent, as far as its output shows it.
#[derive(Debug, Default, Clone, PartialEq)]
pub(super) struct Turn {
    pub text: String,
    /// The failure that the agent's program reported.
    pub error: Option<String>,
    pub stop_reason: Option<StopReason>,
    pub cost_microusd: Option<u64>,
    /// The agent's work in this run, if its output shows it.
    pub work: Option<Work>,
}

#[derive(Debug, Default)]
pub(super) struct Listener {
    /// The agent's own name for its session.
    pub session: Option<String>,
    /// The line that ends a turn, for agents that talk in plain lines.
    turn_end: Option<String>,
    turn: Turn,
    line: Vec<u8>,
    head: Vec<u8>,
    tail: Vec<u8>,
    document: Vec<u8>,
    /// Whether any event of this turn was understood.
    has_events: bool,
    /// Whether the text so far is incomplete, and the next piece continues it.
    is_partial: bool,
    /// An error from which the agent may still recover.
    passing_error: Option<String>,
    story: Story,
    /// Whether the agent prints its messages and calls one by one, so that anything missing did not happen.
    shows_work: bool,
}

impl Listener {
    pub(super) fn new(turn_end: Option<String>) -> Listener {
        Listener { turn_end, ..Listener::default() }
    }

    /// Takes in a piece of output. Returns the notable events in it.
    pub(super) fn hear(&mut self, bytes: &[u8]) -> Vec<Heard> {
        let mut heard = Vec::new();
        if self.document.len() + bytes.len() <= MAX_DOCUMENT_BYTES {
            self.document.extend_from_slice(bytes);
        }
        for piece in bytes.split_inclusive(|byte| *byte == b'\n') {
            self.line.extend_from_slice(piece);
            if piece.ends_with(b"\n") || self.line.len() > MAX_LINE_BYTES {
                let line = std::mem::take(&mut self.line);
                self.hear_line(&line, &mut heard);
            }
        }
        heard
    }

    /// Returns the turn that is over, and begins the next one.
    pub(super) fn take_turn(&mut self) -> Turn {
        let line = std::mem::take(&mut self.line);
        self.hear_line(&line, &mut Vec::new());
        if !self.has_events {
            let document = serde_json::from_slice(&self.document);
            let is_understood = document.is_ok_and(|document| self.hear_event(&document, &mut Vec::new()));
            self.has_events |= is_understood;
        }
        let mut turn = std::mem::take(&mut self.turn);
        if !self.has_events {
            let gap: &[u8] = if self.head.len() < HEAD_BYTES { b"" } else { b"\n\n" };
            turn.text = String::from_utf8_lossy(&[&self.head, gap, &self.tail].concat()).trim().to_owned();
        }
        turn.error = turn.error.or(self.passing_error.take().filter(|_| turn.text.is_empty()));
        (self.head, self.tail, self.document) = Default::default();
        (self.has_events, self.is_partial) = (false, false);
        turn.work = self.shows_work.then(|| self.story.work());
        turn
    }

    fn hear_line(&mut self, line: &[u8], heard: &mut Vec<Heard>) {
        let trimmed = line.trim_ascii();
        if self.turn_end.as_ref().is_some_and(|end| trimmed == end.as_bytes()) {
            heard.push(Heard::TurnEnded);
            return;
        }
        let is_json = matches!(trimmed.first(), Some(b'{' | b'['));
        let event = if is_json { serde_json::from_slice::<Value>(trimmed).ok() } else { None };
        match event {
            Some(Value::Array(events)) => {
                for event in &events {
                    self.has_events |= self.hear_event(event, heard);
                }
            }
            Some(event) if self.hear_event(&event, heard) => self.has_events = true,
            _ => self.keep(line),
        }
    }

    fn keep(&mut self, line: &[u8]) {
        let fits = line.len().min(HEAD_BYTES - self.head.len().min(HEAD_BYTES));
        self.head.extend_from_slice(&line[..fits]);
        self.tail.extend_from_slice(&line[fits..]);
        if self.tail.len() > 2 * TAIL_BYTES {
            self.tail.drain(..self.tail.len() - TAIL_BYTES);
        }
    }

    /// Takes in an event. Returns whether its shape is known.
    fn hear_event(&mut self, event: &Value, heard: &mut Vec<Heard>) -> bool {
        for field in ["session_id", "sessionID", "thread_id"] {
            if let Some(id) = event[field].as_str().filter(|id| !id.is_empty()) {
                self.session = Some(id.to_owned());
            }
        }
        self.shows_work |=
            matches!(event["type"].as_str(), Some("assistant" | "message" | "item.completed" | "text"));
        heard.extend(self.story.take_record(event).into_iter().map(Heard::Tool));
        match event["type"].as_str() {
            Some("system" | "init" | "thread.started" | "turn.started" | "item.started" | "step_start") => {}
            Some("user" | "tool_call" | "tool_result") => {}
            Some("tool_use") => self.is_partial = false,
            // A subagent's message is not the agent's own.
            Some("assistant") if event["parent_tool_use_id"].is_string() => {}
            Some("assistant") => self.hear_blocks(&event["message"]["content"]),
            Some("message") => self.hear_message(event),
            Some("item.completed") if event["item"]["type"] == "agent_message" => {
                self.say(event["item"]["text"].as_str().unwrap_or_default());
            }
            Some("item.completed") => {}
            Some("text") => self.say(event["part"]["text"].as_str().unwrap_or_default()),
            Some("step_finish") => self.add_cost(event["part"]["cost"].as_f64()),
            Some("result") => self.hear_result(event, heard),
            Some("turn.completed") => heard.push(Heard::TurnEnded),
            Some("turn.failed") => {
                self.turn.error = Some(error_of(event));
                heard.push(Heard::TurnEnded);
            }
            Some("error") => self.passing_error = Some(error_of(event)),
            Some(_) => return self.has_events,
            None if event["response"].is_string() || event["error"].is_object() => {
                self.say(event["response"].as_str().unwrap_or_default());
                self.turn.error = event["error"].is_object().then(|| error_of(event));
            }
            None => return false,
        }
        true
    }

    /// Stores a complete message, which replaces the one before.
    fn say(&mut self, text: &str) {
        if !text.trim().is_empty() {
            self.turn.text = text.to_owned();
            (self.is_partial, self.passing_error) = (false, None);
        }
    }

    fn hear_blocks(&mut self, blocks: &Value) {
        let texts = blocks.as_array().into_iter().flatten().filter(|block| block["type"] == "text");
        let texts: Vec<&str> = texts.filter_map(|block| block["text"].as_str()).collect();
        self.say(&texts.join("\n"));
    }

    /// Takes in a message. Some agents print one in pieces.
    fn hear_message(&mut self, event: &Value) {
        let text = event["content"].as_str().unwrap_or_default();
        if event["role"] != "assistant" {
            return;
        }
        if event["delta"] == true && self.is_partial {
            self.turn.text.push_str(text);
        } else {
            self.say(text);
            self.is_partial = event["delta"] == true;
        }
    }

    fn hear_result(&mut self, event: &Value, heard: &mut Vec<Heard>) {
        self.say(event["result"].as_str().unwrap_or_default());
        self.add_cost(event["total_cost_usd"].as_f64());
        let subtype = event["subtype"].as_str().unwrap_or_default();
        if event["is_error"] == true || subtype.starts_with("error") || event["status"] == "error" {
            self.turn.error = Some(match subtype {
                "" | "success" => error_of(event),
                subtype => subtype.to_owned(),
            });
        }
        self.turn.stop_reason = match event["stop_reason"].as_str() {
            Some("end_turn") => Some(StopReason::EndTurn),
            Some("max_tokens") => Some(StopReason::MaxTokens),
            Some("refusal") => Some(StopReason::Refusal),
            _ => None,
        };
        heard.push(Heard::TurnEnded);
    }

    fn add_cost(&mut self, usd: Option<f64>) {
        let Some(usd) = usd.filter(|usd| usd.is_finite() && *usd >= 0.0) else { return };
        let sum = self.turn.cost_microusd.unwrap_or(0).saturating_add((usd * 1e6) as u64);
        self.turn.cost_microusd = Some(sum);
    }
}

fn error_of(event: &Value) -> String {
    let places = ["/error/message", "/error/data/message", "/error/name", "/error", "/message", "/result"];
    let told = places.iter().find_map(|place| event.pointer(place)?.as_str());
    told.unwrap_or("the agent's program does not say which").to_owned()
}

#[cfg(test)]
#[path = "listener_tests.rs"]
mod tests;
