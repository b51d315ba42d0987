//! Tells watchers what a coach is doing and saying outside any caller's request. Only watchers on this node hear
//! it. Nothing is stored here: the store has everything that counts.

use super::view::Answer;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard};
use tokio::sync::{broadcast, watch};

/// The number of answers a listener may fall behind before it must re-read the flow.
const MAX_LATE: usize = 64;

#[derive(Debug)]
pub struct Aloud {
    /// The coaches that are asking a model right now, by flow.
    now: Mutex<HashMap<String, Doing>>,
    moved: watch::Sender<u64>,
    late: broadcast::Sender<Arc<Answer>>,
}

/// A coach that is asking a model, and the readable part of the model's reply so far.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Doing {
    /// The name of the question put to the model.
    pub asks: String,
    pub text: String,
}

impl Default for Aloud {
    fn default() -> Aloud {
        Aloud {
            now: Mutex::default(),
            moved: watch::Sender::default(),
            late: broadcast::Sender::new(MAX_LATE),
        }
    }
}

impl Aloud {
    /// Marks a coach as asking a model until the returned guard is dropped.
    pub fn begin<'a>(&'a self, flow: &'a str, asks: &str) -> Asking<'a> {
        self.now().insert(flow.to_owned(), Doing { asks: asks.to_owned(), text: String::new() });
        self.tell();
        Asking { aloud: self, flow }
    }

    pub fn doing(&self, flow: &str) -> Option<Doing> {
        self.now().get(flow).cloned()
    }

    /// Returns a receiver that wakes whenever any coach starts, stops or says something.
    pub fn watch(&self) -> watch::Receiver<u64> {
        self.moved.subscribe()
    }

    /// Passes on an answer that no caller receives: the caller has gone, or there never was one.
    pub fn late(&self, answer: &Answer) {
        if self.late.receiver_count() > 0 && !answer.said.is_empty() {
            // The listener may have gone at this very moment.
            let _ = self.late.send(Arc::new(answer.clone()));
        }
    }

    pub fn listen(&self) -> broadcast::Receiver<Arc<Answer>> {
        self.late.subscribe()
    }

    fn tell(&self) {
        self.moved.send_modify(|count| *count += 1);
    }

    fn now(&self) -> MutexGuard<'_, HashMap<String, Doing>> {
        self.now.lock().unwrap_or_else(|e| e.into_inner())
    }
}

#[derive(Debug)]
pub struct Asking<'a> {
    aloud: &'a Aloud,
    flow: &'a str,
}

impl Asking<'_> {
    pub fn says(&self, text: String) {
        let mut now = self.aloud.now();
        let Some(doing) = now.get_mut(self.flow).filter(|doing| doing.text != text) else { return };
        doing.text = text;
        drop(now);
        self.aloud.tell();
    }
}

impl Drop for Asking<'_> {
    fn drop(&mut self) {
        self.aloud.now().remove(self.flow);
        self.aloud.tell();
    }
}
