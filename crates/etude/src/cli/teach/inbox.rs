//! The inbox: what was said while nobody was there.

use super::words::Words;
use super::{markdown, review_command};
use crate::cli::config::Config;
use crate::cli::output::{self, QUIET, paint, say};
use crate::cli::screen::layout::clean;
use crate::cli::screen::words::fill;
use crate::effects::notices::{INBOX_KIND, Notice};
use crate::engine::app::App;
use crate::engine::clock::iso;
use crate::engine::failure::Failure;
use crate::engine::records;
use coaching::desk::Role;
use serde_json::json;
use std::process::ExitCode;
use store::{At, MAX_LIMIT, Record, RecordChange};

pub(super) async fn count(app: &App, learner: &str) -> Result<usize, Failure> {
    Ok(app.store.records(learner, INBOX_KIND, MAX_LIMIT).await?.len())
}

/// Shows everything, the oldest first. What was shown is taken out, unless it is to be kept.
pub(super) async fn show(
    app: &App,
    learner: &str,
    keep: bool,
    config: &Config,
    words: &Words,
) -> Result<ExitCode, Failure> {
    let mut records = app.store.records(learner, INBOX_KIND, MAX_LIMIT).await?;
    records.sort_by(|a, b| (a.updated_at, &a.key).cmp(&(b.updated_at, &b.key)));
    let notices: Vec<(At, Notice)> = records.iter().filter_map(read).collect();
    if config.json {
        let line = |(at, notice): &(At, Notice)| json!({"at": iso(*at), "instance": notice.instance, "role": notice.role, "text": notice.text});
        output::json(&notices.iter().map(line).collect::<Vec<_>>());
    } else if notices.is_empty() {
        say!("{}", words.inbox_is_empty);
    }
    for (at, notice) in notices.iter().filter(|_| !config.json) {
        say!("{}\n{}\n", paint(QUIET, iso(*at)), text(notice));
    }
    if notices.iter().any(|(_, notice)| notice.role == Role::Question) && !config.json {
        say!("{}", fill(words.inbox_asks, &[("command", &review_command(learner, None))]));
    }
    if !keep {
        let changes: Vec<RecordChange> = records.iter().map(records::gone).collect();
        app.store.remember(&changes, app.clock.now()).await?;
    }
    Ok(ExitCode::SUCCESS)
}

fn read(record: &Record) -> Option<(At, Notice)> {
    Some((record.updated_at, serde_json::from_str(&record.body).ok()?))
}

/// The lines of a notice, without marks that only a renderer needs.
fn text(notice: &Notice) -> String {
    let lines = notice.text.lines().map(|line| {
        let unmarked = markdown::inline(line).into_iter().map(|piece| match piece {
            markdown::Inline::Text(text) | markdown::Inline::Strong(text) => text,
            markdown::Inline::Code(text) => format!("`{text}`"),
        });
        format!("  {}", clean(&unmarked.collect::<String>())).trim_end().to_owned()
    });
    lines.collect::<Vec<_>>().join("\n")
}
