//! The settings of a judge.

use crate::isolation::Level;
use crate::language::Language;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

#[derive(Debug, Clone)]
pub struct Settings {
    /// The folders that are searched for interpreters and compilers.
    pub search: Vec<PathBuf>,
    /// The program that calls [`crate::inner`] first; without it, the running program itself.
    pub helper: Option<PathBuf>,
    /// The highest level to use even if more is possible. For tests of the levels below.
    pub at_most: Level,
    /// Whether control groups may be used. For tests of how memory is watched without them.
    pub uses_groups: bool,
    pub options: Options,
}

/// The options that can be set in a file.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Options {
    /// The level below which no program is run. `none` counts as `lite`: no program ever runs without isolation.
    pub minimum: Level,
    /// The number of programs that run at once; without it, as many as there are processors.
    pub places: Option<usize>,
    /// The number of interpreters of a language that wait for the next program; without it, as many as run at once.
    /// 0 for none.
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
    /// Makes settings with this search path, which is written as in `PATH`.
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
