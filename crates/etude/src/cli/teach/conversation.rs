//! The conversation: the tutor's lines go out; answers, questions and commands come in.

use super::courses;
use super::page::{self, Block, Progress};
use super::screen::Screen;
use super::sitting::{Sitting, Turn, Waits};
use super::words::Words;
use crate::cli::screen::commands::Command;
use crate::cli::screen::words::fill;
use crate::courses::teaching;
use crate::engine::app::App;
use crate::engine::failure::Failure;
use coaching::desk::Role;
use coaching::map::MasteryStatus;
use coaching::teach::state::FlowStatus;
use serde_json::json;

/// How a conversation ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum End {
    /// There is nothing more to say.
    Over,
    /// The learner has stopped; it can go on another time.
    Stopped,
}

/// Teaches until the course is over, cannot go on here, or the learner stops. While the course waits for reviews, the
/// learner may practise; what that opens is taught next.
pub(super) async fn teach(app: &App, course: &mut Sitting<'_>, screen: &mut Screen) -> Result<End, Failure> {
    let words = screen.words;
    if course.waits() == Waits::Review {
        screen.note(courses::what_is_due(app, course.learner(), course.id(), words).await?);
    }
    loop {
        let end = match course.waits() {
            Waits::Answer => listen(app, course, screen).await?,
            Waits::Reading => {
                screen.show(&[Block::Prompt(words.go_on.to_owned())]);
                listen(app, course, screen).await?
            }
            Waits::Review => {
                screen.show(&[Block::Prompt(words.practise.to_owned())]);
                listen(app, course, screen).await?
            }
            Waits::Plan => {
                screen.show(&[Block::Prompt(how_to_plan(app, screen))]);
                listen(app, course, screen).await?
            }
            Waits::Model => {
                screen.note(words.no_model_answer);
                Some(End::Stopped)
            }
            Waits::Somebody => {
                let command = format!("etude teach map {}", course.id());
                screen.note(fill(words.led_by_others, &[("command", &command)]));
                Some(End::Stopped)
            }
            Waits::Over | Waits::Parting => Some(End::Over),
        };
        if let Some(end) = end {
            return Ok(end);
        }
    }
}

/// Recalls until the review is over or the learner stops. What its end has opened is shown with `opens`.
pub(super) async fn recall(
    app: &App,
    review: &mut Sitting<'_>,
    screen: &mut Screen,
    opens: bool,
) -> Result<End, Failure> {
    loop {
        let heeded = match review.waits() {
            Waits::Answer => match screen.hear().await {
                Some(text) => heed(&text, review, screen),
                None => Heeded::Stop,
            },
            Waits::Parting => part(review, screen).await,
            _ => return Ok(End::Over),
        };
        let turn = match heeded {
            Heeded::Stop => return Ok(End::Stopped),
            Heeded::Here | Heeded::Practise => continue,
            Heeded::Send(event, text) => {
                let Some(text) = worded(event, text, screen).await else { continue };
                told(review, screen, event, &text).await?
            }
        };
        let mut said = match turn {
            Turn::Taken(said) => said,
            Turn::Unclear(what) => {
                screen.show(&[Block::Notice((screen.words.spoken)(&what))]);
                continue;
            }
            Turn::MovedOn => {
                moved_on(review, screen);
                continue;
            }
        };
        let is_over = review.waits() == Waits::Over;
        if is_over && !opens {
            said.truncate(said.iter().position(|line| line.role == Role::Heading).unwrap_or(said.len()));
        }
        let course = crate::engine::setting::scope_of(review.id());
        let progress = if is_over && opens { Some(progress(app, course).await?) } else { None };
        screen.show(&page::turn(&said, review, progress, screen.words));
    }
}

/// After the last answer of a review, whose mark the learner may object to.
async fn part(review: &Sitting<'_>, screen: &mut Screen) -> Heeded {
    screen.show(&[Block::Prompt(screen.words.parting.to_owned())]);
    let text = screen.hear().await.unwrap_or_default();
    match Command::read(&text) {
        Some(Command::GoOn | Command::Skip | Command::Quit | Command::Leave) => {}
        None if text.trim().is_empty() => {}
        _ => return heed(&text, review, screen),
    }
    Heeded::Send(LEAVE, String::new())
}

/// One thing that the learner says to a course.
async fn listen(app: &App, course: &mut Sitting<'_>, screen: &mut Screen) -> Result<Option<End>, Failure> {
    let Some(text) = screen.hear().await else { return Ok(Some(End::Stopped)) };
    let (event, text) = match heed(&text, course, screen) {
        Heeded::Stop => return Ok(Some(End::Stopped)),
        Heeded::Here => return Ok(None),
        Heeded::Practise => return practise(app, course, screen).await,
        Heeded::Send(event, text) => (event, text),
    };
    let Some(text) = worded(event, text, screen).await else { return Ok(None) };
    let before = (course.standing().status, course.standing().current_node_id);
    match told(course, screen, event, &text).await {
        // A slip in the name of a curriculum is no end of the conversation.
        Err(Failure::Rejected(rejected)) if event == PLAN_AGAIN => {
            screen.note(format!("{}; {}", rejected.message, rejected.cure));
        }
        Err(failure) => return Err(failure),
        Ok(Turn::Taken(said)) => {
            let progress =
                if is_concept_done(before, course) { Some(progress(app, course.id()).await?) } else { None };
            screen.show(&page::turn(&said, course, progress, screen.words));
        }
        Ok(Turn::Unclear(what)) => screen.show(&[Block::Notice((screen.words.spoken)(&what))]),
        Ok(Turn::MovedOn) => moved_on(course, screen),
    }
    Ok(None)
}

/// The text of an event. Whoever has only announced a question is asked for it, and may think better of it.
async fn worded(event: &str, text: String, screen: &mut Screen) -> Option<String> {
    if event != ASKS || !text.is_empty() {
        return Some(text);
    }
    screen.note(screen.words.what_to_ask);
    screen.hear().await.filter(|asked| !asked.trim().is_empty())
}

/// What the learner can do about a course without a map.
fn how_to_plan(app: &App, screen: &Screen) -> String {
    let names: Vec<String> = teaching::curricula(app).into_iter().map(|curriculum| curriculum.id).collect();
    fill(screen.words.plan_again, &[("curricula", &names.join(", "))])
}

const ANSWERED: &str = "answered";
const ASKS: &str = "asks";
const GO_ON: &str = "go_on";
const ADVANCE: &str = "advance";
const PLAN_AGAIN: &str = "plan_again";
const OBJECTS: &str = "objects";
const LEAVE: &str = "leave";

/// What a line came to.
enum Heeded {
    /// An event, with the text that it carries.
    Send(&'static str, String),
    /// A review, while the course waits for one.
    Practise,
    /// Something was only shown.
    Here,
    Stop,
}

/// A few words alone on a line are commands; the rest is an answer, or a question when it begins with a question mark.
fn heed(text: &str, sitting: &Sitting<'_>, screen: &mut Screen) -> Heeded {
    match Command::read(text) {
        Some(command) => obey(command, sitting, screen),
        None if text.trim().is_empty() => obey(Command::GoOn, sitting, screen),
        None => heed_text(text.trim(), sitting, screen),
    }
}

fn obey(command: Command, sitting: &Sitting<'_>, screen: &mut Screen) -> Heeded {
    let words = screen.words;
    let is_asked = sitting.standing().question.is_some();
    match (command, sitting.waits()) {
        (Command::Quit | Command::Leave, _) => return Heeded::Stop,
        (Command::Help, _) => {
            screen.show(&[Block::List { title: words.commands.to_owned(), entries: help(sitting, words) }])
        }
        (Command::Again, _) => show_again(sitting, screen),
        (Command::Why, _) => screen.show(&page::why(sitting, words)),
        (Command::Mine, _) if sitting.standing().may_object() => return Heeded::Send(OBJECTS, String::new()),
        (Command::Mine, _) => screen.note(words.nothing_to_object_to),
        (Command::GoOn, Waits::Reading) => return Heeded::Send(GO_ON, String::new()),
        (Command::GoOn, Waits::Review) => return Heeded::Practise,
        (Command::GoOn, Waits::Plan) => return Heeded::Send(PLAN_AGAIN, String::new()),
        (Command::Skip, Waits::Reading) => return Heeded::Send(ADVANCE, String::new()),
        (Command::Skip, _) if is_asked => return Heeded::Send(ANSWERED, "skip".to_owned()),
        (Command::GoOn, _) => screen.note(words.empty),
        (Command::Skip, _) => screen.note(words.only_go_on),
    }
    Heeded::Here
}

/// An answer, a question, or the name of a curriculum.
fn heed_text(text: &str, sitting: &Sitting<'_>, screen: &mut Screen) -> Heeded {
    let words = screen.words;
    let asked = sitting.standing().question.as_ref();
    match text {
        question if question.starts_with('?') || (asked.is_none() && question.ends_with('?')) => {
            if sitting.takes(ASKS) {
                let question = question.trim_start_matches('?').trim();
                return Heeded::Send(ASKS, question.to_owned());
            }
            let is_parting = sitting.waits() == Waits::Parting;
            screen.note(if is_parting { words.all_answered } else { words.no_questions_now });
        }
        curriculum if sitting.waits() == Waits::Plan => {
            return Heeded::Send(PLAN_AGAIN, curriculum.to_owned());
        }
        answer => match asked {
            None if sitting.waits() == Waits::Parting => screen.note(words.all_answered),
            None => screen.note(words.only_go_on),
            Some(_) => return Heeded::Send(ANSWERED, answer.to_owned()),
        },
    }
    Heeded::Here
}

/// The commands that there are. A review takes no questions.
fn help(sitting: &Sitting<'_>, words: &Words) -> Vec<(String, String)> {
    let is_there = |(command, _): &&(&str, &str)| !command.starts_with('?') || sitting.takes(ASKS);
    let entries = words.help.iter().filter(is_there);
    entries.map(|(command, what)| ((*command).to_owned(), (*what).to_owned())).collect()
}

/// The lesson, and the question that waits. A quiz asks for what is remembered.
fn show_again(sitting: &Sitting<'_>, screen: &mut Screen) {
    let is_quiz = sitting.standing().status == Some(FlowStatus::Quizzing);
    let mut blocks = if is_quiz || sitting.waits() == Waits::Reading {
        Vec::new()
    } else {
        page::lesson(sitting, screen.words)
    };
    blocks.extend(page::reminder(sitting, screen.words));
    screen.show(&blocks);
}

async fn told(
    sitting: &mut Sitting<'_>,
    screen: &mut Screen,
    event: &'static str,
    text: &str,
) -> Result<Turn, Failure> {
    let (thinking, drawing_map) = (screen.words.thinking, screen.words.drawing_map);
    match event {
        ANSWERED | ASKS => screen.wait(thinking, sitting.say(event, text)).await,
        PLAN_AGAIN if text.is_empty() => screen.wait(drawing_map, sitting.send(event, json!({}))).await,
        PLAN_AGAIN => screen.wait(drawing_map, sitting.send(event, json!({"curriculum": text}))).await,
        _ => screen.wait(thinking, sitting.send(event, json!({}))).await,
    }
}

fn moved_on(sitting: &Sitting<'_>, screen: &mut Screen) {
    screen.note(screen.words.moved_on);
    let blocks = page::reminder(sitting, screen.words);
    screen.show(&blocks);
}

/// Whether the quiz on a concept has just been passed.
fn is_concept_done(
    (status, node): (Option<FlowStatus>, Option<coaching::map::NodeId>),
    course: &Sitting<'_>,
) -> bool {
    let now = course.standing();
    let is_next = now.status == Some(FlowStatus::Teaching) && now.current_node_id != node;
    let has_ended = matches!(now.status, Some(FlowStatus::Reviewing | FlowStatus::Completed));
    status == Some(FlowStatus::Quizzing) && (is_next || has_ended)
}

/// How far a course has come, and what it goes on with.
pub(super) async fn progress(app: &App, course: &str) -> Result<Progress, Failure> {
    let atlas = teaching::atlas(app, course).await?;
    let nodes = atlas.nodes();
    let count =
        |wanted: &[MasteryStatus]| nodes.iter().filter(|node| wanted.contains(&node.mastery_status)).count();
    Ok(Progress {
        understood: count(&[MasteryStatus::Reviewing, MasteryStatus::Mastered]),
        mastered: count(&[MasteryStatus::Mastered]),
        all: nodes.len(),
        next: atlas.frontier().into_iter().next().map(|node| node.label),
    })
}

/// A review ahead of its time, or what is due. What it opens is shown by its end.
async fn practise(app: &App, course: &mut Sitting<'_>, screen: &mut Screen) -> Result<Option<End>, Failure> {
    let words = screen.words;
    let (mut review, blocks) =
        courses::take_up_review(app, course.learner(), course.id(), true, words).await?;
    screen.show(&blocks);
    let end = recall(app, &mut review, screen, true).await?;
    course.reload().await?;
    Ok((end == End::Stopped).then_some(end))
}

/// What is said when a conversation has ended.
pub(super) fn farewell(end: End, course: &Sitting<'_>, command: &str, screen: &mut Screen) {
    let words = screen.words;
    let is_over = end == End::Over;
    match course.standing().status {
        Some(FlowStatus::Completed) if is_over => screen.note(words.completed),
        Some(FlowStatus::Abandoned) if is_over => screen.note(words.was_abandoned),
        _ => screen.note(fill(words.saved, &[("command", command)])),
    }
}
