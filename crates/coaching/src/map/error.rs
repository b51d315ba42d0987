//! Defines the reasons why a map is refused, with what to do about each.

use super::draft::{MAX_EDGES, MAX_EFFORT_MINUTES};
use super::{MAX_PLANNED_DEPTH, NodeId};

/// The number of labels above which a cycle is named only by its beginning and its end.
const MAX_NAMED: usize = 12;
/// The number of characters that are repeated of a text that is not an id.
const MAX_SHOWN_CHARS: usize = 60;

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum MapError {
    #[error("{text:?} is not an id; write a UUID such as 018f2f3e-4c5d-7a6b-8c9d-0e1f2a3b4c5d")]
    NotAnId { text: String },
    #[error("the map has no node {node_id}; take the id of one of its nodes, or add this node first")]
    UnknownNode { node_id: NodeId },
    #[error("two nodes have the id {node_id}; give each node its own")]
    DuplicateNode { node_id: NodeId },
    #[error("{label:?} cannot be joined to itself; name another node on one side of the edge")]
    SelfEdge { label: String },
    /// The labels along the cycle; the first is also the last.
    #[error("prerequisites form a cycle: {}; leave one of these edges out", cycle(labels))]
    Cycle { labels: Vec<String> },
    #[error("the {field} is empty; write at least one character that can be seen, or leave the field out")]
    Empty { field: &'static str },
    #[error("the {field} is longer than {limit} characters; shorten it")]
    TooLong { field: &'static str, limit: usize },
    #[error("{label:?} takes {minutes} minutes, more than {MAX_EFFORT_MINUTES}; split it into several nodes")]
    TooMuchEffort { label: String, minutes: u32 },
    #[error("the map has {count} nodes and may have {limit}; join small concepts, or make two maps")]
    TooManyNodes { count: usize, limit: usize },
    #[error("the map has {count} edges and may have {MAX_EDGES}; leave out what follows from other edges")]
    TooManyEdges { count: usize },
    #[error("the map has no nodes; a plan needs at least one concept")]
    NoNodes,
    #[error(
        "{label:?} has depth {depth}, a plan ends at {MAX_PLANNED_DEPTH}; shorten its chain of prerequisites"
    )]
    TooDeep { label: String, depth: u32 },
}

impl MapError {
    pub(super) fn not_an_id(text: &str) -> MapError {
        MapError::NotAnId { text: text.chars().take(MAX_SHOWN_CHARS).collect() }
    }
}

fn cycle(labels: &[String]) -> String {
    if labels.len() <= MAX_NAMED {
        return labels.join(" -> ");
    }
    let (first, rest) = labels.split_at(MAX_NAMED - 2);
    let (between, last) = rest.split_at(rest.len() - 2);
    format!("{} -> ({} more) -> {}", first.join(" -> "), between.len(), last.join(" -> "))
}
