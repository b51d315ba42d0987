//! What is to be done about a message of somebody who is known.

use super::reading::{command, is_nod, is_question};
use super::{Plan, routing};
use crate::courses::analytics::percent;
use crate::courses::teaching::{self, COURSE, REVIEW};
use crate::effects::notices;
use crate::engine::app::App;
use crate::engine::failure::Failure;
use crate::engine::view::View;
use coaching::teach::state::FlowStatus;
use outside::notify::{Incoming, Said};
use serde_json::{Value, json};

const MAX_LISTED: usize = 20;

const HELP: &str = "`/learn TOPIC` starts a course, such as `/learn sql`\n`/review` asks for what is due, or what you \
    want to practise\n`/list` shows your courses\n`/why` says how your last answer was marked\n`/stop` puts a course \
    aside\n`/plan` tries once more to make a map for a course that has none; `/plan sql` takes a curriculum for it\n\nEverything else you write is an answer to what I asked last, or to the message that you reply to. A question \
    of your own is welcome at any time.";
const NOTHING_WAITS: &str = "No question waits for an answer. `/learn TOPIC` starts a course, `/review` practises, `/list` shows your courses.";
const ASKED_NOTHING: &str =
    "That message asked you nothing. Reply to the question itself, or just write your answer.";
const TEXT_ONLY: &str = "I can only read text. Please write it.";
const NO_MAP: &str = "Your course has no map yet. `/plan` tries once more to make one, `/plan sql` takes a curriculum instead.";
const NOTHING_TO_PLAN: &str = "No course of yours lacks a map. `/list` shows where they stand.";
const OVER: &str = "That question is over.";
const NO_COURSE: &str = "There is no course under way. `/learn TOPIC` starts one.";

pub(super) async fn plan(app: &App, learner: &str, message: &Incoming) -> Result<Plan, Failure> {
    let Said::Text(text) = &message.said else { return Ok(say(TEXT_ONLY)) };
    let Some((name, argument)) = command(text) else { return spoken(app, learner, message, text).await };
    match name.as_str() {
        "learn" if argument.is_empty() => Ok(say("Say what: `/learn sql`, for example.")),
        "learn" => Ok(Plan::Learn { topic: argument.to_owned() }),
        "review" => review(app, learner, message).await,
        "list" => list(app, learner).await,
        "why" => why(app, learner, message).await,
        "stop" => stop(app, learner, message, argument).await,
        "plan" => plan_again(app, learner, message, argument).await,
        "help" | "start" => Ok(say(HELP)),
        // What is no command may be an answer, such as the name of a folder.
        _ => match routing::flow(app, learner, message).await?.view {
            Some(view) if routing::is_asked(&view) => spoken(app, learner, message, text).await,
            _ => Ok(say(HELP)),
        },
    }
}

fn say(text: impl Into<String>) -> Plan {
    Plan::Say { text: text.into(), asking: None }
}

/// What puts the question of a flow once more.
fn ask(instance: &str, text: impl Into<String>) -> Plan {
    Plan::Say { text: text.into(), asking: Some(instance.to_owned()) }
}

fn event(view: &View, event: &str, payload: Value) -> Plan {
    Plan::Send { instance: view.id.clone(), event: event.to_owned(), payload }
}

/// An answer, a question of the learner's own, or a nod after a lesson.
async fn spoken(app: &App, learner: &str, message: &Incoming, text: &str) -> Result<Plan, Failure> {
    let spoken = routing::flow(app, learner, message).await?;
    if spoken.answers_nothing {
        return Ok(say(ASKED_NOTHING));
    }
    let Some(view) = spoken.view else {
        return match spoken.stuck {
            Some(failure) => Err(failure),
            None => nothing_waits(app, learner, message).await,
        };
    };
    let takes = |event: &str| view.allowed.iter().any(|allowed| allowed == event);
    if takes("asks") && is_question(text) {
        return Ok(event(&view, "asks", json!({"text": text})));
    }
    let is_ready = routing::is_lesson(&view) && is_nod(text);
    if let Some(asked) = spoken.answers.filter(|_| view.outcome.is_none() && !is_ready)
        && let Some(plan) = other_question(&view, &asked)
    {
        return Ok(plan);
    }
    // A question in between may wait for its answer while a lesson is being read.
    if is_ready || (routing::is_lesson(&view) && !routing::is_asked(&view)) {
        return Ok(event(&view, "go_on", json!({})));
    }
    Ok(event(&view, "answered", json!({"text": text})))
}

async fn nothing_waits(app: &App, learner: &str, message: &Incoming) -> Result<Plan, Failure> {
    let without_map = routing::without_map(app, learner, message).await?;
    Ok(say(if without_map.is_some() { NO_MAP } else { NOTHING_WAITS }))
}

/// What is said to an answer if the question that it answers, known by its mark, is not the one that waits.
fn other_question(view: &View, answered: &str) -> Option<Plan> {
    match teaching::question(view) {
        Some(question) if notices::mark_of(&question) == answered => None,
        Some(question) => Some(ask(&view.id, format!("{OVER} Now I ask:\n\n{question}"))),
        None if routing::is_lesson(view) => {
            Some(say(format!("{OVER} Say “ok” when you are ready for the next.")))
        }
        None => Some(say(OVER)),
    }
}

/// Another try at the map of a course, or a curriculum for it.
async fn plan_again(app: &App, learner: &str, message: &Incoming, curriculum: &str) -> Result<Plan, Failure> {
    let Some(view) = routing::without_map(app, learner, message).await? else {
        return Ok(say(NOTHING_TO_PLAN));
    };
    let payload = if curriculum.is_empty() { json!({}) } else { json!({"curriculum": curriculum}) };
    Ok(event(&view, "plan_again", payload))
}

/// One sitting at a time: one that waits asks again.
async fn review(app: &App, learner: &str, message: &Incoming) -> Result<Plan, Failure> {
    if let Some(view) = routing::flow(app, learner, message).await?.view.filter(|view| view.flow == REVIEW)
        && let Some(question) = teaching::question(&view)
    {
        return Ok(ask(&view.id, question));
    }
    let course = routing::course(app, learner, message).await?;
    let of_topic = course.as_ref().filter(|_| message.thread_id.is_some());
    if let Some(view) = open_sitting(app, learner, of_topic).await?
        && let Some(question) = teaching::question(&view)
    {
        return Ok(ask(&view.id, question));
    }
    let next = teaching::schedules(app, learner).await?.into_iter().next();
    let course = match (course, next) {
        (Some(course), _) if message.thread_id.is_some() => Some(course),
        (_, Some(next)) => Some(next.mind_map_id.to_string()),
        (course, None) => course,
    };
    Ok(course.map_or_else(|| say(NO_COURSE), |mind_map_id| Plan::Review { mind_map_id }))
}

/// The sitting of a course, or of any course the one that moved last.
async fn open_sitting(app: &App, learner: &str, course: Option<&String>) -> Result<Option<View>, Failure> {
    let mut sittings = teaching::open_sittings(app, learner).await?;
    let sitting = match course {
        Some(course) => sittings.remove(course),
        None => sittings.into_values().max_by_key(|row| row.updated_at),
    };
    teaching::sound(app, sitting).await
}

async fn list(app: &App, learner: &str) -> Result<Plan, Failure> {
    let courses = teaching::list(app, learner, None).await?;
    let lines = courses.iter().filter(|course| course.status != FlowStatus::Abandoned).take(MAX_LISTED);
    let line = |course: &teaching::Listed| {
        format!("{}: {}, {} mastered", course.title, course.status.as_str(), percent(course.mastery_pct))
    };
    let lines: Vec<String> = lines.map(line).collect();
    Ok(if lines.is_empty() { say(NO_COURSE) } else { say(lines.join("\n")) })
}

async fn why(app: &App, learner: &str, message: &Incoming) -> Result<Plan, Failure> {
    let view = routing::flow(app, learner, message).await?.view;
    let last = view.as_ref().and_then(|view| view.data.get("last")).filter(|last| !last.is_null());
    let Some(last) = last else { return Ok(say("Nothing of yours was marked yet.")) };
    let (quality, feedback) = (&last["quality"], last["feedback"].as_str().unwrap_or_default());
    Ok(say(format!("Your last answer got {quality} of 5. {feedback}")))
}

async fn stop(app: &App, learner: &str, message: &Incoming, argument: &str) -> Result<Plan, Failure> {
    let is_sure = matches!(argument.to_lowercase().as_str(), "yes" | "ja" | "y");
    if let Some(view) = routing::flow(app, learner, message).await?.view.filter(|view| view.flow == REVIEW) {
        // A review that is left comes back by itself; nothing is given up.
        return Ok(event(&view, "leave", json!({})));
    }
    let Some(course) = routing::course(app, learner, message).await? else { return Ok(say(NO_COURSE)) };
    if is_sure {
        return Ok(Plan::Send { instance: course, event: "abandon".to_owned(), payload: json!({}) });
    }
    let courses = teaching::list(app, learner, None).await?;
    let title =
        courses.iter().find(|listed| listed.mind_map_id == course).map(|listed| listed.title.as_str());
    let title = title.unwrap_or(COURSE);
    Ok(say(format!("Put “{title}” aside? Its reviews end. Send `/stop yes` if you mean it.")))
}
