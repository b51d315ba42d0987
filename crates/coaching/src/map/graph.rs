//! Connects the nodes of a map: where each node is, what needs what, and that nothing needs itself.

use super::{Draft, Edge, EdgeType, MapError, NodeId, NodeIx, needs};
use std::collections::{HashMap, HashSet};

/// The prerequisite edges of a map, seen from both ends. They contain no cycle.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Graph {
    places: HashMap<NodeId, NodeIx>,
    parents: Vec<Vec<NodeIx>>,
    children: Vec<Vec<NodeIx>>,
}

impl Graph {
    /// Reads a draft in one pass over its nodes and edges.
    pub(super) fn new(draft: &Draft) -> Result<Graph, MapError> {
        let mut graph = Graph::default();
        graph.places.reserve(draft.nodes.len());
        for node in &draft.nodes {
            graph.add_node(node.node_id)?;
        }
        let mut met = HashSet::with_capacity(draft.edges.len());
        for edge in &draft.edges {
            let (parent, child) = graph.ends(draft, edge)?;
            if edge.edge_type == EdgeType::Prerequisite && met.insert((parent, child)) {
                graph.add_edge(parent, child);
            }
        }
        graph.refuse_cycle(draft)?;
        Ok(graph)
    }

    pub(super) fn find(&self, node_id: NodeId) -> Result<NodeIx, MapError> {
        self.places.get(&node_id).copied().ok_or(MapError::UnknownNode { node_id })
    }

    pub(super) fn parents(&self, node: NodeIx) -> &[NodeIx] {
        &self.parents[node.index()]
    }

    pub(super) fn children(&self, node: NodeIx) -> &[NodeIx] {
        &self.children[node.index()]
    }

    /// Returns the two ends of an edge. Refuses an edge whose ends do not exist or are the same node.
    pub(super) fn ends(&self, draft: &Draft, edge: &Edge) -> Result<(NodeIx, NodeIx), MapError> {
        let (parent, child) = (self.find(edge.parent_node_id)?, self.find(edge.child_node_id)?);
        if parent == child {
            return Err(MapError::SelfEdge { label: draft.nodes[parent.index()].label.clone() });
        }
        Ok((parent, child))
    }

    pub(super) fn add_node(&mut self, node_id: NodeId) -> Result<NodeIx, MapError> {
        let index = NodeIx::new(self.parents.len());
        if self.places.contains_key(&node_id) {
            return Err(MapError::DuplicateNode { node_id });
        }
        self.places.insert(node_id, index);
        self.parents.push(Vec::new());
        self.children.push(Vec::new());
        Ok(index)
    }

    /// Adds an edge. Refuses one that closes a cycle, and then changes nothing.
    pub(super) fn try_edge(&mut self, draft: &Draft, parent: NodeIx, child: NodeIx) -> Result<(), MapError> {
        self.add_edge(parent, child);
        self.refuse_cycle(draft).inspect_err(|_| {
            self.parents[child.index()].pop();
            self.children[parent.index()].pop();
        })
    }

    fn add_edge(&mut self, parent: NodeIx, child: NodeIx) {
        self.parents[child.index()].push(parent);
        self.children[parent.index()].push(child);
    }

    /// Refuses a graph with a cycle. The error names the cycle, from the node written first round to that node
    /// again.
    fn refuse_cycle(&self, draft: &Draft) -> Result<(), MapError> {
        let Some(mut cycle) = needs::cycle(&self.parents) else { return Ok(()) };
        // The cycle leads from a node to its needs; learning goes the other way.
        cycle.reverse();
        let first = (0..cycle.len()).min_by_key(|at| cycle[*at]).unwrap_or_default();
        cycle.rotate_left(first);
        let label = |at: &usize| draft.nodes[*at].label.clone();
        Err(MapError::Cycle { labels: cycle.iter().chain(&cycle[..1]).map(label).collect() })
    }

    /// Returns the number of edges on the longest way to each node.
    pub(super) fn depths(&self) -> Vec<u32> {
        needs::depths(&self.parents)
    }

    pub(super) fn ancestors(&self, node: NodeIx) -> Vec<(NodeIx, u32)> {
        let mut met = HashSet::from([node]);
        let mut found = vec![(node, 0)];
        let mut at = 0;
        while let Some(&(below, distance)) = found.get(at) {
            let next = self.parents(below).iter().filter(|parent| met.insert(**parent));
            found.extend(next.map(|parent| (*parent, distance + 1)));
            at += 1;
        }
        found.split_off(1)
    }
}
