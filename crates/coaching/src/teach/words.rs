//! Everything a tutor says that no curriculum has written.

use super::progress::Progress;
use super::room::Room;
use super::slate::Slate;
use crate::curriculum::{Concept, Form, Purpose, Shown};
use crate::desk::{Line, Role};
use crate::grade::{Found, Grade, Verdict};
use crate::learner::{Calendar, Quality};
use crate::map::MasteryStatus;
use crate::map::NodeId;
use crate::turn::Stage;

const US_PER_HOUR: i64 = 3_600_000_000;

/// No more of the learner's own words is quoted back.
const MAX_QUOTED_CHARS: usize = 80;
/// Of what was repaired in a plan no more is told: the map shows the rest.
const MAX_NOTES_TOLD: usize = 3;

fn say(role: Role, text: impl Into<String>, stage: &mut Stage<'_>) {
    stage.say(line(role, text));
}

fn line(role: Role, text: impl Into<String>) -> Line {
    Line::new(role, text.into())
}

/// Told before the first question of a diagnosis, which has at most so many.
pub(super) fn first_probe(most: i64, stage: &mut Stage<'_>) {
    say(
        Role::Notice,
        format!(
            "First a few questions, at most {most}, to find out what you know already. “I don't know” is a good answer."
        ),
        stage,
    );
}

pub(super) fn question(label: &str, purpose: Purpose, shown: &Shown, stage: &mut Stage<'_>) {
    if purpose == Purpose::Review {
        say(Role::Heading, label, stage);
    }
    say(Role::Question, self::shown(shown), stage);
}

/// After something in between: the question that still waits.
pub(super) fn back_to(slate: &Slate, stage: &mut Stage<'_>) {
    if let Some(posed) = &slate.question {
        say(Role::Notice, "Back to the question:", stage);
        say(Role::Question, shown(&posed.shown), stage);
    }
}

/// After a question in between that nobody wants to answer.
pub(super) fn help_is_left(slate: &Slate, stage: &mut Stage<'_>) {
    match slate.question {
        Some(_) => back_to(slate, stage),
        None => say(Role::Notice, "Then let us go on.", stage),
    }
}

/// A question with its options or steps, as text.
pub fn shown(shown: &Shown) -> String {
    let entries = shown.entries.iter().map(|entry| format!("\n  {}) {}", entry.label, entry.text));
    format!("{}{}", shown.ask, entries.collect::<String>())
}

pub(super) fn explain_it_yourself(label: &str, purpose: Purpose) -> String {
    let asked = match purpose {
        Purpose::Probe | Purpose::Review => format!("What do you know about {label}?"),
        Purpose::Teach => format!("How would you explain {label} to a friend?"),
        Purpose::Quiz => format!("What is an example of {label}, or a use of it, in your own words?"),
    };
    format!(
        "{asked} Begin your answer with how sure you are, from 0 (no idea) to 5 (perfectly), then say it in a few words."
    )
}

/// Asked of whoever has sent nothing, which may be a slip: who does not know says so.
pub(super) const SAY_SOMETHING: &str = "Say something, or “skip” if you do not know.";

/// What the mark of an answer rests on that the learner holds to be right.
pub(super) const OWN_JUDGEMENT: &str = "By your own judgement; the rules had not found all they look for.";

/// Asked of whoever judges an answer that they have not given.
pub(super) const SAY_IT: &str =
    "Say it in a few words behind the number, so that there is something to judge.";

/// What an answer was worth, which of the learner's words that rests on, and what would have been right.
pub(super) fn feedback(purpose: Purpose, form: Form, grade: &Grade, stage: &mut Stage<'_>) {
    // While it is found out what somebody knows, there is nothing to be told yet.
    if purpose == Purpose::Probe {
        return;
    }
    let is_right = grade.verdict == Verdict::Right;
    if is_right {
        say(Role::Praise, "Right.", stage);
    }
    let mut told = vec![judgement(grade), evidence(&grade.found)];
    told.retain(|part| !part.is_empty());
    // Whoever was right and is told nothing else hears once more what it was.
    if !is_right || told.is_empty() {
        told.push(right_answer(form, grade));
    }
    told.retain(|part| !part.is_empty());
    let told = if told.is_empty() { "Noted.".to_owned() } else { told.join("\n\n") };
    say(Role::Feedback, told, stage);
}

/// Told when an answer counts as the learner sees it.
pub(super) fn held_right(stage: &mut Stage<'_>) {
    say(Role::Notice, "Then it counts as right, by your own judgement.", stage);
}

fn judgement(grade: &Grade) -> String {
    match &grade.misconception {
        Some(mistake) => format!("About “{}”: {}", quoted(&mistake.words), grade.feedback),
        None => grade.feedback.clone(),
    }
}

/// The learner's own words with what they were taken to say. A word that is itself the idea needs no telling.
fn evidence(found: &[Found]) -> String {
    let is_other = |found: &&Found| !found.words.eq_ignore_ascii_case(&found.idea);
    let says = |found: &Found| format!("“{}” says it: {}", quoted(&found.words), found.idea);
    let said: Vec<String> = found.iter().filter(is_other).map(says).collect();
    if said.is_empty() { String::new() } else { format!("{}.", said.join("; ")) }
}

fn right_answer(form: Form, grade: &Grade) -> String {
    let answer = grade.answer.trim();
    if answer.is_empty() || answer == grade.feedback.trim() {
        return String::new();
    }
    let what = if form == Form::Free { "A good answer" } else { "The answer" };
    let gap = if answer.contains('\n') { "\n\n" } else { " " };
    format!("{what}:{gap}{answer}")
}

fn quoted(words: &str) -> String {
    match words.char_indices().nth(MAX_QUOTED_CHARS) {
        Some((end, _)) => format!("{}…", &words[..end]),
        None => words.to_owned(),
    }
}

pub(super) fn planned(room: &Room, known: usize, stage: &mut Stage<'_>) {
    let concepts = concepts(room.map.nodes().len());
    let minutes: u32 = room.map.nodes().iter().filter_map(|node| node.effort_minutes).sum();
    let time = match minutes {
        0 => String::new(),
        1..90 => format!(", about {minutes} minutes in all"),
        _ => format!(", about {} hours in all", minutes.div_ceil(60)),
    };
    let known = match known {
        0 => "It begins at the beginning.".to_owned(),
        1 => "One of them you seem to know; it will go quickly.".to_owned(),
        n => format!("{n} of them you seem to know; they will go quickly."),
    };
    say(Role::Notice, format!("Your map has {concepts}{time}. {known}"), stage);
}

fn concepts(count: usize) -> String {
    if count == 1 { "1 concept".to_owned() } else { format!("{count} concepts") }
}

/// Told when a course goes on from an abandoned one.
pub(super) fn resumed(room: &Room, stage: &mut Stage<'_>) {
    let is_known = |status: &MasteryStatus| !status.is_teachable();
    let (concepts, known) =
        (concepts(room.map.nodes().len()), room.statuses().iter().filter(|s| is_known(s)).count());
    let text = match known {
        0 => {
            format!("“{}” goes on: {concepts}, with all that was found out before.", room.header.title)
        }
        _ => format!("“{}” goes on: {known} of its {concepts} you have understood.", room.header.title),
    };
    say(Role::Notice, text, stage);
}

/// What the learner brings along to a lesson.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Before {
    Nothing,
    /// The diagnosis believes that they know it.
    Known,
    /// It was explained before.
    Taught,
}

/// The lesson, in other words than those `given` last where the concept has any.
pub(super) fn lesson(lesson: &Concept, before: Before, given: &[Line]) -> Vec<Line> {
    let heading = match before {
        Before::Taught => format!("{}, once more", lesson.title),
        Before::Nothing | Before::Known => lesson.title.clone(),
    };
    let mut lines = vec![line(Role::Heading, heading)];
    if before == Before::Known {
        lines.push(line(Role::Notice, "You seem to know this already; a quick look will do."));
    }
    if let Some(again) = another(lesson, given) {
        lines.push(line(Role::Explanation, again));
        return lines;
    }
    lines.push(line(Role::Explanation, lesson.explain.trim()));
    if !lesson.example.trim().is_empty() {
        lines.push(line(Role::Example, lesson.example.trim()));
    }
    lines
}

/// The second explanation, if the first one is what was given last.
fn another<'c>(lesson: &'c Concept, given: &[Line]) -> Option<&'c str> {
    lesson.again.as_deref().map(str::trim).filter(|_| is_first_given(lesson, given))
}

/// Whether the first explanation was given last, and nobody has written a second one.
pub(super) fn lacks_another(lesson: &Concept, given: &[Line]) -> bool {
    lesson.again.is_none() && is_first_given(lesson, given)
}

fn is_first_given(lesson: &Concept, given: &[Line]) -> bool {
    given.iter().any(|line| line.say.plain() == Some(lesson.explain.trim()))
}

/// What the map itself says about a concept that nobody wrote a lesson for.
pub(super) fn bare_lesson(room: &Room, node: NodeId) -> Vec<Line> {
    let described = room.map.find(node).ok().and_then(|node| room.map.node(node).description.clone());
    let text = described.unwrap_or_else(|| {
        "There is no text for this concept here. Read about it where you like best, then come back."
            .to_owned()
    });
    vec![line(Role::Heading, room.label(node)), line(Role::Explanation, text)]
}

pub(super) fn no_lesson(reason: &str, stage: &mut Stage<'_>) {
    say(Role::Notice, format!("No lesson could be written ({reason})."), stage);
}

pub(super) fn no_plan(topic: &str, reason: &str, stage: &mut Stage<'_>) {
    say(
        Role::Notice,
        format!(
            "No map of “{topic}” could be made ({reason}). Try again now or later, or take a curriculum."
        ),
        stage,
    );
}

pub(super) fn no_more_surveys(topic: &str, stage: &mut Stage<'_>) {
    let text = format!(
        "No model is asked for a map of “{topic}” any more: there is none, or it was asked too often. Take a curriculum, or start a new course."
    );
    say(Role::Notice, text, stage);
}

/// What of a model's plan was not as it stood there.
pub(super) fn repaired(notes: &[String], stage: &mut Stage<'_>) {
    let told = notes.iter().take(MAX_NOTES_TOLD).map(String::as_str).collect::<Vec<_>>().join("; ");
    match notes.len() {
        0 => {}
        1..=MAX_NOTES_TOLD => say(Role::Notice, format!("In the plan {told}."), stage),
        more => {
            let others = more - MAX_NOTES_TOLD;
            say(Role::Notice, format!("In the plan {told}; and {others} more."), stage);
        }
    }
}

/// Explains a concept that the learner asked about. The lesson at hand has been read, so it comes in other words.
pub(super) fn clarify(label: &str, lesson: &Concept, at_hand: &[Line], stage: &mut Stage<'_>) {
    say(Role::Heading, format!("About {label}"), stage);
    say(Role::Explanation, another(lesson, at_hand).unwrap_or(lesson.explain.trim()), stage);
}

pub(super) fn out_of_scope(room: &Room, stage: &mut Stage<'_>) {
    say(
        Role::Notice,
        format!(
            "That is not on the map of “{}”. It may deserve a course of its own: start one with it as the topic.",
            room.header.title
        ),
        stage,
    );
}

pub(super) fn comes_back(room: &Room, node: NodeId, due_at_us: i64, stage: &mut Stage<'_>) {
    let when = from_now(room, due_at_us, stage);
    say(Role::Notice, format!("“{}” is understood. It comes back {when}.", room.label(node)), stage);
}

pub(super) fn once_more(room: &Room, node: NodeId, stage: &mut Stage<'_>) {
    say(Role::Notice, format!("“{}” has not settled yet. Let us look at it again.", room.label(node)), stage);
}

pub(super) fn what_waits(room: &Room, stage: &mut Stage<'_>) {
    let Some((_, at_us)) = room.next_review() else {
        return say(Role::Notice, "There is nothing to teach at the moment.", stage);
    };
    let next = room.next_to_teach().map(|node| room.label(node));
    let needed = match (room.unsteady().as_slice(), next) {
        ([node], Some(next)) => {
            let times = times_needed(&room.progress(*node));
            format!("Answer “{}” right {times} to open “{next}”.", room.label(*node))
        }
        ([node], None) => {
            let times = times_needed(&room.progress(*node));
            format!("Answer “{}” right {times}, and the course is complete.", room.label(*node))
        }
        (nodes, Some(next)) => {
            format!("“{next}” opens when what it builds on is mastered. {}", needed_by_many(nodes.len()))
        }
        (nodes, None) => {
            format!("When everything is mastered, the course is complete. {}", needed_by_many(nodes.len()))
        }
    };
    let when = from_now(room, at_us, stage);
    say(Role::Notice, format!("{needed} The next review is {when}; you can also practise now."), stage);
}

/// A row of nothing but choices does not reach mastery, for a guess is right now and then.
fn needed_by_many(count: usize) -> String {
    format!(
        "{} are not yet; answer each right three times in a row (a choice counts a little less).",
        concepts(count)
    )
}

/// How often a concept has to be answered right until it is mastered. The score may ask for more than good recalls: a
/// row of nothing but those never reaches it.
fn times_needed(progress: &Progress) -> String {
    let (good, perfect) =
        (progress.recalls_to_mastery(Quality::GOOD), progress.recalls_to_mastery(Quality::EASY));
    let times = match perfect.unwrap_or(1) {
        1 => "once more".to_owned(),
        perfect => format!("{perfect} more times in a row"),
    };
    if good == perfect { times } else { format!("{times} (a choice counts a little less)") }
}

pub(super) fn finished(room: &Room, stage: &mut Stage<'_>) {
    say(
        Role::Notice,
        format!("You have mastered all of “{}”. Its reviews go on, ever more rarely.", room.header.title),
        stage,
    );
}

/// Told when nobody came back for long.
pub(super) fn put_aside(room: &Room, stage: &mut Stage<'_>) {
    say(
        Role::Notice,
        format!(
            "“{}” was put aside: nobody has come back to it for more than 30 days. What you know of it is kept, and so \
             is the map; resume it whenever you like.",
            room.header.title
        ),
        stage,
    );
}

/// How a sitting went; `is_due` tells whether anything still is, `left` how much of the sitting was not asked.
pub(super) fn reviewed((good, all): (usize, usize), is_due: bool, left: usize, stage: &mut Stage<'_>) {
    let text = match (all, left) {
        (0, 0) => "There is nothing to review now.".to_owned(),
        (0, _) if is_due => "Nothing was asked; what is due comes back tomorrow.".to_owned(),
        (0, _) => "Nothing was asked; each concept comes back when it is due.".to_owned(),
        _ => format!("{good} of {all} recalled."),
    };
    say(Role::Notice, text, stage);
}

/// Told when a concept was recalled in another sitting while its question waited here.
pub(super) fn recalled_elsewhere(room: &Room, node: NodeId, stage: &mut Stage<'_>) {
    let text =
        format!("“{}” was recalled elsewhere in the meantime; it does not count twice.", room.label(node));
    say(Role::Notice, text, stage);
}

/// Told when a concept was taken off the map while its question waited.
pub(super) fn taken_off(stage: &mut Stage<'_>) {
    say(Role::Notice, "What this question asks for was taken off the map; it does not count.", stage);
}

/// Told when a sitting ends because its course was abandoned.
pub(super) fn was_put_aside(room: &Room, stage: &mut Stage<'_>) {
    let text = format!("“{}” was put aside, so nothing of it is asked any more.", room.header.title);
    say(Role::Notice, text, stage);
}

/// When something comes back, in the learner's own days: what a night lies before is not called today.
fn from_now(room: &Room, at_us: i64, stage: &Stage<'_>) -> String {
    let now_us = stage.moment.now_us;
    let hours = (at_us - now_us).div_euclid(US_PER_HOUR);
    match (Calendar::of(&room.profile).days_between(now_us, at_us), hours) {
        (_, ..0) => "now".to_owned(),
        (0, 0) => "within the hour".to_owned(),
        (0, 1) => "in an hour".to_owned(),
        (0, hours) => format!("in {hours} hours"),
        (1, _) => "tomorrow".to_owned(),
        (days, _) => format!("in {days} days"),
    }
}
