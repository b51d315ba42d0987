//! In which order a map is learned, and what can be learned now.
//!
//! Both orders go by depth, then effort (unknown effort last), then what is known of the learner, then label; what can
//! be learned now follows the order of learning where nothing else tells two nodes apart.
//! A node is deeper than everything it needs, so sorting by depth first is a topological sort: it gives what
//! a queue of the available nodes, always taking the first by the same comparison, would give.

use super::{MindMap, Node, NodeIx};
use crate::map::MasteryStatus;
use std::cmp::Reverse;

/// What does not depend on the learner, sorted once so that a frontier compares numbers instead of labels.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Ranks(Vec<Rank>);

#[derive(Debug, Clone, Copy, PartialEq)]
struct Rank {
    /// The same for nodes of the same depth and effort.
    tier: u32,
    /// The place of the label among all labels; of equal labels, the one written first.
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
    /// Gives every node its place in the order of learning. `mastery` is what a diagnosis found, between 0
    /// and 1, and `None` for what it did not speak of: better known comes first, and unknown last.
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

    /// Everything that can be learned now, the most pressing first: not understood yet, and every
    /// prerequisite mastered. Of equal nodes a diagnosed one comes first, then one that was begun, then an
    /// unseen one.
    pub fn frontier(&self, status: impl Fn(NodeIx) -> MasteryStatus) -> Vec<NodeIx> {
        let mut open = self.open(status);
        open.sort_unstable();
        open.into_iter().map(|(_, node)| node).collect()
    }

    /// The first of the frontier, without sorting the rest.
    pub fn top_frontier(&self, status: impl Fn(NodeIx) -> MasteryStatus) -> Option<NodeIx> {
        self.open(status).into_iter().min().map(|(_, node)| node)
    }

    /// The nodes of the frontier, each with what it is sorted by.
    fn open(&self, status: impl Fn(NodeIx) -> MasteryStatus) -> Vec<((u32, u8, u32), NodeIx)> {
        let status: Vec<MasteryStatus> = self.indexes().map(status).collect();
        let is_mastered = |node: &NodeIx| status[node.index()] == MasteryStatus::Mastered;
        let open = self.indexes().filter_map(|node| {
            let begun = begun(status[node.index()])?;
            let key = (self.ranks.0[node.index()].tier, begun, self.node(node).sequence);
            self.parents(node).iter().all(is_mastered).then_some((key, node))
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

/// The rank of what can be taught; `None` for what cannot.
fn begun(status: MasteryStatus) -> Option<u8> {
    match status {
        MasteryStatus::Diagnosed => Some(0),
        MasteryStatus::Learning => Some(1),
        MasteryStatus::Unseen => Some(2),
        MasteryStatus::Reviewing | MasteryStatus::Mastered => None,
    }
}

/// Numbers that sort as the masteries do; any of them is above the 0 of a node without one.
fn sortable(mastery: f64) -> u64 {
    // The bits of floats that are not negative sort as the floats do.
    mastery.max(0.0).to_bits() + 1
}
