//! Grades answers in SQL by the rows that they return.
//!
//! A learner's statement runs outside, on an in-memory database: the request to run it is an effect, and its
//! result is an event.

use super::question::Query;
use super::{Grade, words};
use crate::learner::Quality;
use crate::rejected::Rejected;
use crate::words::Text;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// The kind of the effect that carries a [`QueryAsk`].
pub const QUERY_KIND: &str = "query";

/// The field of an event's payload that holds a [`QueryAnswer`].
const FIELD: &str = "query";

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct QueryAsk {
    /// The number of this ask within its flow; the answer repeats it.
    pub number: u64,
    pub question: Query,
    /// The learner's text.
    pub given: String,
    /// The name of the event that brings the answer.
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
    /// The statement returned the rows of the good answer.
    Same,
    Differs(Difference),
    /// The rows are right on the tables that the learner sees and wrong on the hidden tables.
    FitsOnlyShown,
    /// The statement does not run.
    Refused(Refusal),
    /// The statement could not be tried.
    Untried(String),
}

/// The first difference between the rows of a statement and the right ones.
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
    /// The rows are right, but not their order.
    Order,
    /// A row that should not be there.
    Row {
        row: String,
    },
    /// A whole sentence, as older logs contain it.
    #[serde(untagged)]
    Told(String),
}

/// The reason why a statement does not run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Refusal {
    NoRows,
    /// More rows than this limit.
    MoreRows(usize),
    /// More statements than this limit.
    MoreStatements(usize),
    TakesTooLong,
    Forbidden,
    /// The database's own message.
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

    /// Returns the answer in the payload of an event, if there is one. Refuses an answer that cannot be read.
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

/// Grades a statement by the outcome of running it.
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
