//! Defines the formats of the three wires: how a prompt becomes a request and how a reply is read.
//!
//! This module is pure: `exchange` sends the bytes.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::ask::{Message, Usage};
use super::config::{ModelConfig, Structure};

/// A provider's format of requests and replies over HTTP.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Wire {
    /// OpenAI's chat completions; also spoken by llama.cpp, LM Studio, vLLM and many hosted services.
    Openai,
    /// Anthropic's messages. The schema is a tool that the model must call; the tool's input is the answer.
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
    /// Whether the reply should come in pieces, as it is written.
    pub(super) is_streamed: bool,
}

/// A model's reply, whichever wire it came over.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Words {
    pub(super) text: String,
    pub(super) refusal: Option<String>,
    /// Whether the output limit cut the text off.
    pub(super) is_cut: bool,
    pub(super) usage: Option<Usage>,
}

/// The part that has arrived of a reply that comes in pieces.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Pieces {
    pub(super) words: Words,
    /// Whether the server has said that the reply is complete.
    pub(super) is_whole: bool,
}

/// The reason why a reply could not be read.
#[derive(Debug, PartialEq)]
pub(super) enum Fault {
    /// The reply does not have the form of this wire.
    Malformed(String),
    /// The server reports a failure of its own in place of a reply.
    Failing(String),
}

const FILTERED: &str = "a content filter of the server stopped it";

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
        body["stream"] = json!(prompt.is_streamed);
        if prompt.is_streamed && self == Wire::Openai {
            body["stream_options"] = json!({"include_usage": true});
        }
        if let Some(temperature) = prompt.config.temperature {
            let options = if self == Wire::Ollama { &mut body["options"] } else { &mut body };
            options["temperature"] = json!(temperature);
        }
        body
    }

    pub(super) fn read(self, reply: &Value) -> Result<Words, Fault> {
        no_failure(reply)?;
        let words = match self {
            Wire::Openai => read_openai(reply).ok_or("the reply has no choices"),
            Wire::Anthropic => read_anthropic(reply).ok_or("the reply has no content"),
            Wire::Ollama => read_ollama(reply).ok_or("the reply has no message"),
        };
        words.map_err(|what| Fault::Malformed(what.to_owned()))
    }

    /// Adds one line of a streamed reply to the earlier ones.
    pub(super) fn add(self, line: &str, pieces: &mut Pieces) -> Result<(), Fault> {
        let line = line.trim();
        let data = match self {
            Wire::Ollama => line,
            // Servers also send names of events, comments and empty lines.
            Wire::Openai | Wire::Anthropic => line.strip_prefix("data:").unwrap_or_default().trim(),
        };
        if data == "[DONE]" {
            pieces.is_whole = true;
        }
        if data.is_empty() || data == "[DONE]" {
            return Ok(());
        }
        let piece: Value = serde_json::from_str(data)
            .map_err(|error| Fault::Malformed(format!("a piece of the reply is not JSON: {error}")))?;
        no_failure(&piece)?;
        match self {
            Wire::Openai => add_openai(&piece, pieces),
            Wire::Anthropic => add_anthropic(&piece, pieces),
            Wire::Ollama => add_ollama(&piece, pieces),
        }
        Ok(())
    }

    /// Returns the names in a list of models.
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
    /// Returns the system text, with the schema in it unless the server is given the schema itself.
    fn system_with_schema(&self) -> String {
        if self.config.structure == Structure::Schema {
            return self.system.to_owned();
        }
        let told = include_str!("prompts/schema.md").replace("{schema}", &self.schema.to_string());
        format!("{}\n\n{told}", self.system)
    }

    /// Returns the messages with the system text as the first of them.
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
            // Not `strict`: that accepts only a part of JSON Schema, and every reply is checked here anyway.
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
    // The server refuses an empty text.
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

/// Returns the failure that a reply reports, if any. Servers report failures with status 200, too.
fn no_failure(reply: &Value) -> Result<(), Fault> {
    let Some(error) = reply.get("error").filter(|error| !error.is_null()) else { return Ok(()) };
    let text = error.get("message").unwrap_or(error);
    Err(Fault::Failing(text.as_str().map_or_else(|| text.to_string(), str::to_owned)))
}

fn read_openai(reply: &Value) -> Option<Words> {
    let message = reply.pointer("/choices/0/message")?;
    let finish = text_at(reply, "/choices/0/finish_reason");
    let is_filtered = finish == Some("content_filter");
    let filtered = is_filtered.then_some(FILTERED);
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
    let usage = usage(anthropic_input(reply, ""), number_at(reply, "/usage/output_tokens"));
    let mut words = Words { text, usage, ..Words::default() };
    stopped(&mut words, text_at(reply, "/stop_reason").unwrap_or_default());
    Some(words)
}

fn stopped(words: &mut Words, reason: &str) {
    words.refusal = (reason == "refusal").then(|| "the provider's safety rules stopped it".to_owned());
    words.is_cut = ["max_tokens", "model_context_window_exceeded", "refusal"].contains(&reason);
}

/// Counts the input tokens. Input that was written to or read from the server's cache is counted apart, but paid
/// for.
fn anthropic_input(reply: &Value, place: &str) -> Option<u64> {
    let count = |name: &str| number_at(reply, &format!("{place}/usage/{name}"));
    let cached = ["cache_creation_input_tokens", "cache_read_input_tokens"];
    let cached: u64 = cached.into_iter().filter_map(count).sum();
    count("input_tokens").map(|fresh| fresh.saturating_add(cached))
}

fn read_ollama(reply: &Value) -> Option<Words> {
    Some(Words {
        text: text_at(reply, "/message/content")?.to_owned(),
        refusal: None,
        is_cut: text_at(reply, "/done_reason") == Some("length"),
        usage: usage(number_at(reply, "/prompt_eval_count"), number_at(reply, "/eval_count")),
    })
}

/// Adds a piece, which has the form of a reply with `delta` in place of `message`.
fn add_openai(piece: &Value, pieces: &mut Pieces) {
    let words = &mut pieces.words;
    words.text.push_str(text_at(piece, "/choices/0/delta/content").unwrap_or_default());
    if let Some(more) = text_at(piece, "/choices/0/delta/refusal") {
        words.refusal.get_or_insert_default().push_str(more);
    }
    let usage = usage(number_at(piece, "/usage/prompt_tokens"), number_at(piece, "/usage/completion_tokens"));
    words.usage = usage.or(words.usage);
    let Some(finish) = text_at(piece, "/choices/0/finish_reason") else { return };
    pieces.is_whole = true;
    words.is_cut = finish == "length" || finish == "content_filter";
    if finish == "content_filter" {
        words.refusal.get_or_insert_with(|| FILTERED.to_owned());
    }
}

fn add_anthropic(piece: &Value, pieces: &mut Pieces) {
    let words = &mut pieces.words;
    let input = anthropic_input(piece, "/message").or_else(|| anthropic_input(piece, ""));
    let output = number_at(piece, "/usage/output_tokens");
    if input.is_some() || output.is_some() {
        let before = words.usage.unwrap_or_default();
        words.usage =
            usage(Some(input.unwrap_or(before.input_tokens)), Some(output.unwrap_or(before.output_tokens)));
    }
    match piece["type"].as_str().unwrap_or_default() {
        // A forced tool may come after a few words about it.
        "content_block_start" if text_at(piece, "/content_block/type") == Some("tool_use") => {
            words.text.clear()
        }
        "content_block_delta" => {
            let more = text_at(piece, "/delta/text").or_else(|| text_at(piece, "/delta/partial_json"));
            words.text.push_str(more.unwrap_or_default());
        }
        "message_delta" => stopped(words, text_at(piece, "/delta/stop_reason").unwrap_or_default()),
        "message_stop" => pieces.is_whole = true,
        _ => {}
    }
}

fn add_ollama(piece: &Value, pieces: &mut Pieces) {
    let words = &mut pieces.words;
    words.text.push_str(text_at(piece, "/message/content").unwrap_or_default());
    if piece["done"] == true {
        pieces.is_whole = true;
        words.is_cut = text_at(piece, "/done_reason") == Some("length");
        words.usage = usage(number_at(piece, "/prompt_eval_count"), number_at(piece, "/eval_count"));
    }
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

    /// Checks the reading of a reply: its text, whether it was cut, and its tokens.
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

    /// Checks the reading of a streamed reply: the text of all lines together, whether it was cut, and its tokens.
    fn check_pieces(wire: Wire, lines: &[Value], text: &str, is_cut: bool, tokens: (u64, u64)) {
        let mut pieces = Pieces::default();
        for line in lines {
            let line = if wire == Wire::Ollama { line.to_string() } else { format!("data: {line}\r") };
            wire.add(&line, &mut pieces).unwrap();
        }
        let usage = Some(Usage { input_tokens: tokens.0, output_tokens: tokens.1 });
        let words = Words { text: text.to_owned(), refusal: None, is_cut, usage };
        assert_eq!(pieces, Pieces { words, is_whole: true }, "{wire:?}: {lines:?}");
    }

    #[test]
    fn replies_in_pieces() {
        let delta =
            |delta: Value, reason: Value| json!({"choices": [{"delta": delta, "finish_reason": reason}]});
        let counted = json!({"choices": [], "usage": {"prompt_tokens": 5, "completion_tokens": 2}});
        let said = |text: &str| delta(json!({"content": text}), Value::Null);
        let lines = [
            delta(json!({"role": "assistant"}), Value::Null),
            said("H"),
            said("i"),
            delta(json!({}), json!("stop")),
            counted.clone(),
        ];
        check_pieces(Wire::Openai, &lines, "Hi", false, (5, 2));
        check_pieces(
            Wire::Openai,
            &[said("H"), delta(json!({}), json!("length")), counted],
            "H",
            true,
            (5, 2),
        );

        let block = |delta: Value| json!({"type": "content_block_delta", "delta": delta});
        let lines = [
            json!({"type": "message_start", "message": {"usage": {"input_tokens": 2, "cache_read_input_tokens": 5, "output_tokens": 1}}}),
            block(json!({"type": "text_delta", "text": "Now:"})),
            json!({"type": "content_block_start", "content_block": {"type": "tool_use"}}),
            block(json!({"type": "input_json_delta", "partial_json": "{\"ok\":"})),
            block(json!({"type": "input_json_delta", "partial_json": "true}"})),
            json!({"type": "message_delta", "delta": {"stop_reason": "tool_use"}, "usage": {"output_tokens": 3}}),
            json!({"type": "message_stop"}),
        ];
        check_pieces(Wire::Anthropic, &lines, "{\"ok\":true}", false, (7, 3));

        let chat = |text: &str| json!({"message": {"content": text}, "done": false});
        let end = json!({"message": {"content": ""}, "done": true, "done_reason": "stop", "prompt_eval_count": 4, "eval_count": 2});
        check_pieces(Wire::Ollama, &[chat("H"), chat("i"), end], "Hi", false, (4, 2));

        let mut pieces = Pieces::default();
        for line in ["", ": comment", "event: ping", "data: [DONE]"] {
            assert_eq!(Wire::Openai.add(line, &mut pieces), Ok(()), "{line}");
        }
        assert!(pieces.is_whole);
        assert!(matches!(Wire::Openai.add("data: {", &mut pieces), Err(Fault::Malformed(_))));
        let failing = Wire::Anthropic.add("data: {\"error\": {\"message\": \"Overloaded\"}}", &mut pieces);
        assert_eq!(failing, Err(Fault::Failing("Overloaded".to_owned())));
    }

    /// Checks the body of a request. `holds` lists pointers into it with the values that must stand there; null
    /// means absent.
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
            is_streamed: false,
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
