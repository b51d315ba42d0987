//! Delivers the actions of a law to a program that performs them, over HTTP.
//!
//! Every delivery carries an `Idempotency-Key`. After a crash the same delivery may come again with the same
//! key; a receiver that remembers keys performs it once.

use serde::Deserialize;
use serde_json::Value;
use std::time::Duration;

const TIMEOUT: Duration = Duration::from_secs(10);
const MAX_ANSWER_BYTES: u64 = 1 << 20;

#[derive(Debug, Clone)]
pub struct Sink {
    client: reqwest::Client,
    url: reqwest::Url,
}

/// What the receiver made of a delivery.
#[derive(Debug, Clone, PartialEq)]
pub enum Delivery {
    Done,
    /// It answered with an event for the flow.
    Event {
        event: String,
        payload: Value,
        facts: Vec<String>,
    },
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SinkError {
    pub message: String,
    /// Trying again would not help.
    pub is_final: bool,
}

#[derive(Deserialize)]
struct Answer {
    event: String,
    #[serde(default)]
    payload: Value,
    #[serde(default)]
    facts: Vec<String>,
}

impl Sink {
    pub fn new(url: &str) -> Result<Sink, SinkError> {
        let bad = |error: String| SinkError {
            message: format!("`{url}` cannot be a sink: {error}"),
            is_final: true,
        };
        let url = reqwest::Url::parse(url).map_err(|error| bad(error.to_string()))?;
        // Installing it twice is an error that means that it is installed.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let client = reqwest::Client::builder()
            .timeout(TIMEOUT)
            .redirect(reqwest::redirect::Policy::none())
            .user_agent(concat!("etude/", env!("CARGO_PKG_VERSION")))
            .no_proxy()
            .build()
            .map_err(|error| bad(error.to_string()))?;
        Ok(Sink { client, url })
    }

    pub async fn deliver(&self, key: &str, instance: &str, payload: &str) -> Result<Delivery, SinkError> {
        let passing = |message: String| SinkError { message, is_final: false };
        let request = self
            .client
            .post(self.url.clone())
            .header("idempotency-key", key)
            .header("etude-instance", instance)
            .header("content-type", "application/json")
            .body(payload.to_owned());
        let response = request.send().await.map_err(|error| passing(error.to_string()))?;
        let status = response.status();
        if status.is_client_error() && !matches!(status.as_u16(), 408 | 425 | 429) {
            return Err(SinkError { message: format!("the receiver answered {status}"), is_final: true });
        }
        if !status.is_success() {
            return Err(passing(format!("the receiver answered {status}")));
        }
        if response.content_length().is_some_and(|length| length > MAX_ANSWER_BYTES) {
            return Err(SinkError { message: "the receiver's answer is too long".into(), is_final: true });
        }
        let body = response.bytes().await.map_err(|error| passing(error.to_string()))?;
        Ok(match serde_json::from_slice::<Answer>(&body) {
            Ok(answer) => {
                Delivery::Event { event: answer.event, payload: answer.payload, facts: answer.facts }
            }
            Err(_) => Delivery::Done,
        })
    }
}
