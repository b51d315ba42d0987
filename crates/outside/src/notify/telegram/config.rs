//! The settings of Telegram.

use reqwest::Url;
use serde::{Deserialize, Serialize};

use crate::{Finding, Secret, is_loopback};

/// The longest time-out. A node has 30 s for a message; after that, another node would send it as well.
const TIMEOUT_MAX_MS: u64 = 29_000;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct TelegramConfig {
    /// The token as BotFather gives it: `123456:ABC…`.
    pub token: Secret,
    /// The address of Telegram's own Bot API server, or of yours.
    pub base_url: String,
    /// The proxy's address. A secret because it may contain a password.
    pub proxy_url: Option<Secret>,
    /// The time for one request.
    pub timeout_ms: u64,
    /// The time for a whole message, including its parts and its waiting. It must stay below the lease of the
    /// outbox.
    pub delivery_max_ms: u64,
    pub limits: RateLimits,
}

/// The rates that Telegram tolerates. Messages wait for their turn rather than being refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct RateLimits {
    pub chat_interval_ms: u64,
    /// The limit for groups and channels, whose numbers are negative.
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
    /// Reports problems of the configuration itself, without touching the network.
    pub fn check(&self) -> Vec<Finding> {
        let url = Url::parse(&self.base_url).ok().filter(|url| url.has_host());
        let scheme = url.as_ref().map_or("", Url::scheme);
        let host = url.as_ref().and_then(Url::host_str).unwrap_or_default();
        let bound = 1..=TIMEOUT_MAX_MS;
        let bounds_hold = bound.contains(&self.timeout_ms)
            && bound.contains(&self.delivery_max_ms)
            && self.timeout_ms <= self.delivery_max_ms;
        let mut findings = Finding::problems([
            (
                !matches!(scheme, "http" | "https"),
                &format!("`base_url` is not an http or https address: {:?}", self.base_url),
                "leave it out, or set it to the address of a Bot API server",
            ),
            (
                !is_token(self.token.reveal()),
                "the token of the Telegram bot is missing or malformed",
                "ask @BotFather for one; it looks like 123456:ABC-def and has no spaces",
            ),
            (
                !bounds_hold,
                &format!("`timeout_ms` and `delivery_max_ms` must be between 1 and {TIMEOUT_MAX_MS}"),
                "choose a `timeout_ms` that is not above `delivery_max_ms`",
            ),
            (
                self.limits.group_per_minute == 0 || self.limits.overall_per_second == 0,
                "with a limit of 0 no message would ever be sent",
                "set the limit to 1 or more",
            ),
        ]);
        if scheme == "http" && !is_loopback(host) {
            let what = format!("the bot's token travels unencrypted to {host}");
            findings
                .push(Finding::warning(what, "use an https address, or a Bot API server on this machine"));
        }
        findings
    }
}

/// Whether a text can be a token. The token becomes part of an address, so no other characters may be in it.
fn is_token(text: &str) -> bool {
    let is_secret_part = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
    text.len() <= 256
        && text.split_once(':').is_some_and(|(bot, secret)| {
            let is_number = !bot.is_empty() && bot.bytes().all(|byte| byte.is_ascii_digit());
            is_number && !secret.is_empty() && secret.bytes().all(is_secret_part)
        })
}
