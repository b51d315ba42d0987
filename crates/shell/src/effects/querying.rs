//! Runs a learner's SQL for a flow.

use crate::engine::app::App;
use crate::engine::performer::{Manner, Performed, Performer};
use crate::engine::turn::{Request, Via};
use coaching::grade::query::{Difference, QUERY_KIND, QueryAnswer, QueryAsk, QueryResult, Refusal};
use coaching::turn::Source;
use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use outside::Trouble;
use outside::sql::{self, Outcome, Trial, compare};
use store::Effect;

#[derive(Debug)]
pub struct Querying;

impl Performer for Querying {
    fn kind(&self) -> &'static str {
        QUERY_KIND
    }

    fn manner(&self) -> Manner {
        Manner { answers_its_flow: true, keeps_via: true, ..Manner::default() }
    }

    fn perform<'a>(&'a self, _: &'a App, effect: &'a Effect) -> BoxFuture<'a, Performed> {
        async move {
            let unreadable = |error| Trouble::Final { reason: format!("the query cannot be read: {error}") };
            let ask: QueryAsk = serde_json::from_str(&effect.payload).map_err(unreadable)?;
            let (number, answered_by) = (ask.number, ask.answered_by.clone());
            let result = tokio::task::spawn_blocking(move || run(&ask)).await;
            let result = result.unwrap_or_else(|error| QueryResult::Untried(error.to_string()));
            Ok(Some(Request {
                via: Via::of_result(effect),
                payload: QueryAnswer { ask: number, result }.payload(),
                finishes: Some(effect.key.clone()),
                // After a crash the query runs again; the answer is taken once.
                request: Some(effect.key.clone()),
                ..Request::new(&effect.instance, &answered_by, Source::Rules)
            }))
        }
        .boxed()
    }
}

fn run(QueryAsk { question, given, .. }: &QueryAsk) -> QueryResult {
    let outcome = compare(&Trial {
        tables: &question.tables,
        others: question.others.as_deref(),
        good: &question.answer,
        given,
        then: question.then.as_deref(),
        ordered: question.ordered,
    });
    match outcome {
        Outcome::Same => QueryResult::Same,
        Outcome::Differs(difference) => QueryResult::Differs(told(difference)),
        Outcome::FitsOnlyShown => QueryResult::FitsOnlyShown,
        Outcome::Refused(refusal) => QueryResult::Refused(reason(refusal)),
        Outcome::Untried(refusal) => QueryResult::Untried(format!("{refusal:?}")),
    }
}

fn told(difference: sql::Difference) -> Difference {
    match difference {
        sql::Difference::Columns { given, wanted } => Difference::Columns { given, wanted },
        sql::Difference::Rows { given, wanted } => Difference::Rows { given, wanted },
        sql::Difference::Order => Difference::Order,
        sql::Difference::Row(row) => Difference::Row { row },
    }
}

fn reason(refusal: sql::Refusal) -> Refusal {
    match refusal {
        sql::Refusal::NoRows => Refusal::NoRows,
        sql::Refusal::MoreRows(most) => Refusal::MoreRows(most),
        sql::Refusal::MoreStatements(most) => Refusal::MoreStatements(most),
        sql::Refusal::TakesTooLong => Refusal::TakesTooLong,
        sql::Refusal::Forbidden => Refusal::Forbidden,
        sql::Refusal::Database(says) => Refusal::Database(says),
    }
}
