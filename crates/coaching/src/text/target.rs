//! The text that a learner is asked to say, compiled once and heard often.

use super::align::{Alignment, align};
use super::ear::Ear;
use super::hear::{Heard, How, Match};
use super::phrase::Phrase;
use super::syntax;
use super::words::{Word, Words};

/// The longest target. A longer one is refused: a learner cannot repeat a paragraph.
pub const MAX_TARGET_CHARS: usize = 200;
/// The most plain phrases that the variants of one target may expand to.
pub const MAX_READINGS: usize = 32;
/// The most words that a slot takes. It takes at least one.
pub const MAX_SLOT_WORDS: usize = 8;
pub(super) const MAX_SLOTS: usize = 6;
pub(super) const MAX_STEPS: usize = 60;

/// A target text with its variants, slots and known mishearings.
///
/// - `___` (three or more underscores) is a slot: one to [`MAX_SLOT_WORDS`] words.
/// - `a/b` without spaces offers two forms of one word.
/// - `a / b` with spaces offers two forms of one word when a single word stands on either side of the slash,
///   up to the next slash or the end of the text ("Rad / Rada bi ___", "Dobro jutro / dan"); with two or more
///   words on both sides it separates whole phrases ("Guten Tag / Guten Morgen").
/// - `a // b` always separates whole phrases ("Danke // Vielen Dank").
///
/// The words must be said in order with nothing between them; other words may stand around them.
#[derive(Debug, Clone)]
pub struct Target {
    readings: Vec<Reading>,
    aliases: Vec<Phrase>,
}

/// One plain phrase that a target stands for.
#[derive(Debug, Clone, Default)]
pub(crate) struct Reading {
    pub steps: Vec<Step>,
    /// The phrase as it is written, with its marks.
    pub text: String,
    /// The choices made on the way to it.
    pub picks: Vec<Pick>,
}

/// A choice between words, folded.
#[derive(Debug, Clone)]
pub(crate) struct Pick {
    pub taken: String,
    pub among: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Step {
    Word(Word),
    Slot,
}

impl Step {
    /// Marks a word as one of several to choose from.
    pub(super) fn chosen(self) -> Step {
        match self {
            Step::Word(word) => Step::Word(word.chosen()),
            Step::Slot => Step::Slot,
        }
    }
}

impl Reading {
    pub(crate) fn slots(&self) -> usize {
        self.steps.iter().filter(|step| **step == Step::Slot).count()
    }

    /// Returns the phrase with these words in its first slot.
    pub(crate) fn filled(&self, filler: &str) -> Reading {
        let mut steps = self.steps.clone();
        if let Some(at) = steps.iter().position(|step| *step == Step::Slot) {
            steps.splice(at..=at, Word::all_in(filler).into_iter().map(Step::Word));
        }
        let text = match self.text.split_once("___") {
            Some((before, after)) => format!("{before}{filler}{}", after.trim_start_matches('_')),
            None => self.text.clone(),
        };
        Reading { steps: syntax::joined(steps), text, picks: self.picks.clone() }
    }
}

/// The reason why a text cannot be a target.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum TargetError {
    #[error("it has no word to listen for; write at least one word beside its slots")]
    NoWords,
    #[error("it is longer than {MAX_TARGET_CHARS} characters or has more than {MAX_SLOTS} slots; split it")]
    TooLong,
    #[error("one side of a slash is empty; remove the slash or write the missing variant")]
    EmptyVariant,
    #[error("a slash separates a word from a slot; separate whole phrases with //")]
    SlotVariant,
    #[error("its variants combine to more than {MAX_READINGS} phrases; split it")]
    TooManyReadings,
}

impl Target {
    /// Compiles a text. The limits checked here bound the time that it takes to hear the target later.
    pub fn parse(text: &str) -> Result<Target, TargetError> {
        Ok(Target { readings: syntax::readings(text)?, aliases: Vec::new() })
    }

    /// Accepts these mishearings too, except those without a word.
    pub fn with_aliases<S: AsRef<str>>(mut self, aliases: impl IntoIterator<Item = S>) -> Target {
        self.aliases.extend(aliases.into_iter().filter_map(|alias| Phrase::new(alias.as_ref())));
        self
    }

    pub fn has_slot(&self) -> bool {
        self.readings.iter().any(|reading| reading.slots() > 0)
    }

    /// Returns every plain phrase that the text stands for.
    pub(crate) fn phrases(&self) -> &[Reading] {
        &self.readings
    }

    pub(crate) fn aliases(&self) -> &[Phrase] {
        &self.aliases
    }

    /// Returns every plain phrase that the text stands for, folded, with `___` for a slot: equal readings sound the
    /// same.
    pub fn readings(&self) -> Vec<String> {
        let fold = |step: &Step| match step {
            Step::Word(word) => word.letters.clone(),
            Step::Slot => "___".to_owned(),
        };
        let folded = |reading: &Reading| reading.steps.iter().map(fold).collect::<Vec<_>>().join(" ");
        self.readings.iter().map(folded).collect()
    }

    /// Listens for the target: first as written, then as a known mishearing, then with a little tolerance.
    pub fn hear(&self, heard: &Heard) -> Match {
        let words = heard.words();
        if !heard.is_attempt() {
            return Match::new(How::None, Vec::new());
        }
        if self.readings.iter().any(|reading| is_said(&reading.steps, words, Ear::default())) {
            return Match::new(How::Surface, Vec::new());
        }
        if self.aliases.iter().any(|alias| words.contains(alias)) {
            return Match::new(How::Alias, Vec::new());
        }
        let align = |reading: &Reading| align(&reading.steps, words, Ear::default());
        let closest = self.readings.iter().map(align).min_by_key(Alignment::cost);
        let how = if closest.as_ref().is_some_and(Alignment::is_close) { How::Fuzzy } else { How::None };
        Match::new(how, closest.map(Alignment::into_pieces).unwrap_or_default())
    }
}

/// Whether the steps follow one another somewhere in the words. The ends reached so far are carried along
/// together, so any number of slots costs one pass each and nothing is tried twice.
pub(crate) fn is_said(steps: &[Step], words: &Words, ear: Ear) -> bool {
    let mut groups = steps.split(|step| *step == Step::Slot);
    let first = groups.next().unwrap_or_default();
    let mut starts = (0..words.len()).filter_map(|at| run(first, words, ear, at));
    if first.len() == steps.len() {
        return starts.next().is_some();
    }
    let mut ends: Vec<usize> = starts.collect();
    for group in groups {
        let mut next: Vec<usize> = ends.iter().flat_map(|&at| slot_ends(words, at)).collect();
        next.sort_unstable();
        next.dedup();
        ends = next.into_iter().filter_map(|at| run(group, words, ear, at)).collect();
    }
    !ends.is_empty()
}

/// Returns every position at which a slot that begins at `at` may end, nearest first.
pub(super) fn slot_ends(words: &Words, at: usize) -> impl Iterator<Item = usize> {
    let next = |&at: &usize| (at < words.len()).then(|| words.word_end(at));
    std::iter::successors(Some(at), next).skip(1).take(MAX_SLOT_WORDS)
}

fn run(steps: &[Step], words: &Words, ear: Ear, at: usize) -> Option<usize> {
    steps.iter().try_fold(at, |at, step| match step {
        Step::Word(word) => ear.step(words, word, at).filter(|(_, price)| *price == 0).map(|(end, _)| end),
        Step::Slot => None,
    })
}
