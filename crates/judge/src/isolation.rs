//! Describes how well a program can be isolated on this machine.

use serde::{Deserialize, Serialize};
use std::fmt;

/// A level of isolation. `Full` has namespaces, its own file system and no network. `Lite` runs a program in our
/// own process tree, but keeps it from files beyond its interpreter, from sockets and from other processes. With
/// `None`, no program is run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Level {
    None,
    Lite,
    Full,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Isolation {
    pub level: Level,
    pub layers: Vec<Layer>,
    /// The way to a higher level, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cure: Option<String>,
}

/// One part of the isolation, with the reason if it is missing.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Layer {
    pub name: &'static str,
    pub works: bool,
    pub note: String,
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Level::None => "none",
            Level::Lite => "lite",
            Level::Full => "full",
        })
    }
}

impl Isolation {
    pub fn layer(&self, name: &str) -> Option<&Layer> {
        self.layers.iter().find(|layer| layer.name == name)
    }
}
