//! Counts days as a learner does, and finds the day on which something comes back.
//!
//! A learner's day begins at an hour of their choice in their time zone, so a session past midnight still belongs
//! to the day before. A review due in whole days is due when that day begins; daylight saving time moves nothing
//! to another day. Time zones come with the program, so equal profiles have equal days everywhere.

use super::memory::{MAX_INTERVAL_DAYS, Memory, after_days_us};
use super::profile::Profile;
use super::words;
use crate::words::Text;
use jiff::civil::{Date, DateTime};
use jiff::tz::TimeZone;
use jiff::{Timestamp, ToSpan, Unit};
use std::collections::HashMap;

/// The greatest number of days in a forecast.
pub const MAX_FORECAST_DAYS: usize = 3_660;

/// The number of reviews that one review on an easy day counts as. An easy day therefore gets about that many
/// times fewer reviews than its neighbours.
const EASY_DAY_WEIGHT: u64 = 4;
/// The shortest interval that may be moved. In a shorter one, a day more or less would change too much.
const LEAST_MOVED_DAYS: f64 = 2.5;
/// The rates by which an interval may be moved: one day, plus a share of its days between each pair of bounds.
/// Anki and FSRS use the same bounds, which cost no measurable retention.
const LEEWAY: [(f64, f64, f64); 3] = [(2.5, 7.0, 0.15), (7.0, 20.0, 0.10), (20.0, f64::INFINITY, 0.05)];

/// The way one learner counts days.
#[derive(Debug, Clone)]
pub struct Calendar {
    zone: TimeZone,
    day_starts_at: i8,
    note: Option<String>,
}

impl Calendar {
    /// Returns the calendar of a profile. An unknown zone counts as UTC, and [`Calendar::note`] says so.
    pub fn of(profile: &Profile) -> Calendar {
        let found = time_zone(&profile.time_zone);
        let note = found.as_ref().err().map(|problem| format!("{problem} Days are counted in UTC."));
        let zone = found.unwrap_or(TimeZone::UTC);
        Calendar { zone, day_starts_at: profile.day_starts_at.clamp(0, 23), note }
    }

    /// Returns a warning about the learner's settings, if there is one.
    pub fn note(&self) -> Option<&str> {
        self.note.as_deref()
    }

    pub fn zone(&self) -> &TimeZone {
        &self.zone
    }

    /// Returns the day of a point in time, or `None` if it is outside every calendar.
    pub fn day(&self, at_us: i64) -> Option<Date> {
        let local = Timestamp::from_microsecond(at_us).ok()?.to_zoned(self.zone.clone());
        if local.hour() >= self.day_starts_at { Some(local.date()) } else { local.date().yesterday().ok() }
    }

    /// Returns the time at which a day begins. If the clock skips that hour, the day begins where the clock
    /// lands; if the hour comes twice, the day begins at the first.
    pub fn start_us(&self, day: Date) -> Option<i64> {
        let start = DateTime::from_parts(day, jiff::civil::time(self.day_starts_at, 0, 0, 0));
        Some(start.to_zoned(self.zone.clone()).ok()?.timestamp().as_microsecond())
    }

    /// Returns the number of days between two points in time: one from a late evening to the next morning, and
    /// none if the clock went back.
    pub fn days_between(&self, from_us: i64, to_us: i64) -> u32 {
        let days = || {
            let span = self.day(from_us)?.until((Unit::Day, self.day(to_us)?)).ok()?;
            u32::try_from(span.get_days().max(0)).ok()
        };
        days().unwrap_or_else(|| super::memory::days_between(from_us, to_us))
    }

    /// Returns the time until this hour of the current day by the clock; zero once it has passed.
    pub fn until_hour_us(&self, at_us: i64, hour: i8) -> i64 {
        let wait_us = || {
            let local = Timestamp::from_microsecond(at_us).ok()?.to_zoned(self.zone.clone());
            let from = DateTime::from_parts(local.date(), jiff::civil::time(hour.clamp(0, 23), 0, 0, 0));
            Some(from.to_zoned(self.zone.clone()).ok()?.timestamp().as_microsecond() - at_us)
        };
        wait_us().unwrap_or(0).max(0)
    }

    /// Returns the time from one moment to another in words, in the learner's own days: after a night it is
    /// tomorrow, however few hours away.
    pub fn until(&self, from_us: i64, to_us: i64) -> Text {
        let minutes = to_us.saturating_sub(from_us).max(0) as f64 / 60e6;
        let days = f64::from(self.days_between(from_us, to_us));
        let months = days / 30.4375;
        let (count, unit) = match days {
            _ if minutes < 0.5 => (0.0, "now"),
            0.0 if minutes < 90.0 => (minutes, "minutes"),
            0.0 => (minutes / 60.0, "hours"),
            1.0 => (1.0, "tomorrow"),
            _ if months < 1.5 => (days, "days"),
            _ => (months, "months"),
        };
        words::until(count.round(), unit)
    }

    /// Returns how many of these times fall on each of the next days. Overdue ones count for today, the first
    /// day.
    pub fn forecast(&self, due_us: &[i64], now_us: i64, days: usize) -> Vec<u32> {
        let mut counts = vec![0u32; days.min(MAX_FORECAST_DAYS)];
        for at_us in due_us {
            let day = self.days_between(now_us, (*at_us).max(now_us)) as usize;
            if let Some(count) = counts.get_mut(day) {
                *count += 1;
            }
        }
        counts
    }
}

/// Returns the zone with this IANA name.
pub fn time_zone(name: &str) -> Result<TimeZone, String> {
    TimeZone::get(name)
        .map_err(|_| format!("“{name}” is not a time zone: write an IANA name such as Europe/Berlin."))
}

/// The number of reviews on each day.
#[derive(Debug, Clone, Default)]
pub struct Load(HashMap<Date, u32>);

impl Load {
    /// Counts the reviews at each of these times. Each time comes with its number of reviews.
    pub fn of(due_us: impl IntoIterator<Item = (i64, u32)>, calendar: &Calendar) -> Load {
        let mut load = Load::default();
        for (at_us, count) in due_us {
            if let Some(day) = calendar.day(at_us) {
                let on_day = load.0.entry(day).or_default();
                *on_day = on_day.saturating_add(count);
            }
        }
        load
    }

    pub fn on(&self, day: Date) -> u32 {
        self.0.get(&day).copied().unwrap_or(0)
    }
}

/// Returns when something comes back that a memory model wants to ask again in this many days.
///
/// An interval of less than a day stays exact. Otherwise the days are rounded, and the review is due when the
/// learner's day begins. With balancing, it takes the day with the least `load` within the leeway of its
/// interval: of equal days the nearest, and of two equally near the earlier. On an easy day a review counts four
/// times.
///
/// SM-2 without balancing keeps its intervals to the letter: now plus the interval, with its fraction.
pub fn next_due_us(profile: &Profile, now_us: i64, interval_days: f64, load: &dyn Fn(Date) -> u32) -> i64 {
    let interval_days = interval_days.min(MAX_INTERVAL_DAYS);
    let exact_us = after_days_us(now_us, interval_days);
    let is_to_the_letter = profile.memory == Memory::Sm2 && !profile.balances_load;
    if interval_days < 1.0 || is_to_the_letter {
        return exact_us;
    }
    let calendar = Calendar::of(profile);
    let start_in = |days: i64| {
        let day = calendar.day(now_us)?.checked_add(days.days()).ok()?;
        Some((day, calendar.start_us(day)?))
    };
    let wanted = interval_days.round() as i64;
    let (least, most) = if profile.balances_load { leeway_days(interval_days) } else { (wanted, wanted) };
    let best =
        (least..=most).filter_map(|days| Some((days, start_in(days)?))).min_by_key(|(days, (day, _))| {
            let is_easy = profile.easy_days.contains(&day.weekday().to_monday_one_offset());
            let weight = if is_easy { EASY_DAY_WEIGHT } else { 1 };
            ((u64::from(load(*day)) + 1) * weight, (days - wanted).abs(), *days)
        });
    best.map_or(exact_us, |(_, (_, at_us))| at_us)
}

/// Returns the fewest and the most whole days that an interval may become.
pub fn leeway_days(interval_days: f64) -> (i64, i64) {
    let interval_days = interval_days.clamp(0.0, MAX_INTERVAL_DAYS);
    let wanted = interval_days.round() as i64;
    if interval_days < LEAST_MOVED_DAYS {
        return (wanted, wanted);
    }
    let beyond = |(from, to, part): (f64, f64, f64)| (interval_days.min(to) - from).max(0.0) * part;
    let leeway = 1.0 + LEEWAY.into_iter().map(beyond).sum::<f64>();
    // Never the next day, which is reserved for forgotten items.
    (((interval_days - leeway).round() as i64).max(2), (interval_days + leeway).round() as i64)
}
