//! Audits the ledgers. The log of every ledger, the answers to the clients and the clerk's deliveries are three
//! accounts of the same events, kept apart until here.

use crate::durability::load::Acknowledged;
use crate::durability::server::Place;
use crate::durability::sink::Sink;
use serde_json::Value;
use std::collections::{BTreeSet, HashMap};

const PAGE: &str = "5000";
/// The page length in the law: a counter shows the events of its kind modulo this.
const LINES: usize = 10;
/// Events and the counters that show them.
const COUNTED: [(&str, &str); 3] =
    [("deposit", "deposits"), ("transfer", "transfers"), ("confirmed", "confirmations")];

/// One transition of a ledger.
#[derive(Debug)]
pub struct Entry {
    version: u64,
    event: String,
    state: String,
    /// The key that the client sent with the request.
    pub key: Option<String>,
}

/// Compares the three accounts and panics where they differ. Servers must be stopped and effects drained.
pub fn audit(place: &Place, instances: &[String], acknowledged: &[Acknowledged], sink: &Sink) {
    let mut booked = HashMap::new();
    let mut expected_effects = BTreeSet::new();
    for instance in instances {
        let entries = check_ledger(place, instance);
        let (transfers, confirmations) = (count(&entries, "transfer"), count(&entries, "confirmed"));
        assert_eq!(transfers, confirmations, "{instance}: results of effects were lost or taken twice");
        for entry in &entries {
            if ["noted", "wired"].contains(&entry.state.as_str()) {
                expected_effects.insert(format!("{instance}/{}/0", entry.version));
            }
        }
        for entry in entries {
            let Some(key) = entry.key.clone() else { continue };
            let twice = booked.insert(key, (instance.clone(), entry));
            assert!(twice.is_none(), "one key was taken twice: {twice:?}");
        }
    }
    check_acknowledged(&booked, acknowledged);
    let performed: BTreeSet<String> = sink.deliveries().into_keys().collect();
    let lost: Vec<_> = expected_effects.difference(&performed).collect();
    assert!(lost.is_empty(), "effects were lost: {lost:?}");
    let invented: Vec<_> = performed.difference(&expected_effects).collect();
    assert!(invented.is_empty(), "effects of turns that never happened: {invented:?}");
    assert_eq!(place.ask(&["dead"]), Value::Array(Vec::new()), "effects were given up");
    let deliveries: u64 = sink.deliveries().values().sum();
    println!(
        "the books balance: {} turns acknowledged ({} of them on repetition), {} effects in {deliveries} deliveries",
        acknowledged.len(),
        acknowledged.iter().filter(|acknowledged| acknowledged.repeated).count(),
        performed.len(),
    );
}

/// Returns the log of one ledger after comparing it with the state and the law.
pub fn check_ledger(place: &Place, instance: &str) -> Vec<Entry> {
    let replay = place.ask(&["replay", instance]);
    assert_eq!(replay["same"], true, "{instance}: log and state differ: {replay}");
    let entries = read_log(place, instance);
    let view = place.ask(&["show", instance]);
    assert_eq!(view["version"], entries.len(), "{instance}: one entry for every version");
    for (event, counter) in COUNTED {
        let expected = count(&entries, event) % LINES;
        assert_eq!(view["counters"][counter], expected, "{instance}: {counter} in {view}");
    }
    entries
}

/// Checks that every acknowledged request is in the log once, as it was answered, and that no other request is.
fn check_acknowledged(booked: &HashMap<String, (String, Entry)>, acknowledged: &[Acknowledged]) {
    for told in acknowledged {
        let Some((instance, entry)) = booked.get(&told.key) else {
            panic!("an acknowledged turn is lost: {told:?}");
        };
        assert_eq!((instance, entry.event.as_str()), (&told.instance, told.event), "{told:?}");
        // Nothing follows from a deposit, so its answer shows the version that it made. The answer to a transfer
        // may include the confirmation, and a repeated answer shows the ledger as it stands now.
        let is_own = told.event == "deposit" && !told.repeated;
        let is_true = if is_own { told.version == entry.version } else { told.version >= entry.version };
        assert!(is_true, "booked as version {}, answered {told:?}", entry.version);
    }
    let keys: BTreeSet<_> = acknowledged.iter().map(|told| &told.key).collect();
    let surplus: Vec<_> = booked.keys().filter(|key| !keys.contains(key)).collect();
    assert!(surplus.is_empty(), "turns that were not asked for: {surplus:?}");
}

fn count(entries: &[Entry], event: &str) -> usize {
    entries.iter().filter(|entry| entry.event == event).count()
}

fn read_log(place: &Place, instance: &str) -> Vec<Entry> {
    let mut entries = Vec::new();
    loop {
        let after = entries.len().to_string();
        let page = place.ask(&["log", instance, "--after", &after, "--limit", PAGE]);
        let page = page["entries"].as_array().expect("a log has entries");
        if page.is_empty() {
            return entries;
        }
        entries.extend(page.iter().map(entry));
    }
}

fn entry(entry: &Value) -> Entry {
    let text = |name: &str| entry[name].as_str().unwrap_or_default().to_owned();
    Entry {
        version: entry["version"].as_u64().expect("an entry has a version"),
        event: text("event"),
        state: text("to"),
        key: entry["payload"]["key"].as_str().map(str::to_owned),
    }
}
