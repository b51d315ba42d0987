//! What somebody has to know to go on with a course: everything comes from the store, nothing from earlier
//! conversations. Four parts, always in the same order: where the course stands, what can be learned now, what was
//! answered last about the concept at hand, and what is known about the learner beyond this course.

use crate::courses::analytics::percent;
use crate::courses::teaching::{self, NodeView};
use crate::engine::app::App;
use crate::engine::failure::Failure;
use crate::learners::profiles;
use coaching::learner::{Channel, Memory as MemoryModel};
use coaching::map::MasteryStatus;
use coaching::map::NodeId;
use coaching::teach::progress::Progress;
use coaching::teach::state::{FlowState, FlowStatus};
use coaching::teach::{NODE_KIND, Response};
use jiff::Timestamp;
use serde::Serialize;
use serde_json::json;
use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};
use store::MAX_LIMIT;

/// No more concepts than this are named as strong or as hard.
const MAX_NAMED: usize = 5;
/// The courses that are told of, and whose concepts are looked through.
const MAX_COURSES: usize = 20;

/// Serialized, its parts keep their order.
#[derive(Debug, Clone, Serialize)]
pub struct Context {
    pub flow_state: FlowState,
    pub frontier: Vec<NodeView>,
    /// About the concept at hand, the newest first.
    pub recent_responses: Vec<Response>,
    /// Left out when it cannot be had: a course goes on without it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub memory: Option<Memory>,
}

/// What is known about a learner over all of their courses.
#[derive(Debug, Clone, Serialize)]
pub struct Memory {
    pub preferences: Preferences,
    pub courses: Vec<Past>,
    pub strongest: Vec<Named>,
    pub struggling: Vec<Named>,
}

#[derive(Debug, Clone, Serialize)]
pub struct Preferences {
    pub name: Option<String>,
    pub time_zone: String,
    pub preferred_channel: Channel,
    pub memory_model: MemoryModel,
    pub desired_retention: f64,
}

/// A course that the learner takes or took.
#[derive(Debug, Clone, Serialize)]
pub struct Past {
    pub title: String,
    pub status: FlowStatus,
    pub mastery: String,
    pub last_session_at: Timestamp,
}

/// A concept of any course.
#[derive(Debug, Clone, Serialize)]
pub struct Named {
    pub label: String,
    pub course: String,
    pub mastery_score: f64,
}

/// Puts the four parts together.
pub async fn assemble(app: &App, mind_map_id: &str) -> Result<Context, Failure> {
    let unknown = || Failure::UnknownInstance { id: mind_map_id.to_owned() };
    let flow_state = teaching::state(app, mind_map_id).await?.ok_or_else(unknown)?;
    let learner = teaching::course(app, mind_map_id).await?.learner;
    let (frontier, recent_responses) = match teaching::atlas(app, mind_map_id).await {
        Ok(atlas) => {
            let map = atlas.header.mind_map_id;
            let recent = match flow_state.current_node_id {
                Some(node) => teaching::recent_answers(app, &learner, map, node).await?,
                None => Vec::new(),
            };
            (atlas.frontier(), recent)
        }
        // Nobody has said yet what there is to learn.
        Err(Failure::UnknownInstance { .. }) => (Vec::new(), Vec::new()),
        Err(failure) => return Err(failure),
    };
    let memory = memory(app, &learner).await.inspect_err(
        |failure| tracing::warn!(learner, %failure, "the context goes without what is known about the learner"),
    );
    Ok(Context { flow_state, frontier, recent_responses, memory: memory.ok() })
}

impl Context {
    /// The block that is put before a conversation.
    pub fn text(&self) -> String {
        let mut parts = vec![
            ("Flow state", json!(self.flow_state)),
            ("Frontier: what can be learned now, in order", json!(self.frontier)),
            ("Recent answers about the current concept, newest first", json!(self.recent_responses)),
        ];
        if let Some(memory) = &self.memory {
            parts.push(("What is known about the learner", json!(memory)));
        }
        let part = |(heading, value)| format!("## {heading}\n\n```json\n{value:#}\n```\n");
        parts.into_iter().map(part).collect::<Vec<String>>().join("\n")
    }
}

/// Fails where what is stored about the learner cannot be read, instead of making something up.
async fn memory(app: &App, learner: &str) -> Result<Memory, Failure> {
    let profile = profiles::read(&app.store, learner).await?;
    let courses = teaching::list(app, learner, None).await?;
    let past = courses.iter().take(MAX_COURSES).map(|course| Past {
        title: course.title.clone(),
        status: course.status,
        mastery: percent(course.mastery_pct),
        last_session_at: course.last_session_at,
    });
    let concepts = concepts(app, learner).await?;
    Ok(Memory {
        preferences: Preferences {
            name: profile.name,
            time_zone: profile.time_zone,
            preferred_channel: profile.preferred_channel,
            memory_model: profile.memory,
            desired_retention: profile.desired_retention,
        },
        courses: past.collect(),
        strongest: strongest(&concepts),
        struggling: struggling(&concepts),
    })
}

/// Every concept that the learner has met, with the course it belongs to. What was resumed is counted where it goes on.
async fn concepts(app: &App, learner: &str) -> Result<Vec<(Named, Progress)>, Failure> {
    let mut labels: HashMap<NodeId, (String, String)> = HashMap::new();
    let headers = teaching::headers(app, learner).await?;
    let resumed: HashSet<&str> =
        headers.iter().filter_map(|header| header.metadata.resumed_from.as_deref()).collect();
    for header in headers.iter().take(MAX_COURSES) {
        if resumed.contains(header.mind_map_id.to_string().as_str()) {
            continue;
        }
        let Some(document) = &header.document else { continue };
        let Some(map) = teaching::mind_map(app, learner, document).await? else { continue };
        for node in map.nodes() {
            labels.entry(node.node_id).or_insert_with(|| (node.label.clone(), header.title.clone()));
        }
    }
    let records = app.store.records(learner, NODE_KIND, MAX_LIMIT).await?;
    let named = records.into_iter().filter_map(|record| {
        let (label, course) = labels.get(&NodeId::parse(&record.key).ok()?)?.clone();
        let progress: Progress = serde_json::from_str(&record.body).ok()?;
        Some((Named { label, course, mastery_score: progress.mastery_score }, progress))
    });
    Ok(named.collect())
}

fn strongest(concepts: &[(Named, Progress)]) -> Vec<Named> {
    let is_known = |status| matches!(status, MasteryStatus::Reviewing | MasteryStatus::Mastered);
    let known = concepts.iter().filter(|(_, progress)| is_known(progress.mastery_status));
    first_by_score(known, Reverse)
}

fn struggling(concepts: &[(Named, Progress)]) -> Vec<Named> {
    first_by_score(concepts.iter().filter(|(_, progress)| progress.is_struggling()), |score| score)
}

fn first_by_score<'c, K: Ord>(
    concepts: impl Iterator<Item = &'c (Named, Progress)>,
    order: impl Fn(i64) -> K,
) -> Vec<Named> {
    let mut named: Vec<Named> = concepts.map(|(named, _)| named.clone()).collect();
    named.sort_by_cached_key(|named| (order((named.mastery_score * 1e6) as i64), named.label.clone()));
    named.truncate(MAX_NAMED);
    named
}
