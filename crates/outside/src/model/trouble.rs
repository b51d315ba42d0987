//! What a failure on the wire means: for the caller, for the next attempt, and for the bill.

use jiff::fmt::rfc2822::DateTimeParser;
use jiff::{SignedDuration, Timestamp};
use reqwest::StatusCode;
use reqwest::header::{HeaderMap, LOCATION, RETRY_AFTER};
use tokio::time::Instant;

use super::{ModelError, Usage};

/// A failed request and what it cost.
#[derive(Debug)]
pub(super) struct Failed {
    pub(super) trouble: Trouble,
    pub(super) charge: Charge,
}

/// What to tell the caller, and what to try before that.
#[derive(Debug)]
pub(super) struct Trouble {
    pub(super) error: ModelError,
    pub(super) next: Next,
}

#[derive(Debug, PartialEq)]
pub(super) enum Next {
    GiveUp,
    /// The server is busy or failing; it may have said for how long.
    Wait {
        after_ms: Option<u64>,
    },
    /// The connection or the reply broke; the same request may fare better, once.
    Resend,
    /// The model should be told what was wrong with its reply.
    Repair {
        reply: String,
    },
    /// The prompt must become shorter.
    Shrink,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Charge {
    /// The request never reached the server.
    Nothing,
    /// The server turned the request away: a call, but no tokens.
    Call,
    Tokens(Usage),
    /// The server may have worked; the worst case is assumed.
    Unknown,
}

/// A reply with an error status. Error codes may stand anywhere in the body; a message shows its beginning.
#[derive(Debug)]
pub(super) struct Refusal {
    pub(super) status: StatusCode,
    pub(super) headers: HeaderMap,
    pub(super) body: String,
    pub(super) preview: String,
}

/// The time of an ask: the caller's clock at its start, and how long ago that was.
#[derive(Clone, Copy, Debug)]
pub(super) struct AskClock {
    pub(super) asked_at: Timestamp,
    pub(super) started: Instant,
}

impl Failed {
    pub(super) fn new(error: ModelError, next: Next, charge: Charge) -> Self {
        Self { trouble: Trouble { error, next }, charge }
    }

    /// A server that answers with an error status.
    pub(super) fn turned_away(refusal: &Refusal, clock: AskClock) -> Self {
        let (error, next) = refusal.read(clock);
        Self::new(error, next, Charge::Call)
    }

    /// Refused connections, unknown hosts and failed TLS handshakes will not mend themselves within an ask.
    pub(super) fn not_sent_or_cut(error: reqwest::Error) -> Self {
        if error.is_connect() {
            return Self::new(ModelError::Unreachable { why: causes(error) }, Next::GiveUp, Charge::Nothing);
        }
        Self::cut(&format!("the connection was cut before the reply ({})", causes(error)))
    }

    pub(super) fn cut(why: &str) -> Self {
        Self::new(ModelError::Unreachable { why: why.to_owned() }, Next::Resend, Charge::Unknown)
    }
}

impl Refusal {
    fn read(&self, clock: AskClock) -> (ModelError, Next) {
        let after_ms = retry_after_ms(&self.headers, clock);
        let why = format!("{}: {}", self.status, self.preview);
        match self.status.as_u16() {
            300..=399 => (redirected(&self.headers), Next::GiveUp),
            400..=499 if self.speaks_of(&["context_length", "exceed_context", "prompt is too long"]) => {
                (ModelError::TooLong { why }, Next::Shrink)
            }
            400 if self.speaks_of(&["content_filter", "content management policy"]) => {
                (ModelError::Refused { why }, Next::GiveUp)
            }
            401 | 403 => (ModelError::Unauthorized { why }, Next::GiveUp),
            429 if self.speaks_of(&["insufficient_quota"]) => (
                misconfigured(why, "the account has no credit left: top it up or use another provider"),
                Next::GiveUp,
            ),
            429 => (ModelError::RateLimited { retry_after_ms: after_ms }, Next::Wait { after_ms }),
            503 if after_ms.is_some() => {
                (ModelError::RateLimited { retry_after_ms: after_ms }, Next::Wait { after_ms })
            }
            408 | 500..=599 => (ModelError::Unreachable { why }, Next::Wait { after_ms }),
            404 => {
                (misconfigured(why, "check `base_url` and that the server offers the model"), Next::GiveUp)
            }
            _ => (
                misconfigured(why, "check `model`, `structure`, `temperature` and `max_output_tokens`"),
                Next::GiveUp,
            ),
        }
    }

    fn speaks_of(&self, words: &[&str]) -> bool {
        words.iter().any(|word| self.body.contains(word))
    }
}

impl AskClock {
    fn now(&self) -> Timestamp {
        let elapsed = SignedDuration::try_from(self.started.elapsed()).unwrap_or(SignedDuration::MAX);
        self.asked_at.saturating_add(elapsed).unwrap_or(self.asked_at)
    }
}

fn misconfigured(why: String, cure: &str) -> ModelError {
    ModelError::Misconfigured {
        what: format!("the server rejects the request, {why}"),
        cure: cure.to_owned(),
    }
}

fn redirected(headers: &HeaderMap) -> ModelError {
    let target = headers.get(LOCATION).and_then(|value| value.to_str().ok());
    let target = target.and_then(|target| reqwest::Url::parse(target).ok());
    let target =
        target.map_or_else(|| "another address".to_owned(), |url| url.origin().ascii_serialization());
    ModelError::Misconfigured {
        what: format!(
            "the server redirects to {target}, which is not followed because it would receive the key"
        ),
        cure: "set `base_url` to the final address if you trust it".to_owned(),
    }
}

/// Seconds or a date; anything else, such as a negative number, counts as not said.
fn retry_after_ms(headers: &HeaderMap, clock: AskClock) -> Option<u64> {
    let said = headers.get(RETRY_AFTER)?.to_str().ok()?.trim();
    if let Ok(seconds) = said.parse::<f64>() {
        return (seconds.is_finite() && seconds >= 0.0).then_some((seconds * 1000.0) as u64);
    }
    let date = DateTimeParser::new().parse_timestamp(said).ok()?;
    let wait = date.duration_since(clock.now());
    Some(u64::try_from(wait.as_millis()).unwrap_or(0))
}

/// The error with everything below it, without the address, which is known.
pub(super) fn causes(error: reqwest::Error) -> String {
    let error = error.without_url();
    let mut text = error.to_string();
    let mut cause = std::error::Error::source(&error);
    while let Some(inner) = cause {
        text.push_str(&format!(": {inner}"));
        cause = inner.source();
    }
    text
}
