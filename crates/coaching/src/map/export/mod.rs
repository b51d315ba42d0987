//! Writes a map in notations that other programs draw.

mod canvas;
mod dot;
mod graphml;
mod mermaid;

use super::{EdgeType, MindMap, NodeIx};
use crate::map::MasteryStatus;
use flow::Name;

flow::names! {
    /// A notation for a map.
    pub enum Format {
        Mermaid = "mermaid",
        Dot = "dot",
        Canvas = "canvas",
        Graphml = "graphml",
        Json = "json",
    }
}

impl Format {
    pub fn parse(text: &str) -> Option<Format> {
        Format::ALL.iter().copied().find(|format| format.name().eq_ignore_ascii_case(text.trim()))
    }

    /// Returns the file name extension of this notation, without the dot.
    pub fn ending(self) -> &'static str {
        match self {
            Format::Mermaid => "mmd",
            Format::Dot => "dot",
            Format::Canvas => "canvas",
            Format::Graphml => "graphml",
            Format::Json => "json",
        }
    }
}

impl MindMap {
    /// Writes the map in another notation, with the learner's progress in colours. JSON is the map itself, which
    /// can be read again, and says nothing about the learner.
    pub fn export(&self, format: Format, status: impl Fn(NodeIx) -> MasteryStatus) -> String {
        match format {
            Format::Mermaid => mermaid::write(self, &status),
            Format::Dot => dot::write(self, &status),
            Format::Canvas => canvas::write(self, &status),
            Format::Graphml => graphml::write(self, &status),
            Format::Json => serde_json::to_string_pretty(self).expect("a map has only text keys"),
        }
    }

    /// Returns the edges with their nodes as indexes.
    fn joined(&self) -> impl Iterator<Item = (NodeIx, NodeIx, EdgeType)> {
        self.edges().iter().map(|edge| {
            let ends = [edge.parent_node_id, edge.child_node_id];
            let [parent, child] = ends.map(|id| self.find(id).expect("an edge joins nodes of its map"));
            (parent, child, edge.edge_type)
        })
    }
}

const STATUSES: [MasteryStatus; 5] = [
    MasteryStatus::Unseen,
    MasteryStatus::Diagnosed,
    MasteryStatus::Learning,
    MasteryStatus::Reviewing,
    MasteryStatus::Mastered,
];

/// Returns the fill colour of a node. All of them are light, because labels are dark.
fn fill(status: MasteryStatus) -> &'static str {
    match status {
        MasteryStatus::Unseen => "#f4f6fb",
        MasteryStatus::Diagnosed => "#e4e9fb",
        MasteryStatus::Learning => "#fdf3d8",
        MasteryStatus::Reviewing => "#e0f1f5",
        MasteryStatus::Mastered => "#e3f4e4",
    }
}

/// Returns a text on one line, with visible characters only. No notation here can write all the others.
fn shown(text: &str) -> String {
    let is_blank = |c: char| c.is_whitespace() || c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}');
    text.split(is_blank).filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
}
