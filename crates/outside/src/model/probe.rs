//! What works and what does not, found out by trying: the part of a diagnosis that needs the server.

use std::time::Duration;

use jiff::Timestamp;
use serde_json::json;
use tokio::time::{Instant, timeout};
use tokio_util::sync::CancellationToken;

use super::trouble::AskClock;
use super::{Ask, Message, Model, ModelError};
use crate::Finding;

const LIST_TIMEOUT: Duration = Duration::from_secs(5);
/// A thinking model spends some tokens before it answers.
const PROBE_OUTPUT_TOKENS: u32 = 512;
const NAMES_SHOWN_MAX: usize = 8;

/// Tries the server in the order in which things break: reachable, key, model, answers. The last step is a
/// real ask, paid by the flow `doctor`.
pub async fn probe(model: &Model, now: Timestamp) -> Vec<Finding> {
    let clock = AskClock { asked_at: now, started: Instant::now() };
    let listed = match timeout(LIST_TIMEOUT, model.shared.exchange.models(clock)).await {
        Ok(listed) => listed.map_err(|failed| failed.trouble.error),
        Err(_) => Err(ModelError::TimedOut { what: format!("no list of models within {LIST_TIMEOUT:?}") }),
    };
    let mut findings = match listed {
        Ok(names) => vec![reached(model), known(model, &names)],
        Err(error @ (ModelError::Unreachable { .. } | ModelError::Unauthorized { .. })) => {
            return vec![finding(model, &error)];
        }
        // Not every server lists its models; whether it answers is what counts.
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
        schema: Some(json!({
            "type": "object",
            "properties": {"ready": {"type": "boolean"}},
            "required": ["ready"],
            "additionalProperties": false
        })),
        max_output_tokens: Some(PROBE_OUTPUT_TOKENS),
        timeout_ms: None,
        now,
    };
    match model.ask(ask, &CancellationToken::new(), None).await {
        Ok(reply) => {
            Finding::fine(format!("{:?} answers in JSON, in {} ms", model.config().model, reply.took_ms))
        }
        Err(error) => finding(model, &error),
    }
}

fn finding(model: &Model, error: &ModelError) -> Finding {
    let cure = match error {
        ModelError::Unauthorized { .. } => match model.config().preset.key_variable() {
            Some(variable) => format!("put a valid key into the environment variable {variable}"),
            None => "set `api_key` to a key that the server accepts".to_owned(),
        },
        ModelError::Unreachable { .. } => {
            format!("start the server, or correct `base_url` ({})", model.config().base_url)
        }
        ModelError::TimedOut { .. } => "raise `timeout_ms`, or use a smaller model".to_owned(),
        ModelError::BadReply { .. } => "use a larger model, or another `structure`".to_owned(),
        ModelError::OverBudget(_) => "raise `budget`, or wait until it opens again".to_owned(),
        ModelError::RateLimited { .. } => "try again later".to_owned(),
        ModelError::Misconfigured { cure, .. } => cure.clone(),
        ModelError::Refused { .. } | ModelError::TooLong { .. } | ModelError::Cancelled => {
            "use another model".to_owned()
        }
    };
    Finding::problem(error.to_string(), cure)
}
