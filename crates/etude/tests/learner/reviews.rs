//! Tests of due reviews seen by several nodes at different moments: none is opened twice, and no schedule is lost.

use crate::learner::place::{DAY_MS, NOW, app, at, atlas, course, import};
use coaching::map::MasteryStatus;
use coaching::map::{MapId, NodeId};
use coaching::teach::Schedule;
use coaching::teach::progress::Progress;
use coaching::turn::Source;
use jiff::Timestamp;
use serde_json::json;
use shell::engine::app::App;
use shell::engine::clock::Clock;
use shell::engine::turn::{self, Opening, Request};
use shell::rounds;
use store::{At, Filter, Instance, RecordChange};

/// More rows for one course than a turn usually writes.
const MANY: usize = 1_500;

/// A course of many concepts without prerequisites.
async fn large_course(app: &App, learner: &str) -> (String, Vec<NodeId>) {
    let node = |nth| json!({"node_id": format!("00000000-0000-4000-8000-{nth:012}"), "label": format!("concept {nth}")});
    let nodes: Vec<_> = (1..=MANY).map(node).collect();
    let map = json!({"mind_map_id": "00000000-0000-4000-8000-000000000000", "title": "Many", "nodes": nodes, "edges": []});
    let map = import(app, learner, map).await.view.id;
    let atlas = atlas(app, learner, &map).await;
    (map, atlas.map.nodes().iter().map(|node| node.node_id).collect())
}

/// Puts concepts into review, as if their quizzes had been passed, all due at this moment.
pub async fn schedule(app: &App, learner: &str, map: &str, nodes: &[NodeId], due_at: At) {
    let change = |kind: &str, key: String, body: String, scope: String| RecordChange {
        learner: learner.into(),
        kind: kind.into(),
        key,
        body: Some(body),
        due_at: Some(due_at),
        scope,
        ..RecordChange::default()
    };
    let of_node = |node: &NodeId| {
        let name = format!("review-{node}-rep1");
        let moment = Timestamp::from_microsecond(due_at.0).expect("a moment");
        let progress = Progress {
            mastery_status: MasteryStatus::Reviewing,
            repetitions: 1,
            next_review_at_us: Some(due_at.0),
            schedule: Some(name.clone()),
            ..Progress::default()
        };
        let schedule = Schedule {
            name: name.clone(),
            mind_map_id: MapId::parse(map).expect("an id"),
            node_id: Some(*node),
            dispatch_mode: "prompt".into(),
            run_at: moment,
            until_at: moment,
        };
        [
            change("mind_map_node", node.to_string(), json!(progress).to_string(), map.to_owned()),
            change("schedule", name, json!(schedule).to_string(), format!("{map}/schedules")),
        ]
    };
    let changes: Vec<RecordChange> = nodes.iter().flat_map(of_node).collect();
    app.store.remember(&changes, due_at).await.expect("they are put down");
}

/// The keys of a learner's schedules.
async fn listed(app: &App, learner: &str) -> Vec<String> {
    let records = app.store.records(learner, "schedule", 10_000).await.expect("schedules");
    records.into_iter().map(|record| record.key).collect()
}

async fn reviews(app: &App) -> Vec<Instance> {
    let filter = Filter { flow: Some("review".into()), ..Filter::default() };
    app.store.list(&filter, None, 100).await.expect("reviews").instances
}

#[tokio::test]
async fn a_large_backlog_is_one_sitting_and_then_one_batch() {
    let app = app().await;
    let (map, nodes) = large_course(&app, "ada").await;
    schedule(&app, "ada", &map, &nodes, NOW).await;
    while rounds::round(&app).await.expect("a round") > 0 {}
    let [review] = reviews(&app).await.try_into().expect("one sitting");
    let data: serde_json::Value = serde_json::from_str(&review.data).expect("its data");
    assert_eq!(data["due"].as_array().map(Vec::len), Some(20), "{data}");
    assert_eq!(listed(&app, "ada").await, Vec::<String>::new());
    let leave = Request::new(&review.id, "leave", Source::User);
    turn::take(&app, leave).await.expect("the learner leaves");
    let batch = format!("review-batch-{map}");
    assert_eq!(listed(&app, "ada").await, [batch], "what is left comes back as one");
    app.clock.pass_ms(DAY_MS);
    while rounds::round(&app).await.expect("a round") > 0 {}
    assert_eq!(reviews(&app).await.len(), 2, "the next day");
    assert_eq!(listed(&app, "ada").await, Vec::<String>::new());
}

/// One node opens a review before another concept comes due. A later node that finds both due leaves the second
/// schedule on the list.
#[tokio::test]
async fn a_concept_due_after_the_opening_is_not_lost() {
    let folder = tempfile::tempdir().expect("a folder");
    let address = format!("sqlite:{}", folder.path().join("etude.db").display());
    let early = at(&address, Clock::set_to(NOW)).await;
    let late = at(&address, Clock::set_to(NOW.plus_ms(1_000))).await;
    let (map, nodes) = course(&early, "ada", &["joins", "indexes"]).await;
    schedule(&early, "ada", &map, &nodes[..1], NOW).await;
    schedule(&early, "ada", &map, &nodes[1..], NOW.plus_ms(1_000)).await;
    let name = |node: usize| format!("review-{}-rep1", nodes[node]);
    let opening = |names: &[String]| Opening {
        flow: "review".into(),
        learner: "ada".into(),
        id: Some(format!("{map}.{}-{}", name(0), NOW.0)),
        opening: json!({"trigger": "schedule", "schedules": names}),
        ..Opening::default()
    };
    turn::open(&early, opening(&[name(0)])).await.expect("the early one opens it");
    let second = turn::open(&late, opening(&[name(0), name(1)])).await.expect("the late one finds it");
    assert!(second.repeated);
    assert_eq!(listed(&late, "ada").await, [name(1)]);
    while rounds::round(&late).await.expect("a round") > 0 {}
    assert_eq!(reviews(&late).await.len(), 1);
    assert_eq!(listed(&late, "ada").await, [name(1)], "it waits for the sitting that is open");
    let payload = json!({"text": "5 it is this"});
    let answered = Request { payload, ..Request::new(&second.view.id, "answered", Source::User) };
    let asked = turn::take(&late, answered).await.expect("an answer");
    assert_eq!((&asked.view.data["left"], asked.view.state.as_str()), (&json!(1), "recalling"));
    assert!(!listed(&late, "ada").await.contains(&name(1)), "and is asked in it");
}

/// A node finds a due schedule and is slow. Meanwhile the concept is recalled, and its next review is stored under
/// that same name.
#[tokio::test]
async fn a_renewed_schedule_stays() {
    let app = app().await;
    let (map, nodes) = course(&app, "ada", &["joins", "indexes"]).await;
    schedule(&app, "ada", &map, &nodes[..1], NOW.plus_ms(DAY_MS)).await;
    schedule(&app, "ada", &map, &nodes[1..], NOW).await;
    let ahead = format!("review-{}-rep1", nodes[0]);
    let opening = Opening {
        flow: "review".into(),
        learner: "ada".into(),
        id: Some(format!("{map}.{ahead}-{}", NOW.0)),
        opening: json!({"trigger": "schedule", "schedules": [ahead, "review-of-nothing-rep1"]}),
        ..Opening::default()
    };
    turn::open(&app, opening).await.expect("the review of the other concept");
    assert_eq!(listed(&app, "ada").await, [ahead]);
}
