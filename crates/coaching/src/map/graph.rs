//! How nodes hang together: who is found where, what needs what, and that nothing needs itself.

use super::{Draft, Edge, EdgeType, MapError, NodeId, NodeIx};
use std::collections::{HashMap, HashSet, VecDeque};

/// The prerequisite edges of a map, seen from both ends. There is no circle in it.
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
        match graph.circle() {
            Some(circle) => {
                let label = |node: &NodeIx| draft.nodes[node.index()].label.clone();
                Err(MapError::Cycle { labels: circle.iter().map(label).collect() })
            }
            None => Ok(graph),
        }
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

    /// The two ends of an edge that the draft's nodes allow.
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

    /// The caller has seen that this closes no circle, or looks for circles afterwards.
    pub(super) fn add_edge(&mut self, parent: NodeIx, child: NodeIx) {
        self.parents[child.index()].push(parent);
        self.children[parent.index()].push(child);
    }

    /// A shortest way along prerequisites, both ends included.
    pub(super) fn path(&self, from: NodeIx, to: NodeIx) -> Option<Vec<NodeIx>> {
        let mut came_from = HashMap::from([(from, from)]);
        let mut waiting = VecDeque::from([from]);
        while let Some(node) = waiting.pop_front() {
            if node == to {
                return Some(way_back(&came_from, from, to));
            }
            for child in self.children(node) {
                if !came_from.contains_key(child) {
                    came_from.insert(*child, node);
                    waiting.push_back(*child);
                }
            }
        }
        None
    }

    /// The edges on the longest way to each node.
    pub(super) fn depths(&self) -> Vec<u32> {
        let mut depths = vec![0; self.parents.len()];
        for node in self.sorted() {
            for child in self.children(node) {
                depths[child.index()] = depths[child.index()].max(depths[node.index()] + 1);
            }
        }
        depths
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

    /// The nodes with every parent before its children. What lies on a circle, or behind one, is left out.
    fn sorted(&self) -> Vec<NodeIx> {
        let mut missing: Vec<usize> = self.parents.iter().map(Vec::len).collect();
        let is_root = |node: &NodeIx| self.parents(*node).is_empty();
        let mut sorted: Vec<NodeIx> = (0..missing.len()).map(NodeIx::new).filter(is_root).collect();
        let mut at = 0;
        while let Some(&node) = sorted.get(at) {
            for child in self.children(node) {
                missing[child.index()] -= 1;
                if missing[child.index()] == 0 {
                    sorted.push(*child);
                }
            }
            at += 1;
        }
        sorted
    }

    /// Some circle of prerequisites, from the node that was written first round to it again.
    fn circle(&self) -> Option<Vec<NodeIx>> {
        let mut is_sorted = vec![false; self.parents.len()];
        for node in self.sorted() {
            is_sorted[node.index()] = true;
        }
        // Whatever could not be sorted has a parent that could not be either, so going up ends in a circle.
        let mut walked = vec![NodeIx::new(is_sorted.iter().position(|sorted| !sorted)?)];
        let mut step_of = HashMap::from([(walked[0], 0)]);
        loop {
            let parents = self.parents(walked[walked.len() - 1]);
            let parent = *parents.iter().find(|parent| !is_sorted[parent.index()])?;
            walked.push(parent);
            if let Some(first) = step_of.insert(parent, walked.len() - 1) {
                return Some(from_first_written(walked.split_off(first + 1)));
            }
        }
    }
}

/// A circle that was walked upwards, now downwards.
fn from_first_written(mut circle: Vec<NodeIx>) -> Vec<NodeIx> {
    circle.reverse();
    let first = (0..circle.len()).min_by_key(|at| circle[*at]).unwrap_or_default();
    circle.rotate_left(first);
    circle.extend(circle.first().copied());
    circle
}

fn way_back(came_from: &HashMap<NodeIx, NodeIx>, from: NodeIx, to: NodeIx) -> Vec<NodeIx> {
    let before = |node: &NodeIx| (*node != from).then(|| came_from[node]);
    let mut path: Vec<NodeIx> = std::iter::successors(Some(to), before).collect();
    path.reverse();
    path
}
