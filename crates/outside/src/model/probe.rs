//! Finds out by trying which parts of a model's configuration work: the part of a diagnosis that needs the server.

use std::time::Duration;

use jiff::Timestamp;
use serde_json::json;
use tokio::time::{Instant, timeout};

use super::exchange::AskClock;
use super::{Ask, ErrorKind, Message, Model, ModelError};
use crate::Finding;

const LIST_TIMEOUT: Duration = Duration::from_secs(5);
/// The output tokens of the probe. A thinking model spends some before it answers.
const PROBE_OUTPUT_TOKENS: u32 = 512;
const NAMES_SHOWN_MAX: usize = 8;

/// Tries the server in the order in which things break: reachable, key, model, answers. The last step is a real
/// ask, paid by the flow `doctor`.
pub async fn probe(model: &Model, now: Timestamp) -> Vec<Finding> {
    let clock = AskClock { asked_at: now, started: Instant::now() };
    let listed = match timeout(LIST_TIMEOUT, model.0.exchange.models(clock)).await {
        Ok(listed) => listed.map_err(|failed| failed.error),
        Err(_) => {
            let why = format!("no list of models within {LIST_TIMEOUT:?}");
            Err(ModelError::new(ErrorKind::TimedOut, why))
        }
    };
    let mut findings = match listed {
        Ok(names) => vec![reached(model), known(model, &names)],
        Err(error) if matches!(error.kind, ErrorKind::Unreachable | ErrorKind::Unauthorized) => {
            return vec![problem(model, error)];
        }
        // Not every server lists its models; it matters only that it answers.
        Err(error) => vec![Finding::warning(
            format!("{} does not list its models: {error}", model.config().base_url),
            "nothing needs to be done if the model answers",
        )],
    };
    findings.push(answers(model, now).await);
    findings
}

fn reached(model: &Model) -> Finding {
    let key = if model.config().api_key.is_some() { " and accepts the key" } else { "" };
    Finding::fine(format!("{} can be reached{key}", model.config().base_url))
}

fn known(model: &Model, names: &[String]) -> Finding {
    let name = &model.config().model;
    // Ollama lists `llama3:latest` for what everyone calls `llama3`.
    let is_known = names.iter().any(|known| known == name || known.split(':').next() == Some(name));
    if is_known {
        return Finding::fine(format!("the server offers the model {name:?}"));
    }
    let shown: Vec<&str> = names.iter().take(NAMES_SHOWN_MAX).map(String::as_str).collect();
    let more = if names.len() > shown.len() { ", ..." } else { "" };
    Finding::warning(
        format!("the server does not list the model {name:?}"),
        format!("set `model` to one it offers: {}{more}", shown.join(", ")),
    )
}

async fn answers(model: &Model, now: Timestamp) -> Finding {
    let ask = Ask {
        flow: "doctor".to_owned(),
        name: "probe".to_owned(),
        system: "You check whether you can answer in JSON.".to_owned(),
        messages: vec![Message::user("Answer with an object whose field `ready` is true.")],
        schema: json!({
            "type": "object",
            "properties": {"ready": {"type": "boolean"}},
            "required": ["ready"],
            "additionalProperties": false
        }),
        max_output_tokens: Some(PROBE_OUTPUT_TOKENS),
        timeout_ms: None,
        now,
    };
    match model.ask(ask).await {
        Ok(reply) => {
            let took_ms = reply.record.took_ms;
            Finding::fine(format!("{:?} answers in JSON, in {took_ms} ms", model.config().model))
        }
        Err(error) => problem(model, error),
    }
}

fn problem(model: &Model, error: ModelError) -> Finding {
    match model.config().preset.key_variable() {
        Some(variable) if error.kind == ErrorKind::Unauthorized => {
            Finding::problem(error.what, format!("put a valid key into the environment variable {variable}"))
        }
        _ => Finding::problem(error.what, error.cure),
    }
}
