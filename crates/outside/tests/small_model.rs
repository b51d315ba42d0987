//! The model port against a real server process with a real, very small model: proof of the wire, not of
//! what the model says.

use outside::Level;
use outside::model::{
    Answer, Ask, Ledger, Message, Model, ModelConfig, ModelError, OnText, Preset, Secret, Wire, probe,
};
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

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
        answers_in_text(&model(&server, wire, KEY)).await;
        answers_piece_by_piece(&model(&server, wire, KEY)).await;
        refuses_a_wrong_key(&model(&server, wire, "wrong")).await;
    }
    answers_to_a_schema(&model(&server, Wire::Openai, KEY)).await;
    says_when_a_prompt_is_too_long(&model(&server, Wire::Openai, KEY)).await;
    passes_a_probe(&model(&server, Wire::Openai, KEY)).await;
}

async fn answers_in_text(model: &Model) {
    let reply = model.ask(question("Say hello.", None), &CancellationToken::new(), None).await.unwrap();
    assert!(matches!(&reply.answer, Answer::Text(text) if !text.is_empty()), "{reply:?}");
    assert!(reply.usage.input_tokens > 5 && (1..=40).contains(&reply.usage.output_tokens), "{reply:?}");
    assert_eq!(reply.cost_microusd, Some(0), "a local model is free");
}

async fn answers_piece_by_piece(model: &Model) {
    let mut pieces = Vec::new();
    let mut collect = |text: &str| pieces.push(text.to_owned());
    let on_text: OnText<'_> = &mut collect;
    let ask = question("Count from one to five.", None);
    let reply = model.ask(ask, &CancellationToken::new(), Some(on_text)).await.unwrap();
    assert!(pieces.len() > 1, "{pieces:?}");
    assert_eq!(reply.answer.text(), Some(pieces.concat().as_str()));
    assert!(reply.usage.output_tokens > 1, "{reply:?}");
}

async fn answers_to_a_schema(model: &Model) {
    let schema = json!({
        "type": "object",
        "properties": {"status": {"enum": ["PASS", "NEEDS_WORK"]}},
        "required": ["status"],
        "additionalProperties": false
    });
    let ask = question("Is the answer 4 to 2 + 2 right?", Some(schema));
    let reply = model.ask(ask, &CancellationToken::new(), None).await.unwrap();
    let status = reply.answer.value().unwrap()["status"].clone();
    assert!(status == "PASS" || status == "NEEDS_WORK", "{reply:?}");
}

async fn refuses_a_wrong_key(model: &Model) {
    let error = model.ask(question("Say hello.", None), &CancellationToken::new(), None).await.unwrap_err();
    assert!(matches!(error, ModelError::Unauthorized { .. }), "{error}");
}

async fn says_when_a_prompt_is_too_long(model: &Model) {
    let ask = question(&"Say hello. ".repeat(3_000), None);
    let error = model.ask(ask, &CancellationToken::new(), None).await.unwrap_err();
    assert!(matches!(error, ModelError::TooLong { .. }), "{error}");
}

async fn passes_a_probe(model: &Model) {
    let findings = probe(model, NOW.parse().unwrap()).await;
    assert_eq!(findings.len(), 3, "{findings:?}");
    assert!(findings.iter().all(|finding| finding.level == Level::Fine), "{findings:?}");
}

fn question(text: &str, schema: Option<Value>) -> Ask {
    Ask {
        flow: "flow-1".to_owned(),
        name: "wire".to_owned(),
        system: "You are brief.".to_owned(),
        messages: vec![Message::user(text)],
        schema,
        max_output_tokens: Some(40),
        timeout_ms: None,
        now: NOW.parse().unwrap(),
    }
}

fn model(server: &SmallModel, wire: Wire, key: &str) -> Model {
    let config = ModelConfig {
        wire,
        base_url: server.base_url.clone(),
        model: "smollm2".to_owned(),
        api_key: Some(Secret::new(key)),
        // The same words every time.
        temperature: Some(0.0),
        ..ModelConfig::preset(Preset::Llamacpp)
    };
    Model::new(config, Ledger::default(), |_| {}).unwrap()
}

fn start() -> Option<SmallModel> {
    let process = found(Serving::start(script("small-model").arg(KEY)))?;
    let address = process.line.trim().strip_prefix("listening on ").expect("the address of the server");
    Some(SmallModel { base_url: format!("{address}/v1"), _process: process })
}
