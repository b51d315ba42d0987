//! Packs a configuration into one 64-bit word.
//!
//! A counter is kept exactly up to its ceiling, one above the largest number that anything compares it with. Beyond
//! that no guard can tell two values apart, so there are finitely many configurations and none is missed. No
//! ceiling is above that of a counter in a running flow.

use crate::guard::Op;
use crate::law::{Attribute, COUNTER_CEILING};
use crate::machine::{Machine, State, StateId, Test};

/// The lowest ceiling of counters that are compared with each other, which have no natural one.
pub(crate) const CEILING_OF_COMPARED_PAIR: u64 = 255;

/// The ceiling of counters in a flow that runs.
const MOST: u64 = COUNTER_CEILING as u64;

/// The layout of a configuration. The state is in the low bits, followed by a field for each counter and each
/// attribute with an order.
#[derive(Debug, Clone)]
pub(crate) struct Layout {
    state_mask: u64,
    fields: Vec<Field>,
    tracks: Vec<Track>,
    bits: u32,
}

/// The field for the last value of an attribute whose law says which values may follow each other.
#[derive(Debug, Clone)]
struct Track {
    attribute: String,
    shift: u32,
    mask: u64,
    /// The names of the values, numbered from one in this order; zero means no value yet.
    names: Vec<String>,
    /// The number of each state's value.
    values: Vec<u8>,
    /// For each value, the values that may come next, one bit each.
    next: Vec<u64>,
}

impl Track {
    fn of(machine: &Machine, law: &Attribute) -> Track {
        let names: Vec<&str> = law.listed().into_keys().collect();
        let number = |name: &str| names.iter().position(|known| *known == name).map_or(0, |at| at + 1);
        let value = |state: &State| state.attribute(&law.name.name).map_or(0, |value| number(&value.name));
        let next =
            |name: &&str| law.after(name).fold(1 << number(name), |bits, next| bits | 1 << number(next));
        Track {
            attribute: law.name.name.clone(),
            shift: 0,
            mask: mask(width(names.len() as u64)),
            values: machine.states.iter().map(|state| value(state) as u8).collect(),
            // Any value may be the first.
            next: std::iter::once(u64::MAX).chain(names.iter().map(next)).collect(),
            names: names.iter().map(|name| (*name).to_owned()).collect(),
        }
    }
}

/// The finding that a step entered a state whose value may not follow the last one.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Disorder {
    track: u8,
    last: u8,
    value: u8,
    pub(crate) state: StateId,
}

impl Disorder {
    /// Whether both are about the same two values.
    pub(crate) fn is_like(&self, other: &Disorder) -> bool {
        (self.track, self.last, self.value) == (other.track, other.last, other.value)
    }
}

#[derive(Debug, Clone, Copy)]
struct Field {
    shift: u32,
    mask: u64,
    /// The highest value that is kept. Zero for a counter that nothing compares, which is left out of the
    /// configuration.
    ceiling: u64,
    start: u64,
    /// Whether nothing moves the counter, so that it only needs room for its start value.
    is_fixed: bool,
}

impl Layout {
    /// Returns `None` if a configuration does not fit into 64 bits.
    pub(crate) fn of(machine: &Machine) -> Option<Layout> {
        let fields = machine.counters.iter().zip(ceilings(machine)).map(|(counter, ceiling)| {
            let start = u64::from(counter.start);
            let ceiling = match ceiling {
                None => 0,
                Some(_) if counter.is_free => start,
                Some(ceiling) => ceiling.max(start + 1).min(MOST),
            };
            Field { shift: 0, mask: 0, ceiling, start, is_fixed: counter.is_free }
        });
        let state_mask = mask(width(machine.states.len().saturating_sub(1) as u64));
        Layout { state_mask, fields: fields.collect(), tracks: Vec::new(), bits: 0 }.packed()
    }

    /// Raises ceilings to at least these. Returns `None` if that needs more than 64 bits.
    pub(crate) fn raised(mut self, least: &[u64]) -> Option<Layout> {
        for (field, least) in self.fields.iter_mut().zip(least).filter(|(_, least)| **least > 0) {
            field.ceiling = field.ceiling.max(*least).max(field.start + 1).min(MOST);
            field.is_fixed = false;
        }
        self.packed()
    }

    /// Adds the last values of attributes. Returns `None` if that needs more than 64 bits.
    pub(crate) fn tracking(mut self, machine: &Machine) -> Option<Layout> {
        let ordered = machine.attributes.iter().filter(|attribute| attribute.values.is_some());
        self.tracks = ordered.map(|attribute| Track::of(machine, attribute)).collect();
        self.packed()
    }

    /// Gives every field its place. Returns `None` if they need more than 64 bits.
    fn packed(mut self) -> Option<Layout> {
        self.bits = width(self.state_mask);
        for field in &mut self.fields {
            (field.shift, field.mask) = (self.bits.min(63), mask(width(field.ceiling)));
            self.bits += width(field.ceiling);
        }
        for track in &mut self.tracks {
            track.shift = self.bits.min(63);
            self.bits += track.mask.count_ones();
        }
        (self.bits <= 64).then_some(self)
    }

    pub(crate) fn state(&self, code: u64) -> StateId {
        StateId((code & self.state_mask) as u32)
    }

    pub(crate) fn counter(&self, code: u64, counter: usize) -> u64 {
        let field = &self.fields[counter];
        code >> field.shift & field.mask
    }

    pub(crate) fn ceiling(&self, counter: usize) -> u64 {
        self.fields[counter].ceiling
    }

    /// Whether a counter has reached its ceiling.
    pub(crate) fn is_saturated(&self, code: u64, counter: usize) -> bool {
        let field = &self.fields[counter];
        !field.is_fixed && self.counter(code, counter) == field.ceiling
    }

    /// Whether the ceiling may hide how far a counter has come. At the ceiling of all counters, it hides nothing.
    fn is_beyond(&self, code: u64, counter: usize) -> bool {
        self.is_saturated(code, counter) && self.ceiling(counter) < MOST
    }

    /// Compares two counters. Returns `None` if their ceilings hide the answer.
    pub(crate) fn compare_pair(&self, code: u64, a: u8, op: Op, b: u8) -> Option<bool> {
        let [(x, is_x_beyond), (y, is_y_beyond)] = [a, b]
            .map(|counter| (self.counter(code, counter as usize), self.is_beyond(code, counter as usize)));
        let is_clear = match (is_x_beyond, is_y_beyond) {
            (false, false) => true,
            (true, false) => x > y,
            (false, true) => y > x,
            (true, true) => a == b,
        };
        is_clear.then(|| op.holds(x as i64, y as i64))
    }

    /// Packs a configuration. A value above its ceiling becomes the ceiling.
    pub(crate) fn pack(&self, state: StateId, counters: impl Iterator<Item = u64>) -> u64 {
        let fields = self.fields.iter().zip(counters);
        fields.fold(u64::from(state.0), |code, (field, value)| code | value.min(field.ceiling) << field.shift)
    }

    /// Returns the counters at their start values.
    pub(crate) fn start(&self) -> u64 {
        self.pack(StateId(0), self.fields.iter().map(|field| field.start))
    }

    #[inline]
    pub(crate) fn counted(&self, code: u64, counter: u8) -> u64 {
        let field = &self.fields[counter as usize];
        let has_room = code >> field.shift & field.mask < field.ceiling;
        code + (u64::from(has_room) << field.shift)
    }

    #[inline]
    pub(crate) fn reset(&self, code: u64, counter: u8) -> u64 {
        let field = &self.fields[counter as usize];
        let start = field.start & field.mask;
        code & !(field.mask << field.shift) | start << field.shift
    }

    pub(crate) fn is_tracking(&self) -> bool {
        !self.tracks.is_empty()
    }

    /// Notes the attribute values of a state that is entered, and returns one that is out of order.
    pub(crate) fn entered(&self, mut code: u64, state: StateId) -> (u64, Option<Disorder>) {
        let mut disorder = None;
        for (at, track) in self.tracks.iter().enumerate().filter(|(_, track)| track.values[state.index()] > 0)
        {
            let (last, value) = (code >> track.shift & track.mask, track.values[state.index()]);
            if track.next[last as usize] >> value & 1 == 0 {
                disorder = Some(Disorder { track: at as u8, last: last as u8, value, state });
            }
            code = code & !(track.mask << track.shift) | u64::from(value) << track.shift;
        }
        (code, disorder)
    }

    /// Returns the attribute, its last value, and the one that may not follow.
    pub(crate) fn names(&self, disorder: &Disorder) -> (&str, &str, &str) {
        let track = &self.tracks[disorder.track as usize];
        let name = |value: u8| track.names[value as usize - 1].as_str();
        (&track.attribute, name(disorder.last), name(disorder.value))
    }

    pub(crate) fn state_mask(&self) -> u64 {
        self.state_mask
    }

    pub(crate) fn bits(&self) -> u32 {
        self.bits
    }
}

/// Returns for each counter the lowest value that no test can tell from a higher one; `None` if nothing compares
/// it.
pub(crate) fn ceilings(machine: &Machine) -> Vec<Option<u64>> {
    let mut ceilings = vec![None; machine.counters.len()];
    let mut pairs = Vec::new();
    let choices = machine.states.iter().filter_map(|state| state.choice.as_ref()).map(|choice| &choice.test);
    let requires = machine.states.iter().flat_map(|state| &state.require);
    for test in choices.chain(requires).chain(machine.invariants.iter().map(|(test, _)| test)) {
        raise(test, &mut ceilings, &mut pairs);
    }
    // Counters that are compared with each other share a ceiling, through any number of comparisons.
    for _ in &machine.counters {
        for (a, b) in &pairs {
            let least = pair_ceiling(machine, *a, *b);
            let both = ceilings[*a].max(ceilings[*b]).max(Some(least));
            for (counter, other) in [(*a, *b), (*b, *a)] {
                let is_number = machine.counters[other].is_free;
                ceilings[counter] = if is_number { ceilings[counter].max(Some(least)) } else { both };
            }
        }
    }
    ceilings
}

/// Returns the least ceiling of two counters that are compared. A counter that nothing moves counts as a number.
fn pair_ceiling(machine: &Machine, a: usize, b: usize) -> u64 {
    let [a, b] = [a, b].map(|counter| &machine.counters[counter]);
    let above = u64::from(a.start.max(b.start)) + 1;
    if a.is_free || b.is_free { above } else { above.max(CEILING_OF_COMPARED_PAIR) }
}

fn raise(test: &Test, ceilings: &mut [Option<u64>], pairs: &mut Vec<(usize, usize)>) {
    match test {
        Test::Compare(counter, _, value) => {
            let above = (*value).clamp(0, i64::from(u32::MAX)) as u64 + 1;
            let slot = &mut ceilings[*counter as usize];
            *slot = (*slot).max(Some(above));
        }
        Test::CompareCounters(a, _, b) => pairs.push((*a as usize, *b as usize)),
        Test::Not(inner) => raise(inner, ceilings, pairs),
        Test::And(a, b) | Test::Or(a, b) => {
            raise(a, ceilings, pairs);
            raise(b, ceilings, pairs);
        }
        Test::Fact(_) | Test::Always(_) => {}
    }
}

fn width(largest: u64) -> u32 {
    64 - largest.leading_zeros()
}

fn mask(bits: u32) -> u64 {
    if bits == 0 { 0 } else { u64::MAX >> (64 - bits) }
}
