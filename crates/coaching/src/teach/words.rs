//! Everything a tutor says that no curriculum has written.

use super::curriculum::{Concept, Purpose, Shown};
use super::grade::{Grade, Verdict};
use super::map::NodeId;
use super::progress::MasteryStatus;
use super::room::Room;
use crate::turn::{Line, Stage};

/// What a line is for. Channels present them differently: feedback as a reply, praise perhaps as a reaction.
pub mod role {
    pub const HEADING: &str = "heading";
    pub const EXPLANATION: &str = "explanation";
    pub const EXAMPLE: &str = "example";
    pub const QUESTION: &str = "question";
    pub const PRAISE: &str = "praise";
    pub const FEEDBACK: &str = "feedback";
    pub const NOTICE: &str = "notice";
}

const US_PER_HOUR: i64 = 3_600_000_000;

fn say(role: &str, text: impl Into<String>, stage: &mut Stage<'_>) {
    stage.say(Line { say: text.into(), means: None, role: role.to_owned() });
}

pub(super) fn question(label: &str, purpose: Purpose, nth: usize, shown: &Shown, stage: &mut Stage<'_>) {
    match (purpose, nth) {
        (Purpose::Probe, 0) => say(
            role::NOTICE,
            "First a few questions, to find out what you know already. “I don't know” is a good answer.",
            stage,
        ),
        (Purpose::Review, _) => say(role::HEADING, label, stage),
        _ => {}
    }
    say(role::QUESTION, self::shown(shown), stage);
}

/// A question with its options or steps, as text.
pub(super) fn shown(shown: &Shown) -> String {
    let entries = shown.entries.iter().map(|entry| format!("\n  {}) {}", entry.label, entry.text));
    format!("{}{}", shown.ask, entries.collect::<String>())
}

pub(super) fn explain_it_yourself(label: &str) -> String {
    format!(
        "Explain {label} in your own words, as if to a friend. Then say how well that went, from 0 (no idea) to 5 \
         (perfect), as the first character of your answer."
    )
}

pub(super) fn feedback(purpose: Purpose, grade: &Grade, stage: &mut Stage<'_>) {
    // While it is found out what somebody knows, there is nothing to be told yet.
    if purpose == Purpose::Probe {
        return;
    }
    if matches!(grade.verdict, Verdict::Right) {
        say(role::PRAISE, "Right.", stage);
    }
    if !grade.feedback.is_empty() {
        say(role::FEEDBACK, grade.feedback.clone(), stage);
    }
}

pub(super) fn planned(room: &Room, known: usize, stage: &mut Stage<'_>) {
    let count = room.map.nodes().len();
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
    say(role::NOTICE, format!("Your map has {count} concepts{time}. {known}"), stage);
}

pub(super) fn lesson(room: &Room, node: NodeId, lesson: &Concept, was_taught: bool, stage: &mut Stage<'_>) {
    let heading = match was_taught {
        true => format!("{}, once more", lesson.title),
        false => lesson.title.clone(),
    };
    say(role::HEADING, heading, stage);
    if room.status(node) == MasteryStatus::Diagnosed {
        say(role::NOTICE, "You seem to know this; here it is in short.", stage);
    }
    say(role::EXPLANATION, lesson.explain.trim(), stage);
    if !lesson.example.trim().is_empty() {
        say(role::EXAMPLE, lesson.example.trim(), stage);
    }
}

/// What the map itself says about a concept that nobody wrote a lesson for.
pub(super) fn bare_lesson(room: &Room, node: NodeId, stage: &mut Stage<'_>) {
    say(role::HEADING, room.label(node), stage);
    let described = room.map.find(node).ok().and_then(|node| room.map.node(node).description.clone());
    let text = described.unwrap_or_else(|| {
        "There is no text for this concept here. Read about it where you like best, then come back.".to_owned()
    });
    say(role::EXPLANATION, text, stage);
}

pub(super) fn no_lesson(reason: &str, stage: &mut Stage<'_>) {
    say(role::NOTICE, format!("No lesson could be written ({reason})."), stage);
}

pub(super) fn no_plan(topic: &str, reason: &str, stage: &mut Stage<'_>) {
    say(
        role::NOTICE,
        format!("No map of “{topic}” could be made ({reason}). Try again later, or add concepts yourself."),
        stage,
    );
}

pub(super) fn clarify(room: &Room, node: NodeId, lesson: &Concept, stage: &mut Stage<'_>) {
    say(role::HEADING, format!("About {}", room.label(node)), stage);
    say(role::EXPLANATION, lesson.explain.trim(), stage);
}

pub(super) fn out_of_scope(room: &Room, _: &str, stage: &mut Stage<'_>) {
    say(
        role::NOTICE,
        format!(
            "That is not on the map of “{}”. It may deserve a course of its own: start one with it as the topic.",
            room.header.title
        ),
        stage,
    );
}

pub(super) fn comes_back(room: &Room, node: NodeId, due_at_us: i64, stage: &mut Stage<'_>) {
    let when = from_now(due_at_us - stage.moment.now_us);
    say(role::NOTICE, format!("{} is understood. It comes back {when}.", room.label(node)), stage);
}

pub(super) fn once_more(room: &Room, node: NodeId, stage: &mut Stage<'_>) {
    say(role::NOTICE, format!("{} has not settled yet. Let us look at it again.", room.label(node)), stage);
}

pub(super) fn what_waits(room: &Room, stage: &mut Stage<'_>) {
    let unsteady = room.unsteady().len();
    let concepts = if unsteady == 1 { "one concept".to_owned() } else { format!("{unsteady} concepts") };
    let next = room.next_review().map(|(_, at_us)| from_now(at_us - stage.moment.now_us));
    let text = match next {
        Some(when) => format!(
            "What comes next builds on {concepts} that you understand but do not master yet. The next review is \
             {when}; who cannot wait may practise now."
        ),
        None => "There is nothing to teach at the moment.".to_owned(),
    };
    say(role::NOTICE, text, stage);
}

pub(super) fn finished(room: &Room, stage: &mut Stage<'_>) {
    say(
        role::NOTICE,
        format!("You have mastered all of “{}”. Its reviews go on, ever more rarely.", room.header.title),
        stage,
    );
}

pub(super) fn reviewed(good: usize, all: usize, stage: &mut Stage<'_>) {
    let text = match all {
        0 => "There is nothing to review now.".to_owned(),
        _ => format!("{good} of {all} recalled."),
    };
    say(role::NOTICE, text, stage);
}

fn from_now(us: i64) -> String {
    let hours = us.div_euclid(US_PER_HOUR);
    match hours {
        ..=0 => "now".to_owned(),
        1..=20 => format!("in {hours} h"),
        21..=36 => "tomorrow".to_owned(),
        _ => format!("in {} days", (hours + 12) / 24),
    }
}
