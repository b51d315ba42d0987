//! Tests that an older program's file is upgraded with everything in it.

use crate::common::{NOW, entry, instance, turn};
use store::{Basis, Commit, RecordChange, Store};

/// The schema from before the log became a chain and scopes got versions.
const OLDER: [&str; 4] = [
    include_str!("../migrations/0001_start.sql"),
    include_str!("../migrations/0002_scopes.sql"),
    include_str!("../migrations/0003_messages.sql"),
    include_str!("../migrations/0004_due.sql"),
];
/// More entries than are marked at once.
const LONG: u32 = 150;
const LOG: &str = "INSERT INTO log (instance, version, at, event, source, payload, from_state, to_state, changes, facts, \
                   outcome, request, commit_id) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13)";

fn older_file(path: &std::path::Path) -> rusqlite::Result<()> {
    let connection = rusqlite::Connection::open(path)?;
    connection.execute_batch(include_str!("../queries/migration_table.sql"))?;
    for (text, version) in OLDER.iter().zip(1..) {
        let awake = text.replace("/*sqlite: json_remove(data, '$.desk')*/", "json_remove(data, '$.desk')");
        connection.execute_batch(&awake)?;
        connection.execute(include_str!("../queries/migration_record.sql"), (version, "older"))?;
    }
    for (id, version) in [("a", 3), ("b", 3), ("long", LONG)] {
        let row = instance(id);
        connection.execute(
            "INSERT INTO instance VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?10, ?7, NULL, ?8, ?8, NULL, ?9)",
            (
                &row.id,
                &row.flow,
                &row.law_hash,
                &row.law_version,
                &row.learner,
                &row.state,
                &row.counters,
                NOW.0,
                &row.data,
                version,
            ),
        )?;
    }
    // The turns of two flows, interleaved.
    let short = [("a", 1_u32), ("b", 1), ("b", 2), ("a", 2), ("b", 3), ("a", 3)];
    for (id, version) in short.into_iter().chain((1..=LONG).map(|version| ("long", version))) {
        let e = entry(id, version.into());
        connection.execute(
            LOG,
            rusqlite::params![
                e.instance,
                version,
                e.at.0,
                e.event,
                e.source,
                e.payload,
                e.from_state,
                e.to_state,
                e.changes,
                e.facts,
                e.outcome,
                (version == 2).then_some("request"),
                None::<i64>
            ],
        )?;
    }
    for (hash, delivers) in [("left", false), ("performed", true)] {
        let source = format!(r#"{{"law":"session: A","set":{{}},"delivers":{delivers}}}"#);
        connection.execute("INSERT INTO law VALUES (?1, 'A', '1', ?2, 0)", (hash, source))?;
    }
    connection.execute(
        "INSERT INTO record VALUES ('ada', 'mind_map_node', 'n', '{}', NULL, NULL, 0, 'a', 'unseen')",
        [],
    )?;
    Ok(())
}

#[tokio::test]
async fn an_older_file_keeps_its_log_and_its_scopes() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("older.db");
    older_file(&path).expect("an older file");
    let store = Store::open(&format!("sqlite:{}", path.display())).await.expect("it opens");

    for id in ["a", "b"] {
        let row = store.load(id).await.expect("it is read").expect("it is there");
        let versions = async |after| {
            let log = store.log(id, after, 10).await.expect("it is read");
            log.iter().map(|entry| entry.version).collect::<Vec<u64>>()
        };
        assert_eq!(versions(0).await, [1, 2, 3]);
        let records = vec![RecordChange {
            learner: "ada".into(),
            kind: "mind_map_node".into(),
            key: "n".into(),
            body: Some(id.into()),
            scope: "a".into(),
            ..RecordChange::default()
        }];
        let (version, found) = store.scope("ada", "a").await.expect("it is read");
        assert_eq!(found.len(), 1);
        let seen = Basis {
            scope: "a".into(),
            version,
            next: version + 1,
            kind: "profile".into(),
            key: "me".into(),
            body: String::new(),
        };
        let next = Commit { records, seen: Some(seen), ..turn(&row) };
        assert_eq!(store.commit(next).await, Ok(()));
        assert_eq!(versions(0).await, [1, 2, 3, 4]);
        assert_eq!(versions(2).await, [3, 4]);
        let answered = store.find_request(id, "request").await.expect("it is read").expect("it is there");
        assert_eq!((answered.version, answered.event.as_str()), (2, "heard"));
    }
    let mut pages = Vec::new();
    for after in (0..u64::from(LONG)).step_by(40) {
        pages.extend(store.log("long", after, 40).await.expect("a page").iter().map(|entry| entry.version));
    }
    assert_eq!(pages, (1..=u64::from(LONG)).collect::<Vec<u64>>());
    assert_eq!(store.find_damage().await, Ok(Vec::new()));
    assert_eq!(store.scope("ada", "a").await.map(|(version, _)| version), Ok(3));
    for (hash, delivers) in [("left", false), ("performed", true)] {
        let law = store.law_get(hash).await.expect("it is read").expect("it is there");
        assert_eq!(law.delivers, delivers, "{hash}");
    }
}
