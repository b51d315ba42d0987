//! The settings of a model.
//!
//! The shell gathers settings from file, environment and flags into one JSON object and calls
//! [`ModelConfig::from_settings`]. A `preset` supplies everything that the settings leave out.

use std::fmt::Display;

use reqwest::Url;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::budget::{Budget, Limits, Spend};
use super::{Secret, Usage, Wire};
use crate::{Finding, is_loopback};

/// The longest waits and largest answers that a configuration may ask for.
const TIMEOUT_MAX_MS: u64 = 600_000;
const OUTPUT_TOKENS_MAX: u32 = 65_536;
const RETRIES_MAX: u32 = 5;
const CONCURRENT_CALLS_MAX: usize = 256;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ModelConfig {
    pub preset: Preset,
    pub wire: Wire,
    /// The server's address, including the version if the provider has one: `https://api.openai.com/v1`.
    pub base_url: String,
    pub model: String,
    pub api_key: Option<Secret>,
    /// The proxy's address. A secret because it may contain a password.
    pub proxy_url: Option<Secret>,
    pub structure: Structure,
    /// Sent only if set: some models accept only their default.
    pub temperature: Option<f32>,
    /// The time for a whole ask with its retries.
    pub timeout_ms: u64,
    pub connect_timeout_ms: u64,
    /// The longest silence within a reply that has begun.
    pub idle_timeout_ms: u64,
    pub max_output_tokens: u32,
    /// The number of further attempts if the server is busy or failing; the one repair of a bad reply is not
    /// counted.
    pub retries: u32,
    pub concurrent_calls: usize,
    pub prices: Option<Prices>,
    pub budget: Budget,
}

/// A provider whose settings are known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Preset {
    Openai,
    Anthropic,
    Ollama,
    Llamacpp,
    /// Any server that speaks the OpenAI wire. It needs a `base_url`.
    OpenaiCompatible,
}

/// The way in which the model is made to answer in JSON. The reply is always checked against the schema.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Structure {
    /// The server is given the schema.
    Schema,
    /// The server is told to produce JSON; the prompt contains the schema.
    Json,
    /// The prompt contains the schema; the server is told nothing.
    Prompt,
}

/// The prices of a model. One US dollar for a million tokens is one millionth of a dollar for a token.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Prices {
    pub input_usd_per_million_tokens: f64,
    pub output_usd_per_million_tokens: f64,
}

impl ModelConfig {
    pub fn preset(preset: Preset) -> Self {
        let local = matches!(preset, Preset::Ollama | Preset::Llamacpp);
        let (wire, base_url, model) = preset.server();
        Self {
            preset,
            wire,
            base_url: base_url.to_owned(),
            model: model.to_owned(),
            api_key: None,
            proxy_url: None,
            structure: Structure::Schema,
            temperature: None,
            timeout_ms: if local { 120_000 } else { 45_000 },
            connect_timeout_ms: 1_500,
            idle_timeout_ms: 10_000,
            max_output_tokens: 2_048,
            retries: 2,
            concurrent_calls: if local { 2 } else { 16 },
            prices: local
                .then_some(Prices { input_usd_per_million_tokens: 0.0, output_usd_per_million_tokens: 0.0 }),
            budget: Budget {
                per_day: Limits { calls: Some(2_000), tokens: Some(4_000_000), usd: None },
                per_flow: Limits { calls: Some(200), tokens: Some(400_000), usd: None },
            },
        }
    }

    /// Reads a configuration: `settings` (an object with any of the fields of this struct) over the preset they
    /// name.
    pub fn from_settings(settings: &Value) -> Result<Self, Finding> {
        Self::over_preset(settings).map_err(|error| {
            let what = format!("the model settings cannot be read: {error}");
            Finding::problem(what, "correct or remove the setting")
        })
    }

    fn over_preset(settings: &Value) -> serde_json::Result<Self> {
        let preset = settings.get("preset").map(Preset::deserialize).transpose()?;
        let mut merged = serde_json::to_value(Self::preset(preset.unwrap_or(Preset::OpenaiCompatible)))?;
        lay_over(&mut merged, settings);
        serde_json::from_value(merged)
    }

    /// Reports problems of the configuration itself, without touching the network.
    pub fn check(&self) -> Vec<Finding> {
        let mut findings = Vec::from_iter(self.check_address());
        findings.extend(self.check_bounds());
        findings.extend(self.check_money());
        let needs_key = self.preset.key_variable().filter(|_| self.api_key.is_none());
        findings.extend(Finding::problems([
            (
                self.model.trim().is_empty(),
                "no model is named",
                "set `model` to a model that the server offers",
            ),
            (
                needs_key.is_some(),
                &format!("the {:?} preset needs an API key and has none", self.preset),
                &format!("put the key into the environment variable {}", needs_key.unwrap_or_default()),
            ),
        ]));
        findings
    }

    fn check_address(&self) -> Option<Finding> {
        let url = Url::parse(&self.base_url).ok();
        let Some(url) = url.filter(|url| matches!(url.scheme(), "http" | "https") && url.has_host()) else {
            return Some(Finding::problem(
                format!("`base_url` is not an http or https address: {:?}", self.base_url),
                "set it to the address of the model server, such as http://127.0.0.1:8080/v1",
            ));
        };
        if !url.username().is_empty() || url.password().is_some() || url.query().is_some() {
            return Some(Finding::problem(
                "`base_url` contains a user, a password or a query, which would end up in logs",
                "leave only the address there and put the key into `api_key`",
            ));
        }
        let host = url.host_str().unwrap_or_default();
        (url.scheme() == "http" && self.api_key.is_some() && !is_loopback(host)).then(|| {
            Finding::warning(
                format!("the API key travels unencrypted to {host}"),
                "use an https address, or remove the key if the server needs none",
            )
        })
    }

    fn check_bounds(&self) -> Vec<Finding> {
        let timeouts = [self.timeout_ms, self.connect_timeout_ms, self.idle_timeout_ms];
        let timeouts_fit = timeouts.iter().all(|ms| (1..=TIMEOUT_MAX_MS).contains(ms));
        let tokens_fit = (1..=OUTPUT_TOKENS_MAX).contains(&self.max_output_tokens);
        let calls_fit = (1..=CONCURRENT_CALLS_MAX).contains(&self.concurrent_calls);
        let cure = "correct the value in the model configuration";
        let between = |what: &str, max: &dyn Display| format!("{what} must be between 1 and {max}");
        Finding::problems([
            (!timeouts_fit, &between("every time-out in ms", &TIMEOUT_MAX_MS), cure),
            (!tokens_fit, &between("`max_output_tokens`", &OUTPUT_TOKENS_MAX), cure),
            (self.retries > RETRIES_MAX, &format!("`retries` must be at most {RETRIES_MAX}"), cure),
            (!calls_fit, &between("`concurrent_calls`", &CONCURRENT_CALLS_MAX), cure),
        ])
    }

    fn check_money(&self) -> Option<Finding> {
        let amounts = [self.budget.per_day.usd, self.budget.per_flow.usd];
        let prices = self.prices.map(|p| [p.input_usd_per_million_tokens, p.output_usd_per_million_tokens]);
        let not_money = |amount: &f64| !amount.is_finite() || *amount < 0.0;
        if amounts.iter().flatten().chain(prices.iter().flatten()).any(not_money) {
            let what = "a price or a limit in US dollars is not an amount of money";
            return Some(Finding::problem(what, "use a number that is not negative"));
        }
        (amounts.iter().any(Option::is_some) && prices.is_none()).then(|| {
            Finding::problem(
                "a limit in US dollars cannot be kept because the prices of the model are not known",
                "set `prices`, or limit calls or tokens instead",
            )
        })
    }

    /// Returns the cost of a call with this usage; `None` without prices.
    pub(super) fn cost_microusd(&self, usage: Usage) -> Option<u64> {
        let prices = self.prices?;
        let input = usage.input_tokens as f64 * prices.input_usd_per_million_tokens;
        let output = usage.output_tokens as f64 * prices.output_usd_per_million_tokens;
        Some((input + output).ceil() as u64)
    }

    pub(super) fn spend(&self, usage: Usage) -> Spend {
        Spend { calls: 1, tokens: usage.total(), microusd: self.cost_microusd(usage).unwrap_or(0) }
    }
}

impl Preset {
    /// Returns the environment variable in which users of this provider keep their key.
    pub fn key_variable(self) -> Option<&'static str> {
        match self {
            Preset::Openai => Some("OPENAI_API_KEY"),
            Preset::Anthropic => Some("ANTHROPIC_API_KEY"),
            Preset::Ollama | Preset::Llamacpp | Preset::OpenaiCompatible => None,
        }
    }

    /// Returns the wire, the address, and the model if the server has only one and ignores its name.
    fn server(self) -> (Wire, &'static str, &'static str) {
        match self {
            Preset::Openai => (Wire::Openai, "https://api.openai.com/v1", ""),
            Preset::Anthropic => (Wire::Anthropic, "https://api.anthropic.com/v1", ""),
            Preset::Ollama => (Wire::Ollama, "http://127.0.0.1:11434", ""),
            Preset::Llamacpp => (Wire::Openai, "http://127.0.0.1:8080/v1", "default"),
            Preset::OpenaiCompatible => (Wire::Openai, "", ""),
        }
    }
}

fn lay_over(below: &mut Value, above: &Value) {
    match (below, above) {
        (Value::Object(below), Value::Object(above)) => {
            for (key, value) in above {
                lay_over(below.entry(key.clone()).or_insert(Value::Null), value);
            }
        }
        (below, above) => *below = above.clone(),
    }
}
