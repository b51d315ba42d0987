//! A store with courses in it, for the tests of this folder.

use coaching::learner::{PROFILE_KEY, PROFILE_KIND, Profile};
use coaching::map::NodeId;
use coaching::teach::looks::{self, Atlas};
use coaching::teach::progress::ResponseType;
use serde_json::{Value, json};
use shell::builtin;
use shell::effects::{self, Outside};
use shell::engine::app::App;
use shell::engine::clock::Clock;
use shell::engine::look::look;
use shell::engine::view::Answer;
use shell::teach::teaching;
use store::{At, RecordChange, Store};
use uuid::Uuid;

pub const DAY_MS: i64 = 86_400_000;
/// A Tuesday in autumn 2026, 10:00 UTC.
pub const NOW: At = At(1_790_071_200_000_000);

/// A program on its own database in memory.
pub async fn app() -> App {
    at("sqlite::memory:", Clock::set_to(NOW)).await
}

pub async fn at(address: &str, clock: Clock) -> App {
    let store = Store::open(address).await.expect("the store opens");
    effects::app(store, builtin::flows(None), clock, Outside::default())
}

/// Opens a course that another tutor leads, on a chain of concepts; it stands at the first of them.
pub async fn course(app: &App, learner: &str, labels: &[&str]) -> (String, Vec<NodeId>) {
    let id = |name: &str| Uuid::new_v5(&Uuid::NAMESPACE_OID, name.as_bytes()).to_string();
    let nodes: Vec<Value> =
        labels.iter().map(|label| json!({"node_id": id(label), "label": label})).collect();
    let edge = |pair: &[&str]| json!({"parent_node_id": id(pair[0]), "child_node_id": id(pair[1]), "edge_type": "prerequisite"});
    let edges: Vec<Value> = labels.windows(2).map(edge).collect();
    let map = json!({"mind_map_id": Uuid::nil().to_string(), "title": labels.join(" & "), "nodes": nodes, "edges": edges});
    let opened = import(app, learner, map).await;
    let id = opened.view.id;
    let atlas = atlas(app, learner, &id).await;
    let find = |label: &&str| {
        atlas.map.nodes().iter().find(|node| node.label == **label).expect("it is there").node_id
    };
    let nodes: Vec<NodeId> = labels.iter().map(find).collect();
    for _ in 0..3 {
        answer(app, &id, nodes[0], "no idea", 0, ResponseType::Diagnostic).await;
    }
    for _ in 0..2 {
        act(app, &id, "advance", json!({})).await;
    }
    (id, nodes)
}

/// Starts a course that another tutor leads, on a map.
pub async fn import(app: &App, learner: &str, map: Value) -> Answer {
    let opening = json!({"map": map, "tutor": "outside"});
    teaching::open(app, learner, opening).await.expect("a course is opened")
}

pub async fn atlas(app: &App, learner: &str, id: &str) -> Atlas {
    look(app, learner, |shelf| looks::atlas(shelf, id)).await.expect("the map is there")
}

/// Sends the learner's event to a course or a review.
pub async fn act(app: &App, id: &str, event: &str, payload: Value) -> Answer {
    teaching::act(app, id, event, payload).await.expect("the flow goes on")
}

pub async fn answer(app: &App, map: &str, node: NodeId, words: &str, quality: u8, on: ResponseType) {
    let answer = json!({
        "node_id": node, "question_text": "What?", "user_answer": words, "quality": quality, "response_type": on,
    });
    act(app, map, "recorded", answer).await;
}

/// Writes a learner's profile: the default one, modified by `change`.
pub async fn profile(app: &App, learner: &str, change: impl FnOnce(&mut Profile)) {
    let mut profile = Profile::default();
    change(&mut profile);
    document(app, learner, PROFILE_KIND, PROFILE_KEY, &json!(profile).to_string()).await;
}

pub async fn document(app: &App, learner: &str, kind: &str, key: &str, body: &str) {
    let [learner, kind, key] = [learner, kind, key].map(str::to_owned);
    let change = RecordChange { learner, kind, key, body: Some(body.to_owned()), ..RecordChange::default() };
    app.store.remember(&[change], app.clock.now()).await.expect("the document is written");
}

/// Returns the texts in an inbox.
pub async fn inbox(app: &App, learner: &str) -> Vec<String> {
    let records = app.store.records(learner, "inbox", 100).await.expect("the inbox is read");
    let text = |body: &str| {
        serde_json::from_str::<Value>(body).expect("a notice")["text"].as_str().unwrap_or("").to_owned()
    };
    records.iter().map(|record| text(&record.body)).collect()
}
