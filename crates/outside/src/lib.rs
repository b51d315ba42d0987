//! The ports to the outside: everything with a network, a process or a device behind it.
//!
//! Each port is one module. A port knows how to reach its part of the world and what can go wrong there. It knows
//! nothing about storage or about the turn loop, and it never reads the clock or the environment: the shell passes
//! those in.

pub mod model;
pub mod notify;
mod secret;
pub mod sink;
pub mod sql;
mod web;

use std::net::IpAddr;

use serde::Serialize;

pub use secret::Secret;

/// One line of a diagnosis: a fact that a port found out about itself, and a cure. A configuration that cannot work
/// is refused with the first problem among its findings.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, thiserror::Error)]
#[error("{what}; {cure}")]
pub struct Finding {
    pub level: Level,
    pub what: String,
    /// Empty when nothing needs to be done.
    pub cure: String,
}

/// The severity of a [`Finding`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Level {
    Fine,
    Warning,
    Problem,
}

/// A failed delivery, sorted by what the outbox does next. The reason is for a person to read and contains no
/// secrets.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Trouble {
    /// The message is fine and may be delivered later.
    ///
    /// With `after_ms` the moment is known (from a rate limit, theirs or ours): wait that long, and do not
    /// count it as a failed attempt. Without it, back off as after any failure.
    #[error("{reason}")]
    Retry { after_ms: Option<u64>, reason: String },
    /// Trying again does not help; a person has to look at it.
    #[error("{reason}")]
    Final { reason: String },
}

impl Finding {
    pub fn fine(what: impl Into<String>) -> Self {
        Self { level: Level::Fine, what: what.into(), cure: String::new() }
    }

    pub fn warning(what: impl Into<String>, cure: impl Into<String>) -> Self {
        Self { level: Level::Warning, what: what.into(), cure: cure.into() }
    }

    pub fn problem(what: impl Into<String>, cure: impl Into<String>) -> Self {
        Self { level: Level::Problem, what: what.into(), cure: cure.into() }
    }

    /// Makes a problem of each row whose condition holds; the row also gives the fact and the cure.
    fn problems<const N: usize>(rows: [(bool, &str, &str); N]) -> Vec<Self> {
        let wrong = rows.into_iter().filter(|(is_wrong, ..)| *is_wrong);
        wrong.map(|(_, what, cure)| Self::problem(what, cure)).collect()
    }

    /// Refuses a configuration with the first problem among the findings about it.
    fn refuse(findings: Vec<Self>) -> Result<(), Self> {
        findings.into_iter().find(|finding| finding.level == Level::Problem).map_or(Ok(()), Err)
    }
}

impl Trouble {
    /// The longest wait that a server may impose.
    const AFTER_MAX_MS: u64 = 24 * 60 * 60 * 1000;

    fn finally(reason: impl Into<String>) -> Self {
        Self::Final { reason: reason.into() }
    }

    fn retry(reason: impl Into<String>) -> Self {
        Self::Retry { after_ms: None, reason: reason.into() }
    }

    fn retry_after(after_ms: u64, reason: impl Into<String>) -> Self {
        Self::Retry { after_ms: Some(after_ms.min(Self::AFTER_MAX_MS)), reason: reason.into() }
    }
}

/// Whether requests to this host stay on this machine.
fn is_loopback(host: &str) -> bool {
    let address = host.trim_matches(['[', ']']).parse::<IpAddr>();
    host == "localhost" || address.is_ok_and(|address| address.is_loopback())
}
