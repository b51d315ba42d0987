//! Writes a map as GraphML, which graph editors and libraries read.

use super::shown;
use crate::map::MasteryStatus;
use crate::map::{EdgeType, MindMap, NodeIx};
use html_escape::encode_double_quoted_attribute as escaped;
use std::fmt::Write;

/// The data of the graph, its nodes and its edges: the owner, the name and the type of each.
const KEYS: [(&str, &str, &str); 9] = [
    ("graph", "title", "string"),
    ("node", "label", "string"),
    ("node", "description", "string"),
    ("node", "concept", "string"),
    ("node", "effort_minutes", "int"),
    ("node", "depth", "int"),
    ("node", "sequence", "int"),
    ("node", "mastery_status", "string"),
    ("edge", "edge_type", "string"),
];

pub(super) fn write(map: &MindMap, status: &dyn Fn(NodeIx) -> MasteryStatus) -> String {
    let mut out = String::from(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
         <graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">\n",
    );
    for (owner, name, kind) in KEYS {
        let _ =
            writeln!(out, "  <key id=\"{name}\" for=\"{owner}\" attr.name=\"{name}\" attr.type=\"{kind}\"/>");
    }
    let _ = writeln!(out, "  <graph id=\"{}\" edgedefault=\"directed\">", map.mind_map_id());
    data(&mut out, "title", Some(map.title()));
    for node in map.indexes() {
        write_node(&mut out, map, node, status(node));
    }
    for (parent, child, edge_type) in map.joined() {
        write_edge(&mut out, map, [parent, child], edge_type);
    }
    out.push_str("  </graph>\n</graphml>\n");
    out
}

fn write_node(out: &mut String, map: &MindMap, index: NodeIx, status: MasteryStatus) {
    let node = map.node(index);
    let _ = writeln!(out, "    <node id=\"{}\">", node.node_id);
    data(out, "label", Some(&node.label));
    data(out, "description", node.description.as_deref());
    data(out, "concept", node.concept.as_deref());
    data(out, "effort_minutes", node.effort_minutes.map(|minutes| minutes.to_string()).as_deref());
    data(out, "depth", Some(&node.depth.to_string()));
    data(out, "sequence", Some(&node.sequence.to_string()));
    data(out, "mastery_status", Some(status.as_str()));
    out.push_str("    </node>\n");
}

fn write_edge(out: &mut String, map: &MindMap, ends: [NodeIx; 2], edge_type: EdgeType) {
    let [source, target] = ends.map(|node| map.node(node).node_id);
    let (name, is_directed) = match edge_type {
        EdgeType::Prerequisite => ("prerequisite", true),
        EdgeType::Related => ("related", false),
    };
    let _ = writeln!(out, "    <edge source=\"{source}\" target=\"{target}\" directed=\"{is_directed}\">");
    data(out, "edge_type", Some(name));
    out.push_str("    </edge>\n");
}

fn data(out: &mut String, key: &str, value: Option<&str>) {
    if let Some(value) = value {
        let _ = writeln!(out, "      <data key=\"{key}\">{}</data>", escaped(&shown(value)));
    }
}
