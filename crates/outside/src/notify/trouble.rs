//! What can go wrong with a delivery, sorted by what the outbox does next.

use std::error::Error;

use crate::{Finding, Level};

/// Nobody waits longer than this because a server says so.
const AFTER_MAX_MS: u64 = 24 * 60 * 60 * 1000;
const PREVIEW_MAX_CHARS: usize = 200;

/// Both variants carry the reason for a person to read, without secrets.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Trouble {
    /// The message is fine and may be delivered later.
    ///
    /// With `after_ms` somebody named the moment (a rate limit, theirs or ours): wait that long, and do not
    /// count it as a failed attempt. Without, back off as for any failure.
    #[error("{reason}")]
    Retry { after_ms: Option<u64>, reason: String },
    /// No repetition helps; a person has to look at it.
    #[error("{reason}")]
    Final { reason: String },
}

/// A configuration that cannot work.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{what}; {cure}")]
pub struct Misconfigured {
    pub what: String,
    pub cure: String,
}

impl Trouble {
    pub(super) fn finally(reason: impl Into<String>) -> Self {
        Self::Final { reason: reason.into() }
    }

    pub(super) fn retry(reason: impl Into<String>) -> Self {
        Self::Retry { after_ms: None, reason: reason.into() }
    }

    pub(super) fn retry_after(after_ms: u64, reason: impl Into<String>) -> Self {
        Self::Retry { after_ms: Some(after_ms.min(AFTER_MAX_MS)), reason: reason.into() }
    }
}

impl Misconfigured {
    pub(super) fn new(what: impl Into<String>, cure: impl Into<String>) -> Self {
        Self { what: what.into(), cure: cure.into() }
    }

    /// The first problem among the findings about a configuration.
    pub(super) fn refuse_problems(findings: Vec<Finding>) -> Result<(), Self> {
        let problem = findings.into_iter().find(|finding| finding.level == Level::Problem);
        problem.map_or(Ok(()), |problem| Err(Self::new(problem.what, problem.cure)))
    }
}

/// An error with everything below it.
pub(super) fn causes(error: &dyn Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(inner) = cause {
        let words = inner.to_string();
        // Some errors repeat what is below them.
        if !text.contains(&words) {
            text.push_str(": ");
            text.push_str(&words);
        }
        cause = inner.source();
    }
    text
}

/// The beginning of what a server said, fit for a message: short and printable.
pub(super) fn preview(text: &str) -> String {
    let printable = text.chars().map(|char| if char.is_control() { ' ' } else { char });
    printable.take(PREVIEW_MAX_CHARS).collect()
}
