//! Recorded shapes of the three wires, whole and in pieces, against what must be read from them.

use super::*;
use crate::model::config::Preset;

fn usage(input_tokens: u64, output_tokens: u64) -> Option<Usage> {
    Some(Usage { input_tokens, output_tokens })
}

fn said(text: &str, finish: Finish, usage: Option<Usage>) -> Gathered {
    Gathered { text: text.to_owned(), refusal: None, finish: Some(finish), usage, ended: true }
}

fn refused(why: &str, usage: Option<Usage>) -> Gathered {
    let refusal = Some(why.to_owned());
    Gathered { text: String::new(), refusal, finish: Some(Finish::Cut), usage, ended: true }
}

fn check_whole(wire: Wire, reply: Value, expected: Result<Gathered, Fault>) {
    assert_eq!(wire.read_whole(&reply), expected, "{wire:?}: {reply}");
}

fn check_pieces(wire: Wire, frames: &[&str], expected: Result<Gathered, Fault>) {
    let mut gathered = Gathered::default();
    let read = frames.iter().try_for_each(|frame| wire.read_piece(frame, &mut gathered));
    assert_eq!(read.map(|()| gathered), expected, "{wire:?}: {frames:?}");
}

#[test]
fn whole_replies() {
    let completion = |message: Value, reason: &str| {
        json!({"choices": [{"message": message, "finish_reason": reason}],
               "usage": {"prompt_tokens": 5, "completion_tokens": 2}})
    };
    let filtered = "a content filter of the server stopped it";
    check_whole(
        Wire::Openai,
        completion(json!({"content": "Hi"}), "stop"),
        Ok(said("Hi", Finish::Complete, usage(5, 2))),
    );
    check_whole(
        Wire::Openai,
        completion(json!({"content": "H"}), "length"),
        Ok(said("H", Finish::Cut, usage(5, 2))),
    );
    check_whole(Wire::Openai, completion(json!({}), "content_filter"), Ok(refused(filtered, usage(5, 2))));
    let no = completion(json!({"content": null, "refusal": "No."}), "length");
    check_whole(Wire::Openai, no, Ok(refused("No.", usage(5, 2))));
    check_whole(Wire::Openai, json!({"choices": []}), Err(malformed("the reply has no choices")));
    let busy = json!({"error": {"message": "busy"}});
    check_whole(Wire::Openai, busy, Err(Fault::Failing("busy".to_owned())));

    let message = |content: Value, reason: &str| json!({"content": content, "stop_reason": reason, "usage": {"input_tokens": 2, "cache_read_input_tokens": 5, "output_tokens": 3}});
    let tool = json!([{"type": "text", "text": "Now:"}, {"type": "tool_use", "input": {"ok": true}}]);
    let tool = message(tool, "tool_use");
    check_whole(Wire::Anthropic, tool, Ok(said("{\"ok\":true}", Finish::Complete, usage(7, 3))));
    let text = message(json!([{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]), "end_turn");
    check_whole(Wire::Anthropic, text, Ok(said("ab", Finish::Complete, usage(7, 3))));
    let why = "the provider's safety rules stopped it";
    check_whole(Wire::Anthropic, message(json!([]), "refusal"), Ok(refused(why, usage(7, 3))));
    check_whole(Wire::Anthropic, json!({}), Err(malformed("the reply has no content")));

    let chat = json!({"message": {"content": "Hi"}, "done": true, "done_reason": "length",
                      "prompt_eval_count": 4, "eval_count": 1});
    check_whole(Wire::Ollama, chat, Ok(said("Hi", Finish::Cut, usage(4, 1))));
    let missing = json!({"error": "model not found"});
    check_whole(Wire::Ollama, missing, Err(Fault::Failing("model not found".to_owned())));
}

#[test]
fn replies_in_pieces() {
    let openai = [
        r#"{"choices":[{"delta":{"role":"assistant","content":null}}]}"#,
        r#"{"choices":[{"delta":{"content":"He"}}]}"#,
        r#"{"choices":[{"delta":{"content":"y"}}]}"#,
        r#"{"choices":[{"delta":{},"finish_reason":"stop"}]}"#,
        r#"{"choices":[],"usage":{"prompt_tokens":5,"completion_tokens":2}}"#,
        "[DONE]",
    ];
    check_pieces(Wire::Openai, &openai, Ok(said("Hey", Finish::Complete, usage(5, 2))));
    check_pieces(Wire::Openai, &["{}"], Err(malformed("a piece of the stream has no choices")));
    let anthropic = [
        r#"{"type":"message_start","message":{"usage":{"input_tokens":9,"output_tokens":1}}}"#,
        r#"{"type":"ping"}"#,
        r#"{"type":"content_block_delta","delta":{"type":"text_delta","text":"Hey"}}"#,
        r#"{"type":"message_delta","delta":{"stop_reason":"max_tokens"},"usage":{"output_tokens":4}}"#,
        r#"{"type":"message_stop"}"#,
    ];
    check_pieces(Wire::Anthropic, &anthropic, Ok(said("Hey", Finish::Cut, usage(9, 4))));
    let overloaded = r#"{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}"#;
    check_pieces(Wire::Anthropic, &[overloaded], Err(Fault::Failing("Overloaded".to_owned())));
    let ollama = [
        r#"{"message":{"content":"He"},"done":false}"#,
        r#"{"message":{"content":"y"},"done":true,"done_reason":"stop","prompt_eval_count":3,"eval_count":2}"#,
    ];
    check_pieces(Wire::Ollama, &ollama, Ok(said("Hey", Finish::Complete, usage(3, 2))));
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
        schema: Some(&schema),
        max_output_tokens: 9,
        stream: false,
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
        &[("/format", object), ("/options/num_predict", json!(9)), ("/messages/0/content", json!("be kind"))],
    );
    check_body(Preset::Ollama, Structure::Json, &[("/format", json!("json"))]);
}
