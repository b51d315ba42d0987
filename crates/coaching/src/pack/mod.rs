//! Drill packs: what a language drill teaches, written as YAML and checked before a learner meets it.
//!
//! A pack is a list of items in teaching order. Its central promise is the word rule: every line in the
//! language being learned uses only the item at hand, earlier items, their fill words and names. [`check`]
//! finds everything that is wrong with a file at once, each problem with a code, a place and a cure.

mod bounds;
pub mod cards;
pub mod csv;
mod reader;

pub use crate::authored::{PackProblem, ProblemCode, Severity};

use crate::text::Target;

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
    /// In teaching order.
    pub items: Vec<Item>,
}

/// One thing to learn.
#[derive(Debug, Clone)]
pub struct Item {
    pub id: String,
    pub text: String,
    /// `text` and `aliases`, ready to be listened for.
    pub target: Target,
    pub meaning: String,
    pub explain: String,
    pub examples: Vec<Line>,
    pub cues: Vec<Cue>,
    pub aliases: Vec<String>,
    /// What may stand in the slot of `text`; taught together with the item.
    pub fill: Vec<String>,
    pub note: Option<String>,
}

/// Something said in the language being learned, with its translation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line {
    pub say: String,
    pub means: String,
}

/// The opening of a small dialogue that the item answers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cue {
    pub scene: String,
    /// What the coach says first, if anything.
    pub opening: Option<Line>,
    /// One good answer; it contains the item.
    pub answer: String,
}

impl Pack {
    /// Reads a pack, or returns everything that is wrong with it. Warnings alone do not refuse a pack.
    pub fn read(source: &[u8], file_name: &str) -> Result<Pack, Vec<PackProblem>> {
        crate::authored::accept(reader::read(source, file_name))
    }
}

/// Every problem of a pack, errors and warnings, in the order of the file.
pub fn check(source: &[u8], file_name: &str) -> Vec<PackProblem> {
    reader::read(source, file_name).1
}
