//! Checks which concepts need which: every name is known, nothing needs itself, and nothing is listed twice.

use std::collections::HashMap;

use super::Concept;
use crate::authored::{At, ProblemCode, Problems};
use crate::map::needs;

/// An entry of `needs` or `related`.
#[derive(Debug)]
pub(super) struct Wanted {
    pub concept: String,
    pub id: At<String>,
    /// The field that has the entry.
    pub by: &'static str,
}

pub(super) fn check(problems: &Problems, concepts: &[Concept], wanted: &[Wanted]) {
    let indexes = indexes(concepts);
    for entry in wanted.iter().filter(|entry| !indexes.contains_key(entry.id.value.as_str())) {
        let message = format!(
            "{} {} “{}”, which is not a concept of this file",
            entry.concept, entry.by, entry.id.value
        );
        let cure = "write the id of one that is";
        problems.note(ProblemCode::UnknownConcept, entry.id.place(), message, cure);
    }
    let needs = needs_of(concepts, &indexes);
    match needs::cycle(&needs) {
        Some(cycle) => note_cycle(problems, concepts, wanted, &cycle),
        None => note_twice(problems, concepts, wanted, &needs, &indexes),
    }
}

/// Returns the number of concepts in the longest chain.
pub(super) fn depth(concepts: &[Concept]) -> usize {
    let depths = needs::depths(&needs_of(concepts, &indexes(concepts)));
    depths.into_iter().max().map_or(0, |depth| depth as usize + 1)
}

fn indexes(concepts: &[Concept]) -> HashMap<&str, usize> {
    concepts.iter().enumerate().map(|(at, concept)| (concept.id.as_str(), at)).collect()
}

fn needs_of(concepts: &[Concept], indexes: &HashMap<&str, usize>) -> Vec<Vec<usize>> {
    let known = |concept: &Concept| {
        concept.needs.iter().filter_map(|need| indexes.get(need.as_str()).copied()).collect()
    };
    concepts.iter().map(known).collect()
}

fn note_cycle(problems: &Problems, concepts: &[Concept], wanted: &[Wanted], cycle: &[usize]) {
    let first = &concepts[cycle[0]].id;
    let next = &concepts[cycle[1 % cycle.len()]].id;
    let names = cycle.iter().map(|at| concepts[*at].id.as_str()).chain([first.as_str()]);
    let message = format!("these need each other: {}", names.collect::<Vec<_>>().join(" → "));
    let is_it = |entry: &&Wanted| entry.by == "needs" && entry.concept == *first && entry.id.value == *next;
    let place = wanted.iter().find(is_it).map_or(At { value: (), line: 0, column: 0 }, |w| w.id.place());
    problems.note(ProblemCode::NeedCycle, place, message, "remove one of these needs");
}

/// Notes every need that another need implies, because it only clutters the map.
fn note_twice(
    problems: &Problems,
    concepts: &[Concept],
    wanted: &[Wanted],
    needs: &[Vec<usize>],
    indexes: &HashMap<&str, usize>,
) {
    let all_needs = all_needs(needs);
    for entry in wanted.iter().filter(|entry| entry.by == "needs") {
        let (Some(&at), Some(&need)) =
            (indexes.get(entry.concept.as_str()), indexes.get(entry.id.value.as_str()))
        else {
            continue;
        };
        let through = needs[at].iter().find(|other| all_needs[**other][need]);
        if let Some(through) = through {
            let (id, through) = (&entry.id.value, &concepts[*through].id);
            let message = format!("{} already needs {id} through {through}", entry.concept);
            problems.note(ProblemCode::NeedTwice, entry.id.place(), message, format!("remove {id} here"));
        }
    }
}

/// Returns for each concept whether it needs each other one, directly or indirectly.
fn all_needs(needs: &[Vec<usize>]) -> Vec<Vec<bool>> {
    let mut all = vec![vec![false; needs.len()]; needs.len()];
    for at in needs::order(needs) {
        for &need in &needs[at] {
            let inherited = all[need].clone();
            all[at].iter_mut().zip(inherited).for_each(|(own, theirs)| *own |= theirs);
            all[at][need] = true;
        }
    }
    all
}
