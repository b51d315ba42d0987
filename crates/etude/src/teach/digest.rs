//! The weekly digest: by mail if the learner has an address, else on their channel.

use crate::effects::notices::{self, Letter, Way};
use crate::engine::app::App;
use crate::engine::clock::timestamp;
use crate::engine::failure::Failure;
use crate::learners::command_line::typed;
use crate::learners::profiles;
use crate::teach::analytics::{self, Report};
use crate::teach::teaching;
use coaching::learner::{Calendar, Channel};
use coaching::teach::MapStatus;
use coaching::teach::analytics::Analytics;
use coaching::teach::digest;
use outside::notify::chart::{self, escape};
use store::At;

const DAY_MS: i64 = 86_400_000;
const WEEK_MS: i64 = 7 * DAY_MS;
const SUBJECT: &str = "Your weekly learning progress";
/// The digest names so many courses. The learner sees the rest where they learn.
const MAX_COURSES_NAMED: usize = 10;

/// Writes the digest of the week that ends with this run. Returns what came of it, in words.
pub async fn send(app: &App, learner: &str, run: At) -> Result<String, Failure> {
    let profile = profiles::read(&app.store, learner).await?;
    if !profile.wants_digest {
        return Ok("not wanted".to_owned());
    }
    let report = analytics::report(app, learner).await?;
    if report.courses.is_empty() {
        return Ok("nothing to tell".to_owned());
    }
    let day = Calendar::of(&profile).day(run.0).map_or_else(String::new, |day| day.to_string());
    let key = format!("weekly-progress-digest/{day}");
    if notices::was_told(app, learner, &key).await? {
        return Ok("already written today".to_owned());
    }
    let kept = analytics::kept(app, learner, run.plus_ms(-WEEK_MS)).await?;
    let before = kept.first().filter(|before| before.at <= timestamp(run.plus_ms(-DAY_MS)));
    let by_mail = notices::way(app, &profile, Channel::Email);
    let is_chat = matches!(notices::way(app, &profile, profile.preferred_channel), Way::Chat(_));
    let coming = coming(app, learner, is_chat && by_mail == Way::Inbox).await?;
    let letter = compose(&report, before, &coming);
    match by_mail {
        Way::Mail(address) => notices::mail(app, learner, &key, address, &letter).await?,
        _ => notices::tell(app, learner, &key, &letter).await?,
    }
    Ok("written".to_owned())
}

/// `before` are the numbers at the beginning of the week, if they were kept; `coming` are the last lines.
fn compose(report: &Report, before: Option<&Analytics>, coming: &[String]) -> Letter {
    let paragraphs =
        |lines: &[String]| lines.iter().map(|line| format!("<p>{}</p>\n", escape(line))).collect::<String>();
    let lines = digest::lines(&report.all, before);
    let (mut text, mut html) = (lines.join("\n"), paragraphs(&lines));
    for part in report.charts() {
        let bars: Vec<chart::Bar> = part.bars.into_iter().map(bar).collect();
        text.push_str(&format!("\n\n{}\n{}", part.title, chart::text(&bars)));
        html.push_str(&format!("<h3>{}</h3>\n{}", part.title, chart::html(&bars)));
    }
    text.push_str(&format!("\n\n{}", coming.join("\n")));
    html.push_str(&paragraphs(coming));
    let html = format!("<html><body style=\"font:14px sans-serif;color:#222\">\n{html}</body></html>\n");
    Letter { subject: SUBJECT.to_owned(), text, html: Some(html) }
}

/// A bar as mails draw it.
pub fn bar(bar: coaching::teach::chart::Bar) -> chart::Bar {
    chart::Bar { label: bar.label, share: bar.share, note: bar.note }
}

/// What comes back next week, how to recall it, and how to stop the digests.
async fn coming(app: &App, learner: &str, is_chat: bool) -> Result<Vec<String>, Failure> {
    let until = app.clock.now().plus_ms(WEEK_MS);
    let coming = teaching::coming_back(app, learner).await?;
    let count = |id: &str| coming.get(id).map_or(0, |all| all.iter().filter(|at| **at <= until).count());
    let mut lines = Vec::new();
    for header in teaching::headers(app, learner).await? {
        let count = count(&header.mind_map_id.to_string());
        if count == 0 || header.status == MapStatus::Abandoned || lines.len() >= MAX_COURSES_NAMED {
            continue;
        }
        let command =
            if is_chat { "/review".to_owned() } else { typed(&["teach", "review", &header.name()], learner) };
        lines.push(format!("Due this week of “{}”: {count}. To recall: {command}", header.title));
    }
    if lines.is_empty() {
        lines.push("Nothing is due this week.".to_owned());
    }
    lines.push(format!("No more digests: {}", typed(&["learner", "set", "wants_digest", "false"], learner)));
    Ok(lines)
}
