//! Picks the question of a concept to ask now.

use serde::{Deserialize, Serialize};

use super::{Concept, Form, Question};
use crate::dice;
use crate::learner::Quality;

/// The purpose of asking a question.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Purpose {
    /// Finding out what the learner already knows.
    Probe,
    /// Checking whether the explanation was understood.
    Teach,
    Quiz,
    Review,
}

/// How often a question was asked before, and how well the learner answered the last time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct AskedBefore {
    /// The index of the question in its concept.
    pub question: usize,
    pub times: u32,
    pub last_quality: Quality,
    /// Whether the learner has objected to a mark for this question.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_objected: bool,
}

/// Returns the index of the question to ask. `seen` is in the order of last asking, the newest at the end.
///
/// A different form from last time comes first, then, in a review, questions not remembered or never asked, then
/// those asked the longest ago, then the form that suits the purpose; the seed decides the rest. A concept without
/// questions gives 0.
pub fn pick(concept: &Concept, seen: &[AskedBefore], purpose: Purpose, seed: u64) -> usize {
    let last_form = seen.last().and_then(|last| concept.questions.get(last.question)).map(Question::form);
    let key = |at: usize| {
        let form = concept.questions[at].form();
        let asked = seen.iter().rposition(|seen| seen.question == at);
        let is_known =
            purpose == Purpose::Review && asked.is_some_and(|asked| seen[asked].last_quality.is_recalled());
        let recency = asked.map_or(0, |asked| asked + 1);
        let times = asked.map_or(0, |asked| seen[asked].times);
        let mut state = seed ^ (at as u64) << 32;
        (Some(form) == last_form, is_known, recency, times, rank(form, purpose), dice::next(&mut state))
    };
    (0..concept.questions.len()).min_by_key(|at| key(*at)).unwrap_or(0)
}

/// Returns the rank of a form for a purpose. Probes are quick to answer. Comprehension is best shown by doing,
/// then in the learner's own words, and recall means producing something rather than recognising it.
fn rank(form: Form, purpose: Purpose) -> usize {
    let order = match purpose {
        Purpose::Probe => {
            [Form::Choice, Form::Number, Form::Cloze, Form::Order, Form::Free, Form::Query, Form::Program]
        }
        Purpose::Teach => {
            [Form::Program, Form::Query, Form::Number, Form::Free, Form::Choice, Form::Cloze, Form::Order]
        }
        Purpose::Quiz => {
            [Form::Program, Form::Query, Form::Number, Form::Cloze, Form::Order, Form::Choice, Form::Free]
        }
        Purpose::Review => {
            [Form::Program, Form::Query, Form::Number, Form::Free, Form::Cloze, Form::Order, Form::Choice]
        }
    };
    order.iter().position(|ranked| *ranked == form).unwrap_or(order.len())
}
