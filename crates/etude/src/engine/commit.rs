//! A decided turn as one commit.

use super::app::{App, Placed};
use super::flows::Entry;
use super::setting::{Setting, scope_of};
use super::turn::Request;
use super::{records, view};
use coaching::turn::{Effect, Taken, Turned};
use flow::{Machine, StateId};
use serde_json::{Value, json};
use store::{At, Commit, Expect, LogEntry, Timer};

/// Everything the turn changes, as one commit.
pub fn commit(
    app: &App,
    placed: &Placed,
    turned: &Turned,
    setting: &Setting,
    request: Option<&Request>,
) -> Commit {
    let (now, before) = (app.clock.now(), &placed.row);
    let machine = &placed.machine;
    let version = before.version + turned.taken.len() as u64;
    let records = turned.records.iter().map(|record| records::change(&before.learner, record));
    // A flow that stayed has entered nothing, so its timers keep running.
    let has_entered = turned.taken.iter().any(|taken| !taken.entered.is_empty());
    let has_timers = |state: StateId| has_entered && !machine.timers(state).is_empty();
    Commit {
        instance: store::Instance {
            id: before.id.clone(),
            flow: before.flow.clone(),
            law_hash: machine.hash().to_owned(),
            law_version: machine.version().to_owned(),
            state: machine.state_name(turned.at.state).to_owned(),
            version,
            counters: Value::Object(view::counters(machine, &turned.at)).to_string(),
            data: turned.data.clone(),
            learner: before.learner.clone(),
            outcome: turned.outcome.clone(),
            created_at: before.created_at,
            updated_at: now,
        },
        expect: (before.version > 0).then(|| expect(before)),
        log: log(placed, turned, request, now),
        effects: effects(app, placed, version, turned, now),
        timers: (has_timers(placed.at.state) || has_timers(turned.at.state))
            .then(|| timers(machine, &before.id, turned.at.state, version, now)),
        records: records.collect(),
        seen: setting.seen(turned, &before.learner, now),
        undelivered: is_undelivered(&placed.entry, turned),
        finishes: request.and_then(|request| request.finishes.clone()),
    }
}

/// Where a flow must stand for its next change.
pub fn expect(row: &store::Instance) -> Expect {
    Expect { version: row.version, state: row.state.clone(), created_at: row.created_at }
}

/// Whether the turn has actions that it does not record. Another program may want to perform them by now.
fn is_undelivered(entry: &Entry, turned: &Turned) -> bool {
    entry.is_law_alone() && !entry.delivers && turned.taken.iter().any(|taken| !taken.actions.is_empty())
}

/// One entry for each transition. The first one holds the request's key or, in a new flow, the hash of its law.
fn log(placed: &Placed, turned: &Turned, request: Option<&Request>, now: At) -> Vec<LogEntry> {
    let entry = |(taken, version): (&Taken, u64)| LogEntry {
        instance: placed.row.id.clone(),
        version,
        at: now,
        event: taken.event.clone(),
        source: taken.source.as_str().into(),
        payload: taken.payload.to_string(),
        from_state: taken.from.clone(),
        to_state: taken.to.clone(),
        changes: Value::Object(taken.changes.clone()).to_string(),
        facts: Value::from(taken.facts.clone()).to_string(),
        outcome: taken.outcome.clone(),
        request: None,
    };
    let mut log: Vec<LogEntry> = turned.taken.iter().zip(placed.row.version + 1..).map(entry).collect();
    match (log.first_mut(), request) {
        (Some(first), Some(request)) => first.request = request.request.clone(),
        (Some(first), None) => first.payload = json!({"law": placed.machine.hash()}).to_string(),
        (None, _) => {}
    }
    log
}

/// Effects that are left to the worker are performed in the order of their flow. Flows beside each other share one order:
/// what a review says about an answer comes before what the course says after it.
fn effects(app: &App, placed: &Placed, version: u64, turned: &Turned, now: At) -> Vec<store::Effect> {
    let id = placed.row.id.as_str();
    let queue = if placed.entry.is_scoped() { scope_of(id) } else { id };
    let effect = |(index, effect): (usize, &Effect)| {
        let (key, payload) = (format!("{id}/{version}/{index}"), effect.payload.to_string());
        match app.manner(&effect.kind).is_left {
            true => store::Effect::new(key, queue, &effect.kind, payload, now),
            false => {
                let own = store::Effect::new(key, id, &effect.kind, payload, now);
                store::Effect { attempts: 1, not_before: now.plus_ms(app.lease_ms), ..own }
            }
        }
    };
    turned.effects.iter().enumerate().map(effect).collect()
}

/// The timers of a flow that rests in a state. An event that the law has twice at the same moment comes once.
pub fn timers(machine: &Machine, id: &str, state: StateId, version: u64, now: At) -> Vec<Timer> {
    let armed = machine.timers(state).iter().map(|after| Timer {
        instance: id.to_owned(),
        event: machine.event_name(after.event).to_owned(),
        due_at: now.plus_ms(i64::try_from(after.millis).unwrap_or(i64::MAX)),
        version,
    });
    let mut armed: Vec<Timer> = armed.collect();
    armed.sort_by(|a, b| (a.due_at, &a.event).cmp(&(b.due_at, &b.event)));
    armed.dedup();
    armed
}
