//! Edits to the map of a course, and records about its concepts, by an outside tutor or the learner.

use super::{Recorded, weigh};
use crate::grade::MAX_ANSWER_CHARS;
use crate::learner::given::{self, ease_factor, within};
use crate::map::MasteryStatus;
use crate::map::{Edge, MindMap, Node, NodeId};
use crate::rejected::Rejected;
use crate::rejected::read_given;
use crate::teach::diagnosis::Probed;
use crate::teach::progress::ResponseType;
use crate::teach::room::Room;
use crate::teach::slate::{Slate, Tutor};
use crate::teach::state::{FlowState, FlowStatus};
use crate::teach::tutor::{self, refused};
use crate::teach::verbs::{EdgeGiven, Judged, NodeCreate, NodeRemove, NodeUpdate};
use crate::teach::words;
use crate::turn::Stage;
use serde::Deserialize;
use serde_json::Value;

/// The highest score of a concept that is believed to be known: it is not known as well as one that was taught.
const MOST_DIAGNOSED: f64 = 0.7;

/// One change of a map.
#[derive(Debug, Deserialize)]
#[serde(tag = "edit", rename_all = "snake_case")]
enum Edit {
    NodeCreate(NodeCreate),
    NodeRemove(NodeRemove),
    NodeUpdate(NodeUpdate),
    EdgeCreate(EdgeGiven),
    EdgeRemove(EdgeGiven),
}

pub(super) fn edit(
    state: &mut FlowState,
    slate: &mut Slate,
    room: &mut Room,
    payload: &Value,
    stage: &mut Stage<'_>,
) -> Result<(), Rejected> {
    let mut map = (*room.map).clone();
    match read_given::<Edit>(payload).map_err(words::bad_edit)? {
        Edit::NodeCreate(NodeCreate { node_id, label, description, effort_minutes }) => {
            let node = Node { description, effort_minutes, ..Node::new(node_id, &label) };
            map.add_node(node).map_err(refused)?;
            may_grow(&map, room)?;
        }
        Edit::NodeRemove(NodeRemove { node_id }) => {
            may_remove(state, room, node_id)?;
            map.remove_node(node_id).map_err(refused)?;
            leave_out(state, slate, node_id);
            room.forget(node_id, stage);
        }
        Edit::NodeUpdate(update) => {
            map.find(update.node_id).map_err(refused)?;
            if let Some(label) = &update.label {
                map.rename(update.node_id, label).map_err(refused)?;
            }
            update_progress(&update, room, stage)?;
            if update.label.is_none() {
                return Ok(());
            }
        }
        Edit::EdgeCreate(EdgeGiven { parent_node_id, child_node_id, edge_type }) => {
            map.add_edge(Edge { parent_node_id, child_node_id, edge_type }).map_err(refused)?;
            may_grow(&map, room)?;
        }
        Edit::EdgeRemove(EdgeGiven { parent_node_id, child_node_id, edge_type }) => {
            map.remove_edge(&Edge { parent_node_id, child_node_id, edge_type });
        }
    }
    room.set_map(map, stage);
    Ok(())
}

/// Refuses a planned map that cannot be taken in any more, however far its course has come.
fn may_grow(map: &MindMap, room: &Room) -> Result<(), Rejected> {
    if room.is_planned() { map.check_planned_size().map_err(refused) } else { Ok(()) }
}

fn may_remove(state: &FlowState, room: &Room, node_id: NodeId) -> Result<(), Rejected> {
    if state.current_node_id != Some(node_id) {
        return Ok(());
    }
    Err(words::being_taught(room.label(node_id)))
}

/// Removes the questions about a concept that was removed: they cannot be answered, and say nothing about the rest.
fn leave_out(state: &mut FlowState, slate: &mut Slate, node_id: NodeId) {
    state.diagnostic_results.remove(&node_id);
    slate.probes.retain(|probe| probe.node_id != node_id);
    for posed in [&mut slate.question, &mut slate.help] {
        posed.take_if(|posed| posed.node_id == node_id);
    }
}

fn update_progress(update: &NodeUpdate, room: &mut Room, stage: &mut Stage<'_>) -> Result<(), Rejected> {
    let mut progress = room.progress(update.node_id);
    if let Some(status) = update.mastery_status {
        may_become(room.label(update.node_id), progress.mastery_status, status)?;
        progress.is_said_to_be(status, stage.moment.now_us);
    }
    let most = if progress.mastery_status == MasteryStatus::Diagnosed { MOST_DIAGNOSED } else { 1.0 };
    progress.mastery_score = match update.mastery_score {
        Some(score) => within("mastery_score", score, 0.0, most)?,
        None => progress.mastery_score.min(most),
    };
    if let Some(ease) = update.ease_factor {
        progress.ease_factor = ease_factor(ease)?;
    }
    progress.repetitions = update.repetitions.unwrap_or(progress.repetitions);
    room.set_progress(update.node_id, progress, stage);
    room.date(update.node_id, stage);
    Ok(())
}

/// Refuses a jump. A concept goes through every status in turn; repeating its status changes nothing.
fn may_become(label: &str, from: MasteryStatus, to: MasteryStatus) -> Result<(), Rejected> {
    if from == to || from.next().contains(&to) {
        return Ok(());
    }
    let next: Vec<&str> = from.next().iter().map(|status| status.as_str()).collect();
    Err(words::status_jump(label, from.as_str(), to.as_str(), next.join(", ")))
}

/// Records an answer judged by an outside tutor. Refuses where Etude leads: it has not asked that question, and
/// would count an answer that it cannot check. Returns the part of the course that the answer belongs to.
pub(super) fn record(
    state: &mut FlowState,
    slate: &mut Slate,
    room: &mut Room,
    payload: &Value,
    stage: &mut Stage<'_>,
) -> Result<Option<Recorded>, Rejected> {
    if slate.tutor == Tutor::Etude {
        return Err(words::etude_leads());
    }
    let recorded = read_given(payload).map_err(words::bad_record)?;
    let Judged { node_id, question_text, user_answer, quality, response_type } = recorded;
    let quality = given::quality(&quality)?;
    room.map.find(node_id).map_err(refused)?;
    if response_type == ResponseType::Diagnostic && state.status != FlowStatus::Diagnosing {
        return Err(words::diagnosis_over());
    }
    may_keep(&question_text, &user_answer)?;
    room.respond(node_id, (question_text.into(), &user_answer), (response_type, quality), stage);
    let mut progress = room.progress(node_id);
    progress.answered(response_type, quality, true);
    match response_type {
        ResponseType::Diagnostic => {
            if let Some(score) = weigh(state, slate, room, Probed::new(node_id, quality)) {
                progress.is_believed_known(score);
            }
        }
        ResponseType::Teach => {
            if progress.mastery_status.is_teachable() {
                progress.is_being_learned();
            }
        }
        ResponseType::Review => {}
    }
    room.set_progress(node_id, progress, stage);
    if response_type == ResponseType::Review {
        tutor::recalled(room, node_id, quality, stage);
    }
    Ok(match response_type {
        ResponseType::Diagnostic => Some(Recorded::Diagnosis),
        ResponseType::Teach if state.current_node_id == Some(node_id) => Some(Recorded::Concept(quality)),
        ResponseType::Teach | ResponseType::Review => None,
    })
}

/// Refuses texts that are too long to be kept whole. An answer may be empty, a question not.
fn may_keep(question_text: &str, user_answer: &str) -> Result<(), Rejected> {
    for (what, text) in [("question_text", question_text), ("user_answer", user_answer)] {
        if text.chars().nth(MAX_ANSWER_CHARS).is_some() {
            return Err(words::long_record(what, MAX_ANSWER_CHARS));
        }
    }
    match question_text.trim().is_empty() {
        true => Err(words::empty_record()),
        false => Ok(()),
    }
}
