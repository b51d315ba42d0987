//! Opens the reviews that are due. A review is named after the schedule that set it off, so however many nodes look,
//! it is opened once; opening it takes the schedule off the list in the same commit.

use crate::app::App;
use crate::failure::Failure;
use crate::turn::{self, Opening, Via};
use coaching::teach::{SCHEDULE_KIND, Schedule};
use futures_util::StreamExt;
use futures_util::stream;
use serde_json::json;
use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::atomic::{AtomicUsize, Ordering};
use store::{Record, RecordChange, StoreError};

/// How many due schedules are looked at in one round, and how many reviews are opened at a time.
const LOOK: usize = 2_000;
const AT_ONCE: usize = 64;

/// Opens one review for every map with something due; says how many schedules that settled.
pub async fn dispatch(app: &App) -> Result<usize, StoreError> {
    let due = app.store.due_records(SCHEDULE_KIND, app.clock.now(), LOOK).await?;
    let mut maps: BTreeMap<(String, String), Vec<Record>> = BTreeMap::new();
    for record in due {
        match serde_json::from_str::<Schedule>(&record.body) {
            Ok(schedule) => {
                let map = (record.learner.clone(), schedule.mind_map_id.to_string());
                maps.entry(map).or_default().push(record);
            }
            Err(error) => {
                tracing::warn!(name = record.key, %error, "a schedule cannot be read and is dropped");
                drop_schedules(app, &[record]).await?;
            }
        }
    }
    let mut maps: Vec<_> = maps.into_iter().collect();
    if !maps.is_empty() {
        let begin = own_place(&app.node) % maps.len();
        maps.rotate_left(begin);
    }
    let met = AtomicUsize::new(0);
    let opened = stream::iter(maps).map(|((learner, map), due)| review(app, learner, map, due, &met));
    let results: Vec<Result<usize, StoreError>> = opened.buffer_unordered(AT_ONCE).collect().await;
    results.into_iter().sum()
}

/// Nodes that look at the same list begin at different places of it.
fn own_place(node: &str) -> usize {
    let mut hasher = DefaultHasher::new();
    node.hash(&mut hasher);
    hasher.finish() as usize
}

/// The review takes all that was found due off the list in the commit that opens it. If it is there already, another
/// node was faster, and what that did not see yet is found in the next round. `met` counts those: who meets another
/// node at its work leaves the rest of the list to it, and looks again.
async fn review(
    app: &App,
    learner: String,
    map: String,
    due: Vec<Record>,
    met: &AtomicUsize,
) -> Result<usize, StoreError> {
    let Some(first) = due.first().filter(|_| met.load(Ordering::Relaxed) < AT_ONCE) else { return Ok(0) };
    let names: Vec<&str> = due.iter().map(|record| record.key.as_str()).collect();
    let opening = Opening {
        flow: "review".to_owned(),
        learner,
        id: Some(format!("{map}.{}-{}", first.key, first.due_at.unwrap_or_default().0)),
        opening: json!({"trigger": format!("schedule:{}", first.key), "schedules": names}),
        via: Via::Nobody,
        ..Opening::default()
    };
    match turn::open(app, opening).await {
        Ok(answer) => {
            met.fetch_add(usize::from(answer.repeated), Ordering::Relaxed);
            Ok(due.len())
        }
        Err(Failure::Store(error)) => Err(error),
        Err(failure @ (Failure::Rejected(_) | Failure::Broken { .. })) => {
            tracing::warn!(map, %failure, "a review cannot be opened, and its schedules are dropped");
            drop_schedules(app, &due).await.map(|()| due.len())
        }
        Err(failure) => {
            tracing::warn!(map, %failure, "a review could not be opened now; it is tried again");
            Ok(0)
        }
    }
}

async fn drop_schedules(app: &App, records: &[Record]) -> Result<(), StoreError> {
    let gone = |record: &Record| RecordChange {
        learner: record.learner.clone(),
        kind: record.kind.clone(),
        key: record.key.clone(),
        ..RecordChange::default()
    };
    let changes: Vec<RecordChange> = records.iter().map(gone).collect();
    app.store.remember(&changes, app.clock.now()).await
}
