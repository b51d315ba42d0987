//! The looks of courses as surfaces know them: names, paths, tools, inputs and outputs.

use super::{
    Context, CurriculumView, Listed, NodeView, Standing, atlas, coming_back, context, courses, curricula,
    format, headers, map_with, numbers, recent, recent_answers, schedules, standing,
};
use crate::curriculum::Curriculum;
use crate::face::{Answers, LOOK, Look, Tool, http, schema};
use crate::learner::{DESIRED_RETENTION, MAX_INTERVAL_DAYS, Memory, MemoryState, Quality, given};
use crate::look::{Begin, SUBJECTS, Shelf, Subject, Unseen};
use crate::map::{Edge, MapId, NodeId};
use crate::rejected::{Rejected, read_given};
use crate::teach::REVIEW;
use crate::teach::analytics::Analytics;
use crate::teach::room::{Header, Response, Schedule};
use crate::teach::state::FlowStatus;
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::collections::HashSet;

/// The most concepts in one answer. An imported map may have thousands.
const MAX_NODES_AT_ONCE: usize = 500;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct ByStatus {
    /// Only courses with this status.
    #[serde(default)]
    status: Option<FlowStatus>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Written {
    /// A notation: mermaid, dot, canvas, graphml or json.
    #[serde(default)]
    format: Option<String>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Drawing {
    /// The notation.
    #[schemars(schema_with = "formats")]
    format: String,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Page {
    /// Only nodes after this place in the order of learning.
    #[serde(default)]
    after: u32,
    /// At most this many nodes, up to 500.
    #[serde(default)]
    limit: Option<usize>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct OfNode {
    /// The concept.
    node_id: String,
    /// The map; without it, the concept finds it.
    #[serde(default)]
    mind_map_id: Option<String>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct OfMap {
    /// Only reviews of this map.
    #[serde(default)]
    mind_map_id: Option<String>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Sm2Input {
    /// How easy the concept is, 1.3 or more; 2.5 for one that was never reviewed.
    ease_factor: f64,
    /// Successful recalls in a row.
    repetitions: u32,
    /// Days between the last two reviews.
    interval_days: f64,
    #[schemars(with = "Quality")]
    quality: Value,
}

#[derive(Debug, Serialize, JsonSchema)]
struct Sm2Output {
    ease_factor: f64,
    repetitions: u32,
    /// Days until the next review.
    interval_days: f64,
}

#[derive(Debug, Serialize, JsonSchema)]
struct Courses {
    courses: Vec<Listed>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct Frontier {
    nodes: Vec<NodeView>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct Curricula {
    curricula: Vec<CurriculumView>,
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(untagged)]
enum MapAnswer {
    View { map: Header, nodes: Vec<NodeView>, edges: Vec<Edge> },
    Text { format: String, text: String },
}

#[derive(Debug, Serialize, JsonSchema)]
struct MapPage {
    map: Header,
    nodes: Vec<NodeView>,
    /// The edges that lead to these nodes.
    edges: Vec<Edge>,
    /// Whether there are nodes after these.
    has_more: bool,
}

/// The concept after the answer.
#[derive(Debug, Serialize, JsonSchema)]
struct Recorded {
    node: NodeView,
}

// Structured answers of tools are objects; any other value stands under this name.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(extend("required" = ["result"]))]
struct Wrapped<T> {
    result: T,
}

fn formats(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
    schemars::json_schema!({"type": "string", "enum": ["mermaid", "dot", "canvas", "graphml", "json"]})
}

const fn tool(
    name: &'static str,
    title: &'static str,
    id: Option<&'static str>,
    about: &'static str,
) -> Option<Tool> {
    Some(Tool { name, title, about, id, answers: Answers::Nothing })
}

const MAP: Option<&str> = Some("mind_map_id");

/// All looks of courses.
pub const LOOKS: &[Look] = &[
    Look {
        name: "courses",
        takes: Some(schema::<ByStatus>),
        gives: schema::<Courses>,
        http: http("list_courses", "/api/courses", "The courses of a learner, those used last first"),
        ..LOOK
    },
    Look {
        name: "list",
        takes: Some(schema::<ByStatus>),
        gives: schema::<Wrapped<Vec<Listed>>>,
        tool: tool(
            "teaching_flow_list",
            "List courses",
            None,
            "The learner's courses, the one used last first, with status and mastery_pct (0 to 1). Filter with \
             status.",
        ),
        ..LOOK
    },
    Look {
        name: "state",
        gives: schema::<Wrapped<Option<Standing>>>,
        tool: tool(
            "teaching_flow_get",
            "Look at a course",
            MAP,
            "Where a course stands: status, current node, phase, what the diagnosis found, who leads it, and Etude's lesson \
             and question if it does. Null when there is no such course. Call it first in every session: nothing else remembers where you left off.",
        ),
        ..LOOK
    },
    Look {
        name: "map",
        takes: Some(schema::<Written>),
        gives: schema::<MapAnswer>,
        http: http(
            "view_map",
            "/api/courses/{id}/map",
            "The map of a course, or with `format` (mermaid, dot, canvas, graphml, json) its text in a notation",
        ),
        ..LOOK
    },
    Look {
        name: "map-page",
        takes: Some(schema::<Page>),
        gives: schema::<MapPage>,
        tool: tool(
            "mind_map_get",
            "Look at a map",
            MAP,
            "A map of concepts with how well the learner knows each: nodes in the order of learning, and edges from \
             what is needed (parent) to what needs it (child). Large maps come in pages: give `after`, the sequence \
             of the last node you have.",
        ),
        ..LOOK
    },
    Look {
        name: "maps",
        gives: schema::<Wrapped<Vec<Header>>>,
        tool: tool(
            "mind_map_list",
            "List maps",
            None,
            "The learner's maps without their concepts, those in use first.",
        ),
        ..LOOK
    },
    Look {
        name: "frontier",
        gives: schema::<Frontier>,
        http: http("view_frontier", "/api/courses/{id}/frontier", "What can be learned now, in its order"),
        ..LOOK
    },
    Look {
        name: "frontier-list",
        gives: schema::<Wrapped<Vec<NodeView>>>,
        tool: tool(
            "mind_map_frontier",
            "See what can be learned now",
            MAP,
            "The frontier of a map: concepts that are unseen, diagnosed or in learning and whose prerequisites are \
             all mastered, in the order in which to teach them; at most 500.",
        ),
        ..LOOK
    },
    Look {
        name: "drawing",
        takes: Some(schema::<Drawing>),
        gives: schema::<Wrapped<String>>,
        tool: tool(
            "mind_map_export",
            "Draw a map",
            MAP,
            "A map in a notation that other programs draw: mermaid, dot, canvas (Obsidian), graphml, or json.",
        ),
        ..LOOK
    },
    // These answer verbs.
    Look { name: "node", gives: schema::<NodeView>, ..LOOK },
    Look { name: "recorded", gives: schema::<Recorded>, ..LOOK },
    Look {
        name: "responses",
        takes: Some(schema::<OfNode>),
        gives: schema::<Wrapped<Vec<Response>>>,
        http: http(
            "list_answers",
            "/api/courses/{id}/answers",
            "The newest answers about one concept (`node_id`), the newest first",
        ),
        tool: tool(
            "quiz_responses",
            "See recent answers",
            None,
            concat!("The newest ", recent!(word), " answers about one concept, the newest first."),
        ),
    },
    Look {
        name: "sm2",
        takes: Some(schema::<Sm2Input>),
        gives: schema::<Sm2Output>,
        tool: tool(
            "sm2_update",
            "Compute the next SM-2 interval",
            None,
            "SM-2 arithmetic, nothing is stored: given how a concept stood and the quality \
             of a recall, the new ease_factor, repetitions and interval_days. Recorded reviews do this by \
             themselves.",
        ),
        ..LOOK
    },
    Look {
        name: "context",
        gives: schema::<Context>,
        http: http(
            "read_context",
            "/api/courses/{id}/context",
            "What a tutor needs to know to continue a course",
        ),
        tool: tool(
            "teaching_context",
            "Read the context of a course",
            MAP,
            "Everything you need to know to continue a course: its state, the frontier of its map, the newest \
             answers about the current concept, and what is known about the learner. Read it at the beginning of a \
             session instead of relying on earlier conversations.",
        ),
        ..LOOK
    },
    Look {
        name: "analytics",
        gives: schema::<Analytics>,
        http: http(
            "read_analytics",
            "/api/courses/{id}/analytics",
            "The numbers of a course: mastery, velocity, retention",
        ),
        tool: tool(
            "learning_analytics",
            "See how the learning goes",
            MAP,
            "The numbers of a course: mastery, velocity, retention over 7 and 30 days, struggling concepts, strongest \
             area, estimated completion, best time of day.",
        ),
        ..LOOK
    },
    Look {
        name: "schedules",
        takes: Some(schema::<OfMap>),
        gives: schema::<Wrapped<Vec<Schedule>>>,
        tool: tool(
            "schedule_list",
            "List the reviews to come",
            None,
            "The reviews that are put down for a learner, of all maps or of one, the next one first. One whose \
             run_at has passed is due: offer review_start.",
        ),
        ..LOOK
    },
    Look { name: SUBJECTS, gives: schema::<Vec<Subject>>, ..LOOK },
    Look {
        name: "curricula",
        gives: schema::<Curricula>,
        http: http("list_curricula", "/api/curricula", "What can be taught without a model"),
        ..LOOK
    },
    Look {
        name: "curriculum-list",
        gives: schema::<Wrapped<Vec<CurriculumView>>>,
        tool: tool(
            "curriculum_list",
            "List curricula",
            None,
            "What Etude can teach by itself, with lessons, questions and rubrics: start with teaching_flow_start and \
             tutor `etude`.",
        ),
        ..LOOK
    },
];

/// Answers a look by its name.
pub fn look(
    known: &[Curriculum],
    name: &str,
    id: &str,
    given: &Value,
    shelf: &Shelf,
) -> Result<Value, Unseen> {
    Ok(match name {
        "courses" => json!(Courses { courses: courses(shelf, read::<ByStatus>(given)?.status)? }),
        "list" => result(courses(shelf, read::<ByStatus>(given)?.status)?),
        "state" => result(standing(shelf, id)?),
        "map" => map(shelf, id, read(given)?)?,
        "map-page" => json!(page(shelf, id, &read(given)?)?),
        "maps" => result(headers(shelf)?),
        "frontier" => json!(Frontier { nodes: atlas(shelf, id)?.frontier() }),
        "frontier-list" => {
            let mut nodes = atlas(shelf, id)?.frontier();
            nodes.truncate(MAX_NODES_AT_ONCE);
            result(nodes)
        }
        "drawing" => result(atlas(shelf, id)?.export(format(&read::<Drawing>(given)?.format)?)),
        "node" => json!(atlas(shelf, id)?.node(node_id(given))?),
        "recorded" => json!(Recorded { node: atlas(shelf, id)?.node(node_id(given))? }),
        "responses" => responses(shelf, &read(given)?)?,
        "sm2" => json!(sm2(&read(given)?)?),
        "context" => json!(context(shelf, id)?),
        "analytics" => json!(numbers(shelf, id)?),
        "schedules" => {
            let only = read::<OfMap>(given)?.mind_map_id;
            let mut found = schedules(shelf)?;
            found.retain(|schedule| only.as_ref().is_none_or(|map| schedule.mind_map_id.to_string() == *map));
            result(found)
        }
        SUBJECTS => json!(subjects(shelf)?),
        "curricula" => json!(Curricula { curricula: curricula(known) }),
        "curriculum-list" => result(curricula(known)),
        _ => Value::Null,
    })
}

/// Returns the courses that a learner has not given up, if they have concepts.
fn subjects(shelf: &Shelf) -> Result<Vec<Subject>, Unseen> {
    let mut coming = coming_back(shelf)?;
    let is_kept = |course: &Listed| course.status != FlowStatus::Abandoned && course.nodes > 0;
    let subject = |course: Listed| Subject {
        begin: Begin { flow: REVIEW.to_owned(), beside: Some(course.mind_map_id.clone()), given: json!({}) },
        known: course.mastered as usize,
        of: course.nodes as usize,
        due_us: coming.remove(&course.mind_map_id).unwrap_or_default(),
        id: course.mind_map_id,
        title: course.title,
        about: String::new(),
    };
    Ok(courses(shelf, None)?.into_iter().filter(is_kept).map(subject).collect())
}

/// Finds the course for a call that names only a concept.
pub fn find(given: &Value, shelf: &Shelf) -> Result<String, Unseen> {
    let node = given.get("child_node_id").or(given.get("node_id")).and_then(Value::as_str);
    map_with(shelf, node.unwrap_or_default())
}

fn read<T: DeserializeOwned>(given: &Value) -> Result<T, Rejected> {
    read_given(given).map_err(|why| Rejected {
        code: "bad_arguments",
        message: format!("the arguments cannot be read: {why}").into(),
        cure: "the schema says what is expected".into(),
    })
}

fn result(value: impl Serialize) -> Value {
    json!(Wrapped { result: value })
}

fn node_id(given: &Value) -> &str {
    given.get("node_id").and_then(Value::as_str).unwrap_or_default()
}

fn map(shelf: &Shelf, id: &str, written: Written) -> Result<Value, Unseen> {
    let atlas = atlas(shelf, id)?;
    let Some(name) = written.format else {
        let (nodes, edges) = (atlas.nodes(), atlas.map.edges().to_vec());
        return Ok(json!(MapAnswer::View { map: atlas.header, nodes, edges }));
    };
    let text = atlas.export(format(&name)?);
    Ok(json!(MapAnswer::Text { format: name, text }))
}

fn page(shelf: &Shelf, id: &str, page: &Page) -> Result<MapPage, Unseen> {
    let atlas = atlas(shelf, id)?;
    let limit = page.limit.unwrap_or(MAX_NODES_AT_ONCE).clamp(1, MAX_NODES_AT_ONCE);
    let mut nodes = atlas.nodes();
    nodes.retain(|node| node.sequence > page.after);
    nodes.sort_by_key(|node| node.sequence);
    let has_more = nodes.len() > limit;
    nodes.truncate(limit);
    let shown: HashSet<NodeId> = nodes.iter().map(|node| node.node_id).collect();
    let edges = atlas.map.edges().iter().filter(|edge| shown.contains(&edge.child_node_id)).copied();
    Ok(MapPage { edges: edges.collect(), map: atlas.header, nodes, has_more })
}

fn responses(shelf: &Shelf, of: &OfNode) -> Result<Value, Unseen> {
    let map = match &of.mind_map_id {
        Some(map) => map.clone(),
        None => map_with(shelf, &of.node_id)?,
    };
    let unknown = |_| Unseen::UnknownFlow(map.clone());
    let (map, node) = (MapId::parse(&map).map_err(unknown)?, NodeId::parse(&of.node_id).map_err(unknown)?);
    Ok(result(recent_answers(shelf, map, node)?))
}

fn sm2(input: &Sm2Input) -> Result<Sm2Output, Rejected> {
    let quality = given::quality(&input.quality)?;
    given::ease_factor(input.ease_factor)?;
    given::within("interval_days", input.interval_days, 0.0, MAX_INTERVAL_DAYS)?;
    let Sm2Input { ease_factor: ease, repetitions, interval_days, .. } = *input;
    let before = MemoryState::Sm2 { ease, repetitions, interval_days };
    let (after, interval_days) = Memory::Sm2.review(Some(before), quality, 0, DESIRED_RETENTION);
    match after {
        MemoryState::Sm2 { ease, repetitions, .. } => {
            Ok(Sm2Output { ease_factor: ease, repetitions, interval_days })
        }
        MemoryState::Fsrs { .. } => unreachable!("SM-2 answers in its own terms"),
    }
}
