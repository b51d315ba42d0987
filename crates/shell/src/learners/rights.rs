//! Grants a learner's rights: a copy of everything that is kept about them, and its deletion.

use crate::engine::app::App;
use crate::engine::clock::timestamp;
use crate::engine::failure::Failure;
use crate::engine::turn::check_learner;
use crate::learners::access::unknown_learner;
use crate::learners::chats::CHAT_KIND;
use crate::learners::owners::{in_chat_of, mail_of, of_chat, of_learner};
use coaching::ask::{MODEL_KIND, learners_part};
use coaching::face::{NEEDS, Needs};
use coaching::judging::{JUDGE_KIND, without_exam};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use store::{Effect, Erased, Filter, Instance, LogEntry, MAX_LIMIT, Record, RecordChange, Timer};
use uuid::Uuid;

const AUDIT_KIND: &str = "audit";
const PAGE: usize = 1_000;

/// The only trace of a deleted learner: the moment, and how much was deleted.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Deletion {
    pub at: String,
    /// A hash of the name. The line can be found by the name. The hash does not show the name, but names can be
    /// tried out.
    pub learner_hash: String,
    pub flows: u64,
    pub log_entries: u64,
    pub effects: u64,
    pub timers: u64,
    pub records: u64,
}

/// Returns everything about a learner as one document.
pub async fn export(app: &App, learner: &str) -> Result<Value, Failure> {
    check_known(app, learner).await?;
    let (mut flows, mut shared) = (Vec::new(), Vec::new());
    let filter = Filter::of_learner(learner);
    let mut cursor = None;
    loop {
        let page = app.store.list(&filter, cursor.as_ref(), PAGE).await?;
        for row in page.instances {
            shared.extend(app.store.records_in("", &row.id, MAX_LIMIT).await?);
            let needs = app.flows.find(&row.flow).map_or(NEEDS, |entry| entry.needs());
            flows.push(readable(flow(app, row).await?, &needs));
        }
        cursor = page.next;
        if cursor.is_none() {
            break;
        }
    }
    let person = of_learner(learner);
    let mut messages = Vec::new();
    let mut owners = vec![person.clone(), mail_of(learner), in_chat_of(learner)];
    let own = app.store.records_in("", &person, MAX_LIMIT).await?;
    owners.extend(own.iter().filter(|record| record.kind == CHAT_KIND).map(|chat| of_chat(&chat.key)));
    for owner in owners {
        messages.extend(app.store.effects(&owner).await?);
        shared.extend(app.store.records_in("", &owner, MAX_LIMIT).await?);
    }
    Ok(json!({
        "learner": learner,
        "exported_at": timestamp(app.clock.now()),
        "flows": flows,
        "records": records(app, learner).await?.iter().map(record).collect::<Vec<_>>(),
        "messages": messages.iter().map(effect).collect::<Vec<_>>(),
        "about_them": shared.iter().map(record).collect::<Vec<_>>(),
    }))
}

/// Deletes everything about a learner in one transaction. Only an audit line without the name remains.
pub async fn delete(app: &App, learner: &str) -> Result<Deletion, Failure> {
    check_known(app, learner).await?;
    let now = app.clock.now();
    let learner_hash = Uuid::new_v5(&Uuid::NAMESPACE_OID, learner.as_bytes()).to_string();
    let line = |erased: Erased| Deletion {
        at: timestamp(now).to_string(),
        learner_hash: learner_hash.clone(),
        flows: erased.instances,
        log_entries: erased.log,
        effects: erased.effects,
        timers: erased.timers,
        records: erased.records,
    };
    let key = format!("{:016}-{learner_hash}", now.0);
    let note = |deletion: &Deletion| RecordChange::new("", AUDIT_KIND, &key, json!(deletion));
    // The deletion is noted in the same transaction; the amounts are known only afterwards.
    let erased = app.store.erase_learner(learner, &note(&line(Erased::default())), now).await?;
    let deletion = line(erased);
    app.store.remember(&[note(&deletion)], now).await?;
    Ok(deletion)
}

/// Refuses a learner without any data: the name is probably mistyped.
async fn check_known(app: &App, learner: &str) -> Result<(), Failure> {
    check_learner(learner)?;
    let filter = Filter::of_learner(learner);
    let has_flows = !app.store.list(&filter, None, 1).await?.instances.is_empty();
    let has_records = !app.store.all_records(learner, ("", ""), 1).await?.is_empty();
    let is_named = !app.store.records_in("", &of_learner(learner), 1).await?.is_empty();
    if has_flows || has_records || is_named {
        return Ok(());
    }
    Err(unknown_learner(learner))
}

/// Returns every deletion, oldest first.
pub async fn deletions(app: &App) -> Result<Vec<Deletion>, Failure> {
    let records = app.store.records("", AUDIT_KIND, MAX_LIMIT).await?;
    Ok(records.into_iter().filter_map(|record| serde_json::from_str(&record.body).ok()).collect())
}

/// Returns everything about one flow.
pub async fn flow(app: &App, row: Instance) -> Result<Value, Failure> {
    let mut log = Vec::new();
    loop {
        let after = log.last().map_or(0, |entry: &LogEntry| entry.version);
        let page = app.store.log(&row.id, after, PAGE).await?;
        let is_last = page.len() < PAGE;
        log.extend(page);
        if is_last {
            break;
        }
    }
    let effects = app.store.effects(&row.id).await?;
    let timers = app.store.timers(&row.id).await?;
    Ok(json!({
        "id": row.id,
        "flow": row.flow,
        "law_hash": row.law_hash,
        "law_version": row.law_version,
        "state": row.state,
        "version": row.version,
        "outcome": row.outcome,
        "created_at": timestamp(row.created_at),
        "updated_at": timestamp(row.updated_at),
        "counters": document(&row.counters),
        "data": document(&row.data),
        "log": log.iter().map(entry).collect::<Vec<_>>(),
        "effects": effects.iter().map(effect).collect::<Vec<_>>(),
        "timers": timers.iter().map(timer).collect::<Vec<_>>(),
    }))
}

/// Removes what only the coach may know from a flow: how a program is tested, and what passes between the coach and
/// a model.
fn readable(mut flow: Value, needs: &Needs) -> Value {
    for effect in flow["effects"].as_array_mut().into_iter().flatten() {
        let payload = effect["payload"].take();
        effect["payload"] = match effect["kind"].as_str() {
            Some(JUDGE_KIND) => without_exam(payload),
            Some(MODEL_KIND) => learners_part(payload),
            _ => payload,
        };
    }
    for entry in flow["log"].as_array_mut().into_iter().flatten() {
        if entry["event"].as_str().is_some_and(|event| needs.unread.contains(&event)) {
            entry["payload"] = Value::Null;
        }
    }
    flow
}

async fn records(app: &App, learner: &str) -> Result<Vec<Record>, Failure> {
    let mut all: Vec<Record> = Vec::new();
    loop {
        let after = all.last().map_or(("", ""), |record| (record.kind.as_str(), record.key.as_str()));
        let page = app.store.all_records(learner, after, PAGE).await?;
        let is_last = page.len() < PAGE;
        all.extend(page);
        if is_last {
            return Ok(all);
        }
    }
}

/// Parses stored JSON. Text that is not JSON stays text.
fn document(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|_| text.into())
}

fn entry(entry: &LogEntry) -> Value {
    json!({
        "version": entry.version,
        "at": timestamp(entry.at),
        "event": entry.event,
        "source": entry.source,
        "payload": document(&entry.payload),
        "from": entry.from_state,
        "to": entry.to_state,
        "changes": document(&entry.changes),
        "facts": document(&entry.facts),
        "outcome": entry.outcome,
        "request": entry.request,
    })
}

fn effect(effect: &Effect) -> Value {
    json!({
        "key": effect.key,
        "kind": effect.kind,
        "payload": document(&effect.payload),
        "status": effect.status.as_str(),
        "attempts": effect.attempts,
        "last_error": effect.last_error,
        "created_at": timestamp(effect.created_at),
        "done_at": effect.done_at.map(timestamp),
    })
}

fn timer(timer: &Timer) -> Value {
    json!({"event": timer.event, "due_at": timestamp(timer.due_at)})
}

fn record(record: &Record) -> Value {
    json!({
        "kind": record.kind,
        "key": record.key,
        "body": document(&record.body),
        "due_at": record.due_at.map(timestamp),
        "updated_at": timestamp(record.updated_at),
    })
}
