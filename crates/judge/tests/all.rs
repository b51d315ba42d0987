//! Every test of the crate in one program. Programs really run, shut in as well as this machine can.

mod verdicts;

use coaching::judging::{Report, Tests};
use judge::{Judge, Level, Limits, Settings};
use std::sync::OnceLock;

/// The judge of this machine at its best.
pub fn judge() -> &'static Judge {
    static JUDGE: OnceLock<Judge> = OnceLock::new();
    JUDGE.get_or_init(|| open(Level::Full))
}

pub fn open(at_most: Level) -> Judge {
    #[allow(clippy::disallowed_methods, reason = "the tests use the interpreters of this machine")]
    let path = std::env::var_os("PATH").unwrap_or_default();
    let helper = Some(env!("CARGO_BIN_EXE_judge-helper").into());
    Judge::open(Settings { helper, at_most, ..Settings::new(&path) })
}

pub fn tests(text: &str) -> Tests {
    coaching::judging::read_tests(text).unwrap_or_else(|error| panic!("{text}: {error}"))
}

pub fn run(language: &str, source: &str, text: &str) -> Report {
    judge().run(language, source, &tests(text), &Limits::default())
}
