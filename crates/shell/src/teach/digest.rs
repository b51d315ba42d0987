//! Sends the weekly digest: by mail if the learner has an address, otherwise on their channel.

use crate::effects::notices::{self, Letter, Way};
use crate::effects::words;
use crate::engine::app::App;
use crate::engine::clock::timestamp;
use crate::engine::failure::Failure;
use crate::engine::look::look;
use crate::learners::command_line::typed;
use crate::learners::profiles;
use coaching::learner::{Calendar, Channel};
use coaching::teach::MapStatus;
use coaching::teach::looks::{self, Report};
use coaching::teach::{chart, digest};
use coaching::words::Text;
use store::At;

const DAY_MS: i64 = 86_400_000;
const WEEK_MS: i64 = 7 * DAY_MS;
/// The most courses that a digest names. The learner sees the rest where they learn.
const MAX_COURSES_NAMED: usize = 10;

/// Writes the digest of the week that ends with this run. Returns the outcome, in words.
pub async fn send(app: &App, learner: &str, run: At) -> Result<String, Failure> {
    let profile = profiles::read(&app.store, learner).await?;
    if !profile.wants_digest {
        return Ok("not wanted".to_owned());
    }
    let report = look(app, learner, looks::report).await?;
    if report.courses.is_empty() {
        return Ok("nothing to tell".to_owned());
    }
    let day = Calendar::of(&profile).day(run.0).map_or_else(String::new, |day| day.to_string());
    let key = format!("weekly-progress-digest/{day}");
    if notices::was_told(app, learner, &key).await? {
        return Ok("already written today".to_owned());
    }
    let kept = look(app, learner, |shelf| looks::snapshots(shelf, run.plus_ms(-WEEK_MS).0)).await?;
    let before = kept.first().filter(|before| before.at <= timestamp(run.plus_ms(-DAY_MS)));
    let by_mail = notices::way(app, &profile, Channel::Email);
    let is_chat = matches!(notices::way(app, &profile, profile.preferred_channel), Way::Chat(_));
    let coming = coming(app, learner, is_chat && by_mail == Way::Inbox).await?;
    let language = app.words.choose(profile.language.as_deref());
    let lines = digest::lines(&report.all, before, &Calendar::of(&profile));
    let letter = compose(&report, (&lines, &coming), |text| app.words.say(language, text));
    match by_mail {
        Way::Mail(address) => notices::mail(app, learner, &key, address, &letter).await?,
        _ => notices::tell(app, learner, &key, &letter).await?,
    }
    Ok("written".to_owned())
}

/// Composes the letter. `first` are the lines above the charts, and `last` those below them.
fn compose(report: &Report, (first, last): (&[Text], &[Text]), say: impl Fn(&Text) -> String) -> Letter {
    let all = |lines: &[Text]| lines.iter().map(&say).collect::<Vec<String>>();
    let paragraphs = |lines: &[String]| {
        lines.iter().map(|line| format!("<p>{}</p>\n", chart::html_escaped(line))).collect::<String>()
    };
    let (first, last) = (all(first), all(last));
    let (mut text, mut html) = (first.join("\n"), paragraphs(&first));
    for part in report.charts(&say) {
        text.push_str(&format!("\n\n{}\n{}", part.title, chart::text(&part.bars)));
        html.push_str(&format!("<h3>{}</h3>\n{}", part.title, chart::html(&part.bars)));
    }
    text.push_str(&format!("\n\n{}", last.join("\n")));
    html.push_str(&paragraphs(&last));
    let html = format!("<html><body style=\"font:14px sans-serif;color:#222\">\n{html}</body></html>\n");
    Letter { subject: say(&words::digest_subject()), text, html: Some(html) }
}

/// Returns the lines about reviews of the coming week, how to do them, and how to stop the digests.
async fn coming(app: &App, learner: &str, is_chat: bool) -> Result<Vec<Text>, Failure> {
    let until = app.clock.now().plus_ms(WEEK_MS);
    let coming = look(app, learner, looks::coming_back).await?;
    let count =
        |id: &str| coming.get(id).map_or(0, |all| all.iter().filter(|at_us| **at_us <= until.0).count());
    let mut lines = Vec::new();
    for header in look(app, learner, looks::headers).await? {
        let count = count(&header.mind_map_id.to_string());
        if count == 0 || header.status == MapStatus::Abandoned || lines.len() >= MAX_COURSES_NAMED {
            continue;
        }
        let command =
            if is_chat { "/review".to_owned() } else { typed(&["teach", "review", &header.name()], learner) };
        lines.push(words::digest_due(header.title, count, command));
    }
    if lines.is_empty() {
        lines.push(words::digest_nothing_due());
    }
    lines.push(words::digest_exit(typed(&["learner", "set", "wants_digest", "false"], learner)));
    Ok(lines)
}
