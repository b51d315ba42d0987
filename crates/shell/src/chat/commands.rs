//! Decides what to do with a message from a linked chat.

use super::reading::{command, is_nod};
use super::{Plan, answered_last, routing};
use crate::effects::{notices, words};
use crate::engine::app::App;
use crate::engine::call::{self, prepare};
use crate::engine::failure::Failure;
use crate::engine::look::look;
use crate::engine::view::View;
use crate::learners::language;
use crate::teach::teaching::{self, REVIEW};
use coaching::face::{Does, Face, Verb};
use coaching::grade::is_question;
use coaching::teach;
use coaching::teach::looks::{self, Listed, percent};
use coaching::teach::state::FlowStatus;
use coaching::teach::verbs::{ANSWER, ASK, PLAN_AGAIN};
use coaching::teach::{Exchange, Last};
use coaching::words::Text;
use outside::notify::{Incoming, Said};
use serde_json::{Value, json};

const MAX_LISTED: usize = 20;
/// The command that ends the open flow, whatever it is.
const STOP: &str = "stop";

pub(super) async fn plan(app: &App, learner: &str, message: &Incoming) -> Result<Plan, Failure> {
    let Said::Text(text) = &message.said else { return Ok(say(words::chat_text_only())) };
    let Some((name, argument)) = command(text) else { return spoken(app, learner, message, text).await };
    match name.as_str() {
        "learn" if argument.is_empty() => Ok(say(words::chat_say_what())),
        "list" => list(app, learner).await,
        "why" => why(app, learner, message).await,
        "help" | "start" => Ok(say(help(app))),
        _ => match called(app, learner, message, (&name, argument)).await? {
            Some(plan) => Ok(plan),
            // A line that is not a command may still be an answer, such as the name of a folder.
            None => match routing::flow(app, learner, message).await?.view {
                Some(view) if routing::is_asked(app, &view) => spoken(app, learner, message, text).await,
                _ => Ok(say(help(app))),
            },
        },
    }
}

/// Uses the verb that a command names: one that an open flow offers now, or else one that opens a flow. Returns
/// `None` if no flow has such a verb.
async fn called(
    app: &App,
    learner: &str,
    message: &Incoming,
    (name, argument): (&str, &str),
) -> Result<Option<Plan>, Failure> {
    let verbs: Vec<_> = verbs(app).filter(|(_, verb)| is_called(verb, name)).collect();
    let Some(&(face, verb)) = verbs.first() else { return Ok(None) };
    let mut stuck = None;
    if verbs.iter().any(|(_, verb)| verb.event().is_some()) {
        let spoken = routing::offering(app, learner, message, |verb| is_called(verb, name)).await?;
        if let Some(view) = &spoken.view
            && let Some(verb) = routing::offered(app, view, |verb| is_called(verb, name))
        {
            return Ok(Some(act(view, verb, argument)));
        }
        stuck = spoken.stuck;
    }
    Ok(Some(match verb.does {
        Does::Opens => {
            let opening = prepare(verb, "", json!({"text": argument}), None);
            Plan::Open { flow: face.name.to_owned(), opening }
        }
        Does::OpensBeside => review(app, learner, message).await?,
        _ => return stuck.map_or_else(|| Ok(Some(say(words::chat_not_offered(name)))), Err),
    }))
}

/// Whether a command names a verb. Every flow can be stopped.
fn is_called(verb: &Verb, command: &str) -> bool {
    verb.chat.contains(&command) || (command == STOP && matches!(verb.does, Does::Ends(_)))
}

/// Uses a verb of an open flow, or first asks whether the learner means it.
fn act(view: &View, verb: &Verb, argument: &str) -> Plan {
    let is_sure = matches!(argument.to_lowercase().as_str(), "yes" | "ja" | "y");
    if let Some(question) = verb.asks_first.filter(|_| !is_sure) {
        let title = view.desk.as_ref().map(|desk| desk.title.clone()).unwrap_or_default();
        return say(Text::sentence(question).with("title", title));
    }
    let given = match verb.does {
        Does::Ends(_) => json!({}),
        _ => json!({"text": argument}),
    };
    event(view, verb.event().unwrap_or_default(), prepare(verb, &view.id, given, None))
}

/// Returns the verbs of the flows that can be used in a chat.
fn verbs(app: &App) -> impl Iterator<Item = (Face, &'static Verb)> {
    let faces = app.flows.entries().filter_map(|entry| entry.face).filter(routing::is_for_chats);
    faces.flat_map(|face| face.verbs.iter().map(move |verb| (face, verb)))
}

/// Returns the list of commands that open flows.
fn help(app: &App) -> Text {
    let openings = verbs(app).filter(|(_, verb)| verb.does == Does::Opens);
    let line = |(face, verb): (Face, &'static Verb)| {
        verb.chat.first().map(|command| words::chat_opens(*command, face.about()))
    };
    words::chat_help(lines(openings.filter_map(line)))
}

/// Joins texts, one below the other.
fn lines(texts: impl IntoIterator<Item = Text>) -> Text {
    texts.into_iter().reduce(words::chat_lines).unwrap_or_default()
}

fn say(text: impl Into<Text>) -> Plan {
    Plan::Say { text: text.into(), asking: None }
}

/// Returns the plan that says a text and asks a flow's question again.
fn ask(instance: &str, text: impl Into<Text>) -> Plan {
    Plan::Say { text: text.into(), asking: Some(instance.to_owned()) }
}

fn event(view: &View, event: &str, payload: Value) -> Plan {
    Plan::Send { instance: view.id.clone(), event: event.to_owned(), payload }
}

/// Plans the reply to plain text: an answer, a question of the learner's own, or a nod after a lesson.
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
    if let Some(asks) = routing::event(app, &view, ASK.name).filter(|_| is_question(text)) {
        return Ok(event(&view, asks, json!({"text": text})));
    }
    let is_ready = routing::is_lesson(&view) && is_nod(text);
    if let Some(asked) = spoken.answers.filter(|_| view.outcome.is_none() && !is_ready)
        && let Some(plan) = other_question(app, learner, &view, &asked).await?
    {
        return Ok(plan);
    }
    // A side question may be open while a lesson is being read.
    let verb = routing::asked(&view).map_or(ANSWER.name, |ask| ask.verb.as_str());
    let payload = if is_ready || !routing::is_asked(app, &view) { json!({}) } else { json!({"text": text}) };
    Ok(event(&view, routing::event(app, &view, verb).unwrap_or(verb), payload))
}

async fn nothing_waits(app: &App, learner: &str, message: &Incoming) -> Result<Plan, Failure> {
    let is_plan = |verb: &Verb| verb.name == PLAN_AGAIN.name;
    let without_map = routing::offering(app, learner, message, is_plan).await?.view;
    Ok(say(if without_map.is_some() { words::chat_no_map() } else { words::chat_nothing_waits() }))
}

/// Returns the reply to an answer whose question, known by its mark, no longer waits.
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

/// Returns the open question of a flow, as it was asked in the chat.
pub(super) async fn question(app: &App, learner: &str, view: &View) -> Result<Option<String>, Failure> {
    let language = language::of(app, learner, None, None).await?;
    Ok(teaching::question(view).map(|question| app.words.say(&language, &question)))
}

/// Plans a review, one sitting at a time: an open sitting asks its question again.
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
    let next = look(app, learner, looks::schedules).await?.into_iter().next();
    let course = match (course, next) {
        (Some(course), _) if message.thread_id.is_some() => Some(course),
        (_, Some(next)) => Some(next.mind_map_id.to_string()),
        (course, None) => course,
    };
    Ok(course.map_or_else(|| say(words::chat_no_course()), |mind_map_id| Plan::Review { mind_map_id }))
}

/// Returns the open sitting of a course, or without a course the sitting that moved last.
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
    let courses = look(app, learner, |shelf| looks::courses(shelf, None)).await?;
    let lines = courses.iter().filter(|course| course.status != FlowStatus::Abandoned).take(MAX_LISTED);
    let line = |course: &Listed| {
        let mastered = percent(course.mastery_pct);
        words::chat_course(&course.title, teach::words::status(course.status.as_str()), mastered)
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
    let Some(Last { quality, feedback, .. }) = view.and_then(|view| view.more::<Exchange>().last) else {
        return Ok(say(words::chat_nothing_marked()));
    };
    Ok(say(words::chat_last_mark(quality.get(), feedback)))
}
