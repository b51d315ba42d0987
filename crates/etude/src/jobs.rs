//! Work that the calendar brings: every learner has a few jobs, each with a cron expression in the learner's zone.
//!
//! A job is a record with the moment of its next run. Whoever finds it due takes it by writing a lease into it, if it
//! is still as they found it; so on several nodes each run happens once. After the work the next run is put down,
//! counted from now: what was missed while nobody was there is caught up once. A node that dies in between leaves the
//! lease behind, and when that ends the same run is done again. Therefore all work is repeatable: messages have keys
//! that name the run, snapshots are replaced, and a flow is abandoned only as it was seen.

use crate::app::App;
use crate::asking::timestamp;
use crate::failure::Failure;
use crate::notices::{self, SENT_KIND};
use crate::teaching::COURSE;
use crate::telegram::LINK_KIND;
use crate::{analytics, digest, remembering, stale};
use coaching::learner::Calendar;
use coaching::turn::Rejected;
use croner::Cron;
use futures_util::stream::{self, StreamExt};
use jiff::Timestamp;
use jiff::tz::TimeZone;
use serde::{Deserialize, Serialize};
use std::sync::atomic::{AtomicI64, Ordering};
use store::{At, Record, RecordChange, StoreError};

pub const JOB_KIND: &str = "job";

/// How many due jobs are looked at in one round, and how many are done at a time.
const LOOK: usize = 256;
const AT_ONCE: usize = 8;
/// Longer than any run takes; then another node may do it again.
const LEASE_MS: i64 = 10 * 60_000;
/// A run that fails is tried again so often, so far apart, before its turn is over.
const MAX_FAILURES: u32 = 5;
const RETRY_MS: i64 = 5 * 60_000;
/// New learners are looked for so often. Clocks of nodes may differ by less than the overlap.
const ENROL_EVERY_US: i64 = 5_000_000;
const OVERLAP_US: i64 = 600_000_000;
const PAGE: usize = 500;

/// What there is to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Task {
    StaleFlowCheck,
    WeeklyProgressDigest,
    NightlyAnalyticsSnapshot,
    NightlyMemoryFit,
}

/// A task of one learner, as it is stored.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Job {
    pub name: String,
    pub cron: String,
    /// The run that comes next, or that is under way.
    pub run_at: Timestamp,
    /// Until when somebody has this run for themselves.
    pub leased_until: Option<Timestamp>,
    pub last_run_at: Option<Timestamp>,
    /// What came of the last run.
    pub last_result: Option<String>,
    pub failures: u32,
}

/// Up to when this process has seen who learns.
#[derive(Debug, Default)]
pub struct Roll(AtomicI64);

impl Task {
    pub const ALL: [Task; 4] = [
        Task::StaleFlowCheck,
        Task::WeeklyProgressDigest,
        Task::NightlyAnalyticsSnapshot,
        Task::NightlyMemoryFit,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Task::StaleFlowCheck => "stale-flow-check",
            Task::WeeklyProgressDigest => "weekly-progress-digest",
            Task::NightlyAnalyticsSnapshot => "nightly-analytics-snapshot",
            Task::NightlyMemoryFit => "nightly-memory-fit",
        }
    }

    pub fn named(name: &str) -> Result<Task, Failure> {
        let found = Task::ALL.into_iter().find(|task| task.name() == name);
        found.ok_or_else(|| {
            Failure::Rejected(Rejected {
                code: "unknown_job",
                message: format!("there is no job `{}`", name.chars().take(60).collect::<String>()),
                cure: format!("one of: {}", Task::ALL.map(Task::name).join(", ")),
            })
        })
    }

    /// Mondays at 8 and at 9; every night before the learner's day usually begins.
    fn usual_cron(self) -> &'static str {
        match self {
            Task::StaleFlowCheck => "0 8 * * 1",
            Task::WeeklyProgressDigest => "0 9 * * 1",
            Task::NightlyAnalyticsSnapshot => "30 3 * * *",
            Task::NightlyMemoryFit => "45 3 * * *",
        }
    }
}

/// Does what is due; says how much that was.
pub async fn dispatch(app: &App) -> Result<usize, StoreError> {
    let now = app.clock.now();
    enrol_new(app, now).await?;
    let due = app.store.due_records(JOB_KIND, now, LOOK).await?;
    let runs = stream::iter(due).map(|record| attend(app, record)).buffer_unordered(AT_ONCE);
    let results: Vec<Result<bool, StoreError>> = runs.collect().await;
    let done: Result<Vec<bool>, StoreError> = results.into_iter().collect();
    Ok(done?.into_iter().filter(|done| *done).count())
}

/// Does a task now, beside its schedule. On the day of a scheduled run it is the same run: no digest is sent twice.
pub async fn run_now(app: &App, learner: &str, task: Task) -> Result<String, Failure> {
    perform(app, learner, task, app.clock.now()).await
}

/// The jobs of a learner, by name.
pub async fn list(app: &App, learner: &str) -> Result<Vec<Job>, Failure> {
    let records = app.store.records(learner, JOB_KIND, PAGE).await?;
    Ok(records.into_iter().filter_map(|record| serde_json::from_str(&record.body).ok()).collect())
}

/// Gives a job another time.
pub async fn set_cron(app: &App, learner: &str, task: Task, cron: &str) -> Result<Job, Failure> {
    let zone = zone(app, learner).await?;
    let now = app.clock.now();
    let run_at = next_run(cron, &zone, timestamp(now)).map_err(|message| {
        let cure = "write five fields: minute, hour, day of month, month, day of week".to_owned();
        Failure::Rejected(Rejected { code: "bad_cron", message, cure })
    })?;
    enrol(app, learner, now).await?;
    let record = app.store.record(learner, JOB_KIND, task.name()).await?;
    let before = record.as_ref().map(|record| record.body.as_str());
    let known: Option<Job> = before.and_then(|body| serde_json::from_str(body).ok());
    let job = Job {
        cron: cron.to_owned(),
        run_at,
        leased_until: None,
        failures: 0,
        ..known.unwrap_or_else(|| new_job(task, run_at))
    };
    match swap(app, learner, before, &job, at(run_at)).await? {
        Some(_) => Ok(job),
        None => Err(Failure::Conflict { version: 0, state: "the job".to_owned() }),
    }
}

/// Gives a learner the jobs that they do not have yet.
pub async fn enrol(app: &App, learner: &str, now: At) -> Result<(), StoreError> {
    let known = app.store.records(learner, JOB_KIND, PAGE).await?;
    if Task::ALL.iter().all(|task| known.iter().any(|record| record.key == task.name())) {
        return Ok(());
    }
    let zone = zone(app, learner).await.unwrap_or(TimeZone::UTC);
    for task in Task::ALL {
        if let Ok(run_at) = next_run(task.usual_cron(), &zone, timestamp(now)) {
            swap(app, learner, None, &new_job(task, run_at), at(run_at)).await?;
        }
    }
    Ok(())
}

/// The first run after a moment. A time of day that the clock jumps over or repeats still gives one run.
pub fn next_run(cron: &str, zone: &TimeZone, after: Timestamp) -> Result<Timestamp, String> {
    let said = |error: croner::errors::CronError| format!("`{cron}` gives no next run: {error}");
    let parsed: Cron = cron.parse().map_err(said)?;
    let next = parsed.find_next_occurrence(&after.to_zoned(zone.clone()), false).map_err(said)?;
    Ok(next.timestamp())
}

fn new_job(task: Task, run_at: Timestamp) -> Job {
    Job {
        name: task.name().to_owned(),
        cron: task.usual_cron().to_owned(),
        run_at,
        leased_until: None,
        last_run_at: None,
        last_result: None,
        failures: 0,
    }
}

/// Whoever has opened a course since the last look gets jobs; at first, whoever ever has.
async fn enrol_new(app: &App, now: At) -> Result<(), StoreError> {
    let looked_us = app.roll.0.load(Ordering::Relaxed);
    if looked_us != 0 && now.0 - looked_us < ENROL_EVERY_US {
        return Ok(());
    }
    let since = At(if looked_us == 0 { 0 } else { looked_us - OVERLAP_US });
    let mut after = String::new();
    loop {
        let learners = app.store.learners_since(COURSE, since, &after, PAGE).await?;
        for learner in &learners {
            enrol(app, learner, now).await?;
        }
        match learners.last() {
            Some(last) if learners.len() == PAGE => after.clone_from(last),
            _ => break,
        }
    }
    app.roll.0.store(now.0, Ordering::Relaxed);
    Ok(())
}

/// Takes one due job, does it and puts down its next run. False when somebody else was faster.
async fn attend(app: &App, record: Record) -> Result<bool, StoreError> {
    let (learner, now) = (record.learner.as_str(), app.clock.now());
    let known = serde_json::from_str::<Job>(&record.body).ok().zip(Task::named(&record.key).ok());
    let Some((job, task)) = known else {
        tracing::warn!(learner, name = record.key, "a job cannot be read and is dropped");
        forget(app, &[record]).await?;
        return Ok(true);
    };
    let leased_until = now.plus_ms(LEASE_MS);
    let held = Job { leased_until: Some(timestamp(leased_until)), ..job.clone() };
    let Some(body) = swap(app, learner, Some(&record.body), &held, leased_until).await? else {
        return Ok(false);
    };
    let result = perform(app, learner, task, at(job.run_at)).await;
    let (next, due_at) = settled(app, learner, held, &result).await;
    // If the lease is over and another node has begun, that one puts down the next run.
    swap(app, learner, Some(&body), &next, due_at).await?;
    Ok(true)
}

/// What a job becomes after a run, and when it is looked at again.
async fn settled(app: &App, learner: &str, job: Job, result: &Result<String, Failure>) -> (Job, At) {
    let now = app.clock.now();
    let job = Job { leased_until: None, last_run_at: Some(timestamp(now)), ..job };
    if let Err(failure) = result {
        tracing::warn!(learner, name = job.name, %failure, "a job failed");
        if job.failures < MAX_FAILURES {
            let last_result = Some(format!("failed: {failure}"));
            return (Job { failures: job.failures + 1, last_result, ..job }, now.plus_ms(RETRY_MS));
        }
    }
    let zone = zone(app, learner).await.unwrap_or(TimeZone::UTC);
    // An expression that was good once stays so; a day later is the least harm if not.
    let in_a_day = || timestamp(now.plus_ms(86_400_000));
    let run_at = next_run(&job.cron, &zone, timestamp(now)).unwrap_or_else(|_| in_a_day());
    let last_result = Some(result.as_ref().map_or_else(|failure| format!("failed: {failure}"), Clone::clone));
    (Job { run_at, failures: 0, last_result, ..job }, at(run_at))
}

/// `run` names the run: work that is done again for the same run changes nothing.
async fn perform(app: &App, learner: &str, task: Task, run: At) -> Result<String, Failure> {
    metrics::counter!("etude_jobs_total", "job" => task.name()).increment(1);
    match task {
        Task::StaleFlowCheck => stale::check(app, learner).await,
        Task::WeeklyProgressDigest => digest::send(app, learner, run).await,
        Task::NightlyMemoryFit => remembering::refit(app, learner).await,
        Task::NightlyAnalyticsSnapshot => {
            let kept = analytics::keep_snapshot(app, learner, run).await?;
            forget_expired(app).await?;
            Ok(format!("{kept} kept"))
        }
    }
}

/// What is kept for a time only goes when that is over.
async fn forget_expired(app: &App) -> Result<(), StoreError> {
    for kind in [analytics::SNAPSHOT_KIND, SENT_KIND, LINK_KIND] {
        let expired = app.store.due_records(kind, app.clock.now(), PAGE).await?;
        forget(app, &expired).await?;
    }
    Ok(())
}

async fn forget(app: &App, records: &[Record]) -> Result<(), StoreError> {
    let gone = |record: &Record| RecordChange {
        learner: record.learner.clone(),
        kind: record.kind.clone(),
        key: record.key.clone(),
        ..RecordChange::default()
    };
    app.store.remember(&records.iter().map(gone).collect::<Vec<_>>(), app.clock.now()).await
}

/// Writes a job if it still is as it was; gives back the text that it is stored as.
async fn swap(
    app: &App,
    learner: &str,
    before: Option<&str>,
    job: &Job,
    due_at: At,
) -> Result<Option<String>, StoreError> {
    let body = serde_json::to_string(job).map_err(|error| StoreError::Invalid(error.to_string()))?;
    let place = (learner, JOB_KIND, job.name.as_str());
    let is_ours = app.store.swap_record(place, before, (&body, Some(due_at)), app.clock.now()).await?;
    Ok(is_ours.then_some(body))
}

async fn zone(app: &App, learner: &str) -> Result<TimeZone, Failure> {
    Ok(Calendar::of(&notices::profile(app, learner).await?).zone().clone())
}

fn at(moment: Timestamp) -> At {
    At(moment.as_microsecond())
}
