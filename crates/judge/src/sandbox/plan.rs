//! The orders of the helper process: which program to isolate, and how.

use crate::isolation::Level;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// The argument by which the program is started as its own helper.
pub(crate) const HELPER: &str = "judge-inner";
/// The folder with the files of a run, as the program sees it.
pub(crate) const ROOM: &str = "/box";
pub(crate) const SCRATCH: &str = "/tmp";

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Plan {
    pub(crate) level: Level,
    pub(crate) phase: Phase,
    /// The user to become, if the judge was started as root.
    pub(crate) user: Option<u32>,
    pub(crate) command: Vec<String>,
    pub(crate) environment: Vec<(String, String)>,
    pub(crate) views: Views,
    /// The folder of the run on the machine, if the run has no file system of its own.
    pub(crate) outer_room: Option<PathBuf>,
    /// The files of the run. Their contents follow the plan.
    pub(crate) files: Vec<PlannedFile>,
    /// The name of the file that is standard input.
    pub(crate) input: Option<String>,
    /// The file in the scratch folder that is sent out when the program has ended well.
    pub(crate) product: Option<String>,
    pub(crate) bounds: Bounds,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Phase {
    Build,
    Run,
}

/// The parts of the machine that can be read, and never written.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Views {
    pub(crate) places: Vec<PathBuf>,
    /// Names that lead to other places: `/lib` to `usr/lib`.
    pub(crate) links: Vec<(PathBuf, PathBuf)>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct PlannedFile {
    pub(crate) name: String,
    pub(crate) size: usize,
    pub(crate) is_program: bool,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Bounds {
    pub(crate) data_mb: u64,
    pub(crate) scratch_mb: u64,
    pub(crate) file_mb: u64,
    pub(crate) processes: u64,
    pub(crate) open_files: u64,
    pub(crate) cpu_s: u64,
}

/// The helper's messages while it works, one line each.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Word {
    /// The process whose end is the end of everything in the sandbox, by its number outside.
    Root(i32),
    Trouble(String),
    Ended {
        code: Option<i32>,
        signal: Option<i32>,
        peak_kb: u64,
    },
}
