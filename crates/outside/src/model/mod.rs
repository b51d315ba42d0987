//! The model port: one door to a language model, whichever provider serves it.
//!
//! A caller builds a [`Model`] from a [`ModelConfig`] and asks it questions. An [`Ask`] comes back as a value that
//! satisfies its JSON schema, or as an error that says what the caller can do instead. Everything here is bounded:
//! time, silence on the wire, size, retries, calls in flight, and the spend of a day or a flow. No error, record or
//! `Debug` output contains a key.
//!
//! Start reading at [`Model::ask`] in `asking`. `wire` has the formats of the providers, `exchange` sends requests,
//! `structure` checks replies, and `budget` counts the spend.

mod ask;
mod asking;
mod budget;
mod config;
mod exchange;
mod probe;
mod quote;
mod structure;
mod wire;

pub use crate::secret::Secret;
pub use ask::{Ask, CallRecord, ErrorKind, Hear, Message, ModelError, Outcome, Reply, Role, Usage};
pub use asking::Model;
pub use budget::{Budget, Limits, Spend};
pub use config::{ModelConfig, Preset, Prices, Structure};
pub use probe::probe;
pub use quote::{LEARNER_TEXT_MAX_CHARS, quote_learner};
pub use wire::Wire;
