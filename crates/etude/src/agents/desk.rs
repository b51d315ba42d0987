//! What the coach of agents has beside the store: the kill switch, the log, and a way to the human.

use super::journal::{Entry, Journal};
use super::settings::AgentSettings;
use super::word::Outcome;
use crate::engine::view::Answer;
use coaching::agent::{preview, redact};
use coaching::desk::Role;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;
use store::At;

const PREVIEW_CHARS: usize = 160;
/// A program that notifies is not waited for longer.
const NOTIFY_TIMEOUT: Duration = Duration::from_secs(5);
/// The decision under which the watchdog's words stand in the log.
const WATCHDOG: &str = "watchdog";

#[derive(Debug, Clone)]
pub struct Desk {
    data: PathBuf,
    pub settings: AgentSettings,
}

impl Desk {
    pub fn new(data: &Path, settings: AgentSettings) -> Desk {
        Desk { data: data.to_owned(), settings }
    }

    /// While a file is there, the coach keeps out of everything; also where that cannot be found out.
    pub fn is_off(&self) -> bool {
        self.switch().try_exists().unwrap_or(true)
    }

    pub fn turn(&self, on: bool) -> std::io::Result<()> {
        match on {
            true if self.switch().try_exists()? => std::fs::remove_file(self.switch()),
            true => Ok(()),
            false => std::fs::write(self.switch(), ""),
        }
    }

    fn switch(&self) -> PathBuf {
        self.data.join("agent.off")
    }

    pub fn journal(&self) -> Journal {
        Journal::new(&self.data)
    }

    /// Writes down what became of a word. A log that cannot be written is no reason to keep the agent.
    pub fn note(&self, now: At, agent: &str, outcome: &Outcome) {
        if !outcome.decision.is_empty() {
            self.write(now, entry(agent, outcome));
        }
        for alarm in &outcome.alarms {
            let session = preview(&outcome.session, PREVIEW_CHARS);
            self.write(now, watchdog(agent, &session, alarm));
        }
    }

    /// Passes on what the watchdog said in a turn that nobody waits for, such as one of a timer.
    pub async fn pass_on(&self, now: At, answer: &Answer) {
        let field = |name: &str| answer.view.data[name].as_str().unwrap_or_default().to_owned();
        let (agent, session) = (field("agent"), field("session"));
        for said in answer.said.iter().filter(|said| said.role == Role::Alarm) {
            self.write(now, watchdog(&agent, &session, &said.say.to_string()));
            self.notify(&agent, &session, &said.say.to_string()).await;
        }
    }

    fn write(&self, now: At, entry: Entry) {
        if let Err(error) = self.journal().write(now, entry) {
            tracing::warn!("the agent log cannot be written: {error}");
        }
    }

    /// Calls the program that the settings name. That it fails is no trouble of the agent's.
    pub async fn notify(&self, agent: &str, session: &str, message: &str) {
        let fill = |word: String| {
            word.replace("{message}", message).replace("{session}", session).replace("{agent}", agent)
        };
        let mut words = match super::words::split(&self.settings.notify_command) {
            Ok(words) => words.into_iter().map(fill),
            Err(error) => return tracing::warn!("notify_command cannot be read: {error}"),
        };
        let Some(program) = words.next() else { return };
        let mut command = tokio::process::Command::new(program);
        command.args(words).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        let told = async {
            match command.kill_on_drop(true).status().await {
                Ok(status) if status.success() => {}
                Ok(status) => tracing::warn!("notify_command ended with {status}"),
                Err(error) => tracing::warn!("notify_command cannot be started: {error}"),
            }
        };
        if tokio::time::timeout(NOTIFY_TIMEOUT, told).await.is_err() {
            tracing::warn!("notify_command took longer than {} s", NOTIFY_TIMEOUT.as_secs());
        }
    }
}

fn entry(agent: &str, outcome: &Outcome) -> Entry {
    Entry {
        time: String::new(),
        agent: agent.to_owned(),
        session: preview(&outcome.session, PREVIEW_CHARS),
        decision: outcome.decision.to_owned(),
        reason: redact(&outcome.reason),
        tier: outcome.tier.clone(),
        source: outcome.source.clone(),
        preview: outcome.preview.clone(),
    }
}

fn watchdog(agent: &str, session: &str, alarm: &str) -> Entry {
    Entry {
        time: String::new(),
        agent: agent.to_owned(),
        session: session.to_owned(),
        decision: WATCHDOG.to_owned(),
        reason: redact(alarm),
        tier: None,
        source: None,
        preview: String::new(),
    }
}
