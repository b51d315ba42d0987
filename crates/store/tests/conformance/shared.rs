//! Cases of flows that rest on the same documents: none overwrites what another has written since it read them.

use store::{Basis, Commit, CommitError, Instance, RecordChange, Store};

use super::Place;
use crate::common::{NOW, birth, born, instance, record, turn};

const LEARNER: &str = "ada";
const SCOPE: &str = "map";

fn seen(version: u64, wish: &str) -> Option<Basis> {
    let text = |text: &str| text.to_owned();
    let next = version + 1;
    Some(Basis {
        scope: text(SCOPE),
        version,
        next,
        kind: text("profile"),
        key: text("me"),
        body: text(wish),
    })
}

fn sum(sum: u64) -> RecordChange {
    let sum = sum.to_string();
    RecordChange { scope: SCOPE.into(), ..record(LEARNER, "sum", "all", Some(&sum)) }
}

pub async fn a_decision_rests_on_what_it_has_seen(place: Place) {
    let store = place.open().await;
    let first = Commit { records: vec![sum(1)], seen: seen(0, ""), ..birth(instance("a")) };
    let a = first.instance.clone();
    assert_eq!(store.commit(first).await, Ok(()));
    assert_eq!(store.scope(LEARNER, SCOPE).await.map(|(version, found)| (version, found.len())), Ok((1, 1)));

    let conflict = || Err(CommitError::Conflict { current: Some((1, "asking".into())) });
    let unborn = Err(CommitError::Conflict { current: None });
    let other = |seen| Commit { records: vec![sum(7)], seen, ..birth(instance("b")) };
    let next = |seen| Commit { records: vec![sum(7)], seen, ..turn(&a) };
    assert_eq!(store.commit(other(seen(0, ""))).await, unborn, "an opening that saw an older scope");
    assert_eq!(store.commit(next(seen(0, ""))).await, conflict(), "a turn that saw an older scope");
    let wish = [record(LEARNER, "profile", "me", Some("{}"))];
    store.remember(&wish, NOW).await.expect("a wish is written");
    assert_eq!(store.commit(next(seen(1, ""))).await, conflict(), "a turn that saw no profile");
    assert_eq!(store.commit(other(seen(1, ""))).await, unborn, "an opening that saw no profile");
    assert_eq!(store.scope(LEARNER, SCOPE).await.map(|(_, found)| found[0].body.clone()), Ok("1".into()));

    assert_eq!(store.commit(other(seen(1, "{}"))).await, Ok(()));
    assert_eq!(store.commit(other(seen(2, "{}"))).await, Err(CommitError::Exists), "it is there already");
    let looked = Commit { seen: seen(2, "{}"), ..turn(&a) };
    assert_eq!(store.commit(looked).await, Ok(()), "who changes nothing leaves the scope where it is");
    assert_eq!(store.scope(LEARNER, SCOPE).await.map(|(version, _)| version), Ok(2));
}

/// Flows on two nodes write their first shared document at the same time.
pub async fn one_of_two_first_writers_wins(place: Place) {
    let store = place.open().await;
    let nodes = [store.clone(), place.beside(&store).await];
    for round in 0..20 {
        let scope = format!("scope-{round}");
        let [a, b] = [0, 1].map(|number| {
            let seen = seen(0, "").map(|seen| Basis { scope: scope.clone(), ..seen });
            let records = vec![RecordChange { scope: scope.clone(), ..sum(number) }];
            Commit { records, seen, ..birth(instance(&format!("{scope}.{number}"))) }
        });
        let (a, b) = tokio::join!(nodes[0].commit(a), nodes[1].commit(b));
        let lost = Err(CommitError::Conflict { current: None });
        assert!((a == Ok(()) && b == lost) || (a == lost && b == Ok(())), "{a:?} and {b:?}");
    }
}

/// Eight flows on two nodes add to one sum, and new flows are opened in between.
pub async fn flows_that_share_documents_lose_nothing(place: Place) {
    let store = place.open().await;
    let nodes = [store.clone(), place.beside(&store).await];
    store
        .commit(Commit { records: vec![sum(0)], seen: seen(0, ""), ..birth(instance("map")) })
        .await
        .expect("a scope");
    let mut tasks = Vec::new();
    for number in 0..8 {
        let at = born(&store, &format!("i{number}")).await;
        tasks.push(tokio::spawn(add_eleven(nodes[number % 2].clone(), at)));
    }
    for task in tasks {
        task.await.expect("a writer ends");
    }
    let (version, found) = store.scope(LEARNER, SCOPE).await.expect("it is read");
    assert_eq!((version, found[0].body.as_str()), (89, "88"));
}

/// Takes ten turns and opens another flow; each of the eleven commits adds one.
async fn add_eleven(store: Store, mut at: Instance) {
    for _ in 0..10 {
        at = add(&store, || turn(&at)).await;
    }
    add(&store, || birth(instance(&format!("{}.beside", at.id)))).await;
}

async fn add(store: &Store, commit: impl Fn() -> Commit) -> Instance {
    loop {
        let (version, found) = store.scope(LEARNER, SCOPE).await.expect("it is read");
        let before: u64 = found[0].body.parse().expect("a number");
        let commit = Commit { records: vec![sum(before + 1)], seen: seen(version, ""), ..commit() };
        let next = commit.instance.clone();
        match store.commit(commit).await {
            Ok(()) => return next,
            Err(CommitError::Conflict { .. }) => {}
            Err(error) => panic!("{error}"),
        }
    }
}
