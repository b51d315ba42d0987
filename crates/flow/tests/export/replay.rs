//! Tests that run the exports in other programs along the engine's traces; both must end in the same place.

use crate::export::dice::Dice;
use crate::export::laws;
use crate::export::traces::Trace;
use crate::peers::{self, found};
use flow::{Format, Machine, XSTATE_SETUP, export};
use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};

/// The Kotlin compiler takes seconds per law, and the first laws cover all features.
const KOTLIN_LAWS: usize = 10;

/// Walks all traces of all laws, and checks that they contain every kind of order and answer.
fn traces(laws: &[(String, Machine, usize)]) -> Vec<Trace> {
    let mut traces = Vec::new();
    for (name, machine, many) in laws {
        traces.extend((0..*many as u64).map(|seed| Trace::walk(name, machine, &mut Dice::new(seed))));
    }
    let first = |line: &String| line.split('\t').next().unwrap_or_default().to_owned();
    let seen: HashSet<String> =
        traces.iter().flat_map(|trace| trace.orders.iter().chain(&trace.answers)).map(first).collect();
    for kind in ["begin", "event", "wait", "taken", "over", "not_now", "broken"] {
        assert!(seen.contains(kind), "no trace has `{kind}`");
    }
    assert!(traces.len() >= 200);
    traces
}

/// Joins the orders of all traces into the input of a program.
fn orders(traces: &[Trace]) -> String {
    let mut text = String::new();
    for trace in traces {
        text += &format!("law\t{}\n{}\n", trace.law, trace.orders.join("\n"));
    }
    text
}

fn check(traces: &[Trace], said: &str) {
    let mut lines = said.lines();
    for trace in traces {
        for (at, expected) in trace.answers.iter().enumerate() {
            let found = lines.next().unwrap_or("nothing");
            let law = &trace.law;
            let path = trace.orders[..=at].join("\n  ");
            assert_eq!(found, expected, "`{law}` goes another way after\n  {path}");
        }
    }
    assert_eq!(lines.next(), None, "more answers than orders");
}

/// Returns a folder in which Node finds the packages of `tests/node`.
fn node_folder() -> Option<PathBuf> {
    let folder = target_folder("laws");
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/node");
    found(peers::run(peers::script("node-peers").arg(source).arg(&folder)))?;
    Some(folder)
}

fn target_folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::create_dir_all(&folder).expect("the target folder can be written to");
    folder
}

fn write_exports(folder: &Path, laws: &[(String, Machine, usize)], format: Format) {
    for (name, machine, _) in laws {
        let file = format!("{name}.{}", format.ending());
        fs::write(folder.join(file), export(machine, format)).unwrap();
    }
}

/// Copies a program of `tests/node` beside the exports and runs it.
fn replay_in_node(folder: &Path, program: &str, traces: &[Trace]) {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/node").join(program);
    fs::copy(source, folder.join(program)).unwrap();
    fs::write(folder.join("orders.txt"), orders(traces)).unwrap();
    let said = peers::run(peers::program("node").arg(program).current_dir(folder));
    check(traces, &said.unwrap_or_else(|why| panic!("{why}")));
}

#[test]
fn xstate_takes_the_same_steps() {
    let Some(node) = node_folder() else { return };
    let folder = node.join("xstate");
    fs::create_dir_all(&folder).unwrap();
    let laws = laws::all();
    write_exports(&folder, &laws, Format::Xstate);
    fs::write(folder.join("xstate_setup.mjs"), XSTATE_SETUP).unwrap();
    replay_in_node(&folder, "replay_xstate.mjs", &traces(&laws));
}

#[test]
fn xstate_waits_as_long_as_the_law_says() {
    let Some(node) = node_folder() else { return };
    let folder = node.join("xstate_wait");
    fs::create_dir_all(&folder).unwrap();
    write_exports(&folder, &[("long_wait".into(), laws::long_wait(), 0)], Format::Xstate);
    fs::write(folder.join("xstate_setup.mjs"), XSTATE_SETUP).unwrap();
    let program = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/node/wait_long.mjs");
    fs::copy(program, folder.join("wait_long.mjs")).unwrap();
    let said = peers::run(peers::program("node").arg("wait_long.mjs").current_dir(&folder));
    assert_eq!(said.unwrap_or_else(|why| panic!("{why}")).trim(), "0 WAIT, 50 WARN, 51 GONE");
}

#[test]
fn typescript_compiles_and_takes_the_same_steps() {
    let Some(node) = node_folder() else { return };
    let folder = node.join("typescript");
    fs::create_dir_all(&folder).unwrap();
    let laws = laws::all();
    write_exports(&folder, &laws, Format::Typescript);
    let files = laws.iter().map(|(name, _, _)| format!("{name}.ts"));
    let strict = [
        "../node_modules/typescript/bin/tsc",
        "--strict",
        "--noUnusedLocals",
        "--noUnusedParameters",
        "--noUncheckedIndexedAccess",
        "--exactOptionalPropertyTypes",
        "--erasableSyntaxOnly",
        "--target",
        "es2022",
        "--module",
        "es2022",
    ];
    let compiled = peers::run(peers::program("node").args(strict).args(files).current_dir(&folder));
    compiled.unwrap_or_else(|why| panic!("{why}"));
    replay_in_node(&folder, "replay_typescript.mjs", &traces(&laws));
}

#[test]
fn kotlin_compiles_and_takes_the_same_steps() {
    let Some(node) = node_folder() else { return };
    if found(peers::run(peers::program("java").arg("-version"))).is_none() {
        return;
    }
    let folder = target_folder("kotlin");
    let mut laws = laws::all();
    laws.truncate(KOTLIN_LAWS);
    write_exports(&folder, &laws, Format::Kotlin);
    let mut walkers = String::new();
    for (name, machine, _) in &laws {
        let code = export(machine, Format::Kotlin);
        let package = code.lines().find_map(|line| line.strip_prefix("package ")).unwrap();
        let walker = include_str!("Walker.kt").replace("laws.example", package);
        fs::write(folder.join(format!("{name}_walker.kt")), walker).unwrap();
        walkers += &format!("        \"{name}\" to {{ order -> {package}.Walker.answer(order) }},\n");
    }
    let main = include_str!("Replay.kt").replace("        // WALKERS\n", &walkers);
    fs::write(folder.join("Replay.kt"), main).unwrap();
    let mut files = vec!["Replay.kt".to_owned()];
    files.extend(laws.iter().flat_map(|(name, _, _)| [format!("{name}.kt"), format!("{name}_walker.kt")]));
    let compiler = node.join("node_modules/kotlin-compiler/bin/kotlinc");
    let compile = ["-include-runtime", "-d", "replay.jar"];
    let compiled =
        peers::run(peers::program("bash").arg(compiler).args(files).args(compile).current_dir(&folder));
    compiled.unwrap_or_else(|why| panic!("{why}"));
    let traces = traces(&laws);
    fs::write(folder.join("orders.txt"), orders(&traces)).unwrap();
    let walk = ["-Dfile.encoding=UTF-8", "-cp", "replay.jar", "ReplayKt"];
    let said = peers::run(peers::program("java").args(walk).current_dir(&folder));
    check(&traces, &said.unwrap_or_else(|why| panic!("{why}")));
}
