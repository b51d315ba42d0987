//! Exports a machine to other notations: pictures, and code that runs it.
//!
//! There is a file for each notation. Exported code decides exactly as [`crate::step`] does: it makes the same moves,
//! passes the same guards and refuses the same events.

mod dot;
mod identifiers;
mod kotlin;
mod mermaid;
mod nest;
mod picture;
mod typescript;
mod xstate;

pub use dot::quoted as dot_quoted;
pub use xstate::XSTATE_SETUP;

use crate::machine::{Machine, Test};
use crate::vocabulary::Name;

crate::names! {
    /// A notation for machines.
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

    /// Returns the extension of a file in this notation, without the dot.
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

/// Writes a machine in another notation. A machine always gives the same text; the set-up of XState is the same for
/// every machine.
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

/// Returns the first lines of generated code, to be written as comments. A version is free text, so it is escaped.
fn heading(machine: &Machine) -> [String; 2] {
    [
        format!("The law {}, version {}.", machine.session, machine.version.escape_debug()),
        format!("Generated from its law ({}); change the law, not this file.", &machine.hash[..12]),
    ]
}

/// Cuts the number in a comparison to what counters can reach. The comparison means the same, and every language
/// can write the number.
fn comparable(value: i64) -> i64 {
    value.clamp(-1, 1 << 32)
}

fn is_comparison(test: &Test) -> bool {
    matches!(test, Test::Compare(..) | Test::CompareCounters(..))
}

/// Removes the brackets around a whole guard, which needs none.
fn without_brackets(test: &Test, text: String) -> String {
    match test {
        Test::And(..) | Test::Or(..) => text[1..text.len() - 1].to_owned(),
        _ => text,
    }
}
