//! Words that every conversation in the terminal says: its language, numbers, and how long something takes.

use crate::engine::app::App;
use crate::engine::failure::Failure;
use crate::learners::profiles;
use clap::ValueEnum;
use coaching::learner::{Calendar, Profile};

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

/// A text for one and a text for any other number `{n}`.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Counted {
    pub one: &'static str,
    pub many: &'static str,
}

impl Counted {
    pub(crate) fn of(self, n: usize) -> String {
        fill(if n == 1 { self.one } else { self.many }, &[("n", &n.to_string())])
    }
}

/// Puts values into a text.
pub(crate) fn fill(text: &str, values: &[(&str, &str)]) -> String {
    values.iter().fold(text.to_owned(), |text, (name, value)| text.replace(&format!("{{{name}}}"), value))
}

/// Every field of some words with its blanks, to compare languages by.
#[cfg(test)]
pub(crate) fn blanks(words: &impl std::fmt::Debug) -> Vec<(String, Vec<String>)> {
    let printed = format!("{words:#?}");
    let line = |line: &str| {
        let pieces = line.split('{').skip(1).filter_map(|rest| rest.split_once('}'));
        let mut blanks: Vec<String> = pieces.map(|(blank, _)| blank.to_owned()).collect();
        blanks.sort_unstable();
        let field = line.split_once(':').map_or("", |(field, _)| field).trim().to_owned();
        (field, blanks)
    };
    printed.lines().map(line).filter(|(field, _)| !field.is_empty() && !field.starts_with('"')).collect()
}

/// From now until something comes back.
#[derive(Debug)]
pub(crate) struct Intervals {
    now: &'static str,
    tomorrow: &'static str,
    minutes: Counted,
    hours: Counted,
    days: Counted,
    months: Counted,
}

pub(crate) static ENGLISH_INTERVALS: Intervals = Intervals {
    now: "now",
    tomorrow: "tomorrow",
    minutes: Counted { one: "in 1 minute", many: "in {n} minutes" },
    hours: Counted { one: "in 1 hour", many: "in {n} hours" },
    days: Counted { one: "in 1 day", many: "in {n} days" },
    months: Counted { one: "in 1 month", many: "in {n} months" },
};

pub(crate) static GERMAN_INTERVALS: Intervals = Intervals {
    now: "jetzt",
    tomorrow: "morgen",
    minutes: Counted { one: "in 1 Minute", many: "in {n} Minuten" },
    hours: Counted { one: "in 1 Stunde", many: "in {n} Stunden" },
    days: Counted { one: "in 1 Tag", many: "in {n} Tagen" },
    months: Counted { one: "in 1 Monat", many: "in {n} Monaten" },
};

/// The present moment, as the learner lives it.
#[derive(Debug)]
pub(crate) struct Now {
    pub us: i64,
    calendar: Calendar,
}

impl Now {
    pub(crate) fn new(us: i64, profile: &Profile) -> Now {
        Now { us, calendar: Calendar::of(profile) }
    }

    /// For this learner.
    pub(crate) async fn of(app: &App, learner: &str) -> Result<Now, Failure> {
        Ok(Now::new(app.clock.now().0, &profiles::read(&app.store, learner).await?))
    }
}

impl Intervals {
    /// How long it is until a moment, in the learner's own days: what a night lies before is tomorrow, however many
    /// hours that is. Within a day hours are counted from one and a half on, beyond it months.
    pub(crate) fn until(&self, now: &Now, then_us: i64) -> String {
        let minutes = then_us.saturating_sub(now.us).max(0) as f64 / 60e6;
        let days = now.calendar.days_between(now.us, then_us);
        let months = f64::from(days) / 30.4375;
        let (unit, count) = match days {
            _ if minutes < 0.5 => return self.now.to_owned(),
            0 if minutes < 90.0 => (self.minutes, minutes),
            0 => (self.hours, minutes / 60.0),
            1 => return self.tomorrow.to_owned(),
            _ if months < 1.5 => (self.days, f64::from(days)),
            _ => (self.months, months),
        };
        unit.of(count.round() as usize)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_said_as_people_say_them() {
        const HOUR_US: i64 = 3_600_000_000;
        // Nine in the morning; a day begins at four.
        let nine_us = 20_000 * 24 * HOUR_US + 9 * HOUR_US;
        let now = Now::new(nine_us, &Profile::default());
        let check = |hours: f64, expected: [&str; 2]| {
            let then_us = nine_us + (hours * HOUR_US as f64) as i64;
            for (intervals, expected) in [&ENGLISH_INTERVALS, &GERMAN_INTERVALS].into_iter().zip(expected) {
                assert_eq!(intervals.until(&now, then_us), expected, "{hours}");
            }
        };
        check(-5.0, ["now", "jetzt"]);
        check(1.0 / 60.0, ["in 1 minute", "in 1 Minute"]);
        check(1.4, ["in 84 minutes", "in 84 Minuten"]);
        check(5.2, ["in 5 hours", "in 5 Stunden"]);
        check(18.9, ["in 19 hours", "in 19 Stunden"]);
        check(19.0, ["tomorrow", "morgen"]);
        check(42.9, ["tomorrow", "morgen"]);
        check(43.0, ["in 2 days", "in 2 Tagen"]);
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
