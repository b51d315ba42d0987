//! Curricula: what is taught without a model, written as YAML and checked before anyone meets it.
//!
//! A curriculum is a list of concepts, each with an explanation, a worked example, what must be known before,
//! and questions with the rubric by which [`grade`](super::grade) judges an answer. [`check`] finds everything
//! that is wrong with a file at once, each problem with a code, a place and a cure. What a model writes comes
//! through the same rules: a lesson with [`read_lesson`], a map of a topic with [`read_plan`].

mod bounds;
mod graph;
mod lesson;
mod pick;
mod plan;
mod reader;
pub(in crate::teach) mod reply;
mod shape;
mod show;
mod topic;

use serde::{Deserialize, Serialize};

pub use lesson::{again_ask, lesson_ask, read_again, read_lesson};
pub use pick::{Purpose, Seen, pick};
pub use plan::{Plan, PlanProblem, PlannedNode, plan_ask, read_plan};
pub use show::{Entry, Shown, show};

pub use crate::pack::{PackProblem, ProblemCode, Severity};

/// A curriculum that was read without an error in it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Curriculum {
    #[serde(rename = "curriculum")]
    pub id: String,
    pub title: String,
    /// The language it is written in, as a BCP 47 tag.
    pub language: String,
    pub about: String,
    /// Other names of the whole subject.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub also: Vec<String>,
    pub concepts: Vec<Concept>,
}

/// One thing to understand.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Concept {
    pub id: String,
    pub title: String,
    /// What else learners call it when they ask about it.
    #[serde(default)]
    pub also: Vec<String>,
    /// The ids of what must be known before.
    #[serde(default)]
    pub needs: Vec<String>,
    /// The ids of what is worth seeing beside it.
    #[serde(default)]
    pub related: Vec<String>,
    pub minutes: u32,
    /// Markdown.
    pub explain: String,
    /// Markdown.
    pub example: String,
    /// Markdown: another way to explain it, with an example of its own, for those whom the first one did not reach.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub again: Option<String>,
    pub questions: Vec<Question>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "form", rename_all = "lowercase")]
pub enum Question {
    Free(Free),
    Choice(Choice),
    Cloze(Cloze),
    Order(Order),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Form {
    Free,
    Choice,
    Cloze,
    Order,
}

/// Answered in one's own words.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Free {
    pub ask: String,
    /// What an answer must say.
    pub ideas: Vec<Idea>,
    #[serde(default)]
    pub misconceptions: Vec<Misconception>,
    /// One good answer.
    pub answer: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Idea {
    pub idea: String,
    /// The wordings in which it counts as said.
    pub any: Vec<String>,
}

/// A common wrong idea in the words in which learners say it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Misconception {
    pub any: Vec<String>,
    /// What to tell those who say it.
    pub says: String,
}

/// One of several options is right.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Choice {
    pub ask: String,
    pub options: Vec<Offer>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Offer {
    pub text: String,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub right: bool,
    /// Why it is wrong, or why it is right.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub says: Option<String>,
}

/// A text with gaps.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cloze {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ask: Option<String>,
    /// With `___` for each gap.
    pub text: String,
    /// The accepted wordings for each gap.
    pub blanks: Vec<Vec<String>>,
}

/// Steps to put into their order.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Order {
    pub ask: String,
    /// In the right order.
    pub steps: Vec<String>,
}

/// What stands for a gap in the text of a [`Cloze`].
pub const GAP: &str = "___";

impl Curriculum {
    /// Reads a curriculum, or says everything that is wrong with it. Warnings alone do not refuse one.
    pub fn read(source: &[u8], file_name: &str) -> Result<Curriculum, Vec<PackProblem>> {
        let (curriculum, problems) = reader::read(source, file_name);
        match curriculum {
            Some(curriculum) if problems.iter().all(|problem| problem.severity == Severity::Warning) => {
                Ok(curriculum)
            }
            _ => Err(problems),
        }
    }

    /// Whether somebody who wants to learn `topic` ("I want to learn Python", "sql") means this curriculum.
    pub fn matches(&self, topic: &str) -> bool {
        topic::matches(self, topic)
    }

    pub fn concept(&self, id: &str) -> Option<&Concept> {
        self.concepts.iter().find(|concept| concept.id == id)
    }

    /// How many concepts the longest chain of prerequisites has.
    pub fn depth(&self) -> usize {
        graph::depth(&self.concepts)
    }

    pub fn minutes(&self) -> u32 {
        self.concepts.iter().map(|concept| concept.minutes).sum()
    }
}

/// Every problem of a curriculum, errors and warnings, in the order of the file.
pub fn check(source: &[u8], file_name: &str) -> Vec<PackProblem> {
    reader::read(source, file_name).1
}

impl Question {
    pub fn form(&self) -> Form {
        match self {
            Question::Free(_) => Form::Free,
            Question::Choice(_) => Form::Choice,
            Question::Cloze(_) => Form::Cloze,
            Question::Order(_) => Form::Order,
        }
    }

    /// The question in words, without options or steps.
    pub fn ask(&self) -> String {
        match self {
            Question::Free(free) => free.ask.clone(),
            Question::Choice(choice) => choice.ask.clone(),
            Question::Order(order) => order.ask.clone(),
            Question::Cloze(Cloze { ask: Some(ask), text, .. }) => format!("{ask}\n\n{text}"),
            Question::Cloze(Cloze { text, .. }) => text.clone(),
        }
    }

    /// One right answer, to be shown after grading.
    pub fn answer(&self) -> String {
        match self {
            Question::Free(free) => free.answer.clone(),
            Question::Choice(choice) => {
                choice.options.iter().find(|option| option.right).map_or(String::new(), |o| o.text.clone())
            }
            Question::Cloze(cloze) => cloze.filled(),
            Question::Order(order) => {
                let numbered = order.steps.iter().enumerate().map(|(at, step)| format!("{}. {step}", at + 1));
                numbered.collect::<Vec<_>>().join("\n")
            }
        }
    }
}

impl Form {
    pub const ALL: [Form; 4] = [Form::Free, Form::Choice, Form::Cloze, Form::Order];
}

impl Cloze {
    /// How many gaps the text has.
    pub fn gaps(&self) -> usize {
        self.text.matches(GAP).count()
    }

    /// The text with the first accepted wording in each gap.
    fn filled(&self) -> String {
        let words = self.blanks.iter().map(|any| any.first().map_or(GAP, String::as_str));
        words.fold(self.text.clone(), |text, word| text.replacen(GAP, word, 1))
    }
}
