//! Tests of the edges between the crates and between the rooms of a crate, as ARCHITECTURE.md draws them.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// A crate and the crates of this workspace that it may use.
const MAY_KNOW: &[(&str, &[&str])] = &[
    ("flow", &[]),
    ("coaching", &["flow"]),
    ("anki", &["coaching"]),
    ("judge", &["coaching"]),
    ("store", &[]),
    ("outside", &[]),
    ("ui", &[]),
    ("voice", &[]),
    ("shell", &["flow", "coaching", "anki", "judge", "store", "outside", "ui", "voice"]),
    ("etude", &["shell", "flow", "coaching", "anki", "judge", "store", "outside", "voice"]),
];

/// Crates that bring a clock, a runtime, a network or a database; the pure crates use none of them. `uuid` is not
/// on the list: pure crates only derive ids from content, and the shell alone uses the versions that need chance or
/// time.
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
fn crates_use_only_allowed_crates() {
    for (name, may_know) in MAY_KNOW {
        let known = dependencies(name);
        for (other, _) in MAY_KNOW.iter().filter(|(other, _)| other != name) {
            let knows = known.iter().any(|dependency| dependency == other);
            assert!(!knows || may_know.contains(other), "`{name}` must not know `{other}`");
        }
    }
}

#[test]
fn pure_crates_use_no_impure_crate() {
    for name in ["flow", "coaching"] {
        for dependency in dependencies(name) {
            assert!(
                !IMPURE.contains(&dependency.as_str()),
                "`{name}` is pure and must not use `{dependency}`"
            );
        }
    }
}

/// Returns the names under `[dependencies]` in a crate's manifest.
fn dependencies(name: &str) -> Vec<String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(name).join("Cargo.toml");
    let manifest =
        std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let section = manifest.split("\n[").find(|section| section.starts_with("dependencies]"));
    let key = |line: &str| Some(line.split(['=', '.', ' ']).next()?.trim().to_owned());
    let lines = section.expect("a manifest has dependencies").lines().skip(1);
    lines.filter(|line| !line.trim_start().starts_with('#')).filter_map(key).collect()
}

/// The crates whose rooms are in the table below.
const PROGRAM: &[&str] = &["shell", "etude"];

/// A room of the program and the rooms that it may use: first the engine, then the surfaces' shared rooms, then the
/// surfaces.
const MAY_USE: &[(&str, &[&str])] = &[
    ("engine", &[]),
    ("learners", &["engine"]),
    ("effects", &["engine", "learners"]),
    ("teach", &["engine", "learners", "effects"]),
    ("agent", &["engine", "learners"]),
    ("rounds", &["engine", "learners", "effects", "teach"]),
    ("voice", &["engine"]),
    ("builtin", &["engine"]),
    ("shelf", &["engine", "builtin"]),
    ("chat", &["engine", "learners", "effects", "teach"]),
    ("mcp", &["engine", "learners", "teach", "agent"]),
    (
        "http",
        &["engine", "learners", "effects", "teach", "agent", "voice", "builtin", "shelf", "chat", "mcp"],
    ),
    ("scenario", &["engine", "learners", "effects", "agent", "rounds", "builtin", "mcp"]),
    (
        "cli",
        &[
            "engine", "learners", "effects", "teach", "agent", "rounds", "builtin", "chat", "mcp", "http",
            "scenario", "shelf", "voice",
        ],
    ),
];

/// The crates whose rooms form no cycle.
const ACYCLIC: &[&[&str]] =
    &[&["anki"], &["coaching"], PROGRAM, &["flow"], &["judge"], &["outside"], &["store"], &["voice"]];

#[test]
fn rooms_use_only_allowed_rooms() {
    let rooms = rooms(PROGRAM);
    let table: BTreeSet<&str> = MAY_USE.iter().map(|(room, _)| *room).collect();
    let found: BTreeSet<&str> = rooms.keys().map(String::as_str).collect();
    assert_eq!(found, table, "the rooms of the program and the table above");
    for (room, may_use) in MAY_USE {
        for other in &rooms[*room] {
            assert!(may_use.contains(&other.as_str()), "`{room}` must not use `{other}`");
        }
    }
}

#[test]
fn rooms_form_no_cycle() {
    for crates in ACYCLIC {
        let mut rooms = rooms(crates);
        // Rooms that use no other are removed until none is left.
        while let Some(free) = rooms.iter().find(|(_, uses)| uses.is_empty()).map(|(room, _)| room.clone()) {
            rooms.remove(&free);
            for uses in rooms.values_mut() {
                uses.remove(&free);
            }
        }
        assert!(rooms.is_empty(), "rooms of {crates:?} that form a cycle, or use one: {:?}", rooms.keys());
    }
}

/// The flows with a room or a command of their own in the program.
const FLOWS: &[&str] = &["drill", "teach", "agent", "attempt", "voice"];

/// Every file of the program that names a flow, other than the list of flows, the flow's room and its command. A
/// new flow needs no line here.
const NAMING: &[(&str, &str)] = &[
    ("chat/commands.rs", "/list, /review and /stop are about all courses"),
    ("chat/mod.rs", "/review"),
    ("cli/config.rs", "the settings of `[agent]`"),
    ("cli/context.rs", "`etude context` is a command about courses"),
    ("cli/desk/aloud.rs", "any desk by voice"),
    ("cli/doctor.rs", "what hooks of coding agents are installed"),
    ("cli/greeting.rs", "what is due and open, in the words of each flow"),
    ("cli/memory.rs", "`etude memory` counts concepts"),
    ("cli/packs.rs", "what to type for a drill with a pack"),
    ("cli/progress.rs", "`etude progress` is a command about courses"),
    ("cli/serving.rs", "where flows are held by voice"),
    ("cli/settings.rs", "the settings of `[agent]`"),
    ("cli/teach/mod.rs", "a pack of words, where there is no course on a topic"),
    ("effects/knowing.rs", "what the voice asks about a learner"),
    ("effects/notices/mails.rs", "the subject of a mail about a course"),
    ("http/agent.rs", "`/api/agent` tells what an agent may do, outside of any session"),
    ("http/home.rs", "numbers of all courses"),
    ("http/microphone.rs", "any flow by the voice of a browser"),
    ("http/operations.rs", "`/api/agent`"),
    ("http/serve.rs", "`/api/agent`, and where flows are held by voice"),
    ("mcp/agents.rs", "the tool `agent_turn`"),
    ("mcp/mod.rs", "the tool `agent_turn`, and completions of the names of courses"),
    ("mcp/prompts.rs", "prompts for leading a course"),
    ("mcp/resources.rs", "maps and curricula as resources"),
    ("mcp/tool.rs", "the tool `agent_turn`"),
    ("rounds/jobs.rs", "the jobs of a learner with courses"),
    ("rounds/mod.rs", "reviews that fall due"),
    ("scenario/mod.rs", "steps about coding agents"),
];

#[test]
fn flows_are_named_nowhere_else() {
    let is_own = |file: &str, flow: &str| {
        let own = [format!("{flow}/"), format!("cli/{flow}/"), format!("cli/{flow}.rs")];
        file == "builtin.rs" || own.iter().any(|own| file.starts_with(own.as_str()))
    };
    let names = |source: &str, flow: &str| {
        reached(source, &["coaching::", "crate::", "shell::", "super::"]).contains(flow)
            || source.contains(&format!("typed(&[\"{flow}\""))
    };
    let found: BTreeSet<String> = PROGRAM
        .iter()
        .flat_map(|name| {
            let top = sources_of(name);
            files(&top).into_iter().map(move |path| {
                let source = std::fs::read_to_string(&path).expect("a source");
                (path.strip_prefix(&top).expect("below the sources").display().to_string(), source)
            })
        })
        .filter(|(file, source)| FLOWS.iter().any(|flow| !is_own(file, flow) && names(source, flow)))
        .map(|(file, _)| file)
        .collect();
    let listed: BTreeSet<String> = NAMING.iter().map(|(file, _)| (*file).to_owned()).collect();
    assert_eq!(found, listed, "the files that name a flow, and the list above");
}

/// The law marks what a state stands for with attributes, so no flow asks for a state's name.
#[test]
fn no_flow_asks_for_the_name_of_a_state() {
    for path in files(&sources_of("coaching")).iter().filter(|path| !path.ends_with("turn.rs")) {
        let source = std::fs::read_to_string(path).expect("a source");
        let asks = [".state()", "state_name(", "state_named("].into_iter().find(|asks| source.contains(asks));
        assert_eq!(asks, None, "{}", path.display());
    }
}

fn sources_of(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(name).join("src")
}

/// Returns the top-level modules of some crates, each with the modules that it uses.
fn rooms(crates: &[&str]) -> BTreeMap<String, BTreeSet<String>> {
    let entries =
        crates.iter().flat_map(|name| std::fs::read_dir(sources_of(name)).expect("a crate has sources"));
    let paths: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    let room = |path: &Path| path.file_stem().expect("a name").to_string_lossy().into_owned();
    let mut rooms: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for path in paths.iter().filter(|path| !["lib", "main"].contains(&room(path).as_str())) {
        for source in sources(path) {
            rooms.entry(room(path)).or_default().extend(used_by(&source));
        }
    }
    let names: BTreeSet<String> = rooms.keys().cloned().collect();
    for (room, used) in &mut rooms {
        used.retain(|other| other != room && names.contains(other));
    }
    rooms
}

/// Returns the text of a file, or of every Rust file in a folder.
fn sources(path: &Path) -> Vec<String> {
    files(path).iter().map(|path| std::fs::read_to_string(path).expect("a source")).collect()
}

fn files(path: &Path) -> Vec<PathBuf> {
    if path.is_dir() {
        let entries = std::fs::read_dir(path).expect("a folder");
        return entries.flat_map(|entry| files(&entry.expect("an entry").path())).collect();
    }
    let is_rust = path.extension().is_some_and(|extension| extension == "rs");
    is_rust.then(|| path.to_owned()).into_iter().collect()
}

/// Returns the modules of the program that a text uses.
fn used_by(source: &str) -> BTreeSet<String> {
    reached(source, &["crate::", "shell::"])
}

/// Returns the modules that a text reaches through one of these paths, including groups such as `use crate::{a,
/// b::c}`.
fn reached(source: &str, from: &[&str]) -> BTreeSet<String> {
    let first =
        |text: &str| text.chars().take_while(|c| c.is_ascii_lowercase() || *c == '_').collect::<String>();
    let parts = from.iter().flat_map(|from| source.split(from).skip(1));
    let paths = parts.flat_map(|after| match after.strip_prefix('{') {
        Some(group) => top_level(group).into_iter().map(|path| first(path.trim_start())).collect(),
        None => vec![first(after)],
    });
    paths.collect()
}

/// Splits a group of paths at its top level, up to the brace that closes it.
fn top_level(group: &str) -> Vec<&str> {
    let (mut depth, mut begin, mut parts) = (0, 0, Vec::new());
    for (at, letter) in group.char_indices() {
        match letter {
            '{' => depth += 1,
            '}' if depth == 0 => {
                parts.push(&group[begin..at]);
                break;
            }
            '}' => depth -= 1,
            ',' if depth == 0 => {
                parts.push(&group[begin..at]);
                begin = at + 1;
            }
            _ => {}
        }
    }
    parts
}
