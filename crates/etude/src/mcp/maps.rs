//! Tools about maps: concepts, what needs what, what can be learned now, and how answers went.

use super::courses::{Done, List, Which, Whose, check_owner};
use super::tool::{Caller, Does, Tool};
use crate::courses::teaching::{self, NodeView};
use crate::courses::wire;
use crate::engine::failure::Failure;
use coaching::learner::{MAX_INTERVAL_DAYS, Memory, MemoryState, given};
use coaching::map::MasteryStatus;
use coaching::map::{Edge, EdgeType, MapId, NodeId};
use coaching::teach::progress::ResponseType;
use coaching::teach::{Header, Response};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// The most concepts in one answer. An imported map may have thousands.
const MAX_NODES_AT_ONCE: usize = 500;

pub fn tools() -> Vec<Tool> {
    vec![
        Tool::new(
            "mind_map_get",
            "Look at a map",
            Does::Reads,
            "A map of concepts with how well the learner knows each: nodes in the order of learning, and edges from \
             what is needed (parent) to what needs it (child). Large maps come in pages: give `after`, the sequence \
             of the last node you have.",
            get,
        ),
        Tool::new(
            "mind_map_list",
            "List maps",
            Does::Reads,
            "The learner's maps without their concepts, those in use first.",
            list,
        ),
        Tool::new(
            "mind_map_frontier",
            "See what can be learned now",
            Does::Reads,
            "The frontier of a map: concepts that are unseen, diagnosed or in learning and whose prerequisites are \
             all mastered, in the order in which to teach them; at most 500.",
            frontier,
        ),
        Tool::new(
            "mind_map_node_create",
            "Add a concept",
            Does::Adds,
            "Adds a concept to a map and returns its node_id. A plan has at most 30 concepts, from the foundations \
             to the goal, each small enough for one sitting.",
            create_node,
        ),
        Tool::new(
            "mind_map_edge_create",
            "Join two concepts",
            Does::Sets,
            "Says that the child concept needs the parent (prerequisite), or that the two belong together (related). \
             Refused when prerequisites would go round in a circle; the circle is named. A plan is at most 5 \
             prerequisites deep.",
            create_edge,
        ),
        Tool::new(
            "mind_map_node_update",
            "Change a concept",
            Does::Sets,
            "Changes the label of a concept or what is known about it. Answers that you record with \
             quiz_response_record update mastery by themselves; use this only to correct. What a learner seems to \
             know from a diagnosis is worth a score of 0.3 to 0.7, never more.",
            update_node,
        ),
        Tool::new(
            "mind_map_export",
            "Draw a map",
            Does::Reads,
            "A map in a notation that other programs draw: mermaid, dot, canvas (Obsidian), graphml, or json.",
            export,
        ),
        Tool::new(
            "quiz_response_record",
            "Record an answer",
            Does::Adds,
            "Records a question that you have put, the learner's answer in their own words, and how good it was \
             (quality 0 to 5, a whole number: 3 and above counts as right). response_type `diagnostic` while \
             diagnosing, `teach` for comprehension and quiz questions, `review` for recall of a concept that was \
             learned before: that one also rates the memory and puts down the next review.",
            record,
        ),
        Tool::new(
            "quiz_responses",
            "See recent answers",
            Does::Reads,
            "The newest ten answers about one concept, the newest first.",
            responses,
        ),
        Tool::new(
            "sm2_update",
            "Compute the next SM-2 interval",
            Does::Reads,
            "Pure arithmetic of the SM-2 memory model, nothing is stored: given how a concept stood and the quality \
             of a recall, the new ease_factor, repetitions and interval_days. Recorded reviews do this by \
             themselves.",
            sm2,
        ),
    ]
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct PageInput {
    mind_map_id: String,
    /// Only nodes after this place in the order of learning.
    #[serde(default)]
    after: u32,
    /// At most so many nodes, up to 500.
    #[serde(default)]
    limit: Option<usize>,
    #[serde(default)]
    learner: Option<String>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct MapView {
    #[schemars(schema_with = "wire::header")]
    map: Header,
    nodes: Vec<NodeView>,
    /// The edges that lead to these nodes.
    #[schemars(schema_with = "wire::edges")]
    edges: Vec<Edge>,
    /// Whether there are nodes after these.
    has_more: bool,
}

async fn get(caller: Caller, input: PageInput) -> Result<MapView, Failure> {
    check_owner(&caller, &input.mind_map_id, &input.learner).await?;
    let atlas = teaching::atlas(&caller.app, &input.mind_map_id).await?;
    let limit = input.limit.unwrap_or(MAX_NODES_AT_ONCE).clamp(1, MAX_NODES_AT_ONCE);
    let mut nodes = atlas.nodes();
    nodes.retain(|node| node.sequence > input.after);
    nodes.sort_by_key(|node| node.sequence);
    let has_more = nodes.len() > limit;
    nodes.truncate(limit);
    let shown: std::collections::HashSet<NodeId> = nodes.iter().map(|node| node.node_id).collect();
    let edges =
        atlas.map.edges().iter().filter(|edge| shown.contains(&edge.child_node_id)).copied().collect();
    Ok(MapView { map: atlas.header, nodes, edges, has_more })
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(transparent)]
struct Head(#[schemars(schema_with = "wire::header")] Header);

async fn list(caller: Caller, whose: Whose) -> Result<List<Head>, Failure> {
    let headers = teaching::headers(&caller.app, caller.learner(&whose.learner)).await?;
    Ok(List { result: headers.into_iter().map(Head).collect() })
}

async fn frontier(caller: Caller, which: Which) -> Result<List<NodeView>, Failure> {
    which.check(&caller).await?;
    let mut result = teaching::atlas(&caller.app, &which.mind_map_id).await?.frontier();
    result.truncate(MAX_NODES_AT_ONCE);
    Ok(List { result })
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct NodeInput {
    mind_map_id: String,
    /// The name of the concept, a few words.
    label: String,
    /// What it covers, in a sentence or two.
    #[serde(default)]
    description: Option<String>,
    /// How long it takes to learn.
    #[serde(default)]
    effort_minutes: Option<u32>,
    #[serde(default)]
    learner: Option<String>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct Created {
    #[schemars(schema_with = "wire::id")]
    node_id: NodeId,
}

async fn create_node(caller: Caller, input: NodeInput) -> Result<Created, Failure> {
    let NodeInput { mind_map_id, label, description, effort_minutes, learner } = input;
    check_owner(&caller, &mind_map_id, &learner).await?;
    let created =
        teaching::create_node(&caller.app, &mind_map_id, &label, description.as_deref(), effort_minutes);
    Ok(Created { node_id: created.await? })
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct EdgeInput {
    /// What is needed.
    parent_node_id: String,
    /// What needs it.
    child_node_id: String,
    #[serde(default = "prerequisite")]
    #[schemars(schema_with = "wire::edge_type")]
    edge_type: EdgeType,
    /// Found by the concept where it is left out.
    #[serde(default)]
    mind_map_id: Option<String>,
    #[serde(default)]
    learner: Option<String>,
}

fn prerequisite() -> EdgeType {
    EdgeType::Prerequisite
}

async fn create_edge(caller: Caller, input: EdgeInput) -> Result<Done, Failure> {
    let EdgeInput { parent_node_id, child_node_id, edge_type, mind_map_id, learner } = input;
    let map = map_of(&caller, mind_map_id, &child_node_id, &learner).await?;
    teaching::create_edge(&caller.app, &map, &parent_node_id, &child_node_id, edge_type).await?;
    Ok(Done { result: () })
}

/// The map that was named, or else the one that the concept belongs to.
async fn map_of(
    caller: &Caller,
    named: Option<String>,
    node_id: &str,
    learner: &Option<String>,
) -> Result<String, Failure> {
    let Some(named) = named else {
        return teaching::map_with(&caller.app, caller.learner(learner), node_id).await;
    };
    check_owner(caller, &named, learner).await?;
    Ok(named)
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct UpdateInput {
    node_id: String,
    #[serde(default)]
    label: Option<String>,
    /// 0 to 1.
    #[serde(default)]
    mastery_score: Option<f64>,
    #[serde(default)]
    #[schemars(schema_with = "wire::optional_mastery")]
    mastery_status: Option<MasteryStatus>,
    /// 1.3 to 10.
    #[serde(default)]
    ease_factor: Option<f64>,
    #[serde(default)]
    repetitions: Option<u32>,
    /// Found by the concept where it is left out.
    #[serde(default)]
    mind_map_id: Option<String>,
    #[serde(default)]
    learner: Option<String>,
}

async fn update_node(caller: Caller, input: UpdateInput) -> Result<NodeView, Failure> {
    let map = map_of(&caller, input.mind_map_id, &input.node_id, &input.learner).await?;
    let changes = json!({
        "label": input.label,
        "mastery_score": input.mastery_score,
        "mastery_status": input.mastery_status,
        "ease_factor": input.ease_factor,
        "repetitions": input.repetitions,
    });
    teaching::update_node(&caller.app, &map, &input.node_id, changes).await
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct ExportInput {
    mind_map_id: String,
    #[schemars(schema_with = "wire::format")]
    format: String,
    #[serde(default)]
    learner: Option<String>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct Drawn {
    result: String,
}

async fn export(caller: Caller, input: ExportInput) -> Result<Drawn, Failure> {
    check_owner(&caller, &input.mind_map_id, &input.learner).await?;
    let format = teaching::format(&input.format)?;
    Ok(Drawn { result: teaching::atlas(&caller.app, &input.mind_map_id).await?.export(format) })
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct RecordInput {
    node_id: String,
    /// The whole question as it was put.
    question_text: String,
    /// The learner's answer in their own words.
    user_answer: String,
    #[schemars(schema_with = "wire::quality")]
    quality: Value,
    #[schemars(schema_with = "wire::response_type")]
    response_type: ResponseType,
    /// Found by the concept where it is left out.
    #[serde(default)]
    mind_map_id: Option<String>,
    #[serde(default)]
    learner: Option<String>,
}

async fn record(caller: Caller, input: RecordInput) -> Result<Recorded, Failure> {
    let RecordInput { node_id, question_text, user_answer, quality, response_type, mind_map_id, learner } =
        input;
    let map = map_of(&caller, mind_map_id, &node_id, &learner).await?;
    let texts = (question_text.as_str(), user_answer.as_str());
    teaching::record(&caller.app, &map, &node_id, texts, &quality, response_type).await?;
    Ok(Recorded { node: teaching::node(&caller.app, &map, &node_id).await? })
}

/// How the concept stands after the answer.
#[derive(Debug, Serialize, JsonSchema)]
struct Recorded {
    node: NodeView,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct ResponsesInput {
    node_id: String,
    /// Found by the concept where it is left out.
    #[serde(default)]
    mind_map_id: Option<String>,
    #[serde(default)]
    learner: Option<String>,
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(transparent)]
struct Answered(#[schemars(schema_with = "wire::response")] Response);

async fn responses(caller: Caller, input: ResponsesInput) -> Result<List<Answered>, Failure> {
    let map = map_of(&caller, input.mind_map_id, &input.node_id, &input.learner).await?;
    let learner = teaching::course(&caller.app, &map).await?.learner;
    let unknown = |_| Failure::UnknownInstance { id: map.clone() };
    let (map_id, node) =
        (MapId::parse(&map).map_err(unknown)?, NodeId::parse(&input.node_id).map_err(unknown)?);
    let found = teaching::recent_answers(&caller.app, &learner, map_id, node).await?;
    Ok(List { result: found.into_iter().map(Answered).collect() })
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
    #[schemars(schema_with = "wire::quality")]
    quality: Value,
}

#[derive(Debug, Serialize, JsonSchema)]
struct Sm2Output {
    ease_factor: f64,
    repetitions: u32,
    /// Days until the next review.
    interval_days: f64,
}

async fn sm2(_: Caller, input: Sm2Input) -> Result<Sm2Output, Failure> {
    let quality = given::quality(&input.quality).map_err(Failure::Rejected)?;
    given::ease_factor(input.ease_factor).map_err(Failure::Rejected)?;
    given::within("interval_days", input.interval_days, 0.0, MAX_INTERVAL_DAYS).map_err(Failure::Rejected)?;
    let Sm2Input { ease_factor: ease, repetitions, interval_days, .. } = input;
    let before = MemoryState::Sm2 { ease, repetitions, interval_days };
    let (after, interval_days) =
        Memory::Sm2.review(Some(before), quality, 0, coaching::learner::DESIRED_RETENTION);
    match after {
        MemoryState::Sm2 { ease, repetitions, .. } => {
            Ok(Sm2Output { ease_factor: ease, repetitions, interval_days })
        }
        MemoryState::Fsrs { .. } => unreachable!("SM-2 answers in its own terms"),
    }
}
