//! Cases of effects and timers: when they are due, which node holds them, and how they end.

use std::collections::HashSet;

use store::{At, Commit, Effect, Kinds, Status, Store};

use super::Place;
use crate::common::{NOW, birth, born, effect, instance, timer, turn};

const ALL: Kinds = Kinds::AllBut(&[]);
const MESSAGES: Kinds = Kinds::InOrder("notify");
const OTHERS: Kinds = Kinds::AllBut(&["notify"]);
const OWN: Kinds = Kinds::AllBut(&["notify", "action"]);

pub async fn timers_are_replaced(place: Place) {
    let store = place.open().await;
    let mut at = born(&store, "a").await;
    let (soon, late) = (timer("a", "timeout", NOW), timer("a", "expire", NOW.plus_ms(9)));
    let replacements = [
        (Some(vec![late.clone(), soon.clone()]), vec![soon.clone(), late.clone()]),
        (None, vec![soon, late.clone()]),
        (Some(vec![late.clone()]), vec![late]),
        (Some(vec![]), vec![]),
    ];
    for (timers, left) in replacements {
        let commit = Commit { timers, ..turn(&at) };
        at = commit.instance.clone();
        assert_eq!(store.commit(commit).await, Ok(()));
        assert_eq!(store.timers("a").await, Ok(left));
    }
}

pub async fn a_result_finishes_its_effect(place: Place) {
    let store = place.open().await;
    let first = born(&store, "a").await;
    let asked = Commit { effects: vec![effect("a", 2, 0)], ..turn(&first) };
    let second = asked.instance.clone();
    assert_eq!(store.commit(asked).await, Ok(()));
    let mut answered = Commit { finishes: Some("a/2/0".into()), ..turn(&second) };
    answered.instance.updated_at = NOW.plus_ms(3);
    assert_eq!(store.commit(answered).await, Ok(()));
    let done = Effect { status: Status::Done, done_at: Some(NOW.plus_ms(3)), ..effect("a", 2, 0) };
    assert_eq!(store.effects("a").await, Ok(vec![done]));
    assert_eq!(store.claim_effects(ALL, NOW.plus_ms(9), NOW.plus_ms(10), "n", 9).await, Ok(vec![]));
}

async fn with_effects(store: &Store, effects: Vec<Effect>) {
    let first = instance(&effects[0].instance);
    store.commit(Commit { effects, ..birth(first) }).await.expect("the effects are there");
}

pub async fn effects_wait_for_their_time_and_lease(place: Place) {
    let store = place.open().await;
    with_effects(&store, vec![Effect { not_before: NOW.plus_ms(10), ..effect("a", 1, 0) }]).await;
    // (now, end of the lease, whether the effect is claimed)
    let claims =
        [(9, 20, false), (10, 20, true), (11, 21, false), (19, 29, false), (20, 30, true), (30, 40, true)];
    let mut attempts = 0;
    for (now, until, gets) in claims {
        let owner = format!("node-{now}");
        let got = store
            .claim_effects(ALL, NOW.plus_ms(now), NOW.plus_ms(until), &owner, 5)
            .await
            .expect("it claims");
        attempts += u64::from(gets);
        let wanted = Effect {
            not_before: NOW.plus_ms(10),
            attempts,
            lease_owner: Some(owner),
            lease_until: Some(NOW.plus_ms(until)),
            ..effect("a", 1, 0)
        };
        assert_eq!(got, if gets { vec![wanted] } else { vec![] }, "at {now}");
    }
}

pub async fn effects_are_retried_buried_and_revived(place: Place) {
    let store = place.open().await;
    with_effects(&store, vec![effect("a", 1, 0)]).await;
    let key = "a/1/0";
    let claim =
        async |at: At| store.claim_effects(ALL, at, at.plus_ms(1000), "n", 5).await.expect("it claims").len();
    assert_eq!(claim(NOW).await, 1);
    assert_eq!(store.retry_effect(key, "n", NOW.plus_ms(5), "no answer").await, Ok(true));
    assert_eq!(claim(NOW.plus_ms(4)).await, 0);
    assert_eq!(claim(NOW.plus_ms(5)).await, 1);
    assert_eq!(store.bury_effect(key, "n", "gave up").await, Ok(true));
    assert_eq!(claim(NOW.plus_ms(9000)).await, 0);

    let dead = store.dead_effects(10).await.expect("the dead are listed");
    assert_eq!(dead.len(), 1);
    assert_eq!((dead[0].attempts, dead[0].last_error.as_deref()), (2, Some("gave up")));
    assert_eq!(store.retry_effect(key, "n", NOW, "too late").await, Ok(false));
    assert_eq!(store.revive_effect(key, NOW).await, Ok(true));
    assert_eq!(store.revive_effect(key, NOW).await, Ok(false));
    assert_eq!(store.dead_effects(10).await, Ok(vec![]));
    assert_eq!(claim(NOW).await, 1);
    assert_eq!(store.finish_effect(key, NOW).await, Ok(true));
    assert_eq!(store.finish_effect(key, NOW).await, Ok(false));
    assert_eq!(store.finish_effect("never", NOW).await, Ok(false));
}

/// A node that has held an effect for too long cannot settle it once another node has claimed it.
pub async fn a_lease_is_renewed_by_its_owner(place: Place) {
    let store = place.open().await;
    with_effects(&store, (0..3).map(|index| effect("a", 1, index)).collect()).await;
    let claim = async |owner: &str, now: i64, limit: usize| {
        let claimed = store.claim_effects(ALL, NOW.plus_ms(now), NOW.plus_ms(now + 10), owner, limit).await;
        claimed.expect("it claims").into_iter().map(|effect| effect.key).collect::<Vec<_>>()
    };
    let renew = async |owner: &str, until: i64| {
        let mut kept = store.renew_effects("a", owner, NOW.plus_ms(until)).await.expect("it renews");
        kept.sort();
        kept
    };
    assert_eq!(claim("slow", 0, 9).await, ["a/1/0", "a/1/1", "a/1/2"]);
    assert_eq!(store.finish_effect("a/1/0", NOW).await, Ok(true));
    assert_eq!(renew("slow", 30).await, ["a/1/1", "a/1/2"]);
    assert_eq!(claim("other", 20, 9).await, Vec::<String>::new(), "the lease was renewed");
    assert_eq!(claim("other", 30, 1).await.len(), 1);
    let kept = renew("slow", 40).await;
    assert_eq!(kept.len(), 1, "the other one is gone: {kept:?}");
    let lost = if kept == ["a/1/1"] { "a/1/2" } else { "a/1/1" };
    assert_eq!(store.retry_effect(lost, "slow", NOW, "late").await, Ok(false));
    assert_eq!(store.postpone_effect(lost, "slow", NOW, "late").await, Ok(false));
    assert_eq!(store.bury_effect(lost, "slow", "late").await, Ok(false));
    assert_eq!(claim("third", 35, 9).await, Vec::<String>::new(), "no lease was taken from its owner");
    assert_eq!(store.retry_effect(lost, "other", NOW, "no answer").await, Ok(true));
}

pub async fn claims_of_two_nodes_are_disjoint(place: Place) {
    let store = place.open().await;
    with_effects(&store, (0..300).map(|index| effect("a", 1, index)).collect()).await;
    let timers = (0..300).map(|index| timer("b", &format!("event-{index}"), NOW)).collect();
    store
        .commit(Commit { timers: Some(timers), ..birth(instance("b")) })
        .await
        .expect("the timers are there");

    let nodes = [store.clone(), place.beside(&store).await];
    let tasks: Vec<_> =
        nodes.into_iter().enumerate().map(|(node, store)| tokio::spawn(claim_all(store, node))).collect();
    let mut claimed = Vec::new();
    for task in tasks {
        claimed.extend(task.await.expect("a node ends"));
    }
    assert_eq!(claimed.len(), 600, "everything is claimed, nothing twice");
    assert_eq!(claimed.into_iter().collect::<HashSet<_>>().len(), 600);
}

async fn claim_all(store: Store, node: usize) -> Vec<String> {
    let (owner, until) = (format!("node-{node}"), NOW.plus_ms(60_000));
    let mut claimed = Vec::new();
    // More rounds than claiming all effects and timers could need.
    for _ in 0..600 {
        let effects = store.claim_effects(ALL, NOW, until, &owner, 7).await.expect("it claims");
        let timers = store.claim_timers(NOW, until, &owner, 7).await.expect("it claims");
        if effects.is_empty() && timers.is_empty() {
            break;
        }
        claimed.extend(effects.into_iter().map(|effect| effect.key));
        claimed.extend(timers.into_iter().map(|timer| timer.event));
    }
    claimed
}

pub async fn timers_are_leased(place: Place) {
    let store = place.open().await;
    let armed = timer("a", "timeout", NOW.plus_ms(10));
    store
        .commit(Commit { timers: Some(vec![armed.clone()]), ..birth(instance("a")) })
        .await
        .expect("it is armed");
    let claim = async |now: i64| {
        store.claim_timers(NOW.plus_ms(now), NOW.plus_ms(now + 10), "n", 5).await.expect("it claims")
    };
    assert_eq!(claim(9).await, vec![]);
    assert_eq!(claim(10).await, vec![armed.clone()]);
    assert_eq!(claim(19).await, vec![]);
    assert_eq!(claim(20).await, vec![armed.clone()]);
    assert_eq!(store.discard_timer(&armed).await, Ok(true));
    assert_eq!(store.discard_timer(&armed).await, Ok(false));
    assert_eq!(claim(99).await, vec![]);
}

/// A message waits for earlier ones, however long they are retried. Other effects do not wait.
pub async fn messages_of_a_flow_keep_their_order(place: Place) {
    let store = place.open().await;
    let message = |index: usize| Effect { kind: "notify".into(), ..effect("a", 1, index) };
    let mut effects: Vec<Effect> = (0..12).map(message).collect();
    effects.push(effect("a", 1, 12));
    with_effects(&store, effects).await;
    let mut second = turn(&instance("a"));
    second.instance.updated_at = NOW.plus_ms(1);
    second.effects = vec![Effect {
        kind: "notify".into(),
        created_at: NOW.plus_ms(1),
        not_before: NOW,
        ..effect("a", 2, 0)
    }];
    store.commit(second).await.expect("a second turn");

    let claim = async |ms: i64| {
        let effects = store.claim_effects(MESSAGES, NOW.plus_ms(ms), NOW.plus_ms(ms + 10), "n", 9).await;
        effects.expect("it claims").into_iter().map(|effect| effect.key).collect::<Vec<_>>()
    };
    let some = async |kinds: Kinds| {
        let effects = store.claim_effects(kinds, NOW, NOW, "n", 9).await.expect("it claims");
        effects.into_iter().map(|effect| effect.key).collect::<Vec<_>>()
    };
    // A lease that ends at once takes nothing away.
    assert_eq!(some(MESSAGES).await, ["a/1/0"]);
    assert_eq!(some(OTHERS).await, ["a/1/12"]);
    assert_eq!(some(OWN).await, ["a/1/12"]);
    assert_eq!(some(Kinds::AllBut(&["notify", "it's"])).await, ["a/1/12"], "a kind is only ever text");
    let action = Effect { kind: "action".into(), ..effect("b", 1, 0) };
    store.post_effects(&[action]).await.expect("an action is there");
    assert_eq!(some(OWN).await, ["a/1/12"], "an action is left to others");
    assert_eq!(some(OTHERS).await, ["b/1/0", "a/1/12"]);
    assert_eq!(store.finish_effect("b/1/0", NOW).await, Ok(true));
    assert_eq!(claim(0).await, ["a/1/0"]);
    assert_eq!(store.finish_effect("a/1/12", NOW).await, Ok(true));
    // The first message is retried, put off or given up. Until then the others wait.
    assert_eq!(store.retry_effect("a/1/0", "n", NOW.plus_ms(50), "no answer").await, Ok(true));
    assert_eq!(claim(20).await, Vec::<String>::new());
    assert_eq!(claim(50).await, ["a/1/0"]);
    assert_eq!(store.postpone_effect("a/1/0", "n", NOW.plus_ms(70), "too many").await, Ok(true));
    assert_eq!(claim(69).await, Vec::<String>::new());
    let claimed =
        store.claim_effects(MESSAGES, NOW.plus_ms(70), NOW.plus_ms(80), "n", 9).await.expect("it claims");
    assert_eq!(
        claimed.iter().map(|effect| effect.attempts).collect::<Vec<_>>(),
        [3],
        "waiting is no attempt"
    );
    assert_eq!(store.bury_effect("a/1/0", "n", "gave up").await, Ok(true));
    let mut order = Vec::new();
    for round in 0..12 {
        let keys = claim(100 + round).await;
        for key in &keys {
            assert_eq!(store.finish_effect(key, NOW).await, Ok(true));
        }
        order.extend(keys);
    }
    let expected: Vec<String> = (1..12).map(|at| format!("a/1/{at}")).chain(["a/2/0".into()]).collect();
    assert_eq!(order, expected);
}

pub async fn what_is_posted_twice_is_there_once(place: Place) {
    let store = place.open().await;
    let letter =
        Effect { key: "learner/ada/digest/1".into(), instance: "learner/ada".into(), ..effect("x", 1, 0) };
    for _ in 0..2 {
        assert_eq!(store.post_effects(std::slice::from_ref(&letter)).await, Ok(()));
        assert_eq!(store.effects("learner/ada").await.map(|effects| effects.len()), Ok(1));
    }
    assert_eq!(store.finish_effect(&letter.key, NOW).await, Ok(true));
    assert_eq!(store.post_effects(std::slice::from_ref(&letter)).await, Ok(()));
    let effects = store.effects("learner/ada").await.expect("effects are read");
    assert_eq!(effects.iter().map(|effect| effect.status).collect::<Vec<_>>(), [Status::Done]);
}
