//! What the agent coach needs besides the store: the kill switch, the log, and a way to reach the human.

use super::journal::{Entry, Journal};
use super::settings::AgentSettings;
use super::word::Outcome;
use crate::engine::app::{App, Bystander};
use crate::engine::clock::Clock;
use crate::engine::view::Answer;
use coaching::agent::{preview, redact};
use coaching::ask::MODEL_KIND;
use coaching::desk::Role;
use futures_util::FutureExt;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;
use store::At;

const PREVIEW_CHARS: usize = 160;
/// How long a program that notifies may take.
const NOTIFY_TIMEOUT: Duration = Duration::from_secs(5);
/// The decision under which the watchdog's words stand in the log.
const WATCHDOG: &str = "watchdog";

/// By default it has no data folder, so that nothing is switched off and nothing is logged.
#[derive(Debug, Clone, Default)]
pub struct Desk {
    data: Option<PathBuf>,
    pub settings: AgentSettings,
}

impl Desk {
    pub fn new(data: &Path, settings: AgentSettings) -> Desk {
        Desk { data: Some(data.to_owned()), settings }
    }

    /// While this file exists, the coach stays out of everything. It also stays out when it cannot tell whether the
    /// file exists.
    pub fn is_off(&self) -> bool {
        self.switch().is_some_and(|switch| switch.try_exists().unwrap_or(true))
    }

    pub fn turn(&self, on: bool) -> std::io::Result<()> {
        let Some(switch) = self.switch() else { return Ok(()) };
        match on {
            true if switch.try_exists()? => std::fs::remove_file(switch),
            true => Ok(()),
            false => std::fs::write(switch, ""),
        }
    }

    fn switch(&self) -> Option<PathBuf> {
        Some(self.data.as_ref()?.join("agent.off"))
    }

    pub fn journal(&self) -> Option<Journal> {
        self.data.as_deref().map(Journal::new)
    }

    /// How long a model has to judge an agent's message, if this process has one.
    pub fn model_ms(&self, app: &App) -> Option<u64> {
        Some(self.settings.model_ms).filter(|ms| *ms > 0 && app.is_ready_for(MODEL_KIND))
    }

    /// Hears the answers of timers, for the watchdog.
    pub fn bystander(&self, clock: &Clock) -> Bystander {
        let (desk, clock) = (self.clone(), clock.clone());
        Bystander(Box::new(move |answer| {
            let (desk, now) = (desk.clone(), clock.now());
            async move { desk.pass_on(now, &answer).await }.boxed()
        }))
    }

    /// Logs the outcome of a report. A log that cannot be written does not stop the agent.
    pub fn note(&self, now: At, agent: &str, outcome: &Outcome) {
        if !outcome.decision.is_empty() {
            self.write(now, entry(agent, outcome));
        }
        for alarm in &outcome.alarms {
            let session = preview(&outcome.session, PREVIEW_CHARS);
            self.write(now, watchdog(agent, &session, alarm));
        }
    }

    /// Passes on the watchdog's message from a turn without a caller, such as a timer's turn.
    pub async fn pass_on(&self, now: At, answer: &Answer) {
        let field = |name: &str| answer.view.data[name].as_str().unwrap_or_default().to_owned();
        let (agent, session) = (field("agent"), field("session"));
        for said in answer.said.iter().filter(|said| said.role == Role::Alarm) {
            self.write(now, watchdog(&agent, &session, &said.say.to_string()));
            self.notify(&agent, &session, &said.say.to_string()).await;
        }
    }

    fn write(&self, now: At, entry: Entry) {
        let Some(journal) = self.journal() else { return };
        if let Err(error) = journal.write(now, entry) {
            tracing::warn!("the agent log cannot be written: {error}");
        }
    }

    /// Runs the configured notify program. If it fails, the agent goes on.
    pub async fn notify(&self, agent: &str, session: &str, message: &str) {
        let fill = |word: String| {
            word.replace("{message}", message).replace("{session}", session).replace("{agent}", agent)
        };
        let mut words = match split(&self.settings.notify_command) {
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

/// The words of a command, as a shell would read them. No shell is involved: only the program that it names runs.
pub fn split(command: &str) -> Result<Vec<String>, String> {
    shlex::split(command).ok_or_else(|| "a quote is not closed, or it ends with a backslash".to_owned())
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
