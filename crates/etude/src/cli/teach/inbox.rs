//! `etude teach inbox`: shows messages that arrived while the learner was away.

use super::review_command;
use crate::cli::config::Config;
use crate::cli::desk::Item;
use crate::cli::desk::pretty::Canvas;
use crate::cli::output::{self, Done, QUIET, paint, say};
use crate::cli::screen::columns;
use crate::cli::words::{self, Voice};
use coaching::desk::{Block, Role};
use serde_json::json;
use shell::effects::notices::{INBOX_KIND, Notice};
use shell::engine::app::App;
use shell::engine::clock::iso;
use shell::engine::failure::Failure;
use shell::engine::records;
use std::process::ExitCode;
use store::{At, MAX_LIMIT, Record, RecordChange};

pub(crate) async fn count(app: &App, learner: &str) -> Result<usize, Failure> {
    Ok(app.store.records(learner, INBOX_KIND, MAX_LIMIT).await?.len())
}

/// Shows every message, oldest first, and removes them all unless `keep` is set.
pub(super) async fn show(app: &App, learner: &str, keep: bool, config: &Config, voice: &Voice<'_>) -> Done {
    let mut records = app.store.records(learner, INBOX_KIND, MAX_LIMIT).await?;
    records.sort_by(|a, b| (a.updated_at, &a.key).cmp(&(b.updated_at, &b.key)));
    let notices: Vec<(At, Notice)> = records.iter().filter_map(read).collect();
    if config.json {
        let line = |(at, notice): &(At, Notice)| json!({"at": iso(*at), "instance": notice.instance, "role": notice.role, "text": notice.text});
        output::json(&notices.iter().map(line).collect::<Vec<_>>())?;
    } else if notices.is_empty() {
        say!("{}", voice.say(&words::inbox_is_empty()));
    }
    let canvas = Canvas { columns: columns(), colours: output::colours(), voice };
    for (at, notice) in notices.iter().filter(|_| !config.json) {
        let text = Item::Block(Block::Text { text: notice.text.as_str().into() });
        say!("{}{}", paint(QUIET, iso(*at)), canvas.lines(&text));
    }
    if notices.iter().any(|(_, notice)| notice.role == Role::Question) && !config.json {
        say!("{}", voice.say(&words::inbox_asks(review_command(learner, None))));
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
