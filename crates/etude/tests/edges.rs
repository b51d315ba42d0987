//! The edges between the crates, as ARCHITECTURE.md draws them.

use std::path::Path;

/// A crate and the crates of this workspace that it may know.
const MAY_KNOW: &[(&str, &[&str])] = &[
    ("flow", &[]),
    ("coaching", &["flow"]),
    ("anki", &["coaching"]),
    ("store", &[]),
    ("outside", &[]),
    ("etude", &["flow", "coaching", "anki", "store", "outside"]),
];

/// Crates that bring a clock, a runtime, a network or a database. The pure crates have none of them. `uuid` is not among
/// them: there it only names things after their content, and the versions that draw on chance or time are asked for by
/// the shell alone.
const IMPURE: &[&str] = &[
    "tokio",
    "rusqlite",
    "tokio-postgres",
    "axum",
    "hyper",
    "reqwest",
    "getrandom",
    "rand",
    "chrono",
    "metrics",
];

#[test]
fn crates_know_only_what_they_may() {
    for (name, may_know) in MAY_KNOW {
        let known = dependencies(name);
        for (other, _) in MAY_KNOW.iter().filter(|(other, _)| other != name) {
            let knows = known.iter().any(|dependency| dependency == other);
            assert!(!knows || may_know.contains(other), "`{name}` must not know `{other}`");
        }
    }
}

#[test]
fn pure_crates_bring_nothing_impure() {
    for name in ["flow", "coaching"] {
        for dependency in dependencies(name) {
            assert!(
                !IMPURE.contains(&dependency.as_str()),
                "`{name}` is pure and must not use `{dependency}`"
            );
        }
    }
}

/// The names under `[dependencies]` of a crate's manifest.
fn dependencies(name: &str) -> Vec<String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(name).join("Cargo.toml");
    let manifest =
        std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let section = manifest.split("\n[").find(|section| section.starts_with("dependencies]"));
    let key = |line: &str| Some(line.split(['=', '.', ' ']).next()?.trim().to_owned());
    let lines = section.expect("a manifest has dependencies").lines().skip(1);
    lines.filter(|line| !line.trim_start().starts_with('#')).filter_map(key).collect()
}
