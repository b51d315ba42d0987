//! How what the coach keeps looks to other programs: the schemas that HTTP and MCP hand out for it.
//!
//! The types themselves belong to pure code, which knows of no contract. Tests hold every answer against its schema.

use coaching::map::Format;
use coaching::teach::state::FlowStatus;
use flow::Name;
use schemars::{Schema, SchemaGenerator, json_schema};
use serde_json::{Value, json};

/// Where a course stands, as it lies under `flow:{mind_map_id}`.
pub fn state(generator: &mut SchemaGenerator) -> Schema {
    let Value::Object(mut properties) = state_properties(generator) else { return false.into() };
    // Only there when Etude is the tutor and has something to say.
    properties.insert("said".into(), generator.subschema_for::<Vec<coaching::desk::Line>>().into());
    json_schema!({
        "type": "object",
        "description": "Where a course stands",
        "properties": properties,
        "required": [
            "status", "mind_map_id", "current_node_id", "current_phase", "diagnostic_results", "session_count",
            "started_at", "last_session_at",
        ],
    })
}

/// The same, or null where there is no such course.
pub fn optional_state(generator: &mut SchemaGenerator) -> Schema {
    json_schema!({"anyOf": [state(generator), {"type": "null"}]})
}

fn state_properties(generator: &mut SchemaGenerator) -> Value {
    json!({
        "status": status(generator),
        "mind_map_id": id(generator),
        "current_node_id": optional_id(generator),
        "current_phase": {
            "enum": ["explaining", "questioning", "evaluating", null],
            "description": "How far the teaching of the current node has come; null outside of teaching",
        },
        "diagnostic_results": {
            "type": "object",
            "description": "What the probes found out, by node id",
            "additionalProperties": {
                "type": "object",
                "properties": {
                    "quality": quality(generator),
                    "inferred_mastery": {"type": "number", "minimum": 0, "maximum": 1},
                },
                "required": ["quality", "inferred_mastery"],
            },
        },
        "session_count": {
            "type": "integer", "minimum": 0,
            "description": "Grows by one with every advance, and whenever Etude moves the status by itself",
        },
        "started_at": moment(generator),
        "last_session_at": moment(generator),
    })
}

pub fn status(_: &mut SchemaGenerator) -> Schema {
    one_of(FlowStatus::ALL.map(FlowStatus::as_str))
}

pub fn optional_status(_: &mut SchemaGenerator) -> Schema {
    one_of_or_none(&FlowStatus::ALL.map(FlowStatus::as_str))
}

pub fn mastery(_: &mut SchemaGenerator) -> Schema {
    one_of(MASTERY)
}

pub fn optional_mastery(_: &mut SchemaGenerator) -> Schema {
    one_of_or_none(&MASTERY)
}

const MASTERY: [&str; 5] = ["unseen", "diagnosed", "learning", "reviewing", "mastered"];

pub fn edge_type(_: &mut SchemaGenerator) -> Schema {
    one_of(["prerequisite", "related"])
}

pub fn response_type(_: &mut SchemaGenerator) -> Schema {
    one_of(["diagnostic", "teach", "review"])
}

pub fn tutor(_: &mut SchemaGenerator) -> Schema {
    one_of_or_none(&["etude", "outside"])
}

pub fn format(_: &mut SchemaGenerator) -> Schema {
    one_of(Format::ALL.iter().map(|format| format.name()))
}

pub fn quality(_: &mut SchemaGenerator) -> Schema {
    json_schema!({
        "type": "integer",
        "minimum": 0,
        "maximum": 5,
        "description": "How good an answer was: 0 no idea, 1 wrong, 2 wrong but close, 3 right with effort, 4 right, 5 perfect",
    })
}

pub fn id(_: &mut SchemaGenerator) -> Schema {
    json_schema!({"type": "string", "format": "uuid"})
}

pub fn optional_id(_: &mut SchemaGenerator) -> Schema {
    json_schema!({"type": ["string", "null"], "format": "uuid"})
}

pub fn moment(_: &mut SchemaGenerator) -> Schema {
    json_schema!({"type": "string", "format": "date-time"})
}

pub fn optional_moment(_: &mut SchemaGenerator) -> Schema {
    json_schema!({"type": ["string", "null"], "format": "date-time"})
}

/// The head of a map.
pub fn header(generator: &mut SchemaGenerator) -> Schema {
    json_schema!({
        "type": "object",
        "description": "A map without its concepts",
        "properties": {
            "mind_map_id": id(generator),
            "title": {"type": "string"},
            "status": {"type": "string", "enum": ["active", "completed", "abandoned"]},
            "metadata": {
                "type": "object",
                "properties": {
                    "goal": {"type": ["string", "null"]},
                    "curriculum": {"type": ["string", "null"]},
                    "is_imported": {"type": "boolean"},
                    "resumed_from": {"type": "string"},
                },
            },
            "node_count": {"type": "integer", "minimum": 0},
            "created_at": moment(generator),
        },
        "required": ["mind_map_id", "title", "status", "metadata", "node_count", "created_at"],
    })
}

pub fn edge(generator: &mut SchemaGenerator) -> Schema {
    json_schema!({
        "type": "object",
        "properties": {
            "parent_node_id": id(generator),
            "child_node_id": id(generator),
            "edge_type": edge_type(generator),
        },
        "required": ["parent_node_id", "child_node_id", "edge_type"],
    })
}

pub fn edges(generator: &mut SchemaGenerator) -> Schema {
    json_schema!({"type": "array", "items": edge(generator)})
}

/// One answered question.
pub fn response(generator: &mut SchemaGenerator) -> Schema {
    json_schema!({
        "type": "object",
        "properties": {
            "node_id": id(generator),
            "mind_map_id": id(generator),
            "question_text": {"type": "string"},
            "user_answer": {"type": "string"},
            "quality": quality(generator),
            "response_type": response_type(generator),
            "responded_at": moment(generator),
        },
        "required": [
            "node_id", "mind_map_id", "question_text", "user_answer", "quality", "response_type", "responded_at",
        ],
    })
}

/// A review that is to come.
pub fn schedule(generator: &mut SchemaGenerator) -> Schema {
    json_schema!({
        "type": "object",
        "properties": {
            "name": {"type": "string", "description": "review-{node_id}-rep{repetitions}, or review-batch-{mind_map_id}"},
            "mind_map_id": id(generator),
            "node_id": optional_id(generator),
            "dispatch_mode": {"type": "string"},
            "run_at": moment(generator),
            "until_at": moment(generator),
        },
        "required": ["name", "mind_map_id", "node_id", "dispatch_mode", "run_at", "until_at"],
    })
}

/// What somebody has to know to go on with a course, in four parts.
pub fn context(generator: &mut SchemaGenerator) -> Schema {
    json_schema!({
        "type": "object",
        "properties": {
            "flow_state": state(generator),
            "frontier": generator.subschema_for::<Vec<crate::courses::teaching::NodeView>>(),
            "recent_responses": {"type": "array", "items": response(generator)},
            "memory": {
                "type": "object",
                "description": "What is known about the learner over all courses; left out when it cannot be had",
                "properties": {
                    "preferences": {"type": "object"},
                    "courses": {"type": "array", "items": {"type": "object"}},
                    "strongest": {"type": "array", "items": {"type": "object"}},
                    "struggling": {"type": "array", "items": {"type": "object"}},
                },
            },
        },
        "required": ["flow_state", "frontier", "recent_responses"],
    })
}

/// The numbers of a course.
pub fn analytics(generator: &mut SchemaGenerator) -> Schema {
    let share = json!({"type": ["number", "null"], "minimum": 0, "maximum": 1});
    json_schema!({
        "type": "object",
        "properties": {
            "mind_map_id": optional_id(generator),
            "title": {"type": "string"},
            "at": moment(generator),
            "nodes": {"type": "integer", "minimum": 0},
            "mastered": {"type": "integer", "minimum": 0},
            "mastery_pct": {"type": "number", "minimum": 0, "maximum": 1},
            "velocity_per_week": {"type": "number", "description": "Concepts mastered per week"},
            "retention_7d": share,
            "retention_30d": share,
            "struggling": {"type": "array", "items": {"type": "object"}},
            "strongest_area": {"type": ["object", "null"]},
            "estimated_completion_at": optional_moment(generator),
            "best_time_of_day": {"enum": ["night", "morning", "afternoon", "evening", null]},
            "times_of_day": {"type": "array", "items": {"type": "object"}},
            "mastered_by_week": {"type": "array", "items": {"type": "integer", "minimum": 0}},
        },
        "required": [
            "mind_map_id", "title", "at", "nodes", "mastered", "mastery_pct", "velocity_per_week", "retention_7d",
            "retention_30d", "struggling", "strongest_area", "estimated_completion_at", "best_time_of_day",
        ],
    })
}

/// How a learner wants to be taught and reached.
pub fn profile(_: &mut SchemaGenerator) -> Schema {
    json_schema!({
        "type": "object",
        "properties": profile_properties(),
        "required": ["memory", "desired_retention", "time_zone", "day_starts_at", "preferred_channel"],
    })
}

/// Some of a profile; what is left out stays.
pub fn profile_changes(_: &mut SchemaGenerator) -> Schema {
    let mut properties = profile_properties();
    if let Value::Object(properties) = &mut properties {
        // A chat is linked by its own code, or not at all.
        properties.remove("telegram_chat");
    }
    json_schema!({"type": "object", "properties": properties, "additionalProperties": false})
}

fn profile_properties() -> Value {
    json!({
        "name": {"type": ["string", "null"]},
        "memory": {"enum": ["fsrs", "sm2"], "description": "Which memory model decides when something comes back"},
        "desired_retention": {"type": "number", "minimum": 0.7, "maximum": 0.97},
        "weights": {"type": ["array", "null"], "items": {"type": "number"}},
        "memory_chosen_by": {
            "enum": ["fit", "learner"],
            "description": "Who chose memory and weights; with fit, Etude takes every night what predicts the learner best",
        },
        "time_zone": {"type": "string", "description": "An IANA name such as Europe/Berlin"},
        "day_starts_at": {"type": "integer", "minimum": 0, "maximum": 23},
        "balances_load": {"type": "boolean"},
        "easy_days": {
            "type": "array", "items": {"type": "integer", "minimum": 1, "maximum": 7},
            "description": "Days of the week with few reviews, Monday = 1",
        },
        "gives_implicit_credit": {"type": "boolean"},
        "preferred_channel": {"enum": ["inbox", "telegram", "email"]},
        "reached_from_hour": {
            "type": "integer", "minimum": 0, "maximum": 23,
            "description": "The hour from which messages come that nobody waits for; from midnight to then there are none",
        },
        "telegram_chat": {"type": ["integer", "null"]},
        "email": {"type": ["string", "null"]},
        "wants_digest": {"type": "boolean"},
    })
}

fn one_of<'a>(names: impl IntoIterator<Item = &'a str>) -> Schema {
    let names: Vec<&str> = names.into_iter().collect();
    json_schema!({"type": "string", "enum": names})
}

/// Callers leave an optional argument out, or write `null`.
fn one_of_or_none(names: &[&str]) -> Schema {
    let names: Vec<Option<&str>> = names.iter().copied().map(Some).chain([None]).collect();
    json_schema!({"enum": names})
}
