//! What the tables say about courses is what the published contracts promise.

use coaching::face::{Face, SchemaOf, Tool};
use coaching::learner::Profile;
use coaching::teach::analytics::Analytics;
use coaching::teach::state::FlowState;
use coaching::teach::{Course, Header, Response, Review, Schedule};
use coaching::turn::Flow;
use flow::Law;
use schemars::generate::SchemaSettings;
use serde_json::Value;
use std::collections::BTreeSet;

const MCP: &str = include_str!("../../../../docs/mcp.json");
const OPENAPI: &str = include_str!("../../../../docs/openapi.json");

/// A schema that stands alone, as tools publish it.
pub fn schema(of: SchemaOf) -> Value {
    let settings = SchemaSettings::draft2020_12().with(|settings| settings.inline_subschemas = true);
    of(&mut settings.into_generator()).to_value()
}

pub fn tool(name: &str) -> Value {
    let contract: Value = serde_json::from_str(MCP).expect("the contract is JSON");
    let tools = contract["tools"].as_array().expect("the contract lists tools");
    tools.iter().find(|tool| tool["name"] == name).unwrap_or_else(|| panic!("no tool {name}")).clone()
}

/// Whether whatever the one promises is promised by the other: fields, their types and bounds, and that they are there.
pub fn keeps(promised: &Value, kept: &Value, at: &str) {
    for bound in ["minimum", "maximum", "format", "additionalProperties"] {
        let is_same = promised[bound].is_null()
            || promised[bound].is_object()
            || number(&promised[bound]) == number(&kept[bound]);
        assert!(is_same, "{at}/{bound}: {} is {}", promised[bound], kept[bound]);
    }
    if let Some(told) = promised["description"].as_str() {
        assert!(
            kept["description"].as_str().is_some_and(|kept| kept.starts_with(told)),
            "{at}: {told:?} in {kept}"
        );
    }
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
    for (name, field) in promised["properties"].as_object().into_iter().flatten() {
        assert!(!kept["properties"][name].is_null(), "{at}/{name} in {kept}");
        keeps(field, &kept["properties"][name], &format!("{at}/{name}"));
    }
    for inner in ["items", "additionalProperties"] {
        if promised[inner].is_object() {
            keeps(&promised[inner], &kept[inner], &format!("{at}/{inner}"));
        }
    }
}

/// A number without regard to how it is written.
fn number(value: &Value) -> Value {
    value.as_f64().map_or_else(|| value.clone(), Value::from)
}

/// The tables of both flows.
fn faces() -> [Face; 2] {
    [Course::FACE, Review::FACE]
}

#[test]
fn every_verb_is_as_the_contracts_say() {
    let openapi: Value = serde_json::from_str(OPENAPI).expect("the contract is JSON");
    for face in faces() {
        let law = Law::read(face.law).expect("the law is read");
        let known = (face.vocabulary)().events;
        for verb in face.verbs {
            let given = verb.payload.map_or(Value::Null, schema);
            for event in verb.event() {
                assert!(
                    known.iter().any(|(name, _)| *name == event),
                    "{}: {event} in {}",
                    verb.name,
                    law.session.name
                );
            }
            if let Some(http) = verb.http {
                let operation = &openapi["paths"][http.path][http.method];
                assert_eq!(
                    (&operation["operationId"], &operation["summary"]),
                    (&http.operation.into(), &http.summary.into())
                );
                let body = &operation["requestBody"]["content"]["application/json"]["schema"];
                same_fields(&resolved(&openapi, body), &given, http.operation);
            }
            if let Some(Tool { name, title, about, id, .. }) = verb.tool {
                let promised = tool(name);
                assert_eq!((&promised["title"], &promised["description"]), (&title.into(), &about.into()));
                let mut input = promised["inputSchema"].clone();
                drop(id.and_then(|id| input["properties"].as_object_mut()?.remove(id)));
                same_fields(&input, &given, name);
            }
        }
    }
}

/// Whether a verb takes the same as before. The learner is named in the same way everywhere, so no verb says how.
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
    let path = schema["$ref"].as_str().and_then(|path| path.strip_prefix('#'));
    path.and_then(|path| contract.pointer(path)).unwrap_or(schema).clone()
}

#[test]
fn what_is_shown_keeps_its_schema() {
    let output = |name: &str| tool(name)["outputSchema"].clone();
    let item = |name: &str| output(name)["properties"]["result"]["items"].clone();
    let state = coaching::face::schema::<FlowState>;
    let mut promised = output("teaching_flow_advance");
    // What was said is put beside it.
    promised["properties"].as_object_mut().unwrap().remove("said");
    keeps(&promised, &schema(state), "FlowState");
    keeps(&item("mind_map_list"), &schema(coaching::face::schema::<Header>), "Header");
    keeps(&item("quiz_responses"), &schema(coaching::face::schema::<Response>), "Response");
    keeps(&item("schedule_list"), &schema(coaching::face::schema::<Schedule>), "Schedule");
    keeps(&output("learning_analytics"), &schema(coaching::face::schema::<Analytics>), "Analytics");
    keeps(&output("profile_get"), &schema(coaching::face::schema::<Profile>), "Profile");
}
