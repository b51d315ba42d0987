//! Tests that the courses' tables match the published contracts.

use coaching::face::{self, Http, SchemaOf, Tool};
use coaching::learner::Profile;
use coaching::teach::state::FlowState;
use coaching::teach::{Course, Review};
use coaching::turn::Flow;
use schemars::generate::SchemaSettings;
use serde_json::Value;
use std::collections::BTreeSet;

const MCP: &str = include_str!("../../../../docs/mcp.json");
const OPENAPI: &str = include_str!("../../../../docs/openapi.json");

/// A self-contained schema, as tools publish it.
fn schema(of: SchemaOf) -> Value {
    let settings = SchemaSettings::draft2020_12().with(|settings| settings.inline_subschemas = true);
    of(&mut settings.into_generator()).to_value()
}

fn tool(name: &str) -> Value {
    let contract: Value = serde_json::from_str(MCP).expect("the contract is JSON");
    let tools = contract["tools"].as_array().expect("the contract lists tools");
    tools.iter().find(|tool| tool["name"] == name).unwrap_or_else(|| panic!("no tool {name}")).clone()
}

/// Checks that `kept` has everything that `promised` has: fields, their types and bounds, and which are required.
fn keeps(promised: &Value, kept: &Value, at: &str) {
    for bound in ["minimum", "maximum", "format", "additionalProperties"] {
        let is_same = promised[bound].is_null()
            || promised[bound].is_object()
            || number(&promised[bound]) == number(&kept[bound]);
        assert!(is_same, "{at}/{bound}: {} is {}", promised[bound], kept[bound]);
    }
    assert!(promised["description"].is_null() || kept["description"].is_string(), "{at}: {kept}");
    if !promised["enum"].is_null() {
        assert_eq!(promised["enum"], kept["enum"], "{at}/enum: {kept}");
    }
    if !promised["type"].is_null() {
        assert_eq!(promised["type"], kept["type"], "{at}/type: {kept}");
    }
    for required in promised["required"].as_array().into_iter().flatten() {
        assert!(
            kept["required"].as_array().is_some_and(|kept| kept.contains(required)),
            "{at}: {required} in {kept}"
        );
    }
    // The surface adds `said` to a state.
    let fields = promised["properties"].as_object().into_iter().flatten();
    for (name, field) in fields.filter(|(name, _)| *name != "said") {
        assert!(!kept["properties"][name].is_null(), "{at}/{name} in {kept}");
        keeps(field, &kept["properties"][name], &format!("{at}/{name}"));
    }
    for inner in ["items", "additionalProperties"] {
        if promised[inner].is_object() {
            keeps(&promised[inner], &kept[inner], &format!("{at}/{inner}"));
        }
    }
}

/// A number, however it is written.
fn number(value: &Value) -> Value {
    value.as_f64().map_or_else(|| value.clone(), Value::from)
}

#[test]
fn every_verb_matches_the_contracts() {
    for face in [Course::FACE, Review::FACE] {
        let known = (face.vocabulary)().events;
        for verb in face.verbs {
            let is_known = |event: &str| known.iter().any(|(name, _)| *name == event);
            assert!(verb.event().is_none_or(is_known), "{}: {:?}", verb.name, verb.event());
            is_published("post", verb.http, verb.tool, verb.payload);
        }
    }
}

#[test]
fn every_look_matches_the_contracts() {
    for look in Course::FACE.looks {
        is_published("get", look.http, look.tool, look.takes);
        if let Some(Tool { name, .. }) = look.tool {
            keeps(&tool(name)["outputSchema"], &schema(look.gives), name);
        }
    }
}

/// Checks that an operation and a tool are in the contracts as the tables describe them.
fn is_published(method: &str, http: Option<Http>, of_tool: Option<Tool>, takes: Option<SchemaOf>) {
    let takes = takes.map_or(Value::Null, schema);
    if let Some(Http { operation, path, summary }) = http {
        let openapi: Value = serde_json::from_str(OPENAPI).expect("the contract is JSON");
        let promised = &openapi["paths"][path][method];
        assert_eq!((&promised["operationId"], &promised["summary"]), (&operation.into(), &summary.into()));
        if method == "post" {
            let body = &promised["requestBody"]["content"]["application/json"]["schema"];
            same_fields(&resolved(&openapi, body), &takes, operation);
        }
    }
    if let Some(Tool { name, title, about, id, .. }) = of_tool {
        let promised = tool(name);
        assert_eq!((&promised["title"], &promised["description"]), (&title.into(), &about.into()));
        let mut input = promised["inputSchema"].clone();
        drop(id.and_then(|id| input["properties"].as_object_mut()?.remove(id)));
        same_fields(&input, &takes, name);
    }
}

/// Checks that a verb takes the same fields as promised, except `learner`, which every verb has and no verb
/// describes.
fn same_fields(promised: &Value, given: &Value, at: &str) {
    let names = |schema: &Value| -> BTreeSet<String> {
        let fields = schema["properties"].as_object().into_iter().flatten();
        fields.map(|(name, _)| name.clone()).filter(|name| name != "learner").collect()
    };
    assert_eq!(names(promised), names(given), "{at}");
    for name in names(promised) {
        let (promised, given) = (&promised["properties"][&name], &given["properties"][&name]);
        for aspect in ["type", "enum", "minimum", "maximum"] {
            let is_same = promised[aspect].is_null() || promised[aspect] == given[aspect];
            assert!(is_same, "{at}/{name}/{aspect}: {promised} is {given}");
        }
    }
}

fn resolved(contract: &Value, schema: &Value) -> Value {
    let schema = schema.pointer("/allOf/0").unwrap_or(schema);
    let path = schema["$ref"].as_str().and_then(|path| path.strip_prefix('#'));
    path.and_then(|path| contract.pointer(path)).unwrap_or(schema).clone()
}

#[test]
fn views_keep_their_schema() {
    let promised = |name: &str| tool(name)["outputSchema"].clone();
    keeps(&promised("teaching_flow_advance"), &schema(face::schema::<FlowState>), "FlowState");
    keeps(&promised("profile_get"), &schema(face::schema::<Profile>), "Profile");
}
