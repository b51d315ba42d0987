//! Answers in SQL, judged by what they return. A learner's statement runs outside, on an in-memory database: the
//! request to run it is an effect, and its result is an event.

use super::question::Query;
use super::{Grade, words};
use crate::learner::Quality;
use crate::rejected::Rejected;
use crate::words::Text;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// The kind of effect that a [`QueryAsk`] is.
pub const QUERY_KIND: &str = "query";

/// The field of an event's payload in which a [`QueryAnswer`] travels.
const FIELD: &str = "query";

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct QueryAsk {
    /// Tells this ask from the others of its flow; the answer repeats it.
    pub number: u64,
    pub question: Query,
    /// The learner's text.
    pub given: String,
    /// The event that brings the answer.
    pub answered_by: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct QueryAnswer {
    /// The number of the ask.
    pub ask: u64,
    #[serde(flatten)]
    pub result: QueryResult,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "result", content = "says")]
pub enum QueryResult {
    /// The same rows as the good answer.
    Same,
    Differs(Difference),
    /// The same rows on the tables that the learner sees, other ones on the hidden tables.
    FitsOnlyShown,
    /// It does not run.
    Refused(Refusal),
    /// It could not be tried.
    Untried(String),
}

/// Where the rows of a statement differ from the right ones.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Difference {
    Columns {
        given: usize,
        wanted: usize,
    },
    Rows {
        given: usize,
        wanted: usize,
    },
    /// The rows are right.
    Order,
    /// A row that should not be there.
    Row {
        row: String,
    },
    /// A sentence, as older logs have it.
    #[serde(untagged)]
    Told(String),
}

/// Why a statement does not run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Refusal {
    NoRows,
    /// More rows than these.
    MoreRows(usize),
    /// More statements than these.
    MoreStatements(usize),
    TakesTooLong,
    Forbidden,
    /// In the database's own words.
    #[serde(untagged)]
    Database(String),
}

impl Difference {
    fn told(&self) -> Text {
        match self {
            Difference::Columns { given, wanted } => words::query_columns(*given, *wanted),
            Difference::Rows { given, wanted } => words::query_rows(*given, *wanted),
            Difference::Order => words::query_order(),
            Difference::Row { row } => words::query_row(row.as_str()),
            Difference::Told(says) => says.as_str().into(),
        }
    }
}

impl Refusal {
    fn told(&self) -> Text {
        match self {
            Refusal::NoRows => words::query_no_rows(),
            Refusal::MoreRows(most) => words::query_more_rows(*most),
            Refusal::MoreStatements(most) => words::query_more_statements(*most),
            Refusal::TakesTooLong => words::query_takes_too_long(),
            Refusal::Forbidden => words::query_forbidden(),
            Refusal::Database(says) => words::query_failed(says.as_str()),
        }
    }
}

impl QueryAnswer {
    /// The answer as the payload of an event.
    pub fn payload(&self) -> Value {
        json!({ FIELD: self })
    }

    /// The answer in the payload of an event, if there is one.
    pub fn read(payload: &Value) -> Result<Option<QueryAnswer>, Rejected> {
        let Some(answer) = payload.get(FIELD) else { return Ok(None) };
        let answer = QueryAnswer::deserialize(answer).map_err(|error| Rejected {
            code: "bad_query_answer",
            message: format!("the result of a query cannot be read: {error}").into(),
            cure: "only the program itself sends it".into(),
        })?;
        Ok(Some(answer))
    }
}

/// Judges a statement by the outcome of running it.
pub fn grade_query(query: &Query, result: &QueryResult) -> Grade {
    let grade = match result {
        QueryResult::Same => Grade::new(Quality::EASY, query.explain.clone()),
        QueryResult::Differs(difference) => poor(words::query_differs(difference.told())),
        QueryResult::FitsOnlyShown => poor(words::query_hidden()),
        QueryResult::Refused(refusal) => poor(refusal.told()),
        QueryResult::Untried(_) => Grade { doubt: true, ..Grade::new(super::some(), words::unchecked()) },
    };
    Grade { answer: query.answer.trim().to_owned(), ..grade }
}

fn poor(feedback: Text) -> Grade {
    Grade::new(Quality::AGAIN, feedback)
}
