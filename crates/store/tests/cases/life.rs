//! Opening, closing, and news of changes.

use std::time::Duration;

use store::{Change, CommitError, Store, StoreError};

use crate::Place;
use crate::common::{NOW, birth, born, execute, instance, turn};

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
    assert_eq!(store.load("a").await, Ok(Some(first)));
}

/// Only PostgreSQL carries news between nodes.
pub async fn nodes_hear_of_each_other(address: &str) {
    let here = Store::open(address).await.expect("it opens");
    let there = Store::open(address).await.expect("it opens");
    let (mut told_here, mut told_there) = (here.changes(), there.changes());
    born(&here, "a").await;
    let wanted = Change { instance: "a".into(), version: 1 };
    let heard = tokio::time::timeout(Duration::from_millis(200), told_there.recv()).await;
    assert_eq!(heard.expect("within 200 ms"), Ok(wanted.clone()));
    assert_eq!(told_here.try_recv(), Ok(wanted));
    assert!(told_here.try_recv().is_err(), "a node does not hear its own echo");

    // A node that commits and leaves at once, as a command line does, is heard too.
    let visitor = Store::open(address).await.expect("it opens");
    born(&visitor, "b").await;
    visitor.close().await;
    let heard = tokio::time::timeout(Duration::from_millis(200), told_there.recv()).await;
    assert_eq!(heard.expect("within 200 ms"), Ok(Change { instance: "b".into(), version: 1 }));
}
