//! Opens the reviews that are due. A review is named after its schedule, so it is opened once even if many nodes look;
//! opening it removes the schedule in the same commit.
//!
//! A schedule is removed only with the review that it opens, or if it can never open one. If a review cannot be opened
//! now, because its learner has another sitting open or is asleep, or because something is wrong, its schedule is
//! postponed and delays no other.

use crate::effects::notices;
use crate::engine::app::App;
use crate::engine::failure::Failure;
use crate::engine::turn::{self, Opening, Via};
use crate::learners::profiles;
use crate::teach::teaching::{self, REVIEW};
use coaching::teach::{SCHEDULE_KIND, Schedule, review};
use futures_util::stream::{self, StreamExt};
use serde_json::json;
use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::atomic::{AtomicUsize, Ordering};
use store::{Instance, Record, StoreError};

/// The most due schedules that one round reads, which also bounds the reviews it opens; and the number of learners
/// attended to at a time.
const LOOK: usize = 2_000;
const AT_ONCE: usize = 64;
/// The wait until an open sitting is looked at again. By then it has asked what fell due, ended, or lapsed.
const WHILE_SITTING_MS: i64 = 3_600_000;
/// The wait of other courses of the learner. They wait for the end of the sitting, but not much longer.
const WHILE_OTHER_SITTING_MS: i64 = 600_000;
/// The time without movement after which a sitting should have lapsed. Something is wrong with it, so others do not
/// wait.
const SITTING_LASTS_MS: i64 = 2 * 86_400_000;
/// The bounds of the wait for a schedule that cannot be opened. Within them it waits for as long as it is overdue.
const LEAST_WAIT_MS: i64 = 60_000;
const MOST_WAIT_MS: i64 = 86_400_000;

/// The due schedules of one course.
#[derive(Debug, Default)]
struct Due {
    records: Vec<Record>,
    /// How long the oldest is overdue, in microseconds.
    late_us: i64,
}

/// Opens one review for every map with something due. Returns the number of schedules that it looked at.
pub async fn dispatch(app: &App) -> Result<usize, StoreError> {
    let now = app.clock.now();
    let found = app.store.due_records(SCHEDULE_KIND, now, LOOK).await?;
    let count = found.len();
    let mut learners: BTreeMap<String, BTreeMap<String, Due>> = BTreeMap::new();
    for record in found {
        match serde_json::from_str::<Schedule>(&record.body) {
            Ok(schedule) => {
                let maps = learners.entry(record.learner.clone()).or_default();
                let due = maps.entry(schedule.mind_map_id.to_string()).or_default();
                due.late_us = due.late_us.max(now.0 - schedule.run_at.as_microsecond());
                due.records.push(record);
            }
            Err(error) => {
                tracing::warn!(name = record.key, %error, "a schedule cannot be read; it is looked at tomorrow");
                put_later(app, &[record], MOST_WAIT_MS).await?;
            }
        }
    }
    let mut learners: Vec<_> = learners.into_iter().collect();
    if !learners.is_empty() {
        let begin = own_place(&app.node) % learners.len();
        learners.rotate_left(begin);
    }
    let met = AtomicUsize::new(0);
    let attended = stream::iter(learners).map(|(learner, maps)| attend(app, learner, maps, &met));
    let attended: Vec<Result<(), StoreError>> = attended.buffer_unordered(AT_ONCE).collect().await;
    attended.into_iter().collect::<Result<(), StoreError>>()?;
    Ok(count)
}

/// Returns a number of this node's own, so that nodes with the same list begin at different places.
fn own_place(node: &str) -> usize {
    let mut hasher = DefaultHasher::new();
    node.hash(&mut hasher);
    hasher.finish() as usize
}

/// Opens the due reviews of one learner, unless it is night for them or a sitting is open. A learner with several
/// courses is asked about one at a time, the longest overdue first. `met` counts reviews that another node opened
/// first: after `AT_ONCE` of them, the rest of the list is left to that node.
async fn attend(
    app: &App,
    learner: String,
    maps: BTreeMap<String, Due>,
    met: &AtomicUsize,
) -> Result<(), StoreError> {
    if met.load(Ordering::Relaxed) >= AT_ONCE {
        return Ok(());
    }
    let asleep_ms = match profiles::read(&app.store, &learner).await {
        Ok(profile) => notices::asleep_ms(app, &profile),
        Err(Failure::Store(error)) => return Err(error),
        Err(_) => 0,
    };
    let sittings = teaching::open_sittings(app, &learner).await?;
    let alive_since = app.clock.now().plus_ms(-SITTING_LASTS_MS);
    let is_alive = |sitting: &Instance| sitting.updated_at > alive_since;
    let mut is_sitting = sittings.values().any(is_alive);
    let mut maps: Vec<(String, Due)> = maps.into_iter().collect();
    maps.sort_by_key(|(_, due)| Reverse(due.late_us));
    for (map, due) in maps {
        let wait_ms = match is_sitting {
            true if sittings.get(&map).is_some_and(is_alive) => WHILE_SITTING_MS,
            true => WHILE_OTHER_SITTING_MS,
            false => asleep_ms,
        };
        match wait_ms {
            ..=0 => is_sitting = open(app, &learner, &map, due, met).await?,
            _ => put_later(app, &due.records, wait_ms).await?,
        }
    }
    Ok(())
}

/// Opens a review. The same commit removes every schedule that was found due. If the review exists already, another
/// node was faster; schedules that it did not see are looked at later. Returns whether a sitting is open now.
async fn open(app: &App, learner: &str, map: &str, due: Due, met: &AtomicUsize) -> Result<bool, StoreError> {
    let Due { records, late_us } = due;
    let Some(first) = records.first() else { return Ok(false) };
    let names: Vec<&str> = records.iter().map(|record| record.key.as_str()).collect();
    let opening = Opening {
        flow: REVIEW.to_owned(),
        learner: learner.to_owned(),
        id: Some(format!("{map}.{}-{}", first.key, first.due_at.unwrap_or_default().0)),
        opening: json!({"trigger": format!("schedule:{}", first.key), "schedules": names}),
        via: Via::Nobody,
        ..Opening::default()
    };
    let wait_ms = (late_us / 1000).clamp(LEAST_WAIT_MS, MOST_WAIT_MS);
    match turn::open(app, opening).await {
        Ok(answer) if answer.repeated => {
            met.fetch_add(1, Ordering::Relaxed);
            put_later(app, &records, wait_ms).await?;
            Ok(true)
        }
        Ok(_) => Ok(true),
        Err(failure) if is_for_nothing(&failure) => {
            tracing::info!(map, %failure, "schedules came to nothing and are dropped");
            for record in &records {
                app.store.forget_record(record).await?;
            }
            Ok(false)
        }
        Err(Failure::Store(error)) if is_about_all(&error) => Err(error),
        Err(failure) => {
            tracing::warn!(map, %failure, wait_ms, "a review could not be opened; it is tried again");
            put_later(app, &records, wait_ms).await?;
            Ok(false)
        }
    }
}

/// Whether no review can come of these schedules: the course is gone or abandoned, or nothing is due.
fn is_for_nothing(failure: &Failure) -> bool {
    let codes = ["unknown_course", review::ABANDONED, review::NOTHING_DUE];
    matches!(failure, Failure::Rejected(rejected) if codes.contains(&rejected.code))
}

/// Whether the store refuses everything, not only this change.
fn is_about_all(error: &StoreError) -> bool {
    !matches!(error, StoreError::Invalid(_) | StoreError::Corrupt(_) | StoreError::Refused(_))
}

/// Postpones schedules, except those that have changed.
async fn put_later(app: &App, records: &[Record], wait_ms: i64) -> Result<(), StoreError> {
    let now = app.clock.now();
    for Record { learner, kind, key, body, .. } in records {
        let later = (body.as_str(), Some(now.plus_ms(wait_ms)));
        app.store.swap_record((learner, kind, key), Some(body), later, now).await?;
    }
    Ok(())
}
