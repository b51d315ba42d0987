//! Tests of adding and removing nodes and edges, and of reading documents back.

use crate::teach_map::{draft, id, map, map_id, sequence};
use coaching::map::{Edge, MAX_NODES, MapError, MapId, MindMap, Node, NodeId};
use uuid::Uuid;

#[test]
fn nodes_and_edges_come_and_go() {
    let mut map = map(&[], &[]);
    for (number, label) in ["Values", "Functions", "Decorators"].into_iter().enumerate() {
        map.add_node(Node::new(id(number), label)).unwrap();
    }
    assert_eq!(map.add_edge(Edge::prerequisite(id(1), id(2))), Ok(true));
    assert_eq!(map.add_edge(Edge::prerequisite(id(0), id(1))), Ok(true));
    assert_eq!(map.add_edge(Edge::related(id(0), id(2))), Ok(true));
    assert_eq!(
        map.add_edge(Edge::related(id(2), id(0))),
        Ok(false),
        "a relation reads alike from either end"
    );
    assert_eq!(map.nodes().iter().map(|node| node.depth).collect::<Vec<_>>(), [0, 1, 2]);
    map.rename(id(1), "Calls").unwrap();
    assert_eq!(sequence(&map), ["Values", "Calls", "Decorators"]);
    assert!(map.remove_edge(&Edge::prerequisite(id(0), id(1))));
    assert_eq!(sequence(&map), ["Calls", "Values", "Decorators"]);
    assert_eq!(map.remove_node(id(1)).unwrap().label, "Calls");
    assert_eq!(map.find(id(1)), Err(MapError::UnknownNode { node_id: id(1) }));
    assert_eq!(map.edges(), [Edge::related(id(0), id(2))]);
    assert_eq!(map.node(map.find(id(2)).unwrap()).depth, 0);
}

#[test]
fn a_map_is_read_as_it_was_written() {
    let mut map = map(&["A", "B 10", "C 5"], &[(0, 1), (0, 2)]);
    let known = map.find(id(1)).unwrap();
    map.rename(id(2), "C").unwrap();
    map.resequence(|node| (node == known).then_some(0.5));
    let json = serde_json::to_string(&map).unwrap();
    assert_eq!(serde_json::from_str::<MindMap>(&json).unwrap(), map);
    assert!(!json.contains("goal") && json.contains(r#""edge_type":"prerequisite""#), "{json}");
}

#[test]
fn depth_and_order_of_a_document_are_checked() {
    let mut draft = draft(&["A", "B", "C"], &[(0, 1)]);
    for (node, (depth, sequence)) in draft.nodes.iter_mut().zip([(9, 2), (0, 3), (4, 1)]) {
        (node.depth, node.sequence) = (depth, sequence);
    }
    let map = MindMap::new(draft.clone()).unwrap();
    assert_eq!(map.nodes().iter().map(|node| node.depth).collect::<Vec<_>>(), [0, 1, 0]);
    assert_eq!(sequence(&map), ["C", "A", "B"], "a possible order is kept");
    for bad in [[2, 1, 3], [1, 1, 2], [0, 1, 2], [1, 2, 4]] {
        for (node, sequence) in draft.nodes.iter_mut().zip(bad) {
            node.sequence = sequence;
        }
        assert_eq!(sequence(&MindMap::new(draft.clone()).unwrap()), ["A", "C", "B"], "{bad:?}");
    }
}

#[test]
fn a_concept_has_one_node_in_each_map() {
    let other = MapId::new(Uuid::from_u128(8));
    assert_eq!(NodeId::of_concept(map_id(), "loops"), NodeId::of_concept(map_id(), "loops"));
    assert_ne!(NodeId::of_concept(map_id(), "loops"), NodeId::of_concept(map_id(), "lists"));
    assert_ne!(NodeId::of_concept(map_id(), "loops"), NodeId::of_concept(other, "loops"));
    let text = id(4).to_string();
    assert_eq!(NodeId::parse(&text), Ok(id(4)));
    assert!(NodeId::parse("nonexistent-uuid").unwrap_err().to_string().contains("not an id"));
}

#[test]
fn a_large_map_is_built() {
    let mut draft = draft(&[], &[]);
    draft.nodes = (0..MAX_NODES).map(|at| Node::new(id(at), "x")).collect();
    let steps = (1..MAX_NODES).flat_map(|at| [(at - 1, at), (at / 2, at)]);
    draft.edges = steps.map(|(parent, child)| Edge::prerequisite(id(parent), id(child))).collect();
    let map = MindMap::new(draft).unwrap();
    assert_eq!(map.nodes()[MAX_NODES - 1].depth as usize, MAX_NODES - 1);
}
