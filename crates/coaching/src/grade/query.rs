//! Answers in SQL, judged by what they return. A learner's statement runs outside, on a database in memory: the request to run
//! it is an effect, and what came of it is an event.

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
    /// What the learner wrote.
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
    /// Other rows, with a sentence on where they differ.
    Differs(String),
    /// The same rows on the tables that the learner sees, other ones on the hidden tables.
    FitsOnlyShown,
    /// The database refused it, or it took too long.
    Refused(String),
    /// It could not be tried.
    Untried(String),
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

/// Judges a statement by what came of running it.
pub fn grade_query(query: &Query, result: &QueryResult) -> Grade {
    let grade = match result {
        QueryResult::Same => Grade::new(Quality::EASY, query.explain.clone()),
        QueryResult::Differs(says) => poor(words::query_differs(says.as_str())),
        QueryResult::FitsOnlyShown => poor(words::query_hidden()),
        QueryResult::Refused(says) => poor(words::query_failed(says.as_str())),
        QueryResult::Untried(_) => Grade { doubt: true, ..Grade::new(super::some(), words::unchecked()) },
    };
    Grade { answer: query.answer.trim().to_owned(), ..grade }
}

fn poor(feedback: Text) -> Grade {
    Grade::new(Quality::AGAIN, feedback)
}
