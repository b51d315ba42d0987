//! A map, together with the progress on its concepts.

use super::{course_of, document, probes, unknown_node};
use crate::look::{Shelf, Unseen, Want};
use crate::map::{Format, MasteryStatus, MindMap, NodeId, NodeIx};
use crate::rejected::Rejected;
use crate::teach::COURSE;
use crate::teach::diagnosis::{Diagnosis, Probed};
use crate::teach::progress::Progress;
use crate::teach::room::{Header, MAP_DOCUMENT, MAP_KIND, NODE_KIND};
use jiff::Timestamp;
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::HashMap;
use std::sync::Arc;

#[derive(Debug, Clone)]
pub struct Atlas {
    pub header: Header,
    pub map: Arc<MindMap>,
    pub progress: HashMap<NodeId, Progress>,
    /// The answers of the diagnosis.
    probes: Vec<Probed>,
}

/// A concept, and what is known about it.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[schemars(extend("required" = [
    "node_id", "label", "depth", "sequence", "mastery_status", "mastery_score", "ease_factor", "repetitions",
    "interval_days", "next_review_at",
]))]
pub struct NodeView {
    pub node_id: NodeId,
    pub label: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    pub depth: u32,
    pub sequence: u32,
    pub effort_minutes: Option<u32>,
    pub mastery_status: MasteryStatus,
    pub mastery_score: f64,
    pub ease_factor: f64,
    pub repetitions: u32,
    pub interval_days: f64,
    pub next_review_at: Option<Timestamp>,
    /// The confidence of the diagnosis in its belief about this concept, 0.5 to 1; null before its first answer.
    pub confidence: Option<f64>,
}

pub fn atlas(shelf: &Shelf, id: &str) -> Result<Atlas, Unseen> {
    shelf.need([Want::Flow(id.to_owned()), Want::Scope(id.to_owned())])?;
    let probes = probes(course_of(shelf, id)?)?;
    let unknown = || Unseen::UnknownFlow(id.to_owned());
    let records = shelf.records(Want::Scope(id.to_owned()))?;
    let head = records.iter().find(|record| record.kind == MAP_KIND).and_then(|record| record.read());
    let header: Header = head.ok_or_else(unknown)?;
    let key = header.document.as_deref().ok_or_else(unknown)?;
    shelf.need([document(key)])?;
    let map = shelf.document(COURSE, MAP_DOCUMENT.name, key)?.ok_or_else(unknown)?;
    let known = records.iter().filter(|record| record.kind == NODE_KIND);
    let progress = known.filter_map(|record| Some((NodeId::parse(&record.key).ok()?, record.read()?)));
    Ok(Atlas { progress: progress.collect(), header, map, probes })
}

impl Atlas {
    pub fn status(&self, node: NodeId) -> MasteryStatus {
        self.progress.get(&node).map_or(MasteryStatus::Unseen, |progress| progress.mastery_status)
    }

    fn statuses(&self) -> Vec<MasteryStatus> {
        self.map.nodes().iter().map(|node| self.status(node.node_id)).collect()
    }

    /// Returns the concepts that can be learned now, in order.
    pub fn frontier(&self) -> Vec<NodeView> {
        let statuses = self.statuses();
        self.views(self.map.frontier(self.header.gate(), |node| statuses[node.index()]))
    }

    pub fn nodes(&self) -> Vec<NodeView> {
        self.views(self.map.indexes())
    }

    /// Returns one concept. Refuses an id that is not on the map.
    pub fn node(&self, node_id: &str) -> Result<NodeView, Unseen> {
        let found = NodeId::parse(node_id).and_then(|node| self.map.find(node));
        let views = found.map(|node| self.views([node])).unwrap_or_default();
        views.into_iter().next().ok_or_else(|| unknown_node(node_id).into())
    }

    pub fn export(&self, format: Format) -> String {
        let statuses = self.statuses();
        self.map.export(format, |node| statuses[node.index()])
    }

    fn views(&self, nodes: impl IntoIterator<Item = NodeIx>) -> Vec<NodeView> {
        let diagnosis = Diagnosis::new(&self.map, &self.probes).ok().filter(|_| !self.probes.is_empty());
        let confidence = |node| diagnosis.as_ref().map(|diagnosis| diagnosis.finding(node).confidence);
        nodes.into_iter().map(|node| self.view(node, confidence(node))).collect()
    }

    fn view(&self, node: NodeIx, confidence: Option<f64>) -> NodeView {
        let node = self.map.node(node);
        let progress = self.progress.get(&node.node_id).cloned().unwrap_or_default();
        NodeView {
            node_id: node.node_id,
            label: node.label.clone(),
            description: node.description.clone(),
            depth: node.depth,
            sequence: node.sequence,
            effort_minutes: node.effort_minutes,
            mastery_status: progress.mastery_status,
            mastery_score: progress.mastery_score,
            ease_factor: progress.ease_factor,
            repetitions: progress.repetitions,
            interval_days: progress.interval_days,
            next_review_at: progress.next_review_at_us.and_then(|us| Timestamp::from_microsecond(us).ok()),
            confidence,
        }
    }
}

/// Returns the notation of this name. Refuses one in which a map cannot be written.
pub fn format(name: &str) -> Result<Format, Rejected> {
    Format::parse(name).ok_or_else(|| {
        let name: String = name.chars().take(40).collect();
        Rejected {
            code: "unknown_format",
            message: format!("a map cannot be written as {name:?}").into(),
            cure: "choose mermaid, dot, canvas, graphml or json".into(),
        }
    })
}
