//! Decides what to do with a message from a linked chat.

use super::reading::{command, is_nod};
use super::{Plan, answered_last, routing};
use crate::effects::{notices, words};
use crate::engine::app::App;
use crate::engine::call::{self, prepare};
use crate::engine::failure::Failure;
use crate::engine::view::View;
use crate::learners::language;
use crate::teach::analytics::percent;
use crate::teach::teaching::{self, COURSE, REVIEW};
use coaching::face::{Does, Face, Verb};
use coaching::grade::is_question;
use coaching::teach::state::FlowStatus;
use coaching::words::Text;
use outside::notify::{Incoming, Said};
use serde::Deserialize;
use serde_json::{Value, json};

const MAX_LISTED: usize = 20;
/// The verbs by which a learner asks something of their own, and answers.
const ASK: &str = "ask";
const ANSWER: &str = "answer";

pub(super) async fn plan(app: &App, learner: &str, message: &Incoming) -> Result<Plan, Failure> {
    let Said::Text(text) = &message.said else { return Ok(say(words::chat_text_only())) };
    let Some((name, argument)) = command(text) else { return spoken(app, learner, message, text).await };
    match name.as_str() {
        "learn" if argument.is_empty() => Ok(say(words::chat_say_what())),
        "review" => review(app, learner, message).await,
        "list" => list(app, learner).await,
        "why" => why(app, learner, message).await,
        "stop" => stop(app, learner, message, argument).await,
        "plan" => plan_again(app, learner, message, argument).await,
        "help" | "start" => Ok(say(help(app))),
        _ => match opens(app, &name) {
            Some((face, verb)) => {
                let opening = prepare(verb, "", json!({"text": argument}), None);
                Ok(Plan::Open { flow: face.name.to_owned(), opening })
            }
            // A line that is not a command may still be an answer, such as the name of a folder.
            None => match routing::flow(app, learner, message).await?.view {
                Some(view) if routing::is_asked(app, &view) => spoken(app, learner, message, text).await,
                _ => Ok(say(help(app))),
            },
        },
    }
}

/// The verb that a command calls to open a flow.
fn opens(app: &App, command: &str) -> Option<(Face, &'static Verb)> {
    openings(app).find(|(_, verb)| verb.chat.contains(&command))
}

fn openings(app: &App) -> impl Iterator<Item = (Face, &'static Verb)> {
    let faces = app.flows.entries().filter_map(|entry| entry.face);
    faces
        .flat_map(|face| face.verbs.iter().map(move |verb| (face, verb)))
        .filter(|(_, verb)| verb.does == Does::Opens)
}

/// What can be written, the ways to begin first.
fn help(app: &App) -> Text {
    let line = |(face, verb): (Face, &'static Verb)| {
        verb.chat.first().map(|command| words::chat_opens(*command, face.about()))
    };
    words::chat_help(lines(openings(app).filter_map(line)))
}

/// Texts below each other.
fn lines(texts: impl IntoIterator<Item = Text>) -> Text {
    texts.into_iter().reduce(words::chat_lines).unwrap_or_default()
}

fn say(text: impl Into<Text>) -> Plan {
    Plan::Say { text: text.into(), asking: None }
}

/// The plan that asks a flow's question again.
fn ask(instance: &str, text: impl Into<Text>) -> Plan {
    Plan::Say { text: text.into(), asking: Some(instance.to_owned()) }
}

fn event(view: &View, event: &str, payload: Value) -> Plan {
    Plan::Send { instance: view.id.clone(), event: event.to_owned(), payload }
}

/// An answer, a question of the learner's own, or a nod after a lesson.
async fn spoken(app: &App, learner: &str, message: &Incoming, text: &str) -> Result<Plan, Failure> {
    let spoken = routing::flow(app, learner, message).await?;
    if spoken.answers_nothing {
        return Ok(say(words::chat_asked_nothing()));
    }
    let Some(view) = spoken.view else {
        return match spoken.stuck {
            Some(failure) => Err(failure),
            None => nothing_waits(app, learner, message).await,
        };
    };
    if let Some(asks) = routing::event(app, &view, ASK).filter(|_| is_question(text)) {
        return Ok(event(&view, asks, json!({"text": text})));
    }
    let is_ready = routing::is_lesson(&view) && is_nod(text);
    if let Some(asked) = spoken.answers.filter(|_| view.outcome.is_none() && !is_ready)
        && let Some(plan) = other_question(app, learner, &view, &asked).await?
    {
        return Ok(plan);
    }
    // A side question may be open while a lesson is being read.
    let verb = routing::asked(&view).map_or(ANSWER, |ask| ask.verb.as_str());
    let payload = if is_ready || !routing::is_asked(app, &view) { json!({}) } else { json!({"text": text}) };
    Ok(event(&view, routing::event(app, &view, verb).unwrap_or(verb), payload))
}

async fn nothing_waits(app: &App, learner: &str, message: &Incoming) -> Result<Plan, Failure> {
    let without_map = routing::without_map(app, learner, message).await?;
    Ok(say(if without_map.is_some() { words::chat_no_map() } else { words::chat_nothing_waits() }))
}

/// What to reply when an answer is for a question, known by its mark, that no longer waits.
async fn other_question(
    app: &App,
    learner: &str,
    view: &View,
    answered: &str,
) -> Result<Option<Plan>, Failure> {
    Ok(match question(app, learner, view).await? {
        Some(question) if notices::mark_of(&question) == answered => None,
        Some(question) => Some(ask(&view.id, words::chat_over_now(question))),
        None if routing::is_lesson(view) => Some(say(words::chat_over_ready())),
        None => Some(say(words::chat_over())),
    })
}

/// The open question of a flow, as it was asked in the chat.
pub(super) async fn question(app: &App, learner: &str, view: &View) -> Result<Option<String>, Failure> {
    let language = language::of(app, learner, None, None).await?;
    Ok(teaching::question(view).map(|question| app.words.say(&language, &question)))
}

/// Tries again to make the map of a course, or uses a curriculum.
async fn plan_again(app: &App, learner: &str, message: &Incoming, curriculum: &str) -> Result<Plan, Failure> {
    let Some(view) = routing::without_map(app, learner, message).await? else {
        return Ok(say(words::chat_nothing_to_plan()));
    };
    let payload = if curriculum.is_empty() { json!({}) } else { json!({"curriculum": curriculum}) };
    Ok(event(&view, "plan_again", payload))
}

/// One sitting at a time: an open sitting asks its question again.
async fn review(app: &App, learner: &str, message: &Incoming) -> Result<Plan, Failure> {
    if let Some(view) = routing::flow(app, learner, message).await?.view.filter(|view| view.flow == REVIEW)
        && let Some(question) = question(app, learner, &view).await?
    {
        return Ok(ask(&view.id, question));
    }
    let course = routing::course(app, learner, message).await?;
    let of_topic = course.as_ref().filter(|_| message.thread_id.is_some());
    if let Some(view) = open_sitting(app, learner, of_topic).await?
        && let Some(question) = question(app, learner, &view).await?
    {
        return Ok(ask(&view.id, question));
    }
    let next = teaching::schedules(app, learner).await?.into_iter().next();
    let course = match (course, next) {
        (Some(course), _) if message.thread_id.is_some() => Some(course),
        (_, Some(next)) => Some(next.mind_map_id.to_string()),
        (course, None) => course,
    };
    Ok(course.map_or_else(|| say(words::chat_no_course()), |mind_map_id| Plan::Review { mind_map_id }))
}

/// The sitting of a course. Without a course, the sitting that moved last.
async fn open_sitting(app: &App, learner: &str, course: Option<&String>) -> Result<Option<View>, Failure> {
    let mut sittings = teaching::open_sittings(app, learner).await?;
    let sitting = match course {
        Some(course) => sittings.remove(course),
        None => sittings.into_values().max_by_key(|row| row.updated_at),
    };
    match sitting {
        Some(row) => call::sound(app, row).await,
        None => Ok(None),
    }
}

async fn list(app: &App, learner: &str) -> Result<Plan, Failure> {
    let courses = teaching::list(app, learner, None).await?;
    let lines = courses.iter().filter(|course| course.status != FlowStatus::Abandoned).take(MAX_LISTED);
    let line = |course: &teaching::Listed| {
        let mastered = percent(course.mastery_pct);
        words::chat_course(&course.title, course.status.as_str(), mastered)
    };
    let listed = self::lines(lines.map(line));
    Ok(say(if listed.is_empty() { words::chat_no_course() } else { listed }))
}

async fn why(app: &App, learner: &str, message: &Incoming) -> Result<Plan, Failure> {
    let answered = answered_last(app, learner, message.chat_id).await?;
    let view = match answered {
        Some(view) => Some(view),
        None => routing::flow(app, learner, message).await?.view,
    };
    let last = view.as_ref().and_then(|view| view.data.get("last")).filter(|last| !last.is_null());
    let Some(last) = last else { return Ok(say(words::chat_nothing_marked())) };
    let feedback = Text::deserialize(&last["feedback"]).unwrap_or_default();
    Ok(say(words::chat_last_mark(last["quality"].as_u64().unwrap_or_default(), feedback)))
}

async fn stop(app: &App, learner: &str, message: &Incoming, argument: &str) -> Result<Plan, Failure> {
    let is_sure = matches!(argument.to_lowercase().as_str(), "yes" | "ja" | "y");
    if let Some(view) = routing::flow(app, learner, message).await?.view.filter(|view| view.flow == REVIEW) {
        // A review that the learner leaves comes back by itself, so nothing is lost.
        return Ok(event(&view, "leave", json!({})));
    }
    let Some(course) = routing::course(app, learner, message).await? else {
        return Ok(say(words::chat_no_course()));
    };
    if is_sure {
        return Ok(Plan::Send { instance: course, event: "abandon".to_owned(), payload: json!({}) });
    }
    let courses = teaching::list(app, learner, None).await?;
    let title =
        courses.iter().find(|listed| listed.mind_map_id == course).map(|listed| listed.title.as_str());
    let title = title.unwrap_or(COURSE);
    Ok(say(words::chat_stop(title)))
}
