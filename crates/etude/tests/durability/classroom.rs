//! A classroom of many learners, each with a course in which a concept is due. The program itself leads one course
//! there by ordinary events; the others are copies of what that course left in the store, under names of their own.

use crate::durability::server::Place;
use crate::learner::place::{act, atlas, import};
use coaching::learner::{Channel, PROFILE_KEY, PROFILE_KIND, Profile};
use futures_util::stream::{self, StreamExt};
use serde_json::json;
use shell::builtin;
use shell::effects::{self, Outside};
use shell::engine::app::App;
use shell::engine::clock::Clock;
use std::collections::BTreeSet;
use store::{At, Commit, Filter, Instance, LogEntry, Record, RecordChange, Store};
use uuid::Uuid;

pub const COURSES: usize = 10_000;
/// As many learners as courses, because a learner with several courses is asked about one at a time.
const LEARNERS: usize = COURSES;
const AT_ONCE: usize = 256;
const PAGE: usize = 5_000;
/// Longer than the time until a concept's first review.
const WAIT_MS: i64 = 30 * 86_400_000;
/// The names in the template course, which every copy replaces by its own.
const LEARNER: &str = "learner-template";
const TITLE: &str = "Course template";
const DUE: &str = "concept-template-due";
const LATER: &str = "concept-template-later";

/// The servers' store, filled with courses.
#[derive(Debug)]
pub struct Classroom {
    pub store: Store,
    /// The schedules of later reviews, which the servers must leave alone.
    ahead: BTreeSet<(String, String)>,
}

impl Classroom {
    pub async fn fill(place: &Place) -> Classroom {
        let store = Store::open(&place.address()).await.expect("the store opens");
        let template = Template::make(store.clone()).await;
        let copies = stream::iter(0..COURSES).map(|nth| template.copy(&store, nth));
        copies.buffer_unordered(AT_ONCE).collect::<Vec<()>>().await;
        let due = store.due_records("schedule", now(), PAGE * 4).await.expect("schedules are read");
        assert_eq!(due.len(), COURSES, "one concept of every course is due");
        let ahead = schedules(&store).await;
        let due: BTreeSet<_> = due.into_iter().map(|record| (record.learner, record.key)).collect();
        let ahead: BTreeSet<_> = ahead.difference(&due).cloned().collect();
        assert_eq!(ahead.len(), COURSES, "and the other one lies ahead");
        Classroom { store, ahead }
    }

    /// Whether due reviews have not been opened yet.
    pub async fn has_due(&self) -> bool {
        !self.store.due_records("schedule", now(), 1).await.expect("schedules are read").is_empty()
    }

    /// The number of unsent messages. Panics if any was given up.
    pub async fn pending(&self) -> u64 {
        let counts = self.store.counts(now()).await.expect("effects are counted");
        assert_eq!(counts.effects_dead, 0, "messages were given up");
        counts.effects_pending
    }

    /// The course of every sitting, one entry for each sitting.
    pub async fn opened(&self) -> Vec<usize> {
        let filter = Filter { flow: Some("review".into()), ..Filter::default() };
        let (mut opened, mut cursor) = (Vec::new(), None);
        loop {
            let page = self.store.list(&filter, cursor.as_ref(), PAGE).await.expect("reviews are listed");
            opened.extend(page.instances.iter().map(read_review));
            cursor = page.next;
            if cursor.is_none() {
                return opened;
            }
        }
    }

    /// Checks that the due schedules are off the list, and no others.
    pub async fn check_schedules(&self) {
        assert_eq!(schedules(&self.store).await, self.ahead, "schedules were lost, or left behind");
    }
}

pub fn learner(nth: usize) -> String {
    format!("learner-{}", nth % LEARNERS)
}

fn title(nth: usize) -> String {
    format!("Course {nth}")
}

pub fn label(nth: usize) -> String {
    format!("concept-{nth:05}-due")
}

fn now() -> At {
    Clock::System.now()
}

async fn schedules(store: &Store) -> BTreeSet<(String, String)> {
    let list = |nth: usize| async move {
        let learner = learner(nth);
        let found = store.records(&learner, "schedule", PAGE).await.expect("schedules are read");
        found.into_iter().map(move |record| (learner.clone(), record.key)).collect::<Vec<_>>()
    };
    let lists: Vec<Vec<(String, String)>> =
        stream::iter(0..LEARNERS).map(list).buffer_unordered(AT_ONCE).collect().await;
    lists.into_iter().flatten().collect()
}

/// Returns the course of a sitting, which must be waiting for the answer to its one question.
fn read_review(row: &Instance) -> usize {
    let data: serde_json::Value = serde_json::from_str(&row.data).expect("a review has data");
    assert_eq!((row.state.as_str(), &row.outcome), ("recalling", &None), "{row:?}");
    assert_eq!(data["due"].as_array().map(Vec::len), Some(1), "{row:?}");
    let title = data["title"].as_str().unwrap_or_default();
    let nth = title.strip_prefix("Course ").and_then(|nth| nth.parse().ok()).expect("a copied course");
    assert_eq!(row.learner, learner(nth), "{row:?}");
    nth
}

/// The rows that one course has left in the store.
#[derive(Debug)]
struct Template {
    row: Instance,
    log: Vec<LogEntry>,
    records: Vec<Record>,
    /// The ids in these rows, which no two courses may share.
    ids: Vec<String>,
}

impl Template {
    /// Leads a course in a store of its own, so that it is not counted. Its law is stored in both.
    async fn make(store: Store) -> Template {
        let past = Store::open("sqlite::memory:").await.expect("a store in memory");
        let clock = Clock::set_to(now().plus_ms(-WAIT_MS));
        let app = effects::app(past, builtin::flows(None), clock, Outside::default());
        write_wishes(&app).await;
        let id = lead_course(&app).await;
        let row = app.store.load(&id).await.expect("a read").expect("the course is there");
        let law = app.store.law_get(&row.law_hash).await.expect("a read").expect("its law is there");
        store.law_put(&law).await.expect("the law is kept");
        let log = app.store.log(&id, 0, PAGE).await.expect("its log");
        let records = app.store.all_records(LEARNER, ("", ""), PAGE).await.expect("its documents");
        let named = ["map_document", "mind_map_node"];
        let own = records.iter().filter(|record| named.contains(&record.kind.as_str()));
        let ids = own.map(|record| record.key.clone()).chain([id]).collect();
        Template { row, log, records, ids }
    }

    async fn copy(&self, store: &Store, nth: usize) {
        let names = self.names(nth);
        let renamed =
            |text: &str| names.iter().fold(text.to_owned(), |text, (old, new)| text.replace(old, new));
        let row = Instance {
            id: renamed(&self.row.id),
            learner: learner(nth),
            data: renamed(&self.row.data),
            ..self.row.clone()
        };
        let log = self.log.iter().map(|entry| LogEntry {
            instance: row.id.clone(),
            payload: renamed(&entry.payload),
            ..entry.clone()
        });
        // A learner's profile is written only with their first course.
        let records = self.records.iter().filter(|record| nth < LEARNERS || record.kind != PROFILE_KIND);
        let records = records.map(|record| RecordChange {
            learner: row.learner.clone(),
            kind: record.kind.clone(),
            key: renamed(&record.key),
            body: Some(renamed(&record.body)),
            due_at: record.due_at,
            rank: record.rank,
            scope: renamed(&record.scope),
            standing: record.standing.as_deref().map(renamed),
        });
        let commit = Commit {
            log: log.collect(),
            records: records.collect(),
            instance: row,
            expect: None,
            effects: Vec::new(),
            timers: None,
            seen: None,
            undelivered: false,
            finishes: None,
        };
        store.commit(commit).await.expect("a course is copied");
    }

    /// The names in the template, and their replacements in a copy.
    fn names(&self, nth: usize) -> Vec<(&str, String)> {
        let own =
            |id: &String| Uuid::new_v5(&Uuid::NAMESPACE_OID, format!("{id} {nth}").as_bytes()).to_string();
        let ids = self.ids.iter().map(|id| (id.as_str(), own(id)));
        ids.chain([(LEARNER, learner(nth)), (DUE, label(nth)), (TITLE, title(nth))]).collect()
    }
}

/// A course on two concepts. One was recalled long ago and is due; the other was recalled just now.
async fn lead_course(app: &App) -> String {
    let id = |nth: usize| format!("00000000-0000-4000-8000-{nth:012}");
    let nodes = [json!({"node_id": id(1), "label": DUE}), json!({"node_id": id(2), "label": LATER})];
    let map = json!({"mind_map_id": id(0), "title": TITLE, "nodes": nodes, "edges": []});
    let course = import(app, LEARNER, map).await.view.id;
    for (label, wait_ms) in [(DUE, WAIT_MS), (LATER, 0)] {
        let nodes = atlas(app, LEARNER, &course).await.nodes();
        let node = nodes.iter().find(|node| node.label == label).expect("the concept is there").node_id;
        let answer = json!({
            "node_id": node, "question_text": "What is it?", "user_answer": "It is this.", "quality": 4,
            "response_type": "review",
        });
        act(app, &course, "recorded", answer).await;
        app.clock.pass_ms(wait_ms);
    }
    course
}

/// Sets the learner's profile to messages by mail, without digests.
async fn write_wishes(app: &App) {
    let wishes = Profile {
        preferred_channel: Channel::Email,
        email: Some(format!("{LEARNER}@example.org")),
        wants_digest: false,
        // The test may run at night.
        reached_from_hour: 0,
        ..Profile::default()
    };
    let body = json!(wishes).to_string();
    let place = (LEARNER, PROFILE_KIND, PROFILE_KEY);
    let written = app.store.swap_record(place, None, (&body, None), app.clock.now()).await;
    assert_eq!(written, Ok(true), "the learner can be reached");
}
