//! Serves the first page: what is due, what is under way, what comes in the next days, and how the last days went.

use super::agent::{self, SessionRow};
use super::auth::Who;
use super::faces::wish;
use super::problem::ProblemJson;
use super::request::InQuery;
use super::serve::Server;
use crate::engine::app::App;
use crate::engine::clock::iso;
use crate::engine::failure::Failure;
use crate::engine::look::{look, subjects};
use crate::engine::turn;
use crate::engine::view::Answer;
use crate::learners::access::Access;
use crate::learners::{language, profiles, remembering};
use axum::Json;
use axum::extract::State;
use axum::http::HeaderMap;
use coaching::desk::Progress;
use coaching::learner::Calendar;
use coaching::look::{Begin, Subject};
use coaching::teach::looks::{self, Report};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use store::{Filter, Instance};

/// More than the number of flows that anyone has under way.
const MAX_OPEN: usize = 24;
const WEEK: usize = 7;
const FORTNIGHT: usize = 14;
const MONTH: usize = 28;
/// Twelve weeks.
const SEASON: usize = 84;

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Whose {
    learner: Option<String>,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Home {
    learner: String,
    /// The name that they like to be called.
    name: Option<String>,
    language: String,
    /// The version of the program.
    version: String,
    /// Whether the caller may use the operations on the whole server.
    is_owner: bool,
    /// Whether nothing is known about them yet.
    is_new: bool,
    today: String,
    subjects: Vec<SubjectRow>,
    /// The flows under way, newest first.
    open: Vec<OpenRow>,
    /// Agents that wait for a person; only the owner sees them.
    waiting: Vec<SessionRow>,
    /// The number of parts that come back today and on the days after.
    forecast: Vec<Day>,
    /// The number of recalls on each of the last days, today last.
    practised: Vec<Day>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct SubjectRow {
    flow: String,
    id: String,
    title: String,
    about: String,
    begin: Begin,
    known: usize,
    of: usize,
    /// The number of parts due now.
    due: usize,
    next_due_at: Option<String>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct OpenRow {
    id: String,
    flow: String,
    title: String,
    progress: Vec<Progress>,
    /// The question that waits, if there is one.
    question: String,
    updated_at: String,
}

#[derive(Debug, Clone, Serialize, JsonSchema)]
pub(super) struct Day {
    day: String,
    count: u32,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct ProgressView {
    courses: Report,
    subjects: Vec<SubjectRow>,
    forecast: Vec<Day>,
    practised: Vec<Day>,
    /// The chance of recall that the learner aims for.
    desired_retention: f64,
    recalls: Recalls,
}

/// How often something was recalled when it was asked for again.
#[derive(Debug, Default, Serialize, JsonSchema)]
struct Recalls {
    asked: u32,
    recalled: u32,
}

pub(super) async fn home(
    State(server): State<Server>,
    who: Who,
    InQuery(whose): InQuery<Whose>,
    headers: HeaderMap,
) -> Result<Json<Home>, ProblemJson> {
    let (app, learner, wish) = (&*server.app, who.access.learner(whose.learner.as_deref())?, wish(&headers));
    let learner = learner.as_str();
    let profile = profiles::read(&app.store, learner).await?;
    let (calendar, now_us) = (Calendar::of(&profile), app.clock.now().0);
    let subjects = subjects(app, learner).await?;
    let open = open(app, learner, wish).await?;
    let log = remembering::own_log(&app.store, &app.flows, learner, &calendar).await?;
    let practised_us: Vec<i64> = log.cards().iter().flatten().map(|review| review.at_us).collect();
    Ok(Json(Home {
        learner: learner.to_owned(),
        language: language::of(app, learner, None, wish).await?,
        version: env!("CARGO_PKG_VERSION").to_owned(),
        is_owner: who.access == Access::Owner,
        is_new: profile.name.is_none()
            && app.store.list(&Filter::of_learner(learner), None, 1).await?.instances.is_empty(),
        name: profile.name,
        today: calendar.day(now_us).map(|day| day.to_string()).unwrap_or_default(),
        forecast: ahead(&calendar, &subjects, now_us, WEEK),
        subjects: subjects.into_iter().map(|(flow, subject)| row(flow, subject, now_us)).collect(),
        open,
        waiting: if who.access == Access::Owner { agent::waiting(app).await? } else { Vec::new() },
        practised: behind(&calendar, &practised_us, now_us, FORTNIGHT),
    }))
}

pub(super) async fn progress(
    State(server): State<Server>,
    who: Who,
    InQuery(whose): InQuery<Whose>,
) -> Result<Json<ProgressView>, ProblemJson> {
    let (app, learner) = (&*server.app, who.access.learner(whose.learner.as_deref())?);
    let learner = learner.as_str();
    let profile = profiles::read(&app.store, learner).await?;
    let (calendar, now_us) = (Calendar::of(&profile), app.clock.now().0);
    let subjects = subjects(app, learner).await?;
    let log = remembering::own_log(&app.store, &app.flows, learner, &calendar).await?;
    let practised_us: Vec<i64> = log.cards().iter().flatten().map(|review| review.at_us).collect();
    let again = log.cards().iter().flat_map(|card| card.iter().skip(1));
    let recalls = again.fold(Recalls::default(), |recalls, review| Recalls {
        asked: recalls.asked + 1,
        recalled: recalls.recalled + u32::from(review.quality.is_recalled()),
    });
    Ok(Json(ProgressView {
        courses: look(app, learner, looks::report).await?,
        forecast: ahead(&calendar, &subjects, now_us, MONTH),
        subjects: subjects.into_iter().map(|(flow, subject)| row(flow, subject, now_us)).collect(),
        practised: behind(&calendar, &practised_us, now_us, SEASON),
        desired_retention: profile.desired_retention,
        recalls,
    }))
}

fn row(flow: String, subject: Subject, now_us: i64) -> SubjectRow {
    let due = subject.due(now_us);
    let Subject { id, title, about, begin, known, of, due_us } = subject;
    let next_us = due_us.iter().copied().filter(|at_us| *at_us > now_us).min();
    SubjectRow {
        due,
        next_due_at: next_us.map(|at_us| iso(store::At(at_us))),
        flow,
        id,
        title,
        about,
        begin,
        known,
        of,
    }
}

fn ahead(calendar: &Calendar, subjects: &[(String, Subject)], now_us: i64, days: usize) -> Vec<Day> {
    let due_us: Vec<i64> = subjects.iter().flat_map(|(_, subject)| subject.due_us.iter().copied()).collect();
    let mut day = calendar.day(now_us);
    let mut next = |count: u32| {
        let shown = Day { day: day.map(|day| day.to_string()).unwrap_or_default(), count };
        day = day.and_then(|day| day.tomorrow().ok());
        shown
    };
    calendar.forecast(&due_us, now_us, days).into_iter().map(&mut next).collect()
}

fn behind(calendar: &Calendar, at_us: &[i64], now_us: i64, days: usize) -> Vec<Day> {
    let Some(today) = calendar.day(now_us) else { return Vec::new() };
    let mut past: Vec<Day> = std::iter::successors(Some(today), |day| day.yesterday().ok())
        .take(days)
        .map(|day| Day { day: day.to_string(), count: 0 })
        .collect();
    for at_us in at_us.iter().filter(|at_us| **at_us <= now_us) {
        if let Some(day) = past.get_mut(calendar.days_between(*at_us, now_us) as usize) {
            day.count += 1;
        }
    }
    past.reverse();
    past
}

async fn open(app: &App, learner: &str, wish: Option<&str>) -> Result<Vec<OpenRow>, Failure> {
    let filter = Filter { open: Some(true), ..Filter::of_learner(learner) };
    let rows = app.store.list(&filter, None, MAX_OPEN).await?.instances;
    let mut shown = Vec::new();
    let is_theirs = |row: &Instance| {
        let face = app.flows.get(&row.flow).and_then(|entry| entry.face);
        face.is_none_or(|face| face.verbs.iter().any(|verb| verb.who == coaching::face::Who::Learner))
    };
    // A flow that only a program can move, such as the session of an agent, is not the learner's.
    for row in rows.into_iter().filter(is_theirs) {
        match open_row(app, row, wish).await {
            Ok(row) => shown.push(row),
            Err(Failure::Store(error)) => return Err(error.into()),
            Err(failure) => tracing::warn!(%failure, "a flow that cannot be shown is passed over"),
        }
    }
    shown.sort_by(|a, b| b.updated_at.cmp(&a.updated_at));
    Ok(shown)
}

async fn open_row(app: &App, row: Instance, wish: Option<&str>) -> Result<OpenRow, Failure> {
    let mut answer = Answer::of(turn::look(app, row).await?);
    language::translate(app, &mut answer, wish).await?;
    let mut view = answer.view;
    let desk = view.desk.take().unwrap_or_default();
    Ok(OpenRow {
        id: view.id,
        title: if desk.title.is_empty() { view.flow.clone() } else { desk.title.to_string() },
        flow: view.flow,
        question: desk.ask.map(|ask| ask.question.to_string()).unwrap_or_default(),
        progress: desk.progress,
        updated_at: view.updated_at,
    })
}
