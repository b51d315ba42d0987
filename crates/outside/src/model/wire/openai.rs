//! OpenAI chat completions.

use serde_json::{Value, json};

use super::{Fault, Finish, Gathered, Prompt, Structure, malformed, number_at, text_at};

/// The last frame of a stream.
pub(super) const END: &str = "[DONE]";

pub(super) fn body(prompt: &Prompt<'_>) -> Value {
    let mut body = json!({"messages": prompt.messages_with_system()});
    body[output_limit_field(&prompt.config.base_url)] = json!(prompt.max_output_tokens);
    if prompt.stream {
        body["stream_options"] = json!({"include_usage": true});
    }
    if let Some(temperature) = prompt.config.temperature {
        body["temperature"] = json!(temperature);
    }
    match (prompt.schema, prompt.config.structure) {
        (Some(schema), Structure::Schema) => {
            // Not `strict`: that accepts only a part of JSON schema, and every reply is checked here anyway.
            let named = json!({"name": "reply", "schema": schema, "strict": false});
            body["response_format"] = json!({"type": "json_schema", "json_schema": named});
        }
        (Some(_), Structure::Json) => body["response_format"] = json!({"type": "json_object"}),
        (Some(_), Structure::Prompt) | (None, _) => {}
    }
    body
}

pub(super) fn read_whole(reply: &Value) -> Result<Gathered, Fault> {
    let message = reply.pointer("/choices/0/message").ok_or_else(|| malformed("the reply has no choices"))?;
    let mut gathered = Gathered { ended: true, ..Gathered::default() };
    gathered.text = text_at(message, "/content").unwrap_or_default().to_owned();
    gathered.refusal = text_at(message, "/refusal").map(str::to_owned);
    finish(reply, &mut gathered);
    Ok(gathered)
}

pub(super) fn read_piece(piece: &Value, gathered: &mut Gathered) -> Result<(), Fault> {
    if !piece.get("choices").is_some_and(Value::is_array) {
        return Err(malformed("a piece of the stream has no choices"));
    }
    gathered.text.push_str(text_at(piece, "/choices/0/delta/content").unwrap_or_default());
    if let Some(refusal) = text_at(piece, "/choices/0/delta/refusal") {
        gathered.refusal.get_or_insert_default().push_str(refusal);
    }
    finish(piece, gathered);
    Ok(())
}

fn finish(reply: &Value, gathered: &mut Gathered) {
    match text_at(reply, "/choices/0/finish_reason") {
        Some("length") => gathered.finish = Some(Finish::Cut),
        Some("content_filter") => {
            gathered.finish = Some(Finish::Cut);
            gathered.refusal.get_or_insert_with(|| "a content filter of the server stopped it".to_owned());
        }
        Some(_) => gathered.finish = Some(Finish::Complete),
        None => {}
    }
    gathered
        .use_tokens(number_at(reply, "/usage/prompt_tokens"), number_at(reply, "/usage/completion_tokens"));
}

/// OpenAI itself refuses the old name for its newer models; most other servers know only the old one.
fn output_limit_field(base_url: &str) -> &'static str {
    if base_url.starts_with("https://api.openai.com/") { "max_completion_tokens" } else { "max_tokens" }
}
