//! What is shown, in which order. How it looks is for [`pretty`](super::pretty) and [`plain`](super::plain).

use super::sitting::{Sitting, Waits};
use super::words::Words;
use crate::cli::screen::words::fill;
use crate::engine::view::Said;
use coaching::curriculum::{Form, GAP};
use coaching::desk::Line;
use coaching::desk::Role;
use coaching::learner::Quality;
use coaching::teach::diagnosis::MAX_PROBES;
use coaching::teach::state::FlowStatus;

/// One thing to show. Lessons, questions and feedback are Markdown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Block {
    Title(String),
    /// A concept, a quiz or a probe begins.
    Heading(String),
    Lesson(String),
    Example(String),
    Question(String),
    Praise(String),
    /// What the tutor says to an answer that was not right, or only partly.
    Partly(String),
    Wrong(String),
    /// The tutor speaks about the course.
    Notice(String),
    Progress(Progress),
    /// The program itself speaks.
    Note(String),
    /// What can be done now, where nothing is asked.
    Prompt(String),
    List {
        title: String,
        entries: Vec<(String, String)>,
    },
}

/// How far a course has come.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Progress {
    pub understood: usize,
    pub mastered: usize,
    pub all: usize,
    pub next: Option<String>,
}

/// What was said in one turn. Progress stands before the next lesson, or at the end.
pub(super) fn turn(
    said: &[Said],
    sitting: &Sitting<'_>,
    progress: Option<Progress>,
    words: &Words,
) -> Vec<Block> {
    let mut progress = progress.map(Block::Progress);
    let mut blocks = Vec::new();
    for line in said {
        let mut block = block(line.role, &line.say.to_string(), sitting, words);
        match (&mut block, blocks.last_mut()) {
            (Block::Heading(heading), _) => {
                blocks.extend(progress.take());
                heading.push_str(&place_in_review(sitting, words).unwrap_or_default());
            }
            (Block::Question(_), _) => blocks.extend(above_question(sitting, words)),
            // What the praise rests on belongs to it.
            (Block::Lesson(feedback), Some(Block::Praise(praise))) if line.role == Role::Feedback => {
                *praise = format!("{praise} {feedback}");
                continue;
            }
            _ => {}
        }
        blocks.push(block);
        let waits_for_it = sitting.waits() == Waits::Parting;
        if line.role == Role::Feedback && sitting.standing().may_object() && !waits_for_it {
            blocks.push(Block::Note(words.may_object.to_owned()));
        }
    }
    if matches!(blocks.last(), Some(Block::Question(_))) {
        blocks.extend(how_to_answer(sitting, words));
    }
    blocks.extend(progress);
    blocks
}

/// Where one stands that is taken up in the middle.
pub(super) fn reminder(sitting: &Sitting<'_>, words: &Words) -> Vec<Block> {
    let mut blocks = Vec::new();
    if sitting.waits() == Waits::Reading {
        blocks.extend(lesson(sitting, words));
    }
    if let Some(asked) = &sitting.standing().question {
        let place = place_in_review(sitting, words);
        blocks.extend(place.map(|place| Block::Note(place.trim_start_matches([' ', '·']).to_owned())));
        blocks.extend(above_question(sitting, words));
        blocks.push(Block::Question((words.spoken)(&asked.shown.text().to_string())));
        blocks.extend(how_to_answer(sitting, words));
    }
    if let Some(waiting) = &sitting.standing().waiting {
        blocks.push(Block::Prompt(words.waits_behind.to_owned()));
        blocks.push(Block::Question((words.spoken)(&waiting.shown.text().to_string())));
    }
    blocks
}

/// How the last answer was marked, and what can be said to that.
pub(super) fn why(sitting: &Sitting<'_>, words: &Words) -> Vec<Block> {
    let Some(last) = &sitting.standing().last else { return vec![Block::Note(words.no_mark.to_owned())] };
    let mark = fill(words.mark, &[("n", &last.quality.get().to_string())]);
    let mut blocks =
        vec![Block::Notice(format!("{mark} {}", (words.spoken)(&last.feedback)).trim().to_owned())];
    // The prompt of a parting says the same.
    if last.may_object && sitting.waits() != Waits::Parting {
        blocks.push(Block::Note(words.may_object.to_owned()));
    }
    blocks
}

/// The lesson on the concept at hand.
pub(super) fn lesson(sitting: &Sitting<'_>, words: &Words) -> Vec<Block> {
    let line = |line: &Line| block(line.role, &line.say.to_string(), sitting, words);
    sitting.standing().lesson.iter().map(line).collect()
}

fn block(role: Role, say: &str, sitting: &Sitting<'_>, words: &Words) -> Block {
    let say = match role {
        Role::Explanation | Role::Example => say.to_owned(),
        _ => (words.spoken)(say),
    };
    match role {
        Role::Heading => Block::Heading(say),
        Role::Explanation => Block::Lesson(say),
        Role::Example => Block::Example(say),
        Role::Question => Block::Question(say),
        Role::Praise => Block::Praise(say),
        Role::Feedback => match sitting.standing().last.as_ref().map(|last| last.quality) {
            Some(quality) if quality >= Quality::GOOD => Block::Lesson(say),
            Some(quality) if quality.get() >= 2 => Block::Partly(say),
            _ => Block::Wrong(say),
        },
        _ => Block::Notice(say),
    }
}

/// Which recall of a review it is.
fn place_in_review(sitting: &Sitting<'_>, words: &Words) -> Option<String> {
    let standing = sitting.standing();
    if standing.status.is_some() || standing.left == 0 || sitting.waits() == Waits::Over {
        return None;
    }
    let (n, all) = (standing.answered + 1, standing.answered + standing.left);
    let place = fill(words.recall_of, &[("n", &n.to_string()), ("all", &all.to_string())]);
    Some(format!(" · {place}"))
}

/// In which form an answer is read best, where that is not plain.
fn how_to_answer(sitting: &Sitting<'_>, words: &Words) -> Option<Block> {
    let shown = &sitting.standing().question.as_ref()?.shown;
    let hint = match shown.form {
        Form::Order => {
            // Labels that are not there: an order of those that are might be the right one.
            let has_letters = shown.entries.iter().any(|entry| entry.label.starts_with(char::is_alphabetic));
            let example = if has_letters { "x z y" } else { "97 99 98" };
            fill(words.answer_in_order, &[("example", example)])
        }
        Form::Cloze if shown.ask.to_string().matches(GAP).count() > 1 => words.answer_with_commas.to_owned(),
        Form::Free | Form::Choice | Form::Cloze => return None,
    };
    Some(Block::Note(hint))
}

/// What sort of question comes: which probe, or a quiz.
fn above_question(sitting: &Sitting<'_>, words: &Words) -> Option<Block> {
    let standing = sitting.standing();
    let is_for_help = standing.question.as_ref().is_some_and(|asked| asked.is_for_help);
    match standing.status {
        _ if is_for_help => Some(Block::Prompt(words.follow_up.to_owned())),
        Some(FlowStatus::Diagnosing) => {
            let (n, most) = ((sitting.probes() + 1).to_string(), MAX_PROBES.to_string());
            Some(Block::Heading(fill(words.probe_of, &[("n", &n), ("most", &most)])))
        }
        Some(FlowStatus::Quizzing) => Some(Block::Heading(words.quiz.to_owned())),
        _ => None,
    }
}

/// A line of progress in words.
pub(super) fn progress(progress: &Progress, words: &Words) -> String {
    let Progress { understood, mastered, all, next } = progress;
    let numbers =
        [("n", understood.to_string()), ("all", all.to_string()), ("mastered", mastered.to_string())];
    let numbers: Vec<(&str, &str)> = numbers.iter().map(|(name, number)| (*name, number.as_str())).collect();
    let known = fill(words.progress, &numbers);
    match next {
        Some(next) => format!("{known} · {}", fill(words.next, &[("concept", next)])),
        None => known,
    }
}
