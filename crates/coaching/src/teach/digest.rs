//! The weekly digest about a learner.

use super::analytics::Analytics;
use super::looks::percent;
use super::words;
use crate::learner::Calendar;
use crate::words::Text;
use jiff::Timestamp;
use jiff::civil::Date;

/// Returns the news of the week, one sentence each. `before` holds the numbers at the beginning of the week, if
/// they were kept.
pub fn lines(all: &Analytics, before: Option<&Analytics>, calendar: &Calendar) -> Vec<Text> {
    let day = |at: Timestamp| calendar.day(at.as_microsecond());
    let mut lines = vec![
        mastery(all, before, day),
        words::digest_pace(decimal(all.velocity_per_week)),
        match all.retention_7d.or(all.retention_30d) {
            Some(share) => words::digest_retention(percent(share)),
            None => words::digest_no_retention(),
        },
        words::digest_hard(all.struggling.len()),
        words::digest_answers(all.answers_7d),
    ];
    lines.extend(all.estimated_completion_at.and_then(day).map(|day| words::digest_done_around(date(day))));
    lines.extend(all.best_time_of_day.map(|part| words::digest_best_time(part.as_str())));
    lines
}

/// Returns the sentence about mastery. A gain of less than one percentage point is not worth a word.
fn mastery(all: &Analytics, before: Option<&Analytics>, day: impl Fn(Timestamp) -> Option<Date>) -> Text {
    let share = percent(all.mastery_pct);
    let gained = before.and_then(|before| {
        let points = ((all.mastery_pct - before.mastery_pct) * 100.0).round();
        Some((points, day(before.at)?)).filter(|_| points >= 1.0)
    });
    match gained {
        Some((points, day)) => {
            words::digest_mastery_more(share, all.mastered, all.nodes, points, date_on(day))
        }
        None => words::digest_mastery(share, all.mastered, all.nodes),
    }
}

/// Returns a day with its year.
pub fn date(day: Date) -> Text {
    words::date(i64::from(day.day()), month(day), i64::from(day.year()))
}

fn date_on(day: Date) -> Text {
    let weekday = day.weekday().to_monday_one_offset();
    words::date_on(i64::from(weekday), i64::from(day.day()), month(day))
}

fn month(day: Date) -> Text {
    words::month(i64::from(day.month()))
}

/// Returns a number that is not negative, to one digit after the point.
pub fn decimal(number: f64) -> Text {
    let tenths = (number * 10.0).round().max(0.0);
    words::decimal((tenths / 10.0).floor(), tenths % 10.0)
}
