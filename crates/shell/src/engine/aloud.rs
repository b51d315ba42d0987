//! What a coach does and says that no caller waits for. Only watchers of the flow on this node hear it, and it is not
//! stored: the store has everything that counts.

use super::view::Answer;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard};
use tokio::sync::{broadcast, watch};

/// A listener this far behind re-reads the flow.
const MAX_LATE: usize = 64;

#[derive(Debug)]
pub struct Aloud {
    /// What coaches do at this moment, by flow.
    now: Mutex<HashMap<String, Doing>>,
    moved: watch::Sender<u64>,
    late: broadcast::Sender<Arc<Answer>>,
}

/// A coach that asks a model, and what it has written so far that a learner may read.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Doing {
    /// The name of the question to the model.
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
    /// A coach begins to ask a model. It ends when what is returned is dropped.
    pub fn begin<'a>(&'a self, flow: &'a str, asks: &str) -> Asking<'a> {
        self.now().insert(flow.to_owned(), Doing { asks: asks.to_owned(), text: String::new() });
        self.tell();
        Asking { aloud: self, flow }
    }

    pub fn doing(&self, flow: &str) -> Option<Doing> {
        self.now().get(flow).cloned()
    }

    /// Wakes whenever some coach does something else.
    pub fn watch(&self) -> watch::Receiver<u64> {
        self.moved.subscribe()
    }

    /// An answer whose caller has gone, or that never had one.
    pub fn late(&self, answer: &Answer) {
        if self.late.receiver_count() > 0 && !answer.said.is_empty() {
            // The listener may have gone this very moment.
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
