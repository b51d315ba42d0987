//! Watches an agent at work, and finds the trouble that a human should know about.
//!
//! The human is told about each kind of trouble once per session. If they let the agent go on, they do not want to
//! hear about it again.

use super::words;
use crate::words::Text;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::hash::{DefaultHasher, Hash, Hasher};

/// The thresholds from which something counts as trouble.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Thresholds {
    /// Silence of an agent at work.
    pub silence_s: u64,
    /// Time at work, all turns together.
    pub duration_s: u64,
    /// Identical calls of a tool in a row.
    pub same_calls: u32,
    /// Failed calls in a row.
    pub errors: u32,
}

impl Default for Thresholds {
    fn default() -> Thresholds {
        Thresholds { silence_s: 1_800, duration_s: 4 * 3_600, same_calls: 5, errors: 5 }
    }
}

/// The observations of an agent at work. Unknown ones are left out.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Watched {
    /// A call of a tool: its name and what it was given.
    pub call: Option<String>,
    /// Whether a call failed.
    pub is_error: Option<bool>,
    /// How long the agent has been silent, and how long at work.
    pub silent_s: u64,
    pub running_s: u64,
    /// Counts of a program that watches every call itself.
    pub same_calls: u32,
    pub errors: u32,
}

/// A kind of trouble.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Trouble {
    Silence,
    Duration,
    SameCalls,
    Errors,
}

/// A trouble that a human was told about.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Alarm {
    pub trouble: Trouble,
    pub reason: Text,
    pub at_us: i64,
}

/// Counts over everything that was seen since the agent last stopped.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Watch {
    last_call: u64,
    same_calls: u32,
    errors: u32,
}

impl Watch {
    pub fn count(&mut self, watched: &Watched) {
        if let Some(call) = &watched.call {
            let call = fingerprint(call);
            self.same_calls = if call == self.last_call { self.same_calls.saturating_add(1) } else { 1 };
            self.last_call = call;
        }
        match watched.is_error {
            Some(true) => self.errors = self.errors.saturating_add(1),
            Some(false) => self.errors = 0,
            None => {}
        }
        self.same_calls = self.same_calls.max(watched.same_calls);
        self.errors = self.errors.max(watched.errors);
    }

    /// Returns the observations with the counts so far in place of the single call.
    pub fn counted(&self, watched: Watched) -> Watched {
        Watched { same_calls: self.same_calls, errors: self.errors, call: None, is_error: None, ..watched }
    }

    /// Returns everything that is trouble now, and how much of it: seconds or calls.
    pub fn troubles(&self, watched: &Watched, limits: &Thresholds) -> Vec<(Trouble, u64)> {
        let found = [
            (Trouble::Silence, watched.silent_s, limits.silence_s),
            (Trouble::Duration, watched.running_s, limits.duration_s),
            (Trouble::SameCalls, self.same_calls.into(), limits.same_calls.into()),
            (Trouble::Errors, self.errors.into(), limits.errors.into()),
        ];
        let is_trouble = |(_, amount, limit): &(Trouble, u64, u64)| amount >= limit;
        found.into_iter().filter(is_trouble).map(|(trouble, amount, _)| (trouble, amount)).collect()
    }
}

impl Trouble {
    /// Returns the text for a human about this many seconds or calls.
    pub fn told(self, amount: u64) -> Text {
        match self {
            Trouble::Silence => words::silence(span(amount)),
            Trouble::Duration => words::duration(span(amount)),
            Trouble::SameCalls => words::same_calls(amount),
            Trouble::Errors => words::errors(amount),
        }
    }
}

/// Returns a hash of a call, which is the same in every process.
fn fingerprint(call: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    call.hash(&mut hasher);
    hasher.finish()
}

/// Returns a length of time as people say it.
pub(super) fn span(seconds: u64) -> Text {
    match seconds {
        0..120 => words::span(seconds, "seconds"),
        120..7_200 => words::span(seconds / 60, "minutes"),
        _ => words::span(seconds / 3_600, "hours"),
    }
}
