//! Which bot, where, and within which bounds.

use reqwest::Url;
use serde::{Deserialize, Serialize};

use crate::{Finding, Secret, is_loopback};

/// A node has a message for itself for 30 s; one that takes longer would be sent by another as well.
const TIMEOUT_MAX_MS: u64 = 29_000;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct TelegramConfig {
    /// As BotFather gives it: `123456:ABC…`.
    pub token: Secret,
    /// Telegram's own, or a Bot API server at home.
    pub base_url: String,
    /// A secret because proxies carry their password in the address.
    pub proxy_url: Option<Secret>,
    /// For one request.
    pub timeout_ms: u64,
    /// For a whole message with its parts and its waiting. Stay below the lease of the outbox.
    pub delivery_max_ms: u64,
    pub limits: RateLimits,
}

/// What Telegram tolerates. Messages wait for their turn rather than being refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct RateLimits {
    pub chat_interval_ms: u64,
    /// For groups and channels, whose numbers are negative.
    pub group_per_minute: usize,
    pub overall_per_second: usize,
}

impl Default for TelegramConfig {
    fn default() -> Self {
        Self {
            token: Secret::new(""),
            base_url: "https://api.telegram.org".to_owned(),
            proxy_url: None,
            timeout_ms: 8_000,
            delivery_max_ms: 25_000,
            limits: RateLimits::default(),
        }
    }
}

impl Default for RateLimits {
    fn default() -> Self {
        Self { chat_interval_ms: 1_000, group_per_minute: 20, overall_per_second: 30 }
    }
}

impl TelegramConfig {
    /// What is wrong with the configuration itself, without touching the network.
    pub fn check(&self) -> Vec<Finding> {
        let mut findings = Vec::from_iter(self.check_address());
        if !is_token(self.token.reveal()) {
            findings.push(Finding::problem(
                "the token of the Telegram bot is missing or is none",
                "ask @BotFather for one; it looks like 123456:ABC-def and has no spaces",
            ));
        }
        let (limits, bound) = (self.limits, 1..=TIMEOUT_MAX_MS);
        let bounds_hold = bound.contains(&self.timeout_ms) && bound.contains(&self.delivery_max_ms);
        if !bounds_hold || self.timeout_ms > self.delivery_max_ms {
            findings.push(Finding::problem(
                format!("`timeout_ms` and `delivery_max_ms` must be between 1 and {TIMEOUT_MAX_MS}"),
                "choose a `timeout_ms` that is not above `delivery_max_ms`",
            ));
        }
        if limits.group_per_minute == 0 || limits.overall_per_second == 0 {
            let what = "with a limit of 0 no message would ever be sent";
            findings.push(Finding::problem(what, "set the limit to 1 or more"));
        }
        findings
    }

    fn check_address(&self) -> Option<Finding> {
        let url = Url::parse(&self.base_url).ok().filter(|url| url.has_host());
        match url {
            Some(url) if url.scheme() == "https" => None,
            Some(url) if url.scheme() == "http" => {
                (!is_loopback(url.host_str().unwrap_or_default())).then(|| {
                    Finding::warning(
                        format!(
                            "the bot's token travels unencrypted to {}",
                            url.host_str().unwrap_or_default()
                        ),
                        "use an https address, or a Bot API server on this machine",
                    )
                })
            }
            _ => Some(Finding::problem(
                format!("`base_url` is not an http or https address: {:?}", self.base_url),
                "leave it out, or set it to the address of a Bot API server",
            )),
        }
    }
}

/// The token becomes part of an address, so nothing else may be in it.
fn is_token(text: &str) -> bool {
    let is_secret_part = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
    text.len() <= 256
        && text.split_once(':').is_some_and(|(bot, secret)| {
            let is_number = !bot.is_empty() && bot.bytes().all(|byte| byte.is_ascii_digit());
            is_number && !secret.is_empty() && secret.bytes().all(is_secret_part)
        })
}
