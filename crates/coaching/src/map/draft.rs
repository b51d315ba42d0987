//! Defines a map as it is written down, and its limits.

use super::{MapError, MapId, NodeId};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::HashSet;

pub const MAX_NODES: usize = 20_000;
pub const MAX_EDGES: usize = 200_000;
/// The longest label, title, or id of a concept or a curriculum, in characters.
pub const MAX_LABEL_CHARS: usize = 200;
/// The longest description or goal, in characters.
pub const MAX_DESCRIPTION_CHARS: usize = 4_000;
/// The greatest effort of a concept. One that takes longer is a map of its own.
pub const MAX_EFFORT_MINUTES: u32 = 10_000;

/// A map before it is checked.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Draft {
    pub mind_map_id: MapId,
    pub title: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub goal: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub curriculum: Option<String>,
    #[serde(default)]
    pub nodes: Vec<Node>,
    #[serde(default)]
    pub edges: Vec<Edge>,
}

/// A concept to learn.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Node {
    pub node_id: NodeId,
    /// The concept of the map's curriculum that is taught here.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub concept: Option<String>,
    pub label: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub effort_minutes: Option<u32>,
    /// The number of edges on the longest way to it from a node without prerequisites. The map computes it.
    #[serde(default)]
    pub depth: u32,
    /// Its place in the order of learning, from 1. The map computes it.
    #[serde(default)]
    pub sequence: u32,
}

/// A relation between two nodes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
pub struct Edge {
    /// The prerequisite.
    pub parent_node_id: NodeId,
    /// The node that needs it.
    pub child_node_id: NodeId,
    pub edge_type: EdgeType,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(inline)]
pub enum EdgeType {
    Prerequisite,
    // Worth seeing beside the other. The relation has no direction, and neither node waits for the other.
    Related,
}

impl Draft {
    pub fn new(mind_map_id: MapId, title: &str) -> Draft {
        Draft {
            mind_map_id,
            title: title.to_owned(),
            goal: None,
            curriculum: None,
            nodes: Vec::new(),
            edges: Vec::new(),
        }
    }

    /// Checks everything except how the edges connect.
    pub(super) fn check(&self) -> Result<(), MapError> {
        check_text("title", &self.title, MAX_LABEL_CHARS)?;
        check_option("goal", &self.goal, MAX_DESCRIPTION_CHARS)?;
        check_option("curriculum", &self.curriculum, MAX_LABEL_CHARS)?;
        if self.nodes.len() > MAX_NODES {
            return Err(MapError::TooManyNodes { count: self.nodes.len(), limit: MAX_NODES });
        }
        if self.edges.len() > MAX_EDGES {
            return Err(MapError::TooManyEdges { count: self.edges.len() });
        }
        self.nodes.iter().try_for_each(Node::check)
    }

    pub(super) fn drop_repeated_edges(&mut self) {
        let mut met = HashSet::with_capacity(self.edges.len());
        self.edges.retain(|edge| met.insert(edge.meaning()));
    }
}

impl Node {
    pub fn new(node_id: NodeId, label: &str) -> Node {
        Node {
            node_id,
            concept: None,
            label: label.to_owned(),
            description: None,
            effort_minutes: None,
            depth: 0,
            sequence: 0,
        }
    }

    pub(super) fn check(&self) -> Result<(), MapError> {
        check_label(&self.label)?;
        check_option("concept", &self.concept, MAX_LABEL_CHARS)?;
        check_option("description", &self.description, MAX_DESCRIPTION_CHARS)?;
        match self.effort_minutes {
            Some(minutes) if minutes > MAX_EFFORT_MINUTES => {
                Err(MapError::TooMuchEffort { label: self.label.clone(), minutes })
            }
            _ => Ok(()),
        }
    }
}

impl Edge {
    pub fn prerequisite(parent_node_id: NodeId, child_node_id: NodeId) -> Edge {
        Edge { parent_node_id, child_node_id, edge_type: EdgeType::Prerequisite }
    }

    pub fn related(parent_node_id: NodeId, child_node_id: NodeId) -> Edge {
        Edge { parent_node_id, child_node_id, edge_type: EdgeType::Related }
    }

    pub(super) fn means_the_same(&self, other: &Edge) -> bool {
        self.meaning() == other.meaning()
    }

    /// Returns a form that is equal for edges with the same meaning: a relation reads alike from either end.
    fn meaning(&self) -> Edge {
        let (one, other) = (self.parent_node_id, self.child_node_id);
        match self.edge_type {
            EdgeType::Prerequisite => *self,
            EdgeType::Related => Edge::related(one.min(other), one.max(other)),
        }
    }
}

pub(super) fn check_label(label: &str) -> Result<(), MapError> {
    check_text("label", label, MAX_LABEL_CHARS)
}

fn check_option(field: &'static str, text: &Option<String>, limit: usize) -> Result<(), MapError> {
    text.as_ref().map_or(Ok(()), |text| check_text(field, text, limit))
}

fn check_text(field: &'static str, text: &str, limit: usize) -> Result<(), MapError> {
    if text.chars().all(|c| c.is_whitespace() || c.is_control()) {
        return Err(MapError::Empty { field });
    }
    // A character has at most four bytes, so a very long text need not be counted.
    if text.len() > limit * 4 || text.chars().count() > limit {
        return Err(MapError::TooLong { field, limit });
    }
    Ok(())
}
