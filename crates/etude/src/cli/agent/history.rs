//! `etude agent log`: shows what the coach did, and the outcome of each session.

use super::said;
use super::sessions;
use crate::cli::config::Config;
use crate::cli::output::{self, BAD, CAREFUL, Done, GOOD, QUIET, no, paint, say};
use crate::cli::words;
use clap::Args;
use serde_json::json;
use shell::agent::{Entry, Journal};

#[derive(Debug, Args)]
pub(crate) struct History {
    /// Only this session
    session: Option<String>,
    /// How many of the newest lines
    #[arg(long, default_value_t = 50)]
    limit: usize,
    /// Only the outcome of each session
    #[arg(long)]
    summary: bool,
}

impl History {
    pub(crate) async fn run(self, config: &Config) -> Done {
        let mut entries = Journal::new(&config.data).read();
        entries.retain(|entry| self.is_wanted(&entry.session) && !self.summary);
        entries.drain(..entries.len().saturating_sub(self.limit));
        let mut sessions = sessions::summaries(config).await.map_err(no)?;
        let is_shown = |name: &str| self.summary || entries.iter().any(|entry| entry.session == name);
        sessions.retain(|summary| self.is_wanted(&summary.session) && is_shown(&summary.session));
        let all = match self.summary {
            true => json!({"sessions": sessions}),
            false => json!({"entries": entries, "sessions": sessions}),
        };
        output::answer(config, &all, |_| {
            entries.iter().for_each(|entry| show_entry(config, entry));
            // `--limit` counts lines, so outcomes are shown only on request.
            let sums = if self.summary || self.session.is_some() { sessions.as_slice() } else { &[] };
            sums.iter().take(self.limit).for_each(|summary| summary.show(config));
            if entries.is_empty() && sessions.is_empty() {
                say!("{}", paint(QUIET, said(config, &words::agent_no_log())));
            }
        })
    }

    fn is_wanted(&self, session: &str) -> bool {
        self.session.as_ref().is_none_or(|wanted| wanted == session)
    }
}

fn show_entry(config: &Config, entry: &Entry) {
    let style = match entry.decision.as_str() {
        "continue" => GOOD,
        "deliver" | "watchdog" | "note" => CAREFUL,
        "failed_open" => BAD,
        _ => QUIET,
    };
    let tier = entry.tier.as_ref().map(|tier| said(config, &words::agent_tier(tier.as_str())));
    let by = (entry.source.as_deref() == Some("model")).then(|| said(config, &words::agent_by_model()));
    let how: String = tier.into_iter().chain(by).map(|how| format!(" ({how})")).collect();
    let decision = paint(style, format!("{:<11}", entry.decision));
    let preview =
        Some(format!(" | {}", entry.preview)).filter(|_| !entry.preview.is_empty()).unwrap_or_default();
    say!(
        "{} {decision} {} {}{how}{}",
        config.local_time(&entry.time),
        entry.agent,
        entry.reason,
        paint(QUIET, preview)
    );
}
