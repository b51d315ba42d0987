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
use store::{Record, RecordChange, StoreError};

/// How many due schedules are looked at in one round, and how many reviews are opened at a time.
const LOOK: usize = 2_000;
const AT_ONCE: usize = 64;

/// Opens one review for every map with something due; says how many schedules that settled.
pub async fn dispatch(app: &App) -> Result<usize, StoreError> {
    let due = app.store.due_records(SCHEDULE_KIND, app.clock.now(), LOOK).await?;
    let found = due.len();
    let mut maps: BTreeMap<(String, String), Vec<(Record, Schedule)>> = BTreeMap::new();
    for record in due {
        match serde_json::from_str::<Schedule>(&record.body) {
            Ok(schedule) => {
                let map = (record.learner.clone(), schedule.mind_map_id.to_string());
                maps.entry(map).or_default().push((record, schedule));
            }
            Err(error) => {
                tracing::warn!(name = record.key, %error, "a schedule cannot be read and is dropped");
                drop_schedules(app, &[record]).await?;
            }
        }
    }
    let opened = stream::iter(maps).map(|((learner, map), due)| review(app, learner, map, due));
    let results: Vec<Result<(), StoreError>> = opened.buffer_unordered(AT_ONCE).collect().await;
    results.into_iter().collect::<Result<(), _>>()?;
    Ok(found)
}

async fn review(
    app: &App,
    learner: String,
    map: String,
    due: Vec<(Record, Schedule)>,
) -> Result<(), StoreError> {
    let Some((first, _)) = due.first() else { return Ok(()) };
    let trigger = format!("schedule:{}", first.key);
    let opening = Opening {
        flow: "review".to_owned(),
        learner,
        id: Some(format!("{map}.{}-{}", first.key, first.due_at.unwrap_or_default().0)),
        opening: json!({"trigger": trigger}),
        via: Via::Nobody,
        ..Opening::default()
    };
    match turn::open(app, opening).await {
        Ok(_) => {}
        Err(Failure::Store(error)) => return Err(error),
        Err(failure) => tracing::warn!(map, %failure, "a review could not be opened"),
    }
    // What the review covers is off the list already; a schedule of something that is not due any more goes here.
    let records: Vec<Record> = due.into_iter().map(|(record, _)| record).collect();
    drop_schedules(app, &records).await
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
