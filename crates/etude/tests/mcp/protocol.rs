//! Tests of the protocol itself: both revisions, access, and a quiet end.

use crate::common::{Folder, Reply};
use crate::mcp::client::{Client, on_both};
use serde_json::{Value, json};

const PRESENT: &str = "2026-07-28";

/// The metadata of every request in the present revision, which has no handshake.
fn meta() -> Value {
    json!({
        "io.modelcontextprotocol/protocolVersion": PRESENT,
        "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"},
        "io.modelcontextprotocol/clientCapabilities": {},
    })
}

#[test]
fn the_present_revision_needs_no_handshake() {
    let folder = Folder::new();
    let server = folder.serve(&[]);
    let post = |method: &str, name: Option<&str>, params: Value| -> Value {
        let mut params = params;
        params["_meta"] = meta();
        let request = server.client.request("POST", "/mcp");
        let request = request.json(&json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}));
        let request = request.header("Accept", "application/json, text/event-stream");
        let request = request.header("MCP-Protocol-Version", PRESENT).header("Mcp-Method", method);
        let request = name.into_iter().fold(request, |request, name| request.header("Mcp-Name", name));
        let reply = server.client.send(&request);
        assert_eq!(reply.status, 200, "{reply:?}");
        reply.json()
    };
    let discovered = post("server/discover", None, json!({}));
    let versions = &discovered["result"]["supportedVersions"];
    for version in [PRESENT, crate::mcp::client::BEFORE] {
        assert!(versions.as_array().is_some_and(|known| known.contains(&json!(version))), "{discovered}");
    }
    let called = post(
        "tools/call",
        Some("teaching_flow_start"),
        json!({
            "name": "teaching_flow_start", "arguments": {"topic": "Rust"},
        }),
    );
    assert_eq!(called["result"]["structuredContent"]["status"], "diagnosing", "{called}");
    assert_eq!(called["result"]["resultType"], "complete", "{called}");
}

#[test]
fn unknown_methods_tools_and_prompts_are_protocol_errors() {
    on_both(|client| {
        let code = |result: Result<Value, Value>| result.expect_err("it is refused")["code"].clone();
        assert_eq!(code(client.request("teach/everything", json!({}))), -32601);
        assert_eq!(code(client.request("tools/call", json!({"name": "rm", "arguments": {}}))), -32602);
        assert_eq!(code(client.request("prompts/get", json!({"name": "nothing"}))), -32602);
        assert_eq!(code(client.request("prompts/get", json!({"name": "plan"}))), -32602);
        for uri in ["etude://maps/nobody", "etude://curricula/nobody", "etude://x", "file:///etc/passwd", ""]
        {
            assert_eq!(code(client.request("resources/read", json!({"uri": uri}))), -32002, "{uri}");
        }
        client.request("ping", json!({})).expect("it is still there");
    });
}

/// Neither a foreign web page nor a client without the token may reach the tools.
#[test]
fn strangers_are_not_let_in() {
    let folder = Folder::new();
    let server = folder.serve(&[]);
    let body = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {}});
    let good = server
        .client
        .request("POST", "/mcp")
        .json(&body)
        .header("Accept", "application/json, text/event-stream");
    let status = |reply: Reply| reply.status;
    assert_eq!(status(server.client.send(&good)), 200);
    for (header, value, expected) in [
        ("Authorization", "Bearer 00000000000000000000000000000000", 401),
        ("Authorization", "", 401),
        ("Host", "evil.example", 421),
        ("Origin", "http://evil.example", 403),
        ("Origin", "null", 403),
    ] {
        let reply = server.client.send(&good.clone().header(header, value));
        assert_eq!(reply.status, expected, "{header}: {value}: {reply:?}");
    }
}

#[test]
fn a_server_on_stdio_ends_with_its_input() {
    let folder = Folder::new();
    let mut client = Client::stdio(&folder, &["--learner", "ana"]);
    client.get("teaching_flow_start", json!({"topic": "Rust"}));
    let own = client.get("teaching_flow_list", json!({"learner": "ana"}));
    assert_eq!(own["result"].as_array().map(Vec::len), Some(1), "{own}");
    assert_eq!(client.refused("teaching_flow_list", json!({"learner": "me"})).0, "unknown_learner");
    assert_eq!(client.hang_up(), Some(0));
}
