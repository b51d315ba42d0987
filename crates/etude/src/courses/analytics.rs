//! The numbers of a learner: worked out when somebody asks, and kept once a night so that they can be compared.

use crate::courses::teaching::{self, Atlas};
use crate::effects::asking::timestamp;
use crate::engine::app::App;
use crate::engine::failure::{Failure, readable};
use crate::engine::records;
use crate::learners::profiles;
use coaching::learner::Calendar;
use coaching::teach::analytics::{self, Analytics, Studied};
use coaching::teach::chart::{Bar, Chart};
use coaching::teach::state::FlowState;
use coaching::teach::{MapStatus, Response};
use serde::{Deserialize, Serialize};
use store::{At, RecordChange};

/// The kind of record that keeps the numbers of one night.
pub const SNAPSHOT_KIND: &str = "analytics_snapshot";
/// The part of the key of a snapshot that stands for all courses together.
const ALL: &str = "all";
/// Older courses are left out of the sum.
const MAX_COURSES: usize = 200;
/// A little more than a year, so that years can be compared.
const SNAPSHOT_LASTS_MS: i64 = 400 * 86_400_000;

/// Everything about one learner.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Report {
    pub all: Analytics,
    pub courses: Vec<Analytics>,
}

/// What one course has left in the store.
#[derive(Debug)]
struct Study {
    atlas: Atlas,
    state: FlowState,
    responses: Vec<Response>,
}

/// The courses that a learner has not given up, and all of them together.
pub async fn report(app: &App, learner: &str) -> Result<Report, Failure> {
    let calendar = Calendar::of(&profiles::read(&app.store, learner).await?);
    let now = timestamp(app.clock.now());
    let mut studies = Vec::new();
    for header in teaching::headers(app, learner).await?.into_iter().take(MAX_COURSES) {
        // A map without a document has no concepts yet, and so no numbers.
        if header.status != MapStatus::Abandoned && header.document.is_some() {
            studies.extend(readable(study(app, &header.mind_map_id.to_string()).await)?);
        }
    }
    let studied: Vec<Studied<'_>> = studies.iter().map(Study::studied).collect();
    Ok(Report {
        all: analytics::over_all(&studied, &calendar, now),
        courses: studied.iter().map(|course| analytics::of_course(course, &calendar, now)).collect(),
    })
}

/// The numbers of one course, also of one that was given up.
pub async fn course(app: &App, mind_map_id: &str) -> Result<Analytics, Failure> {
    let study = study(app, mind_map_id).await?;
    let calendar = Calendar::of(&profiles::read(&app.store, &study.atlas.learner).await?);
    Ok(analytics::of_course(&study.studied(), &calendar, timestamp(app.clock.now())))
}

async fn study(app: &App, mind_map_id: &str) -> Result<Study, Failure> {
    let unknown = || Failure::UnknownInstance { id: mind_map_id.to_owned() };
    let state = teaching::state(app, mind_map_id).await?.ok_or_else(unknown)?;
    let atlas = teaching::atlas(app, mind_map_id).await?;
    let responses = teaching::all_answers(app, &atlas.learner, atlas.header.mind_map_id).await?;
    Ok(Study { atlas, state, responses })
}

impl Study {
    fn studied(&self) -> Studied<'_> {
        Studied {
            map: &self.atlas.map,
            progress: &self.atlas.progress,
            responses: &self.responses,
            sessions: self.state.session_count,
            started_at: self.state.started_at,
        }
    }
}

/// Keeps the numbers of the learner's day that `at` belongs to. Doing it again replaces them; says how many there are.
pub async fn keep_snapshot(app: &App, learner: &str, at: At) -> Result<usize, Failure> {
    let report = report(app, learner).await?;
    let calendar = Calendar::of(&profiles::read(&app.store, learner).await?);
    let day = calendar.day(at.0).map_or_else(String::new, |day| day.to_string());
    let change = |numbers: &Analytics| RecordChange {
        learner: learner.to_owned(),
        kind: SNAPSHOT_KIND.to_owned(),
        key: format!("{day}/{}", numbers.mind_map_id.map_or_else(|| ALL.to_owned(), |id| id.to_string())),
        body: serde_json::to_string(numbers).ok(),
        due_at: Some(at.plus_ms(SNAPSHOT_LASTS_MS)),
        ..RecordChange::default()
    };
    let changes: Vec<RecordChange> = report.courses.iter().chain([&report.all]).map(change).collect();
    app.store.remember(&changes, app.clock.now()).await?;
    Ok(changes.len())
}

/// The kept numbers of all courses together, of the days from `since` on, oldest first.
pub async fn kept(app: &App, learner: &str, since: At) -> Result<Vec<Analytics>, Failure> {
    let of_all = |record: store::Record| {
        let numbers: Option<Analytics> = serde_json::from_str(&record.body).ok();
        numbers.filter(|numbers| record.key.ends_with(ALL) && numbers.at >= timestamp(since))
    };
    Ok(records::every(&app.store, learner, (SNAPSHOT_KIND, ""), of_all).await?)
}

impl Report {
    /// The numbers as bars, for a terminal, a mail or a picture.
    pub fn charts(&self) -> Vec<Chart> {
        let mastery = self.courses.iter().map(|course| {
            let note = format!("{} of {}, {}", course.mastered, course.nodes, percent(course.mastery_pct));
            Bar::new(&course.title, course.mastery_pct, note)
        });
        let retention = [("7 days", self.all.retention_7d), ("30 days", self.all.retention_30d)];
        let retention = retention
            .into_iter()
            .filter_map(|(label, share)| share.map(|share| Bar::new(label, share, percent(share))));
        let hard = self.all.struggling.iter();
        let hard =
            hard.map(|known| Bar::new(&known.label, known.mastery_score, percent(known.mastery_score)));
        let charts = [
            ("Mastered", mastery.collect()),
            ("Remembered in reviews", retention.collect()),
            ("Mastered per week", weeks(&self.all.mastered_by_week)),
            ("Good answers by time of day", times(&self.all)),
            ("Still hard", hard.collect::<Vec<Bar>>()),
        ];
        let charts = charts.into_iter().filter(|(_, bars)| !bars.is_empty());
        charts.map(|(title, bars)| Chart { title: title.to_owned(), bars }).collect()
    }
}

/// Weeks without anything are shown as well, unless there is nothing else.
fn weeks(counts: &[u32]) -> Vec<Bar> {
    let most = counts.iter().copied().max().unwrap_or(0);
    if most == 0 {
        return Vec::new();
    }
    let label = |weeks_ago: usize| match weeks_ago {
        0 => "this week".to_owned(),
        1 => "last week".to_owned(),
        n => format!("{n} weeks ago"),
    };
    let bar = |(at, count): (usize, &u32)| {
        Bar::new(label(counts.len() - 1 - at), f64::from(*count) / f64::from(most), count.to_string())
    };
    counts.iter().enumerate().map(bar).collect()
}

fn times(all: &Analytics) -> Vec<Bar> {
    let times = all.times_of_day.iter().filter(|time| time.answers > 0);
    let bar = |time: &analytics::TimeOfDay| {
        let share = f64::from(time.good) / f64::from(time.answers);
        Bar::new(time.part.as_str(), share, format!("{} of {}", time.good, time.answers))
    };
    times.map(bar).collect()
}

pub fn percent(share: f64) -> String {
    format!("{:.0} %", share * 100.0)
}
