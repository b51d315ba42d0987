//! What the tests break: a throw-away PostgreSQL and a small disk.

use crate::peers::{self, UNAVAILABLE, found, skipped};
use std::path::Path;
use std::process::{Command, Output};
use tempfile::TempDir;

/// A PostgreSQL of our own, stopped when dropped.
#[derive(Debug)]
pub struct Cluster {
    folder: TempDir,
    pub url: String,
}

impl Cluster {
    /// `None` where no server can be had and tests may be skipped.
    pub fn start() -> Option<Cluster> {
        let folder = TempDir::with_prefix("etude-pg-").expect("a temporary folder");
        let output = script("start", folder.path());
        if output.status.code() == Some(UNAVAILABLE) {
            return found(Err(String::from_utf8_lossy(&output.stderr).into_owned()));
        }
        let url = expect_success(output);
        Some(Cluster { folder, url })
    }

    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// Stops it as a power cut would.
    pub fn crash(&self) {
        expect_success(script("crash", self.folder()));
    }

    pub fn restart(&self) {
        expect_success(script("restart", self.folder()));
    }

    /// A copy that follows this one. `None` where none can be had.
    pub fn standby(&self) -> Option<Cluster> {
        let folder = TempDir::with_prefix("etude-pg-").expect("a temporary folder");
        let made = peers::script("postgres").arg("standby").arg(folder.path()).arg(self.folder()).output();
        let made = made.expect("the script runs");
        if made.status.code() == Some(UNAVAILABLE) {
            return found(Err(String::from_utf8_lossy(&made.stderr).into_owned()));
        }
        let url = expect_success(made);
        Some(Cluster { folder, url })
    }

    pub fn promote(&self) {
        expect_success(script("promote", self.folder()));
    }

    /// Gives it a certificate for `localhost`. Returns the file of the authority that signed it.
    pub fn encrypt(&self) -> Option<String> {
        let made = script("encrypt", self.folder());
        match made.status.code() == Some(UNAVAILABLE) {
            true => found(Err(String::from_utf8_lossy(&made.stderr).into_owned())),
            false => Some(expect_success(made)),
        }
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        // It is thrown away, so there is nothing to tidy up first.
        script("crash", self.folder.path());
    }
}

/// A disk in memory, gone when dropped.
#[derive(Debug)]
pub struct SmallDisk(TempDir);

impl SmallDisk {
    /// `None` where only root may mount disks. That is a matter of rights: no package helps, so `CI` changes nothing.
    pub fn mount(size: &str) -> Option<SmallDisk> {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let size = format!("size={size}");
        let mounted =
            Command::new("mount").args(["-t", "tmpfs", "-o", &size, "tmpfs"]).arg(folder.path()).output();
        if mounted.is_ok_and(|output| output.status.success()) {
            return Some(SmallDisk(folder));
        }
        skipped("mounting a small disk takes root");
        None
    }

    pub fn path(&self) -> &Path {
        self.0.path()
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        // Lazily: a test that failed may still hold files open.
        let _ = Command::new("umount").arg("--lazy").arg(self.0.path()).status();
    }
}

fn script(command: &str, folder: &Path) -> Output {
    peers::script("postgres").arg(command).arg(folder).output().expect("the script runs")
}

fn expect_success(output: Output) -> String {
    assert!(output.status.success(), "scripts/postgres failed: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).trim().to_owned()
}
