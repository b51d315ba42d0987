//! Every test of the crate in one program. The judged programs really run, as well isolated as this machine allows.

mod hostile;
mod languages;
#[path = "../../flow/tests/peers.rs"]
#[allow(dead_code, reason = "the judge needs no other peer")]
mod peers;
mod problems;
mod tracing;
mod verdicts;
mod waiting;

use coaching::judging::{Report, Tests};
use judge::{Judge, Level, Limits, Settings};
use std::sync::OnceLock;

/// The judge with the best isolation of this machine.
pub fn judge() -> &'static Judge {
    static JUDGE: OnceLock<Judge> = OnceLock::new();
    JUDGE.get_or_init(|| Judge::open(settings()))
}

/// A judge for every kind of isolation that this machine has, with a name.
pub fn judges() -> Vec<(&'static str, Judge)> {
    let full = Judge::open(settings());
    let unwatched = Judge::open(Settings { uses_groups: false, ..settings() });
    let lite = Judge::open(Settings { at_most: Level::Lite, uses_groups: false, ..settings() });
    let all = [("full", full), ("full without control groups", unwatched), ("lite", lite)];
    all.into_iter().filter(|(name, judge)| name.starts_with(&judge.isolation().level.to_string())).collect()
}

pub fn settings() -> Settings {
    #[allow(clippy::disallowed_methods, reason = "the tests use the interpreters of this machine")]
    let path = std::env::var_os("PATH").unwrap_or_default();
    Settings { helper: Some(env!("CARGO_BIN_EXE_judge-helper").into()), ..Settings::new(&path) }
}

pub fn tests(text: &str) -> Tests {
    coaching::judging::read_tests(text).unwrap_or_else(|error| panic!("{text}: {error}"))
}

pub fn run(language: &str, source: &str, text: &str) -> Report {
    judge().run(language, source, &tests(text), &Limits::default())
}

/// Whether this machine lacks a language, with a message if so. Where nothing may be skipped, a missing language is
/// a failure, except below the full level: there a compiler in root's own folder cannot be used.
pub fn lacks(judge: &Judge, language: &str) -> bool {
    let Some(why) = judge.missing(language) else { return false };
    #[allow(clippy::disallowed_methods, reason = "the tests are told that they must not skip")]
    let is_strict = std::env::var_os("CI").is_some();
    assert!(!is_strict || judge.isolation().level != Level::Full, "{why}");
    peers::skipped(&why);
    true
}
