//! Reads curricula: lessons that need no model, written as YAML and checked before a learner meets them.
//!
//! A curriculum is a list of concepts, each with an explanation, a worked example, its prerequisites, and
//! questions with the rubric by which [`grade`](super::grade) judges an answer. [`check`] finds everything that
//! is wrong with a file at once, each problem with a code, a place and a cure. A model's texts have to pass the
//! same rules: a lesson in [`read_lesson`], a map of a topic in [`read_plan`].

mod bounds;
mod graph;
mod lesson;
mod pick;
mod plan;
mod reader;
mod topic;

use serde::{Deserialize, Serialize};

pub use crate::grade::question::{
    Choice, Cloze, Form, Free, GAP, Idea, Misconception, Number, Offer, Order, Program, Query, Question,
};
pub use crate::grade::show::{LabelledOption, Shown, show};
pub use lesson::{Unusable, again_ask, lesson_ask, mend_ask, read_again, read_lesson, read_mended};
pub use pick::{AskedBefore, Purpose, pick};
pub use plan::{DEFAULT_MINUTES, MIN_NODES, Note, Plan, PlanProblem, PlannedNode, plan_ask, read_plan};

pub use crate::authored::{PackProblem, ProblemCode, Severity};

/// A curriculum that was read without errors.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Curriculum {
    #[serde(rename = "curriculum")]
    pub id: String,
    pub title: String,
    /// The language of the curriculum, as a BCP 47 tag.
    pub language: String,
    pub about: String,
    /// Other names of the whole subject.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub also: Vec<String>,
    pub concepts: Vec<Concept>,
}

/// A thing to understand.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Concept {
    pub id: String,
    pub title: String,
    /// Other names that learners use when they ask about it.
    #[serde(default)]
    pub also: Vec<String>,
    /// The ids of the concepts that must be known before.
    #[serde(default)]
    pub needs: Vec<String>,
    /// The ids of the concepts that are worth seeing beside it.
    #[serde(default)]
    pub related: Vec<String>,
    pub minutes: u32,
    /// The explanation, in Markdown.
    pub explain: String,
    /// The worked example, in Markdown.
    pub example: String,
    /// A different explanation with its own example, in Markdown, for learners whom the first one did not reach.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub again: Option<String>,
    pub questions: Vec<Question>,
}

impl Curriculum {
    /// Reads a curriculum, or returns everything that is wrong with it. Warnings alone do not refuse a
    /// curriculum.
    pub fn read(source: &[u8], file_name: &str) -> Result<Curriculum, Vec<PackProblem>> {
        crate::authored::accept(reader::read(source, file_name))
    }

    /// Reads a curriculum that comes with the program, without grading its answers: a test has done so.
    pub fn read_shipped(source: &[u8], file_name: &str) -> Result<Curriculum, Vec<PackProblem>> {
        crate::authored::accept(reader::read_shipped(source, file_name))
    }

    /// Whether a wish such as "I want to learn Python" or "sql" means this curriculum.
    pub fn matches(&self, topic: &str) -> bool {
        topic::matches(self, topic)
    }

    pub fn concept(&self, id: &str) -> Option<&Concept> {
        self.concepts.iter().find(|concept| concept.id == id)
    }

    /// Returns the number of concepts in the longest chain of prerequisites.
    pub fn depth(&self) -> usize {
        graph::depth(&self.concepts)
    }

    pub fn minutes(&self) -> u32 {
        self.concepts.iter().map(|concept| concept.minutes).sum()
    }
}

/// Returns every problem of a curriculum, errors and warnings, in the order of the file.
pub fn check(source: &[u8], file_name: &str) -> Vec<PackProblem> {
    reader::read(source, file_name).1
}
