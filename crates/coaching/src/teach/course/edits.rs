//! What somebody else who leads a course, or a learner, changes about its map and its record.

use crate::learner::Quality;
use crate::teach::desk::Desk;
use crate::teach::map::{Edge, EdgeType, Node, NodeId};
use crate::teach::progress::{MasteryStatus, ResponseType};
use crate::teach::room::Room;
use crate::teach::state::{FlowState, FlowStatus};
use crate::teach::tutor::refused;
use crate::turn::{Rejected, Stage};
use serde::Deserialize;
use serde_json::Value;

const MAX_QUESTION_CHARS: usize = 20_000;

/// One change of a map.
#[derive(Debug, Deserialize)]
#[serde(tag = "edit", rename_all = "snake_case", deny_unknown_fields)]
enum Edit {
    NodeCreate {
        node_id: NodeId,
        label: String,
        #[serde(default)]
        description: Option<String>,
        #[serde(default)]
        effort_minutes: Option<u32>,
    },
    NodeRemove {
        node_id: NodeId,
    },
    NodeUpdate {
        node_id: NodeId,
        #[serde(default)]
        label: Option<String>,
        #[serde(default)]
        mastery_score: Option<f64>,
        #[serde(default)]
        mastery_status: Option<MasteryStatus>,
        #[serde(default)]
        ease_factor: Option<f64>,
        #[serde(default)]
        repetitions: Option<u32>,
    },
    EdgeCreate {
        parent_node_id: NodeId,
        child_node_id: NodeId,
        #[serde(default = "prerequisite")]
        edge_type: EdgeType,
    },
    EdgeRemove {
        parent_node_id: NodeId,
        child_node_id: NodeId,
        #[serde(default = "prerequisite")]
        edge_type: EdgeType,
    },
}

fn prerequisite() -> EdgeType {
    EdgeType::Prerequisite
}

/// A question that somebody else has put, and how the answer was.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Recorded {
    node_id: NodeId,
    question_text: String,
    user_answer: String,
    /// Checked by hand: 2.9 and `true` get a better answer than a type error.
    quality: Value,
    response_type: ResponseType,
}

pub(super) fn edit(
    state: &FlowState,
    _: &Desk,
    room: &mut Room,
    payload: &Value,
    stage: &mut Stage<'_>,
) -> Result<(), Rejected> {
    let mut map = (*room.map).clone();
    match Edit::deserialize(payload).map_err(|error| unreadable("an edit", &error))? {
        Edit::NodeCreate { node_id, label, description, effort_minutes } => {
            map.add_node(Node { description, effort_minutes, ..Node::new(node_id, &label) })
                .map_err(refused)?;
        }
        Edit::NodeRemove { node_id } => {
            if state.current_node_id == Some(node_id) {
                return Err(Rejected {
                    code: "node_in_use",
                    message: format!("“{}” is being taught now", room.label(node_id)),
                    cure: "advance to another concept first".to_owned(),
                });
            }
            map.remove_node(node_id).map_err(refused)?;
        }
        Edit::NodeUpdate { node_id, label, mastery_score, mastery_status, ease_factor, repetitions } => {
            map.find(node_id).map_err(refused)?;
            let mut progress = room.progress(node_id);
            if let Some(score) = mastery_score {
                progress.mastery_score = within("mastery_score", score, 0.0, 1.0)?;
            }
            if let Some(ease) = ease_factor {
                progress.ease_factor = within("ease_factor", ease, 1.3, 10.0)?;
            }
            progress.mastery_status = mastery_status.unwrap_or(progress.mastery_status);
            progress.repetitions = repetitions.unwrap_or(progress.repetitions);
            room.set_progress(node_id, progress, stage);
            match label {
                Some(label) => map.rename(node_id, &label).map_err(refused)?,
                None => return Ok(()),
            }
        }
        Edit::EdgeCreate { parent_node_id, child_node_id, edge_type } => {
            map.add_edge(Edge { parent_node_id, child_node_id, edge_type }).map_err(refused)?;
        }
        Edit::EdgeRemove { parent_node_id, child_node_id, edge_type } => {
            map.remove_edge(&Edge { parent_node_id, child_node_id, edge_type });
        }
    }
    room.set_map(map, stage);
    Ok(())
}

pub(super) fn record(
    state: &mut FlowState,
    desk: &mut Desk,
    room: &mut Room,
    payload: &Value,
    stage: &mut Stage<'_>,
) -> Result<(), Rejected> {
    let recorded = Recorded::deserialize(payload).map_err(|error| unreadable("an answer", &error))?;
    let Recorded { node_id, question_text, user_answer, quality, response_type } = recorded;
    let quality = whole_quality(&quality)?;
    room.map.find(node_id).map_err(refused)?;
    if question_text.chars().count() > MAX_QUESTION_CHARS {
        return Err(Rejected {
            code: "too_long",
            message: format!("the question is longer than {MAX_QUESTION_CHARS} characters"),
            cure: "ask shorter questions".to_owned(),
        });
    }
    room.respond(node_id, (&question_text, &user_answer), (response_type, quality), stage);
    let mut progress = room.progress(node_id);
    progress.answered(response_type, quality);
    match response_type {
        ResponseType::Diagnostic => {
            let inferred_mastery =
                if quality.is_recalled() { 0.3 + 0.08 * f64::from(quality.get()) } else { 0.0 };
            let diagnosed = crate::teach::state::Diagnosed { quality, inferred_mastery };
            state.diagnostic_results.insert(node_id, diagnosed);
            if quality.is_recalled() {
                progress.mastery_score = inferred_mastery.clamp(0.3, 0.7);
                progress.mastery_status = MasteryStatus::Diagnosed;
            }
            room.set_progress(node_id, progress, stage);
        }
        ResponseType::Teach => {
            if progress.mastery_status.is_teachable() {
                progress.is_being_learned();
            }
            room.set_progress(node_id, progress, stage);
            if state.status == FlowStatus::Quizzing && state.current_node_id == Some(node_id) {
                desk.quiz.push(quality);
            }
        }
        ResponseType::Review => {
            progress.settle(stage.moment.now_us);
            room.set_progress(node_id, progress, stage);
            room.rate(node_id, quality, stage);
        }
    }
    Ok(())
}

/// A quality is a whole number from 0 to 5, whatever a program makes of it.
fn whole_quality(quality: &Value) -> Result<Quality, Rejected> {
    let whole = quality.as_u64().and_then(|quality| u8::try_from(quality).ok()).and_then(Quality::new);
    whole.ok_or_else(|| Rejected {
        code: "bad_quality",
        message: format!("{quality} is no quality"),
        cure: "a quality is a whole number from 0 (no idea) to 5 (perfect)".to_owned(),
    })
}

fn within(what: &str, number: f64, least: f64, most: f64) -> Result<f64, Rejected> {
    (least..=most).contains(&number).then_some(number).ok_or_else(|| Rejected {
        code: "out_of_bounds",
        message: format!("{what} {number} is out of bounds"),
        cure: format!("{what} is a number from {least} to {most}"),
    })
}

fn unreadable(what: &str, error: &serde_json::Error) -> Rejected {
    Rejected {
        code: "bad_payload",
        message: format!("this is not {what}: {error}"),
        cure: "`docs/teach.md` shows what each event carries".to_owned(),
    }
}
