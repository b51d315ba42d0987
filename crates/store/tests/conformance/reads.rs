//! Cases of reads: pages, filters, logs, documents and counts.

use serde_json::{Value, json};
use store::{Commit, Counts, Filter, Instance, Law, LawInUse, RecordChange};

use super::Place;
use crate::common::{NOW, birth, born, effect, instance, record, timer, turn};

pub async fn pages_are_complete_under_inserts(place: Place) {
    let store = place.open().await;
    let mut wanted = Vec::new();
    for number in 0..50 {
        // Several instances have the same time, so the id has to break the tie.
        let created_at = NOW.plus_ms(number / 7);
        let first = Instance { created_at, ..instance(&format!("i{number:02}")) };
        wanted.push((created_at, first.id.clone()));
        store.commit(birth(first)).await.expect("it is born");
    }
    wanted.sort();
    wanted.reverse();

    let (mut seen, mut cursor, mut pages) = (Vec::new(), None, 0);
    loop {
        let page = store.list(&Filter::default(), cursor.as_ref(), 8).await.expect("a page");
        seen.extend(page.instances.into_iter().map(|instance| (instance.created_at, instance.id)));
        pages += 1;
        let newer = Instance { created_at: NOW.plus_ms(1000 + pages), ..instance(&format!("new-{pages}")) };
        store.commit(birth(newer)).await.expect("it is born");
        let Some(next) = page.next else { break };
        cursor = Some(next.to_string().parse().expect("a cursor survives its text form"));
    }
    assert_eq!(seen, wanted);
    assert_eq!(pages, 7);
}

pub async fn lists_are_filtered(place: Place) {
    let store = place.open().await;
    for number in 0..8u32 {
        let first = Instance {
            flow: if number & 1 == 0 { "drill" } else { "teach" }.into(),
            learner: if number & 2 == 0 { "ada" } else { "bob" }.into(),
            outcome: (number & 4 != 0).then(|| "learned".into()),
            state: if number & 4 == 0 { "asking" } else { "done" }.into(),
            created_at: NOW.plus_ms(number.into()),
            ..instance(&number.to_string())
        };
        store.commit(birth(first)).await.expect("it is born");
    }
    let text = |text: &str| Some(text.to_owned());
    let filters = [
        (Filter::default(), "7 6 5 4 3 2 1 0"),
        (Filter { flow: text("drill"), ..Filter::default() }, "6 4 2 0"),
        (Filter { learner: text("bob"), ..Filter::default() }, "7 6 3 2"),
        (Filter { state: text("done"), ..Filter::default() }, "7 6 5 4"),
        (Filter { open: Some(true), ..Filter::default() }, "3 2 1 0"),
        (Filter { open: Some(false), flow: text("teach"), ..Filter::default() }, "7 5"),
        (Filter { flow: text("teach"), state: text("done"), learner: text("ada"), open: Some(false) }, "5"),
        (Filter { flow: text("voice"), ..Filter::default() }, ""),
    ];
    for (filter, wanted) in filters {
        let page = store.list(&filter, None, 10).await.expect("a page");
        let ids: Vec<String> = page.instances.into_iter().map(|instance| instance.id).collect();
        assert_eq!(ids.join(" "), wanted, "{filter:?}");
        assert_eq!(page.next, None);
    }
}

pub async fn the_log_is_read_in_parts(place: Place) {
    let store = place.open().await;
    let mut at = born(&store, "a").await;
    for _ in 0..9 {
        let commit = turn(&at);
        at = commit.instance.clone();
        store.commit(commit).await.expect("a turn");
    }
    for (after, limit, wanted) in
        [(0, 3, vec![1, 2, 3]), (3, 3, vec![4, 5, 6]), (8, 9, vec![9, 10]), (10, 9, vec![])]
    {
        let log = store.log("a", after, limit).await.expect("the log");
        assert_eq!(log.iter().map(|entry| entry.version).collect::<Vec<_>>(), wanted);
    }
}

/// Values are compared as JSON, because PostgreSQL puts spaces in other places.
pub async fn data_is_a_key_value_view(place: Place) {
    let store = place.open().await;
    let read = async |key: &str| {
        let entry = store.kv(key).await.expect("the view is read");
        entry.map(|entry| (serde_json::from_str::<Value>(&entry.value).expect("JSON"), entry.version))
    };
    let first = born(&store, "a").await;
    assert_eq!(read("flow:a").await, Some((json!({"of": "a"}), 1)));
    let mut commit = turn(&first);
    commit.instance.data = r#"{"x":1,"desk":{"answer":42}}"#.into();
    store.commit(commit).await.expect("a turn");
    assert_eq!(read("flow:a").await, Some((json!({"x": 1}), 2)), "the desk is left out");
    let mut odd = born(&store, "odd").await;
    for (data, wanted) in [(r#"{"x":"\u0000"}"#, json!({"x": "\0"})), (r#"{"desk":1}"#, json!({}))] {
        let mut commit = turn(&odd);
        commit.instance.data = data.into();
        odd = commit.instance.clone();
        store.commit(commit).await.expect("a turn");
        assert_eq!(read("flow:odd").await, Some((wanted, odd.version)));
    }
    assert_eq!((read("flow:b").await, read("a").await), (None, None));
}

pub async fn records_are_kept_ranked_and_due(place: Place) {
    let store = place.open().await;
    let due = |change: RecordChange, ms: i64| RecordChange { due_at: Some(NOW.plus_ms(ms)), ..change };
    let ranked = |change: RecordChange, rank: f64| RecordChange { rank: Some(rank), ..change };
    let records = vec![
        record("ada", "item", "unranked", Some("{}")),
        ranked(due(record("ada", "item", "casa", Some("old")), 1), 9.0),
        ranked(due(record("ada", "item", "perro", Some("{}")), 30), 0.5),
        due(record("bob", "item", "gato", Some("{}")), 10),
        record("ada", "review", "casa", Some("{}")),
        record("ada", "item", "gone", Some("{}")),
        record("ada", "item", "gone", None),
        ranked(due(record("ada", "item", "casa", Some("new")), 20), 2.0),
    ];
    let first = instance("a");
    store.commit(Commit { records, ..birth(first.clone()) }).await.expect("the records are there");

    let items = store.records("ada", "item", 10).await.expect("the items");
    let keys: Vec<(&str, &str)> = items.iter().map(|item| (item.key.as_str(), item.body.as_str())).collect();
    assert_eq!(keys, [("perro", "{}"), ("casa", "new"), ("unranked", "{}")]);
    assert_eq!(
        (items[1].due_at, items[1].rank, items[1].updated_at),
        (Some(NOW.plus_ms(20)), Some(2.0), NOW)
    );
    assert_eq!(store.records("ada", "item", 1).await.expect("one").len(), 1);

    for (ms, wanted) in
        [(9, vec![]), (10, vec!["gato"]), (25, vec!["gato", "casa"]), (30, vec!["gato", "casa", "perro"])]
    {
        let due = store.due_records("item", NOW.plus_ms(ms), 10).await.expect("the due ones");
        assert_eq!(due.iter().map(|record| record.key.as_str()).collect::<Vec<_>>(), wanted, "at {ms}");
    }

    for (outside_of, ms, wanted) in
        [("other", 1, vec![(20, 1), (30, 1)]), ("other", 20, vec![(30, 1)]), ("", 1, vec![])]
    {
        let ahead =
            store.due_ahead(("ada", "item"), outside_of, NOW.plus_ms(ms)).await.expect("what is ahead");
        let wanted: Vec<_> = wanted.into_iter().map(|(ms, count)| (NOW.plus_ms(ms), count)).collect();
        assert_eq!(ahead, wanted, "outside of {outside_of:?} after {ms}");
    }

    let records = vec![record("ada", "item", "casa", None), record("ada", "item", "never", None)];
    store.commit(Commit { records, ..turn(&first) }).await.expect("a turn");
    let left: Vec<String> =
        store.records("ada", "item", 10).await.expect("rest").into_iter().map(|r| r.key).collect();
    assert_eq!(left, ["perro", "unranked"]);
}

pub async fn laws_in_use_are_counted(place: Place) {
    let store = place.open().await;
    let text = |text: &str| text.to_owned();
    let law = Law {
        hash: text("hash-1"),
        flow: text("drill"),
        version: text("0.2"),
        source: text("session: DialogueSession"),
        delivers: false,
        created_at: NOW,
    };
    assert_eq!(store.law_put(&law).await, Ok(()));
    let performed = Law { delivers: true, ..law.clone() };
    for again in [&performed, &Law { source: text("other"), created_at: NOW.plus_ms(1), ..law.clone() }] {
        assert_eq!(
            store.law_put(again).await,
            Ok(()),
            "what is known about a law is added to, never taken away"
        );
        assert_eq!(store.law_get("hash-1").await, Ok(Some(performed.clone())));
    }
    let later = Law { hash: text("hash-3"), created_at: NOW.plus_ms(5), ..law };
    assert_eq!(store.law_put(&later).await, Ok(()));
    for (flow, beginning, age) in [
        ("drill", "session: Dialogue", Some(NOW)),
        ("drill", "session: D_alogue", None),
        ("agent", "session: Dialogue", None),
    ] {
        assert_eq!(store.law_age(flow, beginning).await, Ok(age), "{flow} {beginning}");
    }
    assert_eq!(store.law_get("hash-2").await, Ok(None));

    let second = Instance { law_hash: text("hash-2"), law_version: text("0.3"), ..instance("c") };
    let finished = Instance { outcome: Some(text("learned")), ..instance("d") };
    for first in [instance("a"), instance("b"), second, finished] {
        store.commit(birth(first)).await.expect("it is born");
    }
    let in_use = |hash: &str, version: &str, open| LawInUse {
        hash: text(hash),
        flow: text("drill"),
        version: text(version),
        open,
    };
    assert_eq!(store.laws_in_use().await, Ok(vec![in_use("hash-1", "0.2", 2), in_use("hash-2", "0.3", 1)]));
}

pub async fn counts_are_right(place: Place) {
    let store = place.open().await;
    let effects = (0..3).map(|index| effect("a", 1, index)).collect();
    let timers = Some(vec![timer("a", "soon", NOW), timer("a", "late", NOW.plus_ms(1))]);
    store.commit(Commit { effects, timers, ..birth(instance("a")) }).await.expect("it is born");
    let finished = Instance { outcome: Some("learned".into()), ..instance("b") };
    store.commit(birth(finished)).await.expect("it is born");
    store.bury_effect("a/1/0", "n", "no").await.expect("it is buried");
    store.finish_effect("a/1/1", NOW).await.expect("it is done");
    let wanted = Counts { instances_open: 1, effects_pending: 1, effects_dead: 1, timers_due: 1 };
    assert_eq!(store.counts(NOW).await, Ok(wanted));
}
