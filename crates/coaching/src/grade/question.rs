//! The forms of a question, each with the data for judging an answer.

use crate::judging::Test;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "form", rename_all = "lowercase")]
pub enum Question {
    Free(Free),
    Choice(Choice),
    Cloze(Cloze),
    Order(Order),
    Number(Number),
    Query(Query),
    Program(Program),
    Compare(Compare),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Form {
    Free,
    Choice,
    Cloze,
    Order,
    Number,
    Query,
    Program,
    Compare,
}

/// A question that is answered in the learner's own words.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Free {
    pub ask: String,
    /// The ideas that an answer must express.
    pub ideas: Vec<Idea>,
    #[serde(default)]
    pub misconceptions: Vec<Misconception>,
    /// One good answer.
    pub answer: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Idea {
    pub idea: String,
    /// The thing that the idea is about, if the question is about several: its names, separated by slashes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub of: Option<String>,
    /// The wordings that count as expressing the idea.
    pub any: Vec<String>,
}

/// A common wrong idea, in the words of learners.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Misconception {
    pub any: Vec<String>,
    /// The reply to learners with this idea.
    pub says: String,
}

/// A question with several options, of which one is right.
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
    /// The reason why the option is right or wrong.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub says: Option<String>,
}

/// A text with gaps.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cloze {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ask: Option<String>,
    /// The text, with `___` for each gap.
    pub text: String,
    /// The accepted wordings for each gap.
    pub blanks: Vec<Vec<String>>,
}

/// Steps that the learner puts in order.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Order {
    pub ask: String,
    /// The steps in the right order.
    pub steps: Vec<String>,
}

/// A question that is answered with a number, which may be written as a fraction, a decimal, a percentage or a
/// simple expression.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Number {
    pub ask: String,
    /// The right number as an expression, so that fractions stay exact.
    pub answer: String,
    /// An absolute error up to which an answer is right.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tolerance: Option<String>,
    /// The unit of a bare number: with `%`, 17 means 17 %.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unit: Option<String>,
    /// The reason why it is this number.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub explain: String,
}

/// A question that is answered with a statement in SQL, which runs on the tables of the question.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Query {
    pub ask: String,
    /// The SQL that creates and fills the tables.
    pub tables: String,
    /// The SQL for other rows in the same tables. They catch answers that fit only the rows shown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub others: Option<String>,
    /// One right statement.
    pub answer: String,
    /// The query that shows the result of a statement that changes the tables.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub then: Option<String>,
    /// Whether the order of the rows matters.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub ordered: bool,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub explain: String,
}

/// A question that is answered with a program, which runs against tests.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Program {
    pub ask: String,
    pub language: String,
    /// The function that the tests call.
    pub function: String,
    pub tests: Vec<Test>,
    /// The program that the learner begins with.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub starter: String,
    /// One right program.
    pub answer: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub explain: String,
}

/// A question in which the learner compares their own answer with a good one and names the ideas that it had.
/// Etude asks it when in doubt; an author does not write it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Compare {
    /// The original question.
    pub asked: String,
    /// The learner's answer.
    pub own: String,
    pub good: String,
    /// The ideas to look for in the learner's answer.
    pub ideas: Vec<String>,
}

/// The mark of a gap in the text of a [`Cloze`].
pub const GAP: &str = "___";

impl Question {
    pub fn form(&self) -> Form {
        match self {
            Question::Free(_) => Form::Free,
            Question::Choice(_) => Form::Choice,
            Question::Cloze(_) => Form::Cloze,
            Question::Order(_) => Form::Order,
            Question::Number(_) => Form::Number,
            Question::Query(_) => Form::Query,
            Question::Program(_) => Form::Program,
            Question::Compare(_) => Form::Compare,
        }
    }

    /// Whether a machine can recognise a right answer for certain. The rules may misread a free answer, and
    /// learners may misjudge their own.
    pub fn is_checkable(&self) -> bool {
        !matches!(self, Question::Free(_) | Question::Compare(_))
    }

    /// Returns the question in words, without options or steps.
    pub fn ask(&self) -> String {
        match self {
            Question::Free(free) => free.ask.clone(),
            Question::Choice(choice) => choice.ask.clone(),
            Question::Order(order) => order.ask.clone(),
            Question::Number(number) => number.ask.clone(),
            Question::Query(query) => query.ask.clone(),
            Question::Program(program) => program.ask.clone(),
            Question::Compare(compare) => compare.asked.clone(),
            Question::Cloze(Cloze { ask: Some(ask), text, .. }) => format!("{ask}\n\n{text}"),
            Question::Cloze(Cloze { text, .. }) => text.clone(),
        }
    }

    /// Returns a right answer to show after grading.
    pub fn answer(&self) -> String {
        match self {
            Question::Free(free) => free.answer.clone(),
            Question::Choice(choice) => {
                choice.options.iter().find(|option| option.right).map_or(String::new(), |o| o.text.clone())
            }
            Question::Cloze(cloze) => cloze.filled(),
            Question::Number(number) => number.answer.clone(),
            Question::Query(query) => query.answer.trim().to_owned(),
            Question::Program(program) => program.answer.trim().to_owned(),
            // The learner has already seen the good answer.
            Question::Compare(_) => String::new(),
            Question::Order(order) => {
                let numbered = order.steps.iter().enumerate().map(|(at, step)| format!("{}. {step}", at + 1));
                numbered.collect::<Vec<_>>().join("\n")
            }
        }
    }
}

impl Form {
    /// The forms of questions that authors write.
    pub const AUTHORED: [Form; 7] =
        [Form::Free, Form::Choice, Form::Cloze, Form::Order, Form::Number, Form::Query, Form::Program];
}

impl Cloze {
    /// Returns the number of gaps in the text.
    pub fn gaps(&self) -> usize {
        self.text.matches(GAP).count()
    }

    /// Returns the text with the first accepted wording in each gap.
    fn filled(&self) -> String {
        let words = self.blanks.iter().map(|any| any.first().map_or(GAP, String::as_str));
        words.fold(self.text.clone(), |text, word| text.replacen(GAP, word, 1))
    }
}
