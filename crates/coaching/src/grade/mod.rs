//! Grades an answer by the ideas it must contain, and quotes the words that express them.
//!
//! No model is needed: [`grade`] weighs how well an answer expresses the ideas of a question's rubric, and
//! reports a doubt where the rules cannot decide. A model understands more, but it may only point at words:
//! [`accept_model_grade`] looks for those words in the answer and counts the ideas. Without a rubric,
//! [`grade_by_reference`] compares an answer with a good one.
//!
//! | form   | quality |
//! |--------|---------|
//! | free   | right 5, or 4 with a misspelt word; in doubt 2; wrong 1, or 2 with some idea; a misconception at most 2 |
//! | choice | right 4, because a guess is right now and then; wrong 1 |
//! | cloze  | every gap 5, or 4 when one was misspelt; at least half 3; otherwise 1 |
//! | order  | exact 5; two neighbours swapped 3; otherwise 1 |
//! | number | right 5; rounded too much 3; otherwise 1 |
//! | query  | the same rows 5; otherwise 1 |
//! | program | every test passed 5; some 2; otherwise 1 |
//! | compare | all ideas 3; some 2; none 1 |
//! | any    | nothing, or "I don't know" 0; in a free answer also nothing but a question |

mod choice;
mod cloze;
mod combination;
mod compare;
mod dismissal;
mod evidence;
mod family;
mod free;
mod lex;
mod likeness;
mod lists;
mod model;
mod negation;
mod number;
mod order;
mod program;
pub mod query;
pub mod question;
mod reading;
mod reference;
mod sense;
pub mod show;
mod stem;
mod subject;
mod wording;
pub mod words;

use std::ops::Range;

use serde::{Deserialize, Serialize};

use crate::learner::Quality;
use crate::words::Text;
pub use compare::comparison;
pub(crate) use free::{ideas_in, loose_wordings, misconceptions_in, opposite_in};
pub use free::{is_in_another_language, is_question, signs};
pub use model::{accept_model_grade, grade_ask};
pub(crate) use number::value as number_value;
pub use program::grade_program;
pub use query::grade_query;
use question::{Form, Question};
pub use reference::grade_by_reference;
pub(crate) use reference::share_of;
use show::Shown;
pub(crate) use wording::{MAX_SLOTS as MAX_WORDING_SLOTS, Wording};

/// The number of characters of an answer that are read. The rest is ignored.
pub const MAX_ANSWER_CHARS: usize = 4_000;

/// The code of the refusal for an answer that [`unclear`] asks about.
pub const UNCLEAR: &str = "unclear";

/// The judgement of one answer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Grade {
    pub quality: Quality,
    pub verdict: Verdict,
    /// Set when the rules cannot tell whether the answer is right. The learner may then compare it with
    /// [`answer`](Grade::answer) and say which ideas they had; that is worth 3 at most.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub doubt: bool,
    /// The ideas that the answer expresses.
    pub found: Vec<Found>,
    /// The ideas that the answer lacks.
    pub missing: Vec<String>,
    pub misconception: Option<Mistake>,
    /// The sentence for the learner beside the verdict; empty when there is nothing to add.
    pub feedback: Text,
    /// One right answer.
    pub answer: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    Right,
    Partly,
    Wrong,
    /// There was no answer, or none that can be read.
    Blank,
}

/// An idea and the learner's own words for it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Found {
    pub idea: String,
    /// The words as typed, without control characters. Surfaces escape them.
    pub words: String,
    /// The byte range of the words in the answer.
    pub at: Range<usize>,
}

/// A misconception and the learner's own words for it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Mistake {
    pub words: String,
    pub at: Range<usize>,
    /// The curriculum's comment on it.
    pub says: String,
}

/// Judges an answer to a question as it was shown.
pub fn grade(question: &Question, shown: &Shown, answer: &str) -> Grade {
    let end = answer.char_indices().nth(MAX_ANSWER_CHARS).map_or(answer.len(), |(at, _)| at);
    let read = &answer[..end];
    let mut grade = match question {
        Question::Free(free) => free::grade(free, read),
        Question::Choice(choice) => choice::grade(choice, shown, read),
        Question::Cloze(cloze) => cloze::grade(cloze, read),
        Question::Order(order) => order::grade(order, shown, read),
        Question::Number(number) => number::grade(number, read),
        // Nothing is known about a query or a program until it has run.
        Question::Query(_) | Question::Program(_) => unchecked(read),
        Question::Compare(compare) => compare::grade(compare, shown, read),
    };
    grade.answer = question.answer();
    if end < answer.len() {
        grade.feedback = match grade.feedback.is_empty() {
            true => words::cut(MAX_ANSWER_CHARS),
            false => words::and_cut(grade.feedback, MAX_ANSWER_CHARS),
        };
    }
    grade
}

/// Returns the question to ask back when an answer names no option, misses a step or is only a question: such an
/// answer is a slip and is not graded. Returns `None` when the answer can be judged, including "I don't know".
pub fn unclear(shown: &Shown, answer: &str) -> Option<Text> {
    match shown.form {
        Form::Choice => choice::unclear(shown, answer),
        Form::Order => order::unclear(shown, answer),
        Form::Free => free::asks(answer).then(words::asked),
        Form::Number => number::unclear(answer),
        Form::Compare => compare::unclear(shown, answer),
        Form::Query | Form::Program => free::is_asked(answer).then(words::asked),
        Form::Cloze => None,
    }
}

impl Grade {
    fn new(quality: Quality, feedback: impl Into<Text>) -> Grade {
        let verdict = Verdict::of(quality);
        let (found, missing, misconception) = (Vec::new(), Vec::new(), None);
        let feedback = feedback.into();
        let (doubt, answer) = (false, String::new());
        Grade { quality, verdict, doubt, found, missing, misconception, feedback, answer }
    }

    fn blank(feedback: Text) -> Grade {
        Grade::new(quality(0), feedback)
    }
}

impl Verdict {
    pub fn of(quality: Quality) -> Verdict {
        match quality.get() {
            0 => Verdict::Blank,
            1 => Verdict::Wrong,
            2 | 3 => Verdict::Partly,
            _ => Verdict::Right,
        }
    }
}

/// Grades an answer that has not run: blank if there is no answer, otherwise in doubt.
fn unchecked(answer: &str) -> Grade {
    match is_nothing(answer) {
        true => Grade::blank(words::no_answer()),
        false => Grade { doubt: true, ..Grade::new(some(), words::unchecked()) },
    }
}

/// Whether an answer is empty or says that the learner has none.
fn is_nothing(answer: &str) -> bool {
    free::is_blank(&reading::Reading::new(answer, reading::Flavour::Plain).tokens)
}

/// Returns the quality for `right` right parts out of `all`.
fn quality_of(right: usize, all: usize, has_typo: bool) -> Quality {
    match right {
        0 => Quality::AGAIN,
        right if right == all && has_typo => Quality::GOOD,
        right if right == all => Quality::EASY,
        right if right * 2 >= all => Quality::HARD,
        _ => some(),
    }
}

/// Returns the quality for less than half of the ideas, for a misconception and for a doubt.
fn some() -> Quality {
    quality(2)
}

fn quality(number: u8) -> Quality {
    Quality::new(number).expect("a quality is a number from 0 to 5")
}

/// Makes a learner's text safe to quote: white space becomes spaces, and control characters, which could move a
/// cursor, are removed.
fn quotable(text: &str) -> String {
    let spaced = text.chars().map(|c| if c.is_whitespace() { ' ' } else { c });
    spaced.filter(|c| !c.is_control()).collect()
}
