//! Courses that nobody comes back to are put aside, after a word to the learner.
//!
//! A course is left when its last session ends or its last concept was recalled, and one that waits for a review only
//! when that review is due. It is stale when it was left strictly more than thirty days ago. The check is weekly: a
//! course that will be stale at the next one is told of at this one, once for each time that it was left; and none is
//! put aside that was not told of at a check before.

use crate::courses::teaching::{self, COURSE};
use crate::effects::notices::{self, Letter, Way};
use crate::engine::app::App;
use crate::engine::clock::timestamp;
use crate::engine::failure::{Failure, readable};
use crate::engine::turn::{self, Request, Via};
use crate::learners::command_line::{name_of, typed};
use crate::learners::profiles;
use coaching::learner::US_PER_DAY;
use coaching::teach::state::{FlowState, FlowStatus};
use coaching::turn::Source;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::json;
use store::{Filter, Instance, MAX_LIMIT, RecordChange};

/// The kind of record that says when the learner was told of a course. Its key is that of the course.
const WARNING_KIND: &str = "stale_warning";

const STALE_DAYS: i64 = 30;
/// A week before: the check comes once a week.
const WARNED_DAYS: i64 = STALE_DAYS - 7;
/// How long ago a warning must be. The next check comes a week later by the clock on the wall, which may go forward.
const LEAST_NOTICE_DAYS: i64 = 6;

/// What is to be done about a course that was left alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Verdict {
    Fine,
    Warn,
    Abandon,
}

/// That the learner was told of a course which they left at a moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
struct Warning {
    left_at: Timestamp,
    warned_at: Timestamp,
}

/// Looks at all courses of a learner; says what was done.
pub async fn check(app: &App, learner: &str) -> Result<String, Failure> {
    let filter = Filter {
        flow: Some(COURSE.to_owned()),
        learner: Some(learner.to_owned()),
        open: Some(true),
        ..Filter::default()
    };
    let page = app.store.list(&filter, None, MAX_LIMIT).await?;
    let (mut warned, mut abandoned) = (0, 0);
    for row in &page.instances {
        let Ok(state) = serde_json::from_str::<FlowState>(&row.data) else {
            tracing::warn!(instance = row.id, "a course cannot be read, so nobody knows whether it is stale");
            continue;
        };
        let Some(left_at) = readable(left_at(app, &state).await)? else { continue };
        let warning = warning(app, row).await?.filter(|warning| warning.left_at == left_at);
        match judge(timestamp(app.clock.now()), left_at, warning) {
            Verdict::Fine => {}
            Verdict::Warn => {
                warn(app, row, left_at).await?;
                warned += 1;
            }
            Verdict::Abandon => abandoned += usize::from(abandon(app, row).await?),
        }
    }
    Ok(format!("{abandoned} abandoned, {warned} about to be"))
}

fn judge(now: Timestamp, left_at: Timestamp, warning: Option<Warning>) -> Verdict {
    let days_since =
        |at: Timestamp, days: i64| now.as_microsecond() - at.as_microsecond() - days * US_PER_DAY;
    match warning {
        None if days_since(left_at, WARNED_DAYS) > 0 => Verdict::Warn,
        Some(Warning { warned_at, .. })
            if days_since(left_at, STALE_DAYS) > 0 && days_since(warned_at, LEAST_NOTICE_DAYS) >= 0 =>
        {
            Verdict::Abandon
        }
        _ => Verdict::Fine,
    }
}

/// Since when nobody has done what the course waits for.
async fn left_at(app: &App, state: &FlowState) -> Result<Timestamp, Failure> {
    // Only what may be stale is looked at closely.
    if app.clock.now().0 - state.last_session_at.as_microsecond() <= WARNED_DAYS * US_PER_DAY {
        return Ok(state.last_session_at);
    }
    let atlas = match teaching::atlas(app, &state.mind_map_id).await {
        Err(Failure::UnknownInstance { .. }) => return Ok(state.last_session_at),
        atlas => atlas?,
    };
    let progress = || atlas.progress.values();
    let recalled_us = progress().filter_map(|progress| progress.reviewed_at_us).max();
    let next_us = progress().filter_map(|progress| progress.next_review_at_us).min();
    let waits_us = next_us.filter(|_| state.status == FlowStatus::Reviewing);
    let moments = [recalled_us, waits_us].into_iter().flatten();
    let moments = moments.filter_map(|at_us| Timestamp::from_microsecond(at_us).ok());
    Ok(moments.fold(state.last_session_at, Timestamp::max))
}

async fn warning(app: &App, row: &Instance) -> Result<Option<Warning>, Failure> {
    let record = app.store.record(&row.learner, WARNING_KIND, &row.id).await?;
    Ok(record.and_then(|record| serde_json::from_str(&record.body).ok()))
}

/// Whether it was abandoned. Only as it was seen: whoever comes back in this moment keeps their course.
async fn abandon(app: &App, row: &Instance) -> Result<bool, Failure> {
    let request = Request {
        expect_version: Some(row.version),
        via: Via::Nobody,
        ..Request::new(&row.id, "went_stale", Source::Timer)
    };
    match turn::take(app, request).await {
        Ok(_) => Ok(true),
        Err(Failure::Store(error)) => Err(Failure::Store(error)),
        Err(failure) => {
            tracing::info!(instance = row.id, %failure, "a stale course was not abandoned");
            Ok(false)
        }
    }
}

/// Tells the learner, then writes down that they were told: after a crash in between they are told again under the same
/// key, which is once.
async fn warn(app: &App, row: &Instance, left_at: Timestamp) -> Result<(), Failure> {
    let header = teaching::header(app, &row.learner, &row.id).await?;
    let title =
        header.as_ref().map_or_else(|| "Your course".to_owned(), |header| format!("“{}”", header.title));
    let profile = profiles::read(&app.store, &row.learner).await?;
    let how = match notices::way(app, &profile, profile.preferred_channel) {
        Way::Chat(_) => "just answer its last question".to_owned(),
        Way::Mail(_) | Way::Inbox => {
            let name = header.as_ref().map_or_else(|| row.id.clone(), name_of);
            format!("`{}`", typed(&["teach", &name], &row.learner))
        }
    };
    let now = app.clock.now();
    let days = (now.0 - left_at.as_microsecond()) / US_PER_DAY;
    let text = format!(
        "{title} has been waiting for you for {days} days. In a week it is put aside; what you know stays known, and \
         you can take it up again at any time. To go on now: {how}."
    );
    let key = format!("stale/{}/{left_at}", row.id);
    let letter = Letter { subject: "A course waits for you".to_owned(), text, html: None };
    notices::tell(app, &row.learner, &key, &letter).await?;
    let told = RecordChange {
        learner: row.learner.clone(),
        kind: WARNING_KIND.to_owned(),
        key: row.id.clone(),
        body: Some(json!(Warning { left_at, warned_at: timestamp(now) }).to_string()),
        ..RecordChange::default()
    };
    Ok(app.store.remember(&[told], now).await?)
}
