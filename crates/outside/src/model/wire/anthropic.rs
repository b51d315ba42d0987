//! Anthropic messages. A schema is given as a tool that the model must call; its input is the answer.

use serde_json::{Value, json};

use super::{Fault, Finish, Gathered, Prompt, Structure, malformed, number_at, text_at};

pub(super) fn body(prompt: &Prompt<'_>) -> Value {
    let messages: Vec<Value> = prompt.plain_messages().collect();
    let mut body = json!({"max_tokens": prompt.max_output_tokens, "messages": messages});
    let system = prompt.system_with_schema();
    // An empty text is refused.
    if !system.is_empty() {
        body["system"] = json!(system);
    }
    if let Some(temperature) = prompt.config.temperature {
        body["temperature"] = json!(temperature);
    }
    if let (Some(schema), Structure::Schema) = (prompt.schema, prompt.config.structure) {
        let tool = json!({"name": "reply", "description": "Gives the answer.", "input_schema": schema});
        body["tools"] = json!([tool]);
        body["tool_choice"] = json!({"type": "tool", "name": "reply"});
    }
    body
}

pub(super) fn read_whole(reply: &Value) -> Result<Gathered, Fault> {
    let blocks = reply.get("content").and_then(Value::as_array);
    let blocks = blocks.ok_or_else(|| malformed("the reply has no content"))?;
    let mut gathered = Gathered { ended: true, text: answer(blocks), ..Gathered::default() };
    stop(text_at(reply, "/stop_reason"), &mut gathered);
    count(reply.get("usage"), &mut gathered);
    Ok(gathered)
}

pub(super) fn read_piece(piece: &Value, gathered: &mut Gathered) -> Result<(), Fault> {
    match text_at(piece, "/type").ok_or_else(|| malformed("a piece of the stream has no type"))? {
        "message_start" => count(piece.pointer("/message/usage"), gathered),
        "content_block_delta" => gathered.text.push_str(text_at(piece, "/delta/text").unwrap_or_default()),
        "message_delta" => {
            stop(text_at(piece, "/delta/stop_reason"), gathered);
            count(piece.get("usage"), gathered);
        }
        "message_stop" => gathered.ended = true,
        // The protocol asks its readers to pass over kinds they do not know.
        _ => {}
    }
    Ok(())
}

/// The input of the called tool, else all text. A forced tool may come after a few words about it.
fn answer(blocks: &[Value]) -> String {
    let of_type = |kind: &'static str| blocks.iter().filter(move |block| block["type"] == kind);
    match of_type("tool_use").find_map(|block| block.get("input")) {
        Some(input) => input.to_string(),
        None => of_type("text").filter_map(|block| block["text"].as_str()).collect(),
    }
}

fn stop(reason: Option<&str>, gathered: &mut Gathered) {
    match reason {
        Some("max_tokens" | "model_context_window_exceeded") => gathered.finish = Some(Finish::Cut),
        Some("refusal") => {
            gathered.finish = Some(Finish::Cut);
            gathered.refusal = Some("the provider's safety rules stopped it".to_owned());
        }
        Some(_) => gathered.finish = Some(Finish::Complete),
        None => {}
    }
}

/// Input that was written to or read from the server's cache is counted apart, but paid for.
fn count(usage: Option<&Value>, gathered: &mut Gathered) {
    let Some(usage) = usage else { return };
    let cached = ["/cache_creation_input_tokens", "/cache_read_input_tokens"];
    let cached: u64 = cached.iter().filter_map(|pointer| number_at(usage, pointer)).sum();
    let input = number_at(usage, "/input_tokens").map(|fresh| fresh.saturating_add(cached));
    gathered.use_tokens(input, number_at(usage, "/output_tokens"));
}
