//! Cases of commits: which writer wins, what the others are told, and that nothing is half done.

use store::{Commit, CommitError, Filter, Instance, Law, Record, Store, StoreError};

use super::Place;
use crate::common::{NOW, birth, born, effect, entry, instance, record, timer, turn};

pub async fn what_is_committed_is_read(place: Place) {
    let store = place.open().await;
    let first = born(&store, "a").await;
    assert_eq!(store.load("a").await, Ok(Some(first.clone())));
    assert_eq!(store.load("b").await, Ok(None));

    let mut commit = turn(&first);
    commit.instance.state = "done".into();
    commit.instance.outcome = Some("learned".into());
    commit.instance.counters = r#"{"usage":3}"#.into();
    commit.instance.data = r#"{"text":"𝄞 \"quoted\" 'it''s'"}"#.into();
    commit.instance.law_hash = "hash-2".into();
    commit.instance.updated_at = NOW.plus_ms(7);
    commit.log[0].outcome = Some("learned".into());
    let (wanted, logged) = (commit.instance.clone(), commit.log[0].clone());
    assert_eq!(store.commit(commit).await, Ok(()));
    assert_eq!(store.load("a").await, Ok(Some(wanted)));
    assert_eq!(store.log("a", 0, 10).await, Ok(vec![entry("a", 1), logged]));
}

pub async fn one_of_many_writers_wins(place: Place) {
    let store = place.open().await;
    let first = born(&store, "a").await;
    race(std::slice::from_ref(&store), &first, 64).await;
    assert_eq!(store.log("a", 0, 100).await.map(|log| log.len()), Ok(2));
}

pub async fn one_of_two_nodes_wins(place: Place) {
    let store = place.open().await;
    let nodes = [store.clone(), place.beside(&store).await];
    let mut at = born(&store, "a").await;
    for _ in 0..8 {
        race(&nodes, &at, 8).await;
        at.version += 1;
    }
}

/// All writers commit the same turn. One wins, and the others are told the instance's present version and state.
async fn race(nodes: &[Store], from: &Instance, writers: usize) {
    let tasks: Vec<_> = (0..writers)
        .map(|writer| {
            let (store, commit) = (nodes[writer % nodes.len()].clone(), turn(from));
            tokio::spawn(async move { store.commit(commit).await })
        })
        .collect();
    let mut winners = 0;
    for task in tasks {
        match task.await.expect("a writer ends") {
            Ok(()) => winners += 1,
            Err(error) => {
                let current = Some((from.version + 1, "asking".to_owned()));
                assert_eq!(error, CommitError::Conflict { current });
            }
        }
    }
    assert_eq!(winners, 1);
}

pub async fn a_failed_commit_leaves_nothing(place: Place) {
    let store = place.open().await;
    let first = born(&store, "a").await;
    let commit = with_everything(turn(&first));
    assert!(matches!(store.commit(poisoned(commit)).await, Err(CommitError::Store(StoreError::Invalid(_)))));
    assert_eq!(store.load("a").await, Ok(Some(first)));
    assert_eq!(store.log("a", 1, 10).await, Ok(vec![]));
    assert_eq!(store.effects("a").await, Ok(vec![]));
    assert_eq!(store.timers("a").await, Ok(vec![]));
    assert_eq!(store.records("ada", "item", 10).await, Ok(vec![]));
}

fn with_everything(mut commit: Commit) -> Commit {
    let id = commit.instance.id.clone();
    commit.effects = vec![effect(&id, commit.instance.version, 0)];
    commit.timers = Some(vec![timer(&id, "timeout", NOW)]);
    commit.records = vec![record("ada", "item", "casa", Some("{}"))];
    commit
}

/// A commit with the same effect twice: the database refuses the second after everything before it was written.
fn poisoned(mut commit: Commit) -> Commit {
    commit.effects.push(commit.effects[0].clone());
    commit
}

pub async fn only_the_guilty_commit_fails(place: Place) {
    let store = place.open().await;
    let mut tasks = Vec::new();
    for number in 0..40 {
        let commit = with_everything(birth(instance(&format!("i{number}"))));
        let commit = if number == 17 { poisoned(commit) } else { commit };
        let store = store.clone();
        tasks.push(tokio::spawn(async move { store.commit(commit).await }));
    }
    for (number, task) in tasks.into_iter().enumerate() {
        let outcome = task.await.expect("a writer ends");
        assert_eq!(outcome.is_ok(), number != 17, "commit {number}: {outcome:?}");
        let there = store.load(&format!("i{number}")).await.expect("it loads").is_some();
        assert_eq!(there, number != 17, "instance {number}");
    }
}

pub async fn commits_of_one_instance_keep_their_order(place: Place) {
    let store = place.open().await;
    let first = born(&store, "a").await;
    let turns: Vec<Commit> =
        (0..5).map(|more| turn(&Instance { version: 1 + more, ..first.clone() })).collect();
    let outcomes = futures_util::future::join_all(turns.into_iter().map(|turn| store.commit(turn))).await;
    assert_eq!(outcomes, vec![Ok(()); 5]);
}

pub async fn a_request_is_answered_once(place: Place) {
    let store = place.open().await;
    let first = born(&store, "a").await;
    let asked = |from: &Instance| {
        let mut commit = turn(from);
        commit.log[0].request = Some("request-1".into());
        commit
    };
    assert_eq!(store.find_request("a", "request-1").await, Ok(None));
    assert_eq!(store.commit(asked(&first)).await, Ok(()));
    let answered = store.find_request("a", "request-1").await.expect("it is read").expect("it is there");
    assert_eq!((answered.version, answered.event.as_str()), (2, "heard"));

    let second = turn(&first).instance;
    assert_eq!(
        store.commit(asked(&first)).await,
        Err(CommitError::Duplicate { version: 2 }),
        "a stale repetition"
    );
    assert_eq!(
        store.commit(asked(&second)).await,
        Err(CommitError::Duplicate { version: 2 }),
        "a fresh repetition"
    );
    assert_eq!(store.load("a").await, Ok(Some(second)));

    let other = born(&store, "b").await;
    assert_eq!(store.commit(asked(&other)).await, Ok(()), "keys are per instance");
}

pub async fn an_id_is_used_once(place: Place) {
    let store = place.open().await;
    born(&store, "a").await;
    assert_eq!(store.commit(birth(instance("a"))).await, Err(CommitError::Exists));
    let never = turn(&instance("never"));
    assert_eq!(store.commit(never).await, Err(CommitError::Conflict { current: None }));
}

/// A learner is deleted, and a new flow takes one of their ids, at the same version and in the same state as the
/// old flow.
pub async fn an_id_that_comes_back_is_another(place: Place) {
    let store = place.open().await;
    let first = born(&store, "a").await;
    let note = record("", "audit", "1", Some("{}"));
    store.erase_learner(&first.learner, &note, NOW).await.expect("it is deleted");
    let later = Instance { learner: "bob".into(), created_at: NOW.plus_ms(1), ..instance("a") };
    store.commit(birth(later.clone())).await.expect("the id is free again");
    let refused = Err(CommitError::Conflict { current: Some((1, "asking".into())) });
    assert_eq!(store.commit(turn(&first)).await, refused);
    assert_eq!(store.load("a").await, Ok(Some(later.clone())), "it keeps its own data and learner");
    assert_eq!(store.commit(turn(&later)).await, Ok(()));
}

pub async fn actions_are_not_left_out_once_somebody_performs_them(place: Place) {
    let store = place.open().await;
    let first = born(&store, "a").await;
    let text = |text: &str| text.to_owned();
    let law = |delivers| Law {
        hash: first.law_hash.clone(),
        flow: text("drill"),
        version: text("0.2"),
        source: text("{}"),
        delivers,
        created_at: NOW,
    };
    let left_out = |from: &Instance| Commit { undelivered: true, ..turn(from) };
    store.law_put(&law(false)).await.expect("a law");
    assert_eq!(store.commit(left_out(&first)).await, Ok(()), "they are not performed");
    store.law_put(&law(true)).await.expect("the same law");
    let second = Instance { version: 2, ..first.clone() };
    let refused = Err(CommitError::Conflict { current: Some((2, "asking".into())) });
    assert_eq!(store.commit(left_out(&second)).await, refused);
    assert_eq!(store.commit(turn(&second)).await, Ok(()));
}

pub async fn an_outcome_stays(place: Place) {
    let store = place.open().await;
    let first = born(&store, "a").await;
    let mut last = turn(&first);
    last.instance.outcome = Some("completed".into());
    assert_eq!(store.commit(&last).await, Ok(()));
    let open = Filter { open: Some(true), ..Filter::default() };
    assert_eq!(store.list(&open, None, 10).await.expect("a list").instances, []);
    let after = turn(&Instance { outcome: None, ..last.instance });
    assert_eq!(store.commit(after).await, Ok(()));
    let found = store.load("a").await.expect("a read").expect("it is there");
    assert_eq!((found.version, found.outcome.as_deref()), (3, Some("completed")));
}

pub async fn contradictions_are_refused(place: Place) {
    let store = place.open().await;
    let first = born(&store, "a").await;
    type Defect = (&'static str, fn(&mut Commit));
    let defects: [Defect; 6] = [
        ("no log", |commit| commit.log.clear()),
        ("a log that leads nowhere", |commit| commit.log[0].version = 1),
        ("a log that goes too far", |commit| commit.log.push(entry("a", 3))),
        ("a log of another instance", |commit| commit.log[0].instance = "b".into()),
        ("a timer of another instance", |commit| commit.timers = Some(vec![timer("b", "timeout", NOW)])),
        ("too many effects", |commit| {
            commit.effects = (0..1001).map(|index| effect("a", 2, index)).collect()
        }),
    ];
    for (defect, spoil) in defects {
        let mut commit = turn(&first);
        spoil(&mut commit);
        let outcome = store.commit(commit).await;
        assert!(matches!(outcome, Err(CommitError::Store(StoreError::Invalid(_)))), "{defect}: {outcome:?}");
    }
}

pub async fn several_transitions_are_one_commit(place: Place) {
    let store = place.open().await;
    let first = born(&store, "a").await;
    let mut commit = turn(&first);
    commit.instance.version = 4;
    commit.log = (2..=4).map(|version| entry("a", version)).collect();
    commit.effects = (2..=4).map(|version| effect("a", version, 0)).collect();
    assert_eq!(store.commit(commit).await, Ok(()));
    assert_eq!(store.log("a", 1, 10).await, Ok((2..=4).map(|version| entry("a", version)).collect()));
    assert_eq!(store.effects("a").await, Ok((2..=4).map(|version| effect("a", version, 0)).collect()));
}

/// Many instances of one learner change the same documents at once, each in a different order.
pub async fn documents_may_be_shared(place: Place) {
    let store = place.open().await;
    let nodes = [store.clone(), place.beside(&store).await];
    let tasks: Vec<_> = (0..60)
        .map(|number: usize| {
            let store = nodes[number % 2].clone();
            let id = format!("i{number}");
            let records = (0..6).map(|step| {
                let key = ((number * 5 + step * 7) % 6).to_string();
                record("ada", "item", &key, (number % 3 != step % 3).then_some(id.as_str()))
            });
            let commit = Commit { records: records.collect(), ..birth(instance(&id)) };
            tokio::spawn(async move { store.commit(commit).await })
        })
        .collect();
    for task in tasks {
        assert_eq!(task.await.expect("a writer ends"), Ok(()));
    }
}

pub async fn a_sum_in_a_document_loses_nothing(place: Place) {
    const NAME: (&str, &str, &str) = ("", "ledger", "day");
    let store = place.open().await;
    let nodes = [store.clone(), place.beside(&store).await];
    let add = async |store: &Store| loop {
        let before =
            store.record(NAME.0, NAME.1, NAME.2).await.expect("it is read").map(|record| record.body);
        let sum = before.as_deref().map_or(0, |body| body.parse::<u32>().expect("a number")) + 1;
        if store
            .swap_record(NAME, before.as_deref(), (&sum.to_string(), None), NOW)
            .await
            .expect("it is tried")
        {
            return;
        }
    };
    let tasks = (0..20).map(|number| {
        let store = nodes[number % 2].clone();
        tokio::spawn(async move { add(&store).await })
    });
    for task in tasks.collect::<Vec<_>>() {
        task.await.expect("a writer ends");
    }
    let sum = store.record(NAME.0, NAME.1, NAME.2).await.expect("it is read").expect("it is there");
    assert_eq!((sum.body.as_str(), sum.updated_at), ("20", NOW));
    assert_eq!(store.swap_record(NAME, None, ("0", None), NOW).await, Ok(false), "it is there already");
    assert_eq!(
        store.swap_record(NAME, Some("19"), ("0", None), NOW).await,
        Ok(false),
        "it is no longer this one"
    );
    let old = Record { body: "19".into(), ..sum.clone() };
    assert_eq!(store.forget_record(&old).await, Ok(false), "it is no longer this one");
    assert_eq!(store.forget_record(&sum).await, Ok(true));
    assert_eq!(store.forget_record(&sum).await, Ok(false), "it is gone");
}
