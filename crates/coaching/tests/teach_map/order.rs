//! Tests of the order of learning and of the frontier.

use crate::teach_map::{id, labels, map, sequence};
use coaching::map::MasteryStatus::{self, Diagnosed, Learning, Mastered, Reviewing, Unseen};
use coaching::map::{Edge, Gate, MindMap, NodeIx};

fn check(nodes: &[&str], edges: &[(usize, usize)], diagnosed: &[(usize, f64)], expected: &[&str]) {
    let mut map = map(nodes, edges);
    let mastery =
        |node: NodeIx| diagnosed.iter().find(|(at, _)| *at == node.index()).map(|(_, known)| *known);
    map.resequence(mastery);
    assert_eq!(sequence(&map), expected);
}

#[test]
fn concepts_are_learned_in_order() {
    let diamond = [(0, 1), (0, 2), (1, 3), (2, 3)];
    check(&["A", "B 10", "C 20", "D"], &diamond, &[], &["A", "B", "C", "D"]);
    check(&["A", "C 20", "B 10", "D"], &diamond, &[], &["A", "B", "C", "D"]);
    check(&["z", "y", "x"], &[], &[], &["x", "y", "z"]);
    check(&["a", "b 9000", "c 1"], &[], &[], &["c", "b", "a"]);
    check(&["a", "b", "c", "d"], &[], &[(3, 0.4), (2, 0.6), (1, 0.0)], &["c", "d", "b", "a"]);
    check(&["a 5", "b 6"], &[], &[(1, 0.7)], &["a", "b"]);
    check(&["b", "a"], &[], &[(0, f64::NAN), (1, -1.0)], &["a", "b"]);
    check(&["late 1", "root 99"], &[(1, 0)], &[], &["root", "late"]);
}

fn frontier(map: &MindMap, statuses: &[MasteryStatus], expected: &[&str]) {
    let status = |node: NodeIx| statuses[node.index()];
    assert_eq!(labels(map, &map.frontier(Gate::Mastered, status)), expected);
    assert_eq!(
        map.top_frontier(Gate::Mastered, status),
        map.frontier(Gate::Mastered, status).first().copied()
    );
}

#[test]
fn the_frontier_can_be_learned_now() {
    let diamond = map(&["A", "B 10", "C 20", "D"], &[(0, 1), (0, 2), (1, 3), (2, 3)]);
    frontier(&diamond, &[Unseen; 4], &["A"]);
    frontier(&diamond, &[Mastered, Unseen, Unseen, Unseen], &["B", "C"]);
    frontier(&diamond, &[Mastered, Mastered, Learning, Unseen], &["C"]);
    frontier(&diamond, &[Mastered, Mastered, Reviewing, Unseen], &[]);
    frontier(&diamond, &[Reviewing, Unseen, Unseen, Unseen], &[]);
    frontier(&diamond, &[Mastered; 4], &[]);
    let roots = map(&["d", "c", "b", "a", "e 3"], &[]);
    frontier(&roots, &[Unseen, Diagnosed, Unseen, Learning, Unseen], &["e", "c", "a", "b", "d"]);
    let mut related = map(&["A", "B"], &[]);
    related.add_edge(Edge::related(id(0), id(1))).unwrap();
    frontier(&related, &[Unseen, Unseen], &["A", "B"]);
}

#[test]
fn a_map_is_mastered_with_all_its_concepts() {
    let map_of_two = map(&["A", "B"], &[]);
    assert!(map_of_two.all_mastered(|_| Mastered));
    assert!(!map_of_two.all_mastered(|node| if node.index() == 0 { Mastered } else { Reviewing }));
    assert!(!map(&[], &[]).all_mastered(|_| Mastered), "an empty map was not learned");
}

#[test]
fn ancestors_come_with_the_fewest_steps() {
    let map = map(&["A", "B", "C", "D", "E"], &[(0, 1), (1, 2), (0, 2), (2, 3)]);
    let found = map.ancestors(map.find(id(3)).unwrap());
    let found: Vec<(&str, u32)> =
        found.iter().map(|(node, steps)| (map.node(*node).label.as_str(), *steps)).collect();
    assert_eq!(found, [("C", 1), ("B", 2), ("A", 2)]);
    assert_eq!(map.ancestors(map.find(id(4)).unwrap()), []);
}
