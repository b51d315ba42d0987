//! Cases of whole learners: which there are, and that nothing is left of a deleted one.

use std::time::Duration;

use store::{At, Basis, Commit, CommitError, Effect, Erased, Instance, RecordChange, Store};

use super::Place;
use crate::common::{NOW, birth, effect, instance, record, timer, turn};

/// Creates a learner's flow with everything that a flow can have, and documents without a learner that name it.
async fn flow(store: &Store, learner: &str, id: &str) {
    let row = Instance { learner: learner.into(), flow: "teach".into(), ..instance(id) };
    let commit = Commit {
        effects: vec![effect(id, 1, 0), effect(id, 1, 1)],
        timers: Some(vec![timer(id, "lapsed", NOW)]),
        records: vec![record(learner, "item", id, Some("{}")), record(learner, "profile", "me", Some("{}"))],
        ..birth(row)
    };
    store.commit(commit).await.expect("a flow is there");
    let shared = |kind: &str, key: String, scope: &str| RecordChange {
        scope: scope.into(),
        ..record("", kind, &key, Some("{}"))
    };
    let person = format!("learner/{learner}");
    let documents = [
        shared("sent", format!("42/{id}"), id),
        shared("chat", format!("chat-{learner}"), &person),
        shared("ledger", format!("flow/{id}"), ""),
    ];
    store.remember(&documents, NOW).await.expect("documents are there");
    let letter = Effect { key: format!("{person}/digest"), instance: person, ..effect("x", 1, 0) };
    store.post_effects(&[letter]).await.expect("a letter is there");
}

async fn left(store: &Store, learner: &str, id: &str) -> [usize; 6] {
    let shared = store.all_records("", ("", ""), 100).await.expect("documents are read");
    let is_about = |key: &str| key.ends_with(id) || key.ends_with(learner);
    [
        usize::from(store.load(id).await.expect("flows are read").is_some()),
        store.log(id, 0, 10).await.expect("the log is read").len(),
        store.effects(id).await.expect("effects are read").len()
            + store.effects(&format!("learner/{learner}")).await.expect("effects are read").len(),
        store.timers(id).await.expect("timers are read").len(),
        store.all_records(learner, ("", ""), 100).await.expect("documents are read").len(),
        shared.iter().filter(|record| is_about(&record.key)).count(),
    ]
}

pub async fn a_learner_is_erased_whole(place: Place) {
    let store = place.open().await;
    flow(&store, "ada", "flow-a").await;
    flow(&store, "bob", "flow-b").await;
    assert_eq!(left(&store, "ada", "flow-a").await, [1, 1, 3, 1, 2, 3]);
    let note = record("", "audit", "1", Some("{}"));
    let erased = store.erase_learner("ada", &note, NOW).await;
    assert_eq!(erased, Ok(Erased { instances: 1, log: 1, effects: 3, timers: 1, records: 5 }));
    assert_eq!(left(&store, "ada", "flow-a").await, [0; 6]);
    assert_eq!(left(&store, "bob", "flow-b").await, [1, 1, 3, 1, 2, 3], "others keep what is theirs");
    assert!(store.record("", "audit", "1").await.expect("the note is read").is_some());
    assert_eq!(store.erase_learner("ada", &note, NOW).await, Ok(Erased::default()), "it does no harm twice");
}

/// Turns go on while their learner is deleted. Each comes before the deletion and is deleted too, or after it and
/// is refused.
pub async fn nothing_is_left_beside_writers(place: Place) {
    let store = place.open().await;
    let nodes = [store.clone(), place.beside(&store).await];
    let note = record("", "audit", "1", Some("{}"));
    let ids: Vec<String> = (0..12).map(|number| format!("flow-{number}")).collect();
    // Later rounds show that the ids can be used again.
    for round in 0..3 {
        for id in &ids {
            flow(&store, "ada", id).await;
        }
        let writers: Vec<_> = ids
            .iter()
            .enumerate()
            .map(|(number, id)| {
                tokio::spawn(write_on(nodes[number % 2].clone(), id.clone(), number % 3 == 0))
            })
            .collect();
        tokio::time::sleep(Duration::from_millis(150)).await;
        let erased = store.erase_learner("ada", &note, NOW).await.expect("it is deleted");
        assert_eq!(erased.instances, 12, "round {round}");
        let mut turns = 0;
        for writer in writers {
            turns += writer.await.expect("a writer ends");
        }
        assert_eq!(erased.log, 12 + turns, "every turn that was promised was deleted, round {round}");
        for id in &ids {
            assert_eq!(left(&store, "ada", id).await, [0; 6], "round {round}");
        }
    }
}

/// Takes turns until the flow is gone, and returns their number. Scoped turns rest on documents that they change.
async fn write_on(store: Store, id: String, is_scoped: bool) -> u64 {
    let row = store.load(&id).await.expect("it is read").expect("it is there");
    let (mut at, mut scope_version) = (row, 0);
    loop {
        let seen = is_scoped.then(|| Basis {
            scope: format!("scope-{id}"),
            version: scope_version,
            next: scope_version + 1,
            kind: "profile".into(),
            key: "me".into(),
            body: "{}".into(),
        });
        let commit = Commit {
            effects: vec![effect(&id, at.version + 1, 0)],
            timers: Some(vec![timer(&id, "lapsed", NOW)]),
            records: vec![record("ada", "item", &id, Some("{}"))],
            seen,
            ..turn(&at)
        };
        let next = commit.instance.clone();
        match store.commit(commit).await {
            Ok(()) => (at, scope_version) = (next, scope_version + 1),
            Err(CommitError::Conflict { current: None }) => return at.version - 1,
            Err(error) => panic!("{id}: {error}"),
        }
    }
}

pub async fn learners_are_found_by_their_flows(place: Place) {
    let store = place.open().await;
    for (learner, id, ms) in [("bob", "b", 0), ("ada", "a1", 1), ("ada", "a2", 5), ("cleo", "c", 9)] {
        let row = Instance { learner: learner.into(), created_at: NOW.plus_ms(ms), ..instance(id) };
        store.commit(birth(row)).await.expect("a flow is there");
    }
    let rows: [(&str, At, &str, usize, &[&str]); 5] = [
        ("drill", NOW, "", 9, &["ada", "bob", "cleo"]),
        ("drill", NOW.plus_ms(1), "", 9, &["ada", "cleo"]),
        ("drill", NOW, "", 2, &["ada", "bob"]),
        ("drill", NOW, "bob", 2, &["cleo"]),
        ("teach", NOW, "", 9, &[]),
    ];
    for (flow, since, after, limit, expected) in rows {
        let found = store.learners_since(flow, since, after, limit).await.expect("learners are read");
        assert_eq!(found, expected, "{flow} {since:?} {after}");
    }
}
