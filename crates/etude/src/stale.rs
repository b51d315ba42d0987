//! Courses that nobody comes back to are put aside, after a word to the learner.
//!
//! A course is stale when its last session lies strictly more than thirty days back. One that waits for a review does
//! what it should as long as that review is to come, or was due less than thirty days ago. The check is weekly: a course
//! that will be stale at the next one is told of at this one, once for each time that it was left.

use crate::app::App;
use crate::asking::timestamp;
use crate::failure::{Failure, readable};
use crate::notices::{self, Letter};
use crate::teaching::{self, COURSE};
use crate::turn::{self, Request, Via};
use coaching::teach::state::{FlowState, FlowStatus};
use coaching::teach::{Header, MAP_KIND};
use coaching::turn::Source;
use store::{At, Filter, Instance, MAX_LIMIT};

const US_PER_DAY: i64 = 86_400_000_000;
const STALE_DAYS: i64 = 30;
/// A week before: the check comes once a week.
const WARNED_DAYS: i64 = STALE_DAYS - 7;

/// What is to be done about a course that was left alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Verdict {
    Fine,
    Warn,
    Abandon,
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
        match readable(judge(app, &state).await)? {
            None | Some(Verdict::Fine) => {}
            Some(Verdict::Warn) => {
                warn(app, row, &state).await?;
                warned += 1;
            }
            Some(Verdict::Abandon) => abandoned += usize::from(abandon(app, row).await?),
        }
    }
    Ok(format!("{abandoned} abandoned, {warned} about to be"))
}

async fn judge(app: &App, state: &FlowState) -> Result<Verdict, Failure> {
    let now = app.clock.now();
    let idle_us = now.0 - state.last_session_at.as_microsecond();
    if state.status.is_final() || idle_us <= WARNED_DAYS * US_PER_DAY {
        return Ok(Verdict::Fine);
    }
    if state.status == FlowStatus::Reviewing && waits(app, state, now).await? {
        return Ok(Verdict::Fine);
    }
    Ok(if idle_us > STALE_DAYS * US_PER_DAY { Verdict::Abandon } else { Verdict::Warn })
}

/// Whether its next review is to come, or was due not long ago.
async fn waits(app: &App, state: &FlowState, now: At) -> Result<bool, Failure> {
    let atlas = match teaching::atlas(app, &state.mind_map_id).await {
        Err(Failure::UnknownInstance { .. }) => return Ok(false),
        atlas => atlas?,
    };
    let next_us = atlas.progress.values().filter_map(|progress| progress.next_review_at_us).min();
    Ok(next_us.is_some_and(|at_us| now.0 - at_us < STALE_DAYS * US_PER_DAY))
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

async fn warn(app: &App, row: &Instance, state: &FlowState) -> Result<(), Failure> {
    let header = app.store.record(&row.learner, MAP_KIND, &row.id).await?;
    let header: Option<Header> = header.and_then(|record| serde_json::from_str(&record.body).ok());
    let title = header.map_or_else(|| "Your course".to_owned(), |header| format!("“{}”", header.title));
    let days = (app.clock.now().0 - state.last_session_at.as_microsecond()) / US_PER_DAY;
    let text = format!(
        "{title} has been waiting for you for {days} days. In a week it is put aside; what you know stays known, and \
         you can take it up again at any time. To go on now: `etude teach`, or just answer its last question."
    );
    let left_at = At(state.last_session_at.as_microsecond());
    // The key names the moment it was left: told once, and again only if it is left again.
    let key = format!("stale/{}/{}", row.id, timestamp(left_at));
    let letter = Letter { subject: "A course waits for you".to_owned(), text, html: None };
    notices::tell(app, &row.learner, &key, &letter).await
}
