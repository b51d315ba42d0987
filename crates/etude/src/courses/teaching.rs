//! What can be done with courses, maps and reviews, in one place for the terminal, HTTP and MCP.
//!
//! Everything that changes goes through the turn loop; what only reads asks the store for whole sets at once.

use crate::courses::wire;
use crate::engine::app::App;
use crate::engine::failure::{Failure, readable};
use crate::engine::records;
use crate::engine::setting::scope_of;
use crate::engine::turn::{self, Opening, Request, Via};
use crate::engine::view::{Answer, View};
use coaching::curriculum::{Curriculum, Shown};
use coaching::desk::{Line, Role};
use coaching::map::MasteryStatus;
use coaching::map::{EdgeType, Format, MapId, MindMap, NodeId, NodeIx};
use coaching::rejected::Rejected;
use coaching::teach::diagnosis::{self, Diagnosis};
use coaching::teach::progress::{Progress, ResponseType};
use coaching::teach::state::{FlowState, FlowStatus};
use coaching::teach::words;
use coaching::teach::{
    Header, MAP_KIND, MapStatus, NODE_KIND, RESPONSE_KIND, Response, SCHEDULE_KIND, Schedule, answers_scope,
};
use coaching::turn::Source;
use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::cmp::Reverse;
use std::collections::HashMap;
use std::sync::Arc;
use store::{At, Filter, Instance, MAX_LIMIT, StoreError};

pub const COURSE: &str = "teach";
pub const REVIEW: &str = "review";
/// Nobody has more sittings under way that still matter.
const MAX_SITTINGS: usize = 1_000;
/// The answers that a context block shows.
const RECENT: usize = 10;

/// A course in a list.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct Listed {
    #[schemars(schema_with = "wire::id")]
    pub mind_map_id: String,
    pub title: String,
    #[schemars(schema_with = "wire::status")]
    pub status: FlowStatus,
    pub session_count: u32,
    #[schemars(schema_with = "wire::moment")]
    pub started_at: Timestamp,
    #[schemars(schema_with = "wire::moment")]
    pub last_session_at: Timestamp,
    /// The share of concepts that are mastered, 0 to 1. What is completed stays 1; `mastered` says what is remembered now.
    pub mastery_pct: f64,
    pub nodes: u64,
    pub mastered: u64,
}

/// A course that somebody has moved, and what Etude said on the way.
#[derive(Debug, Clone, Serialize)]
pub struct Moved {
    #[serde(flatten)]
    pub state: FlowState,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub said: Vec<Line>,
}

/// A concept with what is known about it.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct NodeView {
    #[schemars(schema_with = "wire::id")]
    pub node_id: NodeId,
    pub label: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    pub depth: u32,
    pub sequence: u32,
    pub effort_minutes: Option<u32>,
    #[schemars(schema_with = "wire::mastery")]
    pub mastery_status: MasteryStatus,
    pub mastery_score: f64,
    pub ease_factor: f64,
    pub repetitions: u32,
    pub interval_days: f64,
    #[schemars(schema_with = "wire::optional_moment")]
    pub next_review_at: Option<Timestamp>,
    /// How sure the diagnosis is of what it believes about this concept, 0.5 to 1; null before its first answer.
    pub confidence: Option<f64>,
}

/// A curriculum in a list.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct CurriculumView {
    pub id: String,
    pub title: String,
    /// The language it is written in, as a BCP 47 tag.
    pub language: String,
    pub about: String,
    /// How many there are.
    pub concepts: usize,
    pub minutes: u32,
}

/// A map with how well its concepts are known.
#[derive(Debug, Clone)]
pub struct Atlas {
    pub header: Header,
    pub map: Arc<MindMap>,
    pub progress: HashMap<NodeId, Progress>,
    /// What was answered while it was found out what the learner knows.
    probes: Vec<diagnosis::Answer>,
    pub learner: String,
}

/// What is given to start a course.
#[derive(Debug, Clone, Default)]
pub struct Start {
    /// What to learn, in the learner's words.
    pub topic: String,
    pub goal: Option<String>,
    /// Who teaches: `etude` from its curricula or with its model, or `outside`, whoever calls.
    pub tutor: Option<String>,
    /// A curriculum by its id.
    pub curriculum: Option<String>,
    /// The caller's idempotency key.
    pub request: Option<String>,
}

/// Starts a course: map, state and first step are one commit.
pub async fn start(app: &App, learner: &str, start: &Start, via: Via) -> Result<Answer, Failure> {
    let mut opening = json!({"topic": start.topic, "goal": start.goal, "curriculum": start.curriculum});
    if let Some(tutor) = &start.tutor {
        opening["tutor"] = json!(tutor);
    }
    open(app, learner, opening, start.request.clone(), via).await
}

/// Starts a course on a map that somebody brings along.
pub async fn import(
    app: &App,
    learner: &str,
    map: Value,
    tutor: &str,
    request: Option<String>,
) -> Result<Answer, Failure> {
    open(app, learner, json!({"map": map, "tutor": tutor}), request, Via::Caller).await
}

/// Goes on with an abandoned course under a new id.
pub async fn resume(
    app: &App,
    learner: &str,
    from: &str,
    request: Option<String>,
) -> Result<Answer, Failure> {
    state(app, from).await?.ok_or_else(|| unknown(from))?;
    open(app, learner, json!({"from": from}), request, Via::Caller).await
}

async fn open(
    app: &App,
    learner: &str,
    opening: Value,
    request: Option<String>,
    via: Via,
) -> Result<Answer, Failure> {
    let (flow, learner) = (COURSE.to_owned(), learner.to_owned());
    turn::open(app, Opening { flow, learner, opening, request, via, ..Opening::default() }).await
}

/// The sitting of recall that is open, whose question is asked again, or a new one: of what is due, or with `ahead` of
/// what is not mastered yet.
pub async fn review(app: &App, mind_map_id: &str, ahead: bool, via: Via) -> Result<Answer, Failure> {
    let learner = course(app, mind_map_id).await?.learner;
    let open = open_sittings(app, &learner).await?.remove(mind_map_id);
    if let Some(view) = sound(app, open).await? {
        let line = |say| Line::new(Role::Question, say);
        let said = question(&view).map(line).into_iter().collect();
        return Ok(Answer { view, said, actions: Vec::new(), repeated: true });
    }
    let id = format!("{mind_map_id}.review-{}", uuid::Uuid::now_v7());
    let opening = Opening {
        flow: REVIEW.into(),
        learner,
        id: Some(id),
        opening: json!({"ahead": ahead}),
        via,
        ..Opening::default()
    };
    turn::open(app, opening).await
}

/// The sittings that wait for an answer, by their course. Of several the newest counts.
pub async fn open_sittings(app: &App, learner: &str) -> Result<HashMap<String, Instance>, StoreError> {
    let filter = Filter {
        flow: Some(REVIEW.into()),
        learner: Some(learner.into()),
        open: Some(true),
        ..Filter::default()
    };
    let page = app.store.list(&filter, None, MAX_SITTINGS).await?;
    let by_course = |row: Instance| (scope_of(&row.id).to_owned(), row);
    // The list begins with the newest, which is to be the last that is put in.
    Ok(page.instances.into_iter().rev().map(by_course).collect())
}

/// What a sitting shows. One that cannot go on under the present law or data keeps nobody from another.
pub async fn sound(app: &App, sitting: Option<Instance>) -> Result<Option<View>, Failure> {
    let Some(row) = sitting else { return Ok(None) };
    match app.place(row).await {
        Ok(placed) => Ok(Some(turn::view_of(&placed))),
        Err(Failure::Store(error)) => Err(Failure::Store(error)),
        Err(failure) => {
            tracing::warn!(%failure, "a sitting is left alone");
            Ok(None)
        }
    }
}

/// The question that a flow waits with, as text.
pub fn question(view: &View) -> Option<String> {
    let shown = Shown::deserialize(view.data.pointer("/question/shown")?).ok()?;
    Some(words::shown(&shown))
}

/// Where a course stands, in the form of its key-value entry; `None` when there is no such course.
pub async fn state(app: &App, mind_map_id: &str) -> Result<Option<FlowState>, Failure> {
    let row = app.store.load(mind_map_id).await?.filter(|row| row.flow == COURSE);
    row.map(|row| read(&row)).transpose()
}

/// Moves a course to its next status. `expected` guards against moving one that somebody else has moved.
pub async fn advance(app: &App, mind_map_id: &str, expected: Option<FlowStatus>) -> Result<Moved, Failure> {
    let payload = expected.map_or(json!({}), |expected| json!({"expected_status": expected}));
    let moved = act(app, mind_map_id, "advance", payload).await;
    Moved::read(moved.map_err(|failure| not_from_there(failure, "another status"))?)
}

/// Tries once more to get the map that a course has come to nothing without: from a curriculum that is named, else
/// from one that fits the topic, else by a model.
pub async fn plan_again(
    app: &App,
    mind_map_id: &str,
    curriculum: Option<&str>,
    key: Option<String>,
) -> Result<Answer, Failure> {
    let payload = curriculum.map_or(json!({}), |curriculum| json!({"curriculum": curriculum}));
    act_once(app, mind_map_id, "plan_again", payload, key).await
}

/// Whoever teaches says how far the concept at hand has come: it was explained, or a question was put.
pub async fn enter_phase(app: &App, mind_map_id: &str, event: &str) -> Result<Moved, Failure> {
    let moved = act(app, mind_map_id, event, json!({})).await;
    Moved::read(moved.map_err(|failure| not_from_there(failure, "`teaching`"))?)
}

pub async fn abandon(app: &App, mind_map_id: &str) -> Result<(), Failure> {
    let abandoned = act(app, mind_map_id, "abandon", json!({})).await;
    abandoned.map(drop).map_err(|failure| not_from_there(failure, "`abandoned`"))
}

/// What has ended stays as it is. Says which transition was asked for.
fn not_from_there(failure: Failure, to: &str) -> Failure {
    let Failure::Over { state, .. } = failure else { return failure };
    Failure::Rejected(Rejected {
        code: "invalid_transition",
        message: format!("invalid transition from `{state}` to {to}: a course that is {state} stays so")
            .into(),
        cure: "start a new course; one that was abandoned can be resumed".into(),
    })
}

impl JsonSchema for Moved {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "FlowState".into()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        wire::state(generator)
    }
}

impl Moved {
    pub fn read(answer: Answer) -> Result<Moved, Failure> {
        let state = FlowState::deserialize(&answer.view.data)
            .map_err(|error| Failure::Broken { id: answer.view.id, reason: error.to_string() })?;
        Ok(Moved { state, said: answer.said })
    }
}

/// Sends an event to a course or a review.
pub async fn act(app: &App, id: &str, event: &str, payload: Value) -> Result<Answer, Failure> {
    act_once(app, id, event, payload, None).await
}

/// The same; a request with a key is taken once, however often it comes.
pub async fn act_once(
    app: &App,
    id: &str,
    event: &str,
    payload: Value,
    key: Option<String>,
) -> Result<Answer, Failure> {
    course(app, scope_of(id)).await?;
    let request = Request { payload, request: key, ..Request::new(id, event, Source::User) };
    turn::take(app, request).await
}

/// Adds a concept; says which id it got.
pub async fn create_node(
    app: &App,
    mind_map_id: &str,
    label: &str,
    description: Option<&str>,
    effort_minutes: Option<u32>,
) -> Result<NodeId, Failure> {
    let node_id = NodeId::new(uuid::Uuid::now_v7());
    let edit = json!({
        "edit": "node_create",
        "node_id": node_id,
        "label": label,
        "description": description,
        "effort_minutes": effort_minutes,
    });
    act(app, mind_map_id, "edited", edit).await?;
    Ok(node_id)
}

pub async fn create_edge(
    app: &App,
    mind_map_id: &str,
    parent: &str,
    child: &str,
    edge_type: EdgeType,
) -> Result<(), Failure> {
    let edit = json!({
        "edit": "edge_create",
        "parent_node_id": parent,
        "child_node_id": child,
        "edge_type": edge_type,
    });
    act(app, mind_map_id, "edited", edit).await.map(drop)
}

/// Changes what is known about a concept; `changes` has the fields of the edit `node_update`.
pub async fn update_node(
    app: &App,
    mind_map_id: &str,
    node_id: &str,
    changes: Value,
) -> Result<NodeView, Failure> {
    let mut edit = json!({"edit": "node_update", "node_id": node_id});
    if let (Value::Object(edit), Value::Object(changes)) = (&mut edit, changes) {
        edit.extend(changes);
    }
    act(app, mind_map_id, "edited", edit).await?;
    node(app, mind_map_id, node_id).await
}

/// One concept of a map.
pub async fn node(app: &App, mind_map_id: &str, node_id: &str) -> Result<NodeView, Failure> {
    let atlas = atlas(app, mind_map_id).await?;
    let found = NodeId::parse(node_id).and_then(|node| atlas.map.find(node));
    let views = found.map(|node| atlas.views([node])).unwrap_or_default();
    views.into_iter().next().ok_or_else(|| unknown_node(node_id))
}

/// Writes down an answer that somebody else has asked for and judged.
pub async fn record(
    app: &App,
    mind_map_id: &str,
    node_id: &str,
    (question_text, user_answer): (&str, &str),
    quality: &Value,
    response_type: ResponseType,
) -> Result<(), Failure> {
    let payload = json!({
        "node_id": node_id,
        "question_text": question_text,
        "user_answer": user_answer,
        "quality": quality,
        "response_type": response_type,
    });
    act(app, mind_map_id, "recorded", payload).await.map(drop)
}

/// The courses of a learner, those used last first. Three reads, however many there are.
pub async fn list(app: &App, learner: &str, status: Option<FlowStatus>) -> Result<Vec<Listed>, Failure> {
    let filter = Filter { flow: Some(COURSE.into()), learner: Some(learner.into()), ..Filter::default() };
    let (page, headers, tallies) = tokio::try_join!(
        app.store.list(&filter, None, MAX_LIMIT),
        app.store.records(learner, MAP_KIND, MAX_LIMIT),
        app.store.tally_records(learner, NODE_KIND),
    )?;
    let headers: HashMap<String, Header> = headers
        .into_iter()
        .filter_map(|record| Some((record.key, serde_json::from_str(&record.body).ok()?)))
        .collect();
    let mastered: HashMap<&str, u64> = tallies
        .iter()
        .filter(|tally| tally.standing == MasteryStatus::Mastered.as_str())
        .map(|tally| (tally.scope.as_str(), tally.count))
        .collect();
    let mut listed = Vec::new();
    for row in &page.instances {
        let Some(state) = readable(read::<FlowState>(row))? else { continue };
        if status.is_some_and(|status| status != state.status) {
            continue;
        }
        let header = headers.get(&row.id);
        let nodes = header.map_or(0, |header| header.node_count as u64);
        let mastered = mastered.get(row.id.as_str()).copied().unwrap_or(0);
        listed.push(Listed {
            mind_map_id: row.id.clone(),
            title: header.map_or_else(String::new, |header| header.title.clone()),
            status: state.status,
            session_count: state.session_count,
            started_at: state.started_at,
            last_session_at: state.last_session_at,
            mastery_pct: match state.status {
                FlowStatus::Completed => 1.0,
                _ if nodes == 0 => 0.0,
                _ => mastered as f64 / nodes as f64,
            },
            nodes,
            mastered,
        });
    }
    listed.sort_by_key(|listed| Reverse(listed.last_session_at));
    Ok(listed)
}

/// A map with how well its concepts are known.
pub async fn atlas(app: &App, mind_map_id: &str) -> Result<Atlas, Failure> {
    let row = course(app, mind_map_id).await?;
    let probes = read::<coaching::teach::course::Data>(&row)?.slate.probes;
    let learner = row.learner;
    let (_, records) = app.store.scope(&learner, mind_map_id).await?;
    let header: Option<Header> = records
        .iter()
        .find(|record| record.kind == MAP_KIND)
        .and_then(|record| serde_json::from_str(&record.body).ok());
    let header = header.ok_or_else(|| unknown(mind_map_id))?;
    let map = match &header.document {
        Some(document) => mind_map(app, &learner, document).await?,
        None => None,
    };
    let map = map.ok_or_else(|| unknown(mind_map_id))?;
    let progress = records
        .iter()
        .filter(|record| record.kind == NODE_KIND)
        .filter_map(|record| {
            Some((NodeId::parse(&record.key).ok()?, serde_json::from_str(&record.body).ok()?))
        })
        .collect();
    Ok(Atlas { header, map, progress, probes, learner })
}

impl Atlas {
    pub fn status(&self, node: NodeId) -> MasteryStatus {
        self.progress.get(&node).map_or(MasteryStatus::Unseen, |progress| progress.mastery_status)
    }

    fn statuses(&self) -> Vec<MasteryStatus> {
        self.map.nodes().iter().map(|node| self.status(node.node_id)).collect()
    }

    /// What can be learned now, in its order.
    pub fn frontier(&self) -> Vec<NodeView> {
        let statuses = self.statuses();
        self.views(self.map.frontier(|node| statuses[node.index()]))
    }

    pub fn nodes(&self) -> Vec<NodeView> {
        self.views(self.map.indexes())
    }

    fn views(&self, nodes: impl IntoIterator<Item = NodeIx>) -> Vec<NodeView> {
        let diagnosis = Diagnosis::new(&self.map, &self.probes).ok().filter(|_| !self.probes.is_empty());
        let confidence = |node| diagnosis.as_ref().map(|diagnosis| diagnosis.finding(node).confidence);
        nodes.into_iter().map(|node| self.view(node, confidence(node))).collect()
    }

    pub fn export(&self, format: Format) -> String {
        let statuses = self.statuses();
        self.map.export(format, |node| statuses[node.index()])
    }

    fn view(&self, node: NodeIx, confidence: Option<f64>) -> NodeView {
        let node = self.map.node(node);
        let progress = self.progress.get(&node.node_id).cloned().unwrap_or_default();
        NodeView {
            node_id: node.node_id,
            label: node.label.clone(),
            description: node.description.clone(),
            depth: node.depth,
            sequence: node.sequence,
            effort_minutes: node.effort_minutes,
            mastery_status: progress.mastery_status,
            mastery_score: progress.mastery_score,
            ease_factor: progress.ease_factor,
            repetitions: progress.repetitions,
            interval_days: progress.interval_days,
            next_review_at: progress.next_review_at_us.and_then(|us| Timestamp::from_microsecond(us).ok()),
            confidence,
        }
    }
}

/// A notation that a map can be written in, by its name.
pub fn format(name: &str) -> Result<Format, Failure> {
    Format::parse(name).ok_or_else(|| {
        let name: String = name.chars().take(40).collect();
        Failure::Rejected(Rejected {
            code: "unknown_format",
            message: format!("a map cannot be written as {name:?}").into(),
            cure: "choose mermaid, dot, canvas, graphml or json".into(),
        })
    })
}

/// The newest answers about one concept, the newest first.
pub async fn recent_answers(
    app: &App,
    learner: &str,
    map: MapId,
    node: NodeId,
) -> Result<Vec<Response>, Failure> {
    let (scope, node) = (answers_scope(map), node.to_string());
    let records = app.store.recent_records((learner, &scope, RESPONSE_KIND, &node), RECENT).await?;
    Ok(records.into_iter().filter_map(|record| serde_json::from_str(&record.body).ok()).collect())
}

/// Every answer about a map, oldest first. Their keys begin with the map and go on with the time.
pub async fn all_answers(app: &App, learner: &str, map: MapId) -> Result<Vec<Response>, Failure> {
    let read = |record: store::Record| serde_json::from_str(&record.body).ok();
    Ok(records::every(&app.store, learner, (RESPONSE_KIND, &format!("{map}-")), read).await?)
}

/// The reviews that are to come, of all maps of a learner, the next one first.
pub async fn schedules(app: &App, learner: &str) -> Result<Vec<Schedule>, Failure> {
    let records = app.store.records(learner, SCHEDULE_KIND, MAX_LIMIT).await?;
    let read = records.into_iter().filter_map(|record| serde_json::from_str(&record.body).ok());
    let mut schedules: Vec<Schedule> = read.collect();
    schedules.sort_by(|a, b| (a.run_at, &a.name).cmp(&(b.run_at, &b.name)));
    Ok(schedules)
}

/// What can be taught without a model.
pub fn curricula(app: &App) -> Vec<CurriculumView> {
    let view = |curriculum: &Curriculum| CurriculumView {
        id: curriculum.id.clone(),
        title: curriculum.title.clone(),
        language: curriculum.language.clone(),
        about: curriculum.about.clone(),
        concepts: curriculum.concepts.len(),
        minutes: curriculum.minutes(),
    };
    app.flows.curricula().iter().map(view).collect()
}

/// The head of one map of a learner.
pub async fn header(app: &App, learner: &str, mind_map_id: &str) -> Result<Option<Header>, StoreError> {
    let record = app.store.record(learner, MAP_KIND, mind_map_id).await?;
    Ok(record.and_then(|record| serde_json::from_str(&record.body).ok()))
}

/// When the concepts of each course come back that a learner has understood.
pub async fn coming_back(app: &App, learner: &str) -> Result<HashMap<String, Vec<At>>, StoreError> {
    let understood = [MasteryStatus::Reviewing, MasteryStatus::Mastered].map(MasteryStatus::as_str);
    let mut coming: HashMap<String, Vec<At>> = HashMap::new();
    for record in app.store.records(learner, NODE_KIND, MAX_LIMIT).await? {
        let is_understood = record.standing.as_deref().is_some_and(|standing| understood.contains(&standing));
        if let Some(at) = record.due_at.filter(|_| is_understood) {
            coming.entry(record.scope).or_default().push(at);
        }
    }
    Ok(coming)
}

/// The heads of a learner's maps, those that are still in use first, then the newest.
pub async fn headers(app: &App, learner: &str) -> Result<Vec<Header>, Failure> {
    let records = app.store.records(learner, MAP_KIND, MAX_LIMIT).await?;
    let read = records.into_iter().filter_map(|record| serde_json::from_str(&record.body).ok());
    let mut headers: Vec<Header> = read.collect();
    headers.sort_by_key(|header| (header.status != MapStatus::Active, Reverse(header.created_at)));
    Ok(headers)
}

/// A map by the name of its document.
pub async fn mind_map(app: &App, learner: &str, document: &str) -> Result<Option<Arc<MindMap>>, Failure> {
    let Some(entry) = app.flows.get(COURSE) else { return Ok(None) };
    let head = coaching::record::Record {
        kind: MAP_KIND.to_owned(),
        body: Some(json!({"document": document})),
        ..Default::default()
    };
    Ok(crate::engine::setting::documents(app, entry, learner, &[head]).await?.get("map"))
}

/// The map that a concept belongs to, for callers who know only the concept.
pub async fn map_with(app: &App, learner: &str, node_id: &str) -> Result<String, Failure> {
    let node = NodeId::parse(node_id).map_err(|_| unknown_node(node_id))?;
    if let Some(record) = app.store.record(learner, NODE_KIND, &node.to_string()).await? {
        return Ok(record.scope);
    }
    for header in headers(app, learner).await? {
        let Some(document) = &header.document else { continue };
        let map = mind_map(app, learner, document).await?;
        if map.is_some_and(|map| map.find(node).is_ok()) {
            return Ok(header.mind_map_id.to_string());
        }
    }
    Err(unknown_node(node_id))
}

fn unknown_node(node_id: &str) -> Failure {
    let node_id: String = node_id.chars().take(60).collect();
    Failure::Rejected(Rejected {
        code: "unknown_node",
        message: format!("no map of this learner has a concept {node_id:?}").into(),
        cure: "take a node_id from the map, or name the learner whose map it is".into(),
    })
}

/// A course by its id.
pub async fn course(app: &App, mind_map_id: &str) -> Result<store::Instance, Failure> {
    let row = app.store.load(mind_map_id).await?.filter(|row| row.flow == COURSE);
    row.ok_or_else(|| unknown(mind_map_id))
}

fn read<T: serde::de::DeserializeOwned>(row: &store::Instance) -> Result<T, Failure> {
    serde_json::from_str(&row.data)
        .map_err(|error| Failure::Broken { id: row.id.clone(), reason: error.to_string() })
}

fn unknown(id: &str) -> Failure {
    Failure::UnknownInstance { id: id.to_owned() }
}
