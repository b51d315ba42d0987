//! The model port: one door to a language model, whoever serves it.
//!
//! A caller builds a [`Model`] from a [`ModelConfig`] and asks it questions. An [`Ask`] with a JSON schema
//! comes back as a value that satisfies the schema, or as an error that says what the caller can do instead.
//! Everything here is bounded: time, silence on the wire, size, retries, calls in flight, and what a day or a
//! flow may spend. No error, record or `Debug` output contains a key.
//!
//! Start reading at [`Model::ask`]; the attempts it makes are in `attempt`, what each provider's wire looks
//! like is in `wire`, and what may be spent is in `budget`.

mod ask;
mod attempt;
mod budget;
mod config;
mod error;
mod exchange;
mod handle;
mod probe;
mod quote;
mod record;
mod secret;
mod stream;
mod structure;
mod trouble;
mod wire;

pub use ask::{Answer, Ask, Finish, Message, Reply, Role, Usage};
pub use budget::{Budget, Ledger, Limits, OverBudget, Reservation, Scope, Spend, Unit};
pub use config::{ModelConfig, Preset, Prices, Structure};
pub use error::ModelError;
pub use handle::{Model, OnText};
pub use probe::probe;
pub use quote::{LEARNER_TEXT_MAX_CHARS, quote_learner};
pub use record::{CallRecord, Outcome};
pub use secret::Secret;
pub use wire::Wire;
