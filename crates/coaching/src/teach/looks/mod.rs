//! The looks at courses, maps and reviews: pure functions over stored data.

mod atlas;
mod context;
mod numbers;
mod table;

pub use atlas::{Atlas, NodeView, atlas, format};
pub use context::{Context, context};
pub use numbers::{Report, SNAPSHOT_KIND, numbers, percent, report, snapshot, snapshots};

pub use table::{LOOKS, find, look};

use super::room::{
    Header, MAP_DOCUMENT, MAP_KIND, MapStatus, NODE_KIND, RESPONSE_KIND, Response, SCHEDULE_KIND, Schedule,
    answers_scope,
};
use super::slate::Tutor;
use super::state::{FlowState, FlowStatus};
use super::{COURSE, course};
use crate::curriculum::Curriculum;
use crate::look::{Shelf, StoredFlow, Unseen, Want};
use crate::map::{MapId, MasteryStatus, MindMap, NodeId};
use crate::rejected::Rejected;
use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::cmp::Reverse;
use std::collections::HashMap;
use std::sync::Arc;

/// The number of answers that a context shows, as a number and as a word for texts.
macro_rules! recent {
    (number) => {
        10
    };
    (word) => {
        "ten"
    };
}
const RECENT: usize = recent!(number);
use recent;
/// The most courses that continue one another. One that was resumed more often forgets its beginnings.
const MAX_LINEAGE: usize = 20;

/// A course in a list.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct Listed {
    #[schemars(with = "MapId")]
    pub mind_map_id: String,
    pub title: String,
    pub status: FlowStatus,
    pub session_count: u32,
    pub started_at: Timestamp,
    pub last_session_at: Timestamp,
    /// The share of concepts that are mastered, 0 to 1. A completed course stays at 1; `mastered` says what is
    /// remembered now.
    pub mastery_pct: f64,
    pub nodes: u64,
    pub mastered: u64,
}

/// A curriculum in a list.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct CurriculumView {
    pub id: String,
    pub title: String,
    /// The language it is written in, as a BCP 47 tag.
    pub language: String,
    pub about: String,
    /// The number of concepts.
    pub concepts: usize,
    pub minutes: u32,
}

/// Returns the courses of a learner, the one used last first. That takes three reads, however many there are.
pub fn courses(shelf: &Shelf, status: Option<FlowStatus>) -> Result<Vec<Listed>, Unseen> {
    shelf.need([Want::Flows(COURSE), Want::Records(MAP_KIND), Want::Tallies(NODE_KIND)])?;
    let headers: HashMap<&str, Header> = shelf
        .records(Want::Records(MAP_KIND))?
        .iter()
        .filter_map(|record| Some((record.key.as_str(), record.read()?)))
        .collect();
    let mastered: HashMap<&str, u64> = shelf
        .tallies(NODE_KIND)?
        .iter()
        .filter(|tally| tally.standing == MasteryStatus::Mastered.as_str())
        .map(|tally| (tally.scope.as_str(), tally.count))
        .collect();
    let listed = |flow: &StoredFlow| {
        let (header, mastered) = (headers.get(flow.id.as_str()), mastered.get(flow.id.as_str()));
        let state = flow.read::<FlowState>().ok()?;
        status.is_none_or(|status| status == state.status).then(|| row(flow, &state, header, mastered))
    };
    let mut listed: Vec<Listed> = shelf.flows(COURSE)?.iter().filter_map(listed).collect();
    listed.sort_by_key(|listed| Reverse(listed.last_session_at));
    Ok(listed)
}

fn row(flow: &StoredFlow, state: &FlowState, header: Option<&Header>, mastered: Option<&u64>) -> Listed {
    let nodes = header.map_or(0, |header| header.node_count as u64);
    let mastered = mastered.copied().unwrap_or(0);
    Listed {
        mind_map_id: flow.id.clone(),
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
    }
}

/// Returns the state of a course; `None` when there is no such course.
pub fn state(shelf: &Shelf, id: &str) -> Result<Option<FlowState>, Unseen> {
    let flow = shelf.flow(id)?.filter(|flow| flow.flow == COURSE);
    flow.map(StoredFlow::read).transpose()
}

/// Returns the heads of a learner's maps: those in use first, then the newest.
pub fn headers(shelf: &Shelf) -> Result<Vec<Header>, Unseen> {
    let records = shelf.records(Want::Records(MAP_KIND))?;
    let mut headers: Vec<Header> = records.iter().filter_map(|record| record.read()).collect();
    headers.sort_by_key(|header| (header.status != MapStatus::Active, Reverse(header.created_at)));
    Ok(headers)
}

/// Returns the reviews to come, the next one first.
pub fn schedules(shelf: &Shelf) -> Result<Vec<Schedule>, Unseen> {
    let records = shelf.records(Want::Records(SCHEDULE_KIND))?;
    let mut schedules: Vec<Schedule> = records.iter().filter_map(|record| record.read()).collect();
    schedules.sort_by(|a, b| (a.run_at, &a.name).cmp(&(b.run_at, &b.name)));
    Ok(schedules)
}

/// A course with everything that a tutor needs to go on: who leads it, its purpose, and the learner's lesson and
/// question.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Standing {
    #[serde(flatten)]
    pub state: FlowState,
    /// The tutor who leads it: `etude`, or `outside`, which is you.
    pub tutor: Tutor,
    pub topic: String,
    pub goal: Option<String>,
    /// The lesson on the current concept, if Etude leads.
    pub lesson: Vec<String>,
    /// Etude's question that waits for teach_answer.
    pub question: Option<String>,
}

/// Returns a course with everything that a tutor needs to go on; `None` when there is no such course.
pub fn standing(shelf: &Shelf, id: &str) -> Result<Option<Standing>, Unseen> {
    let Some(flow) = shelf.flow(id)?.filter(|flow| flow.flow == COURSE) else { return Ok(None) };
    let course::Data { state, slate, .. } = flow.read()?;
    let lesson = slate.lesson.iter().filter_map(|line| Some(line.say.plain()?.to_owned())).collect();
    let question = slate.asked().map(|posed| {
        let text = posed.shown.text();
        text.plain().map_or_else(|| posed.question.ask(), str::to_owned)
    });
    Ok(Some(Standing { state, tutor: slate.tutor, topic: slate.topic, goal: slate.goal, lesson, question }))
}

/// Returns the map and those that its course continues, the oldest first.
fn lineage(shelf: &Shelf, map: MapId) -> Result<Vec<MapId>, Unseen> {
    let headers = headers(shelf)?;
    let mut maps = vec![map];
    while maps.len() < MAX_LINEAGE {
        let newest = maps[maps.len() - 1];
        let header = headers.iter().find(|header| header.mind_map_id == newest);
        let before = header.and_then(|header| header.metadata.resumed_from.as_deref());
        let Some(before) = before.and_then(|id| MapId::parse(id).ok()) else { break };
        maps.push(before);
    }
    maps.reverse();
    Ok(maps)
}

/// Returns the newest answers about one concept, the newest first.
pub fn recent_answers(shelf: &Shelf, map: MapId, node: NodeId) -> Result<Vec<Response>, Unseen> {
    if lineage(shelf, map)?.len() > 1 {
        let answers = all_answers(shelf, map)?.into_iter().rev();
        return Ok(answers.filter(|answer| answer.node_id == node).take(RECENT).collect());
    }
    let (scope, topic) = (answers_scope(map), node.to_string());
    let recent = Want::Recent { scope, kind: RESPONSE_KIND, topic, limit: RECENT };
    Ok(shelf.records(recent)?.iter().filter_map(|record| record.read()).collect())
}

/// Returns every answer about a map, the oldest first: the keys begin with the map and go on with the time. Answers
/// of a course that this one continues are given the present ids of the concepts.
pub fn all_answers(shelf: &Shelf, map: MapId) -> Result<Vec<Response>, Unseen> {
    let maps = lineage(shelf, map)?;
    let every = |map: &MapId| Want::Every(RESPONSE_KIND, format!("{map}-"));
    shelf.need(maps.iter().map(every))?;
    let mut answers: Vec<Response> = Vec::new();
    for map in maps {
        for answer in &mut answers {
            (answer.node_id, answer.mind_map_id) = (course::renamed(map, answer.node_id), map);
        }
        answers.extend(shelf.records(every(&map))?.iter().filter_map(|record| record.read::<Response>()));
    }
    Ok(answers)
}

/// Returns when the concepts that a learner has understood come back, by course.
pub fn coming_back(shelf: &Shelf) -> Result<HashMap<String, Vec<i64>>, Unseen> {
    let understood = [MasteryStatus::Reviewing, MasteryStatus::Mastered].map(MasteryStatus::as_str);
    let mut coming: HashMap<String, Vec<i64>> = HashMap::new();
    for record in shelf.records(Want::Records(NODE_KIND))? {
        let is_understood = record.standing.as_deref().is_some_and(|standing| understood.contains(&standing));
        if let Some(at_us) = record.due_at_us.filter(|_| is_understood) {
            coming.entry(record.scope.clone()).or_default().push(at_us);
        }
    }
    Ok(coming)
}

/// Returns the subjects that can be taught without a model.
pub fn curricula(curricula: &[Curriculum]) -> Vec<CurriculumView> {
    let view = |curriculum: &Curriculum| CurriculumView {
        id: curriculum.id.clone(),
        title: curriculum.title.clone(),
        language: curriculum.language.clone(),
        about: curriculum.about.clone(),
        concepts: curriculum.concepts.len(),
        minutes: curriculum.minutes(),
    };
    curricula.iter().map(view).collect()
}

/// Finds the map of a concept, for callers that know only the concept.
pub fn map_with(shelf: &Shelf, node_id: &str) -> Result<String, Unseen> {
    let node = NodeId::parse(node_id).map_err(|_| unknown_node(node_id))?;
    if let [record, ..] = shelf.records(Want::Record(NODE_KIND, node.to_string()))? {
        return Ok(record.scope.clone());
    }
    let headers = headers(shelf)?;
    for (header, map) in maps(shelf, &headers)? {
        if map.find(node).is_ok() {
            return Ok(header.mind_map_id.to_string());
        }
    }
    Err(unknown_node(node_id).into())
}

/// Returns the maps with their heads. They are read side by side.
fn maps<'h>(shelf: &Shelf, headers: &'h [Header]) -> Result<Vec<(&'h Header, Arc<MindMap>)>, Unseen> {
    let keyed = || headers.iter().filter_map(|header| Some((header, header.document.as_deref()?)));
    shelf.need(keyed().map(|(_, key)| document(key)))?;
    let mut maps = Vec::new();
    for (header, key) in keyed() {
        maps.extend(shelf.document(COURSE, MAP_DOCUMENT.name, key)?.map(|map| (header, map)));
    }
    Ok(maps)
}

fn document(key: &str) -> Want {
    Want::Document { flow: COURSE, name: MAP_DOCUMENT.name, key: key.to_owned() }
}

/// Returns the course with this id.
fn course_of<'s>(shelf: &'s Shelf, id: &str) -> Result<&'s StoredFlow, Unseen> {
    let flow = shelf.flow(id)?.filter(|flow| flow.flow == COURSE);
    flow.ok_or_else(|| Unseen::UnknownFlow(id.to_owned()))
}

fn probes(flow: &StoredFlow) -> Result<Vec<super::diagnosis::Probed>, Unseen> {
    Ok(flow.read::<course::Data>()?.slate.probes)
}

pub(super) fn unknown_node(node_id: &str) -> Rejected {
    let node_id: String = node_id.chars().take(60).collect();
    Rejected {
        code: "unknown_node",
        message: format!("no map of this learner has a concept {node_id:?}").into(),
        cure: "take a node_id from the map, or name the learner whose map it is".into(),
    }
}
