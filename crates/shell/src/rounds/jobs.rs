//! Runs jobs: scheduled work. Every learner has a few, each with a cron expression in the learner's time zone.
//!
//! A job is a record with the moment of its next run. A node that finds it due writes a lease into it, provided
//! that it has not changed; so each run happens on one node. After the work, the node sets the next run, counted
//! from now: after missed runs, the job runs once. If a node dies in between, its lease ends and another node
//! repeats the run. Therefore all work is repeatable: messages have keys that name the run, snapshots are replaced,
//! and a flow is abandoned only if it has not moved.

use crate::effects::notices::{SENT_KIND, TOLD_KIND};
use crate::engine::app::App;
use crate::engine::clock::timestamp;
use crate::engine::failure::Failure;
use crate::engine::flows::FlowEntry;
use crate::engine::look::look;
use crate::engine::records;
use crate::learners::chats::LINK_KIND;
use crate::learners::profiles;
use crate::learners::remembering;
use crate::teach::digest;
use crate::teach::stale;
use coaching::learner::Calendar;
use coaching::rejected::Rejected;
use coaching::teach::looks::{self, SNAPSHOT_KIND};
use croner::Cron;
use futures_util::future::try_join_all;
use futures_util::stream::{self, StreamExt, TryStreamExt};
use jiff::Timestamp;
use jiff::tz::TimeZone;
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use store::{At, Filter, Record, StoreError};

/// The kinds of records for jobs. A fit needs a processor for seconds, so fits have a queue of their own: no
/// message waits for them.
const JOB_KIND: &str = "job";
const FIT_KIND: &str = "fit_job";

/// The most due jobs read in one round, and the number done at a time.
const LOOK: usize = 256;
const AT_ONCE: usize = 8;
/// The number of learners enrolled at a time. A newly started program checks all learners, which would take long
/// one by one.
const ENROL_AT_ONCE: usize = 64;
/// The length of a lease, longer than any run takes. After that another node may repeat the run.
const LEASE_MS: i64 = 10 * 60_000;
/// How many times a failed run is tried again before the next run is due, and how far apart.
const MAX_FAILURES: u32 = 5;
const RETRY_MS: i64 = 5 * 60_000;
const DAY_MS: i64 = 86_400_000;
/// How often to look for new learners, and how far back. Clocks of nodes may differ by less than the overlap.
const ENROL_EVERY_US: i64 = 5_000_000;
const OVERLAP_US: i64 = 600_000_000;
const PAGE: usize = 500;

/// The work of a job.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Task {
    StaleFlowCheck,
    WeeklyProgressDigest,
    NightlyAnalyticsSnapshot,
    NightlyMemoryFit,
}

/// A task of one learner, as the store keeps it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Job {
    pub name: String,
    pub cron: String,
    /// The next run, or the one under way.
    pub run_at: Timestamp,
    /// The end of the time in which one node has this run to itself.
    pub leased_until: Option<Timestamp>,
    pub last_run_at: Option<Timestamp>,
    /// The outcome of the last run.
    pub last_result: Option<String>,
    #[serde(default)]
    pub failures: u32,
}

/// The moment up to which this process has seen new learners.
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
                message: format!("there is no job `{}`", name.chars().take(60).collect::<String>()).into(),
                cure: format!("one of: {}", Task::ALL.map(Task::name).join(", ")).into(),
            })
        })
    }

    fn kind(self) -> &'static str {
        match self {
            Task::NightlyMemoryFit => FIT_KIND,
            _ => JOB_KIND,
        }
    }

    /// Returns the default schedule: Mondays at 8 and at 9, or every night before the learner's day usually begins.
    fn usual_cron(self) -> &'static str {
        match self {
            Task::StaleFlowCheck => "0 8 * * 1",
            Task::WeeklyProgressDigest => "0 9 * * 1",
            Task::NightlyAnalyticsSnapshot => "30 3 * * *",
            Task::NightlyMemoryFit => "45 3 * * *",
        }
    }
}

/// Does every due job except fits. Returns the number done.
pub async fn dispatch(app: &App, roll: &Roll) -> Result<usize, StoreError> {
    enrol_new(app, roll, app.clock.now()).await?;
    do_due(app, JOB_KIND, LOOK, AT_ONCE).await
}

/// Does due fits, on half of the processors and few at a time, so that the program can end in between. Returns the
/// number done.
pub async fn dispatch_fits(app: &App) -> Result<usize, StoreError> {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let at_once = cores.div_ceil(2);
    do_due(app, FIT_KIND, at_once, at_once).await
}

async fn do_due(app: &App, kind: &str, look: usize, at_once: usize) -> Result<usize, StoreError> {
    let due = app.store.due_records(kind, app.clock.now(), look).await?;
    let runs = stream::iter(due).map(|record| attend(app, record)).buffer_unordered(at_once);
    let results: Vec<Result<bool, StoreError>> = runs.collect().await;
    let done: Result<Vec<bool>, StoreError> = results.into_iter().collect();
    Ok(done?.into_iter().filter(|done| *done).count())
}

/// Does a task now, outside its schedule. On the day of a scheduled run it counts as that run: no digest is sent
/// twice.
pub async fn run_now(app: &App, learner: &str, task: Task) -> Result<String, Failure> {
    perform(app, learner, task, app.clock.now(), None).await
}

/// Returns the jobs of a learner, by name.
pub async fn list(app: &App, learner: &str) -> Result<Vec<Job>, Failure> {
    let records = stored(app, learner).await?;
    let mut jobs: Vec<Job> =
        records.into_iter().filter_map(|record| serde_json::from_str(&record.body).ok()).collect();
    jobs.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(jobs)
}

async fn stored(app: &App, learner: &str) -> Result<Vec<Record>, StoreError> {
    let mut records = app.store.records(learner, JOB_KIND, PAGE).await?;
    records.extend(app.store.records(learner, FIT_KIND, PAGE).await?);
    Ok(records)
}

/// Sets the schedule of a job. Refuses learners who have opened no flow.
pub async fn set_cron(app: &App, learner: &str, task: Task, cron: &str) -> Result<Job, Failure> {
    let zone = zone(app, learner).await?;
    let now = app.clock.now();
    let run_at = next_run(cron, &zone, timestamp(now)).map_err(|message| {
        let cure = "write five fields: minute, hour, day of month, month, day of week".to_owned();
        Failure::Rejected(Rejected { code: "bad_cron", message: message.into(), cure: cure.into() })
    })?;
    if !enrol(app, learner, now).await? {
        return Err(Failure::Rejected(Rejected {
            code: "unknown_learner",
            message: format!("`{}` has learned nothing here", learner.chars().take(60).collect::<String>())
                .into(),
            cure: "name a learner with a course or a drill".into(),
        }));
    }
    let record = app.store.record(learner, task.kind(), task.name()).await?;
    let before = record.as_ref().map(|record| record.body.as_str());
    let known: Option<Job> = before.and_then(|body| serde_json::from_str(body).ok());
    let job = Job {
        cron: cron.to_owned(),
        run_at,
        leased_until: None,
        failures: 0,
        ..known.unwrap_or_else(|| new_job(task, run_at))
    };
    match swap(app, (learner, task), before, &job, at(run_at)).await? {
        Some(_) => Ok(job),
        None => Err(Failure::Conflict { version: 0, state: "the job".to_owned() }),
    }
}

/// Gives a learner the jobs that they lack, unless they have opened no flow. Returns whether they have any.
pub async fn enrol(app: &App, learner: &str, now: At) -> Result<bool, StoreError> {
    let known = stored(app, learner).await?;
    if Task::ALL.iter().all(|task| {
        known.iter().any(|record| (record.kind.as_str(), record.key.as_str()) == (task.kind(), task.name()))
    }) {
        return Ok(true);
    }
    if app.store.list(&Filter::of_learner(learner), None, 1).await?.instances.is_empty() {
        return Ok(!known.is_empty());
    }
    let zone = zone(app, learner).await.unwrap_or(TimeZone::UTC);
    let jobs: Vec<(Task, Job)> = Task::ALL
        .into_iter()
        .filter_map(|task| {
            Some((task, new_job(task, next_run(task.usual_cron(), &zone, timestamp(now)).ok()?)))
        })
        .collect();
    try_join_all(jobs.iter().map(|(task, job)| swap(app, (learner, *task), None, job, at(job.run_at))))
        .await?;
    Ok(true)
}

/// Returns the first run after a moment. If the clock skips or repeats that time of day, there is still one run.
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

/// Gives jobs to learners with new activity since the last look; the first time, to all learners.
async fn enrol_new(app: &App, roll: &Roll, now: At) -> Result<(), StoreError> {
    let looked_us = roll.0.load(Ordering::Relaxed);
    if looked_us != 0 && now.0 - looked_us < ENROL_EVERY_US {
        return Ok(());
    }
    let since = At(if looked_us == 0 { 0 } else { looked_us - OVERLAP_US });
    let remembers = |entry: &&Arc<FlowEntry>| entry.needs().recalls.is_some();
    for flow in app.flows.entries().filter(remembers).map(|entry| entry.name.as_str()) {
        let mut after = String::new();
        loop {
            let learners = app.store.learners_since(flow, since, &after, PAGE).await?;
            let next = learners.last().filter(|_| learners.len() == PAGE).cloned();
            let enrolled =
                stream::iter(learners).map(|learner| async move { enrol(app, &learner, now).await });
            enrolled.buffer_unordered(ENROL_AT_ONCE).try_collect::<Vec<bool>>().await?;
            match next {
                Some(last) => after = last,
                None => break,
            }
        }
    }
    roll.0.store(now.0, Ordering::Relaxed);
    Ok(())
}

/// Claims one due job, does it and sets its next run. Returns false if another node was faster.
async fn attend(app: &App, record: Record) -> Result<bool, StoreError> {
    let (learner, now) = (record.learner.as_str(), app.clock.now());
    let known = serde_json::from_str::<Job>(&record.body).ok().zip(Task::named(&record.key).ok());
    let Some((job, task)) = known.filter(|(_, task)| task.kind() == record.kind) else {
        return leave(app, &record).await;
    };
    let leased_until = now.plus_ms(LEASE_MS);
    let held = Job { leased_until: Some(timestamp(leased_until)), ..job.clone() };
    let Some(body) = swap(app, (learner, task), Some(&record.body), &held, leased_until).await? else {
        return Ok(false);
    };
    let since = job.last_run_at.filter(|_| job.failures == 0).map(at);
    let result = perform(app, learner, task, at(job.run_at), since).await;
    let (next, due_at) = settled(app, learner, held, &result).await;
    // If the lease has ended and another node has begun, that node sets the next run.
    swap(app, (learner, task), Some(&body), &next, due_at).await?;
    Ok(true)
}

/// Leaves a job that this program cannot read alone for a day: it may belong to another version.
async fn leave(app: &App, record: &Record) -> Result<bool, StoreError> {
    tracing::warn!(
        learner = record.learner,
        name = record.key,
        "a job cannot be read; it is left alone for a day"
    );
    let now = app.clock.now();
    let place = (record.learner.as_str(), record.kind.as_str(), record.key.as_str());
    let later = (record.body.as_str(), Some(now.plus_ms(DAY_MS)));
    app.store.swap_record(place, Some(&record.body), later, now).await
}

/// Returns a job as it is after a run, and the moment when it is looked at again.
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
    // The expression was valid before. If it is not any more, waiting a day does the least harm.
    let in_a_day = || timestamp(now.plus_ms(DAY_MS));
    let run_at = next_run(&job.cron, &zone, timestamp(now)).unwrap_or_else(|_| in_a_day());
    let last_result = Some(result.as_ref().map_or_else(|failure| format!("failed: {failure}"), Clone::clone));
    (Job { run_at, failures: 0, last_result, ..job }, at(run_at))
}

/// Does a task. `run` names the run: repeating it changes nothing. `since` is the time of the scheduled run before;
/// `None` if there was none, if this run is tried again after a failure, or outside the schedule.
async fn perform(
    app: &App,
    learner: &str,
    task: Task,
    run: At,
    since: Option<At>,
) -> Result<String, Failure> {
    metrics::counter!("etude_jobs_total", "job" => task.name()).increment(1);
    match task {
        Task::StaleFlowCheck => stale::check(app, learner).await,
        Task::WeeklyProgressDigest => digest::send(app, learner, run).await,
        Task::NightlyMemoryFit => remembering::refit(app, learner, since).await,
        Task::NightlyAnalyticsSnapshot => {
            let kept = keep_snapshot(app, learner, run).await?;
            forget_expired(app).await?;
            Ok(format!("{kept} kept"))
        }
    }
}

/// Stores the numbers of the learner's day that contains `at`. Returns how many there are.
pub async fn keep_snapshot(app: &App, learner: &str, at: At) -> Result<usize, Failure> {
    let snapshot = look(app, learner, |shelf| looks::snapshot(shelf, at.0)).await?;
    let changes: Vec<_> = snapshot.iter().map(|record| records::change(learner, record)).collect();
    app.store.remember(&changes, app.clock.now()).await?;
    Ok(changes.len())
}

/// Deletes records that were kept for a limited time.
async fn forget_expired(app: &App) -> Result<(), StoreError> {
    for kind in [SNAPSHOT_KIND, SENT_KIND, TOLD_KIND, LINK_KIND] {
        let expired = app.store.due_records(kind, app.clock.now(), PAGE).await?;
        for record in &expired {
            app.store.forget_record(record).await?;
        }
    }
    Ok(())
}

/// Writes a job if it has not changed. Returns its stored text, or `None` if another node was faster.
async fn swap(
    app: &App,
    (learner, task): (&str, Task),
    before: Option<&str>,
    job: &Job,
    due_at: At,
) -> Result<Option<String>, StoreError> {
    let body = serde_json::to_string(job).map_err(|error| StoreError::Invalid(error.to_string()))?;
    let place = (learner, task.kind(), task.name());
    let is_ours = app.store.swap_record(place, before, (&body, Some(due_at)), app.clock.now()).await?;
    Ok(is_ours.then_some(body))
}

async fn zone(app: &App, learner: &str) -> Result<TimeZone, Failure> {
    Ok(Calendar::of(&profiles::read(&app.store, learner).await?).zone().clone())
}

fn at(moment: Timestamp) -> At {
    At(moment.as_microsecond())
}
