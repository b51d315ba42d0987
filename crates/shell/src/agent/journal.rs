//! Logs what the coach did, as one line of JSON for each stop, in files of bounded size.

use crate::engine::clock::iso;
use serde::{Deserialize, Serialize};
use std::fs::{File, OpenOptions};
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use store::At;

/// The size of a full file. It then replaces the older one.
const MAX_BYTES: u64 = 2 << 20;

/// One line of the log.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Entry {
    pub time: String,
    pub agent: String,
    pub session: String,
    /// The kind of line: `continue`, `deliver`, `aside`, `watchdog`, `note`, or `failed_open` if nothing could be
    /// decided.
    pub decision: String,
    pub reason: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tier: Option<String>,
    /// The origin of the verdict: `rules` or `model`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
    /// The beginning of the agent's message, without secrets.
    pub preview: String,
}

#[derive(Debug, Clone)]
pub struct Journal {
    path: PathBuf,
}

impl Journal {
    pub fn new(data: &Path) -> Journal {
        Journal { path: data.join("agent.log") }
    }

    /// Adds a line, written in one piece so that two hooks do not mix their lines.
    pub fn write(&self, now: At, entry: Entry) -> std::io::Result<()> {
        let line = serde_json::to_string(&Entry { time: iso(now), ..entry })? + "\n";
        if let Some(folder) = self.path.parent() {
            std::fs::create_dir_all(folder)?;
        }
        if std::fs::metadata(&self.path).is_ok_and(|about| about.len() >= MAX_BYTES) {
            std::fs::rename(&self.path, self.older())?;
        }
        let mut options = OpenOptions::new();
        options.create(true).append(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        options.open(&self.path)?.write_all(line.as_bytes())
    }

    /// Returns every line, oldest first. Skips lines that cannot be read.
    pub fn read(&self) -> Vec<Entry> {
        let files = [self.older(), self.path.clone()].into_iter().filter_map(|path| File::open(path).ok());
        let lines = files.flat_map(|file| BufReader::new(file).split(b'\n').map_while(Result::ok));
        lines.filter_map(|line| serde_json::from_slice(&line).ok()).collect()
    }

    fn older(&self) -> PathBuf {
        self.path.with_extension("log.1")
    }
}
