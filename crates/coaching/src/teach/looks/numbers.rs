//! The numbers of a learner: computed on request, and kept once a night so that they can be compared.

use super::{Atlas, all_answers, atlas, context, headers, state};
use crate::learner::Calendar;
use crate::look::{Shelf, Unseen, Want};
use crate::record::Record;
use crate::teach::analytics::{self, Analytics, Studied, TimeOfDay};
use crate::teach::chart::{Bar, Chart};
use crate::teach::room::{MapStatus, Response};
use crate::teach::state::{FlowState, moment};
use crate::teach::words;
use crate::words::Text;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

/// The kind of record that keeps the numbers of one night.
pub const SNAPSHOT_KIND: &str = "analytics_snapshot";
/// The part of a snapshot's key that stands for all courses together.
const ALL: &str = "all";
/// The most courses in the sum. Older ones are left out.
const MAX_COURSES: usize = 200;
/// The time for which numbers are kept, in microseconds: a little more than a year, so that years can be compared.
const SNAPSHOT_LASTS_US: i64 = 400 * 86_400_000_000;

/// The numbers of a learner: of all courses together, and of each.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Report {
    pub all: Analytics,
    pub courses: Vec<Analytics>,
}

/// The records of one course in the store.
#[derive(Debug)]
struct Study {
    atlas: Atlas,
    state: FlowState,
    responses: Vec<Response>,
}

/// Returns the numbers of the courses that a learner has not given up, and of all of them together.
pub fn report(shelf: &Shelf) -> Result<Report, Unseen> {
    let calendar = Calendar::of(&context::profile(shelf)?);
    let now = moment(shelf.now_us);
    let mut headers = headers(shelf)?;
    headers.truncate(MAX_COURSES);
    // A map without a document has no concepts yet, and so no numbers.
    headers.retain(|header| header.status != MapStatus::Abandoned && header.document.is_some());
    let ids: Vec<String> = headers.iter().map(|header| header.mind_map_id.to_string()).collect();
    shelf.need(ids.iter().flat_map(|id| [Want::Flow(id.clone()), Want::Scope(id.clone())]))?;
    let (mut studies, mut wants) = (Vec::new(), Vec::new());
    for id in &ids {
        match study(shelf, id) {
            Ok(study) => studies.push(study),
            Err(Unseen::Wants(more)) => wants.extend(more),
            // A course that cannot be read does not affect the others.
            Err(_) => {}
        }
    }
    if !wants.is_empty() {
        return Err(Unseen::Wants(wants));
    }
    let studied: Vec<Studied<'_>> = studies.iter().map(Study::studied).collect();
    Ok(Report {
        all: analytics::over_all(&studied, &calendar, now),
        courses: studied.iter().map(|course| analytics::of_course(course, &calendar, now)).collect(),
    })
}

/// Returns the numbers of one course, even of one that was given up.
pub fn numbers(shelf: &Shelf, id: &str) -> Result<Analytics, Unseen> {
    let calendar = Calendar::of(&context::profile(shelf)?);
    Ok(analytics::of_course(&study(shelf, id)?.studied(), &calendar, moment(shelf.now_us)))
}

fn study(shelf: &Shelf, id: &str) -> Result<Study, Unseen> {
    let state = state(shelf, id)?.ok_or_else(|| Unseen::UnknownFlow(id.to_owned()))?;
    let atlas = atlas(shelf, id)?;
    let responses = all_answers(shelf, atlas.header.mind_map_id)?;
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

/// Returns the present numbers as records, under the learner's day that `at_us` belongs to. Writing them again
/// replaces them.
pub fn snapshot(shelf: &Shelf, at_us: i64) -> Result<Vec<Record>, Unseen> {
    let report = report(shelf)?;
    let calendar = Calendar::of(&context::profile(shelf)?);
    let day = calendar.day(at_us).map_or_else(String::new, |day| day.to_string());
    let record = |numbers: &Analytics| Record {
        kind: SNAPSHOT_KIND.to_owned(),
        key: format!("{day}/{}", numbers.mind_map_id.map_or_else(|| ALL.to_owned(), |id| id.to_string())),
        body: Some(json!(numbers)),
        due_at_us: Some(at_us + SNAPSHOT_LASTS_US),
        ..Record::default()
    };
    Ok(report.courses.iter().chain([&report.all]).map(record).collect())
}

/// Returns the kept numbers of all courses together, of the days from `since_us` on, the oldest first.
pub fn snapshots(shelf: &Shelf, since_us: i64) -> Result<Vec<Analytics>, Unseen> {
    let kept = shelf.records(Want::Every(SNAPSHOT_KIND, String::new()))?;
    let of_all = kept.iter().filter(|record| record.key.ends_with(ALL)).filter_map(|record| record.read());
    Ok(of_all.filter(|numbers: &Analytics| numbers.at >= moment(since_us)).collect())
}

impl Report {
    /// Returns the numbers as bars, for a terminal, a mail or a picture. `say` puts a sentence into the learner's
    /// language.
    pub fn charts(&self, say: impl Fn(&Text) -> String) -> Vec<Chart> {
        let mastery = self.courses.iter().map(|course| {
            let share = course.mastery_pct;
            let note = words::chart_mastered_note(course.mastered, course.nodes, percent(share));
            Bar::new(&course.title, share, say(&note))
        });
        let retention = [(7, self.all.retention_7d), (30, self.all.retention_30d)];
        let retention = retention.into_iter().filter_map(|(days, share)| {
            let label = say(&words::chart_retention_days(days));
            share.map(|share| Bar::new(label, share, percent(share)))
        });
        let hard = self.all.struggling.iter();
        let hard =
            hard.map(|known| Bar::new(&known.label, known.mastery_score, percent(known.mastery_score)));
        let charts = [
            (words::chart_mastered(), mastery.collect()),
            (words::chart_retention(), retention.collect()),
            (words::chart_weeks(), weeks(&self.all.mastered_by_week, &say)),
            (words::chart_times(), times(&self.all, &say)),
            (words::chart_hard(), hard.collect::<Vec<Bar>>()),
        ];
        let charts = charts.into_iter().filter(|(_, bars)| !bars.is_empty());
        charts.map(|(title, bars)| Chart { title: say(&title), bars }).collect()
    }
}

/// Draws the concepts mastered in each week. Empty weeks are shown as well, unless all are empty.
fn weeks(counts: &[u32], say: impl Fn(&Text) -> String) -> Vec<Bar> {
    let most = counts.iter().copied().max().unwrap_or(0);
    if most == 0 {
        return Vec::new();
    }
    let bar = |(at, count): (usize, &u32)| {
        let label = say(&words::chart_weeks_ago(counts.len() - 1 - at));
        Bar::new(label, f64::from(*count) / f64::from(most), count.to_string())
    };
    counts.iter().enumerate().map(bar).collect()
}

fn times(all: &Analytics, say: impl Fn(&Text) -> String) -> Vec<Bar> {
    let times = all.times_of_day.iter().filter(|time| time.answers > 0);
    let bar = |time: &TimeOfDay| {
        let share = f64::from(time.good) / f64::from(time.answers);
        let note = words::chart_times_note(time.good, time.answers);
        Bar::new(say(&words::part_of_day(time.part.as_str())), share, say(&note))
    };
    times.map(bar).collect()
}

pub fn percent(share: f64) -> String {
    format!("{:.0} %", share * 100.0)
}
