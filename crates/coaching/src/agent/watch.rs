//! What the watchdog of a session has seen while its agent works, and what a human should know of it.
//!
//! Each kind of trouble is told once in a session: somebody who was told and lets the agent go on wants to hear no
//! more of it.

use serde::{Deserialize, Serialize};
use std::hash::{DefaultHasher, Hash, Hasher};

/// From where on something is trouble.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Thresholds {
    /// An agent at work that says nothing for so long.
    pub silence_s: u64,
    /// An agent that works for so long, all its turns together.
    pub duration_s: u64,
    /// So many identical calls of a tool in a row.
    pub same_calls: u32,
    /// So many failed calls in a row.
    pub errors: u32,
}

impl Default for Thresholds {
    fn default() -> Thresholds {
        Thresholds { silence_s: 1_800, duration_s: 4 * 3_600, same_calls: 5, errors: 5 }
    }
}

/// A look at an agent at work. What is not known is left out.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Seen {
    /// A call of a tool: its name and what it was given.
    pub call: Option<String>,
    /// Whether a call failed.
    pub is_error: Option<bool>,
    /// For how long the agent has been silent, and at work.
    pub silent_s: u64,
    pub running_s: u64,
    /// Counted by whoever watches every call itself.
    pub same_calls: u32,
    pub errors: u32,
}

/// A kind of trouble.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Trouble {
    Silence,
    Duration,
    SameCalls,
    Errors,
}

/// A trouble that a human was told of.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Alarm {
    pub trouble: Trouble,
    pub reason: String,
    pub at_us: i64,
}

/// What is counted from look to look.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Watch {
    last_call: u64,
    same_calls: u32,
    errors: u32,
}

impl Watch {
    /// Counts what was seen.
    pub fn count(&mut self, seen: &Seen) {
        if let Some(call) = &seen.call {
            let call = fingerprint(call);
            self.same_calls = if call == self.last_call { self.same_calls.saturating_add(1) } else { 1 };
            self.last_call = call;
        }
        match seen.is_error {
            Some(true) => self.errors = self.errors.saturating_add(1),
            Some(false) => self.errors = 0,
            None => {}
        }
        self.same_calls = self.same_calls.max(seen.same_calls);
        self.errors = self.errors.max(seen.errors);
    }

    /// The same look with what was counted so far.
    pub fn told(&self, seen: Seen) -> Seen {
        Seen { same_calls: self.same_calls, errors: self.errors, call: None, is_error: None, ..seen }
    }

    /// Everything that is trouble now, with what to say about it.
    pub fn troubles(&self, seen: &Seen, limits: &Thresholds) -> Vec<(Trouble, String)> {
        let mut found = Vec::new();
        if seen.silent_s >= limits.silence_s {
            found.push((
                Trouble::Silence,
                format!("nothing was heard of the agent for {}", span(seen.silent_s)),
            ));
        }
        if seen.running_s >= limits.duration_s {
            found.push((
                Trouble::Duration,
                format!("the agent has been at work for {}", span(seen.running_s)),
            ));
        }
        if self.same_calls >= limits.same_calls {
            let reason = format!("the agent made the same call {} times in a row", self.same_calls);
            found.push((Trouble::SameCalls, reason));
        }
        if self.errors >= limits.errors {
            found.push((Trouble::Errors, format!("{} calls in a row have failed", self.errors)));
        }
        found
    }
}

/// The same for the same call, also in the next process.
fn fingerprint(call: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    call.hash(&mut hasher);
    hasher.finish()
}

fn span(seconds: u64) -> String {
    match seconds {
        0..120 => format!("{seconds} s"),
        120..7_200 => format!("{} min", seconds / 60),
        _ => format!("{} h", seconds / 3_600),
    }
}
