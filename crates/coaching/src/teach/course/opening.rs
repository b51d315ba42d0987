//! Opens a course: on a topic, on an imported map, or where an abandoned course stopped. Also tries a second time
//! if the first try gave no map.

use super::Data;
use crate::curriculum::Curriculum;
use crate::map::{Draft, Edge, Gate, MapError, MapId, MindMap, Node, NodeId};
use crate::rejected::Rejected;
use crate::rejected::read_given;
use crate::teach::room::{Header, MapStatus, Metadata, Room};
use crate::teach::slate::{Slate, Tutor};
use crate::teach::state::{FlowState, moment};
use crate::teach::tutor::refused;
use crate::teach::verbs::PlanAgain;
use crate::teach::words;
use crate::text::is_slip;
use crate::turn::Stage;
use serde::Deserialize;
use serde_json::Value;

const MAX_TOPIC_CHARS: usize = 200;
const MAX_GOAL_CHARS: usize = 2_000;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Opening {
    /// The flow and its map have one id.
    id: String,
    #[serde(default)]
    topic: Option<String>,
    #[serde(default)]
    goal: Option<String>,
    /// A curriculum by its id; otherwise the topic finds one.
    #[serde(default)]
    curriculum: Option<String>,
    #[serde(default)]
    tutor: Option<Tutor>,
    #[serde(default)]
    gate: Option<Gate>,
    #[serde(default)]
    model: bool,
    /// A map that the learner brings along.
    #[serde(default)]
    map: Option<Value>,
    /// An abandoned course to continue.
    #[serde(default)]
    from: Option<String>,
}

pub(super) fn open(
    curricula: &[Curriculum],
    opening: &Value,
    stage: &mut Stage<'_>,
) -> Result<Data, Rejected> {
    let opening: Opening = read_given(opening).map_err(words::bad_opening)?;
    let id = MapId::parse(&opening.id).map_err(refused)?;
    match (&opening.from, &opening.map) {
        (Some(from), _) => resume(id, from, &opening, stage),
        (None, Some(map)) => import(id, &opening, map, stage),
        (None, None) => start(id, &opening, curricula, stage),
    }
}

/// Opens a course on a topic.
fn start(
    id: MapId,
    opening: &Opening,
    curricula: &[Curriculum],
    stage: &mut Stage<'_>,
) -> Result<Data, Rejected> {
    let topic = text("topic", opening.topic.as_deref().unwrap_or_default(), MAX_TOPIC_CHARS)?;
    let goal = opening.goal.as_deref().map(|goal| text("goal", goal, MAX_GOAL_CHARS)).transpose()?;
    let tutor = opening.tutor.unwrap_or_default();
    let curriculum = match tutor {
        Tutor::Outside => None,
        Tutor::Etude => find(curricula, opening.curriculum.as_deref(), &topic)?,
    };
    if curriculum.is_none() && tutor == Tutor::Etude && !opening.model {
        return Err(nothing_to_teach(&topic, curricula));
    }
    let title = curriculum.map_or_else(|| topic.clone(), |curriculum| curriculum.title.clone());
    let map = match curriculum {
        Some(curriculum) => map_of(id, curriculum, goal.clone()).map_err(refused)?,
        None => MindMap::new(Draft { goal: goal.clone(), ..Draft::new(id, &title) }).map_err(refused)?,
    };
    let metadata = Metadata {
        goal: goal.clone(),
        curriculum: curriculum.map(|curriculum| curriculum.id.clone()),
        tutor,
        gate: opening.gate,
        ..Metadata::default()
    };
    let slate = Slate { tutor, model: opening.model, topic, goal, ..Slate::default() };
    Ok(begin(id, title, metadata, map, slate, stage))
}

/// Opens a course on an imported map.
fn import(id: MapId, opening: &Opening, map: &Value, stage: &mut Stage<'_>) -> Result<Data, Rejected> {
    let mut draft: Draft = read_given(map).map_err(|why| Rejected::of("map_refused", &why))?;
    draft.mind_map_id = id;
    if let Some(topic) = &opening.topic {
        draft.title = text("topic", topic, MAX_TOPIC_CHARS)?;
    }
    let map = MindMap::new(draft).map_err(refused)?;
    if map.nodes().is_empty() {
        return Err(refused(MapError::NoNodes));
    }
    let map = MindMap::new(renewed(&map)).map_err(refused)?;
    let title = map.title().to_owned();
    let goal = map.goal().map(str::to_owned);
    let tutor = opening.tutor.unwrap_or_default();
    let metadata = Metadata {
        goal: goal.clone(),
        curriculum: map.curriculum().map(str::to_owned),
        tutor,
        gate: opening.gate,
        is_imported: true,
        ..Metadata::default()
    };
    let slate = Slate { tutor, model: opening.model, topic: title.clone(), goal, ..Slate::default() };
    Ok(begin(id, title, metadata, map, slate, stage))
}

/// Returns the map with ids of its own: under those they had, its concepts may belong to another course of the
/// learner.
fn renewed(map: &MindMap) -> Draft {
    let id = map.mind_map_id();
    let renewed = |node: NodeId| renamed(id, node);
    let node = |node: &Node| Node { node_id: renewed(node.node_id), ..node.clone() };
    let edge = |edge: &Edge| Edge {
        parent_node_id: renewed(edge.parent_node_id),
        child_node_id: renewed(edge.child_node_id),
        ..*edge
    };
    Draft {
        goal: map.goal().map(str::to_owned),
        curriculum: map.curriculum().map(str::to_owned),
        nodes: map.nodes().iter().map(node).collect(),
        edges: map.edges().iter().map(edge).collect(),
        ..Draft::new(id, map.title())
    }
}

pub(in crate::teach) fn renamed(id: MapId, node: NodeId) -> NodeId {
    NodeId::of_concept(id, &node.to_string())
}

/// Continues an abandoned course under a new id, with a copy of its map and of what is known. The abandoned course
/// stays as it ended; resumed again, it gives another copy.
fn resume(id: MapId, from: &str, opening: &Opening, stage: &mut Stage<'_>) -> Result<Data, Rejected> {
    let old = Room::enter(&stage.moment).ok_or_else(|| words::no_such_course(from))?;
    if old.header.status != MapStatus::Abandoned {
        return Err(words::not_abandoned(old.header.title.as_str()));
    }
    let tutor = opening.tutor.unwrap_or(old.header.metadata.tutor);
    let gate = opening.gate.or(old.header.metadata.gate);
    let metadata =
        Metadata { resumed_from: Some(from.to_owned()), tutor, gate, ..old.header.metadata.clone() };
    let draft = Draft {
        goal: metadata.goal.clone(),
        curriculum: metadata.curriculum.clone(),
        nodes: old.map.nodes().to_vec(),
        edges: old.map.edges().to_vec(),
        ..Draft::new(id, &old.header.title)
    };
    let map = MindMap::new(draft).and_then(|map| MindMap::new(renewed(&map))).map_err(refused)?;
    let title = old.header.title.clone();
    let slate = Slate {
        tutor,
        model: opening.model,
        topic: title.clone(),
        goal: metadata.goal.clone(),
        ..Slate::default()
    };
    let mut data = begin(id, title, metadata, map, slate, stage);
    if let Some(room) = &mut data.room {
        room.copy_from(&old, |node| renamed(id, node), stage);
    }
    data.slate.is_resumed = true;
    Ok(data)
}

/// Makes another try at the map of a course. A curriculum provides it at once: the named one, or a new one for the
/// topic. Otherwise the law asks a model.
pub(super) fn plan_again(
    curricula: &[Curriculum],
    slate: &Slate,
    room: &mut Room,
    payload: &Value,
    stage: &mut Stage<'_>,
) -> Result<(), Rejected> {
    let wanted = if payload.is_null() { PlanAgain::default() } else { read_again(payload)? };
    if !room.map.nodes().is_empty() {
        return Ok(());
    }
    let is_named = |curriculum: &&Curriculum, name: &str| curriculum.id == name || curriculum.title == name;
    let found = match wanted.curriculum.as_deref().map(str::trim) {
        None => curricula.iter().find(|curriculum| curriculum.matches(&slate.topic)),
        Some(name) => {
            let named = curricula.iter().find(|curriculum| is_named(curriculum, name));
            let meant = named.or_else(|| curricula.iter().find(|curriculum| curriculum.matches(name)));
            Some(meant.ok_or_else(|| unknown_curriculum(name, curricula))?)
        }
    };
    let Some(curriculum) = found else { return Ok(()) };
    let map = map_of(room.header.mind_map_id, curriculum, slate.goal.clone()).map_err(refused)?;
    room.header.title = curriculum.title.clone();
    room.header.metadata.curriculum = Some(curriculum.id.clone());
    room.set_map(map, stage);
    Ok(())
}

fn read_again(payload: &Value) -> Result<PlanAgain, Rejected> {
    read_given(payload).map_err(words::bad_plan)
}

fn unknown_curriculum(name: &str, curricula: &[Curriculum]) -> Rejected {
    let known: Vec<&str> = curricula.iter().map(|curriculum| curriculum.id.as_str()).collect();
    words::no_such_curriculum(name, known.join(", "))
}

fn begin(
    id: MapId,
    title: String,
    metadata: Metadata,
    map: MindMap,
    slate: Slate,
    stage: &mut Stage<'_>,
) -> Data {
    let header = Header {
        mind_map_id: id,
        title,
        status: MapStatus::Active,
        metadata,
        document: None,
        node_count: 0,
        created_at: moment(stage.moment.now_us),
        lapsed_sittings: 0,
    };
    let mut room = Room::new(header, &stage.moment);
    room.set_map(map, stage);
    Data {
        state: FlowState::new(&id.to_string(), stage.moment.now_us),
        slate,
        room: Some(room),
        outlook: Default::default(),
        is_counted: false,
    }
}

fn find<'c>(
    curricula: &'c [Curriculum],
    id: Option<&str>,
    topic: &str,
) -> Result<Option<&'c Curriculum>, Rejected> {
    match id {
        None => Ok(curricula.iter().find(|curriculum| curriculum.matches(topic))),
        Some(id) => match curricula.iter().find(|curriculum| curriculum.id == id) {
            None => Err(nothing_to_teach(id, curricula)),
            found => Ok(found),
        },
    }
}

fn nothing_to_teach(topic: &str, curricula: &[Curriculum]) -> Rejected {
    let near = |curriculum: &&Curriculum| is_slip(&topic.to_lowercase(), &curriculum.id);
    if let Some(meant) = curricula.iter().find(near) {
        return words::misnamed_curriculum(topic, meant.id.as_str());
    }
    let known: Vec<&str> = curricula.iter().map(|curriculum| curriculum.title.as_str()).collect();
    words::no_curriculum(topic, known.join(", "))
}

/// Returns a curriculum as a map. A concept has the same id in every turn of a course, and another one in every
/// course.
fn map_of(id: MapId, curriculum: &Curriculum, goal: Option<String>) -> Result<MindMap, MapError> {
    let node_id = |concept: &str| NodeId::of_concept(id, concept);
    let node = |concept: &crate::curriculum::Concept| Node {
        concept: Some(concept.id.clone()),
        effort_minutes: Some(concept.minutes),
        ..Node::new(node_id(&concept.id), &concept.title)
    };
    let edges = curriculum.concepts.iter().flat_map(|concept| {
        let child = node_id(&concept.id);
        let needs = concept.needs.iter().map(move |need| Edge::prerequisite(node_id(need), child));
        needs.chain(concept.related.iter().map(move |other| Edge::related(node_id(other), child)))
    });
    MindMap::new(Draft {
        goal,
        curriculum: Some(curriculum.id.clone()),
        nodes: curriculum.concepts.iter().map(node).collect(),
        edges: edges.collect(),
        ..Draft::new(id, &curriculum.title)
    })
}

fn text(what: &'static str, text: &str, most: usize) -> Result<String, Rejected> {
    let text = text.trim();
    let count = text.chars().count();
    if (1..=most).contains(&count) && !text.chars().any(|c| c.is_control() && c != '\n') {
        return Ok(text.to_owned());
    }
    Err(if count == 0 { words::no_topic(what) } else { words::long_topic(what, most) })
}
