//! What this process saw last, so that the next turn need not read it. Only a hint: another process may have changed
//! it since, which the store finds out, because it compares before it writes.

use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Turns that happen at the same time seldom meet at one shelf.
const SHELVES: usize = 64;

/// A bounded number of things by name.
#[derive(Debug)]
pub struct Recent<T> {
    shelves: Vec<Mutex<HashMap<String, T>>>,
    shelving: RandomState,
    most_on_shelf: usize,
}

impl<T> Recent<T> {
    /// Keeps about so many at the most.
    pub fn of(most: usize) -> Recent<T> {
        let shelves = std::iter::repeat_with(Default::default).take(SHELVES).collect();
        Recent { shelves, shelving: RandomState::new(), most_on_shelf: most.div_ceil(SHELVES) }
    }

    /// What was kept under a name. It is taken away: whoever moves it on puts it back.
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
