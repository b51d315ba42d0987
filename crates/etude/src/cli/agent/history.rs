//! `etude agent log`: what the coach did, and what came of each session.

use super::sessions::{self, Summary};
use crate::agent::{Entry, Journal};
use crate::cli::config::Config;
use crate::cli::output::{self, BAD, CAREFUL, Done, GOOD, QUIET, no, paint, say};
use clap::Args;
use serde_json::json;

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
        sessions.retain(|summary| self.is_wanted(&summary.session));
        let all = match self.summary {
            true => json!({"sessions": sessions}),
            false => json!({"entries": entries, "sessions": sessions}),
        };
        output::answer(config, &all, |_| {
            entries.iter().for_each(|entry| show_entry(entry, &config.local_time(&entry.time)));
            // The limit is one of lines: sums are shown where they are asked for.
            let sums = if self.summary || self.session.is_some() { sessions.as_slice() } else { &[] };
            sums.iter().take(self.limit).for_each(Summary::show);
            if entries.is_empty() && sessions.is_empty() {
                say!("{}", paint(QUIET, "nothing yet; `etude agent install AGENT` lets the coach in"));
            }
        })
    }

    fn is_wanted(&self, session: &str) -> bool {
        self.session.as_ref().is_none_or(|wanted| wanted == session)
    }
}

fn show_entry(entry: &Entry, time: &str) {
    let style = match entry.decision.as_str() {
        "continue" => GOOD,
        "deliver" | "watchdog" | "note" => CAREFUL,
        "failed_open" => BAD,
        _ => QUIET,
    };
    let tier = entry.tier.as_ref().map(|tier| format!(" (tier {tier})")).unwrap_or_default();
    let by = entry.source.as_deref().filter(|source| *source == "model").map(|_| " (by a model)");
    let decision = paint(style, format!("{:<11}", entry.decision));
    let preview =
        Some(format!(" | {}", entry.preview)).filter(|_| !entry.preview.is_empty()).unwrap_or_default();
    say!(
        "{time} {decision} {} {}{tier}{}{}",
        entry.agent,
        entry.reason,
        by.unwrap_or_default(),
        paint(QUIET, preview)
    );
}
