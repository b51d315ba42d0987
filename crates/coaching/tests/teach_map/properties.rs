//! Properties that hold for every map, checked against slow and plain oracles.

use crate::teach_map::{draft, id, map};
use coaching::map::MasteryStatus::{self, Diagnosed, Learning, Mastered, Reviewing, Unseen};
use coaching::map::{Draft, Edge, Format, Gate, MapError, MindMap, Node, NodeIx};
use flow::Name;
use proptest::prelude::*;
use serde_json::json;

/// Acyclic maps with their nodes in any order, and with few labels and efforts so that there are ties.
fn graph() -> impl Strategy<Value = Draft> {
    (1usize..16).prop_flat_map(|count| {
        let node = (prop::sample::select(vec!["a", "b", "c"]), prop::option::of(1u32..3));
        let nodes = prop::collection::vec(node, count);
        let places = Just((0..count).collect::<Vec<_>>()).prop_shuffle();
        let edges = prop::collection::vec((0..count, 0..count), 0..30);
        (nodes, places, edges).prop_map(|(nodes, places, edges)| {
            let mut draft = draft(&[], &[]);
            for (number, (label, minutes)) in nodes.into_iter().enumerate() {
                let mut node = Node::new(id(number), label);
                node.effort_minutes = minutes;
                draft.nodes.push(node);
            }
            let forwards = edges.into_iter().filter(|(a, b)| a < b);
            draft.edges = forwards.map(|(a, b)| Edge::prerequisite(id(places[a]), id(places[b]))).collect();
            draft
        })
    })
}

fn statuses() -> impl Strategy<Value = Vec<MasteryStatus>> {
    let status = prop::sample::select(vec![Unseen, Diagnosed, Learning, Reviewing, Mastered, Mastered]);
    prop::collection::vec(status, 16)
}

fn pairs(map: &MindMap) -> Vec<(usize, usize)> {
    let place = |node_id| map.find(node_id).unwrap().index();
    map.edges().iter().map(|edge| (place(edge.parent_node_id), place(edge.child_node_id))).collect()
}

/// The longest path to each node, found by relaxing every edge until nothing grows.
fn depths(map: &MindMap) -> Vec<u32> {
    let mut depths = vec![0; map.nodes().len()];
    for _ in 0..depths.len() {
        for (parent, child) in pairs(map) {
            depths[child] = depths[child].max(depths[parent] + 1);
        }
    }
    depths
}

fn key(map: &MindMap, node: NodeIx) -> (u32, u32) {
    let node = map.node(node);
    (node.depth, node.effort_minutes.unwrap_or(u32::MAX))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn depth_is_the_longest_path(draft in graph()) {
        let map = MindMap::new(draft).unwrap();
        prop_assert_eq!(map.nodes().iter().map(|node| node.depth).collect::<Vec<_>>(), depths(&map));
    }

    /// The oracle takes one available node after another, always the first in the tie-breaking order.
    #[test]
    fn sequence_is_a_queue_of_available_nodes(
        draft in graph(),
        known in prop::collection::vec(prop::option::of(0u8..3), 16),
    ) {
        let mut map = MindMap::new(draft).unwrap();
        let mastery = |node: NodeIx| known[node.index()].map(|tenths| f64::from(tenths) / 10.0);
        map.resequence(mastery);
        let mut waiting: Vec<NodeIx> = map.indexes().collect();
        for place in 1..=map.nodes().len() {
            let is_met = |parent: &NodeIx| !waiting.contains(parent);
            let is_available = |node: &NodeIx| map.parents(*node).iter().all(is_met);
            let unknown = |node: NodeIx| (known[node.index()].is_none(), -mastery(node).unwrap_or(0.0));
            let next = waiting.iter().copied().filter(is_available).min_by(|one, other| {
                let by_label = |node: NodeIx| (map.node(node).label.clone(), node);
                key(&map, *one).cmp(&key(&map, *other))
                    .then(unknown(*one).partial_cmp(&unknown(*other)).unwrap())
                    .then(by_label(*one).cmp(&by_label(*other)))
            }).unwrap();
            prop_assert_eq!(map.node(next).sequence as usize, place);
            waiting.retain(|node| *node != next);
        }
    }

    #[test]
    fn frontier_matches_the_oracle(draft in graph(), statuses in statuses()) {
        let map = MindMap::new(draft).unwrap();
        let status = |node: NodeIx| statuses[node.index()];
        let edges = pairs(&map);
        let mut open: Vec<NodeIx> = map.indexes().filter(|node| {
            let blocks = |(parent, child): &(usize, usize)| {
                *child == node.index() && statuses[*parent] != Mastered
            };
            let blocked = edges.iter().any(blocks);
            matches!(status(*node), Unseen | Diagnosed | Learning) && !blocked
        }).collect();
        let ranks = [Diagnosed, Learning, Unseen];
        let begun = |node: NodeIx| ranks.iter().position(|other| *other == status(node));
        open.sort_by_key(|node| (key(&map, *node), begun(*node), map.node(*node).label.clone(), *node));
        prop_assert_eq!(map.top_frontier(Gate::Mastered, status), open.first().copied());
        prop_assert_eq!(map.frontier(Gate::Mastered, status), open);
    }

    /// Edges in any direction are added one at a time. One is refused exactly when its child already leads to its
    /// parent.
    #[test]
    fn an_edge_is_refused_exactly_when_it_closes_a_cycle(
        edges in prop::collection::vec((0usize..9, 0usize..9), 0..40),
    ) {
        let mut map = map(&["x"; 9], &[]);
        let mut reaches: [[bool; 9]; 9] = std::array::from_fn(|from| std::array::from_fn(|to| from == to));
        for (parent, child) in edges {
            let result = map.add_edge(Edge::prerequisite(id(parent), id(child)));
            prop_assert_eq!(result.is_err(), reaches[child][parent], "{} -> {}", parent, child);
            if result.is_ok() {
                for (above, below) in (0..9).flat_map(|a| (0..9).map(move |b| (a, b))) {
                    reaches[above][below] |= reaches[above][parent] && reaches[child][below];
                }
            }
        }
        let rebuilt = MindMap::new(serde_json::from_value(json!(map)).unwrap());
        prop_assert_eq!(rebuilt.unwrap(), map);
    }

    /// All edges at once are refused exactly if they contain a cycle, and the error names one.
    #[test]
    fn a_draft_is_refused_exactly_when_it_has_a_cycle(
        edges in prop::collection::vec((0usize..7, 0usize..7), 0..12),
    ) {
        let edges: Vec<(usize, usize)> = edges.into_iter().filter(|(a, b)| a != b).collect();
        let mut one_by_one = map(&["0", "1", "2", "3", "4", "5", "6"], &[]);
        let mut is_refused = |(a, b): &(usize, usize)| {
            one_by_one.add_edge(Edge::prerequisite(id(*a), id(*b))).is_err()
        };
        let has_circle = edges.iter().filter(|edge| is_refused(edge)).count() > 0;
        match MindMap::new(draft(&["0", "1", "2", "3", "4", "5", "6"], &edges)) {
            Ok(_) => prop_assert!(!has_circle),
            Err(MapError::Cycle { labels }) => {
                prop_assert!(has_circle && labels.len() > 2 && labels.first() == labels.last());
                for step in labels.windows(2) {
                    let edge = (step[0].parse().unwrap(), step[1].parse().unwrap());
                    prop_assert!(edges.contains(&edge), "{:?} is not in {:?}", edge, edges);
                }
            }
            Err(other) => panic!("{other}"),
        }
    }

    #[test]
    fn every_label_can_be_written_and_asked_about(label in ".{1,200}", question in any::<String>()) {
        prop_assume!(label.chars().any(|c| !c.is_whitespace() && !c.is_control()));
        let mut map = map(&[], &[]);
        map.add_node(Node::new(id(0), &label)).unwrap();
        for format in Format::ALL.iter().filter(|format| **format != Format::Json) {
            let text = map.export(*format, |_| Learning);
            prop_assert!(!text.contains(|c: char| c.is_control() && c != '\n'), "{:?}", text);
        }
        let _ = map.asked_about(&question, |_| &[]);
    }
}
