//! The last message of an agent, read from the end of the transcript that it writes.
//!
//! Transcripts are JSON lines and can be large. Agents differ in where a record keeps its role and its words, and
//! change it, so several places are looked in; a line that says nothing is passed over.

use serde_json::Value;
use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::Path;

/// How much of the end is read. A last message that begins before this is not found.
const MAX_TAIL_BYTES: u64 = 1 << 20;

/// What the agent said last.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Last {
    pub text: String,
    /// It is no message but an error that the agent's program put there.
    pub is_error: bool,
}

/// Reads the agent's last message, if there is one since the human last spoke.
pub(super) fn last_message(path: &Path) -> Result<Option<Last>, String> {
    let tail = tail(path).map_err(|error| format!("the transcript cannot be read: {error}"))?;
    for line in tail.lines().rev() {
        let Ok(record) = serde_json::from_str::<Value>(line.trim()) else { continue };
        match role(&record) {
            _ if record.get("isSidechain").and_then(Value::as_bool) == Some(true) => {}
            Some(Role::Human) if !words(&record).is_empty() => return Ok(None),
            Some(Role::Agent) if !words(&record).is_empty() => {
                let is_error = record.get("isApiErrorMessage").and_then(Value::as_bool) == Some(true);
                return Ok(Some(Last { text: words(&record), is_error }));
            }
            _ => {}
        }
    }
    Ok(None)
}

fn tail(path: &Path) -> std::io::Result<String> {
    let mut file = File::open(path)?;
    let about = file.metadata()?;
    if !about.is_file() {
        return Err(std::io::Error::other("it is not a file"));
    }
    file.seek(SeekFrom::Start(about.len().saturating_sub(MAX_TAIL_BYTES)))?;
    let mut bytes = Vec::new();
    file.take(MAX_TAIL_BYTES).read_to_end(&mut bytes)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

#[derive(Debug, PartialEq, Eq)]
enum Role {
    Human,
    Agent,
}

/// `{"type": "assistant"}`, `{"type": "assistant.message"}`, `{"role": "assistant"}`, or one of these in `message`.
fn role(record: &Value) -> Option<Role> {
    let places = ["/message/role", "/role", "/type"];
    let names = places.iter().filter_map(|place| record.pointer(place)?.as_str());
    let known = |name: &str| match name.split('.').next()? {
        "assistant" | "agent" | "model" if !name.ends_with("_delta") => Some(Role::Agent),
        "user" | "human" => Some(Role::Human),
        _ => None,
    };
    names.into_iter().find_map(known)
}

/// The text of a record: a string, or the blocks of kind `text`.
fn words(record: &Value) -> String {
    let places = ["/message/content", "/data/content", "/content", "/text"];
    let content = places.iter().find_map(|place| record.pointer(place));
    match content {
        Some(Value::String(text)) => text.trim().to_owned(),
        Some(Value::Array(blocks)) => {
            let is_text = |block: &&Value| block.get("type").and_then(Value::as_str) == Some("text");
            let texts = blocks.iter().filter(is_text).filter_map(|block| block.get("text")?.as_str());
            texts.collect::<Vec<_>>().join("\n").trim().to_owned()
        }
        _ => String::new(),
    }
}
