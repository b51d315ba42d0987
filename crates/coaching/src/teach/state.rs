//! The state of a teaching flow, in the exact form in which others read it under `flow:{mind_map_id}`.

use crate::learner::Quality;
use crate::map::NodeId;
use crate::turn::At;
use jiff::Timestamp;
use schemars::JsonSchema;
use serde::de::value::StrDeserializer;
use serde::de::{DeserializeOwned, IntoDeserializer};
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

// The stage in teaching one concept. There is none outside of teaching.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(inline)]
pub enum Phase {
    Explaining,
    Questioning,
    Evaluating,
}

/// The names of the attributes that the law gives its states.
pub(super) const STATUS: &str = "status";
pub(super) const PHASE: &str = "phase";

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
    /// The findings of the probes, by node id
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

    /// Notes the status and the phase of the law's state. Returns whether the status has moved. States without a status
    /// are only passed through. The law's proof shows that no status comes out of order.
    pub fn arrive(&mut self, at: &At<'_>, now_us: i64) -> Result<bool, String> {
        self.last_session_at = moment(now_us);
        let Some(status) = named(at.attribute(STATUS))? else { return Ok(false) };
        let has_moved = status != self.status;
        (self.status, self.current_phase) = (status, named(at.attribute(PHASE))?);
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
}

impl Phase {
    pub const ALL: [Phase; 3] = [Phase::Explaining, Phase::Questioning, Phase::Evaluating];

    pub fn as_str(self) -> &'static str {
        match self {
            Phase::Explaining => "explaining",
            Phase::Questioning => "questioning",
            Phase::Evaluating => "evaluating",
        }
    }
}

/// Reads the value of an attribute as its type.
fn named<T: DeserializeOwned>(value: Option<&str>) -> Result<Option<T>, String> {
    let read = |name: &str| {
        let name: StrDeserializer<'_, serde::de::value::Error> = name.into_deserializer();
        T::deserialize(name).map_err(|error| format!("the law has an unknown attribute: {error}"))
    };
    value.map(read).transpose()
}

pub fn moment(now_us: i64) -> Timestamp {
    Timestamp::from_microsecond(now_us).unwrap_or(Timestamp::MAX)
}
