//! The mind map: what it refuses, how it orders, what can be learned now, which node a question is about, and how
//! it is written for other programs.

use coaching::teach::map::{
    Draft, Edge, EdgeType, Format, MAX_LABEL_CHARS, MAX_NODES, MAX_PLANNED_DEPTH, MAX_PLANNED_NODES, MapError,
    MapId, MindMap, Node, NodeId, NodeIx,
};
use coaching::teach::progress::MasteryStatus::{self, Diagnosed, Learning, Mastered, Reviewing, Unseen};
use flow::Name;
use proptest::prelude::*;
use serde_json::{Value, json};
use std::collections::HashSet;
use std::io::Write;
use std::process::{Command, Stdio};
use uuid::Uuid;

fn map_id() -> MapId {
    MapId::new(Uuid::from_u128(7))
}

fn id(number: usize) -> NodeId {
    NodeId::new(Uuid::from_u128(number as u128 + 1))
}

/// Nodes as `Label` or `Label 10` (minutes), edges as places of nodes.
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

mod refused {
    use super::*;

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
    fn a_draft_that_is_wrong_is_no_map() {
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
        check(
            |draft| draft.edges.push(Edge::prerequisite(id(1), id(0))),
            "Functions -> Decorators -> Functions",
        );
    }

    #[test]
    fn text_that_is_no_document_is_no_map() {
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
    fn a_long_circle_is_named_by_its_ends() {
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
}

mod changes {
    use super::*;

    #[test]
    fn nodes_and_edges_come_and_go() {
        let mut map = map(&[], &[]);
        for (number, label) in ["Values", "Functions", "Decorators"].into_iter().enumerate() {
            map.add_node(Node::new(id(number), label)).unwrap();
        }
        assert_eq!(map.add_edge(Edge::prerequisite(id(1), id(2))), Ok(true));
        assert_eq!(map.add_edge(Edge::prerequisite(id(0), id(1))), Ok(true));
        assert_eq!(map.add_edge(Edge::related(id(0), id(2))), Ok(true));
        assert_eq!(map.add_edge(Edge::related(id(2), id(0))), Ok(false), "a relation reads alike from either end");
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
        assert!(NodeId::parse("nonexistent-uuid").unwrap_err().to_string().contains("no id"));
    }

    #[test]
    fn a_large_map_is_built_in_one_pass() {
        let mut draft = draft(&[], &[]);
        draft.nodes = (0..MAX_NODES).map(|at| Node::new(id(at), "x")).collect();
        let steps = (1..MAX_NODES).flat_map(|at| [(at - 1, at), (at / 2, at)]);
        draft.edges = steps.map(|(parent, child)| Edge::prerequisite(id(parent), id(child))).collect();
        let started = std::time::Instant::now();
        let map = MindMap::new(draft).unwrap();
        assert_eq!(map.nodes()[MAX_NODES - 1].depth as usize, MAX_NODES - 1);
        assert!(started.elapsed().as_secs() < 10, "{:?}", started.elapsed());
    }
}

mod order {
    use super::*;

    fn check(nodes: &[&str], edges: &[(usize, usize)], diagnosed: &[(usize, f64)], expected: &[&str]) {
        let mut map = map(nodes, edges);
        let mastery = |node: NodeIx| diagnosed.iter().find(|(at, _)| *at == node.index()).map(|(_, known)| *known);
        map.resequence(mastery);
        assert_eq!(sequence(&map), expected);
    }

    #[test]
    fn of_learning() {
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
        assert_eq!(labels(map, &map.frontier(status)), expected);
        assert_eq!(map.top_frontier(status), map.frontier(status).first().copied());
    }

    #[test]
    fn of_what_can_be_learned_now() {
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
    fn a_map_is_learned_when_all_of_it_is() {
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
}

mod asked {
    use super::*;

    #[test]
    fn a_question_finds_its_node() {
        let labels = ["Lists", "List comprehensions", "Recursion", "TCP/IP", "C++", "Büchereien", "再帰"];
        let map = map(&labels, &[]);
        let names = vec!["calls itself".to_owned(), "!!!".to_owned()];
        let check = |question: &str, expected: Option<&str>| {
            let also = |node: &Node| if node.label == "Recursion" { names.as_slice() } else { &[] };
            let found = map.asked_about(question, also).map(|node| map.node(node).label.as_str());
            assert_eq!(found, expected, "{question}");
        };
        check("I don't understand recursion", Some("Recursion"));
        check("RECURSION???", Some("Recursion"));
        check("what is it when a function calls itself", Some("Recursion"));
        check("recursoin is hard", Some("Recursion"));
        check("how do list comprehensions differ from lists", Some("List comprehensions"));
        check("are lists slow", Some("Lists"));
        check("what does tcp/ip do", Some("TCP/IP"));
        check("wozu sind buchereien da", Some("Büchereien"));
        check("再帰がわかりません", Some("再帰"));
        check("what is the capital of France", None);
        check("", None);
        check("👋 !!!", None);
        check(&"recursion ".repeat(200_000), Some("Recursion"));
    }

    #[test]
    fn of_equal_names_the_first_to_learn_is_meant() {
        let map = map(&["Loops", "Loops"], &[(1, 0)]);
        assert_eq!(map.asked_about("loops", |_| &[]), map.find(id(1)).ok());
    }
}

mod exports {
    use super::*;

    const HOSTILE: [&str; 15] = [
        "plain",
        "\"quoted\" and 'single'",
        "[square] {curly} (round) |pipe|",
        "two\nlines\r\nand\ttabs",
        "A --> B; end",
        "<script>alert(1)</script>",
        "]]> <!-- --> <![CDATA[",
        "emoji 🧠👩‍🏫 and Živjo 漢字",
        "control \u{0}\u{1}\u{8}\u{b}\u{1f}\u{7f}\u{85} done",
        "back\\slash \\",
        "&amp; &#x0; #quot; #59;",
        "`code` *bold* _it_ # head",
        "1. list - item",
        "%%{init: {}}%% :::class",
        "\u{fffe}\u{ffff}\u{202e}end",
    ];

    /// A label as every picture shows it: on one line, without what cannot be seen.
    fn seen(label: &str) -> String {
        let gone = |c: char| c.is_whitespace() || c.is_control() || c == '\u{fffe}' || c == '\u{ffff}';
        label.split(gone).filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
    }

    fn hostile() -> MindMap {
        let edges: Vec<(usize, usize)> = (1..HOSTILE.len()).map(|at| (at / 2, at)).filter(|(a, b)| a != b).collect();
        let mut draft = draft(&[], &[]);
        draft.title = HOSTILE.join(" ").chars().take(MAX_LABEL_CHARS).collect();
        draft.nodes = HOSTILE.iter().enumerate().map(|(at, label)| Node::new(id(at), label)).collect();
        draft.nodes[1].description = Some(HOSTILE.join("\n"));
        draft.nodes[2].effort_minutes = Some(10);
        draft.edges = edges.iter().map(|(parent, child)| Edge::prerequisite(id(*parent), id(*child))).collect();
        draft.edges.push(Edge::related(id(1), id(14)));
        MindMap::new(draft).unwrap()
    }

    fn status(node: NodeIx) -> MasteryStatus {
        [Unseen, Diagnosed, Learning, Reviewing, Mastered][node.index() % 5]
    }

    #[test]
    fn formats_are_found_by_their_names() {
        for format in Format::ALL {
            assert_eq!(Format::parse(&format.name().to_uppercase()), Some(*format));
            assert!(!format.ending().is_empty());
        }
        assert_eq!(Format::parse("svg"), None);
    }

    #[test]
    fn an_empty_map_can_be_written() {
        for format in Format::ALL {
            assert!(!map(&[], &[]).export(*format, |_| Unseen).is_empty());
        }
    }

    #[test]
    fn json_is_the_map_itself() {
        let map = hostile();
        assert_eq!(serde_json::from_str::<MindMap>(&map.export(Format::Json, status)).unwrap(), map);
    }

    #[test]
    fn mermaid_keeps_every_label_in_its_box() {
        let map = hostile();
        let text = map.export(Format::Mermaid, status);
        let mut lines = text.lines();
        assert_eq!(lines.next(), Some("---"));
        let title = lines.next().unwrap().strip_prefix("title: ").unwrap();
        assert_eq!(serde_json::from_str::<String>(title).unwrap(), seen(map.title()));
        assert_eq!([lines.next(), lines.next()], [Some("---"), Some("flowchart TD")]);
        for (at, label) in HOSTILE.iter().enumerate() {
            let line = lines.next().unwrap();
            let shown = line.strip_prefix(&format!("  n{at}[\"")).unwrap().split_once("\"]:::").unwrap().0;
            assert!(!shown.contains(['"', '<', '>', '[', ']', '{', '}', '`', '|', '%', '\\', '*', '&']), "{line}");
            assert_eq!(decoded(shown), seen(label));
        }
        assert_eq!(lines.clone().filter(|line| line.contains(" --> ")).count(), 14);
        assert!(lines.any(|line| line == "  n1 -.- n14"), "{text}");
    }

    /// Mermaid's numbers for signs, read back.
    fn decoded(text: &str) -> String {
        let mut pieces = text.split('#');
        let mut decoded = pieces.next().unwrap().to_owned();
        for piece in pieces {
            let (number, rest) = piece.split_once(';').unwrap();
            decoded.push(char::from_u32(number.parse().unwrap()).unwrap());
            decoded.push_str(rest);
        }
        decoded
    }

    #[test]
    fn dot_keeps_every_label_in_its_string() {
        let text = hostile().export(Format::Dot, status);
        for (at, label) in HOSTILE.iter().enumerate() {
            let quoted = seen(label).replace('\\', "\\\\").replace('"', "\\\"");
            assert!(text.contains(&format!("\n  n{at} [label=\"{quoted}\", fillcolor=")), "{label}");
        }
        assert!(text.ends_with("  n1 -> n14 [style=dashed, dir=none, constraint=false]\n}\n"), "{text}");
    }

    #[test]
    fn a_canvas_lays_nodes_out_by_depth() {
        let map = hostile();
        let canvas: Value = serde_json::from_str(&map.export(Format::Canvas, status)).unwrap();
        let nodes = canvas["nodes"].as_array().unwrap();
        assert_eq!(nodes.len(), HOSTILE.len());
        let mut taken = HashSet::new();
        for (node, value) in map.nodes().iter().zip(nodes) {
            assert_eq!((&value["id"], &value["type"]), (&json!(node.node_id), &json!("text")));
            assert_eq!(value["y"].as_i64().unwrap(), i64::from(node.depth) * 180);
            assert!(value["width"].as_u64() > Some(0) && value["height"].as_u64() > Some(0));
            assert!(taken.insert((value["x"].as_i64().unwrap(), value["y"].as_i64().unwrap())), "overlap");
        }
        assert_eq!(nodes[5]["text"], r"\<script\>alert(1\)\</script\>");
        assert_eq!(nodes[4]["color"], "4");
        assert_eq!(nodes[0].get("color"), None);
        let edges = canvas["edges"].as_array().unwrap();
        assert_eq!(edges.len(), map.edges().len());
        for (edge, value) in map.edges().iter().zip(edges) {
            let sides = match edge.edge_type {
                EdgeType::Prerequisite => ["bottom", "top"],
                EdgeType::Related => ["right", "left"],
            };
            assert_eq!(json!([value["fromSide"], value["toSide"]]), json!(sides));
            assert_eq!(
                json!([value["fromNode"], value["toNode"]]),
                json!([edge.parent_node_id, edge.child_node_id])
            );
        }
    }

    /// Prints what Python's reader of XML finds in GraphML.
    const READER: &str = r#"
import json, sys, xml.etree.ElementTree as tree
ns = "{http://graphml.graphdrawing.org/xmlns}"
graph = tree.fromstring(sys.stdin.buffer.read()).find(ns + "graph")
data = lambda of: {d.get("key"): d.text for d in of.findall(ns + "data")}
nodes = [{"id": n.get("id"), **data(n)} for n in graph.findall(ns + "node")]
edges = [[e.get("source"), e.get("target"), data(e)["edge_type"]] for e in graph.findall(ns + "edge")]
print(json.dumps({"title": data(graph)["title"], "nodes": nodes, "edges": edges}))
"#;

    #[test]
    fn graphml_is_read_back_by_a_reader_of_xml() {
        let map = hostile();
        let Some(read) = python(READER, &map.export(Format::Graphml, status)) else {
            return;
        };
        let read: Value = serde_json::from_str(&read).unwrap();
        assert_eq!(read["title"], seen(map.title()));
        for (at, (node, value)) in map.nodes().iter().zip(read["nodes"].as_array().unwrap()).enumerate() {
            assert_eq!((&value["id"], &value["label"]), (&json!(node.node_id), &json!(seen(HOSTILE[at]))));
            assert_eq!(value["depth"], node.depth.to_string());
        }
        assert_eq!(read["nodes"][1]["description"], seen(&HOSTILE.join("\n")));
        assert_eq!(read["nodes"][4]["mastery_status"], "mastered");
        assert_eq!(read["nodes"].as_array().unwrap().len(), HOSTILE.len());
        assert_eq!(read["edges"].as_array().unwrap().len(), map.edges().len());
        assert_eq!(read["edges"][0], json!([id(0), id(1), "prerequisite"]));
    }

    /// What a Python program prints; `None`, said aloud, where there is no Python.
    fn python(program: &str, input: &str) -> Option<String> {
        let command = Command::new("python3")
            .args(["-c", program])
            .env("PYTHONIOENCODING", "utf-8")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn();
        let Ok(mut child) = command else {
            let _ = writeln!(std::io::stderr(), "skipped: no python3 on the PATH to read GraphML with");
            return None;
        };
        child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
        let output = child.wait_with_output().unwrap();
        assert!(output.status.success(), "GraphML was not read:\n{input}");
        Some(String::from_utf8(output.stdout).unwrap())
    }
}

mod properties {
    use super::*;

    /// Nodes in any order, with few labels and efforts so that there are ties, and edges without a circle.
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
                draft.edges =
                    forwards.map(|(a, b)| Edge::prerequisite(id(places[a]), id(places[b]))).collect();
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

    /// The longest way to each node, by making every edge longer until nothing grows.
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
        fn depth_is_the_longest_way(draft in graph()) {
            let map = MindMap::new(draft).unwrap();
            prop_assert_eq!(map.nodes().iter().map(|node| node.depth).collect::<Vec<_>>(), depths(&map));
        }

        /// The oracle takes one available node after another, always the first by the ties.
        #[test]
        fn sequence_is_a_queue_of_available_nodes(draft in graph(), known in prop::collection::vec(prop::option::of(0u8..3), 16)) {
            let mut map = MindMap::new(draft).unwrap();
            let mastery = |node: NodeIx| known[node.index()].map(|tenths| f64::from(tenths) / 10.0);
            map.resequence(mastery);
            let mut waiting: Vec<NodeIx> = map.indexes().collect();
            for place in 1..=map.nodes().len() {
                let is_available = |node: &NodeIx| map.parents(*node).iter().all(|parent| !waiting.contains(parent));
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
        fn frontier_is_what_the_query_says(draft in graph(), statuses in statuses()) {
            let map = MindMap::new(draft).unwrap();
            let status = |node: NodeIx| statuses[node.index()];
            let edges = pairs(&map);
            let mut open: Vec<NodeIx> = map.indexes().filter(|node| {
                let blocked = edges.iter().any(|(parent, child)| *child == node.index() && statuses[*parent] != Mastered);
                matches!(status(*node), Unseen | Diagnosed | Learning) && !blocked
            }).collect();
            let begun = |node: NodeIx| [Diagnosed, Learning, Unseen].iter().position(|other| *other == status(node));
            open.sort_by_key(|node| (key(&map, *node), begun(*node), map.node(*node).label.clone(), *node));
            prop_assert_eq!(map.top_frontier(status), open.first().copied());
            prop_assert_eq!(map.frontier(status), open);
        }

        /// Edges in any direction, one at a time: one is refused exactly when its child already leads to its parent.
        #[test]
        fn an_edge_is_refused_exactly_when_it_closes_a_circle(edges in prop::collection::vec((0usize..9, 0usize..9), 0..40)) {
            let mut map = map(&["x"; 9], &[]);
            let mut reaches = [[false; 9]; 9];
            for at in 0..9 {
                reaches[at][at] = true;
            }
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

        /// All edges at once: refused exactly when there is a circle, and the circle that is named is one.
        #[test]
        fn a_draft_is_refused_exactly_when_it_has_a_circle(edges in prop::collection::vec((0usize..7, 0usize..7), 0..12)) {
            let edges: Vec<(usize, usize)> = edges.into_iter().filter(|(a, b)| a != b).collect();
            let mut one_by_one = map(&["0", "1", "2", "3", "4", "5", "6"], &[]);
            let refused = edges.iter().filter(|(a, b)| one_by_one.add_edge(Edge::prerequisite(id(*a), id(*b))).is_err());
            let has_circle = refused.count() > 0;
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
}
