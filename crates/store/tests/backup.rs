//! Tests of backups: one holds everything of either database, and is restored into either, whole or not at all.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use crate::breakable::Cluster;
use crate::common::{NOW, birth, born, effect, execute, instance, record, timer, turn};
use store::{Commit, Instance, Law, Store, StoreError};

/// A database with rows in every table, and with a log that is longer than the number of entries marked at once.
async fn filled(address: &str) -> Store {
    let store = Store::open(address).await.expect("the store opens");
    for (id, turns) in [("short", 3), ("long", 200)] {
        let mut at = born(&store, id).await;
        for _ in 0..turns {
            at = next(&store, &at).await;
        }
    }
    let mut full = birth(Instance { learner: "bob ☃".into(), ..instance("full") });
    full.effects = vec![effect("full", 1, 0)];
    full.timers = Some(vec![timer("full", "silence", NOW.plus_ms(5))]);
    full.records = vec![record("bob ☃", "item", "a\nb", Some(r#"{"x":"\u0007 \"quoted\""}"#))];
    full.records[0].rank = Some(1.0);
    store.commit(full).await.expect("it is committed");
    for (hash, delivers) in [("h1", true), ("h2", false)] {
        let [flow, version, source] = ["f", "1", "text"].map(str::to_owned);
        let law = Law { hash: hash.to_owned(), flow, version, source, delivers, created_at: NOW };
        store.law_put(&law).await.expect("it is kept");
    }
    store
}

async fn next(store: &Store, at: &Instance) -> Instance {
    let turn = turn(at);
    store.commit(&turn).await.expect("a turn");
    turn.instance
}

async fn backed_up(store: &Store) -> Vec<u8> {
    let mut out = Vec::new();
    store.back_up(&mut out, NOW).await.expect("it is backed up");
    out
}

/// Returns the rows of a backup as a set.
fn rows(backup: &[u8]) -> BTreeSet<&[u8]> {
    let mut lines: Vec<&[u8]> = backup.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()).collect();
    lines.pop();
    lines.into_iter().skip(1).collect()
}

/// Restores a backup, and checks that nothing differs and that flows go on.
async fn check_restored(backup: &[u8], address: &str) {
    let store = Store::open(address).await.expect("the store opens");
    let restored = store.restore(backup, false).await.expect("it is restored");
    assert_eq!(restored.rows as usize, rows(backup).len());
    assert_eq!(rows(&backed_up(&store).await), rows(backup), "{address}");
    assert_eq!(store.find_damage().await, Ok(Vec::new()), "{address}");
    let at = store.load("long").await.expect("a read").expect("it is there");
    let at = next(&store, &at).await;
    let mut versions = Vec::new();
    for after in (0..210).step_by(70) {
        versions
            .extend(store.log("long", after, 70).await.expect("a page").iter().map(|entry| entry.version));
    }
    assert_eq!(versions, (1..=at.version).collect::<Vec<u64>>(), "{address}");
    assert_eq!(store.restore(backup, false).await, Err(StoreError::Occupied));
    store.restore(backup, true).await.expect("it is replaced");
    assert_eq!(rows(&backed_up(&store).await), rows(backup), "{address}");
    store.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_backup_of_either_database_goes_into_either() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = |name: &str| format!("sqlite:{}/{name}.db", folder.path().display());
    let store = filled(&file("first")).await;
    let backup = backed_up(&store).await;
    check_restored(&backup, &file("second")).await;
    let Some(cluster) = Cluster::start() else { return };
    check_restored(&backup, &cluster.database().await).await;
    let store = filled(&cluster.database().await).await;
    let backup = backed_up(&store).await;
    check_restored(&backup, &file("third")).await;
    check_restored(&backup, &cluster.database().await).await;
}

/// Turns go on while the backup is written, yet every flow in the backup is in the state in which its log ends.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_backup_is_of_one_moment() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = |name: &str| format!("sqlite:{}/{name}.db", folder.path().display());
    let mut addresses = vec![file("busy")];
    let cluster = Cluster::start();
    if let Some(cluster) = &cluster {
        addresses.push(cluster.database().await);
    }
    for (number, address) in addresses.iter().enumerate() {
        let store = filled(address).await;
        let is_over = Arc::new(AtomicBool::new(false));
        let writing = tokio::spawn({
            let (store, is_over) = (store.clone(), is_over.clone());
            async move {
                let mut at = born(&store, "busy").await;
                while !is_over.load(Ordering::Relaxed) {
                    at = next(&store, &at).await;
                }
                at.version
            }
        });
        let mut backups = Vec::new();
        for _ in 0..5 {
            tokio::time::sleep(Duration::from_millis(20)).await;
            backups.push(backed_up(&store).await);
        }
        is_over.store(true, Ordering::Relaxed);
        let last = writing.await.expect("the writer ends");
        assert!(last > 1, "the others wrote meanwhile");
        for (at, backup) in backups.iter().enumerate() {
            let copy = Store::open(&file(&format!("copy-{number}-{at}"))).await.expect("the store opens");
            copy.restore(&backup[..], false).await.expect("it is restored");
            assert_eq!(copy.find_damage().await, Ok(Vec::new()));
            copy.close().await;
        }
    }
}

#[tokio::test]
async fn a_broken_backup_changes_nothing() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = |name: &str| format!("sqlite:{}/{name}.db", folder.path().display());
    let backup = backed_up(&filled(&file("first")).await).await;
    let text = String::from_utf8(backup.clone()).expect("it is text");
    let lines: Vec<&str> = text.lines().collect();
    let joined = |lines: &[&str]| format!("{}\n", lines.join("\n"));
    let broken = [
        String::new(),
        "nothing\n".to_owned(),
        "{}\n".to_owned(),
        joined(&lines[..lines.len() - 1]),
        text[..text.len() / 2].to_owned(),
        joined(&[&lines[..1], &lines[2..]].concat()),
        text.replacen("heard", "hurt!", 1),
        format!("{text}{}\n", lines[1]),
        text.replacen("\"etude_backup\":1", "\"etude_backup\":2", 1),
    ];
    let store = Store::open(&file("second")).await.expect("the store opens");
    born(&store, "there").await;
    for bytes in &broken {
        let refused = store.restore(bytes.as_bytes(), true).await;
        assert!(
            matches!(refused, Err(StoreError::Backup(_))),
            "{refused:?}: {}",
            &bytes[..bytes.len().min(80)]
        );
    }
    let newer = text.replacen("\"schema\":", "\"schema\":9", 1);
    assert!(matches!(store.restore(newer.as_bytes(), true).await, Err(StoreError::Newer { .. })));
    assert_eq!(store.load("there").await.map(|found| found.is_some()), Ok(true), "what was there is there");
}

/// Only a check finds this damage: the rest of the program does not read old entries.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn damage_is_found() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut addresses = vec![format!("sqlite:{}/damaged.db", folder.path().display())];
    let cluster = Cluster::start();
    if let Some(cluster) = &cluster {
        addresses.push(cluster.database().await);
    }
    for address in addresses {
        let store = filled(&address).await;
        assert_eq!(store.find_damage().await, Ok(Vec::new()));
        for (wound, whose) in [
            ("DELETE FROM log WHERE instance = 'short' AND version = 4", "short"),
            ("DELETE FROM log WHERE instance = 'long' AND version = 100", "long"),
        ] {
            execute(&address, wound).await;
            let found = store.find_damage().await.expect("it looks");
            assert!(found.iter().any(|line| line.contains(whose)), "{address}: {wound}: {found:?}");
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_finished_flow_is_pruned_to_its_end() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut addresses = vec![format!("sqlite:{}/pruned.db", folder.path().display())];
    let cluster = Cluster::start();
    if let Some(cluster) = &cluster {
        addresses.push(cluster.database().await);
    }
    for address in addresses {
        let store = filled(&address).await;
        let at = store.load("long").await.expect("a read").expect("it is there");
        let ended = Instance { outcome: Some("done".into()), ..turn(&at).instance };
        store.commit(Commit { instance: ended.clone(), ..turn(&at) }).await.expect("it ends");
        let prunable = store.prunable(NOW.plus_ms(1), "", 10).await.expect("a read");
        assert_eq!(prunable.iter().map(|row| row.id.as_str()).collect::<Vec<_>>(), ["long"]);
        assert_eq!(store.prunable(NOW, "", 10).await.map(|rows| rows.len()), Ok(0), "it ended later");
        assert_eq!(store.prune(&ended).await, Ok(ended.version - 1));
        assert_eq!(store.prune(&ended).await, Ok(0), "again it is nothing");
        let left = store.log("long", 0, 500).await.expect("a page");
        assert_eq!(left.iter().map(|entry| entry.version).collect::<Vec<_>>(), [ended.version]);
        assert_eq!(store.log("short", 0, 10).await.map(|log| log.len()), Ok(4), "others keep theirs");
        assert_eq!(store.find_damage().await, Ok(Vec::new()), "{address}");
        let again = backed_up(&store).await;
        assert!(!again.is_empty());
    }
}
