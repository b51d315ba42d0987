//! The weekly word on how learning goes: by mail where there is an address, else wherever the learner is reached.

use crate::analytics::{self, Report, percent};
use crate::app::App;
use crate::failure::Failure;
use crate::notices::{self, Letter, Way};
use crate::profiles;
use coaching::learner::{Calendar, Channel};
use coaching::teach::analytics::Analytics;
use outside::notify::chart;
use store::At;

const WEEK_MS: i64 = 7 * 86_400_000;
const SUBJECT: &str = "Your weekly learning progress";

/// Writes the digest of the week that ends with this run; says what came of it.
pub async fn send(app: &App, learner: &str, run: At) -> Result<String, Failure> {
    let profile = profiles::read(&app.store, learner).await?;
    if !profile.wants_digest {
        return Ok("not wanted".to_owned());
    }
    let report = analytics::report(app, learner).await?;
    if report.courses.is_empty() {
        return Ok("nothing to tell".to_owned());
    }
    let kept = analytics::kept(app, learner, run.plus_ms(-WEEK_MS)).await?;
    let letter = compose(&report, kept.first());
    let day = Calendar::of(&profile).day(run.0).map_or_else(String::new, |day| day.to_string());
    let key = format!("weekly-progress-digest/{day}");
    match notices::way(app, &profile, Channel::Email) {
        Way::Mail(address) => notices::mail(app, learner, &key, address, &letter).await?,
        _ => notices::tell(app, learner, &key, &letter).await?,
    }
    Ok("written".to_owned())
}

/// `before` are the numbers at the beginning of the week, where they were kept.
fn compose(report: &Report, before: Option<&Analytics>) -> Letter {
    let lines = lines(&report.all, before);
    let mut text = lines.join("\n");
    let mut html: String = lines.iter().map(|line| format!("<p>{line}</p>\n")).collect();
    for part in report.charts() {
        let bars: Vec<chart::Bar> = part.bars.into_iter().map(bar).collect();
        text.push_str(&format!("\n\n{}\n{}", part.title, chart::text(&bars)));
        html.push_str(&format!("<h3>{}</h3>\n{}", part.title, chart::html(&bars)));
    }
    let html = format!("<html><body style=\"font:14px sans-serif;color:#222\">\n{html}</body></html>\n");
    Letter { subject: SUBJECT.to_owned(), text, html: Some(html) }
}

/// A bar as mails draw it.
pub fn bar(bar: coaching::teach::chart::Bar) -> chart::Bar {
    chart::Bar { label: bar.label, share: bar.share, note: bar.note }
}

/// What matters, in words. Nothing of what learners or models wrote is in here, so it is safe as HTML too.
fn lines(all: &Analytics, before: Option<&Analytics>) -> Vec<String> {
    let gained = before.map(|before| all.mastery_pct - before.mastery_pct).filter(|gained| *gained > 0.0);
    let gained =
        gained.map_or_else(String::new, |gained| format!(", {} more than a week ago", percent(gained)));
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
            0 => "Nothing is stuck.".to_owned(),
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
