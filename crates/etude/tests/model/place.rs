//! A folder with settings, a model server that plays scenes, and a learner in front of both.

use crate::common::{Client, Folder, Outcome, Server, events, text};
use crate::model_server::{Scene, Server as ModelServer, completion};
use serde_json::{Value, json};
use std::sync::LazyLock;
use tokio::runtime::Runtime;

pub const KEY: &str = "sk-secret-0123456789";

/// The runtime of all tests' model servers.
pub static RUNTIME: LazyLock<Runtime> =
    LazyLock::new(|| Runtime::new().expect("a runtime for the model servers"));

pub struct Place {
    pub folder: Folder,
    pub model: ModelServer,
    settings: String,
}

/// A drill that waits for the learner, or is about to.
pub struct Drill<'s> {
    client: &'s Client,
    pub id: String,
}

impl Place {
    /// Starts a model server that plays these scenes. `extra` adds lines to the section `[model]`.
    pub fn new(scenes: Vec<Scene>, extra: &str) -> Place {
        let model = RUNTIME.block_on(ModelServer::start(scenes));
        let folder = Folder::new();
        let settings = folder.write("config.toml", settings(model.port, extra));
        Place { folder, model, settings }
    }

    pub fn serve(&self, arguments: &[&str]) -> Server {
        let mut all = vec!["--config", &self.settings, "--log", "debug"];
        all.extend(arguments);
        self.folder.serve(&all)
    }

    pub fn run(&self, arguments: &[&str]) -> Outcome {
        self.run_with(arguments, b"")
    }

    pub fn run_with(&self, arguments: &[&str], input: &[u8]) -> Outcome {
        self.folder.run_with(&[&["--config", &self.settings], arguments].concat(), input)
    }

    pub fn requests(&self) -> usize {
        self.model.seen().len()
    }
}

/// The section `[model]` for a server on this port.
pub fn settings(port: u16, extra: &str) -> String {
    let address = format!("base_url = \"http://127.0.0.1:{port}/v1\"");
    format!(
        "[model]\npreset = \"openai-compatible\"\n{address}\nmodel = \"tiny\"\napi_key = \"{KEY}\"\n{extra}\n"
    )
}

/// A model's completion that contains a dialogue.
pub fn dialogue(say: &str) -> Scene {
    let reply = json!({"scene": "Anna sits on the stairs with her cat.", "say": say, "means": "Hi!"});
    completion(&reply.to_string())
}

impl<'s> Drill<'s> {
    pub fn open(client: &'s Client, opening: Value) -> Drill<'s> {
        let mut all = json!({"pack": "german-first-words", "new_words": 1});
        all.as_object_mut().expect("an object").extend(opening.as_object().cloned().unwrap_or_default());
        let reply = client.post("/api/instances", &json!({"flow": "drill", "opening": all}));
        assert_eq!(reply.status, 201, "{reply:?}");
        Drill { client, id: text(&reply.json(), "/id").to_owned() }
    }

    /// Sends an event and returns the answer.
    pub fn send(&self, event: &str, payload: Value) -> Value {
        let reply = self.client.post(&events(&self.id), &json!({"event": event, "payload": payload}));
        assert_eq!(reply.status, 200, "{reply:?}");
        reply.json()
    }

    pub fn start(&self) -> Value {
        self.send("start", Value::Null)
    }

    pub fn say(&self, heard: &str) -> Value {
        self.send("asr_result", json!({"text": heard}))
    }

    /// Returns the last transition in which the coach spoke.
    pub fn last_prompt(&self) -> Value {
        let reply = self.client.get(&format!("/api/instances/{}/log", self.id));
        let log = reply.json();
        let entries = log["entries"].as_array().unwrap_or_else(|| panic!("no entries in {log}"));
        let waits = |entry: &Value| entry["to"] == "WAIT_STUDENT" || entry["to"] == "WAIT_RECALL";
        let of_prompt = |entry: &&Value| entry["event"] == "tts_done" && waits(entry);
        entries.iter().rev().find(of_prompt).unwrap_or_else(|| panic!("no prompt in {log}")).clone()
    }
}

/// Returns the lines of a role in an answer.
pub fn said<'a>(answer: &'a Value, role: &str) -> Vec<&'a str> {
    let lines = answer["said"].as_array().map(Vec::as_slice).unwrap_or_default();
    lines.iter().filter(|line| line["role"] == role).map(|line| text(line, "/say")).collect()
}
