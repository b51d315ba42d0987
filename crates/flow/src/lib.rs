//! Reads the law of a coaching flow from YAML, proves it, steps it and exports it.
//!
//! Everything here is pure: no clock, no randomness, no input or output. Time, facts and events are arguments, and
//! the actions to perform next are a value.
//!
//! A law is proved before it runs. This one knocks at most three times:
//!
//! ```
//! use flow::{Bounds, Facts, Law, Machine, Overrides};
//!
//! let law = Law::read("
//! session: Door
//! version: 1
//! context: {max_knocks: 3}
//! counters: {knocks: 0}
//! states:
//!   WAIT:
//!     after: {20s: silence}
//!     on:
//!       opened: {target: IN, outcome: done}
//!       silence: {target: PATIENCE, count: knocks}
//!   PATIENCE:
//!     guard: knocks >= max_knocks
//!     on_true: {target: AWAY, outcome: timeout}
//!     on_false: WAIT
//!   IN: {type: final}
//!   AWAY: {type: final, outcome: timeout}
//! ").unwrap();
//!
//! let report = flow::check(&law, None, &Overrides::new(), Bounds::default()).unwrap();
//! assert!(report.is_clean());
//!
//! let machine = Machine::bind(&law, None, &Overrides::new()).unwrap();
//! let silence = machine.event_named("silence").unwrap();
//! let mut at = flow::begin(&machine, Facts::default()).unwrap().to;
//! for _ in 0..3 {
//!     at = flow::step(&machine, &at, silence, Facts::default()).unwrap().to;
//! }
//! assert_eq!(machine.state_name(at.state), "AWAY");
//!
//! // Without the guard it would knock forever. The check says so.
//! let endless = "session: Door\nversion: 1\nstates: {WAIT: {on: {opened: IN, silence: WAIT}}, IN: {type: final}}";
//! let report = flow::check(&Law::read(endless).unwrap(), None, &Overrides::new(), Bounds::default()).unwrap();
//! assert_eq!(report.problems[0].code.as_str(), "F013");
//! assert_eq!(report.problems[0].path, ["silence"]);
//! ```

// Each module uses only those before it: problem, yaml, guard, law, vocabulary, machine, text, bind, step, layout,
// explore, cycles, chains, liveness, check, migration, diff, export, scenario.
mod bind;
mod chains;
mod check;
mod cycles;
mod diff;
mod explore;
mod export;
mod guard;
mod law;
mod layout;
mod liveness;
mod machine;
mod migration;
mod problem;
pub mod scenario;
mod step;
mod text;
mod vocabulary;
mod yaml;

pub use check::{Bounds, Report, check, prove};
pub use diff::{Change, ChangeKind, Difference, Homeless, diff};
pub use export::{Format, XSTATE_SETUP, dot_quoted, export};
pub use guard::{Expr, GuardError, Op, Term};
pub use law::{
    Attribute, COUNTER_CEILING, Constant, Delay, EventLaw, FAILED, GroupLaw, Growing, GuardLaw, Jump, Law,
    MAX_COUNTERS, MAX_SOURCE_BYTES, Members, Named, Origin, StateLaw, bundle, nearest,
};
pub use machine::{ActionId, After, EventId, Facts, MAX_CHAIN, Machine, OutcomeId, Overrides, StateId};
pub use migration::Migration;
pub use problem::{Code, Place, Problem, Severity};
pub use step::{Instance, Refused, Step, begin, broken_at_rest, broken_promise, step};
pub use vocabulary::{Cause, Implied, Name, Vocabulary};
