//! Turns a commit into SQL: the statement that decides it, and the steps that follow if it wins.

use std::iter::once;

use crate::commit::{Basis, Commit, Expect};
use crate::rows::Columns;
use crate::sql::Marks;
use crate::statement::{Row, Statement, Value};
use crate::{At, Change, CommitError, Effect, Instance, LogEntry, RecordChange, StoreError, sql};

/// The most values of a decision.
const MOST_VALUES: usize = 19;
/// The number of values that are about the documents the commit has seen.
const SEEN_VALUES: usize = 6;

/// The distance between marked entries of a log that is a chain; the migration has the same number.
const MARKED_EVERY: u64 = 64;

#[derive(Debug)]
pub(crate) struct Plan {
    /// The change that listeners are told of once the plan is durable.
    pub(crate) change: Change,
    /// Statements to run before the decision where others write at the same time. They keep the documents that it
    /// rests on as they are, and the id of a new instance free.
    pub(crate) locks: Vec<Statement>,
    /// The statement that touches one row if the commit may happen, and none otherwise.
    pub(crate) decision: Statement,
    pub(crate) steps: Vec<Step>,
    scope: Option<String>,
    request: Option<String>,
    commit_id: Option<i64>,
    creates: bool,
}

#[derive(Debug)]
pub(crate) struct Step {
    pub(crate) rank: Rank,
    pub(crate) statement: Statement,
}

/// The order of the steps. Every node sorts the steps of many plans by rank, so all nodes lock the documents of a
/// learner in the same order and never deadlock.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Rank {
    Finish,
    ClearTimers,
    Log,
    Effect,
    Timer,
    Scope { learner: String, name: String },
    Record { learner: String, kind: String, key: String },
}

impl Plan {
    /// Plans a commit. For databases behind a network, `commit_id` marks the rows as written by this commit.
    pub(crate) fn new(commit: &Commit, commit_id: Option<i64>) -> Result<Self, StoreError> {
        commit.check()?;
        let change = Change { instance: commit.instance.id.clone(), version: commit.instance.version };
        let request = commit.request().map(str::to_owned);
        Ok(Self {
            scope: commit.seen.as_ref().map(|seen| seen.scope.clone()),
            creates: commit.expect.is_none(),
            locks: locks(commit),
            steps: steps(commit, commit_id),
            decision: decision(commit, commit_id),
            change,
            request,
            commit_id,
        })
    }

    /// Returns the subject that only one commit at a time may work on: an instance, or the documents that several
    /// share.
    pub(crate) fn subject(&self) -> &str {
        self.scope.as_deref().unwrap_or(&self.change.instance)
    }

    /// Returns the query that tells why the decision touched nothing.
    pub(crate) fn standing(&self) -> Statement {
        let Change { instance, version } = &self.change;
        let values =
            [instance.as_str().into(), self.request.clone().into(), self.commit_id.into(), (*version).into()];
        Statement::new(sql::INSTANCE_STANDING, values)
    }

    /// Judges a plan whose decision touched nothing, by the answer to `standing`. The plan succeeded if an earlier
    /// try of it had arrived.
    pub(crate) fn judge(&self, row: Option<Row>) -> Result<(), CommitError> {
        let mut row =
            row.ok_or_else(|| StoreError::Corrupt("the standing of an instance has no row".into()))?;
        let (version, state): (Option<u64>, Option<String>) = (row.take()?, row.take()?);
        let (answered_by, arrived_before): (Option<u64>, bool) = (row.take()?, row.take()?);
        if arrived_before {
            return Ok(());
        }
        if let Some(version) = answered_by {
            return Err(CommitError::Duplicate { version });
        }
        if self.creates && version.is_some() {
            return Err(CommitError::Exists);
        }
        Err(CommitError::Conflict { current: version.zip(state) })
    }
}

fn decision(commit: &Commit, commit_id: Option<i64>) -> Statement {
    let next = &commit.instance;
    let seen = commit.seen.as_ref().map(|seen| {
        let Basis { scope, version, kind, key, body, .. } = seen;
        let names = [text(&next.learner), text(scope), (*version).into()];
        names.into_iter().chain([kind, key, body].map(|name| text(name)))
    });
    let chained = is_chained(commit_id);
    let ending = !chained || next.outcome.is_some();
    let (texts, mut values) = match &commit.expect {
        None => (&sql::INSTANCE_INSERTS, create(next, commit_id)),
        Some(expect) => (&sql::INSTANCE_UPDATES, update(next, expect, commit.request(), ending)),
    };
    let undelivered = commit.undelivered;
    let text = texts.get(Marks { chained, ending, undelivered, seen: seen.is_some() });
    values.extend(seen.into_iter().flatten());
    Statement::new(text, values)
}

fn text(text: &str) -> Value {
    text.into()
}

fn update(next: &Instance, expect: &Expect, request: Option<&str>, ending: bool) -> Vec<Value> {
    let mut values = Vec::with_capacity(MOST_VALUES);
    values.extend([
        text(&next.law_hash),
        text(&next.law_version),
        text(&next.state),
        next.version.into(),
        text(&next.counters),
        next.updated_at.into(),
        text(&next.data),
    ]);
    values.extend(ending.then(|| next.outcome.clone().into()));
    values.extend([
        text(&next.id),
        expect.version.into(),
        text(&expect.state),
        expect.created_at.into(),
        request.into(),
    ]);
    values
}

fn create(first: &Instance, commit_id: Option<i64>) -> Vec<Value> {
    let mut values = first.values(1 + SEEN_VALUES);
    values.push(commit_id.into());
    values
}

/// Returns a statement about the scope that a commit rests on.
fn scope(text: &'static str, commit: &Commit, seen: &Basis) -> Statement {
    Statement::new(text, [commit.instance.learner.as_str().into(), seen.scope.as_str().into()])
}

/// Returns the statements that lock a commit's rows, scopes first.
fn locks(commit: &Commit) -> Vec<Statement> {
    let claim = |id: &str| Statement::new(sql::INSTANCE_CLAIM, [id.into()]);
    let scope = commit.seen.as_ref().map(|seen| lock(commit, seen));
    scope.into_iter().chain(commit.expect.is_none().then(|| claim(&commit.instance.id))).collect()
}

/// Locks a scope. One that has never been written to has no row to lock, so it is claimed instead.
fn lock(commit: &Commit, seen: &Basis) -> Statement {
    scope(if seen.version == 0 { sql::SCOPE_CLAIM } else { sql::SCOPE_LOCK }, commit, seen)
}

fn move_scope(commit: &Commit, seen: &Basis) -> Step {
    let (learner, name) = (commit.instance.learner.clone(), seen.scope.clone());
    let mut statement = scope(sql::SCOPE_PUT, commit, seen);
    statement.values.push(seen.version_after(&commit.records).into());
    step(Rank::Scope { learner, name }, statement)
}

/// Returns every step of a commit, in the order of its rank.
fn steps(commit: &Commit, commit_id: Option<i64>) -> Vec<Step> {
    let at = commit.instance.updated_at;
    let id = commit.instance.id.as_str();
    let finish = commit.finishes.iter().map(|key| step(Rank::Finish, finish_effect(key, at)));
    let clear =
        commit.timers.iter().map(|_| step(Rank::ClearTimers, Statement::new(sql::TIMER_CLEAR, [id.into()])));
    let log = commit.log.iter().flat_map(|entry| {
        let mark = (is_chained(commit_id) && entry.version.is_multiple_of(MARKED_EVERY))
            .then(|| Statement::new(sql::LOG_MARK, []));
        once(insert_log(entry, commit, commit_id)).chain(mark).map(|statement| step(Rank::Log, statement))
    });
    let effects = commit.effects.iter().map(|effect| {
        step(Rank::Effect, Statement::new(sql::EFFECT_INSERT, placed(effect.values(1), commit, commit_id)))
    });
    let timers = commit.timers.iter().flatten().map(|timer| {
        step(Rank::Timer, Statement::new(sql::TIMER_INSERT, placed(timer.values(1), commit, commit_id)))
    });
    let moved = commit.seen.iter().filter(|_| !commit.records.is_empty());
    let moved = moved.map(|seen| move_scope(commit, seen));
    let records = commit.records.iter().map(|change| step(record_rank(change), change_record(change, at)));
    let mut steps: Vec<Step> =
        finish.chain(clear).chain(log).chain(effects).chain(timers).chain(moved).chain(records).collect();
    steps.sort_by(|a, b| a.rank.cmp(&b.rank));
    steps
}

fn step(rank: Rank, statement: Statement) -> Step {
    Step { rank, statement }
}

fn finish_effect(key: &str, at: At) -> Statement {
    Statement::new(sql::EFFECT_FINISH, [at.into(), key.into()])
}

/// Whether the log is a chain. It is in SQLite, which needs no mark on its commits.
fn is_chained(commit_id: Option<i64>) -> bool {
    commit_id.is_none()
}

/// Adds the learner to the values of a row, where rows are placed by learner.
fn placed(mut values: Vec<Value>, commit: &Commit, commit_id: Option<i64>) -> Vec<Value> {
    values.extend((!is_chained(commit_id)).then(|| text(&commit.instance.learner)));
    values
}

fn insert_log(entry: &LogEntry, commit: &Commit, commit_id: Option<i64>) -> Statement {
    let mut values = entry.values(2);
    values.push(commit_id.into());
    let values = placed(values, commit, commit_id);
    Statement::new(if is_chained(commit_id) { sql::LOG_INSERT_CHAINED } else { sql::LOG_INSERT }, values)
}

/// Returns the insert of an effect that no turn causes. An effect that exists already stays as it is.
pub(crate) fn post_effect(effect: &Effect) -> Statement {
    Statement::new(sql::EFFECT_POST, effect.values(0))
}

fn record_rank(change: &RecordChange) -> Rank {
    Rank::Record { learner: change.learner.clone(), kind: change.kind.clone(), key: change.key.clone() }
}

pub(crate) fn change_record(change: &RecordChange, at: At) -> Statement {
    let mut values = change.values(1);
    if change.body.is_none() {
        values.truncate(NAME_COLUMNS);
        return Statement::new(sql::RECORD_DELETE, values);
    }
    values.push(at.into());
    Statement::new(sql::RECORD_PUT, values)
}

/// The number of columns that name a document: learner, kind and key.
const NAME_COLUMNS: usize = 3;

#[cfg(test)]
mod tests {
    use super::*;

    fn commit(
        expect: Option<Expect>,
        outcome: Option<&str>,
        undelivered: bool,
        seen: Option<Basis>,
    ) -> Commit {
        let none = String::new;
        let instance = Instance {
            id: none(),
            flow: none(),
            law_hash: none(),
            law_version: none(),
            learner: none(),
            state: none(),
            version: 2,
            counters: none(),
            data: none(),
            outcome: outcome.map(str::to_owned),
            created_at: At(0),
            updated_at: At(0),
        };
        let (log, effects, records) = (Vec::new(), Vec::new(), Vec::new());
        Commit { instance, expect, log, effects, timers: None, records, seen, undelivered, finishes: None }
    }

    /// Returns the numbers of the parameters outside dormant comments, in order.
    fn parameters(text: &str) -> Vec<usize> {
        let mut awake = String::new();
        for (at, part) in text.split("/*").enumerate() {
            awake += if at == 0 { part } else { part.split_once("*/").expect("a comment ends").1 };
        }
        let digits = |piece: &str| piece.chars().take_while(char::is_ascii_digit).collect::<String>();
        let mut numbers: Vec<usize> =
            awake.split('$').skip(1).map(|piece| digits(piece).parse().expect("a number")).collect();
        numbers.sort_unstable();
        numbers.dedup();
        numbers
    }

    #[test]
    fn every_text_has_as_many_parameters_as_values() {
        let expect = || Some(Expect { version: 1, state: String::new(), created_at: At(0) });
        for (expect, outcome) in [(None, None), (expect(), None), (expect(), Some("done"))] {
            for (undelivered, seen) in
                [(false, None), (true, None), (false, Some(Basis::default())), (true, Some(Basis::default()))]
            {
                let commit = commit(expect.clone(), outcome, undelivered, seen);
                for commit_id in [None, Some(1)] {
                    let Statement { text, values } = decision(&commit, commit_id);
                    let found = parameters(&text);
                    assert_eq!(found.len(), values.len(), "{commit:?}: {text}");
                    if commit_id.is_some() {
                        let all: Vec<usize> = (1..=values.len()).collect();
                        assert_eq!(found, all, "PostgreSQL wants every number: {text}");
                    }
                }
            }
        }
    }
}
