//! The words that the coach may use now, and those it prefers.
//!
//! A line in the language being learned uses only words of the target and of the pool, and names. Among such lines the
//! coach prefers those with the least used items, and it never uses the same learned item twice in a row.

use super::data::{Data, Drilled};
use super::primer::Primer;
use crate::pack::{Cue, Item, Line};
use crate::text::{Heard, WordSet};

pub(super) struct Repertoire<'p, 'd> {
    primer: &'p Primer,
    target: &'p Item,
    words: WordSet,
    learned: Vec<Learned<'p>>,
    /// The learned items in the last line of dialogue.
    resting: &'d [String],
}

struct Learned<'p> {
    id: &'p str,
    usage: u32,
}

/// The reason why a line must not be said now.
#[derive(Debug)]
pub(super) enum Objection<'t> {
    /// It has words that the learner has not met.
    Unknown(Vec<&'t str>),
    /// It has learned items that were in the last line.
    Resting(Vec<String>),
}

/// A line that may be said, with the learned items in it.
#[derive(Debug)]
pub(super) struct Sayable<'p> {
    pub line: &'p Line,
    pub learned: Vec<String>,
    least_usage: u32,
}

/// A line that shows how a word is used, with the learned items in it.
#[derive(Debug)]
pub(super) struct Example {
    pub line: Line,
    pub learned: Vec<String>,
}

/// A cue, with its opening if that may be said.
#[derive(Debug)]
pub(super) struct Staged<'p> {
    pub index: usize,
    pub cue: &'p Cue,
    pub opening: Option<Sayable<'p>>,
}

impl<'p, 'd> Repertoire<'p, 'd> {
    pub(super) fn new(primer: &'p Primer, target: &'p Item, data: &'d Data) -> Repertoire<'p, 'd> {
        let mut words = WordSet::default();
        primer.pack.names.iter().for_each(|name| words.add(name));
        add_words(&mut words, target);
        let own = Heard::new(&target.text);
        let mut learned = Vec::new();
        for pooled in &data.pool {
            let Some(item) = primer.item(&pooled.id) else { continue };
            add_words(&mut words, item);
            // A learned item inside the target's own text is in every line and cannot rest.
            if !primer.is_said(&item.id, &own) {
                learned.push(Learned { id: &item.id, usage: data.usage(pooled) });
            }
        }
        Repertoire { primer, target, words, learned, resting: &data.said_last }
    }

    /// Returns the first example that may be said. An item without forms is an example of itself.
    pub(super) fn example(&self) -> Option<Example> {
        let example = self.target.examples.iter().find_map(|line| self.sayable(line));
        let example = example.map(|example| Example { line: example.line.clone(), learned: example.learned });
        let itself = || Line { say: self.target.text.clone(), means: self.target.meaning.clone() };
        example
            .or_else(|| (!self.target.has_forms()).then(|| Example { line: itself(), learned: Vec::new() }))
    }

    /// Returns the cue to show next: the one shown least, then one whose opening may be said, then the one with the
    /// least used item. If the learner should recall the word, an opening that gives it away may not be said.
    pub(super) fn cue(&self, word: &Drilled, is_unaided: bool) -> Option<Staged<'p>> {
        let choices = self.target.cues.iter().enumerate().map(|(index, cue)| {
            let opening = cue.opening.as_ref().filter(|line| !is_unaided || !self.has_target(line));
            let opening = opening.and_then(|line| self.sayable(line));
            Staged { index, cue, opening }
        });
        choices.min_by_key(|choice| {
            let shown = word.cues_shown.get(choice.index).copied().unwrap_or(0);
            let is_cut = choice.cue.opening.is_some() && choice.opening.is_none();
            let least_usage = choice.opening.as_ref().map_or(u32::MAX, |opening| opening.least_usage);
            (shown, is_cut, least_usage, choice.index)
        })
    }

    /// Returns the ids of the learned items in a line that is not from the pack. Fails if the line must not be
    /// said.
    pub(super) fn weigh<'t>(&self, line: &'t str) -> Result<Vec<String>, Objection<'t>> {
        self.inside(line).map(|inside| ids(&inside))
    }

    /// Returns the learned items that a line may have now, the least used first.
    pub(super) fn at_hand(&self) -> impl Iterator<Item = &'p Item> {
        let is_awake = |learned: &&Learned| self.resting.iter().all(|id| id != learned.id);
        let mut awake: Vec<&Learned<'p>> = self.learned.iter().filter(is_awake).collect();
        awake.sort_by_key(|learned| learned.usage);
        let primer = self.primer;
        awake.into_iter().filter_map(|learned| primer.item(learned.id)).collect::<Vec<_>>().into_iter()
    }

    /// Returns the target as people say it: as written, or in a short line if it is written with slots or variants.
    pub(super) fn spoken(&self) -> String {
        let text = &self.target.text;
        if !self.target.has_forms() {
            return text.clone();
        }
        let examples = self.target.examples.iter().map(|line| &line.say);
        let answers = self.target.cues.iter().map(|cue| &cue.answer);
        let covered = examples.chain(answers).filter(|line| self.is_covered(line));
        let shortest = covered.min_by_key(|line| line.chars().count());
        shortest.cloned().unwrap_or_else(|| text.replace("___", "…"))
    }

    fn sayable(&self, line: &'p Line) -> Option<Sayable<'p>> {
        let inside = self.inside(&line.say).ok()?;
        let least_usage = inside.iter().map(|learned| learned.usage).min().unwrap_or(u32::MAX);
        Some(Sayable { line, learned: ids(&inside), least_usage })
    }

    /// Returns the learned items in a line. Fails if the line must not be said.
    fn inside<'t>(&self, line: &'t str) -> Result<Vec<&Learned<'p>>, Objection<'t>> {
        let unknown = self.words.unknown_in(line);
        if !unknown.is_empty() {
            return Err(Objection::Unknown(unknown));
        }
        let heard = Heard::new(line);
        let is_inside = |learned: &&Learned| self.primer.is_said(learned.id, &heard);
        let inside: Vec<&Learned> = self.learned.iter().filter(is_inside).collect();
        let is_resting = |learned: &&Learned| self.resting.iter().any(|id| id == learned.id);
        let resting: Vec<&Learned> = inside.iter().copied().filter(is_resting).collect();
        if resting.is_empty() { Ok(inside) } else { Err(Objection::Resting(ids(&resting))) }
    }

    fn has_target(&self, line: &Line) -> bool {
        self.primer.is_said(&self.target.id, &Heard::new(&line.say))
    }

    fn is_covered(&self, line: &str) -> bool {
        self.words.unknown_in(line).is_empty()
    }
}

fn ids(learned: &[&Learned<'_>]) -> Vec<String> {
    learned.iter().map(|learned| learned.id.to_owned()).collect()
}

fn add_words(words: &mut WordSet, item: &Item) {
    words.add(&item.text);
    item.also.iter().for_each(|also| words.add(also));
    item.fill.iter().for_each(|filler| words.add(&filler.say));
}
