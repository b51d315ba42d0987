//! Manages the open connections. A connection without a token is a stranger's: it makes room for the next one if no
//! place is free, so idle connections cannot hold all places.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError, Weak};
use tokio::sync::Notify;

/// An open connection.
#[derive(Debug, Default)]
pub struct Guest {
    is_known: AtomicBool,
    leave: Notify,
}

impl Guest {
    /// Marks the connection as known: it has shown a token, and keeps its place.
    pub fn is_let_in(&self) {
        self.is_known.store(true, Ordering::Relaxed);
    }

    /// Returns when another connection needs the place.
    pub async fn has_to_leave(&self) {
        self.leave.notified().await;
    }
}

/// The places for connections to a server.
#[derive(Debug)]
pub struct Guests {
    places: usize,
    /// The connections, in order of arrival.
    present: Mutex<VecDeque<Weak<Guest>>>,
}

impl Guests {
    pub fn with_places(places: usize) -> Guests {
        Guests { places, present: Mutex::default() }
    }

    /// Gives a place to a new connection. If all are taken, the stranger that came first leaves; returns `None` if
    /// there is no stranger.
    pub fn welcome(&self) -> Option<Arc<Guest>> {
        let mut present = self.present.lock().unwrap_or_else(PoisonError::into_inner);
        if present.len() >= self.places {
            present.retain(|guest| guest.strong_count() > 0);
        }
        if present.len() >= self.places && !send_one_away(&mut present) {
            return None;
        }
        let guest = Arc::new(Guest::default());
        present.push_back(Arc::downgrade(&guest));
        Some(guest)
    }

    /// Sends a stranger away when the system has no more room for connections.
    pub fn make_room(&self) {
        send_one_away(&mut self.present.lock().unwrap_or_else(PoisonError::into_inner));
    }
}

fn send_one_away(present: &mut VecDeque<Weak<Guest>>) -> bool {
    let is_stranger =
        |guest: &Weak<Guest>| guest.upgrade().is_some_and(|guest| !guest.is_known.load(Ordering::Relaxed));
    let Some(at) = present.iter().position(is_stranger) else { return false };
    if let Some(guest) = present.remove(at).and_then(|guest| guest.upgrade()) {
        guest.leave.notify_one();
    }
    true
}
