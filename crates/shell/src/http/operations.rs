//! Lists every operation of the server. The routes and the OpenAPI document come from this one list.

use super::agent::{self, Sessions, SwitchBody};
use super::auth::{self, Who};
use super::faces::{self, OpenAnyBody};
use super::files::{self, Taken};
use super::home::{self, Home, ProgressView};
use super::laws::{self, CheckBody, LawView, StepBody, Stepped};
use super::learner::{self, Changes, DeleteBody, Settings, TestBody, Tested};
use super::microphone::{self, VoiceView};
use super::page;
use super::problem::ProblemJson;
use super::request::{self, InPath, InQuery};
use super::serve::Server;
use super::telegram;
use super::watching;
use crate::agent::{AgentTurn, AgentTurned};
use crate::engine::app::App;
use crate::engine::failure::Failure;
use crate::engine::flows::{FlowEntry, Flows};
use crate::engine::turn::{self, Opening, Request as Event};
use crate::engine::view::{self, Answer, Log, Rows, View};
use crate::learners::access::Access;
use crate::learners::language;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, header};
use axum::middleware::from_fn;
use axum::response::sse::{Event as SseEvent, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use axum::routing::{MethodRouter, get, post};
use axum::{Json, Router};
use coaching::desk::Offer;
use coaching::face::{self, Does, Face, NEEDS, SchemaOf, Verb, schema};
use coaching::turn::Source;
use coaching::words::Text;
use flow::{Bounds, Machine, Overrides};
use futures_util::stream::{self, Stream, StreamExt};
use schemars::{JsonSchema, SchemaGenerator};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use std::collections::{BTreeSet, HashMap};
use std::convert::Infallible;
use std::time::Duration;
use store::{Cursor, Filter, LogEntry, Store, StoreError};
use tokio::sync::broadcast::error::RecvError;

type Shared = State<Server>;

/// The opening of a flow.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct OpenBody {
    /// The name of the flow; `GET /api/flows` lists them.
    pub flow: String,
    /// The learner; if left out, `me` for the owner, and otherwise the caller.
    #[serde(default)]
    pub learner: Option<String>,
    /// The input that the flow needs to begin.
    #[serde(default)]
    pub opening: Value,
    /// Constants of the law, for this one instance.
    #[serde(default)]
    pub set: Overrides,
    /// An id chosen by the caller, so that the request can be repeated safely.
    #[serde(default)]
    pub id: Option<String>,
}

/// An event for a flow.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct EventBody {
    pub event: String,
    #[serde(default)]
    pub payload: Value,
    /// The facts that hold, for laws that leave their facts to the sender.
    #[serde(default)]
    pub facts: Vec<String>,
    /// The version at which the flow must be; otherwise the event is refused.
    #[serde(default)]
    pub expect_version: Option<u64>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct ListQuery {
    flow: Option<String>,
    state: Option<String>,
    learner: Option<String>,
    open: Option<bool>,
    cursor: Option<String>,
    limit: Option<usize>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct LogQuery {
    after: Option<u64>,
    limit: Option<usize>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct FlowList {
    flows: Vec<FlowRow>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct FlowRow {
    name: String,
    version: String,
    /// The purpose of the flow; empty for a law without Rust of its own.
    about: String,
    states: Vec<String>,
    events: Vec<String>,
    /// The verbs that it offers.
    verbs: Vec<VerbRow>,
    /// Whether its law was sent here, so that it can be withdrawn.
    sent: bool,
}

/// A verb of a flow.
#[derive(Debug, Serialize, JsonSchema)]
struct VerbRow {
    name: String,
    title: String,
    help: String,
    /// Whether it opens the flow.
    opens: bool,
    /// Whether it is for the learner, and not for a program.
    for_learner: bool,
    /// The schema of its input; null if it takes none.
    takes: Value,
}

#[derive(Debug, Serialize, JsonSchema)]
struct DeadList {
    effects: Vec<DeadRow>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct DeadRow {
    key: String,
    instance: String,
    kind: String,
    attempts: u64,
    reason: String,
}

/// One operation: its route, and its part of the contract.
pub(super) struct Operation {
    pub id: String,
    pub method: &'static str,
    pub path: String,
    pub summary: String,
    /// Parameters after the path, with their types.
    pub query: Vec<(String, &'static str)>,
    pub body: Option<Body>,
    /// The statuses of a success, the usual one first. Without a schema the answer is a stream of events.
    pub statuses: &'static [u16],
    pub answer: Option<SchemaOf>,
    /// The media types of input and answer.
    pub body_kind: &'static str,
    pub answer_kind: &'static str,
    /// The schema of additional fields beside those of the answer.
    pub beside: Option<SchemaOf>,
    pub fails: &'static [u16],
    /// Whether the operation takes an idempotency key.
    pub is_repeatable: bool,
    /// Whether learners may use it, for their own data. All other operations are for the owner.
    pub is_for_learners: bool,
    pub route: MethodRouter<Server>,
}

/// The input of an operation.
pub(super) struct Body {
    pub schema: SchemaOf,
    /// Whether it may also name the learner of the new flow.
    pub names_learner: bool,
}

/// Creates an operation that changes nothing.
pub(super) fn reading(
    id: impl Into<String>,
    path: impl Into<String>,
    summary: &str,
    route: MethodRouter<Server>,
) -> Operation {
    Operation {
        id: id.into(),
        method: "get",
        path: path.into(),
        summary: summary.to_owned(),
        query: Vec::new(),
        body: None,
        statuses: &[200],
        answer: None,
        body_kind: JSON,
        answer_kind: JSON,
        beside: None,
        fails: &[400, 401, 404, 503],
        is_repeatable: false,
        is_for_learners: false,
        route,
    }
}

pub(super) fn moving(id: &str, path: &str, summary: &str, route: MethodRouter<Server>) -> Operation {
    Operation { method: "post", fails: MOVES, is_repeatable: true, ..reading(id, path, summary, route) }
}

impl Operation {
    fn takes<T: JsonSchema>(self) -> Operation {
        Operation { body: Some(Body { schema: schema::<T>, names_learner: false }), ..self }
    }

    fn asked_with(self, query: &[(&str, &'static str)]) -> Operation {
        let query = query.iter().map(|(name, kind)| ((*name).to_owned(), *kind)).collect();
        Operation { query, ..self }
    }

    pub(super) fn gives<T: JsonSchema>(self) -> Operation {
        Operation { answer: Some(schema::<T>), ..self }
    }

    pub(super) fn fails(self, fails: &'static [u16]) -> Operation {
        Operation { fails, ..self }
    }

    /// Returns every status of a refusal: those of this operation, those of its body, and those that any request
    /// can get.
    fn refusals(&self) -> BTreeSet<u16> {
        let of_body: &[u16] = match (self.method, &self.body) {
            ("get", _) => &[],
            (_, None) => &[413],
            (_, Some(_)) => &[400, 413, 415, 422],
        };
        self.fails.iter().chain(of_body).chain(EVERYWHERE).copied().collect()
    }

    fn answers_with(self, statuses: &'static [u16]) -> Operation {
        Operation { statuses, ..self }
    }

    /// Marks a request that takes no key, so it cannot be repeated safely.
    fn once(self) -> Operation {
        Operation { is_repeatable: false, ..self }
    }

    pub(super) fn for_learners(self) -> Operation {
        Operation { is_for_learners: true, ..self }
    }
}

const JSON: &str = "application/json";
const FILE: &str = "application/octet-stream";

/// The bytes of a file.
#[derive(Debug, JsonSchema)]
#[expect(dead_code, reason = "only its schema is used")]
struct FileBytes(String);

/// The refusals that any request can get: no token, not for this token, too slow, an unknown host name, a defect or
/// damaged data, no database.
const EVERYWHERE: &[u16] = &[401, 403, 408, 421, 500, 503];
pub(super) const READS: &[u16] = &[400, 401, 404, 409, 422, 503];
const MOVES: &[u16] = &[400, 401, 404, 409, 413, 415, 422, 503, 507];
/// The refusals of an operation that creates something, which cannot be missing yet.
const BEGINS: &[u16] = &[400, 401, 409, 413, 415, 422, 503, 507];
const SWITCHES: &[u16] = &[400, 401, 413, 415, 422, 500, 503];
pub(super) const OPENED: &[u16] = &[201, 200];

const LIST_QUERY: &[(&str, &str)] = &[
    ("flow", "string"),
    ("state", "string"),
    ("learner", "string"),
    ("open", "boolean"),
    ("cursor", "string"),
    ("limit", "integer"),
];

/// Returns the operations that no face declares.
fn own_operations() -> Vec<Operation> {
    let rooms = [of_flows(), of_laws(), of_learners(), of_files(), of_sessions(), of_changes(), of_reports()];
    rooms.into_iter().flatten().collect()
}

/// Returns the operations on flows of any kind.
fn of_flows() -> Vec<Operation> {
    let instance = "/api/instances/{id}";
    let verb = "Use a verb of any flow with what it takes; with `If-Match: VERSION` only if the flow has not \
                moved on";
    vec![
        reading("list_flows", "/api/flows", "The flows that can be opened", get(list_flows))
            .gives::<FlowList>()
            .fails(&[401])
            .for_learners(),
        moving("open_instance", "/api/instances", "Open a flow", post(open_instance))
            .answers_with(OPENED)
            .takes::<OpenBody>()
            .gives::<Answer>()
            .fails(BEGINS)
            .for_learners(),
        reading("list_instances", "/api/instances", "Flows, newest first", get(list_instances))
            .asked_with(LIST_QUERY)
            .gives::<Rows>()
            .fails(&[400, 401, 422, 503])
            .for_learners(),
        reading(
            "view_instance",
            instance,
            "Where a flow stands and what can be sent to it",
            get(view_instance),
        )
        .gives::<View>()
        .fails(&[400, 401, 404, 409, 503])
        .for_learners(),
        moving(
            "send_event",
            "/api/instances/{id}/events",
            "Send an event; repeatable with an Idempotency-Key header",
            post(send_event),
        )
        .takes::<EventBody>()
        .gives::<Answer>()
        .for_learners(),
        moving("use_verb", "/api/instances/{id}/verbs/{verb}", verb, post(faces::use_any))
            .takes::<Map<String, Value>>()
            .gives::<Answer>()
            .for_learners(),
        moving(
            "open_flow",
            "/api/flows/{flow}/open",
            "Open any flow with what its opening verb takes",
            post(faces::open_any),
        )
        .answers_with(OPENED)
        .takes::<OpenAnyBody>()
        .gives::<Answer>()
        .for_learners(),
    ]
}

/// Returns the operations on laws: to read, check and serve them.
fn of_laws() -> Vec<Operation> {
    vec![
        reading(
            "read_law",
            "/api/flows/{flow}/law",
            "The law of a flow, what runs, and its proof",
            get(laws::law_of),
        )
        .gives::<LawView>()
        .fails(READS)
        .for_learners(),
        moving(
            "check_law",
            "/api/laws/check",
            "Check a law before it runs; the walk is bounded",
            post(laws::check),
        )
        .once()
        .takes::<CheckBody>()
        .gives::<LawView>()
        .for_learners(),
        moving(
            "step_law",
            "/api/laws/step",
            "Take one step of a law by hand; nothing is kept",
            post(laws::step),
        )
        .once()
        .takes::<StepBody>()
        .gives::<Stepped>()
        .for_learners(),
        moving(
            "serve_law",
            "/api/laws",
            "Serve a law that holds, now and after the next start",
            post(laws::serve),
        )
        .answers_with(&[201])
        .once()
        .takes::<CheckBody>()
        .gives::<LawView>()
        .fails(BEGINS),
        moving(
            "withdraw_law",
            "/api/flows/{flow}/withdraw",
            "Take out a law that was sent here; its open flows go on",
            post(laws::withdraw),
        )
        .once()
        .gives::<Value>()
        .fails(&[400, 401, 404, 422, 503, 507]),
    ]
}

/// Returns the operations on a learner's first page and own affairs.
fn of_learners() -> Vec<Operation> {
    vec![
        reading(
            "read_home",
            "/api/home",
            "What is due, what is under way and what comes back",
            get(home::home),
        )
        .asked_with(&[("learner", "string")])
        .gives::<Home>()
        .fails(READS)
        .for_learners(),
        reading("read_progress", "/api/progress", "How learning goes, in numbers", get(home::progress))
            .asked_with(&[("learner", "string")])
            .gives::<ProgressView>()
            .fails(READS)
            .for_learners(),
        reading(
            "read_settings",
            "/api/learners/{id}",
            "How a learner is taught and reached",
            get(learner::settings),
        )
        .gives::<Settings>()
        .fails(READS)
        .for_learners(),
        moving(
            "change_settings",
            "/api/learners/{id}",
            "Change some fields of a learner's profile",
            post(learner::change),
        )
        .once()
        .takes::<Changes>()
        .gives::<Settings>()
        .for_learners(),
        reading(
            "export_learner",
            "/api/learners/{id}/export",
            "Everything that is kept about a learner",
            get(learner::export),
        )
        .gives::<Value>()
        .fails(READS)
        .for_learners(),
        moving(
            "delete_learner",
            "/api/learners/{id}/delete",
            "Delete everything about a learner, for good",
            post(learner::delete),
        )
        .once()
        .takes::<DeleteBody>()
        .gives::<Value>()
        .for_learners(),
        moving(
            "test_channel",
            "/api/learners/{id}/test-message",
            "Send the learner a message, to see whether it arrives",
            post(learner::test_channel),
        )
        .once()
        .takes::<TestBody>()
        .gives::<Tested>()
        .for_learners(),
        moving("test_model", "/api/model/test", "Ask the model something small", post(learner::test_model))
            .once()
            .gives::<Tested>(),
    ]
}

/// Returns the operations that import and export packs, curricula and problems as files.
fn of_files() -> Vec<Operation> {
    let import = "Take in a pack, a curriculum, a problem (.yaml) or a deck of cards (.apkg, .csv, .tsv)";
    vec![
        Operation {
            is_repeatable: false,
            statuses: &[201],
            answer_kind: JSON,
            body_kind: FILE,
            ..moving("import_file", files::PATH, import, post(files::import))
        }
        .asked_with(files::QUERY)
        .takes::<FileBytes>()
        .gives::<Taken>()
        .fails(&[400, 401, 409, 413, 422, 503, 507]),
        Operation {
            answer_kind: FILE,
            ..reading(
                "export_pack",
                "/api/packs/{id}/export",
                "A pack as a deck of cards, with the learner's history",
                get(files::export),
            )
        }
        .asked_with(&[("format", "string"), ("learner", "string")])
        .gives::<FileBytes>()
        .fails(READS)
        .for_learners(),
    ]
}

/// Returns the operations on sessions of coding agents.
fn of_sessions() -> Vec<Operation> {
    vec![
        reading(
            "list_sessions",
            "/api/agent/sessions",
            "The sessions of coding agents, and what the coach did",
            get(agent::sessions),
        )
        .gives::<Sessions>()
        .fails(&[401, 503]),
        moving(
            "switch_agents",
            "/api/agent/switch",
            "Switch the coach of all agents on or off",
            post(agent::switch),
        )
        .once()
        .takes::<SwitchBody>()
        .gives::<Sessions>()
        .fails(SWITCHES),
    ]
}

/// Returns the operations on the past and the present events of flows.
fn of_changes() -> Vec<Operation> {
    let log = "Every transition of a flow after a version; a page ends early when it grows large, the last one \
               is empty";
    let changes = "Server-sent events: `change` with the version whenever a flow moves, `coach` while its \
                   coach asks a model, with the sentences that can be read already, and `said` with lines that no \
                   caller has waited for";
    let voice = "Whether a flow can be held by voice; with `Upgrade: websocket`, the microphone and the coach's \
                 voice";
    let all = "Server-sent events: the changes of all flows, on SQLite those that this server makes; `missed` \
               tells that some went by";
    vec![
        reading("read_log", "/api/instances/{id}/log", log, get(read_log))
            .asked_with(&[("after", "integer"), ("limit", "integer")])
            .gives::<Log>()
            .for_learners(),
        reading("watch_instance", "/api/instances/{id}/changes", changes, get(watching::watch_instance))
            .for_learners(),
        reading("talk", "/api/instances/{id}/voice", voice, get(microphone::talk))
            .asked_with(&[("language", "string")])
            .gives::<VoiceView>()
            .fails(READS)
            .for_learners(),
        reading("watch_all", "/api/changes", all, get(watch_all)).fails(&[401]).for_learners(),
        reading(
            "read_key",
            "/api/kv/{key}",
            "The data of a flow as a key-value store sees it: `flow:ID`",
            get(read_key),
        )
        .gives::<Value>()
        .for_learners(),
    ]
}

/// Returns the operations for reports from programs and for effects that failed for good.
fn of_reports() -> Vec<Operation> {
    let turn = "Report what an agent did; the answer says whether to send it on or to call a human";
    vec![
        moving("agent_turn", "/api/agent/turn", turn, post(agent::turn))
            .once()
            .takes::<AgentTurn>()
            .gives::<AgentTurned>()
            .fails(BEGINS),
        reading(
            "agent_live",
            "/api/agent/live",
            "Server-sent events: session, decision and watchdog, of every agent",
            get(agent::live),
        )
        .fails(&[401]),
        reading(
            "list_dead_effects",
            "/api/dead",
            "Effects that failed for good, with the reason",
            get(list_dead),
        )
        .gives::<DeadList>()
        .fails(&[401, 503]),
    ]
}

/// Returns the query parameters for the fields of a schema.
pub(super) fn parameters(takes: SchemaOf) -> Vec<(String, &'static str)> {
    let schema = inline(takes);
    let properties = schema.get("properties").and_then(Value::as_object).into_iter().flatten();
    let kind = |field: &Value| match field["type"].as_str() {
        Some("boolean") => "boolean",
        Some("integer") => "integer",
        _ => "string",
    };
    properties.map(|(name, field)| (name.clone(), kind(field))).collect()
}

/// Generates a schema without references.
fn inline(schema: SchemaOf) -> Value {
    let settings =
        schemars::generate::SchemaSettings::draft2020_12().with(|settings| settings.inline_subschemas = true);
    schema(&mut settings.into_generator()).to_value()
}

fn operations(flows: &Flows) -> Vec<Operation> {
    own_operations().into_iter().chain(faces::operations(flows)).collect()
}

/// The size at which a page of a log ends; it is read in steps until then.
const MAX_PAGE_BYTES: usize = 4 << 20;
const LOG_STEP: usize = 16;

/// Creates the routes of every operation, and a few that are not part of the contract.
pub fn router(flows: &Flows) -> Router<Server> {
    let contract = Bytes::from(openapi(flows).to_string());
    let routes = operations(flows).into_iter().fold(Router::new(), |router, op| {
        let route = if op.is_for_learners { op.route } else { op.route.layer(from_fn(auth::owner_only)) };
        router.route(&op.path, route)
    });
    routes
        .route("/open", get(page::redeem))
        .route(auth::SIGN_IN, post(page::sign_in))
        .route("/sign-out", post(page::sign_out))
        .route("/healthz", get(|| async { "ok\n" }))
        .route("/readyz", get(ready))
        .route("/metrics", get(metrics_text).layer(from_fn(auth::owner_only)))
        .route(telegram::PATH, post(telegram::take))
        // The contract needs no token and is the same for everyone, so it is built once.
        .route("/openapi.json", get(async move || ([(header::CONTENT_TYPE, "application/json")], contract)))
        .fallback(page::show)
        .method_not_allowed_fallback(wrong_method)
}

/// Returns the contract, generated from the list above.
pub fn openapi(flows: &Flows) -> Value {
    let settings = schemars::generate::SchemaSettings::draft2020_12()
        .with(|settings| settings.definitions_path = "/components/schemas".into());
    let mut generator = settings.into_generator();
    let problem = schema::<ProblemJson>(&mut generator);
    let mut paths: Map<String, Value> = Map::new();
    for op in operations(flows) {
        let described = describe(&op, &mut generator, &problem);
        let path = paths.entry(op.path).or_insert_with(|| json!({}));
        path[op.method] = described;
    }
    json!({
        "openapi": "3.1.0",
        "info": {"title": "Etude", "version": env!("CARGO_PKG_VERSION"), "license": {"name": "MIT OR Apache-2.0"}},
        "security": [{"bearer": []}],
        "paths": paths,
        "components": {
            "securitySchemes": {"bearer": {"type": "http", "scheme": "bearer"}},
            "schemas": generator.take_definitions(true),
        },
    })
}

fn describe(op: &Operation, generator: &mut SchemaGenerator, problem: &schemars::Schema) -> Value {
    let in_path = op.path.split('/').filter_map(|part| part.strip_prefix('{')?.strip_suffix('}'));
    let path_parameter =
        |name: &str| json!({"name": name, "in": "path", "required": true, "schema": {"type": "string"}});
    let query_parameter =
        |(name, kind): &(String, &str)| json!({"name": name, "in": "query", "schema": {"type": kind}});
    let mut parameters: Vec<Value> = in_path.map(path_parameter).collect();
    parameters.extend(op.query.iter().map(query_parameter));
    if op.is_repeatable {
        parameters.push(json!({
            "name": "Idempotency-Key", "in": "header", "schema": {"type": "string"},
            "description": "The same request with the same key is taken once",
        }));
    }
    let mut responses = Map::new();
    let content = match op.answer {
        Some(schema) => {
            let schema = schema(generator).to_value();
            let schema = match op.beside {
                Some(beside) => json!({"allOf": [schema, beside(generator)]}),
                None => schema,
            };
            json!({op.answer_kind: {"schema": schema}})
        }
        None => json!({"text/event-stream": {"schema": {"type": "string"}}}),
    };
    for status in op.statuses {
        responses.insert(status.to_string(), json!({"description": "done", "content": content}));
    }
    for status in op.refusals() {
        let content = json!({"application/problem+json": {"schema": problem}});
        responses.insert(status.to_string(), json!({"description": "a problem", "content": content}));
    }
    let mut described = json!({"operationId": op.id, "summary": op.summary, "parameters": parameters, "responses": responses});
    if let Some(body) = &op.body {
        let mut schema: Value = (body.schema)(generator).to_value();
        if body.names_learner {
            let whose = json!({"type": ["string", "null"], "description": "The learner; `me` if left out"});
            schema = json!({"allOf": [schema], "properties": {"learner": whose}});
        }
        let content = json!({op.body_kind: {"schema": schema}});
        described["requestBody"] = json!({"required": true, "content": content});
    }
    described
}

async fn list_flows(
    State(server): Shared,
    who: Who,
    headers: HeaderMap,
) -> Result<Json<FlowList>, ProblemJson> {
    let app = &*server.app;
    let language = language::of(app, who.access.usual(), None, faces::wish(&headers)).await?;
    let mut flows = Vec::new();
    for entry in &app.flows.all() {
        let machine = app.flows.machine_apart(entry, &Overrides::new(), Bounds::default()).await;
        flows.push(flow_row(app, entry, machine.ok().as_deref(), &language));
    }
    Ok(Json(FlowList { flows }))
}

fn flow_row(app: &App, entry: &FlowEntry, machine: Option<&Machine>, language: &str) -> FlowRow {
    let say = |text: &Text| app.words.say(language, text);
    let verb_row = |face: Face, verb: &Verb| {
        let offer = Offer::of(face.name, verb.name);
        VerbRow {
            name: verb.name.to_owned(),
            title: say(&offer.title),
            help: say(&offer.help),
            opens: matches!(verb.does, Does::Opens),
            for_learner: verb.who == face::Who::Learner,
            takes: verb.payload.map_or(Value::Null, inline),
        }
    };
    FlowRow {
        name: entry.name.clone(),
        version: entry.law.version.clone(),
        about: entry.face.map(|face| say(&face.about())).unwrap_or_default(),
        states: entry.law.states.iter().map(|state| state.name.name.clone()).collect(),
        events: machine.into_iter().flat_map(Machine::event_names).map(str::to_owned).collect(),
        verbs: entry
            .face
            .map(|face| face.verbs.iter().map(|verb| verb_row(face, verb)).collect())
            .unwrap_or_default(),
        sent: app.flows.is_served(&entry.name),
    }
}

async fn open_instance(
    State(server): Shared,
    who: Who,
    headers: HeaderMap,
    body: Bytes,
) -> Result<Response, ProblemJson> {
    let body: OpenBody = request::read(&headers, &body)?;
    let OpenBody { flow, learner, opening, set, id } = body;
    let learner = who.access.learner(learner.as_deref())?;
    let request = request::idempotency_key(&headers)?;
    let opening = Opening { flow, learner: learner.clone(), opening, set, id, request, ..Opening::default() };
    let mut answer = match turn::open(&server.app, opening).await {
        Ok(answer) => answer,
        Err(failure) => return Err(worded(&server.app, failure, &learner, &headers).await),
    };
    language::translate(&server.app, &mut answer, faces::wish(&headers)).await?;
    let status = if answer.repeated { StatusCode::OK } else { StatusCode::CREATED };
    Ok((status, Json(answer)).into_response())
}

async fn list_instances(
    State(server): Shared,
    who: Who,
    InQuery(query): InQuery<ListQuery>,
) -> Result<Json<Rows>, ProblemJson> {
    let bad_cursor = |error: store::NotACursor| {
        let cure = "give the `next` of the page before, or no cursor for the first page";
        ProblemJson::new(StatusCode::BAD_REQUEST, "bad_cursor", error.to_string(), cure)
    };
    let cursor = query.cursor.as_deref().map(str::parse::<Cursor>).transpose().map_err(bad_cursor)?;
    let learner = match (query.learner, who.access.only()) {
        (None, None) => None,
        (named, _) => Some(who.access.learner(named.as_deref())?),
    };
    let filter = Filter { flow: query.flow, state: query.state, learner, open: query.open };
    let limit = query.limit.unwrap_or(50).clamp(1, 500);
    let page = server.app.store.list(&filter, cursor.as_ref(), limit).await?;
    Ok(Json(Rows {
        instances: page.instances.iter().map(view::row).collect(),
        next: page.next.map(|cursor| cursor.to_string()),
    }))
}

async fn view_instance(
    State(server): Shared,
    who: Who,
    InPath(id): InPath,
    headers: HeaderMap,
) -> Result<Json<View>, ProblemJson> {
    let row = who.access.row(&server.app, &id).await?;
    let mut answer = Answer::of(turn::look(&server.app, row).await?);
    language::translate(&server.app, &mut answer, faces::wish(&headers)).await?;
    Ok(Json(answer.view))
}

async fn send_event(
    State(server): Shared,
    who: Who,
    InPath(id): InPath,
    headers: HeaderMap,
    body: Bytes,
) -> Result<Json<Answer>, ProblemJson> {
    let body: EventBody = request::read(&headers, &body)?;
    let request = request::idempotency_key(&headers)?;
    if who.access != Access::Owner {
        who.access.row(&server.app, &id).await?;
    }
    let event = Event {
        payload: body.payload,
        facts: body.facts,
        expect_version: body.expect_version.or(request::expected_version(&headers)?),
        request,
        ..Event::new(&id, &body.event, Source::User)
    };
    match turn::take(&server.app, event).await {
        Ok(mut answer) => {
            language::translate(&server.app, &mut answer, faces::wish(&headers)).await?;
            Ok(Json(answer))
        }
        Err(failure) => {
            let learner = server.app.row(&id).await.map(|row| row.learner).unwrap_or_default();
            Err(worded(&server.app, failure, &learner, &headers).await)
        }
    }
}

/// Converts a failure to a problem in the learner's language.
async fn worded(app: &App, failure: Failure, learner: &str, headers: &HeaderMap) -> ProblemJson {
    language::told(app, failure, learner, faces::wish(headers)).await.into()
}

async fn read_log(
    State(server): Shared,
    who: Who,
    InPath(id): InPath,
    InQuery(query): InQuery<LogQuery>,
) -> Result<Json<Log>, ProblemJson> {
    let store = &server.app.store;
    let row = who.access.row(&server.app, &id).await?;
    let unread = server.app.flows.find(&row.flow).map_or(NEEDS, |entry| entry.needs()).unread;
    let limit = query.limit.unwrap_or(200).clamp(1, 1000);
    let entries = log_page(store, &id, query.after.unwrap_or(0), limit).await?;
    let mut entries: Vec<view::Entry> = entries.iter().map(view::entry).collect();
    for entry in entries.iter_mut().filter(|entry| unread.contains(&entry.event.as_str())) {
        entry.payload = Value::Null;
    }
    Ok(Json(Log { entries }))
}

/// Reads a page of a log. An entry may be as large as a body, so a large page ends early.
async fn log_page(store: &Store, id: &str, after: u64, limit: usize) -> Result<Vec<LogEntry>, StoreError> {
    let (mut page, mut bytes): (Vec<LogEntry>, usize) = (Vec::new(), 0);
    while page.len() < limit && bytes < MAX_PAGE_BYTES {
        let after = page.last().map_or(after, |entry| entry.version);
        let some = store.log(id, after, LOG_STEP.min(limit - page.len())).await?;
        if some.is_empty() {
            break;
        }
        bytes += some.iter().map(|it| it.payload.len() + it.changes.len() + it.facts.len()).sum::<usize>();
        page.extend(some);
    }
    Ok(page)
}

/// How often a watcher looks at the store itself: notifications may get lost.
pub(super) const LOOK_EVERY: Duration = Duration::from_secs(1);

pub(super) type Events =
    Sse<axum::response::sse::KeepAliveStream<stream::BoxStream<'static, Result<SseEvent, Infallible>>>>;

/// Creates a stream of events that ends when the caller's token does.
pub(super) fn sse(
    server: &Server,
    who: Who,
    events: impl Stream<Item = Result<SseEvent, Infallible>> + Send + 'static,
) -> Events {
    let sent_away = Box::pin(who.until_sent_away(server.app.clone()));
    let events: stream::BoxStream<'static, _> = Box::pin(events.take_until(sent_away));
    Sse::new(events).keep_alive(KeepAlive::new().interval(Duration::from_secs(15)))
}

pub(super) fn change(id: &str, version: u64) -> SseEvent {
    let data = json!({"id": id, "version": version}).to_string();
    SseEvent::default().event("change").id(version.to_string()).data(data)
}

async fn watch_all(State(server): Shared, who: Who) -> Events {
    let (changes, gaps) = (server.app.store.changes(), server.app.store.gaps());
    let own = Own { access: who.access.clone(), known: HashMap::new() };
    let started = (server.clone(), changes, gaps, own);
    sse(
        &server,
        who,
        stream::unfold(started, |(server, mut changes, mut gaps, mut own)| async move {
            let mut stop = server.stop.clone();
            let missed = |count: String| SseEvent::default().event("missed").data(count);
            loop {
                let event = tokio::select! {
                    changed = changes.recv() => match changed {
                        Ok(told) if own.has(&server.app, &told.instance).await => change(&told.instance, told.version),
                        Ok(_) => continue,
                        Err(RecvError::Lagged(count)) => missed(count.to_string()),
                        Err(RecvError::Closed) => return None,
                    },
                    // The number of missed changes is unknown.
                    Ok(()) = gaps.changed() => missed("some".to_owned()),
                    _ = stop.changed() => return None,
                };
                return Some((Ok(event), (server, changes, gaps, own)));
            }
        }),
    )
}

/// The flows that a watcher may hear of.
struct Own {
    access: Access,
    known: HashMap<String, bool>,
}

/// The most flows whose owners a watcher remembers. On a busy server it then starts anew.
const MAX_KNOWN: usize = 10_000;

impl Own {
    async fn has(&mut self, app: &App, id: &str) -> bool {
        if self.access == Access::Owner {
            return true;
        }
        if let Some(known) = self.known.get(id) {
            return *known;
        }
        let found = self.access.row(app, id).await;
        // After any other failure, the owner may be known later.
        if let Ok(_) | Err(Failure::UnknownInstance { .. }) = &found {
            if self.known.len() >= MAX_KNOWN {
                self.known.clear();
            }
            self.known.insert(id.to_owned(), found.is_ok());
        }
        found.is_ok()
    }
}

async fn read_key(State(server): Shared, who: Who, InPath(key): InPath) -> Result<Json<Value>, ProblemJson> {
    let unknown = || {
        let (title, cure) = ("there is no such key", "keys look like `flow:ID`");
        ProblemJson::new(StatusCode::NOT_FOUND, "unknown_key", title, cure)
    };
    let id = key.strip_prefix("flow:").ok_or_else(unknown)?;
    match who.access.row(&server.app, id).await {
        Err(Failure::UnknownInstance { .. }) => return Err(unknown()),
        found => found?,
    };
    let entry = server.app.store.kv(&key).await?.ok_or_else(unknown)?;
    let value: Value = serde_json::from_str(&entry.value).unwrap_or(Value::Null);
    Ok(Json(json!({"key": key, "value": value, "version": entry.version})))
}

async fn list_dead(State(server): Shared) -> Result<Json<DeadList>, ProblemJson> {
    let effects = server.app.store.dead_effects(500).await?;
    let row = |effect: store::Effect| DeadRow {
        key: effect.key,
        instance: effect.instance,
        kind: effect.kind,
        attempts: effect.attempts,
        reason: effect.last_error.unwrap_or_default(),
    };
    Ok(Json(DeadList { effects: effects.into_iter().map(row).collect() }))
}

/// The longest time that the database may take before this server counts as not ready.
const READY_TIMEOUT: Duration = Duration::from_secs(3);

/// Whether the database answers and its schema fits. A process that is alive may not be ready.
async fn ready(State(server): Shared) -> Result<&'static str, ProblemJson> {
    let not_ready = |why: String| {
        let cure = "send requests to another node until this one is ready";
        ProblemJson::new(StatusCode::SERVICE_UNAVAILABLE, "not_ready", why, cure)
    };
    match tokio::time::timeout(READY_TIMEOUT, server.app.store.check_ready()).await {
        Ok(Ok(())) => Ok("ready\n"),
        Ok(Err(error)) => Err(not_ready(error.to_string())),
        Err(_) => Err(not_ready("the database does not answer in time".to_owned())),
    }
}

async fn metrics_text(State(server): Shared) -> Result<String, ProblemJson> {
    let counts = server.app.store.counts(server.app.clock.now()).await?;
    metrics::gauge!("etude_instances_open").set(counts.instances_open as f64);
    metrics::gauge!("etude_effects_pending").set(counts.effects_pending as f64);
    metrics::gauge!("etude_effects_dead").set(counts.effects_dead as f64);
    metrics::gauge!("etude_timers_due").set(counts.timers_due as f64);
    Ok(server.metrics.render())
}

/// The hint at the description of every path.
const CONTRACT: &str = "`/openapi.json` lists every path";

pub(super) async fn nothing_here() -> ProblemJson {
    ProblemJson::new(StatusCode::NOT_FOUND, "no_such_path", "nothing is here", CONTRACT)
}

async fn wrong_method() -> ProblemJson {
    let title = "this path does not take that method";
    ProblemJson::new(StatusCode::METHOD_NOT_ALLOWED, "wrong_method", title, CONTRACT)
}
