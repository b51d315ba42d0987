//! Reads times as programs write them: dates with and without a zone, and seconds or finer units since 1970.

use jiff::Timestamp;
use jiff::civil::{Date, DateTime};
use jiff::tz::TimeZone;
use std::ops::RangeInclusive;

/// The number from which a time counts seconds. A smaller one would be too early, so it counts days.
const FIRST_SECONDS: f64 = 1e6;
/// The numbers from which a time counts a finer unit than seconds. As seconds they would be after the year 5138.
const FIRST_MILLISECONDS: f64 = 1e11;
const FIRST_MICROSECONDS: f64 = 1e14;
const FIRST_NANOSECONDS: f64 = 1e17;

/// The years in which reviews may have been logged.
const YEARS: RangeInclusive<i16> = 1970..=2100;

/// Reads a time in microseconds since 1970. A date without a zone is in `zone`.
pub(super) fn read(text: &str, zone: &TimeZone) -> Option<i64> {
    match text.parse::<f64>() {
        Ok(number) => from_compact_date(text, zone).or_else(|| from_number(number)),
        Err(_) => from_date(text, zone),
    }
}

/// Reads eight digits that can be a date as a date. As seconds, all such dates would be in 1970.
fn from_compact_date(text: &str, zone: &TimeZone) -> Option<i64> {
    let is_compact = text.len() == 8 && text.bytes().all(|byte| byte.is_ascii_digit());
    let date = text.parse::<Date>().ok().filter(|date| is_compact && YEARS.contains(&date.year()))?;
    Some(date.to_zoned(zone.clone()).ok()?.timestamp().as_microsecond())
}

fn from_number(number: f64) -> Option<i64> {
    let us_each = match number {
        number if !(0.0..1e20).contains(&number) => return None,
        number if number < FIRST_SECONDS => 86_400e6,
        number if number < FIRST_MILLISECONDS => 1e6,
        number if number < FIRST_MICROSECONDS => 1e3,
        number if number < FIRST_NANOSECONDS => 1.0,
        _ => 1e-3,
    };
    let at_us = (number * us_each) as i64;
    // A time outside of every calendar is a mistake.
    Timestamp::from_microsecond(at_us).ok().map(|_| at_us)
}

fn from_date(text: &str, zone: &TimeZone) -> Option<i64> {
    let dashed = text.replace('/', "-");
    let text = match dashed.strip_suffix("UTC") {
        Some(local) => format!("{}Z", local.trim_end()),
        None => dashed,
    };
    let with_zone = || text.parse::<Timestamp>().ok();
    let without = || Some(text.parse::<DateTime>().ok()?.to_zoned(zone.clone()).ok()?.timestamp());
    with_zone().or_else(without).map(Timestamp::as_microsecond)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_are_read_as_programs_write_them() {
        let zone = crate::learner::time_zone("Europe/Berlin").unwrap();
        let noon = Some(1_704_106_800_000_000); // 2024-01-01 11:00 UTC, noon in Berlin.
        for (text, expected) in [
            ("1704106800", noon),
            ("1704106800.0", noon),
            ("1704106800000", noon),
            ("1704106800000000", noon),
            ("1704106800000000000", noon),
            ("2024-01-01T11:00:00Z", noon),
            ("2024-01-01 11:00:00+00:00", noon),
            ("2024-01-01 11:00:00.000000 UTC", noon),
            ("2024-01-01T12:00:00+01:00", noon),
            ("2024-01-01T12:00", noon),
            ("2024/01/01 12:00:00", noon),
            ("2024-01-01", noon.map(|us| us - 12 * 3_600_000_000)),
            ("20240101", noon.map(|us| us - 12 * 3_600_000_000)),
            ("20241399", Some(20_241_399_000_000)),
            ("3", Some(3 * 86_400_000_000)),
            ("2.5", Some(216_000_000_000)),
            ("-1", None),
            ("NaN", None),
            ("1e300", None),
            ("2024-02-30", None),
            ("yesterday", None),
            ("", None),
        ] {
            assert_eq!(read(text, &zone), expected, "{text}");
        }
    }
}
