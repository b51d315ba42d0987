//! Tests of the model port against a real server process with a real, very small model. They prove the wire format,
//! not the model's words.

use std::sync::{Arc, Mutex};

use outside::Level;
use outside::model::{
    Ask, CallRecord, ErrorKind, Message, Model, ModelConfig, Outcome, Preset, Secret, Wire, probe,
};
use serde_json::json;

use crate::peers::{Serving, found, script};

const KEY: &str = "local-key";
const NOW: &str = "2026-11-01T12:00:00Z";

struct SmallModel {
    base_url: String,
    _process: Serving,
}

#[tokio::test(flavor = "multi_thread")]
async fn a_real_server_understands_the_port() {
    let Some(server) = start() else { return };
    for wire in [Wire::Openai, Wire::Anthropic] {
        is_understood(&server, wire).await;
        refuses_a_wrong_key(&model(&server, wire, "wrong")).await;
    }
    answers_to_a_schema(&model(&server, Wire::Openai, KEY)).await;
    says_when_a_prompt_is_too_long(&model(&server, Wire::Openai, KEY)).await;
    passes_a_probe(&model(&server, Wire::Openai, KEY)).await;
}

/// The server may ignore the schema. Then the model's words must arrive, although they are no answer.
async fn is_understood(server: &SmallModel, wire: Wire) {
    let log = Arc::new(Mutex::new(Vec::new()));
    let reply = logged_model(server, wire, KEY, log.clone()).ask(question("Say hello.")).await;
    let record: CallRecord = log.lock().unwrap().remove(0);
    let is_heard = match &reply {
        Ok(_) => record.outcome == Outcome::Answered,
        Err(error) => error.kind == ErrorKind::BadReply && !error.what.contains("it began: \"\""),
    };
    assert!(is_heard, "{wire:?}: {reply:?}");
    let usage = record.usage;
    assert!(usage.input_tokens > 5 && (1..=2 * 40).contains(&usage.output_tokens), "{record:?}");
    assert_eq!(record.cost_microusd, Some(0), "a local model is free");
}

async fn answers_to_a_schema(model: &Model) {
    let reply = model.ask(question("Is the answer 4 to 2 + 2 right?")).await.unwrap();
    assert!(["PASS", "NEEDS_WORK"].map(Into::into).contains(&reply.answer["status"]), "{reply:?}");
}

async fn refuses_a_wrong_key(model: &Model) {
    let error = model.ask(question("Say hello.")).await.unwrap_err();
    assert_eq!(error.kind, ErrorKind::Unauthorized, "{error}");
}

async fn says_when_a_prompt_is_too_long(model: &Model) {
    let error = model.ask(question(&"Say hello. ".repeat(3_000))).await.unwrap_err();
    assert_eq!(error.kind, ErrorKind::TooLong, "{error}");
}

async fn passes_a_probe(model: &Model) {
    let findings = probe(model, NOW.parse().unwrap()).await;
    assert_eq!(findings.len(), 3, "{findings:?}");
    assert!(findings.iter().all(|finding| finding.level == Level::Fine), "{findings:?}");
}

fn question(text: &str) -> Ask {
    Ask {
        flow: "flow-1".to_owned(),
        name: "wire".to_owned(),
        system: "You are brief.".to_owned(),
        messages: vec![Message::user(text)],
        schema: json!({
            "type": "object",
            "properties": {"status": {"enum": ["PASS", "NEEDS_WORK"]}},
            "required": ["status"],
            "additionalProperties": false
        }),
        max_output_tokens: Some(40),
        timeout_ms: None,
        now: NOW.parse().unwrap(),
    }
}

fn model(server: &SmallModel, wire: Wire, key: &str) -> Model {
    logged_model(server, wire, key, Arc::default())
}

fn logged_model(server: &SmallModel, wire: Wire, key: &str, log: Arc<Mutex<Vec<CallRecord>>>) -> Model {
    let config = ModelConfig {
        wire,
        base_url: server.base_url.clone(),
        model: "smollm2".to_owned(),
        api_key: Some(Secret::new(key)),
        // Makes the model say the same words every time.
        temperature: Some(0.0),
        ..ModelConfig::preset(Preset::Llamacpp)
    };
    Model::new(config, move |record| log.lock().unwrap().push(record.clone())).unwrap()
}

fn start() -> Option<SmallModel> {
    let process = found(Serving::start(script("small-model").arg(KEY)))?;
    let address = process.line.trim().strip_prefix("listening on ").expect("the address of the server");
    Some(SmallModel { base_url: format!("{address}/v1"), _process: process })
}
