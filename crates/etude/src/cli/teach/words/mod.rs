//! Every word that the terminal says by itself, one file per language.
//!
//! Lessons and questions are in the language of their curriculum; these words, and what the tutor says around them, are
//! in the language of whoever sits at the terminal. Names in braces are filled in.

mod de;
mod en;
mod spoken;

use crate::cli::screen::words::{Counted, Intervals, Language};
use coaching::map::MasteryStatus;
use coaching::teach::state::FlowStatus;

/// The words of one language.
#[derive(Debug)]
pub(super) struct Words {
    /// The list of courses.
    pub your_courses: &'static str,
    pub courses_of: &'static str,
    pub mastered: &'static str,
    pub due: Counted,
    pub review_when: &'static str,
    pub could_learn: &'static str,
    pub concepts: Counted,
    pub minutes: Counted,
    pub hours: Counted,
    pub anything_else: &'static str,
    pub inbox_has: Counted,
    /// By the order of [`FlowStatus::ALL`].
    pub statuses: [&'static str; 8],

    /// Before the tutor's first line.
    pub welcome: &'static str,
    pub goes_on: &'static str,
    pub taken_up: &'static str,
    /// For a course in another language, with what languages are called.
    pub other_language: &'static str,
    pub languages: &'static [(&'static str, &'static str)],
    pub code: &'static str,
    pub goal_only_for_new: &'static str,
    pub again_only_when_over: &'static str,
    pub is_completed: &'static str,
    pub is_abandoned: &'static str,
    pub drawing_map: &'static str,
    pub thinking: &'static str,

    /// While learning.
    pub probe_of: &'static str,
    pub recall_of: &'static str,
    pub quiz: &'static str,
    pub progress: &'static str,
    pub next: &'static str,
    pub go_on: &'static str,
    pub only_go_on: &'static str,
    pub answer_in_order: &'static str,
    pub answer_with_commas: &'static str,
    pub empty: &'static str,
    pub what_to_ask: &'static str,
    pub no_questions_now: &'static str,
    pub all_answered: &'static str,
    pub follow_up: &'static str,
    pub waits_behind: &'static str,
    pub may_object: &'static str,
    pub nothing_to_object_to: &'static str,
    pub parting: &'static str,
    pub mark: &'static str,
    pub no_mark: &'static str,
    pub commands: &'static str,
    pub help: &'static [(&'static str, &'static str)],
    pub moved_on: &'static str,
    pub cut: &'static str,
    pub not_text: &'static str,
    pub no_model_answer: &'static str,
    pub led_by_others: &'static str,
    pub plan_again: &'static str,

    /// Between lessons and at the end.
    pub due_now: Counted,
    pub next_review: &'static str,
    pub nothing_due: &'static str,
    pub practise: &'static str,
    pub course_waits: &'static str,
    pub saved: &'static str,
    pub completed: &'static str,
    pub was_abandoned: &'static str,
    pub press_enter: &'static str,

    /// The other commands.
    pub sure: &'static str,
    pub yes: &'static [&'static str],
    pub not_abandoned: &'static str,
    pub abandoned: &'static str,
    pub written: &'static str,
    pub also_needs: &'static str,
    pub you_are_here: &'static str,
    /// Unseen, diagnosed, learning, reviewing, mastered.
    pub masteries: [&'static str; 5],
    pub map_imported: &'static str,
    pub curriculum_imported: &'static str,
    pub inbox_is_empty: &'static str,
    pub inbox_asks: &'static str,

    /// What the tutor says, in this language.
    pub spoken: fn(&str) -> String,
    pub labels: Labels,
    pub intervals: &'static Intervals,
}

/// What stands before a line where no colour tells what it is.
#[derive(Debug)]
pub(super) struct Labels {
    pub tutor: &'static str,
    pub you: &'static str,
    pub heading: &'static str,
    pub example: &'static str,
    pub code: &'static str,
    pub output: &'static str,
    pub question: &'static str,
    pub progress: &'static str,
    pub note: &'static str,
}

impl Words {
    pub(super) fn in_language(language: Language) -> &'static Words {
        match language {
            Language::English => &en::WORDS,
            Language::German => &de::WORDS,
        }
    }

    /// How long something takes: in minutes up to an hour and a half, then in hours.
    pub(super) fn takes(&self, minutes: u32) -> String {
        match minutes {
            0..90 => self.minutes.of(minutes as usize),
            _ => self.hours.of(minutes.div_ceil(60) as usize),
        }
    }

    pub(super) fn status(&self, status: FlowStatus) -> &'static str {
        let at = FlowStatus::ALL.iter().position(|known| *known == status).unwrap_or(0);
        self.statuses[at]
    }

    pub(super) fn mastery(&self, status: MasteryStatus) -> &'static str {
        self.masteries[match status {
            MasteryStatus::Unseen => 0,
            MasteryStatus::Diagnosed => 1,
            MasteryStatus::Learning => 2,
            MasteryStatus::Reviewing => 3,
            MasteryStatus::Mastered => 4,
        }]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::screen::words::blanks;

    #[test]
    fn every_language_has_the_same_blanks() {
        let english = blanks(Words::in_language(Language::English));
        assert_eq!(english, blanks(Words::in_language(Language::German)));
        let commands = |language| Words::in_language(language).help.iter().map(|(command, _)| *command);
        assert!(commands(Language::English).eq(commands(Language::German)));
        assert!(english.contains(&("probe_of".to_owned(), vec!["most".to_owned(), "n".to_owned()])));
    }
}
