//! Runs one batch of commits in one transaction. If a commit breaks it, each runs in a transaction of its own, so
//! that only the guilty one fails. If the connection dies during COMMIT, the batch is tried again under its old
//! commit ids: if it had arrived after all, its commits find their own marks in the log and know that they won.

use std::iter::once;
use std::time::Duration;

use futures_util::future::join_all;
use tokio::time::{Instant, sleep, timeout};

use super::commits::Reply;
use super::link::Link;
use super::pipeline::set_off;
use super::session::Session;
use super::{BEGIN, MAX_TRIES, TRY_PAUSE, check_schema};
use crate::feed::Feed;
use crate::plan::{Plan, Rank, Step};
use crate::statement::{Answer, Statement, Value};
use crate::{CommitError, StoreError, sql};

/// The most tuples of an INSERT. Wider ones save nothing, and each width is a prepared statement of its own.
const MAX_TUPLES: usize = 32;
/// The time that a commit in doubt waits for the server to come back.
const DOUBT_TIMEOUT: Duration = Duration::from_secs(10);
/// The time that a batch may take. It is longer than the server allows a statement, so it is reached only if the
/// network swallows the answer.
const BATCH_TIMEOUT: Duration = Duration::from_secs(10);

const ROLLBACK_TIMEOUT: Duration = Duration::from_secs(5);

/// The reason why a transaction failed as a whole.
#[derive(Debug)]
struct Fault {
    error: StoreError,
    /// Whether COMMIT was sent and its answer was lost.
    in_doubt: bool,
    /// Whether the connection is gone, so that no commit of the batch is to blame.
    is_cut: bool,
    /// Whether every commit would meet the error, so that none is tried alone: the schema is newer, or its upgrade
    /// takes too long.
    is_common: bool,
}

type Verdict = Result<(), CommitError>;

/// Runs a batch and answers every commit of it.
pub(super) async fn settle(link: &Link, mut batch: Vec<(Box<Plan>, Reply)>, feed: &Feed) {
    // Every node locks in this order, so they never deadlock.
    batch.sort_by(|a, b| a.0.subject().cmp(b.0.subject()));
    let plans: Vec<&Plan> = batch.iter().map(|(plan, _)| &**plan).collect();
    let verdicts = match persist(link, &plans).await {
        Ok(verdicts) => verdicts,
        Err(fault) if fault.is_cut || fault.is_common || plans.len() == 1 => {
            vec![fault.verdict(); plans.len()]
        }
        Err(_) => settle_one_by_one(link, &plans).await,
    };
    for ((plan, reply), verdict) in batch.into_iter().zip(verdicts) {
        answer(*plan, reply, verdict, feed);
    }
}

fn answer(plan: Plan, reply: Reply, verdict: Verdict, feed: &Feed) {
    if verdict.is_ok() {
        feed.tell(plan.change);
    }
    // The commit stands even if its caller no longer waits.
    let _ = reply.send(verdict);
}

/// Runs each commit in a transaction of its own. If the server goes away meanwhile, the batch waits for it once,
/// not once per commit.
async fn settle_one_by_one(link: &Link, plans: &[&Plan]) -> Vec<Verdict> {
    let mut verdicts = Vec::with_capacity(plans.len());
    for plan in plans {
        match persist(link, &[plan]).await {
            Ok(verdict) => verdicts.extend(verdict),
            Err(fault) => {
                verdicts.push(fault.verdict());
                if fault.is_cut || fault.is_common {
                    verdicts.resize(plans.len(), Err(fault.error.into()));
                    break;
                }
            }
        }
    }
    verdicts
}

/// Runs all plans in one transaction, and tries again while the server may come back.
async fn persist(link: &Link, plans: &[&Plan]) -> Result<Vec<Verdict>, Fault> {
    let patience = Instant::now() + DOUBT_TIMEOUT;
    let (mut tries, mut in_doubt) = (0, false);
    loop {
        tries += 1;
        let fault = match attempt(link, plans).await {
            Ok(verdicts) => return Ok(verdicts.into_iter().map(|it| doubted(in_doubt, it)).collect()),
            Err(fault) => fault,
        };
        in_doubt |= fault.in_doubt;
        let is_alone_and_late =
            plans.len() == 1 && matches!(fault.error, StoreError::Unavailable(_) | StoreError::Busy(_));
        let worth_waiting = if in_doubt { Instant::now() < patience } else { tries < MAX_TRIES };
        if !(fault.is_cut || is_alone_and_late && !fault.is_common) || !worth_waiting {
            return Err(Fault { in_doubt, ..fault });
        }
        sleep(TRY_PAUSE).await;
    }
}

impl Fault {
    fn verdict(&self) -> Verdict {
        doubted(self.in_doubt, Err(self.error.clone().into()))
    }
}

fn doubted(in_doubt: bool, verdict: Verdict) -> Verdict {
    match verdict {
        Err(CommitError::Store(error)) if in_doubt => Err(error.doubted().into()),
        other => other,
    }
}

/// Runs all plans in one transaction. Those that lost are judged afterwards, outside of it.
async fn attempt(link: &Link, plans: &[&Plan]) -> Result<Vec<Verdict>, Fault> {
    let session = link.session().await.map_err(|error| Fault { is_cut: true, ..sure(error) })?;
    let transaction = async {
        let won = decide(&session, plans).await?;
        complete(&session, plans, &won).await?;
        Ok::<_, Fault>(judge(&session, plans, &won).await)
    };
    match timeout(BATCH_TIMEOUT, transaction).await {
        Ok(Ok(verdicts)) => Ok(verdicts),
        Ok(Err(fault)) => {
            // The session may still be inside the transaction; the next user needs a clean one.
            let rolled_back = timeout(ROLLBACK_TIMEOUT, session.execute("ROLLBACK")).await;
            let is_moved = matches!(fault.error, StoreError::ReadOnly(_));
            let is_cut = is_moved || !matches!(rolled_back, Ok(Ok(())));
            if is_cut {
                link.abandon().await;
            }
            Err(Fault { is_cut, ..fault })
        }
        Err(_) => {
            link.abandon().await;
            let why = format!("no answer within {} s", BATCH_TIMEOUT.as_secs());
            Err(Fault { in_doubt: true, is_cut: true, ..sure(StoreError::Unavailable(why)) })
        }
    }
}

fn sure(error: StoreError) -> Fault {
    Fault { error, in_doubt: false, is_cut: false, is_common: false }
}

fn common(error: StoreError) -> Fault {
    Fault { is_common: true, ..sure(error) }
}

/// Opens the transaction, asks for the schema and runs all decisions in one round trip. Returns which plans won.
/// Scopes are locked before any flow, as in a deletion.
async fn decide(session: &Session, plans: &[&Plan]) -> Result<Vec<bool>, Fault> {
    let locks = plans.iter().flat_map(|plan| &plan.locks);
    let schema = Statement::new(sql::MIGRATION_VERSION, []);
    let statements: Vec<&Statement> =
        once(&schema).chain(locks).chain(plans.iter().map(|plan| &plan.decision)).collect();
    let mut prepared = Vec::with_capacity(statements.len());
    for statement in &statements {
        match session.prepare(statement, 1).await {
            Ok(ready) => prepared.push(ready),
            // A statement that cannot be prepared may be for an older schema.
            Err(error) => {
                session.run(&schema).await.and_then(check_schema).map_err(common)?;
                return Err(sure(error));
            }
        }
    }
    let sent = statements
        .iter()
        .zip(&prepared)
        .map(|(statement, prepared)| session.send(prepared, statement.values.iter()));
    let begun = set_off(once(session.execute(BEGIN))).await;
    let sent = set_off(sent).await;
    begun.answers().await.into_iter().collect::<Result<(), StoreError>>().map_err(common)?;
    let mut answers = sent.answers().await.into_iter();
    let version = answers.next().unwrap_or_else(|| Ok(Answer::default()));
    version.and_then(check_schema).map_err(common)?;
    let answers: Result<Vec<Answer>, StoreError> = answers.collect();
    // The answers to locks mean nothing.
    let decided = answers.map_err(sure)?.into_iter().skip(statements.len() - plans.len() - 1);
    Ok(decided.map(|answer| answer.touched > 0).collect())
}

/// Runs the steps of the winners and COMMIT in one round trip. If a step fails, the server turns the COMMIT into a
/// rollback.
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
    let sent = set_off(steps).await;
    let (answers, committed) = tokio::join!(sent.answers(), session.execute("COMMIT"));
    let done: Result<Vec<Answer>, StoreError> = answers.into_iter().collect();
    done.and(committed)
        .map_err(|error| Fault { in_doubt: matches!(error, StoreError::Unavailable(_)), ..sure(error) })
}

/// Sorts the steps of many plans by rank and joins neighbours that are the same INSERT. Of several changes to one
/// document, only the last is kept.
fn group(mut steps: Vec<&Step>) -> Vec<Vec<&Step>> {
    steps.sort_by(|a, b| a.rank.cmp(&b.rank));
    let mut groups: Vec<Vec<&Step>> = Vec::new();
    for step in steps {
        let Some(group) = groups.last_mut() else {
            groups.push(vec![step]);
            continue;
        };
        let previous = group[group.len() - 1];
        if matches!(step.rank, Rank::Record { .. }) && step.rank == previous.rank {
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

/// Returns the verdict on each plan: that it won, or why it did not.
async fn judge(session: &Session, plans: &[&Plan], won: &[bool]) -> Vec<Verdict> {
    join_all(plans.iter().zip(won).map(async |(plan, won)| match won {
        true => Ok(()),
        false => plan.judge(session.run(&plan.standing()).await?.rows.into_iter().next()),
    }))
    .await
}
