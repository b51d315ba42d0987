//! Sends one request and reads its reply over HTTP, within bounds. A failure has a meaning for the caller, for the
//! next attempt, and for the bill.

use std::time::Duration;

use jiff::fmt::rfc2822::DateTimeParser;
use jiff::{SignedDuration, Timestamp};
use reqwest::header::{CONTENT_TYPE, HeaderMap, HeaderValue, LOCATION, RETRY_AFTER};
use reqwest::{Client, Method, Response, StatusCode};
use serde_json::Value;
use tokio::time::Instant;

use super::ask::Hear;
use super::wire::{Fault, Pieces, Words};
use super::{ErrorKind, Message, ModelConfig, ModelError, Secret, Usage, Wire};
use crate::Finding;
use crate::web::{self, Unread, bare};

/// The largest reply. Usual ones are a few kilobytes.
const REPLY_MAX_BYTES: usize = 1 << 20;
/// The largest reply that comes in pieces. It has a frame around each word.
const STREAM_MAX_BYTES: usize = 16 << 20;

/// The connection to one model server.
#[derive(Debug)]
pub(super) struct Exchange {
    client: Client,
    wire: Wire,
    base_url: String,
    api_key: Option<Secret>,
    idle_timeout: Duration,
}

/// A failed attempt: the error for the caller, the step to try before that, and the charge.
#[derive(Debug)]
pub(super) struct Failed {
    pub(super) error: ModelError,
    pub(super) next: Next,
    pub(super) charge: Charge,
}

#[derive(Debug)]
pub(super) enum Next {
    GiveUp,
    /// The server is busy or failing; it may have said for how long.
    Wait {
        after_ms: Option<u64>,
    },
    /// The connection or the reply broke; the same request may succeed the second time.
    Resend,
    /// The model should be told this about its reply.
    Repair(Vec<Message>),
    /// The server does not send replies in pieces, so the next request asks for the whole.
    Whole,
    /// The prompt must become shorter.
    Shrink,
}

#[derive(Clone, Copy, Debug)]
pub(super) enum Charge {
    /// The request never reached the server.
    Nothing,
    Tokens(Usage),
    /// The server may have worked; the worst case is assumed.
    Unknown,
}

/// The clock of an ask: the caller's time at its start, and the instant of that start.
#[derive(Clone, Copy, Debug)]
pub(super) struct AskClock {
    pub(super) asked_at: Timestamp,
    pub(super) started: Instant,
}

impl Exchange {
    pub(super) fn new(config: &ModelConfig) -> Result<Self, Finding> {
        Ok(Self {
            client: client(config).map_err(|why| {
                let what = format!("the HTTP client for the model cannot be set up: {why}");
                Finding::problem(what, "check the key, the proxy and the system's root certificates")
            })?,
            wire: config.wire,
            base_url: config.base_url.trim_end_matches('/').to_owned(),
            api_key: config.api_key.clone(),
            idle_timeout: Duration::from_millis(config.idle_timeout_ms),
        })
    }

    /// Sends a prompt and reads the reply. A caller can read the reply as it streams, if the server streams it.
    pub(super) async fn chat(
        &self,
        body: String,
        clock: AskClock,
        hear: Option<Hear<'_>>,
    ) -> Result<Words, Failed> {
        let response = self.send(Method::POST, self.wire.chat_path(), Some(body), clock).await?;
        if let Some(hear) = hear.filter(|_| comes_in_pieces(&response)) {
            return self.listen(response, hear).await;
        }
        let reply = self.read_json(response).await?;
        self.wire.read(&reply).map_err(|fault| self.faulty(fault, reply.to_string().as_bytes()))
    }

    /// Reads a reply line by line, and passes on its text as it grows.
    async fn listen(&self, mut response: Response, hear: Hear<'_>) -> Result<Words, Failed> {
        let (mut pieces, mut line, mut size) = (Pieces::default(), Vec::new(), 0);
        hear("");
        while let Some(chunk) = web::next(&mut response, self.idle_timeout).await.map_err(not_read)? {
            size += chunk.len();
            if size > STREAM_MAX_BYTES {
                return Err(not_read(Unread::TooLarge(STREAM_MAX_BYTES)));
            }
            let before = pieces.words.text.len();
            for byte in chunk {
                match byte {
                    b'\n' => self.add(&mut line, &mut pieces)?,
                    byte => line.push(byte),
                }
            }
            if pieces.words.text.len() != before {
                hear(&pieces.words.text);
            }
        }
        self.add(&mut line, &mut pieces)?;
        match pieces.is_whole {
            true => Ok(pieces.words),
            false => Err(not_read(Unread::Cut("the stream ended early".to_owned()))),
        }
    }

    fn add(&self, line: &mut Vec<u8>, pieces: &mut Pieces) -> Result<(), Failed> {
        let bytes = std::mem::take(line);
        self.wire.add(&String::from_utf8_lossy(&bytes), pieces).map_err(|fault| self.faulty(fault, &bytes))
    }

    /// Returns the names of the models that the server offers.
    pub(super) async fn models(&self, clock: AskClock) -> Result<Vec<String>, Failed> {
        let response = self.send(Method::GET, self.wire.models_path(), None, clock).await?;
        let reply = self.read_json(response).await?;
        Ok(self.wire.model_names(&reply))
    }

    async fn send(
        &self,
        method: Method,
        path: &str,
        body: Option<String>,
        clock: AskClock,
    ) -> Result<Response, Failed> {
        let mut request = self.client.request(method, format!("{}/{path}", self.base_url));
        if let Some(body) = body {
            request = request.header(CONTENT_TYPE, "application/json").body(body);
        }
        let response = request.send().await.map_err(Failed::not_sent_or_cut)?;
        if response.status().is_success() {
            return Ok(response);
        }
        let (status, headers) = (response.status(), response.headers().clone());
        // If the body cannot be read, the status says enough.
        let body = self.read(response).await.unwrap_or_default();
        let (error, next) = self.read_refusal(status, &headers, &body, clock);
        // A request that is turned away is a call, but uses no tokens.
        Err(Failed::new(error, next, Charge::Tokens(Usage::default())))
    }

    async fn read_json(&self, response: Response) -> Result<Value, Failed> {
        let body = self.read(response).await?;
        serde_json::from_slice(&body)
            .map_err(|error| self.faulty(Fault::Malformed(format!("the body is not JSON: {error}")), &body))
    }

    async fn read(&self, response: Response) -> Result<Vec<u8>, Failed> {
        web::read(response, REPLY_MAX_BYTES, self.idle_timeout).await.map_err(not_read)
    }

    /// Interprets an error status. Error codes may be anywhere in the body; a message shows its beginning.
    fn read_refusal(
        &self,
        status: StatusCode,
        headers: &HeaderMap,
        body: &[u8],
        clock: AskClock,
    ) -> (ModelError, Next) {
        use ErrorKind::{Misconfigured, RateLimited, Refused, TooLong, Unauthorized, Unreachable};
        let text = String::from_utf8_lossy(body);
        let speaks_of = |words: &[&str]| words.iter().any(|word| text.contains(word));
        let after_ms = retry_after_ms(headers, clock);
        let pause = match after_ms {
            Some(ms) => format!("it asks for {} s", ms.div_ceil(1000)),
            None => "it does not say for how long".to_owned(),
        };
        let why = format!("{status}: {}", self.preview(body));
        let rejected = |cure: &str| ModelError::new(Misconfigured, &why).with_cure(cure);
        match status.as_u16() {
            300..=399 => (redirected(headers), Next::GiveUp),
            400..=499 if speaks_of(&["context_length", "exceed_context", "prompt is too long"]) => {
                (ModelError::new(TooLong, why), Next::Shrink)
            }
            400 | 422 if speaks_of(&["stream"]) => (rejected("check `base_url`"), Next::Whole),
            400 if speaks_of(&["content_filter", "content management policy"]) => {
                (ModelError::new(Refused, why), Next::GiveUp)
            }
            401 | 403 => (ModelError::new(Unauthorized, why), Next::GiveUp),
            429 if speaks_of(&["insufficient_quota"]) => {
                (rejected("the account has no credit left: top it up or use another provider"), Next::GiveUp)
            }
            429 => (ModelError::new(RateLimited, pause), Next::Wait { after_ms }),
            503 if after_ms.is_some() => (ModelError::new(RateLimited, pause), Next::Wait { after_ms }),
            408 | 500..=599 => (ModelError::new(Unreachable, why), Next::Wait { after_ms }),
            404 => (rejected("check `base_url` and that the server offers the model"), Next::GiveUp),
            _ => {
                (rejected("check `model`, `structure`, `temperature` and `max_output_tokens`"), Next::GiveUp)
            }
        }
    }

    fn faulty(&self, fault: Fault, body: &[u8]) -> Failed {
        let (error, next) = match fault {
            Fault::Malformed(why) => {
                let why = format!("{why}; it began: {:?}", self.preview(body));
                (ModelError::new(ErrorKind::BadReply, why), Next::Resend)
            }
            Fault::Failing(why) => {
                let why = format!("the server reports: {}", self.preview(why.as_bytes()));
                (ModelError::new(ErrorKind::Unreachable, why), Next::Wait { after_ms: None })
            }
        };
        Failed::new(error, next, Charge::Unknown)
    }

    /// Returns the beginning of a server's text, fit for a message: short, printable, without the key.
    pub(super) fn preview(&self, body: &[u8]) -> String {
        let text = String::from_utf8_lossy(body);
        web::preview(&self.api_key.as_ref().map_or_else(|| text.to_string(), |key| key.redact(&text)))
    }
}

impl Failed {
    pub(super) fn new(error: ModelError, next: Next, charge: Charge) -> Self {
        Self { error, next, charge }
    }

    pub(super) fn hopeless(error: ModelError) -> Self {
        Self::new(error, Next::GiveUp, Charge::Nothing)
    }

    /// Makes the failure of a request that was not sent or whose reply was cut. Refused connections, unknown hosts
    /// and failed TLS handshakes will not mend themselves within an ask.
    fn not_sent_or_cut(error: reqwest::Error) -> Self {
        let (next, charge) = match error.is_connect() {
            true => (Next::GiveUp, Charge::Nothing),
            false => (Next::Resend, Charge::Unknown),
        };
        let why = format!("no reply came ({})", bare(error));
        Self::new(ModelError::new(ErrorKind::Unreachable, why), next, charge)
    }
}

impl AskClock {
    fn now(&self) -> Timestamp {
        let elapsed = SignedDuration::try_from(self.started.elapsed()).unwrap_or(SignedDuration::MAX);
        self.asked_at.saturating_add(elapsed).unwrap_or(self.asked_at)
    }
}

fn not_read(unread: Unread) -> Failed {
    let (kind, next) = match unread {
        Unread::Cut(_) => (ErrorKind::Unreachable, Next::Resend),
        Unread::Stalled(_) => (ErrorKind::TimedOut, Next::GiveUp),
        Unread::TooLarge(_) => (ErrorKind::BadReply, Next::GiveUp),
    };
    Failed::new(ModelError::new(kind, unread), next, Charge::Unknown)
}

/// Whether a server has accepted the wish for pieces. Some ignore it and send the whole reply.
fn comes_in_pieces(response: &Response) -> bool {
    let kind = response.headers().get(CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    kind.starts_with("text/event-stream") || kind.starts_with("application/x-ndjson")
}

fn redirected(headers: &HeaderMap) -> ModelError {
    let target = headers.get(LOCATION).and_then(|value| value.to_str().ok());
    let target = target.and_then(|target| reqwest::Url::parse(target).ok());
    let target =
        target.map_or_else(|| "another address".to_owned(), |url| url.origin().ascii_serialization());
    let why =
        format!("the server redirects to {target}, which is not followed because it would receive the key");
    ModelError::new(ErrorKind::Misconfigured, why)
        .with_cure("set `base_url` to the final address if you trust it")
}

/// Reads the wait that a server asks for, in seconds or as a date. Anything else, such as a negative number, counts
/// as not said.
fn retry_after_ms(headers: &HeaderMap, clock: AskClock) -> Option<u64> {
    let said = headers.get(RETRY_AFTER)?.to_str().ok()?.trim();
    if let Ok(seconds) = said.parse::<f64>() {
        return (seconds.is_finite() && seconds >= 0.0).then_some((seconds * 1000.0) as u64);
    }
    let date = DateTimeParser::new().parse_timestamp(said).ok()?;
    let wait = date.duration_since(clock.now());
    Some(u64::try_from(wait.as_millis()).unwrap_or(0))
}

fn client(config: &ModelConfig) -> Result<Client, String> {
    let mut headers = HeaderMap::new();
    for (name, value) in config.wire.headers(config.api_key.as_ref().map(Secret::reveal)) {
        let mut value = HeaderValue::from_str(&value)
            .map_err(|_| "the API key contains characters that cannot be sent".to_owned())?;
        value.set_sensitive(true);
        headers.insert(name, value);
    }
    let builder = web::client(config.proxy_url.as_ref())?
        .default_headers(headers)
        .connect_timeout(Duration::from_millis(config.connect_timeout_ms));
    builder.build().map_err(bare)
}
