//! Gives the agent coach what lies outside the store: the kill switch, the log, and a way to reach the human.

use super::journal::{Entry, Journal};
use super::session::FLOW;
use super::settings::AgentSettings;
use super::word::Outcome;
use crate::engine::app::{App, Bystander};
use crate::engine::clock::{Clock, timestamp};
use crate::engine::view::Answer;
use coaching::agent::{AgentMore, preview, redact};
use coaching::ask::MODEL_KIND;
use coaching::desk::Role;
use futures_util::FutureExt;
use outside::notify::{Channel, Message, Notifier};
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::Arc;
use std::time::Duration;
use store::At;

const PREVIEW_CHARS: usize = 160;
/// The file with the folders where the coach may speak, one per line.
const ALLOWED: &str = "agent.folders";
/// The time limit for a notification.
const NOTIFY_TIMEOUT: Duration = Duration::from_secs(5);
/// The `decision` of log lines by the watchdog, and of those about a problem beside a decision.
const WATCHDOG: &str = "watchdog";
const NOTE: &str = "note";

/// A message for the human, and the agent that it is about.
#[derive(Debug, Clone, Copy)]
pub struct News<'n> {
    pub agent: &'n str,
    pub session: &'n str,
    /// The name of the agent's folder, or an empty text.
    pub project: &'n str,
    pub message: &'n str,
}

/// The part of the coach outside the store. By default it has no data folder, so nothing is switched off and
/// nothing is logged.
#[derive(Debug, Clone, Default)]
pub struct Desk {
    data: Option<PathBuf>,
    pub settings: AgentSettings,
    notifier: Option<Arc<Notifier>>,
}

impl Desk {
    pub fn new(data: &Path, settings: AgentSettings) -> Desk {
        Desk { data: Some(data.to_owned()), settings, notifier: None }
    }

    /// Adds the channels by which people are reached.
    pub fn with_channels(self, notifier: Option<Notifier>) -> Desk {
        Desk { notifier: notifier.map(Arc::new), ..self }
    }

    /// Returns the folders in which the human wants the coach, for a hook that is installed for all folders.
    pub fn allowed(&self) -> Vec<PathBuf> {
        let read = |data: &PathBuf| std::fs::read_to_string(data.join(ALLOWED)).unwrap_or_default();
        self.data.as_ref().map(read).unwrap_or_default().lines().map(PathBuf::from).collect()
    }

    pub fn allow(&self, folders: &[PathBuf]) -> std::io::Result<()> {
        let Some(data) = &self.data else { return Ok(()) };
        let lines: String = folders.iter().map(|folder| format!("{}\n", folder.display())).collect();
        std::fs::write(data.join(ALLOWED), lines)
    }

    /// Whether the kill switch is set. While its file exists, the coach stays out of everything; it also stays out
    /// when it cannot tell whether the file exists.
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

    /// Returns the time that a model has to judge an agent's message, if this process has one.
    pub fn model_ms(&self, app: &App) -> Option<u64> {
        Some(self.settings.model_ms).filter(|ms| *ms > 0 && app.is_ready_for(MODEL_KIND))
    }

    /// Returns a bystander that hears the answers of timers, for the watchdog.
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
        let session = preview(&outcome.session, PREVIEW_CHARS);
        for alarm in &outcome.alarms {
            self.write(now, line(agent, &session, WATCHDOG, alarm));
        }
        for note in &outcome.notes {
            self.write(now, line(agent, &session, NOTE, note));
        }
    }

    /// Passes on the messages for the human from a turn without a caller, such as a timer's turn.
    pub async fn pass_on(&self, now: At, answer: &Answer) {
        if answer.view.flow != FLOW {
            return;
        }
        let AgentMore { agent, session, .. } = answer.view.more();
        for said in answer.said.iter().filter(|said| said.role == Role::Alarm) {
            self.write(now, line(&agent, &session, WATCHDOG, &said.say.to_string()));
            self.notify(
                now,
                &News { agent: &agent, session: &session, project: "", message: &said.say.to_string() },
            )
            .await;
        }
    }

    /// Returns the messages for the human in an outcome: every handover to them, and the watchdog's alarms.
    pub fn news(outcome: &Outcome) -> Vec<String> {
        outcome.alarms.iter().chain(&outcome.news).cloned().collect()
    }

    pub async fn tell_human(&self, now: At, agent: &str, outcome: &Outcome) {
        let project = outcome.project.as_deref().unwrap_or_default();
        for message in &Desk::news(outcome) {
            self.notify(now, &News { agent, session: &outcome.session, project, message }).await;
        }
    }

    /// Whether a notification would reach anyone.
    pub fn has_channels(&self) -> bool {
        let AgentSettings { notify_command, notify_desktop, notify_url, notify_telegram_chat, .. } =
            &self.settings;
        *notify_desktop
            || [notify_command, notify_url, notify_telegram_chat].iter().any(|channel| !channel.is_empty())
    }

    fn write(&self, now: At, entry: Entry) {
        let Some(journal) = self.journal() else { return };
        if let Err(error) = journal.write(now, entry) {
            tracing::warn!("the agent log cannot be written: {error}");
        }
    }

    /// Tells the human on every configured channel. If one fails, the log says so, and the agent goes on.
    pub async fn notify(&self, now: At, news: &News<'_>) {
        let News { agent, session, project, message } = *news;
        let AgentSettings { notify_command, notify_desktop, notify_url, .. } = &self.settings;
        let fill = |word: String| {
            let word =
                word.replace("{session}", session).replace("{agent}", agent).replace("{project}", project);
            word.replace("{message}", message)
        };
        let title = format!("{agent} · {}", if project.is_empty() { session } else { project });
        let mut failed = Vec::new();
        match split(notify_command) {
            Ok(words) if words.is_empty() => {}
            Ok(words) => failed.extend(run(words.into_iter().map(fill).collect()).await.err()),
            Err(error) => failed.push(format!("notify_command cannot be read: {error}")),
        }
        if *notify_desktop {
            failed.extend(run(desktop(&title, message)).await.err());
        }
        if !notify_url.is_empty() {
            let posted = outside::notify::post(notify_url, &title, message).await;
            failed.extend(posted.err().map(|error| format!("notify_url: {error}")));
        }
        failed.extend(self.by_telegram(now, &title, message).await.err());
        for why in failed {
            self.write(now, line(agent, session, NOTE, &format!("the human was not told: {why}")));
        }
    }

    async fn by_telegram(&self, now: At, title: &str, message: &str) -> Result<(), String> {
        let chat = &self.settings.notify_telegram_chat;
        if chat.is_empty() {
            return Ok(());
        }
        let Some(notifier) = &self.notifier else { return Err("[telegram] has no token".to_owned()) };
        let text = Message::send(Channel::Telegram, chat, message);
        let text = Message { heading: Some(title.to_owned()), ..text };
        let key = uuid::Uuid::now_v7().to_string();
        let sent = notifier.deliver(&key, &text, timestamp(now));
        match tokio::time::timeout(NOTIFY_TIMEOUT, sent).await {
            Ok(Ok(_)) => Ok(()),
            Ok(Err(error)) => Err(format!("Telegram: {error}")),
            Err(_) => Err(format!("Telegram took longer than {} s", NOTIFY_TIMEOUT.as_secs())),
        }
    }
}

/// Runs a notification program.
async fn run(words: Vec<String>) -> Result<(), String> {
    let Some((program, arguments)) = words.split_first() else { return Ok(()) };
    let mut command = tokio::process::Command::new(program);
    command.args(arguments).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    match tokio::time::timeout(NOTIFY_TIMEOUT, command.kill_on_drop(true).status()).await {
        Ok(Ok(status)) if status.success() => Ok(()),
        Ok(Ok(status)) => Err(format!("{program} ended with {status}")),
        Ok(Err(error)) => Err(format!("{program} cannot be started: {error}")),
        Err(_) => Err(format!("{program} took longer than {} s", NOTIFY_TIMEOUT.as_secs())),
    }
}

/// Returns the command that shows a notification on this kind of machine.
fn desktop(title: &str, message: &str) -> Vec<String> {
    let words: Vec<&str> = if cfg!(target_os = "macos") {
        let script =
            "on run argv\ndisplay notification (item 2 of argv) with title (item 1 of argv)\nend run";
        vec!["osascript", "-e", script, title, message]
    } else {
        vec!["notify-send", "--app-name=etude", title, message]
    };
    words.into_iter().map(str::to_owned).collect()
}

/// Splits a command into words as a shell would. No shell is involved: only the program that the command names
/// runs.
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

fn line(agent: &str, session: &str, decision: &str, reason: &str) -> Entry {
    Entry {
        time: String::new(),
        agent: agent.to_owned(),
        session: session.to_owned(),
        decision: decision.to_owned(),
        reason: redact(reason),
        tier: None,
        source: None,
        preview: String::new(),
    }
}
