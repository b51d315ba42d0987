//! Every word that the terminal says by itself, one file per language.
//!
//! What the coach says comes from the drill and is in the language of the pack's explanations; these words
//! are in the language of whoever sits at the terminal. Names in braces are filled in.

mod de;
mod en;

use crate::cli::screen::words::{Counted, Intervals, Language};
use coaching::desk::Role;

/// The words of one language.
#[derive(Debug)]
pub(super) struct Words {
    /// As packs name it.
    pub language: &'static str,
    /// The list of packs.
    pub your_packs: &'static str,
    pub packs_for: &'static str,
    pub taught_in: &'static str,
    pub items: Counted,
    pub learned: &'static str,
    pub due: &'static str,
    pub session_is_open: &'static str,
    pub how_to_begin: &'static str,
    pub no_packs: &'static str,
    pub left_out: &'static str,

    /// Before the first line of the coach.
    pub welcome: &'static str,
    pub goes_on: &'static str,
    pub only_for_new: &'static str,
    pub left_the_old: &'static str,
    pub cannot_go_on: &'static str,

    /// While practising.
    pub word_of: &'static str,
    pub used_of: &'static str,
    pub in_pool: &'static str,
    pub from_memory: &'static str,
    pub review: &'static str,
    pub commands: &'static str,
    pub help: &'static [(&'static str, &'static str)],
    pub unknown_command: &'static str,
    pub no_word: &'static str,
    pub only_in_courses: &'static str,
    pub moved_on: &'static str,
    pub cut: &'static str,
    pub not_text: &'static str,

    /// At the end.
    pub saved: &'static str,
    pub over: &'static str,
    pub over_by_silence: &'static str,
    pub over_by_leaving: &'static str,
    pub learned_list: &'static str,
    pub parked_list: &'static str,
    pub comes_back: &'static str,
    pub waiting: Counted,
    pub next_review: &'static str,
    pub next_session: &'static str,
    pub press_enter: &'static str,

    pub labels: Labels,
    pub intervals: &'static Intervals,
}

/// What stands before a line where no colour tells what it is.
#[derive(Debug)]
pub(super) struct Labels {
    pub coach: &'static str,
    pub you: &'static str,
    pub word: &'static str,
    pub meaning: &'static str,
    pub explanation: &'static str,
    pub example: &'static str,
    pub scene: &'static str,
    pub say: &'static str,
    pub slowly: &'static str,
    pub difference: &'static str,
    pub progress: &'static str,
    pub note: &'static str,
    /// The pieces of a difference.
    pub missing: &'static str,
    pub extra: &'static str,
    pub changed: &'static str,
}

impl Words {
    pub(super) fn in_language(language: Language) -> &'static Words {
        match language {
            Language::English => &en::WORDS,
            Language::German => &de::WORDS,
        }
    }
}

impl Labels {
    pub(super) fn of(&self, role: Role) -> &'static str {
        match role {
            Role::Word => self.word,
            Role::Explanation => self.explanation,
            Role::Example => self.example,
            Role::Scene => self.scene,
            Role::Hint => self.say,
            Role::Slow => self.slowly,
            _ => self.coach,
        }
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
        assert!(english.contains(&("word_of".to_owned(), vec!["all".to_owned(), "n".to_owned()])));
    }
}
