//! Tells listeners that an instance changed: those in this process and, through PostgreSQL, those of other nodes.

use tokio::sync::{broadcast, mpsc, watch};

/// The number of changes that a slow listener may fall behind before it is told that it missed some.
const BACKLOG: usize = 4096;

/// The news that an instance has durably reached a version.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    pub instance: String,
    pub version: u64,
}

#[derive(Debug, Clone)]
pub(crate) struct Feed {
    local: broadcast::Sender<Change>,
    remote: Option<mpsc::Sender<Change>>,
    /// The number of times when changes of other nodes may have been missed.
    gaps: watch::Sender<u64>,
}

impl Feed {
    pub(crate) fn new() -> Self {
        Self { local: broadcast::Sender::new(BACKLOG), remote: None, gaps: watch::Sender::new(0) }
    }

    /// Returns a feed with the same listeners, and the queue of changes that other nodes have to be told of.
    pub(crate) fn with_remote(&self) -> (Self, mpsc::Receiver<Change>) {
        let (remote, queue) = mpsc::channel(BACKLOG);
        (Self { remote: Some(remote), ..self.clone() }, queue)
    }

    /// Tells all listeners without waiting for any of them. A listener that falls behind misses changes.
    pub(crate) fn tell(&self, change: Change) {
        if let Some(remote) = &self.remote {
            let _ = remote.try_send(change.clone());
        }
        let _ = self.local.send(change);
    }

    /// Tells listeners that this node did not hear the others for a while.
    pub(crate) fn tell_gap(&self) {
        self.gaps.send_modify(|gaps| *gaps += 1);
    }

    pub(crate) fn gaps(&self) -> watch::Receiver<u64> {
        self.gaps.subscribe()
    }

    pub(crate) fn subscribe(&self) -> broadcast::Receiver<Change> {
        self.local.subscribe()
    }
}
