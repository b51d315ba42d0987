//! The context that a tutor needs to continue a course. Everything comes from the store, nothing from earlier
//! conversations. It has four parts, always in the same order: where the course stands, what can be learned now,
//! the newest answers about the current concept, and what is known about the learner beyond this course.

use super::{Listed, NodeView, Standing, atlas, courses, headers, maps, percent, recent_answers, standing};
use crate::learner::{Channel, Memory as MemoryModel, PROFILE_KEY, PROFILE_KIND, Profile};
use crate::look::{Shelf, Unseen, Want};
use crate::map::{MasteryStatus, NodeId};
use crate::teach::progress::Progress;
use crate::teach::room::{NODE_KIND, Response};
use crate::teach::state::FlowStatus;
use jiff::Timestamp;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::json;
use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};

/// The most concepts that are named as strong or as hard.
const MAX_NAMED: usize = 5;
/// The most courses that are listed, and whose concepts are looked through.
const MAX_COURSES: usize = 20;

/// The parts of the context, serialised in this order.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Context {
    pub flow_state: Standing,
    pub frontier: Vec<NodeView>,
    /// The newest answers about the current concept, the newest first.
    pub recent_responses: Vec<Response>,
    /// Absent when it cannot be read: a course goes on without it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Memory")]
    pub memory: Option<Memory>,
}

/// The memory of a learner over all of their courses.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Memory {
    pub preferences: Preferences,
    pub courses: Vec<Past>,
    pub strongest: Vec<Named>,
    pub struggling: Vec<Named>,
}

#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Preferences {
    pub name: Option<String>,
    pub time_zone: String,
    pub preferred_channel: Channel,
    pub memory_model: MemoryModel,
    pub desired_retention: f64,
}

/// A course that the learner takes or took.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Past {
    pub title: String,
    pub status: FlowStatus,
    pub mastery: String,
    pub last_session_at: Timestamp,
}

/// A concept of any course.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Named {
    pub label: String,
    pub course: String,
    pub mastery_score: f64,
}

/// Puts the four parts of the context together.
pub fn context(shelf: &Shelf, id: &str) -> Result<Context, Unseen> {
    let flow_state = standing(shelf, id)?.ok_or_else(|| Unseen::UnknownFlow(id.to_owned()))?;
    let (frontier, recent_responses) = match atlas(shelf, id) {
        Ok(atlas) => {
            let map = atlas.header.mind_map_id;
            let recent = flow_state.state.current_node_id.map(|node| recent_answers(shelf, map, node));
            (atlas.frontier(), recent.transpose()?.unwrap_or_default())
        }
        // The map has not been laid out yet.
        Err(Unseen::UnknownFlow(_)) => (Vec::new(), Vec::new()),
        Err(unseen) => return Err(unseen),
    };
    let memory = match memory(shelf) {
        Err(Unseen::Wants(wants)) => return Err(Unseen::Wants(wants)),
        memory => memory.ok(),
    };
    Ok(Context { flow_state, frontier, recent_responses, memory })
}

impl Context {
    /// Returns the block of text that is put before a conversation.
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

fn memory(shelf: &Shelf) -> Result<Memory, Unseen> {
    let profile = profile(shelf)?;
    let past = |course: &Listed| Past {
        title: course.title.clone(),
        status: course.status,
        mastery: percent(course.mastery_pct),
        last_session_at: course.last_session_at,
    };
    let courses = courses(shelf, None)?.iter().take(MAX_COURSES).map(past).collect();
    let concepts = concepts(shelf)?;
    Ok(Memory {
        preferences: Preferences {
            name: profile.name,
            time_zone: profile.time_zone,
            preferred_channel: profile.preferred_channel,
            memory_model: profile.memory,
            desired_retention: profile.desired_retention,
        },
        courses,
        strongest: strongest(&concepts),
        struggling: struggling(&concepts),
    })
}

/// Returns the learner's profile. One that cannot be read is an error: nothing is made up.
pub(super) fn profile(shelf: &Shelf) -> Result<Profile, Unseen> {
    match shelf.records(Want::Record(PROFILE_KIND, PROFILE_KEY.to_owned()))? {
        [] => Ok(Profile::default()),
        [record, ..] => serde_json::from_str(&record.body)
            .map_err(|error| Unseen::Broken(PROFILE_KEY.to_owned(), error.to_string())),
    }
}

/// Returns every concept that the learner has met, with its course. A resumed course counts where it continues.
fn concepts(shelf: &Shelf) -> Result<Vec<(Named, Progress)>, Unseen> {
    let mut headers = headers(shelf)?;
    let resumed: HashSet<String> =
        headers.iter().filter_map(|header| header.metadata.resumed_from.clone()).collect();
    headers.truncate(MAX_COURSES);
    headers.retain(|header| !resumed.contains(&header.mind_map_id.to_string()));
    let mut labels: HashMap<NodeId, (String, String)> = HashMap::new();
    for (header, map) in maps(shelf, &headers)? {
        for node in map.nodes() {
            labels.entry(node.node_id).or_insert_with(|| (node.label.clone(), header.title.clone()));
        }
    }
    let named = shelf.records(Want::Records(NODE_KIND))?.iter().filter_map(|record| {
        let (label, course) = labels.get(&NodeId::parse(&record.key).ok()?)?.clone();
        let progress: Progress = record.read()?;
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
