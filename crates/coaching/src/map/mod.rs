//! Holds maps of concepts: what needs what, in which order, and what can be learned now.
//!
//! A [`Draft`] is a map as a planner, a file or a curriculum describes it. A [`MindMap`] is a draft that was
//! checked once and stays right: every edge joins nodes that exist, prerequisites never form a cycle, and every
//! node carries its depth and its place in the order of learning. The learner's knowledge is not stored here;
//! functions that need it take it as an argument.

mod draft;
mod error;
mod export;
mod graph;
mod id;
mod mastery;
pub(crate) mod needs;
mod order;

pub use draft::{
    Draft, Edge, EdgeType, MAX_DESCRIPTION_CHARS, MAX_EDGES, MAX_EFFORT_MINUTES, MAX_LABEL_CHARS, MAX_NODES,
    Node,
};
pub use error::MapError;
pub use export::Format;
pub use id::{MapId, NodeId};

use graph::Graph;
pub use mastery::{Gate, MasteryStatus};
use order::Ranks;
use serde::{Deserialize, Serialize, Serializer};

/// The greatest number of nodes in a map that was planned for a learner; an imported one may have [`MAX_NODES`].
/// This is a macro, so that constant texts can include the number.
macro_rules! max_planned_nodes {
    () => {
        30
    };
}
pub const MAX_PLANNED_NODES: usize = max_planned_nodes!();
/// The greatest depth of a node in a planned map. A root has depth 0, so the longest path has one concept more.
macro_rules! max_planned_depth {
    () => {
        5
    };
}
pub const MAX_PLANNED_DEPTH: u32 = max_planned_depth!();
pub(crate) use {max_planned_depth, max_planned_nodes};

/// The index of a node in [`MindMap::nodes`]. It is valid until a node is removed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeIx(u32);

impl NodeIx {
    pub fn index(self) -> usize {
        self.0 as usize
    }

    fn new(index: usize) -> NodeIx {
        NodeIx(u32::try_from(index).expect("a map has at most MAX_NODES nodes"))
    }
}

impl From<NodeIx> for usize {
    fn from(node: NodeIx) -> usize {
        node.index()
    }
}

/// A checked map. It serialises as its [`Draft`], which is both the stored document and the JSON export.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(try_from = "Draft")]
pub struct MindMap {
    draft: Draft,
    graph: Graph,
    ranks: Ranks,
}

impl MindMap {
    /// Checks a whole draft in one pass, however large it is. Ignores the draft's depths; keeps its sequence if
    /// that is a possible order.
    pub fn new(mut draft: Draft) -> Result<MindMap, MapError> {
        draft.check()?;
        let graph = Graph::new(&draft)?;
        draft.drop_repeated_edges();
        let mut map = MindMap { draft, graph, ranks: Ranks::default() };
        map.settle_depths();
        if !map.is_in_order() {
            map.resequence(|_| None);
        }
        Ok(map)
    }

    pub fn mind_map_id(&self) -> MapId {
        self.draft.mind_map_id
    }

    pub fn title(&self) -> &str {
        &self.draft.title
    }

    pub fn goal(&self) -> Option<&str> {
        self.draft.goal.as_deref()
    }

    /// Returns the id of the shipped curriculum from which this map was made.
    pub fn curriculum(&self) -> Option<&str> {
        self.draft.curriculum.as_deref()
    }

    pub fn nodes(&self) -> &[Node] {
        &self.draft.nodes
    }

    pub fn edges(&self) -> &[Edge] {
        &self.draft.edges
    }

    pub fn indexes(&self) -> impl Iterator<Item = NodeIx> + use<> {
        (0..self.draft.nodes.len()).map(NodeIx::new)
    }

    pub fn node(&self, node: NodeIx) -> &Node {
        &self.draft.nodes[node.index()]
    }

    pub fn find(&self, node_id: NodeId) -> Result<NodeIx, MapError> {
        self.graph.find(node_id)
    }

    /// Returns the direct prerequisites of a node.
    pub fn parents(&self, node: NodeIx) -> &[NodeIx] {
        self.graph.parents(node)
    }

    /// Returns the nodes that need this one.
    pub fn children(&self, node: NodeIx) -> &[NodeIx] {
        self.graph.children(node)
    }

    /// Returns every direct and indirect prerequisite of a node once, nearest first, each with the fewest steps
    /// to it.
    pub fn ancestors(&self, node: NodeIx) -> Vec<(NodeIx, u32)> {
        self.graph.ancestors(node)
    }

    /// Whether there is nothing left to learn. A map without nodes does not count as learned, because it has not
    /// been made yet.
    pub fn all_mastered(&self, status: impl Fn(NodeIx) -> MasteryStatus) -> bool {
        !self.draft.nodes.is_empty() && self.indexes().all(|node| status(node) == MasteryStatus::Mastered)
    }

    /// Checks whether this map can be a plan for a learner: not empty, and small enough to be taken in.
    pub fn check_plan(&self) -> Result<(), MapError> {
        if self.draft.nodes.is_empty() {
            return Err(MapError::NoNodes);
        }
        self.check_planned_size()
    }

    /// Checks whether the map is no larger and no deeper than a plan may become.
    pub fn check_planned_size(&self) -> Result<(), MapError> {
        let count = self.draft.nodes.len();
        if count > MAX_PLANNED_NODES {
            return Err(MapError::TooManyNodes { count, limit: MAX_PLANNED_NODES });
        }
        match self.draft.nodes.iter().find(|node| node.depth > MAX_PLANNED_DEPTH) {
            Some(Node { label, depth, .. }) => Err(MapError::TooDeep { label: label.clone(), depth: *depth }),
            None => Ok(()),
        }
    }
}

/// Changes to a map. A refused change has no effect. Each accepted change costs a pass over the map, so build a
/// large map from a [`Draft`]. A change orders the nodes without regard to the learner, until they are
/// resequenced.
impl MindMap {
    pub fn add_node(&mut self, node: Node) -> Result<NodeIx, MapError> {
        node.check()?;
        let count = self.draft.nodes.len() + 1;
        if count > MAX_NODES {
            return Err(MapError::TooManyNodes { count, limit: MAX_NODES });
        }
        let index = self.graph.add_node(node.node_id)?;
        self.draft.nodes.push(node);
        self.settle();
        Ok(index)
    }

    /// Adds an edge and returns whether it is new; adding it twice is not a mistake. Refuses an edge that would
    /// close a cycle of prerequisites, and names the cycle.
    pub fn add_edge(&mut self, edge: Edge) -> Result<bool, MapError> {
        let (parent, child) = self.graph.ends(&self.draft, &edge)?;
        if self.draft.edges.iter().any(|other| other.means_the_same(&edge)) {
            return Ok(false);
        }
        let count = self.draft.edges.len() + 1;
        if count > MAX_EDGES {
            return Err(MapError::TooManyEdges { count });
        }
        if edge.edge_type == EdgeType::Prerequisite {
            self.graph.try_edge(&self.draft, parent, child)?;
        }
        self.draft.edges.push(edge);
        self.settle();
        Ok(true)
    }

    /// Removes a node with its edges.
    pub fn remove_node(&mut self, node_id: NodeId) -> Result<Node, MapError> {
        let node = self.draft.nodes.remove(self.find(node_id)?.index());
        self.draft.edges.retain(|edge| edge.parent_node_id != node_id && edge.child_node_id != node_id);
        self.rebuild();
        Ok(node)
    }

    /// Removes an edge and returns whether there was one.
    pub fn remove_edge(&mut self, edge: &Edge) -> bool {
        let before = self.draft.edges.len();
        self.draft.edges.retain(|other| !other.means_the_same(edge));
        let is_removed = self.draft.edges.len() < before;
        if is_removed {
            self.rebuild();
        }
        is_removed
    }

    pub fn rename(&mut self, node_id: NodeId, label: &str) -> Result<(), MapError> {
        draft::check_label(label)?;
        let node = self.find(node_id)?;
        self.draft.nodes[node.index()].label = label.to_owned();
        self.settle();
        Ok(())
    }

    fn rebuild(&mut self) {
        self.graph = Graph::new(&self.draft).expect("a part of a checked map is a checked map");
        self.settle();
    }

    fn settle(&mut self) {
        self.settle_depths();
        self.resequence(|_| None);
    }

    fn settle_depths(&mut self) {
        for (node, depth) in self.draft.nodes.iter_mut().zip(self.graph.depths()) {
            node.depth = depth;
        }
        self.ranks = Ranks::of(&self.draft.nodes);
    }
}

impl TryFrom<Draft> for MindMap {
    type Error = MapError;

    fn try_from(draft: Draft) -> Result<MindMap, MapError> {
        MindMap::new(draft)
    }
}

impl Serialize for MindMap {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.draft.serialize(serializer)
    }
}
