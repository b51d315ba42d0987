//! A PostgreSQL of our own, made by `scripts/postgres` and stopped when dropped.

use std::path::Path;
use std::process::{Command, Output};
use tempfile::TempDir;

const SCRIPT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../scripts/postgres");
/// The script's way to say that this machine has no PostgreSQL and cannot get one.
const NO_SERVER: i32 = 3;

#[derive(Debug)]
pub struct Cluster {
    folder: TempDir,
    pub url: String,
}

impl Cluster {
    /// `None` where no server can be had, after saying so.
    pub fn start() -> Option<Cluster> {
        let folder = TempDir::with_prefix("etude-pg-").expect("a temporary folder");
        let output = script("start", folder.path());
        if output.status.code() == Some(NO_SERVER) {
            eprintln!("NOT TESTED on PostgreSQL: {}", String::from_utf8_lossy(&output.stderr));
            return None;
        }
        let url = expect_success(output);
        Some(Cluster { folder, url })
    }

    /// Stops it as a power cut would.
    pub fn crash(&self) {
        expect_success(script("crash", self.folder.path()));
    }

    pub fn restart(&self) {
        expect_success(script("restart", self.folder.path()));
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        script("stop", self.folder.path());
    }
}

fn script(command: &str, folder: &Path) -> Output {
    Command::new(SCRIPT).arg(command).arg(folder).output().expect("the script runs")
}

fn expect_success(output: Output) -> String {
    assert!(output.status.success(), "scripts/postgres failed: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).trim().to_owned()
}
