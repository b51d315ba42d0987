//! Many reviews that are due at once: each is opened once and told once, however often the server is killed.

use crate::common::{Folder, eventually};
use crate::place::{at, course};
use coaching::teach::Schedule;
use coaching::teach::map::{MapId, NodeId};
use coaching::teach::progress::{MasteryStatus, Progress};
use etude::app::App;
use etude::clock::Clock;
use jiff::Timestamp;
use serde_json::json;
use std::collections::HashMap;
use std::time::Duration;
use store::{At, Filter, RecordChange};

const COURSES: usize = 300;
const KILLS: u64 = 4;

/// A concept in review, due a moment ago.
async fn schedule(app: &App, learner: &str, map: &str, node: NodeId, due_at: At) {
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
        node_id: Some(node),
        dispatch_mode: "prompt".into(),
        run_at: moment,
        until_at: moment,
    };
    let change = |kind: &str, key: String, body: String, scope: String| RecordChange {
        learner: learner.into(),
        kind: kind.into(),
        key,
        body: Some(body),
        due_at: Some(due_at),
        scope,
        ..RecordChange::default()
    };
    let changes = [
        change("mind_map_node", node.to_string(), json!(progress).to_string(), map.to_owned()),
        change("schedule", name, json!(schedule).to_string(), format!("{map}/schedules")),
    ];
    app.store.remember(&changes, due_at).await.expect("it is due");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn reviews_survive_kills_without_loss_or_repetition() {
    let folder = Folder::new();
    std::fs::create_dir_all(folder.data()).expect("a data folder");
    let address = format!("sqlite:{}", folder.data().join("etude.db").display());
    let app = at(&address, Clock::System).await;
    for nth in 0..COURSES {
        let learner = format!("learner-{}", nth % 30);
        let (map, nodes) = course(&app, &learner, &[&format!("concept {nth}")]).await;
        schedule(&app, &learner, &map, nodes[0], app.clock.now()).await;
    }
    for kill in 0..KILLS {
        let server = folder.serve(&["--lease-ms", "500"]);
        std::thread::sleep(Duration::from_millis(60 * (kill + 1)));
        drop(server);
    }
    let left = app.store.due_records("schedule", app.clock.now(), 1_000).await.expect("schedules").len();
    println!("{left} of {COURSES} were left after {KILLS} kills");
    let server = folder.serve(&[]);
    let runtime = tokio::runtime::Handle::current();
    eventually("all reviews are opened", Duration::from_secs(60), || {
        let due = tokio::task::block_in_place(|| {
            runtime.block_on(app.store.due_records("schedule", app.clock.now(), 10))
        });
        due.expect("schedules").is_empty().then_some(())
    });
    drop(server);
    let filter = Filter { flow: Some("review".into()), ..Filter::default() };
    let reviews = app.store.list(&filter, None, 10_000).await.expect("reviews").instances;
    assert_eq!(reviews.len(), COURSES, "one for each course");
    let mut told: HashMap<String, usize> = HashMap::new();
    for nth in 0..30 {
        for record in app.store.records(&format!("learner-{nth}"), "inbox", 1_000).await.expect("an inbox") {
            let notice: serde_json::Value = serde_json::from_str(&record.body).expect("a notice");
            *told.entry(notice["instance"].as_str().unwrap_or_default().to_owned()).or_default() += 1;
        }
    }
    for review in &reviews {
        assert_eq!(told.get(&review.id), Some(&1), "{} is told once", review.id);
    }
}
