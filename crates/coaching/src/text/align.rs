//! Finds the closest way to lay a target over an utterance.
//!
//! A table over (steps of the target, atoms of the utterance) finds the cheapest path. Words around the target are
//! free; a few wrong letters in a long word cost one each; a missing, additional or wrong word is a *fault*, and
//! one fault costs more than any number of letters. A path without a fault is a fuzzy match. Read back, every path
//! is the difference to show.

use super::ear::Ear;
use super::edits::tolerance;
use super::hear::Piece;
use super::target::{Step, slot_ends};
use super::words::{Word, Words};
use std::ops::Range;

const FAULT: u32 = 10_000;
/// The cost of a missing word. It is worse than a wrong one, so that a wrong word is shown beside the one expected.
const MISSING: u32 = FAULT + 100;
/// The cost of a wrong word in its place, which says more than a missing one.
const REPLACED: u32 = FAULT + 90;
/// The cost of an empty slot. Of two ways to miss something, it is the likelier one.
const EMPTY_SLOT: u32 = FAULT + 50;
/// The cost of two words written as one, or one written as two.
const JOINED: u32 = 1;

/// The cheapest path through the table and what it says.
#[derive(Debug)]
pub(crate) struct Alignment {
    cost: u32,
    pieces: Vec<Piece>,
    slots: Vec<Range<usize>>,
}

impl Alignment {
    pub(crate) fn cost(&self) -> u32 {
        self.cost
    }

    /// Whether every word is there, perhaps with slips.
    pub(crate) fn is_close(&self) -> bool {
        self.cost < FAULT
    }

    /// Whether every word is there, without slips.
    pub(crate) fn is_exact(&self) -> bool {
        self.cost == 0
    }

    /// Returns where each slot that is not empty begins and ends.
    pub(crate) fn slots(&self) -> &[Range<usize>] {
        &self.slots
    }

    pub(crate) fn pieces(&self) -> &[Piece] {
        &self.pieces
    }

    pub(crate) fn into_pieces(self) -> Vec<Piece> {
        self.pieces
    }
}

pub(crate) fn align(steps: &[Step], words: &Words, ear: Ear) -> Alignment {
    let mut table = Table::new(steps, words, ear);
    for step in 0..=steps.len() {
        for at in 0..=words.len() {
            table.relax(step, at);
        }
    }
    table.read_back()
}

/// The cheapest known way to have used `step` steps and `at` atoms, and where it came from.
#[derive(Clone, Copy)]
struct Cell {
    cost: u32,
    from: (usize, usize),
}

struct Table<'a> {
    steps: &'a [Step],
    words: &'a Words<'a>,
    ear: Ear<'a>,
    cells: Vec<Cell>,
}

impl<'a> Table<'a> {
    fn new(steps: &'a [Step], words: &'a Words<'a>, ear: Ear<'a>) -> Table<'a> {
        let width = words.len() + 1;
        let mut cells = vec![Cell { cost: u32::MAX, from: (0, 0) }; width * (steps.len() + 1)];
        for (at, cell) in cells[..width].iter_mut().enumerate() {
            *cell = Cell { cost: 0, from: (0, at) };
        }
        Table { steps, words, ear, cells }
    }

    /// Tries every move out of a cell.
    fn relax(&mut self, step: usize, at: usize) {
        let Cell { cost, .. } = self.cells[self.index(step, at)];
        let is_inside = step > 0 && step < self.steps.len();
        if cost == u32::MAX {
            return;
        }
        if is_inside && at < self.words.len() {
            self.offer((step, at), (step, at + 1), cost + FAULT);
        }
        match self.steps.get(step) {
            None => {}
            Some(Step::Slot) => self.relax_slot(step, at, cost),
            Some(Step::Word(word)) => self.relax_word(word, step, at, cost),
        }
    }

    fn relax_slot(&mut self, step: usize, at: usize, cost: u32) {
        self.offer((step, at), (step + 1, at), cost + EMPTY_SLOT);
        for end in slot_ends(self.words, at) {
            self.offer((step, at), (step + 1, end), cost);
        }
    }

    fn relax_word(&mut self, word: &Word, step: usize, at: usize, cost: u32) {
        self.offer((step, at), (step + 1, at), cost + MISSING);
        // A misspelt word can begin only where a word begins.
        let begins_word = at < self.words.len() && self.words.opens(at);
        if begins_word {
            self.offer((step, at), (step + 1, self.words.word_end(at)), cost + REPLACED);
        }
        match self.ear.step(self.words, word, at) {
            Some((end, price)) => self.offer((step, at), (step + 1, end), cost + price),
            None if !begins_word => {}
            None if word.spaced => self.relax_spelling(word, step, at, cost),
            None => self.relax_stretch(word, step, at, cost),
        }
    }

    fn relax_spelling(&mut self, word: &Word, step: usize, at: usize, cost: u32) {
        let heard = self.words.letters(at..at + 1);
        if let Some(price) = self.price(word, at..at + 1) {
            self.offer((step, at), (step + 1, at + 1), cost + price);
        }
        if let Some(Step::Word(next)) = self.steps.get(step + 1)
            && is_joined(heard, &word.letters, &next.letters)
        {
            self.offer((step, at), (step + 2, at + 1), cost + JOINED);
        }
        if at + 1 < self.words.len() && is_joined(&word.letters, heard, self.words.letters(at + 1..at + 2)) {
            self.offer((step, at), (step + 1, at + 2), cost + JOINED);
        }
    }

    /// Tries a stretch of letters without spaces. It may be cut anywhere, so every end near the right length is
    /// tried.
    fn relax_stretch(&mut self, word: &Word, step: usize, at: usize, cost: u32) {
        let count = word.letter_count;
        let slack = if self.is_beside_slot(step) { 0 } else { word.tolerance.max(1) };
        let reach = at..self.words.len().min(at + count + slack);
        let last = at + reach.take_while(|&at| !self.words.is_spaced(at)).count();
        for end in (at + 1).max(at + count.saturating_sub(slack))..=last {
            if !self.words.closes(end - 1) {
                continue;
            }
            if let Some(price) = self.price(word, at..end) {
                self.offer((step, at), (step + 1, end), cost + price);
            }
        }
    }

    /// Whether a slot stands beside a step. The slot would swallow the letters that a stretch may lose, so a
    /// stretch beside it keeps its length.
    fn is_beside_slot(&self, step: usize) -> bool {
        let is_slot = |step: usize| self.steps.get(step) == Some(&Step::Slot);
        is_slot(step + 1) || step.checked_sub(1).is_some_and(is_slot)
    }

    fn offer(&mut self, from: (usize, usize), to: (usize, usize), cost: u32) {
        let index = self.index(to.0, to.1);
        if cost < self.cells[index].cost {
            self.cells[index] = Cell { cost, from };
        }
    }

    fn read_back(&self) -> Alignment {
        let last = self.steps.len();
        let ends = (0..=self.words.len()).map(|at| (self.cells[self.index(last, at)].cost, at));
        let (cost, end) = ends.min().unwrap_or((u32::MAX, 0));
        let (mut pieces, mut slots) = (Vec::new(), Vec::new());
        let mut to = (last, end);
        while to.0 > 0 {
            let from = self.cells[self.index(to.0, to.1)].from;
            pieces.push(self.piece(from, to));
            if from.0 < to.0 && from.1 < to.1 && self.steps[from.0] == Step::Slot {
                slots.push(from.1..to.1);
            }
            to = from;
        }
        pieces.reverse();
        slots.reverse();
        Alignment { cost, pieces, slots }
    }

    fn piece(&self, from: (usize, usize), to: (usize, usize)) -> Piece {
        let heard = self.words.source(from.1..to.1).to_owned();
        if from.0 == to.0 {
            return Piece::Extra { text: heard };
        }
        let expected = shown(&self.steps[from.0..to.0]);
        if from.1 == to.1 {
            return Piece::Missing { text: expected };
        }
        match &self.steps[from.0] {
            Step::Slot => Piece::Same { text: heard },
            Step::Word(word) if self.ear.step(self.words, word, from.1) == Some((to.1, 0)) => {
                Piece::Same { text: expected }
            }
            Step::Word(_) => Piece::Changed { expected, heard },
        }
    }

    /// Returns the cost of taking what was heard for `expected`: its wrong letters if it is close enough to count,
    /// a fault more if it is only similar, `None` if it is another word altogether.
    fn price(&self, expected: &Word, heard: Range<usize>) -> Option<u32> {
        let similar = (expected.letter_count / 2).max(1);
        let (letters, source) = (self.words.letters(heard.clone()), self.words.source(heard));
        let (edits, is_slip) = self.ear.slip(expected, letters, source, similar)?;
        Some(if is_slip { 0 } else { FAULT } + edits as u32)
    }

    fn index(&self, step: usize, at: usize) -> usize {
        step * (self.words.len() + 1) + at
    }
}

/// Whether `whole` is the two words written together. Short words must be exact, as everywhere.
fn is_joined(whole: &str, first: &str, second: &str) -> bool {
    whole.strip_prefix(first).is_some_and(|rest| rest == second) && tolerance(whole) > 0
}

fn shown(steps: &[Step]) -> String {
    let words = steps.iter().map(|step| match step {
        Step::Word(word) => word.shown.as_str(),
        Step::Slot => "___",
    });
    words.collect::<Vec<_>>().join(" ")
}
