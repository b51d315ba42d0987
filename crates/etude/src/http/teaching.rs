//! Operations on courses: what the terminal and MCP do, as plain JSON.

use super::operations::{Operation, schema};
use super::request::{self, InPath, InQuery};
use super::serve::{DEFAULT_LEARNER, Server};
use crate::courses::analytics;
use crate::courses::context::{self, Context};
use crate::courses::teaching::{self, CurriculumView, Listed, NodeView, Start};
use crate::courses::wire;
use crate::engine::failure::Failure;
use crate::engine::turn::{self, Via};
use crate::engine::view::{Answer, View};
use axum::Json;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use coaching::map::Edge;
use coaching::teach::Header;
use coaching::teach::analytics::Analytics;
use coaching::teach::state::FlowStatus;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

type Shared = State<Server>;

const READS: &[u16] = &[400, 401, 404, 409, 503];
const MOVES: &[u16] = &[400, 401, 404, 409, 413, 415, 422, 503, 507];

pub const OPERATIONS: &[Operation] = &[
    Operation {
        id: "start_course",
        method: "post",
        path: "/api/courses",
        summary: "Start a course on a topic, or on a map that is brought along",
        query: &[],
        body: Some(schema::<StartBody>),
        answer: (&[201], Some(schema::<Answer>)),
        fails: MOVES,
        route: || post(start),
    },
    Operation {
        id: "list_courses",
        method: "get",
        path: "/api/courses",
        summary: "The courses of a learner, those used last first",
        query: &[("status", "string"), ("learner", "string")],
        body: None,
        answer: (&[200], Some(schema::<Courses>)),
        fails: &[400, 401, 503],
        route: || get(list),
    },
    Operation {
        id: "view_course",
        method: "get",
        path: "/api/courses/{id}",
        summary: "Where a course stands and the question that waits for an answer",
        query: &[],
        body: None,
        answer: (&[200], Some(schema::<View>)),
        fails: READS,
        route: || get(view),
    },
    Operation {
        id: "advance_course",
        method: "post",
        path: "/api/courses/{id}/advance",
        summary: "Move a course to its next status; repeatable with an Idempotency-Key header",
        query: &[],
        body: Some(schema::<AdvanceBody>),
        answer: (&[200], Some(schema::<Answer>)),
        fails: MOVES,
        route: || post(advance),
    },
    Operation {
        id: "plan_course_again",
        method: "post",
        path: "/api/courses/{id}/plan-again",
        summary: "Try again to get a map that no model could make, or take a curriculum; repeatable with an \
                  Idempotency-Key header",
        query: &[],
        body: Some(schema::<PlanBody>),
        answer: (&[200], Some(schema::<Answer>)),
        fails: MOVES,
        route: || post(plan_again),
    },
    Operation {
        id: "abandon_course",
        method: "post",
        path: "/api/courses/{id}/abandon",
        summary: "End a course and delete its reviews; it can be resumed",
        query: &[],
        body: None,
        answer: (&[200], Some(schema::<Answer>)),
        fails: MOVES,
        route: || post(abandon),
    },
    Operation {
        id: "resume_course",
        method: "post",
        path: "/api/courses/{id}/resume",
        summary: "Go on with an abandoned course: a copy under new ids; the course itself stays as it ended",
        query: &[],
        body: None,
        answer: (&[201], Some(schema::<Answer>)),
        fails: MOVES,
        route: || post(resume),
    },
    Operation {
        id: "answer_course",
        method: "post",
        path: "/api/courses/{id}/answer",
        summary: "Answer the question of a course or a review; repeatable with an Idempotency-Key header",
        query: &[],
        body: Some(schema::<TextBody>),
        answer: (&[200], Some(schema::<Answer>)),
        fails: MOVES,
        route: || post(answer),
    },
    Operation {
        id: "ask_course",
        method: "post",
        path: "/api/courses/{id}/ask",
        summary: "Ask something of one's own; the course stays where it is",
        query: &[],
        body: Some(schema::<TextBody>),
        answer: (&[200], Some(schema::<Answer>)),
        fails: MOVES,
        route: || post(ask),
    },
    Operation {
        id: "go_on_course",
        method: "post",
        path: "/api/courses/{id}/go-on",
        summary: "Go on after an explanation",
        query: &[],
        body: None,
        answer: (&[200], Some(schema::<Answer>)),
        fails: MOVES,
        route: || post(go_on),
    },
    Operation {
        id: "review_course",
        method: "post",
        path: "/api/courses/{id}/review",
        summary: "Begin a sitting of recall beside a course, or go on with the open one; its id takes the answers",
        query: &[],
        body: Some(schema::<ReviewBody>),
        answer: (&[200, 201], Some(schema::<Answer>)),
        fails: MOVES,
        route: || post(review),
    },
    Operation {
        id: "view_map",
        method: "get",
        path: "/api/courses/{id}/map",
        summary: "The map of a course, or with `format` (mermaid, dot, canvas, graphml, json) its text in a notation",
        query: &[("format", "string")],
        body: None,
        answer: (&[200], Some(schema::<MapAnswer>)),
        fails: &[400, 401, 404, 409, 422, 503],
        route: || get(map),
    },
    Operation {
        id: "view_frontier",
        method: "get",
        path: "/api/courses/{id}/frontier",
        summary: "What can be learned now, in its order",
        query: &[],
        body: None,
        answer: (&[200], Some(schema::<Frontier>)),
        fails: READS,
        route: || get(frontier),
    },
    Operation {
        id: "read_context",
        method: "get",
        path: "/api/courses/{id}/context",
        summary: "What somebody has to know to go on with a course",
        query: &[],
        body: None,
        answer: (&[200], Some(wire::context)),
        fails: READS,
        route: || get(read_context),
    },
    Operation {
        id: "read_analytics",
        method: "get",
        path: "/api/courses/{id}/analytics",
        summary: "How the learning of a course goes, in numbers",
        query: &[],
        body: None,
        answer: (&[200], Some(wire::analytics)),
        fails: READS,
        route: || get(read_analytics),
    },
    Operation {
        id: "list_curricula",
        method: "get",
        path: "/api/curricula",
        summary: "What can be taught without a model",
        query: &[],
        body: None,
        answer: (&[200], Some(schema::<Curricula>)),
        fails: &[401],
        route: || get(curricula),
    },
];

/// What a course is started with: a topic, or a map.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct StartBody {
    /// What to learn, in the learner's words.
    #[serde(default)]
    topic: Option<String>,
    #[serde(default)]
    goal: Option<String>,
    /// Who teaches: `etude` (the default), or `outside`, whoever calls.
    #[serde(default)]
    #[schemars(schema_with = "wire::tutor")]
    tutor: Option<String>,
    /// A curriculum by its id.
    #[serde(default)]
    curriculum: Option<String>,
    /// A map as the JSON format of a map writes it.
    #[serde(default)]
    map: Option<Value>,
    #[serde(default)]
    learner: Option<String>,
}

async fn start(State(server): Shared, headers: HeaderMap, body: Bytes) -> Result<Response, Response> {
    let body: StartBody = request::read(&headers, &body).map_err(IntoResponse::into_response)?;
    let request = request::idempotency_key(&headers).map_err(IntoResponse::into_response)?;
    let learner = body.learner.as_deref().unwrap_or(DEFAULT_LEARNER);
    let started = match body.map {
        Some(map) => {
            let tutor = body.tutor.as_deref().unwrap_or("etude");
            teaching::import(&server.app, learner, map, tutor, request).await
        }
        None => {
            let topic = body.topic.unwrap_or_default();
            let StartBody { goal, tutor, curriculum, .. } = body;
            let start = Start { topic, goal, tutor, curriculum, request };
            teaching::start(&server.app, learner, &start, Via::Caller).await
        }
    };
    Ok(created(started))
}

fn created(opened: Result<Answer, Failure>) -> Response {
    let status = |answer: &Answer| if answer.repeated { StatusCode::OK } else { StatusCode::CREATED };
    opened.map(|answer| (status(&answer), Json(answer))).into_response()
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct ListQuery {
    status: Option<FlowStatus>,
    learner: Option<String>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct Courses {
    courses: Vec<Listed>,
}

async fn list(State(server): Shared, InQuery(query): InQuery<ListQuery>) -> Result<Json<Courses>, Failure> {
    let learner = query.learner.as_deref().unwrap_or(DEFAULT_LEARNER);
    Ok(Json(Courses { courses: teaching::list(&server.app, learner, query.status).await? }))
}

async fn view(State(server): Shared, InPath(id): InPath) -> Result<Json<View>, Failure> {
    let row = teaching::course(&server.app, &id).await?;
    Ok(Json(turn::look(&server.app, row).await?))
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct AdvanceBody {
    /// Refuse when the course has another status.
    #[serde(default)]
    #[schemars(schema_with = "wire::optional_status")]
    expected_status: Option<FlowStatus>,
}

async fn advance(server: Shared, InPath(id): InPath, headers: HeaderMap, body: Bytes) -> Moved {
    let body: AdvanceBody = request::read(&headers, &body).map_err(IntoResponse::into_response)?;
    let payload = body.expected_status.map_or(json!({}), |status| json!({"expected_status": status}));
    act(server, &id, "advance", payload, &headers).await
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct PlanBody {
    /// A curriculum by its id or title, in place of what a model would plan.
    #[serde(default)]
    curriculum: Option<String>,
}

async fn plan_again(State(server): Shared, InPath(id): InPath, headers: HeaderMap, body: Bytes) -> Moved {
    let body: PlanBody = request::read(&headers, &body).map_err(IntoResponse::into_response)?;
    let key = request::idempotency_key(&headers).map_err(IntoResponse::into_response)?;
    let moved = teaching::plan_again(&server.app, &id, body.curriculum.as_deref(), key).await;
    moved.map(Json).map_err(IntoResponse::into_response)
}

async fn abandon(server: Shared, InPath(id): InPath, headers: HeaderMap) -> Moved {
    act(server, &id, "abandon", json!({}), &headers).await
}

async fn go_on(server: Shared, InPath(id): InPath, headers: HeaderMap) -> Moved {
    act(server, &id, "go_on", json!({}), &headers).await
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct TextBody {
    /// In the learner's own words.
    text: String,
}

async fn answer(server: Shared, InPath(id): InPath, headers: HeaderMap, body: Bytes) -> Moved {
    let TextBody { text } = request::read(&headers, &body).map_err(IntoResponse::into_response)?;
    act(server, &id, "answered", json!({"text": text}), &headers).await
}

async fn ask(server: Shared, InPath(id): InPath, headers: HeaderMap, body: Bytes) -> Moved {
    let TextBody { text } = request::read(&headers, &body).map_err(IntoResponse::into_response)?;
    act(server, &id, "asks", json!({"text": text}), &headers).await
}

type Moved = Result<Json<Answer>, Response>;

async fn act(State(server): Shared, id: &str, event: &str, payload: Value, headers: &HeaderMap) -> Moved {
    let key = request::idempotency_key(headers).map_err(IntoResponse::into_response)?;
    let moved = teaching::act_once(&server.app, id, event, payload, key).await;
    moved.map(Json).map_err(IntoResponse::into_response)
}

async fn resume(State(server): Shared, InPath(id): InPath, headers: HeaderMap) -> Result<Response, Response> {
    let request = request::idempotency_key(&headers).map_err(IntoResponse::into_response)?;
    let course = teaching::course(&server.app, &id).await.map_err(IntoResponse::into_response)?;
    Ok(created(teaching::resume(&server.app, &course.learner, &id, request).await))
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct ReviewBody {
    /// Also what is not due yet but not mastered either.
    #[serde(default)]
    ahead: bool,
}

async fn review(
    State(server): Shared,
    InPath(id): InPath,
    headers: HeaderMap,
    body: Bytes,
) -> Result<Response, Response> {
    let body: ReviewBody = request::read(&headers, &body).map_err(IntoResponse::into_response)?;
    Ok(created(teaching::review(&server.app, &id, body.ahead, Via::Caller).await))
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct MapQuery {
    format: Option<String>,
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(untagged)]
enum MapAnswer {
    View {
        #[schemars(schema_with = "wire::header")]
        map: Header,
        nodes: Vec<NodeView>,
        #[schemars(schema_with = "wire::edges")]
        edges: Vec<Edge>,
    },
    Text {
        format: String,
        text: String,
    },
}

async fn map(
    State(server): Shared,
    InPath(id): InPath,
    InQuery(query): InQuery<MapQuery>,
) -> Result<Json<MapAnswer>, Failure> {
    let atlas = teaching::atlas(&server.app, &id).await?;
    let Some(format) = query.format else {
        let (nodes, edges) = (atlas.nodes(), atlas.map.edges().to_vec());
        return Ok(Json(MapAnswer::View { map: atlas.header, nodes, edges }));
    };
    let known = teaching::format(&format)?;
    Ok(Json(MapAnswer::Text { format, text: atlas.export(known) }))
}

#[derive(Debug, Serialize, JsonSchema)]
struct Frontier {
    nodes: Vec<NodeView>,
}

async fn frontier(State(server): Shared, InPath(id): InPath) -> Result<Json<Frontier>, Failure> {
    Ok(Json(Frontier { nodes: teaching::atlas(&server.app, &id).await?.frontier() }))
}

async fn read_context(State(server): Shared, InPath(id): InPath) -> Result<Json<Context>, Failure> {
    context::assemble(&server.app, &id).await.map(Json)
}

async fn read_analytics(State(server): Shared, InPath(id): InPath) -> Result<Json<Analytics>, Failure> {
    analytics::course(&server.app, &id).await.map(Json)
}

#[derive(Debug, Serialize, JsonSchema)]
struct Curricula {
    curricula: Vec<CurriculumView>,
}

async fn curricula(State(server): Shared) -> Json<Curricula> {
    Json(Curricula { curricula: teaching::curricula(&server.app) })
}
