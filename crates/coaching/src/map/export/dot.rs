//! Writes a map as a Graphviz picture.

use super::{fill, shown};
use crate::map::MasteryStatus;
use crate::map::{EdgeType, MindMap, NodeIx};
use flow::dot_quoted;
use std::fmt::Write;

pub(super) fn write(map: &MindMap, status: &dyn Fn(NodeIx) -> MasteryStatus) -> String {
    let title = dot_quoted(&shown(map.title()));
    let mut out =
        format!("digraph {title} {{\n  graph [label={title}, labelloc=t, fontname=\"Helvetica\"]\n");
    out.push_str(
        "  node [shape=box, style=\"rounded,filled\", color=\"#52607a\", fontname=\"Helvetica\", \
         fontsize=11]\n  edge [color=\"#52607a\"]\n",
    );
    for node in map.indexes() {
        let label = dot_quoted(&shown(&map.node(node).label));
        let _ = writeln!(out, "  n{} [label={label}, fillcolor=\"{}\"]", node.index(), fill(status(node)));
    }
    for (parent, child, edge_type) in map.joined() {
        // A related node must not push another one down.
        let style = match edge_type {
            EdgeType::Prerequisite => "",
            EdgeType::Related => " [style=dashed, dir=none, constraint=false]",
        };
        let _ = writeln!(out, "  n{} -> n{}{style}", parent.index(), child.index());
    }
    out.push_str("}\n");
    out
}
