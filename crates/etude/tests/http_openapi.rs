//! Tests that the server's contract equals the committed file, so that every change shows up in review.

use crate::common::{Client, Folder, Reply, Request, example, names, text};
use serde_json::{Map, Value, json};
use std::path::Path;

#[test]
#[expect(
    clippy::disallowed_methods,
    reason = "the person who runs the tests says here that the contract may change"
)]
fn the_contract_matches_the_committed_file() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/openapi.json");
    let printed = Folder::new().run(&["serve", "--openapi"]);
    assert_eq!(printed.code, Some(0), "{printed:?}");
    if std::env::var_os("UPDATE_SNAPSHOTS").is_some() {
        std::fs::write(&path, &printed.stdout).expect("the snapshot can be written");
    }
    let committed = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        printed.stdout == committed,
        "the contract has changed. Look at the difference after `UPDATE_SNAPSHOTS=1 cargo test -p etude`, \
         which writes docs/openapi.json anew"
    );
}

#[test]
fn the_server_hands_out_its_contract() {
    let folder = Folder::new();
    let server = folder.serve(&[]);
    assert_eq!(server.client.get("/openapi.json").json(), folder.run(&["serve", "--openapi"]).json());
}

/// Sends every operation a good request, one without a token and one about an unknown learner; the contract must
/// document every answer.
#[test]
fn every_operation_answers_as_documented() {
    let folder = Folder::new();
    let server = folder.serve(&["--law", &example("turnstile.yaml")]);
    let client = &server.client;
    client.post("/api/instances", &json!({"flow": "Turnstile", "id": "gate"}));
    let contract = client.get("/openapi.json").json();
    let mut asked = 0;
    for (path, methods) in members(&contract["paths"]) {
        for (method, operation) in members(methods) {
            for known in ["gate", "nobody"] {
                let request = request(client, method, path, operation, known);
                check(operation, &client.begin(&request).0, known);
            }
            let stranger = Client::new(&client.address, None);
            let reply = stranger.begin(&request(&stranger, method, path, operation, "gate")).0;
            assert_eq!(reply.status, 401, "{method} {path}");
            check(operation, &reply, "no token");
            asked += 1;
        }
    }
    assert!(asked >= 10, "{asked} operations");
}

fn members(value: &Value) -> &Map<String, Value> {
    value.as_object().expect("the contract has an object here")
}

/// Builds a request for an operation from its contract.
fn request(client: &Client, method: &str, path: &str, operation: &Value, known: &str) -> Request {
    let path = path.replace("{id}", known).replace("{key}", &format!("flow:{known}"));
    let optional = |parameter: &&Value| {
        text(parameter, "/in") == "query" && text(parameter, "/schema/type") == "integer"
    };
    let parameters = operation["parameters"].as_array().into_iter().flatten().filter(optional);
    let query: Vec<String> = parameters.map(|parameter| format!("{}=1", text(parameter, "/name"))).collect();
    let request = client.request(&method.to_uppercase(), &format!("{path}?{}", query.join("&")));
    match operation.pointer("/requestBody/content/application~1json/schema/$ref").and_then(Value::as_str) {
        Some(body) if body.ends_with("/OpenBody") => request.json(&json!({"flow": "Turnstile", "id": known})),
        Some(_) => request.json(&json!({"event": "push"})),
        None => request,
    }
}

fn check(operation: &Value, reply: &Reply, how: &str) {
    let name = text(operation, "/operationId");
    let documented = operation["responses"].get(reply.status.to_string());
    let documented = documented.unwrap_or_else(|| panic!("{name} ({how}) may not answer {reply:?}"));
    let kind = reply.header("content-type");
    assert!(documented["content"].get(kind).is_some(), "{name} ({how}) may not answer {kind}: {documented}");
}

#[test]
fn every_operation_has_a_name_and_every_reference_a_target() {
    let contract = Folder::new().run(&["serve", "--openapi"]).json();
    let operations = members(&contract["paths"]).values().flat_map(|methods| members(methods).values());
    let mut known: Vec<&str> = operations.map(|operation| text(operation, "/operationId")).collect();
    known.sort_unstable();
    let count = known.len();
    known.dedup();
    assert!(known.len() == count && !known.contains(&""), "{known:?}");
    let mut references = Vec::new();
    gather(&contract, &mut references);
    assert!(!references.is_empty());
    for reference in references {
        let target = contract.pointer(reference.trim_start_matches('#'));
        assert!(target.is_some(), "{reference} leads nowhere");
    }
    assert_eq!(names(&contract["security"][0]["bearer"]).len(), 0);
}

fn gather<'v>(value: &'v Value, references: &mut Vec<&'v str>) {
    match value {
        Value::Object(map) => {
            references.extend(map.get("$ref").and_then(Value::as_str));
            map.values().for_each(|value| gather(value, references));
        }
        Value::Array(list) => list.iter().for_each(|value| gather(value, references)),
        _ => {}
    }
}
