//! Writes a map as a JSON Canvas, which Obsidian opens: a row for each depth, in the order of learning.

use super::shown;
use crate::map::MasteryStatus;
use crate::map::{EdgeType, MindMap, Node, NodeIx};
use serde_json::{Value, json};

const WIDTH: i64 = 260;
const HEIGHT: i64 = 80;
const GAP_X: i64 = 40;
const GAP_Y: i64 = 100;

pub(super) fn write(map: &MindMap, status: &dyn Fn(NodeIx) -> MasteryStatus) -> String {
    let places = places(map);
    let nodes: Vec<Value> = map
        .indexes()
        .map(|node| text_node(map.node(node), places[node.index()], colour(status(node))))
        .collect();
    let edges: Vec<Value> = map.joined().enumerate().map(|(at, edge)| arrow(map, at, edge)).collect();
    let canvas = json!({"nodes": nodes, "edges": edges});
    format!("{canvas:#}\n")
}

/// Returns the upper left corner of each node. Rows are centred above each other.
fn places(map: &MindMap) -> Vec<(i64, i64)> {
    let mut rows: Vec<Vec<NodeIx>> = Vec::new();
    let mut order: Vec<NodeIx> = map.indexes().collect();
    order.sort_by_key(|node| map.node(*node).sequence);
    for node in order {
        let depth = map.node(node).depth as usize;
        if rows.len() <= depth {
            rows.resize(depth + 1, Vec::new());
        }
        rows[depth].push(node);
    }
    let mut places = vec![(0, 0); map.nodes().len()];
    for (depth, row) in rows.iter().enumerate() {
        let left = -(row.len() as i64 * (WIDTH + GAP_X)) / 2;
        for (column, node) in row.iter().enumerate() {
            places[node.index()] = (left + column as i64 * (WIDTH + GAP_X), depth as i64 * (HEIGHT + GAP_Y));
        }
    }
    places
}

fn text_node(node: &Node, (x, y): (i64, i64), colour: Option<&str>) -> Value {
    let mut value = json!({
        "id": node.node_id,
        "type": "text",
        "text": escape(&shown(&node.label)),
        "x": x,
        "y": y,
        "width": WIDTH,
        "height": HEIGHT,
    });
    if let Some(colour) = colour {
        value["color"] = json!(colour);
    }
    value
}

fn arrow(map: &MindMap, at: usize, (parent, child, edge_type): (NodeIx, NodeIx, EdgeType)) -> Value {
    let [parent, child] = [parent, child].map(|node| map.node(node).node_id);
    let (from_side, to_side, to_end) = match edge_type {
        EdgeType::Prerequisite => ("bottom", "top", "arrow"),
        EdgeType::Related => ("right", "left", "none"),
    };
    json!({
        "id": format!("e{at}"),
        "fromNode": parent,
        "fromSide": from_side,
        "toNode": child,
        "toSide": to_side,
        "toEnd": to_end,
    })
}

/// Returns one of the six preset colours of every canvas, or `None` for a node without a colour.
fn colour(status: MasteryStatus) -> Option<&'static str> {
    match status {
        MasteryStatus::Unseen => None,
        MasteryStatus::Diagnosed => Some("6"),
        MasteryStatus::Learning => Some("3"),
        MasteryStatus::Reviewing => Some("5"),
        MasteryStatus::Mastered => Some("4"),
    }
}

/// Escapes a label. The text of a node is Markdown, where a backslash may escape every sign.
fn escape(label: &str) -> String {
    let mut escaped = String::with_capacity(label.len());
    let mut is_first_word = true;
    for c in label.chars() {
        is_first_word &= c != ' ';
        let begins_list = is_first_word && matches!(c, '-' | '+' | '.' | ')' | '=');
        if begins_list || r"\`*_[]<>#|~$&!^%".contains(c) {
            escaped.push('\\');
        }
        escaped.push(c);
    }
    escaped
}
