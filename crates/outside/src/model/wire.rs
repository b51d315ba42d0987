//! The formats of the three wires: how a prompt becomes a request and how a reply is read.
//!
//! Pure: `exchange` sends the bytes.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::ask::{Message, Usage};
use super::config::{ModelConfig, Structure};

/// A provider's way of speaking over HTTP.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Wire {
    /// Chat completions; also spoken by llama.cpp, LM Studio, vLLM and many hosted services.
    Openai,
    /// Messages. The schema is a tool that the model must call; the tool's input is the answer.
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
    pub(super) schema: &'a Value,
    pub(super) max_output_tokens: u32,
}

/// What a model replied, whichever wire it came over.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Words {
    pub(super) text: String,
    pub(super) refusal: Option<String>,
    /// The output limit cut the text off.
    pub(super) is_cut: bool,
    pub(super) usage: Option<Usage>,
}

/// Why a reply could not be read.
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

    pub(super) fn headers(self, key: Option<&str>) -> Vec<(&'static str, String)> {
        let key = key.map(|key| match self {
            Wire::Openai | Wire::Ollama => ("authorization", format!("Bearer {key}")),
            Wire::Anthropic => ("x-api-key", key.to_owned()),
        });
        let version = (self == Wire::Anthropic).then(|| ("anthropic-version", "2023-06-01".to_owned()));
        key.into_iter().chain(version).collect()
    }

    pub(super) fn body(self, prompt: &Prompt<'_>) -> Value {
        let mut body = match self {
            Wire::Openai => openai_body(prompt),
            Wire::Anthropic => anthropic_body(prompt),
            Wire::Ollama => ollama_body(prompt),
        };
        body["model"] = json!(prompt.config.model);
        body["stream"] = json!(false);
        if let Some(temperature) = prompt.config.temperature {
            let options = if self == Wire::Ollama { &mut body["options"] } else { &mut body };
            options["temperature"] = json!(temperature);
        }
        body
    }

    pub(super) fn read(self, reply: &Value) -> Result<Words, Fault> {
        // Servers report failures with status 200, too.
        if let Some(error) = reply.get("error").filter(|error| !error.is_null()) {
            let text = error.get("message").unwrap_or(error);
            return Err(Fault::Failing(text.as_str().map_or_else(|| text.to_string(), str::to_owned)));
        }
        let words = match self {
            Wire::Openai => read_openai(reply).ok_or("the reply has no choices"),
            Wire::Anthropic => read_anthropic(reply).ok_or("the reply has no content"),
            Wire::Ollama => read_ollama(reply).ok_or("the reply has no message"),
        };
        words.map_err(|what| Fault::Malformed(what.to_owned()))
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

impl Prompt<'_> {
    /// The system text, with the schema in it unless the server is given the schema itself.
    fn system_with_schema(&self) -> String {
        if self.config.structure == Structure::Schema {
            return self.system.to_owned();
        }
        let told = include_str!("prompts/schema.md").replace("{schema}", &self.schema.to_string());
        format!("{}\n\n{told}", self.system)
    }

    /// The messages with the system text as the first of them.
    fn messages_with_system(&self) -> Vec<Value> {
        let system = json!({"role": "system", "content": self.system_with_schema()});
        std::iter::once(system).chain(self.plain_messages()).collect()
    }

    fn plain_messages(&self) -> impl Iterator<Item = Value> {
        self.messages.iter().map(|message| json!({"role": message.role, "content": message.text}))
    }
}

fn openai_body(prompt: &Prompt<'_>) -> Value {
    let mut body = json!({"messages": prompt.messages_with_system()});
    // OpenAI itself refuses the old name for its newer models; most other servers know only the old one.
    let is_openai = prompt.config.base_url.starts_with("https://api.openai.com/");
    body[if is_openai { "max_completion_tokens" } else { "max_tokens" }] = json!(prompt.max_output_tokens);
    match prompt.config.structure {
        Structure::Schema => {
            // Not `strict`: that accepts only a part of JSON schema, and every reply is checked here anyway.
            let named = json!({"name": "reply", "schema": prompt.schema, "strict": false});
            body["response_format"] = json!({"type": "json_schema", "json_schema": named});
        }
        Structure::Json => body["response_format"] = json!({"type": "json_object"}),
        Structure::Prompt => {}
    }
    body
}

fn anthropic_body(prompt: &Prompt<'_>) -> Value {
    let messages: Vec<Value> = prompt.plain_messages().collect();
    let mut body = json!({"max_tokens": prompt.max_output_tokens, "messages": messages});
    let system = prompt.system_with_schema();
    // An empty text is refused.
    if !system.is_empty() {
        body["system"] = json!(system);
    }
    if prompt.config.structure == Structure::Schema {
        let tool =
            json!({"name": "reply", "description": "Gives the answer.", "input_schema": prompt.schema});
        body["tools"] = json!([tool]);
        body["tool_choice"] = json!({"type": "tool", "name": "reply"});
    }
    body
}

fn ollama_body(prompt: &Prompt<'_>) -> Value {
    let mut body = json!({
        "messages": prompt.messages_with_system(),
        "options": {"num_predict": prompt.max_output_tokens},
    });
    match prompt.config.structure {
        Structure::Schema => body["format"] = prompt.schema.clone(),
        Structure::Json => body["format"] = json!("json"),
        Structure::Prompt => {}
    }
    body
}

fn read_openai(reply: &Value) -> Option<Words> {
    let message = reply.pointer("/choices/0/message")?;
    let finish = text_at(reply, "/choices/0/finish_reason");
    let is_filtered = finish == Some("content_filter");
    let filtered = is_filtered.then_some("a content filter of the server stopped it");
    Some(Words {
        text: text_at(message, "/content").unwrap_or_default().to_owned(),
        refusal: text_at(message, "/refusal").or(filtered).map(str::to_owned),
        is_cut: is_filtered || finish == Some("length"),
        usage: usage(number_at(reply, "/usage/prompt_tokens"), number_at(reply, "/usage/completion_tokens")),
    })
}

fn read_anthropic(reply: &Value) -> Option<Words> {
    let blocks = reply.get("content")?.as_array()?;
    let of_type = |kind: &'static str| blocks.iter().filter(move |block| block["type"] == kind);
    // A forced tool may come after a few words about it.
    let text = match of_type("tool_use").find_map(|block| block.get("input")) {
        Some(input) => input.to_string(),
        None => of_type("text").filter_map(|block| block["text"].as_str()).collect(),
    };
    let stop = text_at(reply, "/stop_reason").unwrap_or_default();
    // Input that was written to or read from the server's cache is counted apart, but paid for.
    let cached = ["/usage/cache_creation_input_tokens", "/usage/cache_read_input_tokens"];
    let cached: u64 = cached.iter().filter_map(|pointer| number_at(reply, pointer)).sum();
    let input = number_at(reply, "/usage/input_tokens").map(|fresh| fresh.saturating_add(cached));
    Some(Words {
        text,
        refusal: (stop == "refusal").then(|| "the provider's safety rules stopped it".to_owned()),
        is_cut: ["max_tokens", "model_context_window_exceeded", "refusal"].contains(&stop),
        usage: usage(input, number_at(reply, "/usage/output_tokens")),
    })
}

fn read_ollama(reply: &Value) -> Option<Words> {
    Some(Words {
        text: text_at(reply, "/message/content")?.to_owned(),
        refusal: None,
        is_cut: text_at(reply, "/done_reason") == Some("length"),
        usage: usage(number_at(reply, "/prompt_eval_count"), number_at(reply, "/eval_count")),
    })
}

fn usage(input: Option<u64>, output: Option<u64>) -> Option<Usage> {
    let is_known = input.is_some() || output.is_some();
    let (input_tokens, output_tokens) = (input.unwrap_or(0), output.unwrap_or(0));
    is_known.then_some(Usage { input_tokens, output_tokens })
}

fn number_at(value: &Value, pointer: &str) -> Option<u64> {
    value.pointer(pointer).and_then(Value::as_u64)
}

fn text_at<'a>(value: &'a Value, pointer: &str) -> Option<&'a str> {
    value.pointer(pointer).and_then(Value::as_str)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::config::Preset;

    /// A reply, and what must be read from it: the text, whether it was cut, and the tokens.
    fn check(wire: Wire, reply: Value, text: &str, is_cut: bool, tokens: (u64, u64)) {
        let usage = Some(Usage { input_tokens: tokens.0, output_tokens: tokens.1 });
        let expected = Words { text: text.to_owned(), refusal: None, is_cut, usage };
        assert_eq!(wire.read(&reply), Ok(expected), "{wire:?}: {reply}");
    }

    fn check_refused(wire: Wire, reply: Value, why: &str) {
        let refusal = wire.read(&reply).unwrap().refusal;
        assert_eq!(refusal.as_deref(), Some(why), "{wire:?}: {reply}");
    }

    fn check_fault(wire: Wire, reply: Value, expected: Fault) {
        assert_eq!(wire.read(&reply), Err(expected), "{wire:?}: {reply}");
    }

    #[test]
    fn replies() {
        let completion = |message: Value, reason: &str| {
            json!({"choices": [{"message": message, "finish_reason": reason}],
                   "usage": {"prompt_tokens": 5, "completion_tokens": 2}})
        };
        check(Wire::Openai, completion(json!({"content": "Hi"}), "stop"), "Hi", false, (5, 2));
        check(Wire::Openai, completion(json!({"content": "H"}), "length"), "H", true, (5, 2));
        let filtered = "a content filter of the server stopped it";
        check_refused(Wire::Openai, completion(json!({}), "content_filter"), filtered);
        let no = completion(json!({"content": null, "refusal": "No."}), "length");
        check_refused(Wire::Openai, no, "No.");
        let malformed = |what: &str| Fault::Malformed(what.to_owned());
        let failing = |what: &str| Fault::Failing(what.to_owned());
        check_fault(Wire::Openai, json!({"choices": []}), malformed("the reply has no choices"));
        check_fault(Wire::Openai, json!({"error": {"message": "busy"}}), failing("busy"));

        let message = |content: Value, reason: &str| {
            let usage = json!({"input_tokens": 2, "cache_read_input_tokens": 5, "output_tokens": 3});
            json!({"content": content, "stop_reason": reason, "usage": usage})
        };
        let tool = json!([{"type": "text", "text": "Now:"}, {"type": "tool_use", "input": {"ok": true}}]);
        check(Wire::Anthropic, message(tool, "tool_use"), "{\"ok\":true}", false, (7, 3));
        let text = json!([{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]);
        check(Wire::Anthropic, message(text.clone(), "end_turn"), "ab", false, (7, 3));
        check(Wire::Anthropic, message(text, "max_tokens"), "ab", true, (7, 3));
        let why = "the provider's safety rules stopped it";
        check_refused(Wire::Anthropic, message(json!([]), "refusal"), why);
        check_fault(Wire::Anthropic, json!({}), malformed("the reply has no content"));
        let overloaded = json!({"type": "error", "error": {"message": "Overloaded"}});
        check_fault(Wire::Anthropic, overloaded, failing("Overloaded"));

        let chat = json!({"message": {"content": "Hi"}, "done": true, "done_reason": "length",
                          "prompt_eval_count": 4, "eval_count": 1});
        check(Wire::Ollama, chat, "Hi", true, (4, 1));
        check_fault(Wire::Ollama, json!({"error": "model not found"}), failing("model not found"));
    }
    /// `holds` lists pointers into the request body and what must stand there; null means absent.
    fn check_body(preset: Preset, structure: Structure, holds: &[(&str, Value)]) {
        let config = ModelConfig {
            model: "m".to_owned(),
            temperature: Some(0.5),
            structure,
            ..ModelConfig::preset(preset)
        };
        let schema = json!({"type": "object"});
        let messages = [Message::user("a"), Message::assistant("b"), Message::user("c")];
        let prompt = Prompt {
            config: &config,
            system: "be kind",
            messages: &messages,
            schema: &schema,
            max_output_tokens: 9,
        };
        let body = config.wire.body(&prompt);
        for (pointer, expected) in holds {
            let found = body.pointer(pointer).unwrap_or(&Value::Null);
            assert_eq!(found, expected, "{preset:?} {structure:?} {pointer} in {body}");
        }
    }

    #[test]
    fn requests() {
        let object = json!({"type": "object"});
        check_body(
            Preset::Openai,
            Structure::Schema,
            &[
                ("/model", json!("m")),
                ("/stream", json!(false)),
                ("/max_completion_tokens", json!(9)),
                ("/max_tokens", Value::Null),
                ("/temperature", json!(0.5)),
                ("/messages/0", json!({"role": "system", "content": "be kind"})),
                ("/messages/2", json!({"role": "assistant", "content": "b"})),
                ("/response_format/json_schema/schema", object.clone()),
            ],
        );
        let told = "be kind\n\nAnswer with exactly one JSON object and nothing else: no explanation, no code fence. \
                    The object must satisfy this JSON schema:\n{\"type\":\"object\"}\n";
        check_body(
            Preset::Llamacpp,
            Structure::Json,
            &[
                ("/max_tokens", json!(9)),
                ("/messages/0/content", json!(told)),
                ("/response_format", json!({"type": "json_object"})),
            ],
        );
        check_body(
            Preset::Llamacpp,
            Structure::Prompt,
            &[("/messages/0/content", json!(told)), ("/response_format", Value::Null)],
        );
        check_body(
            Preset::Anthropic,
            Structure::Schema,
            &[
                ("/max_tokens", json!(9)),
                ("/system", json!("be kind")),
                ("/messages/0", json!({"role": "user", "content": "a"})),
                ("/tools/0/input_schema", object.clone()),
                ("/tool_choice/name", json!("reply")),
            ],
        );
        check_body(
            Preset::Anthropic,
            Structure::Prompt,
            &[("/system", json!(told)), ("/tools", Value::Null), ("/tool_choice", Value::Null)],
        );
        check_body(
            Preset::Ollama,
            Structure::Schema,
            &[
                ("/format", object),
                ("/options/num_predict", json!(9)),
                ("/messages/0/content", json!("be kind")),
            ],
        );
        check_body(Preset::Ollama, Structure::Json, &[("/format", json!("json"))]);
    }
}
