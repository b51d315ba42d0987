//! Tests of the mind map: its refusals, its order, its frontier, the node that a question is about, and its
//! exports.

mod asked;
mod changes;
mod exports;
mod order;
mod properties;
mod refused;

use coaching::map::{Draft, Edge, MapId, MindMap, Node, NodeId, NodeIx};
use uuid::Uuid;

fn map_id() -> MapId {
    MapId::new(Uuid::from_u128(7))
}

fn id(number: usize) -> NodeId {
    NodeId::new(Uuid::from_u128(number as u128 + 1))
}

/// A draft from nodes written as `Label` or `Label 10` (minutes) and edges written as pairs of node numbers.
fn draft(nodes: &[&str], edges: &[(usize, usize)]) -> Draft {
    let mut draft = Draft::new(map_id(), "Test");
    for (number, text) in nodes.iter().enumerate() {
        let minutes = text.rsplit_once(' ').and_then(|(label, minutes)| Some((label, minutes.parse().ok()?)));
        let mut node = Node::new(id(number), minutes.map_or(*text, |(label, _)| label));
        node.effort_minutes = minutes.map(|(_, minutes)| minutes);
        draft.nodes.push(node);
    }
    draft.edges = edges.iter().map(|(parent, child)| Edge::prerequisite(id(*parent), id(*child))).collect();
    draft
}

fn map(nodes: &[&str], edges: &[(usize, usize)]) -> MindMap {
    MindMap::new(draft(nodes, edges)).unwrap()
}

fn labels(map: &MindMap, nodes: &[NodeIx]) -> Vec<String> {
    nodes.iter().map(|node| map.node(*node).label.clone()).collect()
}

fn sequence(map: &MindMap) -> Vec<String> {
    let mut nodes: Vec<NodeIx> = map.indexes().collect();
    nodes.sort_by_key(|node| map.node(*node).sequence);
    labels(map, &nodes)
}
