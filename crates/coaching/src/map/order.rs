//! Decides in which order a map is learned, and what can be learned now.
//!
//! Both go by depth, then effort (unknown effort last), then what is known about the learner, then label. Among
//! otherwise equal nodes, those that can be learned now follow the order of learning. A node is deeper than
//! everything it needs, so sorting by depth first puts needs first.

use super::{Gate, MasteryStatus, MindMap, Node, NodeIx};
use std::cmp::Reverse;

/// The part of the order that does not depend on the learner. It is sorted once, so that a frontier compares
/// numbers and not labels.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Ranks(Vec<Rank>);

#[derive(Debug, Clone, Copy, PartialEq)]
struct Rank {
    /// A number that nodes of the same depth and effort share.
    tier: u32,
    /// The position of the label among all labels. Of equal labels, the one written first comes first.
    label: u32,
}

impl Ranks {
    pub(super) fn of(nodes: &[Node]) -> Ranks {
        let mut ranks = vec![Rank { tier: 0, label: 0 }; nodes.len()];
        let mut sorted: Vec<usize> = (0..nodes.len()).collect();
        sorted.sort_by_key(|&at| &nodes[at].label);
        for (place, &at) in sorted.iter().enumerate() {
            ranks[at].label = place as u32;
        }
        let tier = |at: usize| (nodes[at].depth, nodes[at].effort_minutes.unwrap_or(u32::MAX));
        sorted.sort_by_key(|&at| tier(at));
        for pair in sorted.windows(2) {
            let is_next = tier(pair[0]) != tier(pair[1]);
            ranks[pair[1]].tier = ranks[pair[0]].tier + u32::from(is_next);
        }
        Ranks(ranks)
    }
}

impl MindMap {
    /// Gives every node its place in the order of learning. `mastery` is the finding of a diagnosis, between 0
    /// and 1, or `None` if it did not cover the node. Better known nodes come first, unknown ones last.
    pub fn resequence(&mut self, mastery: impl Fn(NodeIx) -> Option<f64>) {
        let key = |node: NodeIx| {
            let Rank { tier, label } = self.ranks.0[node.index()];
            (tier, Reverse(mastery(node).map_or(0, sortable)), label, node)
        };
        let mut order: Vec<_> = self.indexes().map(key).collect();
        order.sort_unstable();
        for (place, (.., node)) in order.into_iter().enumerate() {
            self.draft.nodes[node.index()].sequence = place as u32 + 1;
        }
    }

    /// Returns every node that can be learned now, the most pressing first: it is not understood yet, and the
    /// gate of every prerequisite is open. Of equal nodes, diagnosed ones come first, then those begun, then
    /// unseen ones.
    pub fn frontier(&self, gate: Gate, status: impl Fn(NodeIx) -> MasteryStatus) -> Vec<NodeIx> {
        let mut open = self.open(gate, status);
        open.sort_unstable();
        open.into_iter().map(|(_, node)| node).collect()
    }

    /// Returns the first node of the frontier, without sorting the rest.
    pub fn top_frontier(&self, gate: Gate, status: impl Fn(NodeIx) -> MasteryStatus) -> Option<NodeIx> {
        self.open(gate, status).into_iter().min().map(|(_, node)| node)
    }

    /// Returns the nodes of the frontier, each with its sort key.
    fn open(&self, gate: Gate, status: impl Fn(NodeIx) -> MasteryStatus) -> Vec<((u32, u8, u32), NodeIx)> {
        let status: Vec<MasteryStatus> = self.indexes().map(status).collect();
        let is_open = |node: &NodeIx| gate.is_open(status[node.index()]);
        let open = self.indexes().filter_map(|node| {
            let begun = begun(status[node.index()])?;
            let key = (self.ranks.0[node.index()].tier, begun, self.node(node).sequence);
            self.parents(node).iter().all(is_open).then_some((key, node))
        });
        open.collect()
    }

    /// Whether the sequence numbers count from 1 and put every node after what it needs.
    pub(super) fn is_in_order(&self) -> bool {
        let mut met = vec![false; self.nodes().len()];
        for node in self.nodes() {
            match met.get_mut((node.sequence as usize).wrapping_sub(1)) {
                Some(met) if !*met => *met = true,
                _ => return false,
            }
        }
        let sequence = |node: NodeIx| self.node(node).sequence;
        self.indexes().all(|node| self.parents(node).iter().all(|parent| sequence(*parent) < sequence(node)))
    }
}

/// Returns the rank of a status that can be taught, or `None` for any other.
fn begun(status: MasteryStatus) -> Option<u8> {
    match status {
        MasteryStatus::Diagnosed => Some(0),
        MasteryStatus::Learning => Some(1),
        MasteryStatus::Unseen => Some(2),
        MasteryStatus::Reviewing | MasteryStatus::Mastered => None,
    }
}

/// Returns a number that sorts like the mastery and is above the 0 of a node without one.
fn sortable(mastery: f64) -> u64 {
    // The bits of non-negative floats sort like the floats.
    mastery.max(0.0).to_bits() + 1
}
