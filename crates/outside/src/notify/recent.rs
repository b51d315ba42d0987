//! Remembers deliveries by their keys for a while.

use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};

const KEYS_MAX: usize = 4096;

/// The last few thousand keys, oldest first, each with the state of its delivery.
#[derive(Debug, Default)]
pub(super) struct Recent<T>(Mutex<VecDeque<(String, T)>>);

impl<T: Clone> Recent<T> {
    pub(super) fn get(&self, key: &str) -> Option<T> {
        self.keys().iter().find(|(known, _)| known == key).map(|(_, value)| value.clone())
    }

    pub(super) fn put(&self, key: &str, value: T) {
        let mut keys = self.keys();
        keys.retain(|(known, _)| known != key);
        keys.push_back((key.to_owned(), value));
        if keys.len() > KEYS_MAX {
            keys.pop_front();
        }
    }

    /// Locks the keys. A panic elsewhere leaves nothing half done, so a poisoned lock is still good.
    fn keys(&self) -> MutexGuard<'_, VecDeque<(String, T)>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_oldest_keys_make_room() {
        let recent = Recent::default();
        for number in 0..KEYS_MAX + 2 {
            recent.put(&number.to_string(), number);
        }
        recent.put("2", 7);
        let last = KEYS_MAX + 1;
        let kept = ["0", "1", "2", &last.to_string()].map(|key| recent.get(key));
        assert_eq!(kept, [None, None, Some(7), Some(last)]);
    }
}
