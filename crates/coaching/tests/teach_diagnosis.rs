//! Tests of the diagnosis: the questions it asks, when it stops, what it believes, and that its arithmetic is
//! right.

use coaching::learner::Quality;
use coaching::map::{Draft, Edge, MapError, MapId, MindMap, Node, NodeId, NodeIx};
use coaching::teach::Course;
use coaching::teach::diagnosis::{Diagnosis, GUESS, Probed, SLIP};
use flow::Overrides;
use proptest::prelude::*;
use serde_json::json;
use std::collections::HashMap;
use std::sync::LazyLock;
use uuid::Uuid;

/// The least and the greatest number of questions that the law of courses allows; the diagnosis itself has no
/// bound.
static BOUNDS: LazyLock<[usize; 2]> = LazyLock::new(|| {
    let law = crate::teach::class::machine::<Course>(&Overrides::new());
    ["min_probes", "max_probes"].map(|name| law.number(name, 0) as usize)
});
const RIGHT: Quality = Quality::EASY;
const WRONG: Quality = Quality::AGAIN;

fn id(number: usize) -> NodeId {
    NodeId::new(Uuid::from_u128(number as u128 + 1))
}

fn map(count: usize, edges: impl IntoIterator<Item = (usize, usize)>) -> MindMap {
    let mut draft = Draft::new(MapId::new(Uuid::from_u128(7)), "Test");
    draft.nodes = (0..count).map(|number| Node::new(id(number), &format!("c{number}"))).collect();
    draft.edges =
        edges.into_iter().map(|(parent, child)| Edge::prerequisite(id(parent), id(child))).collect();
    MindMap::new(draft).unwrap()
}

fn chain(count: usize) -> MindMap {
    map(count, (1..count).map(|at| (at - 1, at)))
}

/// Asks until the diagnosis or the law stops, and returns the answers.
fn ask(map: &MindMap, mut quality: impl FnMut(NodeIx) -> Quality) -> Vec<Probed> {
    let mut answers = Vec::new();
    while let Some(node) = next(&Diagnosis::new(map, &answers).unwrap(), answers.len()) {
        answers.push(Probed::new(map.node(node).node_id, quality(node)));
    }
    answers
}

/// Returns the next question as the law asks it.
fn next(diagnosis: &Diagnosis<'_>, asked: usize) -> Option<NodeIx> {
    let [least, most] = *BOUNDS;
    let is_next = asked < most && (asked < least || diagnosis.is_worth_asking());
    diagnosis.next_probe().filter(|_| is_next)
}

fn asked(map: &MindMap, answers: &[Probed]) -> Vec<usize> {
    answers.iter().map(|answer| map.find(answer.node_id).unwrap().index()).collect()
}

/// A learner who answers every question well starts at the frontier, and a beginner at the first concept.
#[test]
fn an_expert_starts_at_the_frontier() {
    let sure = |map: &MindMap, answers: &[Probed]| {
        let diagnosis = Diagnosis::new(map, answers).unwrap();
        map.indexes().filter(|node| diagnosis.is_sure_of(*node)).count()
    };
    let binary = || map(15, (1..15).map(|at| ((at - 1) / 2, at)));
    for map in [chain(3), chain(9), chain(22), binary()] {
        let count = map.nodes().len();
        let known = sure(&map, &ask(&map, |_| RIGHT));
        assert!(known * 3 >= count * 2, "{known} of {count}");
        assert_eq!(sure(&map, &ask(&map, |_| WRONG)), 0);
    }
}

mod probes {
    use super::*;

    #[test]
    fn the_first_is_of_median_difficulty() {
        let first = |map: &MindMap| map.node(Diagnosis::new(map, &[]).unwrap().next_probe().unwrap()).depth;
        assert_eq!(first(&chain(1)), 0);
        assert_eq!(first(&chain(9)), 4);
        assert_eq!(first(&chain(30)), 15);
        assert_eq!(first(&map(20, [])), 0);
        // With many easy concepts and one long chain, the median concept is an easy one.
        assert_eq!(first(&map(20, (13..20).map(|at| (at - 1, at)))), 0);
    }

    #[test]
    fn there_is_none_without_nodes() {
        assert_eq!(Diagnosis::new(&map(0, []), &[]).unwrap().next_probe(), None);
    }

    #[test]
    fn they_close_in_on_the_known_concepts() {
        let check = |known: usize| {
            let map = chain(20);
            let answers = ask(&map, |node| if node.index() < known { RIGHT } else { WRONG });
            let diagnosis = Diagnosis::new(&map, &answers).unwrap();
            let believed = map.indexes().filter(|node| diagnosis.inferred_mastery(*node) > 0.5).count();
            assert!(
                believed.abs_diff(known) <= 2,
                "{believed} instead of {known}, asked {:?}",
                asked(&map, &answers)
            );
        };
        (0..=20).for_each(check);
    }

    #[test]
    fn few_are_enough_for_a_small_map() {
        assert_eq!(ask(&chain(1), |_| RIGHT).len(), 1);
        assert_eq!(ask(&chain(2), |_| WRONG).len(), 2);
        let [least, most] = *BOUNDS;
        assert_eq!(ask(&chain(4), |_| RIGHT).len(), least);
        assert_eq!(ask(&chain(4), |_| WRONG).len(), least);
        assert_eq!(ask(&map(40, []), |node| if node.index() % 2 == 0 { RIGHT } else { WRONG }).len(), most);
    }

    #[test]
    fn a_large_map_needs_no_more_than_a_small_one() {
        let count = 10_000;
        let map = map(count, (1..count).flat_map(|at| [(at / 3, at), (at / 2, at)]).filter(|(a, b)| a != b));
        let answers = ask(&map, |node| if node.index() < count / 2 { RIGHT } else { WRONG });
        assert!((BOUNDS[0]..=BOUNDS[1]).contains(&answers.len()));
        let diagnosis = Diagnosis::new(&map, &answers).unwrap();
        assert!(diagnosis.inferred_mastery(map.find(id(0)).unwrap()) > 0.9);
        assert!(diagnosis.inferred_mastery(map.find(id(count - 1)).unwrap()) < 0.5);
    }
}

mod findings {
    use super::*;

    #[test]
    fn seeds_stay_between_their_bounds() {
        let map = chain(12);
        for known in 0..=12 {
            let answers = ask(&map, |node| if node.index() < known { RIGHT } else { WRONG });
            for finding in Diagnosis::new(&map, &answers).unwrap().findings() {
                let least = if finding.quality == Some(RIGHT) { 0.5 } else { 0.8 };
                let is_believed = finding.inferred_mastery > least && finding.quality != Some(WRONG);
                assert_eq!(finding.seed_score.is_some(), is_believed, "{finding:?}");
                assert!(finding.seed_score.is_none_or(|score| (0.3..=0.7).contains(&score)), "{finding:?}");
                assert!((0.5..=1.0).contains(&finding.confidence), "{finding:?}");
                let answer = answers.iter().find(|answer| answer.node_id == finding.node_id);
                assert_eq!(finding.quality, answer.map(|answer| answer.quality));
            }
        }
    }

    #[test]
    fn a_single_good_answer_counts_as_luck() {
        let map = chain(8);
        let answers = [(0, WRONG), (1, WRONG), (2, WRONG), (7, RIGHT)]
            .map(|(at, quality)| Probed::new(id(at), quality));
        let diagnosis = Diagnosis::new(&map, &answers).unwrap();
        let last = map.find(id(7)).unwrap();
        assert!(diagnosis.inferred_mastery(last) < 0.5);
        assert_eq!(diagnosis.seed_score(last), Some(0.3), "it is a start, and no more");
        assert!(!diagnosis.is_sure_of(last));
    }

    #[test]
    fn a_slip_is_outvoted() {
        let map = chain(10);
        let answers = [(2, WRONG), (5, RIGHT), (7, RIGHT), (8, RIGHT)]
            .map(|(at, quality)| Probed::new(id(at), quality));
        let diagnosis = Diagnosis::new(&map, &answers).unwrap();
        let failed = map.find(id(2)).unwrap();
        assert!(diagnosis.inferred_mastery(failed) > 0.8);
        // Even so, a concept that was just failed never counts as known.
        assert_eq!(diagnosis.seed_score(failed), None);
        assert!(diagnosis.seed_score(map.find(id(3)).unwrap()).is_some());
    }

    #[test]
    fn better_answers_and_harder_guesses_weigh_more() {
        let map = map(1, []);
        let believed = |answer: Probed| {
            Diagnosis::new(&map, &[answer]).unwrap().inferred_mastery(map.find(id(0)).unwrap())
        };
        let by_quality: Vec<f64> =
            (0..=5).map(|quality| believed(Probed::new(id(0), Quality::new(quality).unwrap()))).collect();
        assert!(by_quality.is_sorted(), "{by_quality:?}");
        assert!(by_quality[2] < 0.5 && by_quality[3] > 0.5, "{by_quality:?}");
        assert!((by_quality[5] - (1.0 - SLIP) / (1.0 - SLIP + GUESS)).abs() < 1e-9, "{by_quality:?}");
        let chosen = |options| believed(Probed::chosen(id(0), RIGHT, options));
        assert!(chosen(2) < chosen(3) && chosen(3) < believed(Probed::new(id(0), RIGHT)));
        assert!(chosen(0) > 0.5, "a right answer never counts against the learner");
        for guess in [f64::NAN, f64::INFINITY, -1.0, 0.0, 1.0] {
            let known = believed(Probed { guess, ..Probed::new(id(0), RIGHT) });
            assert!(known > 0.5 && known < 1.0, "{guess}: {known}");
        }
    }

    #[test]
    fn impossible_answers_are_refused() {
        let map = chain(3);
        let unknown = Diagnosis::new(&map, &[Probed::new(id(9), RIGHT)]).unwrap_err();
        assert_eq!(unknown, MapError::UnknownNode { node_id: id(9) });
        let read = |quality: serde_json::Value| {
            serde_json::from_value::<Probed>(json!({"node_id": id(0), "quality": quality}))
        };
        assert_eq!(read(json!(5)).unwrap(), Probed::new(id(0), RIGHT));
        for quality in [json!(6), json!(2.9), json!(true), json!("5"), json!(null), json!(-1)] {
            assert!(read(quality.clone()).is_err(), "{quality}");
        }
    }

    #[test]
    fn any_number_of_answers_gives_a_finite_belief() {
        let map = chain(3);
        for quality in [RIGHT, WRONG] {
            let answers = vec![Probed { guess: 0.0, ..Probed::new(id(1), quality) }; 2_000];
            let diagnosis = Diagnosis::new(&map, &answers).unwrap();
            assert!(map.indexes().all(|node| (0.0..=1.0).contains(&diagnosis.inferred_mastery(node))));
            assert_ne!(diagnosis.next_probe(), map.find(id(1)).ok());
        }
    }
}

mod properties {
    use super::*;

    fn graph(most: usize) -> impl Strategy<Value = MindMap> {
        (1..most).prop_flat_map(|count| {
            let edges = prop::collection::vec((0..count, 0..count), 0..2 * count);
            edges.prop_map(move |edges| map(count, edges.into_iter().filter(|(a, b)| a < b)))
        })
    }

    fn qualities() -> impl Strategy<Value = Vec<Quality>> {
        prop::collection::vec((0u8..=5).prop_map(|quality| Quality::new(quality).unwrap()), BOUNDS[1])
    }

    /// Computes the probability that each node is known by weighing every set of nodes that a learner can know. A
    /// set's prior is the probability of reaching it by learning one available node after another.
    fn exact(map: &MindMap, answers: &[Probed]) -> Vec<f64> {
        let count = map.nodes().len();
        let needs: Vec<u32> = map
            .indexes()
            .map(|node| map.parents(node).iter().map(|parent| 1 << parent.index()).sum())
            .collect();
        let mut sets = HashMap::from([(0u32, 1.0)]);
        let (mut known, mut total) = (vec![0.0; count], 0.0);
        for _ in 0..=count {
            let mut larger: HashMap<u32, f64> = HashMap::new();
            for (set, chance) in &sets {
                let weight =
                    chance * answers.iter().map(|answer| likelihood(map, answer, *set)).product::<f64>();
                total += weight;
                let knows = |at: &usize| set >> at & 1 == 1;
                (0..count).filter(knows).for_each(|at| known[at] += weight);
                let available: Vec<usize> =
                    (0..count).filter(|at| !knows(at) && needs[*at] & !set == 0).collect();
                for at in &available {
                    *larger.entry(set | 1 << at).or_default() += chance / available.len() as f64;
                }
            }
            sets = larger;
        }
        known.iter().map(|weight| weight / total).collect()
    }

    fn likelihood(map: &MindMap, answer: &Probed, set: u32) -> f64 {
        let is_known = set >> map.find(answer.node_id).unwrap().index() & 1 == 1;
        match (is_known, answer.quality == RIGHT) {
            (true, true) => 1.0 - SLIP,
            (true, false) => SLIP,
            (false, true) => GUESS,
            (false, false) => 1.0 - GUESS,
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn beliefs_are_near_the_exact_ones(
            map in graph(11),
            right in prop::collection::vec(any::<bool>(), BOUNDS[1]),
        ) {
            let mut right = right.into_iter();
            let answers = ask(&map, |_| if right.next().unwrap() { RIGHT } else { WRONG });
            let diagnosis = Diagnosis::new(&map, &answers).unwrap();
            for (node, exact) in map.indexes().zip(exact(&map, &answers)) {
                let found = diagnosis.inferred_mastery(node);
                prop_assert!((found - exact).abs() < 0.12, "{} instead of {}", found, exact);
            }
        }

        #[test]
        fn within_the_bounds_and_none_twice(map in graph(31), qualities in qualities()) {
            let mut next = qualities.into_iter();
            let answers = ask(&map, |_| next.next().unwrap());
            let mut asked = asked(&map, &answers);
            let [least, most] = *BOUNDS;
            prop_assert!(asked.len() >= least.min(map.nodes().len()) && asked.len() <= most);
            asked.sort_unstable();
            asked.dedup();
            prop_assert_eq!(asked.len(), answers.len());
        }

        /// A right answer may be followed by a question that is not harder only if nothing harder is in doubt;
        /// likewise for wrong answers and easier questions.
        #[test]
        fn harder_after_right_and_easier_after_wrong(map in graph(31), qualities in qualities()) {
            let mut answers: Vec<Probed> = Vec::new();
            for quality in qualities {
                let diagnosis = Diagnosis::new(&map, &answers).unwrap();
                let Some(next) = next(&diagnosis, answers.len()) else { break };
                if let Some(last) = answers.last() {
                    let depth = |node: NodeIx| i64::from(map.node(node).depth);
                    let before = depth(map.find(last.node_id).unwrap());
                    let onwards = if last.quality.is_recalled() { 1 } else { -1 };
                    let is_onwards = |node: NodeIx| (depth(node) - before) * onwards > 0;
                    let met = asked(&map, &answers);
                    let in_doubt = |node: NodeIx| (0.3..0.7).contains(&diagnosis.inferred_mastery(node));
                    let is_better = |node: NodeIx| {
                        is_onwards(node) && !met.contains(&node.index()) && in_doubt(node)
                    };
                    prop_assert!(is_onwards(next) || !map.indexes().any(is_better), "{:?}", met);
                }
                answers.push(Probed::new(map.node(next).node_id, quality));
            }
        }

        /// A prerequisite is at least as likely known as the concept that needs it, whatever the answers.
        #[test]
        fn prerequisites_are_at_least_as_likely_known(map in graph(31), qualities in qualities()) {
            let mut next = qualities.into_iter();
            let answers = ask(&map, |_| next.next().unwrap());
            let diagnosis = Diagnosis::new(&map, &answers).unwrap();
            for node in map.indexes() {
                for parent in map.parents(node) {
                    prop_assert!(diagnosis.inferred_mastery(*parent) >= diagnosis.inferred_mastery(node));
                }
            }
            let again: Vec<_> = Diagnosis::new(&map, &answers).unwrap().findings().collect();
            prop_assert_eq!(diagnosis.findings().collect::<Vec<_>>(), again);
        }
    }
}
