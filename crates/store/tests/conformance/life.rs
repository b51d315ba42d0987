//! Cases of opening, closing, and news of changes.

use std::path::{Path, PathBuf};

use futures_util::future::join_all;
use store::{Change, CommitError, Store, StoreError};

use super::Place;
use crate::breakable::Cluster;
use crate::common::{NOW, PATIENCE, birth, born, execute, instance, record, turn};

pub async fn changes_are_announced(place: Place) {
    let store = place.open().await;
    let mut changes = store.changes();
    let first = born(&store, "a").await;
    store.commit(turn(&first)).await.expect("a turn");
    store.commit(turn(&first)).await.expect_err("a conflict");
    for version in [1, 2] {
        assert_eq!(
            changes.try_recv(),
            Ok(Change { instance: "a".into(), version }),
            "told before the caller"
        );
    }
    assert!(changes.try_recv().is_err(), "a loser changes nothing");
}

pub async fn closing_drains(place: Place) {
    let store = place.open().await;
    let tasks: Vec<_> = (0..100)
        .map(|number| {
            let store = store.clone();
            tokio::spawn(async move { store.commit(birth(instance(&format!("i{number}")))).await })
        })
        .collect();
    store.close().await;
    store.close().await;
    let mut committed = 0;
    for task in tasks {
        match task.await.expect("a writer ends") {
            Ok(()) => committed += 1,
            Err(error) => assert_eq!(error, CommitError::Store(StoreError::Closed)),
        }
    }
    assert_eq!(store.load("i0").await, Err(StoreError::Closed));
    if place.durable {
        let counts = place.open().await.counts(NOW).await.expect("it counts");
        assert_eq!(counts.instances_open, committed);
    }
}

pub async fn a_database_is_opened_again(place: Place) {
    if !place.durable {
        return;
    }
    let first = {
        let store = place.open().await;
        born(&store, "a").await
    };
    let store = place.open().await;
    assert_eq!(store.load("a").await, Ok(Some(first)));
}

pub async fn a_newer_database_is_refused(place: Place) {
    if !place.durable {
        return;
    }
    place.open().await.close().await;
    execute(&place.address, "INSERT INTO migration (version, name) VALUES (999, 'future')").await;
    let refusal = Store::open(&place.address).await.expect_err("the future is refused");
    assert!(matches!(refusal, StoreError::Newer { found: 999, .. }), "{refusal}");
}

pub async fn a_database_that_becomes_newer_is_refused(place: Place) {
    if !place.durable {
        return;
    }
    let store = place.open().await;
    let first = born(&store, "a").await;
    execute(&place.address, "INSERT INTO migration (version, name) VALUES (999, 'future')").await;
    for commit in [turn(&first), birth(instance("b"))] {
        let refusal = store.commit(commit).await.expect_err("a newer program may keep other rows");
        assert!(matches!(refusal, CommitError::Store(StoreError::Newer { found: 999, .. })), "{refusal}");
    }
    let ids: Vec<String> = (0..20).map(|number| format!("i{number}")).collect();
    let births = ids.iter().map(|id| store.commit(birth(instance(id))));
    for outcome in join_all(births).await {
        assert!(matches!(outcome, Err(CommitError::Store(StoreError::Newer { .. }))), "{outcome:?}");
    }
    let note = record("", "audit", "1", Some("{}"));
    let erased = store.erase_learner(&first.learner, &note, NOW).await;
    assert!(
        matches!(erased, Err(StoreError::Newer { .. })),
        "what a newer program keeps would stay: {erased:?}"
    );
    let before = store.load("a").await;
    assert_eq!(before, Ok(Some(first)));
    let kept = store.swap_record(("ada", "note", "1"), None, ("{}", None), NOW).await;
    assert_eq!(kept, Ok(true), "what has happened can be written down");
}

/// Only PostgreSQL announces changes between nodes.
pub async fn nodes_hear_of_each_other(address: &str) {
    let here = Store::open(address).await.expect("it opens");
    let there = Store::open(address).await.expect("it opens");
    let (mut told_here, mut told_there) = (here.changes(), there.changes());
    born(&here, "a").await;
    let wanted = Change { instance: "a".into(), version: 1 };
    let heard = tokio::time::timeout(PATIENCE, told_there.recv()).await;
    assert_eq!(heard.expect("it is heard"), Ok(wanted.clone()));
    assert_eq!(told_here.try_recv(), Ok(wanted));
    assert!(told_here.try_recv().is_err(), "a node does not hear its own echo");

    // A node that commits and closes at once, as a command does, announces its change too.
    let visitor = Store::open(address).await.expect("it opens");
    born(&visitor, "b").await;
    visitor.close().await;
    let heard = tokio::time::timeout(PATIENCE, told_there.recv()).await;
    assert_eq!(heard.expect("it is heard"), Ok(Change { instance: "b".into(), version: 1 }));
}

/// While the connection is down, other nodes' changes are missed, and the gap is reported.
pub async fn a_gap_is_told(cluster: &Cluster) {
    let store = Store::open(&cluster.database().await).await.expect("it opens");
    let mut gaps = store.gaps();
    let cut = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE 'LISTEN%'";
    cluster.execute(cut).await;
    let told = tokio::time::timeout(PATIENCE, gaps.changed()).await;
    assert!(matches!(told, Ok(Ok(()))), "{told:?}");
}

/// Only SQLite waits for the disk once per transaction, and its log marks the end of each.
pub async fn company_shares_transactions(path: &Path) {
    let store = Store::open(&format!("sqlite:{}", path.display())).await.expect("it opens");
    let log = PathBuf::from(format!("{}-wal", path.display()));
    let before = transactions(&log);
    let documents: Vec<_> =
        (0..512).map(|number| record("ada", "item", &number.to_string(), Some("{}"))).collect();
    store.remember(&documents, NOW).await.expect("they are remembered");
    let remembered = transactions(&log);
    assert_eq!(remembered - before, 2, "documents");
    let ids: Vec<String> = (0..64).map(|number| format!("i{number}")).collect();
    let births = ids.iter().map(|id| store.commit(birth(instance(id))));
    for outcome in Store::in_company(join_all(births)).await {
        assert_eq!(outcome, Ok(()));
    }
    let shared = transactions(&log) - remembered;
    assert!(shared < 16, "64 commits of one task made {shared} transactions");
}

fn transactions(log: &Path) -> usize {
    const HEADER: usize = 32;
    const FRAME: usize = 24 + 4096;
    let bytes = std::fs::read(log).expect("the log is there");
    // A transaction's last frame holds the size of the file; in the others this field is zero.
    bytes[HEADER.min(bytes.len())..].chunks_exact(FRAME).filter(|frame| frame[4..8] != [0; 4]).count()
}
