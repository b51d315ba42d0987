//! Where a teaching flow stands, in the exact form in which others read it under `flow:{mind_map_id}`.

use crate::learner::Quality;
use crate::map::NodeId;
use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(inline)]
pub enum FlowStatus {
    Pending,
    Diagnosing,
    Planning,
    Teaching,
    Quizzing,
    Reviewing,
    Completed,
    Abandoned,
}

// How far the teaching of one concept has come. There is none outside of teaching.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(inline)]
pub enum Phase {
    Explaining,
    Questioning,
    Evaluating,
}

/// Where a course stands
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(extend("required" = [
    "status", "mind_map_id", "current_node_id", "current_phase", "diagnostic_results", "session_count",
    "started_at", "last_session_at",
]))]
pub struct FlowState {
    pub status: FlowStatus,
    #[schemars(extend("format" = "uuid"))]
    pub mind_map_id: String,
    pub current_node_id: Option<NodeId>,
    /// How far the teaching of the current node has come; null outside of teaching
    pub current_phase: Option<Phase>,
    /// What the probes found out, by node id
    #[schemars(with = "BTreeMap<String, Diagnosed>")]
    pub diagnostic_results: BTreeMap<NodeId, Diagnosed>,
    /// Grows by one with every advance, and whenever Etude moves the status by itself
    pub session_count: u32,
    pub started_at: Timestamp,
    pub last_session_at: Timestamp,
}

#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(inline)]
pub struct Diagnosed {
    pub quality: Quality,
    #[schemars(range(min = 0, max = 1))]
    pub inferred_mastery: f64,
}

impl FlowState {
    pub fn new(mind_map_id: &str, now_us: i64) -> FlowState {
        let now = moment(now_us);
        FlowState {
            status: FlowStatus::Pending,
            mind_map_id: mind_map_id.to_owned(),
            current_node_id: None,
            current_phase: None,
            diagnostic_results: BTreeMap::new(),
            session_count: 0,
            started_at: now,
            last_session_at: now,
        }
    }

    /// Takes note of the state that the law is in, and says whether the status has moved. A move that is not permitted is
    /// an error, and never written.
    pub fn arrive(&mut self, law_state: &str, now_us: i64) -> Result<bool, String> {
        self.last_session_at = moment(now_us);
        let Some((mut status, phase)) = standing(law_state) else { return Ok(false) };
        // Whatever it takes to get a plan: a course that has come to planning is not diagnosed again.
        if (self.status, status) == (FlowStatus::Planning, FlowStatus::Diagnosing) {
            status = FlowStatus::Planning;
        }
        let has_moved = status != self.status;
        if has_moved && !self.status.may_become(status) {
            let (from, to) = (self.status.as_str(), status.as_str());
            return Err(format!("a course does not go from {from} to {to}"));
        }
        (self.status, self.current_phase) = (status, phase);
        Ok(has_moved)
    }

    pub fn count_session(&mut self) {
        self.session_count = self.session_count.saturating_add(1);
    }
}

impl FlowStatus {
    pub const ALL: [FlowStatus; 8] = [
        FlowStatus::Pending,
        FlowStatus::Diagnosing,
        FlowStatus::Planning,
        FlowStatus::Teaching,
        FlowStatus::Quizzing,
        FlowStatus::Reviewing,
        FlowStatus::Completed,
        FlowStatus::Abandoned,
    ];

    pub fn as_str(self) -> &'static str {
        match self {
            FlowStatus::Pending => "pending",
            FlowStatus::Diagnosing => "diagnosing",
            FlowStatus::Planning => "planning",
            FlowStatus::Teaching => "teaching",
            FlowStatus::Quizzing => "quizzing",
            FlowStatus::Reviewing => "reviewing",
            FlowStatus::Completed => "completed",
            FlowStatus::Abandoned => "abandoned",
        }
    }

    pub fn is_final(self) -> bool {
        matches!(self, FlowStatus::Completed | FlowStatus::Abandoned)
    }

    /// The permitted transitions. From planning to reviewing leads only a course that is resumed.
    pub fn may_become(self, next: FlowStatus) -> bool {
        match self {
            FlowStatus::Pending => matches!(next, FlowStatus::Diagnosing | FlowStatus::Abandoned),
            FlowStatus::Diagnosing => matches!(next, FlowStatus::Planning | FlowStatus::Abandoned),
            FlowStatus::Planning => {
                matches!(next, FlowStatus::Teaching | FlowStatus::Reviewing | FlowStatus::Abandoned)
            }
            FlowStatus::Teaching => matches!(next, FlowStatus::Quizzing | FlowStatus::Abandoned),
            FlowStatus::Quizzing => matches!(
                next,
                FlowStatus::Teaching | FlowStatus::Reviewing | FlowStatus::Completed | FlowStatus::Abandoned
            ),
            FlowStatus::Reviewing => {
                matches!(next, FlowStatus::Teaching | FlowStatus::Completed | FlowStatus::Abandoned)
            }
            FlowStatus::Completed | FlowStatus::Abandoned => false,
        }
    }
}

/// The status and phase that a state of the law belongs to; `None` for one that is only passed through.
pub fn standing(law_state: &str) -> Option<(FlowStatus, Option<Phase>)> {
    Some(match law_state {
        "pending" => (FlowStatus::Pending, None),
        "recollecting" | "surveying" | "unsurveyed" | "probing" | "diagnosing" | "marking_probe" => {
            (FlowStatus::Diagnosing, None)
        }
        "planning" | "unplanned" => (FlowStatus::Planning, None),
        "explaining" => (FlowStatus::Teaching, Some(Phase::Explaining)),
        "questioning" | "posing" | "marking_help" => (FlowStatus::Teaching, Some(Phase::Questioning)),
        "evaluating" | "marking" => (FlowStatus::Teaching, Some(Phase::Evaluating)),
        "quiz" | "quizzing" | "marking_quiz" | "upholding" => (FlowStatus::Quizzing, None),
        "pausing" | "reviewing" | "marking_in_between" => (FlowStatus::Reviewing, None),
        "completed" => (FlowStatus::Completed, None),
        "abandoned" => (FlowStatus::Abandoned, None),
        _ => return None,
    })
}

pub fn moment(now_us: i64) -> Timestamp {
    Timestamp::from_microsecond(now_us).unwrap_or(Timestamp::MAX)
}
