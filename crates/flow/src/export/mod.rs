//! A machine in other notations: pictures to read, and code that walks the same way.
//!
//! One file per notation. The code that is written out decides exactly as [`crate::step`] does: the
//! same moves, the same run through guards, the same refusals.

mod dot;
mod identifiers;
mod kotlin;
mod mermaid;
mod picture;
mod typescript;
mod xstate;

pub use dot::quoted as dot_quoted;
pub use xstate::XSTATE_SETUP;

use crate::machine::{Machine, Test};
use crate::vocabulary::Name;

crate::names! {
    /// A notation that a machine can be written in.
    pub enum Format {
        Mermaid = "mermaid",
        Dot = "dot",
        Xstate = "xstate",
        XstateSetup = "xstate-setup",
        Kotlin = "kotlin",
        Typescript = "typescript",
    }
}

impl Format {
    pub fn parse(text: &str) -> Option<Format> {
        Format::ALL.iter().copied().find(|format| format.name().eq_ignore_ascii_case(text.trim()))
    }

    /// How the name of a file in this notation ends, without the dot.
    pub fn ending(self) -> &'static str {
        match self {
            Format::Mermaid => "mmd",
            Format::Dot => "dot",
            Format::Xstate => "json",
            Format::XstateSetup => "mjs",
            Format::Kotlin => "kt",
            Format::Typescript => "ts",
        }
    }
}

/// Writes a machine in another notation. The same machine always gives the same text. What runs XState exports
/// is the same for every machine.
pub fn export(machine: &Machine, format: Format) -> String {
    match format {
        Format::Mermaid => mermaid::write(machine),
        Format::Dot => dot::write(machine),
        Format::Xstate => xstate::write(machine),
        Format::XstateSetup => XSTATE_SETUP.to_owned(),
        Format::Kotlin => kotlin::write(machine),
        Format::Typescript => typescript::write(machine),
    }
}

/// The first lines of generated code, without the sign that makes them comments. A version is free
/// text, so what could end a comment is escaped.
fn heading(machine: &Machine) -> [String; 2] {
    [
        format!("The law {}, version {}.", machine.session, machine.version.escape_debug()),
        format!("Generated from its law ({}); change the law, not this file.", &machine.hash[..12]),
    ]
}

/// The number in a comparison, brought near to what a counter can hold. No counter can tell the
/// difference, and every language can write the result.
fn comparable(value: i64) -> i64 {
    value.clamp(-1, 1 << 32)
}

fn is_comparison(test: &Test) -> bool {
    matches!(test, Test::Compare(..) | Test::CompareCounters(..))
}

/// Around the whole of a guard, brackets say nothing.
fn without_brackets(test: &Test, text: String) -> String {
    match test {
        Test::And(..) | Test::Or(..) => text[1..text.len() - 1].to_owned(),
        _ => text,
    }
}
