//! Every word that the terminal says by itself, one file per language.
//!
//! What the coach says comes from the drill and is in the language of the pack's explanations; these words
//! are in the language of whoever sits at the terminal. Names in braces are filled in.

mod de;
mod en;

use clap::ValueEnum;
use coaching::drill::Role;

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Language {
    #[value(name = "en")]
    English,
    #[value(name = "de")]
    German,
}

impl Language {
    /// The language of a locale such as `de_AT.UTF-8`, English where these words are not known in it.
    pub(crate) fn of_locale(locale: &str) -> Language {
        match locale.split(['_', '-', '.', '@']).next() {
            Some("de") => Language::German,
            _ => Language::English,
        }
    }
}

/// The words of one language.
#[derive(Debug)]
pub(super) struct Words {
    /// The list of packs.
    pub packs_for: &'static str,
    pub taught_in: &'static str,
    pub items: Counted,
    pub learned: &'static str,
    pub due: &'static str,
    pub session_is_open: &'static str,
    pub how_to_begin: &'static str,
    pub no_packs: &'static str,

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
    pub help: &'static [(&'static str, &'static str)],
    pub unknown_command: &'static str,
    pub no_word: &'static str,
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

    pub labels: Labels,
    pub intervals: Intervals,
}

/// A text for one and a text for any other number `{n}`.
#[derive(Debug, Clone, Copy)]
pub(super) struct Counted {
    pub one: &'static str,
    pub many: &'static str,
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

/// From now until something comes back.
#[derive(Debug)]
pub(super) struct Intervals {
    pub now: &'static str,
    pub minutes: Counted,
    pub hours: Counted,
    pub days: Counted,
    pub months: Counted,
}

impl Words {
    pub(super) fn in_language(language: Language) -> &'static Words {
        match language {
            Language::English => &en::WORDS,
            Language::German => &de::WORDS,
        }
    }

    /// How long it is until a moment, in the largest unit that is at least one and a half.
    pub(super) fn until(&self, now_us: i64, then_us: i64) -> String {
        let minutes = then_us.saturating_sub(now_us).max(0) as f64 / 60e6;
        let (hours, days, months) = (minutes / 60.0, minutes / 1440.0, minutes / 43_830.0);
        let units = &self.intervals;
        let (unit, count) = match minutes {
            _ if minutes < 0.5 => return units.now.to_owned(),
            _ if hours < 1.5 => (units.minutes, minutes),
            _ if days < 1.5 => (units.hours, hours),
            _ if months < 1.5 => (units.days, days),
            _ => (units.months, months),
        };
        unit.of(count.round() as usize)
    }
}

impl Counted {
    pub(super) fn of(self, n: usize) -> String {
        fill(if n == 1 { self.one } else { self.many }, &[("n", &n.to_string())])
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
            Role::Cue | Role::Praise | Role::Correction | Role::Note => self.coach,
        }
    }
}

/// Puts values into a text.
pub(super) fn fill(text: &str, values: &[(&str, &str)]) -> String {
    values.iter().fold(text.to_owned(), |text, (name, value)| text.replace(&format!("{{{name}}}"), value))
}
