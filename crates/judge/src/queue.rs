//! As many runs at once as there are processors; the others wait in the order in which they came.

use std::sync::{Condvar, Mutex, PoisonError};

#[derive(Debug)]
pub(crate) struct Queue {
    places: u64,
    tickets: Mutex<Tickets>,
    moved: Condvar,
}

#[derive(Debug, Default)]
struct Tickets {
    given: u64,
    done: u64,
}

/// The right to run. Giving it back lets the next one in.
#[derive(Debug)]
pub(crate) struct Place<'q>(&'q Queue);

impl Queue {
    pub(crate) fn new(places: usize) -> Queue {
        Queue { places: places.max(1) as u64, tickets: Mutex::default(), moved: Condvar::new() }
    }

    pub(crate) fn enter(&self) -> Place<'_> {
        let mut tickets = self.tickets.lock().unwrap_or_else(PoisonError::into_inner);
        let mine = tickets.given;
        tickets.given += 1;
        let is_early = |tickets: &mut Tickets| mine >= tickets.done + self.places;
        drop(self.moved.wait_while(tickets, is_early).unwrap_or_else(PoisonError::into_inner));
        Place(self)
    }
}

impl Drop for Place<'_> {
    fn drop(&mut self) {
        self.0.tickets.lock().unwrap_or_else(PoisonError::into_inner).done += 1;
        self.0.moved.notify_all();
    }
}
