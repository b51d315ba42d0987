//! Remembers what was delivered under a key, for as long as there is room.

use std::collections::{HashMap, VecDeque};
use std::sync::{Mutex, PoisonError};

const KEYS_MAX: usize = 4096;

/// The last few thousand keys, each with how far its delivery has come.
#[derive(Debug)]
pub(super) struct Recent<T>(Mutex<Keys<T>>);

#[derive(Debug)]
struct Keys<T> {
    values: HashMap<String, T>,
    /// Oldest first.
    order: VecDeque<String>,
}

impl<T: Clone> Recent<T> {
    pub(super) fn get(&self, key: &str) -> Option<T> {
        self.with(|keys| keys.values.get(key).cloned())
    }

    pub(super) fn put(&self, key: &str, value: T) {
        self.with(|keys| {
            if keys.values.insert(key.to_owned(), value).is_none() {
                keys.order.push_back(key.to_owned());
            }
            if keys.order.len() > KEYS_MAX
                && let Some(oldest) = keys.order.pop_front()
            {
                keys.values.remove(&oldest);
            }
        });
    }

    /// Every change is one call, so a panic elsewhere leaves nothing half done.
    fn with<R>(&self, work: impl FnOnce(&mut Keys<T>) -> R) -> R {
        work(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl<T> Default for Recent<T> {
    fn default() -> Self {
        Self(Mutex::new(Keys { values: HashMap::new(), order: VecDeque::new() }))
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
