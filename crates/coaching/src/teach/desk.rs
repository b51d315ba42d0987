//! The parts that the desks of courses and reviews have in common: an open question, and the mark of the last
//! answer. The right answers stay on the slate.

use super::slate::{Marked, Posed, Slate};
use crate::curriculum::{self, GAP, Question, Shown};
use crate::desk::{Ask, Block, Choice, Form, Found, Line, Role};
use crate::learner::Quality;
use crate::map::NodeId;
use crate::words::Text;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A question that waits for an answer.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub struct Waiting {
    pub node_id: NodeId,
    pub shown: Shown,
}

/// The mark of the last answer.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub struct Last {
    pub node_id: NodeId,
    pub quality: Quality,
    pub feedback: Text,
    /// Whether the learner may claim that the answer was right.
    pub may_object: bool,
}

/// The part of the view that courses and reviews share: the question that waits, and the mark of the last answer.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct Exchange {
    pub question: Option<Waiting>,
    pub last: Option<Last>,
}

impl Waiting {
    pub(super) fn of(posed: &Posed) -> Waiting {
        Waiting { node_id: posed.node_id, shown: posed.shown.clone() }
    }
}

/// Returns the last mark on a slate. The learner may object to it only while the law takes objections.
pub(super) fn last(slate: &Slate, takes_objections: bool) -> Option<Last> {
    slate.last.as_ref().map(|Marked { node_id, grade, .. }| Last {
        node_id: *node_id,
        quality: grade.quality,
        feedback: grade.feedback.clone(),
        may_object: takes_objections && slate.objectionable.is_some(),
    })
}

pub(super) fn ask(posed: &Posed) -> Ask {
    let Shown { form, ask, entries } = &posed.shown;
    let options = || {
        let option = |entry: &curriculum::LabelledOption| Choice {
            label: entry.label.clone(),
            text: entry.text.as_str().into(),
        };
        entries.iter().map(option).collect()
    };
    let form = match form {
        curriculum::Form::Free => Form::Text,
        curriculum::Form::Number => Form::Number,
        curriculum::Form::Query => Form::Query { language: "sql".to_owned() },
        curriculum::Form::Program => program(&posed.question),
        curriculum::Form::Compare => Form::Several { options: options() },
        curriculum::Form::Choice => Form::Choice { options: options() },
        curriculum::Form::Order => Form::Order { options: options() },
        curriculum::Form::Cloze => Form::Gaps { gaps: ask.plain().map_or(0, |ask| ask.matches(GAP).count()) },
    };
    Ask { verb: super::verbs::ANSWER.name.to_owned(), question: ask.clone(), form }
}

fn program(question: &Question) -> Form {
    match question {
        Question::Program(program) => Form::Program {
            language: program.language.clone(),
            languages: vec![program.language.clone()],
            code: program.starter.clone(),
        },
        _ => Form::Text,
    }
}

/// Shows the mark of the last answer, with the words that it rests on.
pub(super) fn marks(marked: &Marked) -> Vec<Block> {
    let grade = &marked.grade;
    let found =
        grade.found.iter().map(|found| Found { idea: found.idea.clone(), words: found.words.clone() });
    let marks =
        Block::Marks { quality: grade.quality.get(), found: found.collect(), missing: grade.missing.clone() };
    let told = (!grade.feedback.is_empty()).then(|| line(Role::Feedback, grade.feedback.clone()));
    [marks].into_iter().chain(told).collect()
}

pub(super) fn line(role: Role, text: impl Into<Text>) -> Block {
    Block::Line(Line::new(role, text))
}
