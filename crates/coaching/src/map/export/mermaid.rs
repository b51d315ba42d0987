//! Writes a map as a Mermaid flowchart, which many Markdown viewers draw.

use super::{STATUSES, fill, shown};
use crate::map::MasteryStatus;
use crate::map::{EdgeType, MindMap, NodeIx};
use std::fmt::Write;

pub(super) fn write(map: &MindMap, status: &dyn Fn(NodeIx) -> MasteryStatus) -> String {
    // The title is YAML, and a JSON string is valid YAML, whatever it contains.
    let title = serde_json::Value::String(shown(map.title()));
    let mut out = format!("---\ntitle: {title}\n---\nflowchart TD\n");
    for node in map.indexes() {
        let label = escape(&shown(&map.node(node).label));
        let _ = writeln!(out, "  n{}[\"{label}\"]:::{}", node.index(), status(node).as_str());
    }
    for (parent, child, edge_type) in map.joined() {
        let arrow = match edge_type {
            EdgeType::Prerequisite => "-->",
            EdgeType::Related => "-.-",
        };
        let _ = writeln!(out, "  n{} {arrow} n{}", parent.index(), child.index());
    }
    for status in STATUSES {
        let fill = fill(status);
        let _ = writeln!(out, "  classDef {} fill:{fill},stroke:#52607a,color:#1c2433", status.as_str());
    }
    out
}

/// Escapes a label. Signs could be read as markup, as Markdown or as the end of the label, so most are written as
/// their numbers. A hyphen inside a word is harmless.
fn escape(label: &str) -> String {
    let mut escaped = String::with_capacity(label.len());
    for (at, c) in label.char_indices() {
        let is_plain = !c.is_ascii_punctuation() || ",:()?!'".contains(c) || (c == '-' && at > 0);
        if is_plain {
            escaped.push(c);
        } else {
            let _ = write!(escaped, "#{};", u32::from(c));
        }
    }
    escaped
}
