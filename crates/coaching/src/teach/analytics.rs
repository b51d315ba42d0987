//! Learning in numbers: for one course, or for all courses of a learner together.
//!
//! Everything is computed from stored data: maps, progress and answers. Unknown numbers are left out rather than guessed.

use super::progress::{Progress, ResponseType};
use super::room::Response;
use super::state::moment;
use crate::learner::{Calendar, US_PER_DAY};
use crate::map::MasteryStatus;
use crate::map::{MapId, MindMap, NodeId, NodeIx};
use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeSet, HashMap};

const US_PER_WEEK: i64 = 7 * US_PER_DAY;
/// The weeks over which velocity is counted: enough to be steady, few enough to notice a change.
const VELOCITY_WEEKS: i64 = 4;
/// The number of weeks that a chart shows.
pub const CHARTED_WEEKS: usize = 8;
/// The fewest answers in a part of the day that say anything about it.
const MIN_ANSWERS_IN_PART: u32 = 5;
/// The weeks from now to the furthest date of completion. A later one says nothing, and the calendar does not reach
/// much further.
const MAX_WEEKS_AHEAD: f64 = 52.0 * 50.0;
/// The most concepts that are named as hard.
const MAX_STRUGGLING: usize = 20;

/// The facts about one course.
#[derive(Debug, Clone, Copy)]
pub struct Studied<'a> {
    pub map: &'a MindMap,
    pub progress: &'a HashMap<NodeId, Progress>,
    pub responses: &'a [Response],
    pub sessions: u32,
    pub started_at: Timestamp,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(extend("required" = [
    "mind_map_id", "title", "at", "nodes", "mastered", "mastery_pct", "velocity_per_week", "retention_7d",
    "retention_30d", "struggling", "strongest_area", "estimated_completion_at", "best_time_of_day",
]))]
pub struct Analytics {
    /// Null for all courses together.
    pub mind_map_id: Option<MapId>,
    pub title: String,
    pub at: Timestamp,
    pub nodes: usize,
    pub mastered: usize,
    /// The share of concepts that are mastered, 0 to 1.
    #[schemars(range(min = 0, max = 1))]
    pub mastery_pct: f64,
    /// Concepts mastered per week, over the last four weeks or since the beginning.
    pub velocity_per_week: f64,
    /// The share of reviews of the last 7 and 30 days in which the answer came back, 0 to 1; null without reviews.
    #[schemars(range(min = 0, max = 1))]
    pub retention_7d: Option<f64>,
    #[schemars(range(min = 0, max = 1))]
    pub retention_30d: Option<f64>,
    pub struggling: Vec<Known>,
    pub strongest_area: Option<Area>,
    /// When everything will be mastered at the present velocity; null when that cannot be told, or when everything
    /// is mastered already.
    pub estimated_completion_at: Option<Timestamp>,
    /// The part of the day in which most answers are good; null with too few answers.
    pub best_time_of_day: Option<PartOfDay>,
    pub times_of_day: Vec<TimeOfDay>,
    /// Concepts mastered in each of the last weeks, the present one last.
    pub mastered_by_week: Vec<u32>,
    pub sessions: u32,
    pub answers: usize,
    pub answers_7d: usize,
}

/// A concept, and how well it is known.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Known {
    pub node_id: NodeId,
    pub label: String,
    pub mastery_score: f64,
}

/// A part of a map: a concept and everything that rests on it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Area {
    pub label: String,
    /// The mean over its concepts that were met, 0 to 1.
    pub mean_score: f64,
    pub concepts: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(inline)]
pub enum PartOfDay {
    // From 0 to 6.
    Night,
    Morning,
    Afternoon,
    // From 18 on.
    Evening,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct TimeOfDay {
    pub part: PartOfDay,
    pub answers: u32,
    /// Answers with a quality of 3 or more.
    pub good: u32,
}

impl PartOfDay {
    pub const ALL: [PartOfDay; 4] =
        [PartOfDay::Night, PartOfDay::Morning, PartOfDay::Afternoon, PartOfDay::Evening];

    pub fn as_str(self) -> &'static str {
        match self {
            PartOfDay::Night => "night",
            PartOfDay::Morning => "morning",
            PartOfDay::Afternoon => "afternoon",
            PartOfDay::Evening => "evening",
        }
    }

    fn of_hour(hour: i8) -> PartOfDay {
        PartOfDay::ALL[usize::try_from(hour / 6).unwrap_or(0).min(3)]
    }
}

/// Returns the numbers of one course.
pub fn of_course(course: &Studied<'_>, calendar: &Calendar, now: Timestamp) -> Analytics {
    let (id, title) = (course.map.mind_map_id(), course.map.title().to_owned());
    Analytics { mind_map_id: Some(id), title, ..over_all(std::slice::from_ref(course), calendar, now) }
}

/// Returns the numbers of all courses taken together.
pub fn over_all(courses: &[Studied<'_>], calendar: &Calendar, now: Timestamp) -> Analytics {
    let now_us = now.as_microsecond();
    let nodes: usize = courses.iter().map(|course| course.map.nodes().len()).sum();
    let mastered =
        courses.iter().flat_map(Studied::met).filter(|(_, progress)| is_mastered(progress)).count();
    let velocity_per_week = velocity(courses, now_us);
    let times_of_day = times_of_day(courses, calendar);
    let since = |us: i64| responses(courses).filter(move |response| is_within(response, now_us, us));
    Analytics {
        mind_map_id: None,
        title: "All courses".to_owned(),
        at: now,
        nodes,
        mastered,
        mastery_pct: share(mastered, nodes).unwrap_or(0.0),
        velocity_per_week,
        retention_7d: retention(since(US_PER_WEEK)),
        retention_30d: retention(since(30 * US_PER_DAY)),
        struggling: struggling(courses),
        strongest_area: strongest_area(courses),
        // One evening says nothing about the weeks to come.
        estimated_completion_at: completion(nodes - mastered, velocity_per_week, now_us)
            .filter(|_| begun_us(courses).is_some_and(|begun_us| now_us - begun_us >= US_PER_WEEK)),
        best_time_of_day: best_time_of_day(&times_of_day),
        times_of_day,
        mastered_by_week: mastered_by_week(courses, now_us),
        sessions: courses.iter().map(|course| course.sessions).sum(),
        answers: responses(courses).count(),
        answers_7d: since(US_PER_WEEK).count(),
    }
}

impl<'a> Studied<'a> {
    /// Iterates over the concepts of the map of which something is known. Progress on concepts of another map does
    /// not count.
    fn met(&self) -> impl Iterator<Item = (NodeIx, &'a Progress)> + use<'a> {
        let Studied { map, progress, .. } = *self;
        map.indexes().filter_map(move |node| Some((node, progress.get(&map.node(node).node_id)?)))
    }
}

fn is_mastered(progress: &Progress) -> bool {
    progress.mastery_status == MasteryStatus::Mastered
}

fn responses<'a>(courses: &[Studied<'a>]) -> impl Iterator<Item = &'a Response> {
    courses.iter().flat_map(|course| course.responses)
}

fn is_within(response: &Response, now_us: i64, us: i64) -> bool {
    let ago_us = now_us - response.responded_at.as_microsecond();
    (0..=us).contains(&ago_us)
}

fn share(part: usize, whole: usize) -> Option<f64> {
    (whole > 0).then(|| part as f64 / whole as f64)
}

/// Returns the share of reviews in which the answer came back. Only reviews tell what was retained: a probe asks
/// for what was never taught, a quiz for what was just explained.
fn retention<'a>(responses: impl Iterator<Item = &'a Response>) -> Option<f64> {
    let recalls = responses.filter(|response| response.response_type == ResponseType::Review);
    let (all, good) = recalls
        .fold((0, 0), |(all, good), response| (all + 1, good + usize::from(response.quality.is_recalled())));
    share(good, all)
}

/// Returns when the mastered concepts became mastered, in microseconds.
fn mastered_at<'a>(courses: &[Studied<'a>]) -> impl Iterator<Item = i64> {
    let met = courses.iter().flat_map(Studied::met);
    met.filter(|(_, progress)| is_mastered(progress)).filter_map(|(_, progress)| progress.mastered_at_us)
}

fn velocity(courses: &[Studied<'_>], now_us: i64) -> f64 {
    let Some(begun_us) = begun_us(courses) else { return 0.0 };
    // The first days would promise too much, so the window is at least a week.
    let window_us = (now_us - begun_us).clamp(US_PER_WEEK, VELOCITY_WEEKS * US_PER_WEEK);
    let count = mastered_at(courses).filter(|at_us| (0..window_us).contains(&(now_us - at_us))).count();
    count as f64 * US_PER_WEEK as f64 / window_us as f64
}

fn begun_us(courses: &[Studied<'_>]) -> Option<i64> {
    courses.iter().map(|course| course.started_at.as_microsecond()).min()
}

fn mastered_by_week(courses: &[Studied<'_>], now_us: i64) -> Vec<u32> {
    let mut weeks = vec![0; CHARTED_WEEKS];
    for at_us in mastered_at(courses).filter(|at_us| *at_us <= now_us) {
        let weeks_ago = usize::try_from((now_us - at_us) / US_PER_WEEK).unwrap_or(usize::MAX);
        if let Some(at) = (CHARTED_WEEKS - 1).checked_sub(weeks_ago) {
            weeks[at] += 1;
        }
    }
    weeks
}

fn completion(left: usize, velocity_per_week: f64, now_us: i64) -> Option<Timestamp> {
    let weeks = left as f64 / velocity_per_week;
    let is_known = left > 0 && weeks.is_finite() && weeks <= MAX_WEEKS_AHEAD;
    is_known.then(|| moment(now_us.saturating_add((weeks * US_PER_WEEK as f64) as i64)))
}

/// Returns the concepts with which the learner struggles, the weakest first.
fn struggling(courses: &[Studied<'_>]) -> Vec<Known> {
    let known = |map: &MindMap, node: NodeIx, progress: &Progress| Known {
        node_id: map.node(node).node_id,
        label: map.node(node).label.clone(),
        mastery_score: progress.mastery_score,
    };
    let hard = courses.iter().flat_map(|course| {
        let met = course.met().filter(|(_, progress)| progress.is_struggling());
        met.map(|(node, progress)| known(course.map, node, progress))
    });
    let mut hard: Vec<Known> = hard.collect();
    hard.sort_by(|a, b| a.mastery_score.total_cmp(&b.mastery_score).then_with(|| a.label.cmp(&b.label)));
    hard.truncate(MAX_STRUGGLING);
    hard
}

/// Returns the area with the highest mean score; of equal ones the larger, then the one that is learned first.
fn strongest_area(courses: &[Studied<'_>]) -> Option<Area> {
    let areas = courses.iter().flat_map(areas);
    areas.reduce(|best, area| {
        let better = area.mean_score.total_cmp(&best.mean_score).then(area.concepts.cmp(&best.concepts));
        if better.is_gt() { area } else { best }
    })
}

/// Returns the areas of a map: each concept that needs nothing, with everything that rests on it. If only one
/// concept needs nothing, everything rests on it, so the areas begin one step further. An area of which no concept
/// was met is left out.
fn areas(course: &Studied<'_>) -> Vec<Area> {
    let map = course.map;
    let mut heads: Vec<NodeIx> = map.indexes().filter(|node| map.parents(*node).is_empty()).collect();
    if let [only] = heads.as_slice()
        && !map.children(*only).is_empty()
    {
        heads = map.children(*only).to_vec();
    }
    heads.sort_by_key(|head| map.node(*head).sequence);
    let scores: HashMap<NodeIx, f64> =
        course.met().map(|(node, progress)| (node, progress.mastery_score)).collect();
    let area = |head: NodeIx| {
        let met: Vec<f64> = below(map, head).iter().filter_map(|node| scores.get(node).copied()).collect();
        let mean_score = met.iter().sum::<f64>() / met.len() as f64;
        let label = map.node(head).label.clone();
        (mean_score > 0.0).then_some(Area { label, mean_score, concepts: met.len() })
    };
    heads.into_iter().filter_map(area).collect()
}

/// Returns a concept and everything that rests on it.
fn below(map: &MindMap, head: NodeIx) -> BTreeSet<NodeIx> {
    let (mut met, mut waiting) = (BTreeSet::from([head]), vec![head]);
    while let Some(node) = waiting.pop() {
        waiting.extend(map.children(node).iter().filter(|child| met.insert(**child)));
    }
    met
}

/// Counts the answers in each part of the day, by the learner's own clock. Probes ask for what was never taught and
/// do not count.
fn times_of_day(courses: &[Studied<'_>], calendar: &Calendar) -> Vec<TimeOfDay> {
    let mut parts = PartOfDay::ALL.map(|part| TimeOfDay { part, answers: 0, good: 0 });
    for response in responses(courses).filter(|response| response.response_type != ResponseType::Diagnostic) {
        let hour = response.responded_at.to_zoned(calendar.zone().clone()).hour();
        let part = &mut parts[PartOfDay::of_hour(hour) as usize];
        part.answers += 1;
        part.good += u32::from(response.quality.is_recalled());
    }
    parts.to_vec()
}

fn best_time_of_day(times: &[TimeOfDay]) -> Option<PartOfDay> {
    let enough = times.iter().filter(|time| time.answers >= MIN_ANSWERS_IN_PART);
    let rate = |time: &TimeOfDay| f64::from(time.good) / f64::from(time.answers);
    let best = enough.max_by(|a, b| rate(a).total_cmp(&rate(b)).then(a.answers.cmp(&b.answers)));
    best.map(|time| time.part)
}
