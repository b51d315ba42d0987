//! Things that tests break: a throw-away PostgreSQL and a small disk.

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
    /// Starts a cluster. Returns `None` if no server is available and tests may be skipped.
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

    /// Stops the server as a power cut would.
    pub fn crash(&self) {
        expect_success(script("crash", self.folder()));
    }

    pub fn restart(&self) {
        expect_success(script("restart", self.folder()));
    }

    /// Starts a standby that follows this cluster. Returns `None` if none is available.
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

    /// Gives the server a certificate for `localhost`. Returns the file of the authority that signed it.
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
        // The cluster is thrown away, so nothing needs tidying first.
        script("crash", self.folder.path());
    }
}

/// A disk in memory, unmounted when dropped.
#[derive(Debug)]
pub struct SmallDisk(TempDir);

impl SmallDisk {
    /// Mounts a disk. Returns `None` where only root may mount one: no package grants that right, so `CI` makes no
    /// difference.
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
        // Lazily, because a failed test may still hold files open.
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
