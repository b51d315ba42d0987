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
    pub tomorrow: &'static str,
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

    /// How long it is until a moment, in the largest unit that is at least one and a half. About a day is
    /// tomorrow.
    pub(super) fn until(&self, now_us: i64, then_us: i64) -> String {
        let minutes = then_us.saturating_sub(now_us).max(0) as f64 / 60e6;
        let (hours, days, months) = (minutes / 60.0, minutes / 1440.0, minutes / 43_830.0);
        let units = &self.intervals;
        let (unit, count) = match minutes {
            _ if minutes < 0.5 => return units.now.to_owned(),
            _ if hours < 1.5 => (units.minutes, minutes),
            _ if hours < 20.0 => (units.hours, hours),
            _ if days < 1.5 => return units.tomorrow.to_owned(),
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Every text of a language with its blanks, one per line.
    fn blanks(words: &Words) -> Vec<(String, Vec<String>)> {
        let printed = format!("{words:#?}");
        let line = |line: &str| {
            let pieces = line.split('{').skip(1).filter_map(|rest| rest.split_once('}'));
            let mut blanks: Vec<String> = pieces.map(|(blank, _)| blank.to_owned()).collect();
            blanks.sort_unstable();
            let field = line.split_once(':').map_or("", |(field, _)| field).trim().to_owned();
            (field, blanks)
        };
        printed.lines().map(line).filter(|(field, _)| !field.starts_with('"')).collect()
    }

    #[test]
    fn every_language_has_the_same_blanks() {
        let english = blanks(Words::in_language(Language::English));
        assert_eq!(english, blanks(Words::in_language(Language::German)));
        let commands = |language| Words::in_language(language).help.iter().map(|(command, _)| *command);
        assert!(commands(Language::English).eq(commands(Language::German)));
        assert!(english.contains(&("word_of".to_owned(), vec!["all".to_owned(), "n".to_owned()])));
    }

    #[test]
    fn times_are_said_as_people_say_them() {
        const HOUR_US: i64 = 3_600_000_000;
        let check = |hours: f64, expected: [&str; 2]| {
            let then_us = (hours * HOUR_US as f64) as i64;
            for (language, expected) in [Language::English, Language::German].into_iter().zip(expected) {
                assert_eq!(Words::in_language(language).until(0, then_us), expected);
            }
        };
        check(-5.0, ["now", "jetzt"]);
        check(1.0 / 60.0, ["in 1 minute", "in 1 Minute"]);
        check(1.4, ["in 84 minutes", "in 84 Minuten"]);
        check(5.2, ["in 5 hours", "in 5 Stunden"]);
        check(19.0, ["in 19 hours", "in 19 Stunden"]);
        check(31.0, ["tomorrow", "morgen"]);
        check(37.0, ["in 2 days", "in 2 Tagen"]);
        check(72.0, ["in 3 days", "in 3 Tagen"]);
        check(24.0 * 40.0, ["in 40 days", "in 40 Tagen"]);
        check(24.0 * 365.25, ["in 12 months", "in 12 Monaten"]);
    }

    #[test]
    fn a_locale_chooses_the_language() {
        let check = |locale: &str, expected| assert_eq!(Language::of_locale(locale), expected, "{locale}");
        check("de_AT.UTF-8", Language::German);
        check("de", Language::German);
        check("dendi", Language::English);
        check("sl_SI", Language::English);
        check("C.UTF-8", Language::English);
        check("", Language::English);
    }
}
