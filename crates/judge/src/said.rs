//! The messages of a harness over its channel. A program may forge them, so the judge reads but never believes
//! them.

use crate::text::inert;
use coaching::judging::Verdict;
use serde::Deserialize;
use serde_json::Value;
use std::collections::BTreeMap;

/// The number of characters of a message that are shown.
pub(crate) const SHOWN: usize = 2_000;

/// A message of a harness.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Said {
    Ready(()),
    Failed(Failure),
    Value(Value),
    Unfit(String),
    Error(Failure),
    Trace(RawTrace),
}

#[derive(Debug, Clone, Deserialize)]
pub(crate) struct Failure {
    pub(crate) kind: String,
    message: String,
    line: Option<u64>,
}

#[derive(Debug, Default, Deserialize)]
pub(crate) struct RawTrace {
    pub(crate) steps: Vec<RawStep>,
    #[serde(default)]
    pub(crate) cut: bool,
    pub(crate) result: Option<String>,
    pub(crate) error: Option<Failure>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct RawStep {
    pub(crate) line: u64,
    pub(crate) function: String,
    pub(crate) variables: BTreeMap<String, String>,
    pub(crate) returned: Option<String>,
    pub(crate) stack: Vec<RawFrame>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct RawFrame {
    pub(crate) function: String,
    pub(crate) line: u64,
}

impl Failure {
    pub(crate) fn verdict(&self) -> Verdict {
        if self.kind == "memory" { Verdict::MemoryLimit } else { Verdict::RuntimeError }
    }
}

impl std::fmt::Display for Failure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let message = inert(self.message.as_bytes(), SHOWN);
        match self.line {
            Some(line) => write!(f, "line {line}: {message}"),
            None => f.write_str(&message),
        }
    }
}
