//! Serves the operations of flows: a loop over their verbs and looks.

use super::auth::Who;
use super::operations::{Body, OPENED, Operation, READS, moving, reading};
use super::problem::ProblemJson;
use super::request::{self, InPath, InPaths, InQuery};
use super::serve::Server;
use crate::engine::app::App;
use crate::engine::call::{Call, call, prepare};
use crate::engine::failure::Failure;
use crate::engine::flows::Flows;
use crate::engine::look::look;
use crate::engine::setting::scope_of;
use crate::engine::turn::{self, Request as Event};
use crate::engine::via::Via;
use crate::engine::view::{Answer, View};
use crate::learners::language;
use axum::Json;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use coaching::face::{Does, Face, Http, Look, Verb};
use coaching::turn::Source;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value};

type Shared = State<Server>;

/// The input for opening any flow.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct OpenAnyBody {
    /// The learner; `me` if left out.
    #[serde(default)]
    learner: Option<String>,
    /// The flow that the new one stands beside, for example the course of a review.
    #[serde(default)]
    beside: Option<String>,
    /// The input of the flow's opening verb.
    #[serde(default)]
    given: Map<String, Value>,
}

/// Returns the operations of every flow.
pub fn operations(flows: &Flows) -> Vec<Operation> {
    let of_faces = flows.entries().filter_map(|entry| Some(of_face(entry.face?))).flatten();
    of_faces.map(Operation::for_learners).collect()
}

fn of_face(face: Face) -> Vec<Operation> {
    let verbs = face.verbs.iter().filter_map(|verb| Some(of_verb(face.name, verb, verb.http?)));
    let looks = face.looks.iter().filter_map(|look| Some(of_look(face.name, look, look.http?)));
    let opening = face.verbs.iter().filter(|verb| matches!(verb.does, Does::Opens));
    let views = opening.filter_map(|verb| Some((verb, verb.http?)));
    let views = views.filter(|(_, http)| !http.path.contains('{'));
    let views = views.map(move |(verb, http)| of_view(face.name, verb, http));
    verbs.chain(views).chain(looks).collect()
}

fn of_verb(flow: &'static str, verb: &'static Verb, http: Http) -> Operation {
    let opens = matches!(verb.does, Does::Opens | Does::OpensBeside);
    let route = match http.path.contains("{id}") {
        true => post(
            move |State(server): Shared, who: Who, InPath(id): InPath, headers: HeaderMap, body: Bytes| {
                use_verb(server, who, flow, verb, id, headers, body)
            },
        ),
        false => post(move |State(server): Shared, who: Who, headers: HeaderMap, body: Bytes| {
            use_verb(server, who, flow, verb, String::new(), headers, body)
        }),
    };
    let names_learner = !http.path.contains('{');
    Operation {
        body: verb.payload.map(|schema| Body { schema, names_learner }),
        statuses: if opens { OPENED } else { &[200] },
        beside: verb.replies,
        ..moving(http.operation, http.path, http.summary, route).gives::<Answer>()
    }
}

/// Returns the operation that looks at a flow. Every flow that can be opened has one.
fn of_view(flow: &'static str, verb: &'static Verb, http: Http) -> Operation {
    let (id, path) = (http.operation.replacen("start", "view", 1), format!("{}/{{id}}", http.path));
    let route = get(move |State(server): Shared, who: Who, InPath(id): InPath, headers: HeaderMap| {
        view(server, who, flow, verb, id, headers)
    });
    let about = "Where a flow stands and what waits for an answer";
    Operation { beside: verb.replies, ..reading(id, path, about, route).gives::<View>().fails(READS) }
}

fn of_look(flow: &'static str, look: &'static Look, http: Http) -> Operation {
    type Given = InQuery<Map<String, Value>>;
    let route = match http.path.contains("{id}") {
        true => get(
            move |State(server): Shared,
                  who: Who,
                  InPath(id): InPath,
                  InQuery(given): Given,
                  headers: HeaderMap| { show(server, who, flow, look, id, given, headers) },
        ),
        false if http.path.contains("{name}") => get(
            move |State(server): Shared,
                  who: Who,
                  InPath(name): InPath,
                  InQuery(mut given): Given,
                  headers: HeaderMap| {
                given.insert("name".to_owned(), name.into());
                show(server, who, flow, look, String::new(), given, headers)
            },
        ),
        false => get(move |State(server): Shared, who: Who, InQuery(given): Given, headers: HeaderMap| {
            show(server, who, flow, look, String::new(), given, headers)
        }),
    };
    Operation {
        query: look.takes.map(super::operations::parameters).unwrap_or_default(),
        answer: Some(look.gives),
        fails: READS,
        ..reading(http.operation, http.path, http.summary, route)
    }
}

async fn use_verb(
    server: Server,
    who: Who,
    flow: &'static str,
    verb: &'static Verb,
    id: String,
    headers: HeaderMap,
    body: Bytes,
) -> Result<Response, ProblemJson> {
    let app = &server.app;
    let key = request::idempotency_key(&headers)?;
    let mut body: Map<String, Value> = match verb.payload {
        Some(_) => request::read(&headers, &body)?,
        None => Map::new(),
    };
    let opens = matches!(verb.does, Does::Opens | Does::OpensBeside);
    let named = if id.is_empty() { body.remove("learner") } else { None };
    let learner = match named {
        Some(Value::String(learner)) => who.access.learner(Some(&learner))?,
        Some(Value::Null) | None if id.is_empty() => who.access.usual().to_owned(),
        Some(Value::Null) | None => whose(&server, &who, &id).await?,
        Some(_) => {
            let cure = "give the name of the learner as a text";
            return Err(ProblemJson::new(StatusCode::BAD_REQUEST, "bad_json", "`learner` is no text", cure));
        }
    };
    let entry = app.flows.get(flow);
    let entry = entry.ok_or_else(|| Failure::UnknownFlow { name: flow.to_owned(), known: Vec::new() })?;
    let given = Value::Object(body);
    let asked = Call {
        entry,
        verb,
        id: &id,
        learner: &learner,
        chosen: verb.event_for(&given),
        prepared: prepare(verb, &id, given, key.as_deref()),
        key,
        via: Via::Caller,
    };
    let fresh = if opens { StatusCode::CREATED } else { StatusCode::OK };
    told(&server, (verb, &id), call(app, asked).await, &learner, &headers, fresh).await
}

/// Returns the learner that a flow belongs to. A flow beside another belongs to the learner of that one.
async fn whose(server: &Server, who: &Who, id: &str) -> Result<String, Failure> {
    let root = scope_of(id);
    if root != id {
        who.access.row(&server.app, id).await?;
    }
    match who.access.row(&server.app, root).await {
        Ok(row) => Ok(row.learner),
        Err(Failure::UnknownInstance { .. }) => Err(Failure::UnknownInstance { id: id.to_owned() }),
        Err(failure) => Err(failure),
    }
}

/// Opens a flow of any kind with the input of its opening verb, and with `beside` if it stands beside another.
pub(super) async fn open_any(
    State(server): Shared,
    who: Who,
    InPath(flow): InPath,
    headers: HeaderMap,
    body: Bytes,
) -> Result<Response, ProblemJson> {
    let OpenAnyBody { learner, beside, given } = request::read(&headers, &body)?;
    let app = &server.app;
    let unknown =
        || Failure::UnknownFlow { name: flow.clone(), known: app.flows.names().map(str::to_owned).collect() };
    let entry = app.flows.get(&flow).ok_or_else(unknown)?;
    let wanted = if beside.is_some() { Does::OpensBeside } else { Does::Opens };
    let verb =
        entry.face.and_then(|face| face.verbs.iter().find(|verb| verb.does == wanted)).ok_or_else(unknown)?;
    let id = beside.unwrap_or_default();
    let learner = match id.as_str() {
        "" => who.access.learner(learner.as_deref())?,
        id => whose(&server, &who, id).await?,
    };
    let key = request::idempotency_key(&headers)?;
    let prepared = prepare(verb, &id, Value::Object(given), key.as_deref());
    let asked =
        Call { entry, verb, id: &id, learner: &learner, chosen: None, prepared, key, via: Via::Caller };
    told(&server, (verb, &id), call(app, asked).await, &learner, &headers, StatusCode::CREATED).await
}

/// Uses a verb of any flow, even one that has no path of its own.
pub(super) async fn use_any(
    State(server): Shared,
    who: Who,
    InPaths((id, verb)): InPaths,
    headers: HeaderMap,
    body: Bytes,
) -> Result<Response, ProblemJson> {
    let app = &server.app;
    let row = who.access.row(app, &id).await?;
    let face = app.flows.get(&row.flow).and_then(|entry| entry.face);
    let verb = face.and_then(|face| face.verbs.iter().find(|known| known.name == verb)).ok_or_else(|| {
        let cure = "`desk.verbs` of the flow lists what can be done now";
        ProblemJson::new(StatusCode::NOT_FOUND, "unknown_verb", "this flow has no such verb", cure)
    })?;
    let given: Map<String, Value> = match verb.payload {
        Some(_) => request::read(&headers, &body)?,
        None => Map::new(),
    };
    let given = Value::Object(given);
    let Some(event) = verb.event_for(&given) else {
        let cure = "open flows with `POST /api/flows/{flow}/open`";
        return Err(ProblemJson::new(
            StatusCode::UNPROCESSABLE_ENTITY,
            "bad_arguments",
            "this verb sends no event",
            cure,
        ));
    };
    let request = request::idempotency_key(&headers)?;
    let payload = match verb.does {
        Does::ActsBy { .. } => Value::Null,
        _ => prepare(verb, &id, given, request.as_deref()),
    };
    let expect_version = request::expected_version(&headers)?;
    let event = Event { payload, request, expect_version, ..Event::new(&id, event, Source::User) };
    let answered = turn::take_through(app, event).await;
    told(&server, (verb, &id), answered, &row.learner, &headers, StatusCode::OK).await
}

/// Responds in the learner's language.
async fn told(
    server: &Server,
    (verb, id): (&Verb, &str),
    answered: Result<Answer, Failure>,
    learner: &str,
    headers: &HeaderMap,
    fresh: StatusCode,
) -> Result<Response, ProblemJson> {
    let (app, wish) = (&server.app, wish(headers));
    match answered {
        Ok(mut answer) => {
            language::translate(app, &mut answer, wish).await?;
            let status = if answer.repeated { StatusCode::OK } else { fresh };
            let data = answer.view.data.clone();
            Ok((status, Json(beside(verb, &data, serde_json::json!(answer)))).into_response())
        }
        Err(Failure::Refused { state, .. }) => Err(not_now(app, verb, id, state).await),
        Err(failure) => Err(language::told(app, failure, learner, wish).await.into()),
    }
}

/// Reports a refused verb, with the verbs that this surface offers instead. The law takes more events than the flow
/// offers.
async fn not_now(app: &App, verb: &Verb, id: &str, state: String) -> ProblemJson {
    let placed = app.load(id).await.ok();
    let face = placed.as_ref().and_then(|placed| placed.entry.face);
    let desk = placed.as_ref().and_then(|placed| turn::view_of(placed).desk);
    let offered: Vec<String> = desk.into_iter().flat_map(|desk| desk.verbs).map(|offer| offer.name).collect();
    let path = |name: &String| {
        let verbs = face.map(|face| face.verbs).unwrap_or_default();
        let http = verbs.iter().find(|verb| verb.name == name).and_then(|verb| verb.http);
        let path =
            http.map_or_else(|| format!("/api/instances/{{id}}/verbs/{name}"), |http| http.path.into());
        format!("POST {}", path.replace("{id}", id))
    };
    let paths: Vec<String> = offered.iter().map(path).collect();
    let refused = Failure::Refused { state, event: verb.name.to_owned(), allowed: offered };
    let cure = if paths.is_empty() { refused.cure() } else { format!("use one of: {}", paths.join(", ")) };
    ProblemJson { cure, ..refused.into() }
}

/// Adds the flow's own data to the view, under its own names.
fn beside(verb: &Verb, data: &Value, mut answer: Value) -> Value {
    if verb.replies.is_some()
        && let (Some(fields), Value::Object(answer)) = (data.as_object(), &mut answer)
    {
        let reply = fields.get("reply").and_then(Value::as_object);
        let own = fields.iter().filter(|(name, _)| *name != "reply").chain(reply.into_iter().flatten());
        for (name, value) in own {
            answer.entry(name.clone()).or_insert_with(|| value.clone());
        }
    }
    answer
}

async fn view(
    server: Server,
    who: Who,
    flow: &str,
    verb: &Verb,
    id: String,
    headers: HeaderMap,
) -> Result<Json<Value>, ProblemJson> {
    let row = who.access.row(&server.app, &id).await?;
    if row.flow != flow {
        return Err(Failure::UnknownInstance { id }.into());
    }
    let mut answer = Answer::of(turn::look(&server.app, row).await?);
    language::translate(&server.app, &mut answer, wish(&headers)).await?;
    let data = answer.view.data.clone();
    Ok(Json(beside(verb, &data, serde_json::json!(answer.view))))
}

async fn show(
    server: Server,
    who: Who,
    flow: &'static str,
    about: &'static Look,
    id: String,
    mut given: Map<String, Value>,
    headers: HeaderMap,
) -> Result<Json<Value>, ProblemJson> {
    let app = &server.app;
    let entry = app.flows.get(flow).ok_or_else(|| Failure::UnknownInstance { id: id.clone() })?;
    let learner = match (id.as_str(), given.remove("learner")) {
        ("", Some(Value::String(learner))) => who.access.learner(Some(&learner))?,
        ("", _) => who.access.usual().to_owned(),
        (id, _) => who.access.row(app, id).await?.learner,
    };
    let given = Value::Object(given);
    let seen = look(app, &learner, |shelf| entry.handlers.get().look(about.name, &id, &given, shelf)).await;
    match seen {
        Ok(seen) => Ok(Json(seen)),
        Err(failure) => {
            let is_named = matches!(failure, Failure::Rejected(_))
                && about.http.is_some_and(|http| http.path.contains("{name}"));
            let problem: ProblemJson = language::told(app, failure, &learner, wish(&headers)).await.into();
            let status = if is_named { StatusCode::NOT_FOUND.as_u16() } else { problem.status };
            Err(ProblemJson { status, ..problem })
        }
    }
}

/// Returns the client's preferred languages.
pub(super) fn wish(headers: &HeaderMap) -> Option<&str> {
    headers.get(header::ACCEPT_LANGUAGE).and_then(|value| value.to_str().ok())
}
