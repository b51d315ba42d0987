//! The operations that flows bring: a loop over their verbs and looks.

use super::operations::{Body, MOVES, Operation, READS};
use super::problem::ProblemJson;
use super::request::{self, InPath, InQuery};
use super::serve::{DEFAULT_LEARNER, Server};
use crate::engine::call::{Call, call, prepare};
use crate::engine::failure::Failure;
use crate::engine::flows::Flows;
use crate::engine::look::look;
use crate::engine::setting::scope_of;
use crate::engine::turn;
use crate::engine::via::Via;
use crate::engine::view::{Answer, View};
use crate::learners::language;
use axum::Json;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use coaching::face::{Does, Face, Http, Look, Verb, schema};
use serde_json::{Map, Value};

type Shared = State<Server>;

/// The operations of every flow.
pub fn operations(flows: &Flows) -> Vec<Operation> {
    flows.entries().filter_map(|entry| Some(of_face(entry.face?))).flatten().collect()
}

fn of_face(face: Face) -> Vec<Operation> {
    let verbs = face.verbs.iter().filter_map(|verb| Some(of_verb(face.name, verb, verb.http?)));
    let looks = face.looks.iter().filter_map(|look| Some(of_look(face.name, look, look.http?)));
    let views =
        face.verbs.iter().filter(|verb| matches!(verb.does, Does::Opens)).filter_map(|verb| verb.http);
    let views = views.filter(|http| !http.path.contains('{')).map(move |http| of_view(face.name, http));
    verbs.chain(views).chain(looks).collect()
}

fn of_verb(flow: &'static str, verb: &'static Verb, http: Http) -> Operation {
    let opens = matches!(verb.does, Does::Opens | Does::OpensBeside);
    Operation {
        id: http.operation.into(),
        method: "post",
        path: http.path.into(),
        summary: http.summary.into(),
        query: Vec::new(),
        body: verb.payload.map(|payload| Body { schema: payload, names_learner: !http.path.contains('{') }),
        answer: (if opens { &[201, 200] } else { &[200] }, Some(schema::<Answer>)),
        fails: MOVES,
        is_repeatable: true,
        route: match http.path.contains("{id}") {
            true => {
                post(move |State(server): Shared, InPath(id): InPath, headers: HeaderMap, body: Bytes| {
                    use_verb(server, flow, verb, id, headers, body)
                })
            }
            false => post(move |State(server): Shared, headers: HeaderMap, body: Bytes| {
                use_verb(server, flow, verb, String::new(), headers, body)
            }),
        },
    }
}

/// Where a flow can be opened, it can be looked at.
fn of_view(flow: &'static str, http: Http) -> Operation {
    Operation {
        id: http.operation.replacen("start", "view", 1),
        method: "get",
        path: format!("{}/{{id}}", http.path),
        summary: "Where a flow stands and what waits for an answer".into(),
        query: Vec::new(),
        body: None,
        answer: (&[200], Some(schema::<View>)),
        fails: READS,
        is_repeatable: false,
        route: get(move |State(server): Shared, InPath(id): InPath, headers: HeaderMap| {
            view(server, flow, id, headers)
        }),
    }
}

fn of_look(flow: &'static str, look: &'static Look, http: Http) -> Operation {
    Operation {
        id: http.operation.into(),
        method: "get",
        path: http.path.into(),
        summary: http.summary.into(),
        query: look.takes.map(super::operations::parameters).unwrap_or_default(),
        body: None,
        answer: (&[200], Some(look.gives)),
        fails: READS,
        is_repeatable: false,
        route: match http.path.contains("{id}") {
            true => get(
                move |State(server): Shared,
                      InPath(id): InPath,
                      InQuery(given): InQuery<Map<String, Value>>| {
                    show(server, flow, look, id, given)
                },
            ),
            false => get(move |State(server): Shared, InQuery(given): InQuery<Map<String, Value>>| {
                show(server, flow, look, String::new(), given)
            }),
        },
    }
}

async fn use_verb(
    server: Server,
    flow: &'static str,
    verb: &'static Verb,
    id: String,
    headers: HeaderMap,
    body: Bytes,
) -> Result<Response, Response> {
    let app = &server.app;
    let key = request::idempotency_key(&headers).map_err(IntoResponse::into_response)?;
    let mut body: Map<String, Value> = match verb.payload {
        Some(_) => request::read(&headers, &body).map_err(IntoResponse::into_response)?,
        None => Map::new(),
    };
    let opens = matches!(verb.does, Does::Opens | Does::OpensBeside);
    let named = if id.is_empty() { body.remove("learner") } else { None };
    let learner = match named {
        Some(Value::String(learner)) => learner,
        Some(Value::Null) | None if id.is_empty() => DEFAULT_LEARNER.to_owned(),
        Some(Value::Null) | None => {
            app.row(scope_of(&id)).await.map_err(IntoResponse::into_response)?.learner
        }
        Some(_) => {
            let cure = "give the name of the learner as a text";
            return Err(ProblemJson::new(StatusCode::BAD_REQUEST, "bad_json", "`learner` is no text", cure)
                .into_response());
        }
    };
    let entry = app
        .flows
        .get(flow)
        .ok_or_else(|| Failure::UnknownFlow { name: flow.to_owned(), known: Vec::new() }.into_response())?;
    let given = Value::Object(body);
    let asked = Call {
        entry,
        verb,
        id: &id,
        learner: &learner,
        chosen: verb.event_for(&given),
        prepared: prepare(verb, &id, given),
        key,
        via: Via::Caller,
    };
    let wish = wish(&headers);
    match call(app, asked).await {
        Ok(mut answer) => {
            language::translate(app, &mut answer, wish).await.map_err(IntoResponse::into_response)?;
            let status = if opens && !answer.repeated { StatusCode::CREATED } else { StatusCode::OK };
            Ok((status, Json(answer)).into_response())
        }
        Err(failure) => Err(language::told(app, failure, &learner, wish).await.into_response()),
    }
}

async fn view(server: Server, flow: &str, id: String, headers: HeaderMap) -> Result<Json<View>, Failure> {
    let row = server.app.row(&id).await?;
    if row.flow != flow {
        return Err(Failure::UnknownInstance { id });
    }
    let mut answer = Answer::of(turn::look(&server.app, row).await?);
    language::translate(&server.app, &mut answer, wish(&headers)).await?;
    Ok(Json(answer.view))
}

async fn show(
    server: Server,
    flow: &'static str,
    about: &'static Look,
    id: String,
    mut given: Map<String, Value>,
) -> Result<Json<Value>, Failure> {
    let app = &server.app;
    let entry = app.flows.get(flow).ok_or_else(|| Failure::UnknownInstance { id: id.clone() })?;
    let learner = match (id.as_str(), given.remove("learner")) {
        ("", Some(Value::String(learner))) => learner,
        ("", _) => DEFAULT_LEARNER.to_owned(),
        (id, _) => app.row(id).await?.learner,
    };
    let given = Value::Object(given);
    look(app, &learner, |shelf| entry.handlers.look(about.name, &id, &given, shelf)).await.map(Json)
}

/// The languages that the client would like.
pub(super) fn wish(headers: &HeaderMap) -> Option<&str> {
    headers.get(header::ACCEPT_LANGUAGE).and_then(|value| value.to_str().ok())
}
