//! The law of a coaching flow: read from YAML, proved, stepped, exported.
//!
//! Everything here is pure. There is no clock, no randomness, no input or output: time, facts and
//! events are arguments, and what should happen next is a value.

mod bind;
mod check;
mod diff;
mod explore;
mod export;
mod guard;
mod law;
mod liveness;
mod machine;
mod problem;
pub mod scenario;
mod step;
mod vocabulary;
mod yaml;

pub use check::{Bounds, Report, check, prove};
pub use diff::{Change, ChangeKind, Difference, Homeless, diff};
pub use export::{Format, XSTATE_SETUP, export};
pub use guard::{Expr, GuardError, Op, Term};
pub use law::*;
pub use machine::{ActionId, After, EventId, MAX_CHAIN, Machine, OutcomeId, Overrides, StateId};
pub use problem::{Code, Place, Problem, Severity};
pub use step::{Facts, Instance, Refused, Step, begin, broken_promise, step};
pub use vocabulary::{Cause, Implied, Name, Vocabulary};
