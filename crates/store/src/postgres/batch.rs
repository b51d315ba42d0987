//! One batch of commits: one transaction for all of them, and if that fails one for each, so that only the guilty
//! commit hears of its failure. A commit whose connection died at the last moment is tried again under its old
//! commit id: if it had arrived after all, it finds its own mark in the log and is told that it won.

use std::time::Duration;

use futures_util::future::join_all;
use tokio::time::{Instant, sleep, timeout};

use super::commits::Reply;
use super::link::Link;
use super::session::Session;
use crate::feed::Feed;
use crate::plan::{Place, Plan, Step};
use crate::statement::{Answer, Statement, Value};
use crate::{CommitError, StoreError, sql};

/// Widest INSERT; wider ones save nothing and each width is a prepared statement of its own.
const MAX_TUPLES: usize = 32;
/// A server that ends a transaction to break a circle of waits, or that closed an idle connection, gets a new try.
const MAX_TRIES: usize = 4;
const TRY_PAUSE: Duration = Duration::from_millis(100);
/// How long a commit in doubt waits for the server to come back and say what became of it.
const DOUBT_TIMEOUT: Duration = Duration::from_secs(10);
/// Longer than the server allows a statement: reached only when the network swallows the answer.
const BATCH_TIMEOUT: Duration = Duration::from_secs(20);

/// Why a transaction failed as a whole.
#[derive(Debug)]
struct Fault {
    error: StoreError,
    /// COMMIT was sent and its answer was lost.
    in_doubt: bool,
}

type Verdict = Result<(), CommitError>;

/// Answers every commit of the batch.
pub(super) async fn settle(link: &Link, mut batch: Vec<(Box<Plan>, Reply)>, feed: &Feed) {
    // Every node locks in this order, so no two wait for each other in a circle.
    batch.sort_by(|a, b| a.0.subject().cmp(b.0.subject()));
    let plans: Vec<&Plan> = batch.iter().map(|(plan, _)| &**plan).collect();
    match attempt(link, &plans).await {
        Ok(verdicts) => {
            for ((plan, reply), verdict) in batch.into_iter().zip(verdicts) {
                answer(*plan, reply, verdict, feed);
            }
        }
        Err(fault) => {
            let patience = Instant::now() + DOUBT_TIMEOUT;
            for (plan, reply) in batch {
                let verdict = settle_alone(link, &plan, fault.in_doubt, patience).await;
                answer(*plan, reply, verdict, feed);
            }
        }
    }
}

fn answer(plan: Plan, reply: Reply, verdict: Verdict, feed: &Feed) {
    if verdict.is_ok() {
        feed.tell(plan.change);
    }
    // A caller that no longer waits is no reason to undo its work.
    let _ = reply.send(verdict);
}

/// One commit in a transaction of its own.
async fn settle_alone(link: &Link, plan: &Plan, mut in_doubt: bool, patience: Instant) -> Verdict {
    let mut tries = 0;
    loop {
        tries += 1;
        let fault = match attempt(link, &[plan]).await {
            Ok(verdicts) => {
                return doubted(in_doubt, verdicts.into_iter().next().expect("one plan has one verdict"));
            }
            Err(fault) => fault,
        };
        in_doubt |= fault.in_doubt;
        let passes = matches!(fault.error, StoreError::Unavailable(_) | StoreError::Busy(_));
        let worth_waiting = if in_doubt { Instant::now() < patience } else { tries < MAX_TRIES };
        if !passes || !worth_waiting {
            return doubted(in_doubt, Err(fault.error.into()));
        }
        sleep(TRY_PAUSE).await;
    }
}

/// After a lost COMMIT "unavailable" would promise that nothing happened.
fn doubted(in_doubt: bool, verdict: Verdict) -> Verdict {
    match verdict {
        Err(CommitError::Store(StoreError::Unavailable(why))) if in_doubt => {
            Err(StoreError::InDoubt(why).into())
        }
        other => other,
    }
}

/// One transaction for all plans. Those that lost are judged afterwards, outside of it.
async fn attempt(link: &Link, plans: &[&Plan]) -> Result<Vec<Verdict>, Fault> {
    let session = link.session().await.map_err(sure)?;
    let transaction = async {
        let won = decide(&session, plans).await?;
        complete(&session, plans, &won).await?;
        Ok(judge(&session, plans, &won).await)
    };
    match timeout(BATCH_TIMEOUT, transaction).await {
        Ok(Ok(verdicts)) => Ok(verdicts),
        Ok(Err(fault)) => {
            // The session may still be inside the transaction; the next user needs a clean one.
            if session.execute("ROLLBACK").await.is_err() {
                link.abandon().await;
            }
            Err(fault)
        }
        Err(_) => {
            link.abandon().await;
            let why = format!("no answer within {} s", BATCH_TIMEOUT.as_secs());
            Err(Fault { error: StoreError::Unavailable(why), in_doubt: true })
        }
    }
}

fn sure(error: StoreError) -> Fault {
    Fault { error, in_doubt: false }
}

/// Opens the transaction and runs all decisions in one round trip; tells which plans won.
async fn decide(session: &Session, plans: &[&Plan]) -> Result<Vec<bool>, Fault> {
    let statements: Vec<&Statement> =
        plans.iter().flat_map(|plan| plan.lock.iter().chain([&plan.decision])).collect();
    let mut prepared = Vec::with_capacity(statements.len());
    for statement in &statements {
        prepared.push(session.prepare(statement, 1).await.map_err(sure)?);
    }
    let sent = statements
        .iter()
        .zip(&prepared)
        .map(|(statement, prepared)| session.send(prepared, statement.values.iter()));
    let (begun, answers) = tokio::join!(biased; session.execute("BEGIN"), join_all(sent));
    begun.map_err(sure)?;
    let answers = answers.into_iter().collect::<Result<Vec<Answer>, StoreError>>().map_err(sure)?;
    // What a lock answers says nothing.
    let is_lock = |text: &str| text == sql::SCOPE_LOCK || text == sql::SCOPE_CLAIM;
    let decided = statements.iter().zip(answers).filter(|(statement, _)| !is_lock(&statement.text));
    Ok(decided.map(|(_, answer)| answer.touched > 0).collect())
}

/// Runs the steps of the winners and COMMIT in one round trip. When a step fails, the server turns the COMMIT behind
/// it into a rollback.
async fn complete(session: &Session, plans: &[&Plan], won: &[bool]) -> Result<(), Fault> {
    let winners = plans.iter().zip(won).filter(|(_, won)| **won);
    let groups = group(winners.flat_map(|(plan, _)| &plan.steps).collect());
    let mut prepared = Vec::with_capacity(groups.len());
    for group in &groups {
        prepared.push(session.prepare(&group[0].statement, group.len()).await.map_err(sure)?);
    }
    let steps = groups.iter().zip(&prepared).map(|(group, prepared)| {
        let values: Vec<&Value> = group.iter().flat_map(|step| &step.statement.values).collect();
        session.send(prepared, values.into_iter())
    });
    let (answers, committed) = tokio::join!(biased; join_all(steps), session.execute("COMMIT"));
    let done: Result<Vec<Answer>, StoreError> = answers.into_iter().collect();
    done.and(committed)
        .map_err(|error| Fault { in_doubt: matches!(error, StoreError::Unavailable(_)), error })
}

/// Sorts the steps of many plans by place and joins neighbours that are the same INSERT. Of several changes to one
/// document the last one stands.
fn group(mut steps: Vec<&Step>) -> Vec<Vec<&Step>> {
    steps.sort_by(|a, b| a.place.cmp(&b.place));
    let mut groups: Vec<Vec<&Step>> = Vec::new();
    for step in steps {
        let Some(group) = groups.last_mut() else {
            groups.push(vec![step]);
            continue;
        };
        let previous = group[group.len() - 1];
        if matches!(step.place, Place::Record { .. }) && step.place == previous.place {
            group.pop();
            if group.is_empty() {
                groups.pop();
            }
        }
        match groups.last_mut() {
            Some(group) if joins(group, step) => group.push(step),
            _ => groups.push(vec![step]),
        }
    }
    groups
}

fn joins(group: &[&Step], step: &Step) -> bool {
    let text = &step.statement.text;
    text.starts_with("INSERT") && group[0].statement.text == *text && group.len() < MAX_TUPLES
}

/// Tells the winners that they won and the losers why they did not.
async fn judge(session: &Session, plans: &[&Plan], won: &[bool]) -> Vec<Verdict> {
    join_all(plans.iter().zip(won).map(async |(plan, won)| match won {
        true => Ok(()),
        false => plan.judge(session.run(&plan.standing()).await?.rows.into_iter().next()),
    }))
    .await
}
