//! Measures the diagnosis: how much it finds out of the knowledge of simulated learners, beside simpler ways to
//! ask, and how long it and the frontier of a large map take.
//!
//! A map grows node by node, each with up to three prerequisites among the earlier ones. A learner knows the first
//! nodes of a random order that the map allows, any number of them. All ways to ask meet the same learners, who
//! slip and guess in the same way; the numbers are the same in every run.
//!
//! The diagnosis assumes just such learners, so it is at its best here. Two rows for each size use others: learners
//! who follow one thread down before they begin the next, and learners who slip and guess more often.

use crate::bench::Bench;
use crate::row::{Beside, Better, Measured, Row};
use coaching::learner::Quality;
use coaching::map::MasteryStatus;
use coaching::map::{Draft, Edge, Gate, MapId, MindMap, Node, NodeId, NodeIx};
use coaching::teach::Course;
use coaching::teach::diagnosis::{Diagnosis, GUESS, Probed, SLIP};
use coaching::turn::Flow;
use flow::{Law, Machine, Overrides};
use std::hint::black_box;
use std::sync::LazyLock;
use std::time::{Duration, Instant};

/// The fewest and the most questions that the law of courses allows.
static PROBES: LazyLock<[usize; 2]> = LazyLock::new(|| {
    let law = Law::read(Course::FACE.law).expect("the shipped law is readable");
    let law = Machine::bind(&law, None, &Overrides::new()).expect("the shipped law is bound");
    ["min_probes", "max_probes"].map(|name| usize::try_from(law.number(name, 0)).unwrap_or(0))
});

/// The way in which a learner came to their knowledge, and the way they answer.
#[derive(Clone, Copy)]
struct Habit {
    follows_threads: bool,
    slip: f64,
    guess: f64,
}

const EXPECTED: Habit = Habit { follows_threads: false, slip: SLIP, guess: GUESS };
const UNEXPECTED: [(&str, Habit); 2] = [
    ("follow threads", Habit { follows_threads: true, ..EXPECTED }),
    ("err more", Habit { slip: 0.2, guess: 0.3, ..EXPECTED }),
];
const OTHERS: [(&str, Ask); 3] = [
    ("binary search over depth", binary_search),
    ("random questions, plain closure", random_with_votes),
    ("random questions, our inference", random_with_our_inference),
];

const GROUP: &str = "diagnosis";
const SIZES: [usize; 3] = [10, 14, 18];
const LEARNERS: u64 = 1_000;
const LEARNERS_QUICK: u64 = 500;
const WANTED_PERCENT: f64 = 88.0;
/// The percentage of nodes without prerequisites, besides the first node.
const ROOTS_PERCENT: usize = 10;
/// The sizes of maps: as large as a planned one may be, and an imported one.
const PLANNED: usize = 30;
const IMPORTED: usize = 10_000;

pub fn rows(bench: &Bench) -> Result<Vec<Row>, String> {
    let learners = if bench.is_quick { LEARNERS_QUICK } else { LEARNERS };
    let mut rows = Vec::new();
    for size in SIZES {
        rows.extend(accuracy_rows(size, learners)?);
    }
    rows.extend(time_rows(bench)?);
    Ok(rows)
}

fn accuracy_rows(size: usize, learners: u64) -> Result<Vec<Row>, String> {
    let meet = |habit: Habit, ask: Ask| meet(size, learners, habit, ask);
    let ours_met = meet(EXPECTED, ours)?;
    let what = format!("nodes judged rightly, map of {size}");
    let row = |what: &str, ours: &Met, beside: Option<(&str, Met)>| Row {
        ours: one(ours.right_percent, Better::More),
        beside: beside
            .map(|(name, met)| Beside { name: name.into(), measured: one(met.right_percent, Better::More) }),
        ..alone(what.to_owned(), "%", Better::More)
    };
    let mut rows = vec![Row { target: Some(WANTED_PERCENT), ..row(&what, &ours_met, None) }];
    for (name, ask) in OTHERS {
        rows.push(row(&what, &ours_met, Some((name, meet(EXPECTED, ask)?))));
    }
    for (who, habit) in UNEXPECTED {
        let (name, ask) = OTHERS[0];
        let what = format!("{what}, learners who {who}");
        rows.push(row(&what, &meet(habit, ours)?, Some((name, meet(habit, ask)?))));
    }
    let asked = format!("questions asked, map of {size}");
    rows.push(Row { ours: one(ours_met.probes, Better::Less), ..alone(asked, "", Better::Less) });
    Ok(rows)
}

fn time_rows(bench: &Bench) -> Result<Vec<Row>, String> {
    let mut dice = Dice(1);
    let (planned, imported) = (random_map(PLANNED, &mut dice)?, random_map(IMPORTED, &mut dice)?);
    let flat = build(IMPORTED, Vec::new())?;
    let row = |what: &str, target, work: &dyn Fn()| {
        let runs = (0..bench.rounds).map(|_| Ok(milliseconds(bench.seconds / 3.0, work))).collect();
        Row {
            ours: Measured::of(runs, Better::Less),
            target: Some(target),
            ..alone(what.into(), "ms", Better::Less)
        }
    };
    let diagnose = |map: &MindMap| {
        let next = Diagnosis::new(map, &full(map)).map(|diagnosis| diagnosis.next_probe());
        black_box(&next);
    };
    // The lower half is mastered, so a few thousand nodes are open.
    let half = |node: NodeIx| {
        if node.index() < IMPORTED / 2 { MasteryStatus::Mastered } else { MasteryStatus::Unseen }
    };
    Ok(vec![
        row("a diagnosis, map of 30", 5.0, &|| diagnose(&planned)),
        row("a diagnosis, map of 10,000", 50.0, &|| diagnose(&imported)),
        row("frontier, map of 10,000", 2.0, &|| drop(black_box(imported.frontier(Gate::Mastered, half)))),
        row("frontier, 10,000 without prerequisites", 2.0, &|| {
            drop(black_box(flat.frontier(Gate::Mastered, |_| MasteryStatus::Unseen)));
        }),
    ])
}

/// Returns as many answers as there can be before the last question.
fn full(map: &MindMap) -> Vec<Probed> {
    let step = map.nodes().len() / PROBES[1];
    let asked = map.nodes().iter().step_by(step.max(1)).take(PROBES[1] - 1).enumerate();
    asked.map(|(at, node)| Probed::new(node.node_id, quality(at % 2 == 0))).collect()
}

/// The outcome over many learners: the share of nodes that are judged rightly, and the questions that this takes.
struct Met {
    right_percent: f64,
    probes: f64,
}

/// A way to ask: returns its final belief about each node.
type Ask = fn(&mut Learner) -> Result<Vec<bool>, String>;

fn meet(size: usize, learners: u64, habit: Habit, ask: Ask) -> Result<Met, String> {
    let (mut right, mut probes) = (0, 0);
    for number in 0..learners {
        let mut learner = Learner::new(size, number, habit)?;
        let believed = ask(&mut learner)?;
        right += believed.iter().zip(&learner.knows).filter(|(believed, knows)| believed == knows).count();
        probes += learner.answers.len();
    }
    let learners = learners as f64;
    Ok(Met {
        right_percent: 100.0 * right as f64 / (learners * size as f64),
        probes: probes as f64 / learners,
    })
}

/// A learner who knows part of a map and answers questions about it.
struct Learner {
    map: MindMap,
    knows: Vec<bool>,
    answers: Vec<Probed>,
    habit: Habit,
    dice: Dice,
}

impl Learner {
    fn new(size: usize, number: u64, habit: Habit) -> Result<Learner, String> {
        let mut dice = Dice(number << 8 | size as u64);
        let map = random_map(size, &mut dice)?;
        let mut knows = vec![false; size];
        let mut last = None;
        for _ in 0..dice.below(size + 1) {
            let is_available = |node: &NodeIx| {
                !knows[node.index()] && map.parents(*node).iter().all(|parent| knows[parent.index()])
            };
            let mut available: Vec<NodeIx> = map.indexes().filter(is_available).collect();
            let is_next = |node: &NodeIx| last.is_some_and(|last| map.parents(*node).contains(&last));
            if habit.follows_threads && available.iter().any(is_next) {
                available.retain(is_next);
            }
            let learned = available[dice.below(available.len())];
            knows[learned.index()] = true;
            last = Some(learned);
        }
        Ok(Learner { map, knows, answers: Vec::new(), habit, dice })
    }

    fn answer(&mut self, node: NodeIx) -> bool {
        let chance = if self.knows[node.index()] { 1.0 - self.habit.slip } else { self.habit.guess };
        let is_right = self.dice.share() < chance;
        self.answers.push(Probed::new(self.map.node(node).node_id, quality(is_right)));
        is_right
    }

    fn diagnosis(&self) -> Result<Diagnosis<'_>, String> {
        Diagnosis::new(&self.map, &self.answers).map_err(|error| error.to_string())
    }

    fn believed(&self) -> Result<Vec<bool>, String> {
        let diagnosis = self.diagnosis()?;
        Ok(self.map.indexes().map(|node| diagnosis.inferred_mastery(node) > 0.5).collect())
    }

    fn is_asked(&self, node: NodeIx) -> bool {
        self.answers.iter().any(|answer| answer.node_id == self.map.node(node).node_id)
    }

    /// Picks a random node that was not asked about yet and is as wanted.
    fn pick(&mut self, is_wanted: impl Fn(&Node) -> bool) -> Option<NodeIx> {
        let fits = |node: &NodeIx| !self.is_asked(*node) && is_wanted(self.map.node(*node));
        let fitting: Vec<NodeIx> = self.map.indexes().filter(fits).collect();
        (!fitting.is_empty()).then(|| fitting[self.dice.below(fitting.len())])
    }

    /// Judges the nodes by the plain reading: a right answer speaks for the node and all it needs, a wrong one
    /// against the node and all that need it. If the answers say nothing, or contradict each other, the first
    /// `levels` are known.
    fn voted(&self, levels: f64) -> Vec<bool> {
        let reach = |node: NodeIx| self.map.ancestors(node).into_iter().map(|(above, _)| above).chain([node]);
        let mut votes = vec![0; self.map.nodes().len()];
        for answer in &self.answers {
            let Ok(asked) = self.map.find(answer.node_id) else { continue };
            if answer.quality.is_recalled() {
                reach(asked).for_each(|node| votes[node.index()] += 1);
            } else {
                let below = self.map.indexes().filter(|node| reach(*node).any(|above| above == asked));
                below.for_each(|node| votes[node.index()] -= 1);
            }
        }
        let is_known =
            |(node, votes): (&Node, i32)| votes > 0 || (votes == 0 && f64::from(node.depth) < levels);
        self.map.nodes().iter().zip(votes).map(is_known).collect()
    }

    fn levels(&self) -> u32 {
        self.map.nodes().iter().map(|node| node.depth + 1).max().unwrap_or(0)
    }
}

fn ours(learner: &mut Learner) -> Result<Vec<bool>, String> {
    loop {
        let (asked, diagnosis) = (learner.answers.len(), learner.diagnosis()?);
        let is_next = asked < PROBES[0] || diagnosis.is_worth_asking();
        let Some(node) = diagnosis.next_probe().filter(|_| is_next) else { break };
        learner.answer(node);
    }
    learner.believed()
}

/// Asks by binary search: halves the levels until one is left, again with other nodes while there are questions
/// left, and takes the mean.
fn binary_search(learner: &mut Learner) -> Result<Vec<bool>, String> {
    let mut found = Vec::new();
    while learner.answers.len() < PROBES[1] {
        let before = learner.answers.len();
        let (mut least, mut most) = (0, learner.levels());
        while least < most && learner.answers.len() < PROBES[1] {
            let middle = (least + most) / 2;
            let Some(node) = learner.pick(|node| node.depth == middle) else { break };
            if learner.answer(node) { least = middle + 1 } else { most = middle }
        }
        if learner.answers.len() == before {
            break;
        }
        found.push(f64::from(least + most) / 2.0);
    }
    Ok(learner.voted(found.iter().sum::<f64>() / found.len().max(1) as f64))
}

fn random_with_votes(learner: &mut Learner) -> Result<Vec<bool>, String> {
    ask_at_random(learner);
    let right = learner.answers.iter().filter(|answer| answer.quality.is_recalled()).count();
    Ok(learner.voted(f64::from(learner.levels()) * right as f64 / learner.answers.len().max(1) as f64))
}

fn random_with_our_inference(learner: &mut Learner) -> Result<Vec<bool>, String> {
    ask_at_random(learner);
    learner.believed()
}

fn ask_at_random(learner: &mut Learner) {
    while learner.answers.len() < PROBES[1] {
        let Some(node) = learner.pick(|_| true) else { break };
        learner.answer(node);
    }
}

fn random_map(size: usize, dice: &mut Dice) -> Result<MindMap, String> {
    let mut edges = Vec::new();
    for child in 1..size {
        let needs = if dice.below(100) < ROOTS_PERCENT { 0 } else { 1 + dice.below(3) };
        edges.extend((0..needs).map(|_| (dice.below(child), child)));
    }
    build(size, edges)
}

fn build(size: usize, edges: Vec<(usize, usize)>) -> Result<MindMap, String> {
    let map_id = MapId::parse("018f2f3e-4c5d-7a6b-8c9d-0e1f2a3b4c5d").map_err(|error| error.to_string())?;
    let id = |number: usize| NodeId::of_concept(map_id, &number.to_string());
    let mut draft = Draft::new(map_id, "Measured");
    draft.nodes = (0..size).map(|number| Node::new(id(number), &format!("Concept {number}"))).collect();
    draft.edges =
        edges.into_iter().map(|(parent, child)| Edge::prerequisite(id(parent), id(child))).collect();
    MindMap::new(draft).map_err(|error| error.to_string())
}

fn quality(is_right: bool) -> Quality {
    if is_right { Quality::EASY } else { Quality::AGAIN }
}

fn alone(what: String, unit: &'static str, better: Better) -> Row {
    let ours = Measured::NotMeasured { reason: "no run".into() };
    Row { group: GROUP, what, unit, better, ours, beside: None, target: None }
}

fn one(number: f64, better: Better) -> Measured {
    Measured::of(vec![Ok(number)], better)
}

/// Returns the mean duration over as many runs as fit into this time.
fn milliseconds(seconds: f64, work: &dyn Fn()) -> f64 {
    let (started, wanted) = (Instant::now(), Duration::from_secs_f64(seconds));
    let mut runs = 0;
    while runs == 0 || started.elapsed() < wanted {
        work();
        runs += 1;
    }
    started.elapsed().as_secs_f64() * 1e3 / f64::from(runs)
}

/// A generator of numbers that look random and are the same in every run: SplitMix64.
struct Dice(u64);

impl Dice {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    fn below(&mut self, end: usize) -> usize {
        (self.next() >> 33) as usize % end
    }

    fn share(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1u64 << 53) as f64
    }
}
