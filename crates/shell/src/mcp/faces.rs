//! Offers the tools of flows: a loop over their verbs and looks.

use super::tool::{Answering, Caller, Does, LEARNER, Refusal, Tool, schema_of};
use crate::engine::app::App;
use crate::engine::call::{Call, call, prepare};
use crate::engine::failure::Failure;
use crate::engine::flows::{FlowEntry, Flows};
use crate::engine::look::look;
use crate::engine::setting::scope_of;
use crate::engine::turn::{Request, objection, view_of};
use crate::engine::via::Via;
use crate::engine::view::Answer;
use crate::learners::language;
use coaching::face::{self, Answers, Face, Look, SchemaOf, Verb, schema};
use coaching::rejected::Rejected;
use coaching::turn::Source;
use rmcp::model::JsonObject;
use serde_json::{Map, Value, json};
use std::sync::Arc;

/// The outcome of a completed flow.
const DONE: &str = "done";
/// The codes of refusals that concern only the input: other input would be taken.
const ABOUT_INPUT: &[&str] = &["bad_payload", "no_text", "unclear", "no_curriculum"];

/// Returns the tools of every flow.
pub fn tools(flows: &Flows) -> Vec<Tool> {
    flows.entries().filter_map(|entry| Some(of_face(entry.face?))).flatten().collect()
}

fn of_face(face: Face) -> Vec<Tool> {
    let verbs = face.verbs.iter().filter_map(|verb| Some(of_verb(face, verb, verb.tool?)));
    let looks = face.looks.iter().filter_map(|look| Some(of_look(face, look, look.tool?)));
    verbs.chain(looks).collect()
}

fn of_verb(face: Face, verb: &'static Verb, tool: face::Tool) -> Tool {
    let does = match verb.does {
        face::Does::Ends(_) => Does::Ends,
        face::Does::Sets(_) => Does::Sets,
        _ => Does::Adds,
    };
    let gives = match tool.answers {
        Answers::View => without_desk(schema_of(schema::<Answer>)),
        Answers::More(more) => with_said(schema_of(more)),
        Answers::Payload(payload) => schema_of(payload),
        Answers::Nothing => schema_of(nothing),
        Answers::Look(name) => face
            .looks
            .iter()
            .find(|look| look.name == name)
            .map_or_else(JsonObject::new, |look| given(look.gives)),
    };
    let run = move |caller: Caller, given: Value| -> Answering {
        Box::pin(async move { use_verb(&caller, face, verb, tool, given).await })
    };
    Tool::of_face(tool, does, (takes(face, verb.payload, tool), gives), run)
}

fn of_look(face: Face, about: &'static Look, tool: face::Tool) -> Tool {
    let run = move |caller: Caller, given: Value| -> Answering {
        Box::pin(async move { Ok(show(&caller, face, about, tool, given).await?) })
    };
    let schemas = (takes(face, about.takes, tool), given(about.gives));
    Tool::of_face(tool, Does::Reads, schemas, run)
}

/// Returns the input schema of a tool: the id of the flow, the fields of the verb or the look, and the learner.
fn takes(face: Face, payload: Option<SchemaOf>, tool: face::Tool) -> JsonObject {
    let mut schema = payload.map_or_else(
        || json!({"type": "object"}).as_object().cloned().unwrap_or_default(),
        |payload| schema_of(payload),
    );
    let mut properties = Map::new();
    if let Some(id) = tool.id {
        let about = match face.find {
            Some(_) => "The course's id.",
            None => "The id of the flow.",
        };
        properties.insert(id.to_owned(), json!({"type": "string", "description": about}));
    }
    let own = schema.remove("properties").and_then(|own| own.as_object().cloned()).unwrap_or_default();
    properties.extend(own);
    let learner = "The learner, if not the usual one.";
    properties.insert(LEARNER.to_owned(), json!({"type": ["string", "null"], "description": learner}));
    schema.insert("properties".to_owned(), Value::Object(properties));
    schema.insert("additionalProperties".to_owned(), json!(false));
    // A call that names a concept need not name its course.
    let is_found = face.find.is_some() && properties_of(&schema).any(|name| name.ends_with("node_id"));
    if let Some(id) = tool.id.filter(|_| !is_found) {
        let required = schema.entry("required").or_insert_with(|| json!([]));
        if let Some(required) = required.as_array_mut().filter(|required| !required.contains(&json!(id))) {
            required.insert(0, json!(id));
        }
    }
    schema
}

/// Removes the desk from a schema. An assistant reads what was said and the state of the flow; the desk would
/// repeat both.
fn without_desk(mut schema: JsonObject) -> JsonObject {
    if let Some(properties) = schema.get_mut("properties").and_then(Value::as_object_mut) {
        properties.shift_remove("desk");
    }
    schema
}

fn properties_of(schema: &JsonObject) -> impl Iterator<Item = &String> {
    schema.get("properties").and_then(Value::as_object).into_iter().flat_map(Map::keys)
}

fn with_said(mut schema: JsonObject) -> JsonObject {
    let said = schema_of(face::schema::<Vec<coaching::desk::Line>>);
    if let Some(properties) = schema.get_mut("properties").and_then(Value::as_object_mut) {
        properties.insert("said".to_owned(), Value::Object(said));
    }
    schema
}

fn nothing(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
    schemars::json_schema!({
        "type": "object",
        "properties": {"result": {"type": "null"}},
        "required": ["result"],
    })
}

async fn use_verb(
    caller: &Caller,
    face: Face,
    verb: &'static Verb,
    tool: face::Tool,
    given: Value,
) -> Result<Value, Refusal> {
    let asked = Asked::read(caller, face, tool, verb.payload, given).await?;
    if !asked.id.is_empty() {
        check_owner(caller, &asked.id, &asked.learner).await?;
    }
    match used(caller, verb, tool, &asked).await {
        Ok(answer) => Ok(answer),
        Err(failure) => Err(Refusal { tools: usable(&caller.app, face, &asked.id).await, failure }),
    }
}

async fn used(
    caller: &Caller,
    verb: &'static Verb,
    tool: face::Tool,
    Asked { entry, learner, id, given }: &Asked,
) -> Result<Value, Failure> {
    let prepared = prepare(verb, id, given.clone(), caller.key.as_deref());
    let made = Call {
        entry,
        verb,
        id,
        learner,
        prepared: prepared.clone(),
        chosen: verb.event_for(given),
        key: caller.key.clone(),
        via: Via::Caller,
    };
    let mut answer = match call(&caller.app, made).await {
        Ok(answer) => answer,
        Err(Failure::Over { state, .. }) if is_transition(tool) => return Err(stays(&state, verb)),
        Err(failure) => return Err(language::told(&caller.app, failure, learner, None).await),
    };
    language::translate(&caller.app, &mut answer, None).await?;
    answer.view.desk = None;
    Ok(match tool.answers {
        Answers::View => json!(answer),
        Answers::More(more) => {
            let mut shown = named_by(more, answer.view.data);
            if !answer.said.is_empty() {
                shown.insert("said".to_owned(), json!(answer.said));
            }
            Value::Object(shown)
        }
        Answers::Payload(payload) => Value::Object(named_by(payload, prepared)),
        Answers::Nothing => json!({"result": null}),
        Answers::Look(name) => {
            let seen =
                look(&caller.app, learner, |shelf| entry.handlers.get().look(name, id, &prepared, shelf));
            match seen.await {
                Ok(seen) => seen,
                Err(failure) => return Err(language::told(&caller.app, failure, learner, None).await),
            }
        }
    })
}

/// Returns the schema of a look's answer, without its examples: a model sees enough of them when it looks.
fn given(gives: SchemaOf) -> JsonObject {
    let mut schema = schema_of(gives);
    schema.remove("examples");
    schema
}

/// Returns the tools that a flow would take now. Each is tried without being taken, because the law allows more
/// events than the flow does.
async fn usable(app: &App, face: Face, id: &str) -> Vec<&'static str> {
    let Ok(placed) = app.load(id).await else { return Vec::new() };
    let own = placed.entry.face.map(|face| face.verbs).unwrap_or_default();
    let (allowed, is_over) = (view_of(&placed).allowed, placed.row.outcome.is_some());
    let mut tools = Vec::new();
    for (verb, tool) in face.verbs.iter().filter_map(|verb| Some((verb, verb.tool?))) {
        let can = match verb.does {
            // A completed flow is not resumed.
            face::Does::Opens => {
                is_over && (tool.id.is_none() || placed.row.outcome.as_deref() != Some(DONE))
            }
            face::Does::OpensBeside => false,
            _ => {
                let own = own.iter().find(|known| known.name == verb.name);
                let events = own.map(|own| own.events()).unwrap_or_default();
                would_take(
                    app,
                    id,
                    verb,
                    events.iter().filter(|event| allowed.contains(&(**event).to_owned())),
                )
                .await
            }
        };
        if can {
            tools.push(tool.name);
        }
    }
    tools
}

/// Whether a flow would take one of these events, given the right input.
async fn would_take(app: &App, id: &str, verb: &Verb, events: impl Iterator<Item = &&'static str>) -> bool {
    let body = if needs_something(verb) { json!({"text": "?"}) } else { json!({}) };
    for event in events {
        let payload = prepare(verb, id, body.clone(), None);
        let tried = Request { payload, ..Request::new(id, event, Source::User) };
        match objection(app, &tried).await {
            Ok(None) => return true,
            Ok(Some(rejected)) if ABOUT_INPUT.contains(&rejected.code) => return true,
            _ => {}
        }
    }
    false
}

fn needs_something(verb: &Verb) -> bool {
    let required =
        verb.payload.map(|payload| schema_of(payload)).and_then(|schema| schema.get("required").cloned());
    required.is_some_and(|required| required.as_array().is_some_and(|names| !names.is_empty()))
}

/// Whether a verb asks for a transition rather than for an answer.
fn is_transition(tool: face::Tool) -> bool {
    matches!(tool.answers, Answers::More(_) | Answers::Nothing)
}

fn stays(state: &str, verb: &Verb) -> Failure {
    Failure::Rejected(Rejected {
        code: "invalid_transition",
        message: format!("invalid transition from `{state}` by `{}`: what is {state} stays so", verb.name)
            .into(),
        cure: "start a new one; a course that was abandoned can be resumed".into(),
    })
}

/// Returns the fields of a value that a schema names.
fn named_by(schema: SchemaOf, value: Value) -> Map<String, Value> {
    let named = schema_of(schema);
    let is_named = |name: &String| named.get("properties").is_some_and(|all| all.get(name).is_some());
    let fields = value.as_object().cloned().unwrap_or_default();
    fields.into_iter().filter(|(name, _)| is_named(name)).collect()
}

async fn show(
    caller: &Caller,
    face: Face,
    about: &'static Look,
    tool: face::Tool,
    given: Value,
) -> Result<Value, Failure> {
    let Asked { entry, learner, id, given } = Asked::read(caller, face, tool, about.takes, given).await?;
    let seen = look(&caller.app, &learner, |shelf| entry.handlers.get().look(about.name, &id, &given, shelf));
    match seen.await {
        Ok(seen) => Ok(seen),
        Err(failure) => Err(language::told(&caller.app, failure, &learner, None).await),
    }
}

/// A call with its flow, its learner and the rest of its arguments.
struct Asked {
    entry: Arc<FlowEntry>,
    learner: String,
    /// The id of the flow; empty if the tool is about none.
    id: String,
    given: Value,
}

impl Asked {
    async fn read(
        caller: &Caller,
        face: Face,
        tool: face::Tool,
        payload: Option<SchemaOf>,
        given: Value,
    ) -> Result<Asked, Failure> {
        let entry = caller.app.flows.get(face.name).cloned();
        let entry =
            entry.ok_or_else(|| Failure::UnknownFlow { name: face.name.into(), known: Vec::new() })?;
        let Value::Object(mut given) = given else { return Err(unreadable("it must be an object")) };
        fits(&given, &takes(face, payload, tool))?;
        let named = text(&mut given, LEARNER)?;
        let learner = caller.learner(&named)?;
        let id = match tool.id {
            None => String::new(),
            Some(name) => match (text(&mut given, name)?, face.find) {
                (Some(id), _) => id,
                (None, Some(find)) => {
                    let given = Value::Object(given.clone());
                    look(&caller.app, &learner, |shelf| find(&given, shelf)).await?
                }
                (None, None) => return Err(unreadable(&format!("`{name}` is missing"))),
            },
        };
        Ok(Asked { entry, learner, id, given: Value::Object(given) })
    }
}

/// Checks that a flow belongs to the learner. Another learner's flow is reported as unknown.
async fn check_owner(caller: &Caller, id: &str, learner: &str) -> Result<(), Failure> {
    match caller.app.store.load(scope_of(id)).await? {
        Some(row) if row.learner == learner => Ok(()),
        _ => Err(Failure::UnknownInstance { id: id.to_owned() }),
    }
}

/// Checks arguments against a schema: no unknown fields, all required ones, and the plain types. Their content is
/// for the flow to judge.
fn fits(given: &Map<String, Value>, schema: &JsonObject) -> Result<(), Failure> {
    let required = schema.get("required").and_then(Value::as_array).into_iter().flatten();
    for name in required.filter_map(Value::as_str) {
        if !given.contains_key(name) {
            return Err(unreadable(&format!("missing field `{name}`")));
        }
    }
    let properties = schema.get("properties").and_then(Value::as_object);
    for (name, value) in given {
        let Some(field) = properties.and_then(|properties| properties.get(name)) else {
            return Err(unreadable(&format!("unknown field `{name}`")));
        };
        let is_wrong = match field["type"].as_str() {
            Some("string") => !value.is_string(),
            Some("boolean") => !value.is_boolean(),
            Some("object") => !value.is_object(),
            _ => false,
        };
        if is_wrong {
            return Err(unreadable(&format!("`{name}` has the wrong type")));
        }
    }
    Ok(())
}

fn text(given: &mut Map<String, Value>, name: &str) -> Result<Option<String>, Failure> {
    match given.remove(name) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(text)) => Ok(Some(text)),
        Some(_) => Err(unreadable(&format!("`{name}` is no text"))),
    }
}

fn unreadable(why: &str) -> Failure {
    Failure::Rejected(Rejected {
        code: "bad_arguments",
        message: format!("the arguments cannot be read: {why}").into(),
        cure: "the input schema of the tool says what it takes".into(),
    })
}
