//! Everything with a network, a process or a device behind it.
//!
//! Each port is one module. A port knows how to reach its part of the world and what can go wrong there;
//! it knows nothing about storage or about the turn loop, and it never reads the clock or the environment:
//! the shell hands those in.

pub mod model;
pub mod notify;
pub mod sink;

use std::net::IpAddr;

use serde::Serialize;

/// One line of a diagnosis: what a port found out about itself, and what to do about it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Finding {
    pub level: Level,
    pub what: String,
    /// Empty when nothing needs to be done.
    pub cure: String,
}

/// How bad a [`Finding`] is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Level {
    Fine,
    Warning,
    Problem,
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
}

/// Whether what is sent to this host stays on this machine.
pub(crate) fn is_loopback(host: &str) -> bool {
    let address = host.trim_matches(['[', ']']).parse::<IpAddr>();
    host == "localhost" || address.is_ok_and(|address| address.is_loopback())
}
