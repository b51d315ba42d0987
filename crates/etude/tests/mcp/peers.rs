//! Tests with the official conformance suite and inspector against the real program.

use crate::common::Folder;
use crate::peers::{found, program, run, script};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;

const CONFORMANCE: &str = "node_modules/@modelcontextprotocol/conformance/dist/index.js";
const INSPECTOR: &str = "node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js";

/// The folder of the packages in `tests/mcp/node`.
struct Peers {
    folder: PathBuf,
}

#[test]
fn the_conformance_suite_finds_the_expected_failures() {
    let Some(peers) = Peers::new() else { return };
    let server_folder = Folder::new();
    let server = server_folder.serve(&[]);
    let url = format!("http://{}/mcp", server.client.address);
    let dated = ["server-initialize", "ping", "tools-list", "resources-list", "prompts-list"];
    let newest = ["tools-list", "resources-list", "prompts-list", "caching", "sep-2164-resource-not-found"];
    for (expected, required, passed) in [
        ("expected-failures.yml", None, dated),
        ("expected-failures-2026-07-28.yml", Some("2026-07-28"), newest),
    ] {
        let mut suite = peers.command(CONFORMANCE);
        suite.args(["server", "--url", &url, "--expected-failures", expected]);
        suite.args(required.map(|revision| ["--requirements", revision]).into_iter().flatten());
        // The suite does not support tokens.
        suite
            .env("NODE_OPTIONS", "--import ./bearer.mjs")
            .env("ETUDE_TOKEN", server.client.token.as_deref().unwrap_or(""));
        let printed = run(&mut suite).unwrap_or_else(|why| panic!("{why}"));
        for passed in passed.into_iter().chain(["dns-rebinding-protection"]) {
            assert!(
                printed.contains(&format!("✓ {passed}")),
                "{passed} is not among what passed:\n{printed}"
            );
        }
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
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("mcp");
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/mcp/node");
        found(run(script("node-peers").arg(source).arg(&folder)))?;
        Some(Peers { folder })
    }

    fn command(&self, script: &str) -> Command {
        let mut command = program("node");
        command.arg(script).current_dir(&self.folder);
        // The inspector's files stay out of the home folder of the person who runs the tests.
        command.env("MCP_CATALOG_PATH", self.folder.join("catalog.json"));
        command
    }
}
