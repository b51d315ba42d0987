//! Reads coding problems and the catalogue of patterns, written as YAML and checked before a learner meets them.
//!
//! A problem has a statement, tests, references in several languages, and the material of the coach: the ideas of
//! a good explanation, wrong approaches, invariants, a ladder of hints and a changed constraint. [`check`] and
//! [`check_patterns`] find everything that is wrong with a file at once.

mod kind;
mod misreading;
mod patterns;
mod reader;
mod wording;

pub use crate::authored::PackProblem;
use crate::grade::question::{Idea, Misconception};
use crate::judging::{Comparison, Exam, Random, Shrinking, Test, Tests};
pub use kind::Kind;
pub(crate) use misreading::misread;
pub use patterns::{Catalogue, Confusion, Node, Pattern, Turn};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

/// The languages in which every problem has a starter and a reference.
pub const LANGUAGES: [&str; 3] = ["python", "javascript", "rust"];
/// The number of random tests in a run.
const RANDOM_TESTS: u32 = 10;
/// The number of levels in a ladder of hints.
pub const HINTS: usize = 5;

/// A problem that was read without errors.
#[derive(Debug, Clone, PartialEq)]
pub struct Problem {
    pub id: String,
    pub title: String,
    pub language: String,
    /// The difficulty, from 1 for the first problems to 5.
    pub rung: u8,
    /// The id of the pattern that fits.
    pub pattern: String,
    /// The ids of patterns that nearly work.
    pub close: Vec<String>,
    /// The task, in Markdown.
    pub statement: String,
    pub constraints: Vec<String>,
    pub signature: Signature,
    pub starter: Sources,
    pub comparison: Comparison,
    pub samples: Vec<Sample>,
    /// The hidden tests.
    pub tests: Vec<Test>,
    /// Python that defines `make(random)`, which returns the arguments of one more hidden test.
    pub random: Option<String>,
    /// Python that defines `large()`, which returns the arguments of hidden tests that only a fast enough program
    /// passes.
    pub large: Option<String>,
    /// Python that defines `valid(…)`, which tells whether the problem allows some arguments.
    pub valid: Option<String>,
    pub references: Sources,
    pub mutants: Vec<Mutant>,
    /// Programs that are right but too slow.
    pub slow: Vec<Slow>,
    /// Inputs that a careful person would name.
    pub edges: Vec<String>,
    /// The ideas of a good explanation.
    pub understand: Vec<Idea>,
    /// The wrong tasks that learners take from the statement when they read it in a hurry.
    pub misreadings: Vec<Misconception>,
    pub wrong_approaches: Vec<WrongApproach>,
    pub complexity: Complexity,
    pub invariants: Vec<Template>,
    /// The hints, from a question to almost the answer.
    pub hints: Vec<String>,
    pub cues: Vec<String>,
    pub micro_lesson: MicroLesson,
    pub adversary: Adversary,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Signature {
    pub function: String,
    pub parameters: Vec<(String, Kind)>,
    pub returns: Kind,
}

/// A program in each language.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sources(pub Vec<(&'static str, String)>);

impl Sources {
    pub fn get(&self, language: &str) -> Option<&str> {
        self.0.iter().find(|(known, _)| *known == language).map(|(_, source)| source.as_str())
    }
}

/// A test that the learner sees.
#[derive(Debug, Clone, PartialEq)]
pub struct Sample {
    pub args: Vec<Value>,
    pub expected: Value,
    pub why: Option<String>,
}

/// A program that looks right but fails a test.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mutant {
    pub wrong: String,
    pub python: String,
}

/// A program that is right but too slow, in one language or several.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Slow {
    pub approach: String,
    pub sources: Sources,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WrongApproach {
    pub approach: String,
    pub any: Vec<String>,
    pub why: String,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Complexity {
    pub time: String,
    pub space: String,
    /// Other accepted answers.
    pub also: Vec<String>,
}

/// A sentence with gaps, each with a few choices.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Template {
    pub id: String,
    /// The sentence, with `{slot}` for each gap.
    pub text: String,
    pub slots: Vec<Slot>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Slot {
    pub name: String,
    pub choices: Vec<String>,
    pub right: usize,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct MicroLesson {
    pub id: String,
    pub title: String,
    pub text: String,
}

/// A changed constraint.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Adversary {
    /// The kind of change, such as `streaming` or `duplicates`.
    pub change: String,
    pub ask: String,
    pub ideas: Vec<Idea>,
    pub good: String,
}

impl Problem {
    /// Reads a problem, or returns everything that is wrong with it. Warnings alone do not refuse a problem.
    pub fn read(source: &[u8], file_name: &str, catalogue: &Catalogue) -> Result<Problem, Vec<PackProblem>> {
        crate::authored::accept(reader::read(source, file_name, catalogue))
    }

    /// Returns in words what a learner should find: the invariants, and the sentences of the last hint.
    pub fn secrets(&self) -> Vec<String> {
        let invariants = self.invariants.iter().map(|template| template.filled(|slot| slot.right));
        let last =
            self.hints.last().into_iter().flat_map(|hint| hint.split_inclusive(". ")).map(str::to_owned);
        invariants.chain(last).collect()
    }

    /// Returns the tests for a judge: the samples, then the hidden tests.
    pub fn tests(&self) -> Tests {
        let sample = |sample: &Sample| Test {
            args: Some(sample.args.clone()),
            stdin: None,
            expected: sample.expected.clone(),
            hidden: false,
        };
        Tests {
            function: Some(self.signature.function.clone()),
            comparison: self.comparison.clone(),
            tests: self.samples.iter().map(sample).chain(self.tests.iter().cloned()).collect(),
        }
    }

    /// Returns everything that a program has to pass, given the seed of the random tests.
    pub fn exam(&self, seed: u64) -> Exam {
        let reference = self.references.get("python");
        let random = self.random.clone().zip(reference);
        let shrinking = self.valid.clone().zip(reference);
        Exam {
            tests: self.tests(),
            random: random.map(|(make, reference)| Random {
                make,
                large: self.large.clone(),
                reference: reference.to_owned(),
                count: RANDOM_TESTS,
                seed,
            }),
            shrinking: shrinking
                .map(|(valid, reference)| Shrinking { valid, reference: reference.to_owned() }),
        }
    }
}

impl Template {
    /// Whether every gap has choices.
    pub fn is_built(&self) -> bool {
        self.slots.iter().all(|slot| !slot.choices.is_empty())
    }

    /// Returns the sentence with one choice in each gap.
    pub fn filled(&self, choice: impl Fn(&Slot) -> usize) -> String {
        self.slots.iter().fold(self.text.clone(), |text, slot| {
            let chosen = slot.choices.get(choice(slot)).map_or("…", String::as_str);
            text.replace(&format!("{{{}}}", slot.name), chosen)
        })
    }
}

/// Returns every problem of a file, errors and warnings, in the order of the file.
pub fn check(source: &[u8], file_name: &str, catalogue: &Catalogue) -> Vec<PackProblem> {
    reader::read(source, file_name, catalogue).1
}

/// Returns every problem of a catalogue of patterns.
pub fn check_patterns(source: &[u8]) -> Vec<PackProblem> {
    patterns::read(source).1
}
