//! Reads drill packs: the material of a language drill, written as YAML and checked before a learner meets it.
//!
//! A pack is a list of items in teaching order. Its central promise is the word rule: every line in the language
//! being learned uses only the current item, earlier items, their fill words and names. [`check`] finds
//! everything that is wrong with a file at once, each problem with a code, a place and a cure.

mod bounds;
pub mod cards;
pub mod csv;
mod judge;
mod reader;

pub use crate::authored::{PackProblem, ProblemCode, Severity};

use crate::text::Target;
use judge::{Lore, folded};
use std::collections::HashSet;

/// A pack without errors.
#[derive(Debug, Clone)]
pub struct Pack {
    pub id: String,
    pub title: String,
    /// The language being learned, as a BCP 47 tag.
    pub language: String,
    /// The language of meanings, explanations and scenes.
    pub explained_in: String,
    pub about: String,
    /// Proper names that any line may use. They need not be taught.
    pub names: Vec<String>,
    /// Words that an answer may leave out or put elsewhere.
    pub polite: Vec<String>,
    /// The items in teaching order.
    pub items: Vec<Item>,
    lore: Lore,
}

/// A thing to learn.
#[derive(Debug, Clone)]
pub struct Item {
    pub id: String,
    pub text: String,
    /// `text` and `aliases`, ready to be recognised in an answer.
    pub target: Target,
    pub meaning: String,
    pub explain: String,
    pub examples: Vec<Line>,
    pub cues: Vec<Cue>,
    pub aliases: Vec<String>,
    /// Other right ways to say it, as written. `other_ways` has them ready to be recognised.
    pub also: Vec<String>,
    other_ways: Vec<Target>,
    /// The fillers for the slot of `text`, which are taught together with the item.
    pub fill: Vec<Filler>,
    /// The words besides the fillers that fit the slot.
    pub takes: Takes,
    /// Fillers that look right but do not fit the slot.
    pub never: Vec<Never>,
    /// Words that do not count as slips of this item, as they are spelled.
    confusable: HashSet<String>,
    pub note: Option<String>,
}

impl Item {
    /// Whether the text has slots or variants and cannot be said as it is written.
    pub fn has_forms(&self) -> bool {
        self.target.has_slot() || self.target.readings().len() > 1
    }
}

/// Words for the slot of an item.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Filler {
    pub say: String,
    pub means: Option<String>,
    /// The choices of the frame that belong to the filler; empty if it goes with all of them.
    pub with: Vec<String>,
}

impl Filler {
    /// Returns the meaning, unless it only repeats the word: “Schmidt (a surname)” says nothing about “Schmidt”.
    pub fn gloss(&self) -> Option<&str> {
        let means = self.means.as_deref()?;
        (folded(&without_notes(means)) != folded(&self.say)).then_some(means)
    }

    /// Whether the filler is a name: a capital begins it, and its meaning repeats it as it is written.
    fn is_name(&self) -> bool {
        let is_repeated = self.means.as_deref().is_some_and(|means| without_notes(means).trim() == self.say);
        is_repeated && self.say.starts_with(char::is_uppercase)
    }
}

/// Returns a meaning without the notes in parentheses.
pub(crate) fn without_notes(meaning: &str) -> String {
    let mut is_note = false;
    let is_outside = |c: &char| {
        let was_note = is_note;
        is_note = match c {
            '(' => true,
            ')' => false,
            _ => is_note,
        };
        !is_note && !was_note
    };
    meaning.chars().filter(is_outside).collect()
}

/// The words that fit a slot besides its fillers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Takes {
    /// Nothing, unless there are no fillers.
    #[default]
    Fillers,
    /// Any name, which is any word that the pack does not know as something else.
    Names,
    Anything,
}

/// Words that must not stand in a slot, and a line to say in their place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Never {
    pub say: String,
    pub instead: Option<String>,
}

/// A line in the language being learned, with its translation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line {
    pub say: String,
    pub means: String,
}

/// The opening of a small dialogue that the item answers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cue {
    pub scene: String,
    /// The coach's opening line, if any.
    pub opening: Option<Line>,
    /// A good answer, which contains the item.
    pub answer: String,
}

impl Pack {
    /// Reads a pack, or returns everything that is wrong with it. Warnings alone do not refuse a pack.
    pub fn read(source: &[u8], file_name: &str) -> Result<Pack, Vec<PackProblem>> {
        crate::authored::accept(reader::read(source, file_name))
    }

    /// Reads a pack that comes with the program, without judging its lines: a test has done so.
    pub fn read_shipped(source: &[u8], file_name: &str) -> Result<Pack, Vec<PackProblem>> {
        crate::authored::accept(reader::read_shipped(source, file_name))
    }
}

/// Returns every problem of a pack, errors and warnings, in the order of the file.
pub fn check(source: &[u8], file_name: &str) -> Vec<PackProblem> {
    reader::read(source, file_name).1
}
