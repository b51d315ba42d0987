//! Each agent's side of the hook contract: the payloads it sends and how it reads the answer.

use crate::common::{Folder, Outcome};
use serde_json::{Value, json};
use std::path::Path;

/// Messages that agents stop with.
pub const STATUS: &str = "Let me run the tests next.";
pub const STATUSES: [&str; 5] = [
    STATUS,
    "I have not finished yet: the parser is still open.",
    "The importer is 40% complete, its error handling is still missing.",
    "Next I will write the importer.",
    "Now I am going to write the exporter.",
];
pub const QUESTION: &str = "Should I proceed with the refactor?";
pub const COMPLETION: &str = "All 42 tests passed, committed abc1234";

/// The shape of the answer that sends an agent on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Answers {
    Block,
    Followup,
    Generic,
}

/// One agent's side of the contract.
#[derive(Debug, Clone, Copy)]
pub struct Contract {
    pub agent: &'static str,
    pub stop: &'static str,
    pub crash: Option<&'static str>,
    pub prompt: &'static str,
    session: &'static str,
    /// The field of the stop that holds the message. Without one, the message is sent or written before the stop.
    text: Option<&'static str>,
    answers: Answers,
    /// The answer that lets the agent stop.
    silence: &'static str,
}

pub const CONTRACTS: [Contract; 6] = [
    Contract {
        agent: "claude-code",
        stop: "claude-code-2.1.325-stop.json",
        crash: Some("claude-code-2.1.325-stop-failure.json"),
        prompt: "claude-code-2.1.325-user-prompt-submit.json",
        session: "session_id",
        text: Some("last_assistant_message"),
        answers: Answers::Block,
        silence: "",
    },
    Contract {
        agent: "codex",
        stop: "codex-0.166-stop.json",
        crash: Some("codex-0.166-stop-failure.json"),
        prompt: "codex-0.166-user-prompt-submit.json",
        session: "session_id",
        text: Some("last_assistant_message"),
        answers: Answers::Block,
        silence: "",
    },
    Contract {
        agent: "gemini",
        stop: "gemini-0.61-after-agent.json",
        crash: None,
        prompt: "gemini-0.61-before-agent.json",
        session: "session_id",
        text: Some("prompt_response"),
        answers: Answers::Block,
        silence: "{}",
    },
    Contract {
        agent: "cursor",
        stop: "cursor-hooks-1-stop.json",
        crash: None,
        prompt: "cursor-hooks-1-before-submit-prompt.json",
        session: "conversation_id",
        text: None,
        answers: Answers::Followup,
        silence: "{}",
    },
    Contract {
        agent: "copilot",
        stop: "copilot-1.0.102-agent-stop.json",
        crash: Some("copilot-1.0.102-error-occurred.json"),
        prompt: "copilot-1.0.102-user-prompt-submitted.json",
        session: "sessionId",
        text: None,
        answers: Answers::Block,
        silence: "",
    },
    Contract {
        agent: "opencode",
        stop: "opencode-1.18-plugin-stop.json",
        crash: Some("opencode-1.18-plugin-error.json"),
        prompt: "opencode-1.18-plugin-prompt.json",
        session: "session_id",
        text: Some("text"),
        answers: Answers::Generic,
        silence: "stop",
    },
];

pub const CLAUDE: Contract = CONTRACTS[0];

impl Contract {
    /// Stops the agent with a message. Returns the words that send it on, if its hook printed any.
    pub fn stops(&self, folder: &Folder, session: &str, text: &str) -> Option<String> {
        let mut payload = self.payload(self.stop, session);
        match (self.text, self.agent) {
            (Some(field), _) => payload[field] = json!(text),
            (None, "cursor") => {
                let mut reply = self.payload("cursor-hooks-1-after-agent-response.json", session);
                reply["text"] = json!(text);
                assert_eq!(self.call(folder, &reply), "", "a message is only noted");
            }
            (None, _) => {
                let record = json!({"type": "assistant.message", "data": {"content": text}});
                payload["transcriptPath"] =
                    json!(folder.write(&format!("{session}.jsonl"), record.to_string()));
            }
        }
        self.message(&self.call(folder, &payload))
    }

    /// Sends the agent a prompt from the human.
    pub fn prompted(&self, folder: &Folder, session: &str, text: &str) {
        let mut payload = self.payload(self.prompt, session);
        payload["prompt"] = json!(text);
        assert_eq!(self.call(folder, &payload), "", "{}: a prompt is only noted", self.agent);
    }

    pub fn payload(&self, fixture: &str, session: &str) -> Value {
        let mut payload: Value = serde_json::from_str(&self::fixture(fixture)).expect("a fixture is JSON");
        assert!(payload[self.session].is_string(), "{fixture} names its session");
        payload[self.session] = json!(session);
        // The transcript exists, but says nothing.
        for field in ["transcript_path", "transcriptPath"] {
            if payload[field].is_string() {
                payload[field] = json!(fixture_path("empty-transcript.jsonl"));
            }
        }
        payload
    }

    pub fn call(&self, folder: &Folder, payload: &Value) -> String {
        well(self.hook(folder, payload.to_string().as_bytes()))
    }

    pub fn hook(&self, folder: &Folder, payload: &[u8]) -> Outcome {
        folder.run_with(&["agent", "hook", self.agent], payload)
    }

    /// Returns the message that sends the agent on, reading the answer as strictly as the agent does.
    pub fn message(&self, answer: &str) -> Option<String> {
        if answer == self.silence {
            return None;
        }
        let value: Value =
            serde_json::from_str(answer).unwrap_or_else(|_| panic!("{}: {answer:?}", self.agent));
        if value.as_object().is_some_and(|fields| fields.len() == 1 && fields.contains_key("systemMessage")) {
            return None;
        }
        let (fields, message) = match self.answers {
            Answers::Block => (json!({"decision": "block", "reason": value["reason"]}), "reason"),
            Answers::Followup => (json!({"followup_message": value["followup_message"]}), "followup_message"),
            Answers::Generic => {
                let known = json!({"decision": value["decision"], "message": value["message"], "reason": value["reason"]});
                assert!(value["decision"] == "continue" || value["decision"] == "stop", "{answer}");
                (known, "message")
            }
        };
        assert_eq!(value, fields, "{}: the answer has exactly these fields", self.agent);
        let message = value[message].as_str().expect("a message is text").to_owned();
        assert_eq!(message.trim().is_empty(), value["decision"] == "stop", "{answer}");
        Some(message).filter(|message| !message.is_empty())
    }
}

/// Checks that a hook ended without a code that an agent could take for an order, and returns its output.
pub fn well(outcome: Outcome) -> String {
    assert_eq!((outcome.code, outcome.stderr.as_str()), (Some(0), ""), "{outcome:?}");
    outcome.stdout.trim().to_owned()
}

pub fn fixture(name: &str) -> String {
    let path = fixture_path(name);
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"))
}

pub fn fixture_path(name: &str) -> String {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/agent/fixtures").join(name).display().to_string()
}

/// The lines of the coach's log.
pub fn journal(folder: &Folder) -> Vec<Value> {
    let text = std::fs::read_to_string(folder.data().join("agent.log")).unwrap_or_default();
    text.lines().map(|line| serde_json::from_str(line).expect("a line is JSON")).collect()
}
