//! Finds out what a learner knows with a handful of questions.
//!
//! The model: people learn the concepts of a map one after another, each after its prerequisites, in an order of
//! their own. Every point between knowing nothing and knowing everything is equally likely. A learner may slip on a
//! question about a known concept ([`SLIP`]), or guess one about an unknown concept ([`GUESS`]). So an answer that
//! contradicts the others is weighed, not believed. `orders` holds the arithmetic.
//!
//! The next question is the one with the most informative answer. The answer depends on the rest of the map only
//! through its concept, so what it tells about everything is what it tells about that concept, and one number for
//! each node is enough. Ranking by how certain all nodes would be afterwards is no better: over thousands of
//! simulated learners the two differ by less than they vary.
//!
//! Nothing is kept between questions: a diagnosis is computed each time from the map and the answers so far, and
//! the same input always gives the same diagnosis.

mod orders;

use crate::learner::Quality;
use crate::map::{MapError, MindMap, NodeId, NodeIx};
use orders::Evidence;
use serde::{Deserialize, Serialize};
use std::cmp::{Ordering, Reverse};

/// The chance that a learner fails a question about a concept they know.
pub const SLIP: f64 = 0.1;
/// The chance that a learner passes a question in words about a concept they do not know.
pub const GUESS: f64 = 0.2;

/// The least gain of a question worth asking, in bits. A question tells at most 0.4; if the best one tells less
/// than this, more questions change nothing.
const WORTH_ASKING: f64 = 0.2;
/// The least share of the best question's gain that a harder question must have after a right answer, or an easier
/// one after a wrong answer.
const FAIR_SHARE: f64 = 0.5;
/// The likelihood below which the starting score is the lowest there is.
const LIKELY: f64 = 0.5;
/// The likelihood above which a concept without an answer of its own is believed to be known. The bound is high,
/// because the learner is told and may know better.
const BELIEVED: f64 = 0.8;
/// The likelihood from which a node need not be taught; a review checks it.
const SURE: f64 = 0.9;
/// The lowest and the highest starting score of a concept that is believed to be known. It never counts as
/// mastered.
const SEED_SCORES: [f64; 2] = [0.3, 0.7];
/// The quality from which an answer shows something, unless all others say that it was luck.
const GOOD: Quality = Quality::GOOD;
/// The bounds of a guess's likelihood. Outside them, a guess would prove too much, or count against the learner.
const GUESSES: [f64; 2] = [0.01, 0.8];
/// The most answers that count, the newest ones, so that no weight overflows.
pub const MAX_WEIGHED: usize = 50;

/// One answered question.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Probed {
    pub node_id: NodeId,
    pub quality: Quality,
    /// The likelihood that a guess would have been right.
    #[serde(default = "in_words")]
    pub guess: f64,
}

impl Probed {
    pub fn new(node_id: NodeId, quality: Quality) -> Probed {
        Probed { node_id, quality, guess: GUESS }
    }

    /// Makes an answer that was picked out of several.
    pub fn chosen(node_id: NodeId, quality: Quality, options: usize) -> Probed {
        Probed { node_id, quality, guess: GUESS.max(1.0 / options.max(1) as f64) }
    }
}

/// The evidence of the answers about every node of a map.
#[derive(Debug, Clone)]
pub struct Diagnosis<'m> {
    map: &'m MindMap,
    /// The answers, in the order in which they were asked for.
    asked: Vec<(NodeIx, Quality)>,
    /// For each node, the likelihood that it is known.
    known: Vec<f64>,
}

/// The belief about one node.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Finding {
    pub node_id: NodeId,
    /// The quality of its last answer, if it was asked.
    pub quality: Option<Quality>,
    /// The likelihood that it is known, 0 to 1.
    pub inferred_mastery: f64,
    /// The likelihood that this belief is true, 0.5 to 1.
    pub confidence: f64,
    /// The score at which its mastery begins, for a node that is believed to be known.
    pub seed_score: Option<f64>,
}

impl<'m> Diagnosis<'m> {
    /// Weighs the answers. Refuses an answer about a node that the map does not have.
    pub fn new(map: &'m MindMap, answers: &[Probed]) -> Result<Diagnosis<'m>, MapError> {
        let answers = &answers[answers.len().saturating_sub(MAX_WEIGHED)..];
        let found: Vec<NodeIx> =
            answers.iter().map(|answer| map.find(answer.node_id)).collect::<Result<_, _>>()?;
        let evidence = |(node, answer): (&NodeIx, &Probed)| Evidence { node: *node, odds: odds(answer) };
        let evidence: Vec<Evidence> = found.iter().zip(answers).map(evidence).collect();
        let known = orders::known(map, &evidence);
        let asked = found.into_iter().zip(answers.iter().map(|answer| answer.quality)).collect();
        Ok(Diagnosis { map, asked, known })
    }

    /// Returns the node to ask about next, or `None` when nothing is left to ask. The law says how many questions
    /// are too few, and how many too many; between them it asks whether another [is worth
    /// asking](Diagnosis::is_worth_asking).
    ///
    /// The first question is about a node of median depth. After a right answer comes a deeper one, after a wrong
    /// one a shallower one, unless all of those tell much less than another: then one as deep, or any.
    pub fn next_probe(&self) -> Option<NodeIx> {
        let open: Vec<NodeIx> = self.open().collect();
        let best_gain = self.gain(self.best(open.iter().copied())?);
        let Some((last, quality)) = self.asked.last() else {
            let median = self.median_depth();
            return self.best(open.into_iter().filter(|node| self.depth(*node) == median));
        };
        let onwards = if quality.is_recalled() { Ordering::Greater } else { Ordering::Less };
        let towards = |wanted: Ordering| {
            let fitting =
                open.iter().copied().filter(move |node| self.depth(*node).cmp(&self.depth(*last)) == wanted);
            self.best(fitting).filter(|node| self.gain(*node) >= FAIR_SHARE * best_gain)
        };
        towards(onwards).or_else(|| towards(Ordering::Equal)).or_else(|| self.best(open.iter().copied()))
    }

    /// Whether the answer to another question would tell enough.
    pub fn is_worth_asking(&self) -> bool {
        self.open().any(|node| self.gain(node) >= WORTH_ASKING)
    }

    /// Iterates over the nodes that were not asked about.
    fn open(&self) -> impl Iterator<Item = NodeIx> {
        let is_asked = |node: &NodeIx| self.asked.iter().any(|(asked, _)| asked == node);
        self.map.indexes().filter(move |node| !is_asked(node))
    }

    /// Returns the likelihood that a node is known.
    pub fn inferred_mastery(&self, node: NodeIx) -> f64 {
        self.known[node.index()]
    }

    pub fn finding(&self, node: NodeIx) -> Finding {
        let inferred_mastery = self.inferred_mastery(node);
        Finding {
            node_id: self.map.node(node).node_id,
            quality: self.quality(node),
            inferred_mastery,
            confidence: inferred_mastery.max(1.0 - inferred_mastery),
            seed_score: self.seed_score(node),
        }
    }

    /// Returns the belief about every node, in the order of the map.
    pub fn findings(&self) -> impl Iterator<Item = Finding> {
        self.map.indexes().map(|node| self.finding(node))
    }

    /// Returns the starting score, between 0.3 and 0.7, of a node that is believed to be known, else `None`. A
    /// right answer about the node itself always counts for something, a failed one for nothing, whatever the other
    /// answers say.
    pub fn seed_score(&self, node: NodeIx) -> Option<f64> {
        let known = self.inferred_mastery(node);
        let is_believed = match self.quality(node) {
            Some(quality) => quality.is_recalled(),
            None => known > BELIEVED,
        };
        let [least, most] = SEED_SCORES;
        let belief = ((known - LIKELY) / (1.0 - LIKELY)).max(0.0);
        is_believed.then_some(least + (most - least) * belief)
    }

    /// Whether a node need not be taught: it was answered well, or good answers about other nodes leave little
    /// doubt.
    pub fn is_sure_of(&self, node: NodeIx) -> bool {
        let least = if self.quality(node).is_some_and(|quality| quality >= GOOD) { BELIEVED } else { SURE };
        self.seed_score(node).is_some() && self.inferred_mastery(node) >= least
    }

    /// Returns how well a node was answered last, if it was asked.
    fn quality(&self, node: NodeIx) -> Option<Quality> {
        self.asked.iter().rev().find(|(asked, _)| *asked == node).map(|(_, quality)| *quality)
    }

    /// Returns the node of these that tells most; of equal ones, the one that is learned first.
    fn best(&self, nodes: impl Iterator<Item = NodeIx>) -> Option<NodeIx> {
        let rank = |node: NodeIx| (self.gain(node), Reverse(self.map.node(node).sequence));
        nodes.max_by(|one, other| {
            let (one, other) = (rank(*one), rank(*other));
            one.0.total_cmp(&other.0).then(one.1.cmp(&other.1))
        })
    }

    /// Returns how much a question about a node is expected to tell, in bits.
    fn gain(&self, node: NodeIx) -> f64 {
        let known = self.inferred_mastery(node);
        let right = known * (1.0 - SLIP) + (1.0 - known) * GUESS;
        entropy(right) - known * entropy(SLIP) - (1.0 - known) * entropy(GUESS)
    }

    fn depth(&self, node: NodeIx) -> u32 {
        self.map.node(node).depth
    }

    fn median_depth(&self) -> u32 {
        let mut depths: Vec<u32> = self.map.nodes().iter().map(|node| node.depth).collect();
        let middle = depths.len() / 2;
        *depths.select_nth_unstable(middle).1
    }
}

/// Returns how much likelier the answer is if the learner knows the concept than if not.
fn odds(answer: &Probed) -> f64 {
    let [least, most] = GUESSES;
    let guess = if answer.guess.is_nan() { GUESS } else { answer.guess.clamp(least, most) };
    let right = (1.0 - SLIP) / guess;
    let wrong = SLIP / (1.0 - guess);
    // An answer in the middle is evidence in both directions, and the weaker for it.
    let share = match answer.quality.get() {
        0 | 1 => 0.0,
        2 => 0.25,
        3 => 0.75,
        _ => 1.0,
    };
    right.powf(share) * wrong.powf(1.0 - share)
}

fn entropy(chance: f64) -> f64 {
    let bits = |chance: f64| if chance > 0.0 { -chance * chance.log2() } else { 0.0 };
    bits(chance) + bits(1.0 - chance)
}

fn in_words() -> f64 {
    GUESS
}
