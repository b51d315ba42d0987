//! What needs what: every name is known, nothing needs itself, and nothing is said twice.

use std::collections::HashMap;

use super::Concept;
use super::shape::Shapes;
use crate::pack::ProblemCode;
use crate::pack::node::At;

/// One entry of `needs` or `related`.
#[derive(Debug)]
pub(super) struct Wanted {
    pub concept: String,
    pub id: At<String>,
    /// The field it stands in.
    pub by: &'static str,
}

pub(super) fn check(shapes: &mut Shapes, concepts: &[Concept], wanted: &[Wanted]) {
    let indexes = indexes(concepts);
    for entry in wanted.iter().filter(|entry| !indexes.contains_key(entry.id.value.as_str())) {
        let message =
            format!("{} {} “{}”, which is no concept here", entry.concept, entry.by, entry.id.value);
        let cure = "write the id of a concept of this file";
        shapes.note(ProblemCode::UnknownConcept, entry.id.place(), message, cure);
    }
    let needs = needs(concepts, &indexes);
    match cycle(&needs) {
        Some(cycle) => note_cycle(shapes, concepts, wanted, &cycle),
        None => note_twice(shapes, concepts, wanted, &needs, &indexes),
    }
}

/// How many concepts the longest chain has. A cycle has been refused before anybody asks.
pub(super) fn depth(concepts: &[Concept]) -> usize {
    let needs = needs(concepts, &indexes(concepts));
    let mut depths = vec![0; concepts.len()];
    for at in order(&needs) {
        depths[at] = 1 + needs[at].iter().map(|need| depths[*need]).max().unwrap_or(0);
    }
    depths.into_iter().max().unwrap_or(0)
}

/// The cycle that a walk finds first, each thing followed by one that it needs.
pub(super) fn cycle(needs: &[Vec<usize>]) -> Option<Vec<usize>> {
    let ordered = order(needs);
    let mut is_ordered = vec![false; needs.len()];
    ordered.iter().for_each(|at| is_ordered[*at] = true);
    // Everything that could not be ordered needs something that could not be ordered either.
    let mut at = is_ordered.iter().position(|ordered| !ordered)?;
    let mut path = Vec::new();
    loop {
        if let Some(start) = path.iter().position(|met| *met == at) {
            return Some(path.split_off(start));
        }
        path.push(at);
        at = *needs[at].iter().find(|need| !is_ordered[**need])?;
    }
}

/// Everything that can be ordered so that needs come first.
pub(super) fn order(needs: &[Vec<usize>]) -> Vec<usize> {
    let mut needed_by = vec![Vec::new(); needs.len()];
    let mut open: Vec<usize> = needs.iter().map(Vec::len).collect();
    for (at, needs) in needs.iter().enumerate() {
        needs.iter().for_each(|need| needed_by[*need].push(at));
    }
    let mut ordered: Vec<usize> = (0..needs.len()).filter(|at| open[*at] == 0).collect();
    let mut next = 0;
    while let Some(&at) = ordered.get(next) {
        for &later in &needed_by[at] {
            open[later] -= 1;
            if open[later] == 0 {
                ordered.push(later);
            }
        }
        next += 1;
    }
    ordered
}

fn indexes(concepts: &[Concept]) -> HashMap<&str, usize> {
    concepts.iter().enumerate().map(|(at, concept)| (concept.id.as_str(), at)).collect()
}

fn needs(concepts: &[Concept], indexes: &HashMap<&str, usize>) -> Vec<Vec<usize>> {
    let known = |concept: &Concept| {
        concept.needs.iter().filter_map(|need| indexes.get(need.as_str()).copied()).collect()
    };
    concepts.iter().map(known).collect()
}

fn note_cycle(shapes: &mut Shapes, concepts: &[Concept], wanted: &[Wanted], cycle: &[usize]) {
    let first = &concepts[cycle[0]].id;
    let next = &concepts[cycle[1 % cycle.len()]].id;
    let names = cycle.iter().map(|at| concepts[*at].id.as_str()).chain([first.as_str()]);
    let message = format!("these need each other: {}", names.collect::<Vec<_>>().join(" → "));
    let is_it = |entry: &&Wanted| entry.by == "needs" && entry.concept == *first && entry.id.value == *next;
    let place = wanted.iter().find(is_it).map_or(At { value: (), line: 0, column: 0 }, |w| w.id.place());
    shapes.note(ProblemCode::NeedCycle, place, message, "remove one of these needs");
}

/// A need that another need brings along anyway only clutters the map.
fn note_twice(
    shapes: &mut Shapes,
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
            let message = format!("{} needs {id} already through {through}", entry.concept);
            shapes.note(ProblemCode::NeedTwice, entry.id.place(), message, format!("remove {id} here"));
        }
    }
}

/// For each thing, whether it needs each other one, directly or through others.
fn all_needs(needs: &[Vec<usize>]) -> Vec<Vec<bool>> {
    let mut all = vec![vec![false; needs.len()]; needs.len()];
    for at in order(needs) {
        for &need in &needs[at] {
            let inherited = all[need].clone();
            all[at].iter_mut().zip(inherited).for_each(|(own, theirs)| *own |= theirs);
            all[at][need] = true;
        }
    }
    all
}
