//! Ollama's own chat. A stream is a sequence of the same objects that a whole reply consists of.

use serde_json::{Value, json};

use super::{Fault, Finish, Gathered, Prompt, Structure, malformed, number_at, text_at};

pub(super) fn body(prompt: &Prompt<'_>) -> Value {
    let mut body = json!({
        "messages": prompt.messages_with_system(),
        "options": {"num_predict": prompt.max_output_tokens},
    });
    if let Some(temperature) = prompt.config.temperature {
        body["options"]["temperature"] = json!(temperature);
    }
    match (prompt.schema, prompt.config.structure) {
        (Some(schema), Structure::Schema) => body["format"] = schema.clone(),
        (Some(_), Structure::Json) => body["format"] = json!("json"),
        (Some(_), Structure::Prompt) | (None, _) => {}
    }
    body
}

pub(super) fn read(reply: &Value) -> Result<Gathered, Fault> {
    let mut gathered = Gathered::default();
    read_piece(reply, &mut gathered)?;
    Ok(gathered)
}

pub(super) fn read_piece(piece: &Value, gathered: &mut Gathered) -> Result<(), Fault> {
    let text = text_at(piece, "/message/content").ok_or_else(|| malformed("the reply has no message"))?;
    gathered.text.push_str(text);
    if piece["done"] == json!(true) {
        gathered.ended = true;
        let cut = text_at(piece, "/done_reason") == Some("length");
        gathered.finish = Some(if cut { Finish::Cut } else { Finish::Complete });
        gathered.use_tokens(number_at(piece, "/prompt_eval_count"), number_at(piece, "/eval_count"));
    }
    Ok(())
}
