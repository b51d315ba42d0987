//! What a weekly digest says about a learner.

use super::analytics::Analytics;
use super::looks::percent;

/// What matters this week, in words. `before` are the numbers at the beginning of the week, if they were kept.
pub fn lines(all: &Analytics, before: Option<&Analytics>) -> Vec<String> {
    let gained = before.map_or_else(String::new, |before| {
        let points = ((all.mastery_pct - before.mastery_pct) * 100.0).round();
        let day = before.at.strftime("%A, %-d %B");
        if points >= 1.0 { format!(", {points} percentage points more than on {day}") } else { String::new() }
    });
    let mut lines = vec![
        format!(
            "Mastery: {} ({} of {} concepts{gained}).",
            percent(all.mastery_pct),
            all.mastered,
            all.nodes
        ),
        format!("Velocity: {:.1} concepts per week.", all.velocity_per_week),
        match all.retention_7d.or(all.retention_30d) {
            Some(share) => format!("Retention: {} of what was reviewed came back.", percent(share)),
            None => "Retention: nothing was reviewed yet.".to_owned(),
        },
        match all.struggling.len() {
            0 => "Struggling: with nothing; no concept was failed again and again.".to_owned(),
            1 => "Struggling: one concept does not want to settle; see below.".to_owned(),
            n => format!("Struggling: {n} concepts do not want to settle; see below."),
        },
        format!("Answers this week: {}.", all.answers_7d),
    ];
    if let Some(at) = all.estimated_completion_at {
        lines.push(format!("At this pace you are through around {}.", at.strftime("%-d %B %Y")));
    }
    if let Some(part) = all.best_time_of_day {
        lines.push(format!("Your best time of day is the {}.", part.as_str()));
    }
    lines
}
