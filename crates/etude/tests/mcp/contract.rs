//! Tests that the tools, resources and prompts equal the committed contract, so that every change shows up in
//! review.

use super::client::on_stdio;
use crate::common::Folder;
use serde_json::{Value, json};
use std::path::Path;

#[test]
#[expect(
    clippy::disallowed_methods,
    reason = "whoever runs the tests says here that the contract may change"
)]
fn the_contract_matches_the_committed_file() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/mcp.json");
    let printed = Folder::new().run(&["mcp", "--contract"]);
    assert_eq!(printed.code, Some(0), "{printed:?}");
    if std::env::var_os("UPDATE_SNAPSHOTS").is_some() {
        std::fs::write(&path, &printed.stdout).expect("the snapshot can be written");
    }
    let committed = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        printed.stdout == committed,
        "the contract has changed. Look at the difference after `UPDATE_SNAPSHOTS=1 cargo test -p etude`, \
         which writes docs/mcp.json anew"
    );
}

/// The properties that a client may rely on in every tool.
#[test]
fn every_tool_is_fully_described() {
    let contract = Folder::new().run(&["mcp", "--contract"]).json();
    let tools = contract["tools"].as_array().expect("a list of tools");
    assert!(tools.len() >= 28, "{} tools", tools.len());
    for tool in tools {
        let name = tool["name"].as_str().expect("a name");
        let is_plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
        assert!(name.len() <= 64 && name.chars().all(is_plain), "{name}");
        for text in ["title", "description"] {
            assert!(tool[text].as_str().is_some_and(|text| !text.is_empty()), "{name} has no {text}");
        }
        for schema in ["inputSchema", "outputSchema"] {
            assert_eq!(tool[schema]["type"], "object", "{name}: {schema}");
            assert!(jsonschema::meta::is_valid(&tool[schema]), "{name}: {schema}");
        }
        assert_eq!(tool["inputSchema"]["additionalProperties"], false, "{name}");
        for hint in ["readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"] {
            assert!(tool["annotations"][hint].is_boolean(), "{name} has no {hint}");
        }
    }
    let destructive: Vec<&Value> = tools
        .iter()
        .filter(|tool| tool["annotations"]["destructiveHint"] == true)
        .map(|tool| &tool["name"])
        .collect();
    assert_eq!(
        destructive,
        [
            "attempt_abandon",
            "drill_leave",
            "teaching_flow_abandon",
            "mind_map_node_remove",
            "mind_map_edge_remove"
        ]
    );
}

/// A model reads the whole list before it does anything.
#[test]
fn the_list_is_short_and_describes_every_argument() {
    on_stdio(|client| {
        let listed = client.request("tools/list", json!({})).expect("the tools are listed");
        let length = listed.to_string().chars().count();
        assert!(length < 30_000, "{length} characters");
        for tool in listed["tools"].as_array().expect("a list of tools") {
            for (name, property) in tool["inputSchema"]["properties"].as_object().into_iter().flatten() {
                let is_described = property["description"].as_str().is_some_and(|text| !text.is_empty());
                assert!(is_described, "{}: {name}", tool["name"]);
            }
        }
    });
}
