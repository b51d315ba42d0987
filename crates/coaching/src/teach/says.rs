//! Picks the tutor's sentences from [`words`](super::words), and puts lessons before the learner.

use super::progress::Progress;
use super::room::Room;
use super::slate::{Posed, Slate};
use super::{own_judgement, words};
use crate::curriculum::{Concept, DEFAULT_MINUTES, Note, Purpose, Question, Shown};
use crate::desk::{Line, Role};
use crate::grade::show::fenced;
use crate::grade::{Found, Grade, Verdict};
use crate::learner::{Calendar, Quality};
use crate::map::{MAX_PLANNED_NODES, MasteryStatus, NodeId};
use crate::turn::Stage;
use crate::words::Text;

const US_PER_HOUR: i64 = 3_600_000_000;
/// From this many minutes on, times are told in hours.
const MANY_MINUTES: u32 = 90;
/// The most characters of the learner's own words that are quoted.
const MAX_QUOTED_CHARS: usize = 80;
/// The most repairs of a plan that are told; the map shows the rest.
const MAX_NOTES_TOLD: usize = 3;

pub(super) fn question(label: &str, purpose: Purpose, shown: &Shown, stage: &mut Stage<'_>) {
    if purpose == Purpose::Review {
        stage.tell(Role::Heading, label);
    }
    stage.tell(Role::Question, shown.text());
}

/// Repeats the question that still waits, after something in between.
pub(super) fn back_to(slate: &Slate, stage: &mut Stage<'_>) {
    if let Some(posed) = &slate.question {
        stage.tell(Role::Notice, words::back_to());
        stage.tell(Role::Question, posed.shown.text());
    }
}

/// Goes on after a follow-up question that the learner skips.
pub(super) fn help_is_left(slate: &Slate, stage: &mut Stage<'_>) {
    match slate.question {
        Some(_) => back_to(slate, stage),
        None => stage.tell(Role::Notice, words::then_go_on()),
    }
}

/// Returns the question about a concept without questions of its own.
pub(super) fn explain_it_yourself(label: &str, purpose: Purpose) -> Text {
    match purpose {
        Purpose::Probe | Purpose::Review => words::explain_what(label),
        Purpose::Teach => words::explain_friend(label),
        Purpose::Quiz => words::explain_example(label),
    }
}

/// Tells the worth of an answer, the learner's words that this rests on, and the right answer. A diagnosis tells
/// nothing yet, and learners who judge themselves are not told that they are right.
pub(super) fn feedback(posed: &Posed, grade: &Grade, stage: &mut Stage<'_>) {
    if posed.purpose == Purpose::Probe {
        return;
    }
    let is_right = grade.verdict == Verdict::Right;
    if is_right && !own_judgement::is_asked_for(posed) {
        stage.tell(Role::Praise, words::right());
    }
    let mut told: Vec<Text> = [judgement(grade), evidence(&grade.found)].into_iter().flatten().collect();
    // If nothing else is said about a right answer, it is repeated.
    if !is_right || told.is_empty() {
        told.extend(right_answer(&posed.question, grade));
    }
    let told = told.into_iter().reduce(words::paragraphs);
    stage.tell(Role::Feedback, told.unwrap_or_else(words::noted));
}

fn judgement(grade: &Grade) -> Option<Text> {
    let feedback = Some(grade.feedback.clone()).filter(|feedback| !feedback.is_empty())?;
    Some(match &grade.misconception {
        Some(mistake) => words::about_words(quoted(&mistake.words), feedback),
        None => feedback,
    })
}

/// Returns the learner's own words, each with the idea that they were taken to say. A word that is itself the idea
/// is left out.
fn evidence(found: &[Found]) -> Option<Text> {
    let is_other = |found: &&Found| !found.words.eq_ignore_ascii_case(&found.idea);
    let says = |found: &Found| words::evidence_of(quoted(&found.words), found.idea.as_str());
    let said: Vec<Text> = found.iter().filter(is_other).map(says).collect();
    (!said.is_empty()).then(|| words::evidence(said))
}

fn right_answer(question: &Question, grade: &Grade) -> Option<Text> {
    let answer = grade.answer.trim();
    let is_told = grade.feedback.plain().is_some_and(|feedback| feedback.trim() == answer);
    (!answer.is_empty() && !is_told).then(|| match (question, answer.contains('\n')) {
        (Question::Free(_), false) => words::good_answer(answer),
        (Question::Free(_), true) => words::good_answer_lines(answer),
        (Question::Program(program), true) => words::the_answer_lines(fenced(&program.language, answer)),
        (Question::Query(_), true) => words::the_answer_lines(fenced("sql", answer)),
        (_, false) => words::the_answer(answer),
        (_, true) => words::the_answer_lines(answer),
    })
}

fn quoted(words: &str) -> String {
    match words.char_indices().nth(MAX_QUOTED_CHARS) {
        Some((end, _)) => format!("{}…", &words[..end]),
        None => words.to_owned(),
    }
}

pub(super) fn planned(room: &Room, known: usize, stage: &mut Stage<'_>) {
    let nodes = room.map.nodes();
    let minutes: u32 = nodes.iter().filter_map(|node| node.effort_minutes).sum();
    let hours = if minutes < MANY_MINUTES { 0 } else { minutes.div_ceil(60) };
    stage.tell(Role::Notice, words::planned(nodes.len(), minutes, hours, known));
}

/// Says the first lines of a resumed course.
pub(super) fn resumed(room: &Room, stage: &mut Stage<'_>) {
    let known = room.statuses().into_iter().filter(|status| !status.is_teachable()).count();
    let (title, concepts) = (room.header.title.as_str(), room.map.nodes().len());
    stage.tell(Role::Notice, words::resumed(title, concepts, known));
}

/// Tells how a model's plan was repaired.
pub(super) fn repaired(notes: &[Note], stage: &mut Stage<'_>) {
    if !notes.is_empty() {
        let told: Vec<Text> = notes.iter().take(MAX_NOTES_TOLD).map(note).collect();
        let more = notes.len() - told.len();
        stage.tell(Role::Notice, words::repaired(told, more));
    }
}

fn note(note: &Note) -> Text {
    match note {
        Note::Unlabelled => words::note_unlabelled(),
        Note::Merged(concept) => words::note_merged(concept.as_str()),
        Note::Minutes(concept) => words::note_minutes(concept.as_str(), DEFAULT_MINUTES),
        Note::LeftOut(concept) => words::note_left_out(concept.as_str(), MAX_PLANNED_NODES),
        Note::NeedsItself(concept) => words::note_needs_itself(concept.as_str()),
        Note::NeedsUnknown { concept, need } => words::note_needs_unknown(concept.as_str(), need.as_str()),
    }
}

/// Returns the lesson, in other words than those `given` last if the concept has any.
pub(super) fn lesson(lesson: &Concept, before: MasteryStatus, given: &[Line]) -> Vec<Line> {
    let mut lines = vec![match before {
        MasteryStatus::Learning => Line::new(Role::Heading, words::lesson_again(lesson.title.as_str())),
        _ => Line::new(Role::Heading, lesson.title.as_str()),
    }];
    if before == MasteryStatus::Diagnosed {
        lines.push(Line::new(Role::Notice, words::seems_known()));
    }
    if let Some(again) = another(lesson, given) {
        lines.push(Line::new(Role::Explanation, again));
        return lines;
    }
    lines.push(Line::new(Role::Explanation, lesson.explain.trim()));
    if !lesson.example.trim().is_empty() {
        lines.push(Line::new(Role::Example, lesson.example.trim()));
    }
    lines
}

/// Returns the second explanation, if the first one was given last.
fn another<'c>(lesson: &'c Concept, given: &[Line]) -> Option<&'c str> {
    lesson.again.as_deref().map(str::trim).filter(|_| is_first_given(lesson, given))
}

/// Whether the first explanation was given last and there is no second one.
pub(super) fn lacks_another(lesson: &Concept, given: &[Line]) -> bool {
    lesson.again.is_none() && is_first_given(lesson, given)
}

fn is_first_given(lesson: &Concept, given: &[Line]) -> bool {
    given.iter().any(|line| line.say.plain() == Some(lesson.explain.trim()))
}

/// Returns the map's own text about a concept that has no lesson.
pub(super) fn bare_lesson(room: &Room, node: NodeId) -> Vec<Line> {
    let described = room.map.find(node).ok().and_then(|node| room.map.node(node).description.clone());
    let text = described.map_or_else(words::no_text, Text::from);
    vec![Line::new(Role::Heading, room.label(node)), Line::new(Role::Explanation, text)]
}

/// Returns the explanation of a concept that the learner asked about. The current lesson has been read, so it comes
/// in other words.
pub(super) fn clarify(label: &str, lesson: &Concept, at_hand: &[Line]) -> Vec<Line> {
    let explanation = another(lesson, at_hand).unwrap_or(lesson.explain.trim());
    vec![Line::new(Role::Heading, words::about_concept(label)), Line::new(Role::Explanation, explanation)]
}

pub(super) fn comes_back(room: &Room, node: NodeId, due_at_us: i64, stage: &mut Stage<'_>) {
    let when = from_now(room, due_at_us, stage);
    stage.tell(Role::Notice, words::comes_back(room.label(node), when));
}

/// Tells what has to be mastered before something else can be taught, and when it comes back.
pub(super) fn what_waits(room: &Room, stage: &mut Stage<'_>) {
    let Some((_, at_us)) = room.next_review() else {
        return stage.tell(Role::Notice, words::nothing_to_teach_now());
    };
    let when = from_now(room, at_us, stage);
    let next = room.next_to_teach().map(|node| room.label(node));
    let text = match (room.unsteady().as_slice(), next) {
        ([node], next) => {
            let (concept, (times, choices)) = (room.label(*node), times_needed(&room.progress(*node)));
            match next {
                Some(next) => words::one_opens(concept, times, choices, next, when),
                None => words::one_completes(concept, times, choices, when),
            }
        }
        (nodes, Some(next)) => words::many_open(next, nodes.len(), when),
        (nodes, None) => words::many_complete(nodes.len(), when),
    };
    stage.tell(Role::Notice, text);
}

/// Returns how many right answers in a row master a concept, and as 1 or 0 whether choices alone would not: a guess
/// is right now and then, so a row of nothing but good recalls may never reach the score.
fn times_needed(progress: &Progress) -> (usize, u8) {
    let (good, perfect) =
        (progress.recalls_to_mastery(Quality::GOOD), progress.recalls_to_mastery(Quality::EASY));
    (perfect.unwrap_or(1), u8::from(good != perfect))
}

/// Tells the result of a sitting. `is_due` says whether anything still is, `left` how many questions were not
/// asked.
pub(super) fn reviewed((good, all): (usize, usize), is_due: bool, left: usize, stage: &mut Stage<'_>) {
    let text = match (all, left) {
        (0, 0) => words::review_nothing(),
        (0, _) => words::review_nothing_asked(u8::from(is_due)),
        _ => words::review_result(good, all),
    };
    stage.tell(Role::Notice, text);
}

/// Says when something comes back, in the learner's own days: a time after the next night is not called today.
fn from_now(room: &Room, at_us: i64, stage: &Stage<'_>) -> Text {
    let now_us = stage.moment.now_us;
    let hours = (at_us - now_us).div_euclid(US_PER_HOUR);
    match Calendar::of(&room.profile).days_between(now_us, at_us) {
        _ if hours < 0 => words::when_now(),
        0 => words::when_hours(hours),
        days => words::when_days(days),
    }
}
