//! `etude agent log`: what the coach did, and what came of each session.

use super::journal::{Entry, Journal};
use super::session::FLOW;
use crate::cli::NO;
use crate::cli::config::Config;
use crate::cli::output::{self, BAD, CAREFUL, GOOD, QUIET, STRONG, paint, say};
use crate::clock::iso;
use clap::Args;
use coaching::agent::Counts;
use serde::Serialize;
use serde_json::{Value, json};
use std::process::ExitCode;
use store::Filter;

/// How many sessions are summed up, the newest first.
const MAX_SESSIONS: usize = 1_000;

#[derive(Debug, Args)]
pub(crate) struct History {
    /// Only this session
    session: Option<String>,
    /// How many lines, the newest ones
    #[arg(long, default_value_t = 50)]
    limit: usize,
}

/// What came of a session.
#[derive(Debug, Serialize)]
struct Summary {
    agent: String,
    session: String,
    state: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    outcome: Option<String>,
    #[serde(flatten)]
    counts: Counts,
    /// How often nobody had to tell the agent to go on.
    turns_saved: u32,
    updated_at: String,
}

impl History {
    pub(crate) async fn run(self, config: &Config) -> ExitCode {
        let mut entries = Journal::new(&config.data).read();
        entries.retain(|entry| self.is_wanted(&entry.session));
        entries.drain(..entries.len().saturating_sub(self.limit));
        let mut sessions = match summaries(config).await {
            Ok(sessions) => sessions,
            Err(message) => return output::error(&message, NO),
        };
        sessions.retain(|summary| self.is_wanted(&summary.session));
        if config.json {
            return output::json(&json!({"entries": entries, "sessions": sessions}));
        }
        entries.iter().for_each(show_entry);
        sessions.iter().for_each(show_summary);
        if entries.is_empty() && sessions.is_empty() {
            say!("{}", paint(QUIET, "nothing yet; `etude agent install AGENT` lets the coach in"));
        }
        ExitCode::SUCCESS
    }

    fn is_wanted(&self, session: &str) -> bool {
        self.session.as_ref().is_none_or(|wanted| wanted == session)
    }
}

async fn summaries(config: &Config) -> Result<Vec<Summary>, String> {
    let store = config.store().await?;
    let filter = Filter { flow: Some(FLOW.to_owned()), ..Filter::default() };
    let page = store.list(&filter, None, MAX_SESSIONS).await;
    store.close().await;
    Ok(page.map_err(|error| error.to_string())?.instances.into_iter().map(summary).collect())
}

fn summary(row: store::Instance) -> Summary {
    let data: Value = serde_json::from_str(&row.data).unwrap_or_default();
    let counts: Counts = serde_json::from_value(data["counts"].clone()).unwrap_or_default();
    Summary {
        agent: data["agent"].as_str().unwrap_or_default().to_owned(),
        session: data["session"].as_str().unwrap_or_default().to_owned(),
        state: row.state,
        outcome: row.outcome,
        counts,
        turns_saved: counts.continues,
        updated_at: iso(row.updated_at),
    }
}

fn show_entry(entry: &Entry) {
    let style = match entry.decision.as_str() {
        "continue" => GOOD,
        "deliver" => CAREFUL,
        "failed_open" => BAD,
        _ => QUIET,
    };
    let tier = entry.tier.as_ref().map(|tier| format!(" (tier {tier})")).unwrap_or_default();
    let decision = paint(style, format!("{:<11}", entry.decision));
    say!("{} {decision} {} {}{tier}", entry.time, entry.agent, entry.reason);
    if !entry.preview.is_empty() {
        say!("    {}", paint(QUIET, &entry.preview));
    }
}

fn show_summary(summary: &Summary) {
    let Counts { stops, continues, rejections, deliveries, .. } = summary.counts;
    let state = summary.outcome.as_ref().unwrap_or(&summary.state);
    say!(
        "{} {} {}: {stops} stops, {continues} turns saved, {rejections} unproved claims sent back, {deliveries} times \
         given to the human; {state}",
        paint(STRONG, "session"),
        summary.agent,
        summary.session,
    );
}
