//! Turns a decided turn into one commit.

use super::app::{App, Placed};
use super::flows::FlowEntry;
use super::setting::{Setting, scope_of};
use super::turn::Request;
use super::{records, view};
use coaching::turn::{Effect, Taken, Turned};
use flow::{After, Instance, Machine, Origin, StateId};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use store::{At, Commit, Expect, LogEntry, Timer};

/// Collects everything that the turn changes.
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
    // A flow that stayed in its state has entered nothing, so its timers keep running.
    let has_entered = turned.taken.iter().any(|taken| !taken.entered.is_empty());
    let has_timers = |state: StateId| {
        has_entered && (!machine.timers(state).is_empty() || machine.deadlines(state).next().is_some())
    };
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
            .then(|| timers(machine, &before.id, &turned.at, turned.is_timed, version, now)),
        records: records.collect(),
        seen: setting.seen(turned, &before.learner, now),
        undelivered: is_undelivered(&placed.entry, turned),
        // An effect that was given up stays in the list.
        finishes: request.and_then(|request| request.finishes.clone().filter(|_| request.given_up.is_none())),
    }
}

/// Returns the position that a flow must still have when its next change is committed.
pub fn expect(row: &store::Instance) -> Expect {
    Expect { version: row.version, state: row.state.clone(), created_at: row.created_at }
}

/// Whether the turn has actions that it does not record. Another program may want to perform them by now.
fn is_undelivered(entry: &FlowEntry, turned: &Turned) -> bool {
    entry.is_law_alone() && !entry.delivers && turned.taken.iter().any(|taken| !taken.actions.is_empty())
}

/// Returns one entry for each transition. The first one holds the request's key or, in a new flow, the hash of its
/// law.
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

/// Returns the effects of a turn. Effects left to the worker are performed in the order of their flow. Flows that
/// share documents share one order: what a review says about an answer comes before what the course says after it.
fn effects(app: &App, placed: &Placed, version: u64, turned: &Turned, now: At) -> Vec<store::Effect> {
    let id = placed.row.id.as_str();
    let queue = if placed.entry.is_scoped() { scope_of(id) } else { id };
    let effect = |(index, effect): (usize, &Effect)| {
        let (key, payload) = (format!("{id}/{version}/{index}"), effect.payload.to_string());
        match app.manner(&effect.kind).is_left {
            true => store::Effect::new(key, queue, &effect.kind, payload, now),
            false => store::Effect {
                attempts: 1,
                lease_owner: Some(app.node.clone()),
                lease_until: Some(now.plus_ms(app.lease_ms)),
                ..store::Effect::new(key, id, &effect.kind, payload, now)
            },
        }
    };
    turned.effects.iter().enumerate().map(effect).collect()
}

/// Removes from `timers` the deadlines that started before the turn, and returns the names of their events. The flow
/// has been within their groups all the time, so they keep running.
pub fn running_deadlines(
    machine: &Machine,
    from: StateId,
    turned: &Turned,
    timers: &mut Vec<Timer>,
) -> BTreeSet<String> {
    let has = |state: StateId, event: &str| {
        machine.deadlines(state).any(|after| machine.event_name(after.event) == event)
    };
    let rests: Vec<StateId> = std::iter::once(from)
        .chain(turned.taken.iter().filter_map(|taken| machine.state_named(&taken.to)))
        .collect();
    let is_running = |timer: &Timer| rests.iter().all(|state| has(*state, &timer.event));
    let running = timers.iter().filter(|timer| is_running(timer)).map(|timer| timer.event.clone()).collect();
    timers.retain(|timer| !is_running(timer));
    running
}

/// Returns the timers of a flow that rests in a state; silence timers only if silence counts. Two timers for the
/// same event at the same moment become one.
pub fn timers(
    machine: &Machine,
    id: &str,
    at: &Instance,
    is_timed: bool,
    version: u64,
    now: At,
) -> Vec<Timer> {
    let all = machine.timers(at.state).iter().copied().chain(machine.deadlines(at.state));
    let counts = |after: &After| is_timed || machine.origin(after.event) != Origin::Silence;
    let armed = all.filter(counts).map(|after| Timer {
        instance: id.to_owned(),
        event: machine.event_name(after.event).to_owned(),
        due_at: now.plus_ms(i64::try_from(after.delay(&at.counters)).unwrap_or(i64::MAX)),
        version,
    });
    let mut armed: Vec<Timer> = armed.collect();
    armed.sort_by(|a, b| (a.due_at, &a.event).cmp(&(b.due_at, &b.event)));
    armed.dedup();
    armed
}
