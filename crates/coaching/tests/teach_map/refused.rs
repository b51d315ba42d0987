//! Tests of drafts and changes that are refused.

use crate::teach_map::{draft, id, map, map_id};
use coaching::map::{
    Draft, Edge, MAX_LABEL_CHARS, MAX_NODES, MAX_PLANNED_DEPTH, MAX_PLANNED_NODES, MapError, MindMap, Node,
};
use serde_json::json;

fn check(change: impl FnOnce(&mut Draft), message: &str) {
    let mut draft = draft(&["Functions", "Decorators"], &[(0, 1)]);
    change(&mut draft);
    let json = serde_json::to_string(&draft).unwrap();
    let error = MindMap::new(draft).unwrap_err().to_string();
    assert!(error.contains(message), "{error}");
    assert!(error.contains(';'), "no cure: {error}");
    let read = serde_json::from_str::<MindMap>(&json).unwrap_err().to_string();
    assert!(read.contains(message), "{read}");
}

#[test]
fn a_wrong_draft_is_refused() {
    check(|draft| draft.edges.push(Edge::prerequisite(id(0), id(9))), &id(9).to_string());
    check(|draft| draft.edges.push(Edge::related(id(9), id(0))), "has no node");
    check(|draft| draft.edges.push(Edge::related(id(1), id(1))), "\"Decorators\" cannot be joined to itself");
    check(|draft| draft.edges.push(Edge::prerequisite(id(1), id(1))), "cannot be joined to itself");
    check(|draft| draft.nodes.push(Node::new(id(0), "Again")), "two nodes have the id");
    check(|draft| draft.nodes[0].label = " \n\t\u{7f}".into(), "the label is empty");
    check(|draft| draft.nodes[0].label = "ü".repeat(MAX_LABEL_CHARS + 1), "longer than 200");
    check(|draft| draft.nodes[0].label = "x".repeat(1 << 20), "longer than 200");
    check(|draft| draft.nodes[0].description = Some("x".repeat(4_001)), "the description is longer");
    check(|draft| draft.nodes[0].effort_minutes = Some(10_001), "10001 minutes");
    check(|draft| draft.title = String::new(), "the title is empty");
    check(|draft| draft.goal = Some("x".repeat(4_001)), "the goal is longer");
    check(
        |draft| draft.nodes = (0..=MAX_NODES).map(|at| Node::new(id(at), "x")).collect(),
        "20001 nodes and may have 20000",
    );
    check(|draft| draft.edges.push(Edge::prerequisite(id(1), id(0))), "Functions -> Decorators -> Functions");
}

#[test]
fn a_malformed_document_is_refused() {
    let good = json!({"mind_map_id": map_id(), "title": "T", "nodes": [{"node_id": id(0), "label": "A"}]});
    assert!(serde_json::from_value::<MindMap>(good.clone()).is_ok());
    let bad = [
        ("/mind_map_id", json!("abc")),
        ("/mind_map_id", json!(7)),
        ("/title", json!(null)),
        ("/nodes/0/node_id", json!("../etc")),
        ("/nodes/0/label", json!(true)),
        ("/nodes/0", json!({"node_id": id(0)})),
        ("/nodes", json!("none")),
    ];
    for (place, value) in bad {
        let mut document = good.clone();
        *document.pointer_mut(place).unwrap() = value;
        assert!(serde_json::from_value::<MindMap>(document.clone()).is_err(), "{document}");
    }
    let mut effort = good;
    effort["nodes"][0]["effort_minutes"] = json!(-3);
    assert!(serde_json::from_value::<MindMap>(effort).is_err());
}

#[test]
fn a_long_cycle_is_named_by_its_ends() {
    let nodes: Vec<String> = (0..1_000).map(|at| format!("c{at}")).collect();
    let nodes: Vec<&str> = nodes.iter().map(String::as_str).collect();
    let edges: Vec<(usize, usize)> = (0..1_000).map(|at| (at, (at + 1) % 1_000)).collect();
    let error = MindMap::new(draft(&nodes, &edges)).unwrap_err();
    let MapError::Cycle { labels } = &error else { panic!("{error}") };
    assert_eq!((labels.len(), &labels[0], &labels[1_000]), (1_001, &"c0".to_owned(), &"c0".to_owned()));
    assert!(error.to_string().contains("c9 -> (989 more) -> c999 -> c0"), "{error}");
}

#[test]
fn a_refused_change_changes_nothing() {
    let mut map = map(&["Functions", "Decorators", "Classes"], &[(0, 1)]);
    let before = map.clone();
    let circle = map.add_edge(Edge::prerequisite(id(1), id(0))).unwrap_err();
    assert_eq!(
        circle,
        MapError::Cycle { labels: ["Functions", "Decorators", "Functions"].map(String::from).into() }
    );
    assert_eq!(map.add_edge(Edge::prerequisite(id(0), id(1))), Ok(false));
    map.add_edge(Edge::prerequisite(id(0), id(5))).unwrap_err();
    map.add_edge(Edge::prerequisite(id(2), id(2))).unwrap_err();
    map.add_node(Node::new(id(2), "Again")).unwrap_err();
    map.add_node(Node::new(id(3), "")).unwrap_err();
    map.rename(id(0), &"x".repeat(201)).unwrap_err();
    map.rename(id(9), "x").unwrap_err();
    map.remove_node(id(9)).unwrap_err();
    assert!(!map.remove_edge(&Edge::prerequisite(id(1), id(2))));
    assert_eq!(map, before);
}

#[test]
fn a_plan_has_bounds() {
    let check = |map: MindMap, expected: Result<(), MapError>| assert_eq!(map.check_plan(), expected);
    let chain = |count: usize| {
        let edges: Vec<(usize, usize)> = (1..count).map(|at| (at - 1, at)).collect();
        map(&vec!["c"; count], &edges)
    };
    let wide = |count: usize| map(&vec!["c"; count], &[]);
    check(wide(0), Err(MapError::NoNodes));
    check(wide(1), Ok(()));
    check(wide(MAX_PLANNED_NODES), Ok(()));
    check(wide(31), Err(MapError::TooManyNodes { count: 31, limit: 30 }));
    check(chain(6), Ok(()));
    check(chain(7), Err(MapError::TooDeep { label: "c".into(), depth: MAX_PLANNED_DEPTH + 1 }));
}
