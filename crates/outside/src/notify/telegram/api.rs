//! Sends one request to the Bot API and reads its reply, within bounds.

use std::fmt::Display;
use std::time::Duration;

use reqwest::Client;
use reqwest::header::CONTENT_TYPE;
use serde::Deserialize;
use serde_json::Value;

use super::TelegramConfig;
use crate::web::{self, bare, preview};
use crate::{Finding, Secret, Trouble};

/// The largest reply: enough for a hundred updates of the longest text.
const REPLY_MAX_BYTES: usize = 4 << 20;
const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);

/// The connection to one bot.
#[derive(Debug)]
pub(super) struct Api {
    client: Client,
    base_url: String,
    token: Secret,
    timeout: Duration,
}

#[derive(Debug)]
pub(super) enum Failure {
    /// Telegram itself refused.
    Refused(Refusal),
    /// There was no answer, or it did not come from Telegram.
    Unheard(String),
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Refusal {
    #[serde(rename = "error_code")]
    pub(super) code: i64,
    pub(super) description: String,
    pub(super) parameters: Parameters,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Parameters {
    /// The pause that Telegram asks for, in seconds.
    pub(super) retry_after: Option<u64>,
    pub(super) migrate_to_chat_id: Option<i64>,
}

/// The envelope of every reply.
#[derive(Deserialize)]
struct Envelope {
    ok: bool,
    #[serde(default)]
    result: Value,
    #[serde(flatten)]
    refusal: Refusal,
}

impl Api {
    pub(super) fn new(config: &TelegramConfig) -> Result<Self, Finding> {
        let client = client(config).map_err(|error| {
            let what = format!("the HTTP client for Telegram cannot be set up: {error}");
            Finding::problem(what, "check the proxy and the system's root certificates")
        })?;
        Ok(Self {
            client,
            base_url: config.base_url.trim_end_matches('/').to_owned(),
            token: config.token.clone(),
            timeout: Duration::from_millis(config.timeout_ms),
        })
    }

    pub(super) fn timeout(&self) -> Duration {
        self.timeout
    }

    pub(super) async fn call(&self, method: &str, body: Value) -> Result<Value, Failure> {
        self.call_patiently(method, body, self.timeout).await
    }

    pub(super) async fn call_patiently(
        &self,
        method: &str,
        body: Value,
        patience: Duration,
    ) -> Result<Value, Failure> {
        let url = format!("{}/bot{}/{method}", self.base_url, self.token.reveal());
        let unheard = |why: &dyn Display| Failure::Unheard(format!("{method}: {why}"));
        // The answer may repeat the address, which contains the token.
        let shown = |text: &str| preview(&self.token.redact(text));
        // The time-out covers the body of the reply as well.
        let request = self.client.post(url).timeout(patience);
        let request = request.header(CONTENT_TYPE, "application/json").body(body.to_string());
        let response = request.send().await.map_err(|error| unheard(&bare(error)))?;
        let status = response.status();
        let bytes = web::read(response, REPLY_MAX_BYTES, patience).await.map_err(|why| unheard(&why))?;
        let Envelope { ok, result, refusal } = serde_json::from_slice(&bytes).map_err(|_| {
            let shown = shown(&String::from_utf8_lossy(&bytes));
            unheard(&format!("{status} from something that is not Telegram: {shown:?}"))
        })?;
        if ok {
            return Ok(result);
        }
        let code = if refusal.code == 0 { status.as_u16().into() } else { refusal.code };
        Err(Failure::Refused(Refusal { code, description: shown(&refusal.description), ..refusal }))
    }
}

impl Refusal {
    pub(super) fn speaks_of(&self, words: &str) -> bool {
        self.description.to_lowercase().contains(words)
    }
}

impl Failure {
    pub(super) fn redacted(self, secret: &Secret) -> Self {
        match self {
            Self::Unheard(why) => Self::Unheard(secret.redact(&why)),
            Self::Refused(refusal) => {
                Self::Refused(Refusal { description: secret.redact(&refusal.description), ..refusal })
            }
        }
    }
}

impl From<Failure> for Trouble {
    fn from(failure: Failure) -> Self {
        let refusal = match failure {
            Failure::Unheard(why) => return Self::retry(format!("Telegram could not be reached: {why}")),
            Failure::Refused(refusal) => refusal,
        };
        let said = format!("Telegram says {}: {}", refusal.code, refusal.description);
        match (refusal.code, refusal.parameters.retry_after) {
            (_, Some(seconds)) => Self::retry_after(seconds.saturating_mul(1000), said),
            (409, _) if refusal.speaks_of("webhook") => {
                Self::finally(format!("{said}; delete the webhook, or stop polling"))
            }
            // Another process polls with the same token; it may be stopping.
            (409 | 408 | 429 | 500..=599, _) => Self::retry(said),
            (401 | 404, _) => Self::finally(format!("{said}; check the bot's token")),
            (403, _) => Self::finally(format!("{said}; the learner has to allow the bot to write again")),
            _ => Self::finally(said),
        }
    }
}

fn client(config: &TelegramConfig) -> Result<Client, String> {
    let builder = web::client(config.proxy_url.as_ref())?.connect_timeout(CONNECT_TIMEOUT);
    builder.build().map_err(bare)
}
