//! Computes how likely each node is known, given some answers.
//!
//! A learner may know any beginning of any order in which the map can be learned. There can be more of those than
//! anyone can count, so a thousand orders are drawn, always the same ones, and each of their beginnings stands for
//! a learner. Walking along one order, the weight of a beginning changes only where a node that was asked about
//! joins it, so an order costs one pass, whatever the map looks like. Large maps get fewer orders: the work is
//! bounded, and with a handful of answers the length of the beginning matters far more than the order.

use super::{MindMap, NodeIx};
use crate::dice;

/// The most orders that are drawn. A map of the size that is planned for a learner gets them all.
const MAX_ORDERS: usize = 1_024;
const MIN_ORDERS: usize = 8;
/// The approximate number of nodes visited in all orders together.
const MAX_VISITS: usize = 250_000;

/// The evidence of one answer.
#[derive(Debug, Clone, Copy)]
pub(super) struct Evidence {
    pub node: NodeIx,
    /// How much likelier the answer is if the learner knows the node than if not.
    pub odds: f64,
}

/// Returns, for each node, the share of the total weight of learners that belongs to those who know it.
pub(super) fn known(map: &MindMap, evidence: &[Evidence]) -> Vec<f64> {
    let count = map.nodes().len();
    let mut known = vec![0.0; count];
    let mut total = 0.0;
    let mut drawn = Drawn::new(map);
    let mut odds = vec![1.0; count];
    for Evidence { node, odds: of_answer } in evidence {
        odds[node.index()] *= of_answer;
    }
    let mut weights = vec![0.0; count];
    for _ in 0..(MAX_VISITS / count.max(1)).clamp(MIN_ORDERS, MAX_ORDERS) {
        let order = drawn.draw();
        let mut weight = 1.0;
        for (joined, node) in weights.iter_mut().zip(order) {
            weight *= odds[node.index()];
            *joined = weight;
        }
        let mut later = 0.0;
        for (joined, node) in weights.iter().zip(order).rev() {
            later += joined;
            known[node.index()] += later;
        }
        // The beginning in which nothing is known has weight 1.
        total += later + 1.0;
    }
    known.iter_mut().for_each(|weight| *weight /= total);
    known
}

/// Orders of learning, drawn one after another: each next node is any whose prerequisites came before.
#[derive(Debug)]
struct Drawn<'m> {
    map: &'m MindMap,
    /// The nodes without prerequisites.
    roots: Vec<NodeIx>,
    /// The number of prerequisites of each node.
    needs: Vec<u32>,
    missing: Vec<u32>,
    available: Vec<NodeIx>,
    order: Vec<NodeIx>,
    dice: u64,
}

impl<'m> Drawn<'m> {
    fn new(map: &'m MindMap) -> Drawn<'m> {
        let roots = map.indexes().filter(|node| map.parents(*node).is_empty()).collect();
        let needs = map.indexes().map(|node| map.parents(node).len() as u32).collect();
        let order = Vec::with_capacity(map.nodes().len());
        Drawn { map, roots, needs, missing: Vec::new(), available: Vec::new(), order, dice: 0 }
    }

    fn draw(&mut self) -> &[NodeIx] {
        self.missing.clone_from(&self.needs);
        self.order.clear();
        self.available.extend_from_slice(&self.roots);
        while !self.available.is_empty() {
            let at = self.below(self.available.len());
            let node = self.available.swap_remove(at);
            self.order.push(node);
            for child in self.map.children(node) {
                let missing = &mut self.missing[child.index()];
                *missing -= 1;
                if *missing == 0 {
                    self.available.push(*child);
                }
            }
        }
        &self.order
    }

    /// Returns a number below `end` that looks random and is the same in every run.
    fn below(&mut self, end: usize) -> usize {
        ((u128::from(dice::next(&mut self.dice)) * end as u128) >> 64) as usize
    }
}
