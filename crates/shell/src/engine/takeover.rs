//! Decides whether the current law can take over a running flow. Laws change while flows run.

use crate::engine::app::{App, Placed};
use crate::engine::commit;
use crate::engine::failure::{Failure, counted};
use crate::engine::flows::{FlowEntry, Flows, StoredLaw};
use crate::engine::view;
use coaching::turn::Source;
use flow::{Bounds, Instance, Law, Machine, Migration, Overrides};
use serde_json::{Map, Value, json};
use std::sync::Arc;
use store::{Commit, CommitError, Filter, LawInUse, LogEntry, StoreError};

const PAGE: usize = 500;

/// The present law, and the migration that brings instances of an older law to it.
pub type Present = (Arc<Machine>, Migration);

/// Returns the machine on which instances of the stored law go on, or why there is none.
pub fn machine(flows: &Flows, entry: &FlowEntry, stored: &StoredLaw, hash: &str) -> Result<Present, String> {
    let present = flows
        .machine(entry, &stored.set)
        .map_err(|unproved| format!("the present law has {}", counted(unproved.problems.len(), "problem")))?;
    if present.hash() == hash {
        return Ok((present, Migration::default()));
    }
    let old = bind(entry, stored)?;
    let migration = flows.migration(&old, &present)?;
    let difference = flow::diff(&old, &present, &migration, Bounds::default());
    if difference.compatible {
        return Ok((present, migration));
    }
    let homeless = difference.homeless.first();
    Err(homeless.map_or_else(|| "it changed incompatibly".into(), |h| format!("`{}`: {}", h.state, h.reason)))
}

/// Returns the reason why the law here must not take over from a stored law that fits: it is the older of the two.
/// While programs are replaced one by one, both laws are served, and flows only move forward. An explicit migration
/// allows a move back.
pub async fn lag(
    app: &App,
    entry: &FlowEntry,
    stored: &StoredLaw,
    hash: &str,
) -> Result<Option<String>, StoreError> {
    let age = async |text: &str| app.store.law_age(&entry.name, &StoredLaw::beginning(text)).await;
    let mut ages = vec![age(&entry.law.source).await?];
    // A law that differs only in comments is stored with its first text, under the same hash.
    let plain = entry.bind(&Overrides::new()).ok();
    for hash in plain.iter().map(|machine| machine.hash()).chain([hash]) {
        ages.push(app.store.law_get(hash).await?.map(|law| law.created_at));
    }
    let (here, there) = (ages.into_iter().flatten().min(), age(&stored.law).await?);
    let Some(old) = Law::read(&stored.law).ok().filter(|_| here.is_some() && here < there) else {
        return Ok(None);
    };
    let (from, to) = (&old.version, &entry.law.version);
    let is_meant = |m: &Migration| m.session == old.session.name && m.from == *from && m.to == *to;
    let reason = || {
        format!(
            "{from}, under which it runs, came after {to}; to go back, give the law a version of its own or a migration"
        )
    };
    Ok((!app.flows.migrations().iter().any(is_meant)).then(reason))
}

/// Binds a stored law as it was, even if it would fail a proof today.
pub fn bind(entry: &FlowEntry, stored: &StoredLaw) -> Result<Machine, String> {
    let first = |problems: Vec<flow::Problem>| {
        problems
            .first()
            .map_or_else(|| "the old law cannot be read".into(), |problem| problem.message.clone())
    };
    let law = Law::read(&stored.law).map_err(first)?;
    Machine::bind(&law, entry.vocabulary.as_ref(), &stored.set).map_err(first)
}

/// Converts a stored row to an instance of the present machine.
pub fn carry(machine: &Machine, migration: &Migration, row: &store::Instance) -> Result<Instance, String> {
    let name = migration.state(&row.state);
    let state = machine.state_named(name).ok_or_else(|| format!("the law no longer has a state `{name}`"))?;
    let stored: Map<String, Value> = serde_json::from_str(&row.counters)
        .map_err(|error| format!("the counters cannot be read: {error}"))?;
    let mut at = Instance { state, counters: Default::default() };
    for (slot, name) in at.counters.iter_mut().zip(machine.counter_names()) {
        let kept = migration.counter(name).and_then(|old| stored.get(old)).and_then(Value::as_u64);
        let value = kept.unwrap_or_else(|| machine.counter_start(name).into());
        *slot = u32::try_from(value).map_err(|_| format!("the counter `{name}` is out of range"))?;
    }
    Ok(at)
}

/// The log's event for a flow that went on under another law.
pub const LAW_CHANGED: &str = "law_changed";

/// Records that an instance goes on under the present law, and sets its timers accordingly.
pub async fn take_over(app: &App, placed: &Placed) -> Result<(), CommitError> {
    let (row, machine) = (&placed.row, &placed.machine);
    let (now, version) = (app.clock.now(), row.version + 1);
    let counters = Value::Object(view::counters(machine, &placed.at));
    let state = machine.state_name(placed.at.state).to_owned();
    let entry = LogEntry {
        instance: row.id.clone(),
        version,
        at: now,
        event: LAW_CHANGED.into(),
        source: Source::System.as_str().into(),
        payload: json!({"law": machine.hash(), "counters": counters}).to_string(),
        from_state: row.state.clone(),
        to_state: state.clone(),
        changes: "{}".into(),
        facts: "[]".into(),
        outcome: None,
        request: None,
    };
    let is_timed = placed.entry.handlers.get().is_timed(&row.data);
    let mut timers = commit::timers(machine, &row.id, &placed.at, is_timed, version, now);
    for old in app.store.timers(&row.id).await? {
        // A running deadline keeps its time; the timers of the state start again.
        let is_deadline =
            machine.deadlines(placed.at.state).any(|after| machine.event_name(after.event) == old.event);
        timers
            .iter_mut()
            .filter(|new| is_deadline && new.event == old.event)
            .for_each(|new| new.due_at = old.due_at);
    }
    let commit = Commit {
        expect: Some(commit::expect(row)),
        log: vec![entry],
        effects: Vec::new(),
        timers: Some(timers),
        records: Vec::new(),
        seen: None,
        undelivered: false,
        finishes: None,
        instance: store::Instance {
            law_hash: machine.hash().to_owned(),
            law_version: machine.version().to_owned(),
            state,
            version,
            counters: counters.to_string(),
            updated_at: now,
            ..row.clone()
        },
    };
    app.store.commit(commit).await
}

/// Tells the other programs on this database which laws are served here, and whether their actions are performed.
pub async fn announce(app: &App) -> Result<(), Failure> {
    for entry in app.flows.entries() {
        let machine = app.flows.machine(entry, &Overrides::new())?;
        app.keep_law(entry, &machine, Overrides::new()).await?;
    }
    Ok(())
}

/// Moves every open instance to the present law if that law can take it over, and warns of the others. Returns the
/// number moved.
pub async fn take_all_over(app: &App) -> Result<usize, StoreError> {
    let mut moved = 0;
    for law in app.store.laws_in_use().await? {
        match app.present_hash(&law.hash, &law.flow).await {
            Ok(hash) if hash == law.hash => {}
            Ok(_) => moved += take_law_over(app, &law).await?,
            Err(reason) => {
                let LawInUse { flow, version, open, .. } = &law;
                let open = counted(*open as usize, "open flow");
                tracing::warn!("{open} of `{flow}` {version} will be refused: {reason}");
            }
        }
    }
    Ok(moved)
}

async fn take_law_over(app: &App, law: &LawInUse) -> Result<usize, StoreError> {
    let filter = Filter { open: Some(true), ..Filter::of_flow(&law.flow) };
    let (mut moved, mut cursor) = (0, None);
    loop {
        let page = app.store.list(&filter, cursor.as_ref(), PAGE).await?;
        for row in page.instances.into_iter().filter(|row| row.law_hash == law.hash) {
            // Another node may try this too; the slower one is refused because the version has changed.
            if let Ok(placed) = app.place(row).await
                && take_over(app, &placed).await.is_ok()
            {
                moved += 1;
            }
        }
        cursor = page.next;
        if cursor.is_none() {
            tracing::info!(
                "{} of `{}` {} moved to the present law",
                counted(moved, "open flow"),
                law.flow,
                law.version
            );
            return Ok(moved);
        }
    }
}
