//! What the three wires look like: how a prompt becomes a request and how replies are read.
//!
//! Pure: bytes come and go elsewhere. A reply is gathered into the same shape whichever wire it came over,
//! whole or in pieces.

mod anthropic;
mod ollama;
mod openai;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::ask::{Finish, Message, Role, Usage};
use super::config::{ModelConfig, Structure};
use super::stream::Framing;

/// A provider's way of speaking over HTTP.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Wire {
    /// Chat completions; also spoken by llama.cpp, LM Studio, vLLM and many hosted services.
    Openai,
    /// Messages.
    Anthropic,
    /// Ollama's own `/api/chat`.
    Ollama,
}

/// One request, before it has a wire's shape.
#[derive(Debug)]
pub(super) struct Prompt<'a> {
    pub(super) config: &'a ModelConfig,
    pub(super) system: &'a str,
    pub(super) messages: &'a [Message],
    pub(super) schema: Option<&'a Value>,
    pub(super) max_output_tokens: u32,
    pub(super) stream: bool,
}

/// What was read of a reply so far.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Gathered {
    pub(super) text: String,
    pub(super) refusal: Option<String>,
    pub(super) finish: Option<Finish>,
    pub(super) usage: Option<Usage>,
    /// The server said that nothing follows.
    pub(super) ended: bool,
}

/// Why a reply, or a piece of one, could not be read.
#[derive(Debug, PartialEq)]
pub(super) enum Fault {
    /// Not the wire that was expected.
    Malformed(String),
    /// The server reports a failure of its own in place of a reply.
    Failing(String),
}

impl Wire {
    pub(super) fn chat_path(self) -> &'static str {
        match self {
            Wire::Openai => "chat/completions",
            Wire::Anthropic => "messages",
            Wire::Ollama => "api/chat",
        }
    }

    pub(super) fn models_path(self) -> &'static str {
        match self {
            Wire::Openai | Wire::Anthropic => "models",
            Wire::Ollama => "api/tags",
        }
    }

    pub(super) fn framing(self) -> Framing {
        match self {
            Wire::Openai | Wire::Anthropic => Framing::ServerSentEvents,
            Wire::Ollama => Framing::JsonLines,
        }
    }

    /// The header that carries the key, and its value.
    pub(super) fn key_header(self, key: &str) -> (&'static str, String) {
        match self {
            Wire::Openai | Wire::Ollama => ("authorization", format!("Bearer {key}")),
            Wire::Anthropic => ("x-api-key", key.to_owned()),
        }
    }

    pub(super) fn fixed_headers(self) -> &'static [(&'static str, &'static str)] {
        match self {
            Wire::Anthropic => &[("anthropic-version", "2023-06-01")],
            Wire::Openai | Wire::Ollama => &[],
        }
    }

    pub(super) fn body(self, prompt: &Prompt<'_>) -> Value {
        let mut body = match self {
            Wire::Openai => openai::body(prompt),
            Wire::Anthropic => anthropic::body(prompt),
            Wire::Ollama => ollama::body(prompt),
        };
        body["model"] = json!(prompt.config.model);
        body["stream"] = json!(prompt.stream);
        body
    }

    /// Reads a reply that came in one piece.
    pub(super) fn read_whole(self, reply: &Value) -> Result<Gathered, Fault> {
        no_failure(reply)?;
        match self {
            Wire::Openai => openai::read_whole(reply),
            Wire::Anthropic => anthropic::read_whole(reply),
            Wire::Ollama => ollama::read(reply),
        }
    }

    /// Adds one piece of a stream to what was gathered.
    pub(super) fn read_piece(self, frame: &str, gathered: &mut Gathered) -> Result<(), Fault> {
        if self == Wire::Openai && frame == openai::END {
            gathered.ended = true;
            return Ok(());
        }
        let piece: Value = serde_json::from_str(frame)
            .map_err(|error| Fault::Malformed(format!("a piece of the stream is not JSON: {error}")))?;
        no_failure(&piece)?;
        match self {
            Wire::Openai => openai::read_piece(&piece, gathered),
            Wire::Anthropic => anthropic::read_piece(&piece, gathered),
            Wire::Ollama => ollama::read_piece(&piece, gathered),
        }
    }

    /// The names in a list of models.
    pub(super) fn model_names(self, list: &Value) -> Vec<String> {
        let (rows, names): (_, &[&str]) = match self {
            Wire::Openai | Wire::Anthropic => ("data", &["id"]),
            Wire::Ollama => ("models", &["name", "model"]),
        };
        let rows = list.get(rows).and_then(Value::as_array).into_iter().flatten();
        rows.flat_map(|row| names.iter().filter_map(|name| row.get(*name)?.as_str()))
            .map(str::to_owned)
            .collect()
    }
}

impl Gathered {
    fn use_tokens(&mut self, input: Option<u64>, output: Option<u64>) {
        if input.is_some() || output.is_some() {
            let known = self.usage.unwrap_or_default();
            self.usage = Some(Usage {
                input_tokens: input.unwrap_or(known.input_tokens),
                output_tokens: output.unwrap_or(known.output_tokens),
            });
        }
    }
}

impl Prompt<'_> {
    /// The system text, with the schema in it when the server is not given the schema itself.
    fn system_with_schema(&self) -> String {
        match self.schema {
            Some(schema) if self.config.structure != Structure::Schema => {
                let told = include_str!("../prompts/schema.md").replace("{schema}", &schema.to_string());
                format!("{}\n\n{told}", self.system)
            }
            _ => self.system.to_owned(),
        }
    }

    /// The messages with the system text as the first of them.
    fn messages_with_system(&self) -> Vec<Value> {
        let system = json!({"role": "system", "content": self.system_with_schema()});
        std::iter::once(system).chain(self.plain_messages()).collect()
    }

    fn plain_messages(&self) -> impl Iterator<Item = Value> {
        self.messages.iter().map(|message| {
            let role = match message.role {
                Role::User => "user",
                Role::Assistant => "assistant",
            };
            json!({"role": role, "content": message.text})
        })
    }
}

/// Servers report failures in a body with status 200 and in the middle of a stream, too.
fn no_failure(reply: &Value) -> Result<(), Fault> {
    match reply.get("error") {
        None | Some(Value::Null) => Ok(()),
        Some(error) => {
            let text = error.get("message").unwrap_or(error);
            Err(Fault::Failing(text.as_str().map_or_else(|| text.to_string(), str::to_owned)))
        }
    }
}

fn malformed(what: &str) -> Fault {
    Fault::Malformed(what.to_owned())
}

fn number_at(value: &Value, pointer: &str) -> Option<u64> {
    value.pointer(pointer).and_then(Value::as_u64)
}

fn text_at<'a>(value: &'a Value, pointer: &str) -> Option<&'a str> {
    value.pointer(pointer).and_then(Value::as_str)
}

#[cfg(test)]
mod tests;
