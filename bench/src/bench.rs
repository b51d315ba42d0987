//! The settings that every group of measurements gets.

use std::path::PathBuf;

#[derive(Debug, Clone)]
pub struct Bench {
    pub is_quick: bool,
    /// The number of times that each thing is measured; the best counts.
    pub rounds: usize,
    /// The duration of one round of one thing.
    pub seconds: f64,
    /// The root folder of the project.
    pub root: PathBuf,
    /// The folder into which cargo builds.
    pub target: PathBuf,
    /// The folder of peers and data. It must be on a real disk: in memory nothing is ever synced.
    pub cache: PathBuf,
}

impl Bench {
    /// Returns the path of a program that measures a peer.
    pub fn peer(&self, name: &str) -> PathBuf {
        self.root.join("bench/peers").join(name)
    }
}
