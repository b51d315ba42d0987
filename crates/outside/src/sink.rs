//! Delivers the actions of a law to a program that performs them, over HTTP.
//!
//! Every delivery carries an `Idempotency-Key`. After a crash a delivery may arrive again with the same key; a
//! receiver that remembers keys performs it once.

use std::time::Duration;

use reqwest::Url;
use serde::Deserialize;
use serde_json::Value;

use crate::web::{self, Unread, bare};
use crate::{Finding, Trouble};

const TIMEOUT: Duration = Duration::from_secs(10);
const MAX_ANSWER_BYTES: usize = 1 << 20;

#[derive(Debug, Clone)]
pub struct Sink {
    client: reqwest::Client,
    url: Url,
}

/// The receiver's answer.
#[derive(Debug, Clone, PartialEq)]
pub enum Delivery {
    Done,
    /// The receiver answered with an event for the flow.
    Event {
        event: String,
        payload: Value,
        facts: Vec<String>,
    },
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
    pub fn new(url: &str) -> Result<Sink, Finding> {
        let unusable = |error: String| {
            Finding::problem(format!("`{url}` cannot be a sink: {error}"), "use an http or https address")
        };
        let client = web::client(None).and_then(|builder| builder.timeout(TIMEOUT).build().map_err(bare));
        Ok(Sink {
            client: client.map_err(unusable)?,
            url: Url::parse(url).map_err(|error| unusable(error.to_string()))?,
        })
    }

    pub async fn deliver(
        &self,
        key: &str,
        instance: &str,
        attempt: u64,
        payload: &str,
    ) -> Result<Delivery, Trouble> {
        let request = self
            .client
            .post(self.url.clone())
            .header("idempotency-key", key)
            .header("etude-instance", instance)
            .header("etude-attempt", attempt)
            .header("content-type", "application/json")
            .body(payload.to_owned());
        let response = request.send().await.map_err(|error| Trouble::retry(bare(error)))?;
        let status = response.status();
        let answered = format!("the receiver answered {status}");
        if status.is_client_error() && !matches!(status.as_u16(), 408 | 425 | 429) {
            return Err(Trouble::finally(answered));
        }
        if !status.is_success() {
            return Err(Trouble::retry(answered));
        }
        let body = web::read(response, MAX_ANSWER_BYTES, TIMEOUT).await.map_err(|unread| match unread {
            Unread::TooLarge(_) => Trouble::finally(unread.to_string()),
            Unread::Cut(_) | Unread::Stalled(_) => Trouble::retry(unread.to_string()),
        })?;
        Ok(match serde_json::from_slice::<Answer>(&body) {
            Ok(answer) => {
                Delivery::Event { event: answer.event, payload: answer.payload, facts: answer.facts }
            }
            Err(_) => Delivery::Done,
        })
    }
}
