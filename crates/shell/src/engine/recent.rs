//! Remembers what this process saw last, so that the next turn need not read it. The memory is only a hint: if
//! another process has changed the flow since, the store notices, because it compares before it writes.

use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Large enough that concurrent turns rarely need the same shelf.
const SHELVES: usize = 64;

/// A bounded memory of things by name.
#[derive(Debug)]
pub struct Recent<T> {
    shelves: Vec<Mutex<HashMap<String, T>>>,
    shelving: RandomState,
    most_on_shelf: usize,
}

impl<T> Recent<T> {
    /// Creates a memory for about `most` things.
    pub fn of(most: usize) -> Recent<T> {
        let shelves = std::iter::repeat_with(Default::default).take(SHELVES).collect();
        Recent { shelves, shelving: RandomState::new(), most_on_shelf: most.div_ceil(SHELVES) }
    }

    /// Removes what was kept under a name and returns it. The caller puts it back when it has moved on.
    pub fn take(&self, name: &str) -> Option<T> {
        self.shelf(name).remove(name)
    }

    pub fn keep(&self, name: String, thing: T) {
        let mut shelf = self.shelf(&name);
        if shelf.len() >= self.most_on_shelf {
            shelf.clear();
        }
        shelf.insert(name, thing);
    }

    fn shelf(&self, name: &str) -> MutexGuard<'_, HashMap<String, T>> {
        let hash = RandomState::hash_one(&self.shelving, name);
        self.shelves[hash as usize % SHELVES].lock().unwrap_or_else(PoisonError::into_inner)
    }
}
