//! Tests of maps exported for other programs, with labels that try to break out of their quotes.

use crate::peers::{self, found};
use crate::teach_map::{draft, id, map};
use coaching::map::MasteryStatus::{self, Diagnosed, Learning, Mastered, Reviewing, Unseen};
use coaching::map::{Edge, EdgeType, Format, MAX_LABEL_CHARS, MindMap, Node, NodeIx};
use flow::Name;
use serde_json::{Value, json};
use std::collections::HashSet;
use std::io::Write;
use std::process::Stdio;

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

/// The label as every picture shows it: on one line, without invisible characters.
fn seen(label: &str) -> String {
    let gone = |c: char| c.is_whitespace() || c.is_control() || c == '\u{fffe}' || c == '\u{ffff}';
    label.split(gone).filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
}

fn hostile() -> MindMap {
    let edges: Vec<(usize, usize)> =
        (1..HOSTILE.len()).map(|at| (at / 2, at)).filter(|(a, b)| a != b).collect();
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
        assert!(
            !shown.contains(['"', '<', '>', '[', ']', '{', '}', '`', '|', '%', '\\', '*', '&']),
            "{line}"
        );
        assert_eq!(decoded(shown), seen(label));
    }
    assert_eq!(lines.clone().filter(|line| line.contains(" --> ")).count(), 14);
    assert!(lines.any(|line| line == "  n1 -.- n14"), "{text}");
}

/// Decodes Mermaid's numeric character codes.
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

/// A Python program that prints what Python's XML reader finds in GraphML.
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

/// Runs a Python program and returns its output.
fn python(program: &str, input: &str) -> Option<String> {
    let command = peers::program("python3")
        .args(["-c", program])
        .env("PYTHONIOENCODING", "utf-8")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn();
    let mut child = found(command.map_err(|error| format!("python3 cannot be started: {error}")))?;
    child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "GraphML was not read:\n{input}");
    Some(String::from_utf8(output.stdout).unwrap())
}
