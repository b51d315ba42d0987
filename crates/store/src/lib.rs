//! Stores everything that Etude remembers. All SQL of the program is here, and nothing but SQL.
//!
//! A [`Store`] is a cheap handle on one database, SQLite by default and PostgreSQL for many nodes. It knows rows, not
//! flows: its callers decide what a row means. [`Store::commit`] is the one door for change. It writes a whole
//! decision (instance, log, effects, timers, learner records) in one transaction or not at all.
//!
//! Both databases run the same files in `queries/` and `migrations/`. Parts that they cannot share are in marked
//! comments (see `sql.rs`). Time is always an argument.

mod backup;
mod commit;
mod error;
mod feed;
mod migration;
mod plan;
mod postgres;
mod rows;
mod sql;
mod sqlite;
mod statement;
mod store;

pub use backup::Backup;
pub use commit::{Basis, Commit, Expect};
pub use error::{CommitError, StoreError};
pub use feed::Change;
pub use rows::{
    At, Counts, Cursor, Effect, Erased, Filter, Instance, Kinds, KvEntry, Law, LawInUse, LogEntry,
    NotACursor, Page, Record, RecordChange, Status, Tally, Timer,
};
pub use store::{MAX_LIMIT, Store};
