//! What every group of measurements is told.

use std::path::PathBuf;

#[derive(Debug, Clone)]
pub struct Bench {
    pub is_quick: bool,
    /// How often each thing is measured; the best counts.
    pub rounds: usize,
    /// How long one round of one thing takes.
    pub seconds: f64,
    /// The project.
    pub root: PathBuf,
    /// Where cargo puts what it builds.
    pub target: PathBuf,
    /// Where peers and data are kept. It must be on a real disk: in memory nothing is ever synced.
    pub cache: PathBuf,
}

impl Bench {
    /// A program that measures a peer.
    pub fn peer(&self, name: &str) -> PathBuf {
        self.root.join("bench/peers").join(name)
    }
}
