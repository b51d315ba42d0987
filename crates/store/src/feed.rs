//! Who wants to know that an instance changed: listeners in this process, and through PostgreSQL other nodes.

use tokio::sync::{broadcast, mpsc};

/// How many changes a slow listener may fall behind before it is told that it missed some.
const BACKLOG: usize = 4096;

/// An instance reached a version, durably.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    pub instance: String,
    pub version: u64,
}

#[derive(Debug, Clone)]
pub(crate) struct Feed {
    local: broadcast::Sender<Change>,
    remote: Option<mpsc::Sender<Change>>,
}

impl Feed {
    pub(crate) fn new() -> Self {
        Self { local: broadcast::Sender::new(BACKLOG), remote: None }
    }

    /// The same listeners, and the returned queue besides, from which other nodes are told.
    pub(crate) fn with_remote(&self) -> (Self, mpsc::Receiver<Change>) {
        let (remote, queue) = mpsc::channel(BACKLOG);
        (Self { local: self.local.clone(), remote: Some(remote) }, queue)
    }

    /// Tells everybody. Nobody waits: a listener that is gone or behind is its own concern.
    pub(crate) fn tell(&self, change: Change) {
        if let Some(remote) = &self.remote {
            let _ = remote.try_send(change.clone());
        }
        let _ = self.local.send(change);
    }

    pub(crate) fn subscribe(&self) -> broadcast::Receiver<Change> {
        self.local.subscribe()
    }
}
