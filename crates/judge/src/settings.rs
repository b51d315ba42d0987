//! The settings of a judge.

use crate::isolation::Level;
use crate::language::Language;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

#[derive(Debug, Clone)]
pub struct Settings {
    /// The folders that interpreters and compilers are looked for in.
    pub search: Vec<PathBuf>,
    /// The program that calls [`crate::inner`] first; without it this very program.
    pub helper: Option<PathBuf>,
    /// The best level to use even if more is possible. For tests of the levels below.
    pub at_most: Level,
    /// Whether control groups may be used. For tests of how memory is watched without them.
    pub uses_groups: bool,
    pub options: Options,
}

/// What can be set in a file.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Options {
    /// Below this level no program is run. `none` counts as `lite`: nothing ever runs free.
    pub minimum: Level,
    /// How many programs run at once; without it as many as there are processors.
    pub places: Option<usize>,
    /// How many interpreters of a language wait for the next program; without it as many as run at once, and 0 for none.
    pub warm: Option<usize>,
    /// Languages beside the shipped ones, or instead of one of the same name.
    pub languages: Vec<Language>,
}

impl Default for Options {
    fn default() -> Options {
        Options { minimum: Level::Lite, places: None, warm: None, languages: Vec::new() }
    }
}

impl Settings {
    /// With this search path, as in `PATH`.
    pub fn new(path: &std::ffi::OsStr) -> Settings {
        let search = std::env::split_paths(path).filter(|folder| folder.is_absolute()).collect();
        Settings {
            search,
            helper: None,
            at_most: Level::Full,
            uses_groups: true,
            options: Options::default(),
        }
    }
}
