//! Tests of when a scheduled review begins: once, not at night, beside no other, and despite earlier failures.

use crate::learner::place::{DAY_MS, NOW, act, answer, app, atlas, course, document, import, profile};
use crate::learner::reviews::schedule;
use coaching::learner::Channel;
use coaching::teach::progress::ResponseType;
use serde_json::{Value, json};
use shell::builtin;
use shell::effects::{self, Outside};
use shell::engine::app::App;
use shell::rounds;
use shell::rounds::jobs::{self, Task};
use shell::teach::teaching;
use store::{At, Filter};
use uuid::Uuid;

const HOUR_MS: i64 = 3_600_000;

/// Counts the sittings of a learner.
async fn sittings(app: &App, learner: &str) -> usize {
    let filter = Filter { flow: Some("review".into()), learner: Some(learner.into()), ..Filter::default() };
    app.store.list(&filter, None, 100).await.expect("sittings").instances.len()
}

/// Returns the times at which a learner's schedules are next checked.
async fn looked_at(app: &App, learner: &str) -> Vec<At> {
    let records = app.store.records(learner, "schedule", 100).await.expect("schedules");
    records.into_iter().filter_map(|record| record.due_at).collect()
}

#[tokio::test]
async fn a_failing_review_waits_ever_longer_and_delays_no_other() {
    let first = app().await;
    let (broken, nodes) = course(&first, "ada", &["joins"]).await;
    // This program has not read the map yet.
    let app =
        effects::app(first.store.clone(), builtin::flows(None), first.clock.clone(), Outside::default());
    schedule(&app, "ada", &broken, &nodes[..1], NOW).await;
    let kept = app.store.records("ada", "map_document", 1).await.expect("maps").remove(0);
    document(&app, "ada", "map_document", &kept.key, "nonsense").await;
    let (sound, nodes) = course(&app, "bob", &["joins"]).await;
    schedule(&app, "bob", &sound, &nodes[..1], NOW).await;
    for wait_ms in [60_000, 60_000, 120_000, 240_000] {
        let now = app.clock.now();
        rounds::round(&app).await.expect("they are looked at");
        assert_eq!(looked_at(&app, "ada").await, [now.plus_ms(wait_ms)]);
        assert_eq!((sittings(&app, "ada").await, sittings(&app, "bob").await), (0, 1));
        app.clock.pass_ms(wait_ms);
    }
    document(&app, "ada", "map_document", &kept.key, &kept.body).await;
    rounds::round(&app).await.expect("they are looked at");
    assert_eq!((sittings(&app, "ada").await, looked_at(&app, "ada").await), (1, vec![]));
}

#[tokio::test]
async fn obsolete_schedules_are_dropped() {
    let app = app().await;
    let (done, nodes) = course(&app, "done", &["joins"]).await;
    schedule(&app, "done", &done, &nodes[..1], NOW).await;
    let old = app.store.records("done", "schedule", 1).await.expect("schedules").remove(0);
    answer(&app, &done, nodes[0], "a join", 5, ResponseType::Review).await;
    let (ended, nodes) = course(&app, "ended", &["joins"]).await;
    act(&app, &ended, "abandon", json!({})).await;
    schedule(&app, "ended", &ended, &nodes[..1], NOW).await;
    schedule(&app, "gone", &Uuid::nil().to_string(), &nodes[..1], NOW).await;
    // A leftover schedule, beside the one that counts.
    document(&app, "done", "schedule", "review-left-behind", &old.body).await;
    let left = store::RecordChange {
        learner: "done".into(),
        kind: "schedule".into(),
        key: "review-left-behind".into(),
        body: Some(old.body),
        due_at: Some(NOW),
        ..store::RecordChange::default()
    };
    app.store.remember(&[left], NOW).await.expect("it is left behind");
    rounds::round(&app).await.expect("they are looked at");
    for (learner, schedules) in [("done", 1), ("ended", 0), ("gone", 0)] {
        let left = (sittings(&app, learner).await, looked_at(&app, learner).await.len());
        assert_eq!(left, (0, schedules), "{learner}");
    }
}

#[tokio::test]
async fn nights_are_undisturbed() {
    let app = app().await;
    // (zone, channel, first hour of messages, hours until the sitting, hours until a mail); it is 10:00 in UTC.
    let rows = [
        ("UTC", Channel::Telegram, 9, 0, 0),
        ("UTC", Channel::Telegram, 11, 1, 1),
        ("America/New_York", Channel::Telegram, 9, 3, 3),
        ("America/New_York", Channel::Email, 9, 3, 3),
        ("America/New_York", Channel::Telegram, 0, 0, 0),
        // It is 22:00 in Auckland.
        ("Pacific/Auckland", Channel::Telegram, 9, 0, 0),
        // An inbox makes no noise.
        ("America/New_York", Channel::Inbox, 9, 0, 3),
    ];
    for (nth, (zone, channel, hour, wait, mail_wait)) in rows.into_iter().enumerate() {
        let learner = format!("learner-{nth}");
        profile(&app, &learner, |profile| {
            (profile.time_zone, profile.reached_from_hour) = (zone.into(), hour);
            (profile.preferred_channel, profile.telegram_chat) = (channel, Some(nth as i64));
            profile.email = Some("a@example.org".into());
        })
        .await;
        let (map, nodes) = course(&app, &learner, &["joins"]).await;
        schedule(&app, &learner, &map, &nodes[..1], NOW).await;
        rounds::round(&app).await.expect("they are looked at");
        let expected: Vec<At> = (wait > 0).then(|| NOW.plus_ms(wait * HOUR_MS)).into_iter().collect();
        assert_eq!(looked_at(&app, &learner).await, expected, "row {nth}");
        assert_eq!(sittings(&app, &learner).await, usize::from(wait == 0), "row {nth}");
        jobs::run_now(&app, &learner, Task::WeeklyProgressDigest).await.expect("a digest");
        let mail = app.store.effects(&format!("learner/{learner}/mail")).await.expect("mails");
        assert_eq!(mail[0].not_before, NOW.plus_ms(mail_wait * HOUR_MS), "row {nth}");
    }
    app.clock.pass_ms(3 * HOUR_MS);
    rounds::round(&app).await.expect("they are looked at");
    for nth in 0..rows.len() {
        assert_eq!(sittings(&app, &format!("learner-{nth}")).await, 1, "in the morning: row {nth}");
    }
}

#[tokio::test]
async fn a_farewell_waits_for_the_morning() {
    let app = app().await;
    profile(&app, "ada", |profile| {
        profile.time_zone = "America/New_York".into();
        (profile.preferred_channel, profile.telegram_chat) = (Channel::Telegram, Some(42));
    })
    .await;
    let (id, _) = course(&app, "ada", &["joins"]).await;
    for days in [31, 7] {
        app.clock.pass_ms(days * DAY_MS);
        jobs::run_now(&app, "ada", Task::StaleFlowCheck).await.expect("it is looked at");
    }
    let morning = app.clock.now().plus_ms(3 * HOUR_MS);
    let effects = app.store.effects(&id).await.expect("effects");
    let payload: Value = serde_json::from_str(&effects.last().expect("a farewell").payload).expect("JSON");
    assert!(payload["text"].as_str().is_some_and(|text| text.contains("was put aside")), "{payload}");
    assert_eq!(payload["not_before_us"], json!(morning.0), "{payload}");
}

#[tokio::test]
async fn a_course_has_one_sitting_at_a_time() {
    let app = app().await;
    let (map, nodes) = course(&app, "ada", &["joins"]).await;
    answer(&app, &map, nodes[0], "a join", 4, ResponseType::Review).await;
    let first = teaching::review(&app, &map, true).await.expect("a sitting");
    let again = teaching::review(&app, &map, false).await.expect("the same");
    assert_eq!((&again.view.id, again.view.version), (&first.view.id, first.view.version));
    let asked = |answer: &shell::engine::view::Answer| answer.said.last().map(|line| line.say.clone());
    assert_eq!((asked(&again), again.repeated), (asked(&first), true));
    // Concepts that fall due wait for this sitting, hour by hour, and have their own after it.
    let due_ms = 30 * DAY_MS;
    app.clock.pass_ms(due_ms);
    act(&app, &first.view.id, "leave", json!({})).await;
    let open = teaching::review(&app, &map, false).await.expect("a second sitting");
    schedule(&app, "ada", &map, &nodes[..1], app.clock.now()).await;
    rounds::round(&app).await.expect("they are looked at");
    assert_eq!(looked_at(&app, "ada").await, [app.clock.now().plus_ms(HOUR_MS)]);
    act(&app, &open.view.id, "leave", json!({})).await;
    app.clock.pass_ms(HOUR_MS);
    rounds::round(&app).await.expect("they are looked at");
    assert_eq!(sittings(&app, "ada").await, 3);
}

#[tokio::test]
async fn several_courses_are_reviewed_one_at_a_time() {
    let app = app().await;
    let mut ids = Vec::new();
    for (nth, label) in ["joins", "indexes", "views"].into_iter().enumerate() {
        let (map, nodes) = course(&app, "ada", &[label]).await;
        schedule(&app, "ada", &map, &nodes[..1], NOW.plus_ms(-(nth as i64))).await;
        ids.push(map);
    }
    let open = || async {
        let open = teaching::open_sittings(&app, "ada").await.expect("sittings");
        open.into_iter().next().map(|(map, sitting)| (map, sitting.id))
    };
    // The concept that has been due longest comes first, and each waits for the end of the previous sitting.
    for (round, expected) in ids.iter().rev().enumerate() {
        for _ in 0..3 {
            rounds::round(&app).await.expect("they are looked at");
            app.clock.pass_ms(HOUR_MS / 6);
        }
        assert_eq!(sittings(&app, "ada").await, round + 1);
        let (map, sitting) = open().await.expect("a sitting");
        assert_eq!(&map, expected);
        act(&app, &sitting, "answered", json!({"text": "5 fine"})).await;
    }
    assert_eq!(open().await, None);
}

/// Ten concepts that are recalled at one moment come back on the same days, whether in one course or in ten.
#[tokio::test]
async fn reviews_are_spread_over_days_whatever_their_courses() {
    let mut spread = Vec::new();
    for courses in [1, 10] {
        let app = app().await;
        let mut concepts = Vec::new();
        for nth in 0..courses {
            let node = |nth: usize| json!({"node_id": Uuid::from_u128(nth as u128 + 1).to_string(), "label": format!("concept {nth}")});
            let nodes: Vec<Value> = (0..10 / courses).map(|more| node(10 * nth + more)).collect();
            let map =
                json!({"mind_map_id": Uuid::nil().to_string(), "title": "Some", "nodes": nodes, "edges": []});
            let opened = import(&app, "ada", map).await;
            let id = opened.view.id;
            let atlas = atlas(&app, "ada", &id).await;
            concepts.extend(atlas.map.nodes().iter().map(|node| (id.clone(), node.node_id)));
        }
        for (map, node) in concepts {
            answer(&app, &map, node, "that", 5, ResponseType::Review).await;
        }
        let mut days = looked_at(&app, "ada").await;
        days.sort_unstable();
        spread.push(days);
    }
    assert_eq!(spread[0].len(), 10);
    assert!(spread[0].iter().collect::<std::collections::BTreeSet<_>>().len() > 3, "{spread:?}");
    assert_eq!(spread[0], spread[1]);
}
