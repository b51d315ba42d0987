//! Puts aside courses that their learner no longer uses, after a warning. `coaching::teach::stale` has the rules.

use crate::effects::notices::{self, Letter, Way};
use crate::effects::words;
use crate::engine::app::App;
use crate::engine::clock::timestamp;
use crate::engine::failure::{Failure, readable};
use crate::engine::look::look;
use crate::engine::records;
use crate::engine::turn::{self, Request, Via};
use crate::learners::command_line::typed;
use crate::learners::{language, profiles};
use crate::teach::teaching::COURSE;
use coaching::learner::US_PER_DAY;
use coaching::teach::course::Event;
use coaching::teach::looks;
use coaching::teach::stale::{self, Verdict, Warning};
use coaching::teach::state::FlowState;
use coaching::teach::{Header, MAP_KIND};
use coaching::turn::Source;
use jiff::Timestamp;
use serde_json::json;
use store::{Filter, Instance, MAX_LIMIT, RecordChange};

/// The kind of record for a warning. Its key is the id of the course.
const WARNING_KIND: &str = "stale_warning";

/// Checks all courses of a learner. Returns the outcome, in words.
pub async fn check(app: &App, learner: &str) -> Result<String, Failure> {
    let page = app.store.list(&Filter::open_of(COURSE, learner), None, MAX_LIMIT).await?;
    let (mut warned, mut abandoned) = (0, 0);
    for row in &page.instances {
        let Ok(state) = serde_json::from_str::<FlowState>(&row.data) else {
            tracing::warn!(
                instance = row.id,
                "a course cannot be read, so it is not known whether it is stale"
            );
            continue;
        };
        let Some(left_at) = readable(left_at(app, learner, &state).await)? else { continue };
        let warning = records::read(&app.store, &row.learner, WARNING_KIND, &row.id).await?;
        match stale::judge(timestamp(app.clock.now()), left_at, warning) {
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

/// Returns the moment when the learner left a course.
async fn left_at(app: &App, learner: &str, state: &FlowState) -> Result<Timestamp, Failure> {
    if stale::is_recent(state, timestamp(app.clock.now())) {
        return Ok(state.last_session_at);
    }
    let atlas = match look(app, learner, |shelf| looks::atlas(shelf, &state.mind_map_id)).await {
        Err(Failure::UnknownInstance { .. }) => return Ok(state.last_session_at),
        atlas => atlas?,
    };
    Ok(stale::left_at(state, atlas.progress.values()))
}

/// Abandons a course unless it has moved meanwhile, so that a returning learner keeps it. Returns whether it was
/// abandoned.
async fn abandon(app: &App, row: &Instance) -> Result<bool, Failure> {
    let request = Request {
        expect_version: Some(row.version),
        via: Via::Nobody,
        ..Request::new(&row.id, Event::WentStale.name(), Source::Timer)
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

/// Warns the learner, then records the warning. After a crash in between it warns again under the same key, which
/// is delivered once.
async fn warn(app: &App, row: &Instance, left_at: Timestamp) -> Result<(), Failure> {
    let header: Option<Header> = records::read(&app.store, &row.learner, MAP_KIND, &row.id).await?;
    let profile = profiles::read(&app.store, &row.learner).await?;
    let how = match notices::way(app, &profile, profile.preferred_channel) {
        Way::Chat(_) => words::stale_answer(),
        Way::Mail(_) | Way::Inbox => {
            let name = header.as_ref().map_or_else(|| row.id.clone(), |header| header.name());
            words::stale_command(typed(&["teach", &name], &row.learner))
        }
    };
    let now = app.clock.now();
    let days = (now.0 - left_at.as_microsecond()) / US_PER_DAY;
    let title = header.map_or_else(|| "none".to_owned(), |header| header.title);
    let language = language::of(app, &row.learner, None, None).await?;
    let text = app.words.say(&language, &words::stale(title, days, how));
    let subject = app.words.say(&language, &words::stale_subject());
    let key = format!("stale/{}/{left_at}", row.id);
    let letter = Letter { subject, text, html: None };
    notices::tell(app, &row.learner, &key, &letter).await?;
    let warning = json!(Warning { left_at, warned_at: timestamp(now) });
    let told = RecordChange::new(&row.learner, WARNING_KIND, &row.id, warning);
    Ok(app.store.remember(&[told], now).await?)
}
