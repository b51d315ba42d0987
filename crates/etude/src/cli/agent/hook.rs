//! `etude agent hook`: sits in an agent's own loop, so it is quick, and in doubt it lets the agent stop.
//!
//! Whatever goes wrong here must not keep an agent going. Every failure ends as a line in the log, an answer that
//! lets the agent stop, and the exit code 0: for some agents other codes mean that they may not stop.

use super::contract::{Agent, Stop, Told, What};
use super::journal::{Entry, Journal};
use super::session::{Session, Stuck};
use super::switch::Switch;
use super::transcript;
use crate::app::{App, DEFAULT_LEASE_MS};
use crate::cli::config::Config;
use crate::cli::output;
use crate::clock::Clock;
use crate::view::Answer;
use clap::Args;
use coaching::agent::{Decided, Decision, Event, Plan, Role, Signals, Stopped, preview, redact};
use flow::{Name, Overrides};
use serde_json::{Value, json};
use std::io::Read;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;
use store::Store;

/// A longer payload is not read to its end, so it cannot be understood.
const MAX_PAYLOAD_BYTES: u64 = 16 << 20;
/// What is kept of a long message: its end is where agents ask.
const HEAD_BYTES: usize = 8 << 10;
const TAIL_BYTES: usize = 32 << 10;
const MAX_PROMPT_BYTES: usize = 4 << 10;
const MAX_PLAN_BYTES: u64 = 64 << 10;
/// Another process that holds the database is not waited for.
const BUSY_MS: u64 = 200;
/// The log of the database that is left to the next one. Reading one of this length takes about a millisecond.
const MAX_LOG_BYTES: u64 = 4 << 20;
/// Whatever hangs, the agent does not hang with it.
const DEADLINE: Duration = Duration::from_secs(5);
const PREVIEW_CHARS: usize = 160;

#[derive(Debug, Clone, Args)]
pub(crate) struct Hook {
    /// Whose hook this is
    agent: Agent,
    /// The phase of the work, such as build or test
    #[arg(long)]
    phase: Option<String>,
    /// The plan that the agent works by
    #[arg(long, value_name = "FILE")]
    plan: Option<PathBuf>,
    /// How often a new session may be sent on in a row; up to 10 for work of many stages
    #[arg(long, value_name = "NUMBER", value_parser = clap::value_parser!(i64).range(1..=10))]
    max_continues: Option<i64>,
    /// Set in everything that a hook starts: a hook inside a hook does nothing
    #[arg(long, env = "ETUDE_AGENT_HOOK", hide = true)]
    inside: Option<String>,
}

/// What becomes of a call, for the agent and for the log.
#[derive(Debug, Default)]
struct Outcome {
    session: String,
    /// Empty when there is nothing to tell.
    decision: &'static str,
    reason: String,
    tier: Option<String>,
    preview: String,
    /// What the agent is sent on with.
    message: Option<String>,
    /// Whether the agent waits for an answer.
    is_stop: bool,
}

impl Hook {
    pub(crate) async fn run(self, config: &Config) -> ExitCode {
        let clock = Clock::System;
        let outcome = match self.payload() {
            Ok(payload) => self.decide_in_time(config, payload, clock.clone()).await,
            Err(reason) => failed_open("", reason),
        };
        self.note(config, &clock, &outcome);
        if let Some(answer) = self.answer(&outcome) {
            output::text(&format!("{answer}\n"));
        }
        ExitCode::SUCCESS
    }

    fn payload(&self) -> Result<Value, String> {
        if self.inside.is_some() {
            return Err("this hook runs inside a hook".to_owned());
        }
        let mut bytes = Vec::new();
        let read = std::io::stdin().lock().take(MAX_PAYLOAD_BYTES + 1).read_to_end(&mut bytes);
        read.map_err(|error| format!("the payload cannot be read: {error}"))?;
        if bytes.len() as u64 > MAX_PAYLOAD_BYTES {
            return Err(format!("the payload has more than {MAX_PAYLOAD_BYTES} bytes"));
        }
        let text = String::from_utf8_lossy(&bytes);
        let payload = serde_json::from_str(text.trim_start_matches('\u{feff}').trim());
        payload.map_err(|error| format!("the payload is not JSON: {error}"))
    }

    /// A defect in the decision, or one that takes too long, is one more reason to let the agent stop.
    async fn decide_in_time(&self, config: &Config, payload: Value, clock: Clock) -> Outcome {
        let told = self.agent.read(&payload);
        let session = told.session.clone();
        let (hook, config) = (self.clone(), config.clone());
        let deciding = tokio::spawn(async move { hook.decide(&config, told, clock).await });
        match tokio::time::timeout(DEADLINE, deciding).await {
            Ok(Ok(outcome)) => outcome,
            Ok(Err(defect)) => failed_open(&session, format!("a defect of the coach: {defect}")),
            Err(_) => failed_open(&session, format!("no decision within {} s", DEADLINE.as_secs())),
        }
    }

    async fn decide(&self, config: &Config, told: Told, clock: Clock) -> Outcome {
        if let What::Other { .. } = &told.what {
            return Outcome { session: told.session, ..Outcome::default() };
        }
        let app = match open_app(config, clock).await {
            Ok(app) => app,
            Err(reason) => return failed_open(&told.session, reason),
        };
        let decided = match Session::new(&app, self.agent, &told.session) {
            Ok(session) => self.tell(&session, config, told.what).await,
            Err(reason) => Err(reason),
        };
        leave(app, config).await;
        decided.unwrap_or_else(|reason| failed_open(&told.session, reason))
    }

    async fn tell(&self, session: &Session<'_>, config: &Config, what: What) -> Result<Outcome, String> {
        let set: Overrides =
            self.max_continues.map(|most| ("max_continues".to_owned(), most)).into_iter().collect();
        let (event, payload, is_stop) = match what {
            What::Stop(stop) => (Event::Stopped, json!(self.stopped(session, config, *stop).await?), true),
            What::Crash { error, details, is_stop } => {
                let payload = json!({"error": preview(&error, 200), "details": preview(&details, 400)});
                (Event::Crashed, payload, is_stop)
            }
            What::Prompt { text } => (Event::Prompted, json!({"text": end_of(&redact(&text))}), false),
            What::Reply { text, turn } => {
                let kept = session.keep_reply(&bounded(&text), &turn).await;
                return kept.map(|()| Outcome::default()).map_err(|failure| failure.to_string());
            }
            What::Other { .. } => return Ok(Outcome::default()),
        };
        match session.take(event, payload, set).await {
            Ok(_) if event == Event::Prompted => Ok(Outcome::default()),
            Ok(taken) => Ok(outcome(&session.name, &taken, is_stop)),
            Err(Stuck::OwnWords) => Ok(Outcome::default()),
            Err(stuck) => Err(stuck.to_string()),
        }
    }

    /// Everything that is known about a stop. Secrets stay here.
    async fn stopped(&self, session: &Session<'_>, config: &Config, stop: Stop) -> Result<Stopped, String> {
        let (text, is_error) = self.last_words(session, &stop).await?;
        let signals = Signals { phase: self.phase.clone(), ..stop.signals };
        Ok(Stopped {
            signals: if is_error {
                Signals { agent_error: Some("api_error".to_owned()), ..signals }
            } else {
                signals
            },
            text: bounded(&text),
            cwd: stop.cwd,
            plan: self.plan.as_ref().map(read_plan),
            in_background: stop.in_background,
            is_switched_off: Switch::new(&config.data).is_off(),
            is_continued: stop.is_continued,
            cost_microusd: None,
            model_ms: None,
        })
    }

    /// The agent's last message, and whether it is an error of its program.
    async fn last_words(&self, session: &Session<'_>, stop: &Stop) -> Result<(String, bool), String> {
        if let Some(text) = &stop.text {
            return Ok((text.clone(), false));
        }
        if self.agent == Agent::Cursor {
            let kept = session.kept_reply(&stop.turn).await.map_err(|failure| failure.to_string())?;
            return kept
                .map(|text| (text, false))
                .ok_or_else(|| "no message of the agent is known".to_owned());
        }
        let path = stop.transcript.as_ref().ok_or("neither the message nor a transcript of it is known")?;
        let last = transcript::last_message(path)?;
        last.map(|last| (last.text, last.is_error))
            .ok_or_else(|| "the transcript has no last message".to_owned())
    }

    /// A log that cannot be written is no reason to keep the agent.
    fn note(&self, config: &Config, clock: &Clock, outcome: &Outcome) {
        if outcome.decision.is_empty() {
            return;
        }
        let entry = Entry {
            time: String::new(),
            agent: self.agent.name().to_owned(),
            session: preview(&outcome.session, PREVIEW_CHARS),
            decision: outcome.decision.to_owned(),
            reason: redact(&outcome.reason),
            tier: outcome.tier.clone(),
            preview: outcome.preview.clone(),
        };
        let written = config.make_data_folder().and_then(|()| {
            Journal::new(&config.data).write(clock.now(), entry).map_err(|error| error.to_string())
        });
        if let Err(error) = written {
            tracing::warn!("the agent log cannot be written: {error}");
        }
    }

    fn answer(&self, outcome: &Outcome) -> Option<Value> {
        match &outcome.message {
            Some(message) => Some(self.agent.go_on(message, &outcome.reason)),
            None if outcome.is_stop => self.agent.let_stop(&outcome.reason),
            None => None,
        }
    }
}

async fn open_app(config: &Config, clock: Clock) -> Result<App, String> {
    let mut address = config.address()?;
    if address.starts_with("sqlite:") {
        let mark = if address.contains('?') { '&' } else { '?' };
        address.push_str(&format!("{mark}busy_ms={BUSY_MS}"));
    }
    let store = Store::open(&address).await.map_err(|error| error.to_string())?;
    Ok(App::new(store, config.flows(), clock, None, DEFAULT_LEASE_MS))
}

/// To close a SQLite database folds its log into the file, which takes longer than the decision. What is decided is on
/// the disk either way, and whoever opens the database next goes on from the log, so that happens only now and then.
async fn leave(app: App, config: &Config) {
    let log_bytes = || {
        let address = config.address().ok()?;
        let path = address.strip_prefix("sqlite:")?.split('?').next()?;
        Some(std::fs::metadata(format!("{path}-wal")).ok()?.len())
    };
    match log_bytes() {
        Some(bytes) if bytes < MAX_LOG_BYTES => std::mem::forget(app),
        _ => app.store.close().await,
    }
}

fn outcome(session: &str, answer: &Answer, is_stop: bool) -> Outcome {
    let decided: Option<Decided> = serde_json::from_value(answer.view.data["last"].clone()).ok();
    let Some(decided) = decided else { return Outcome { is_stop, ..Outcome::default() } };
    let coaching = answer.said.iter().find(|said| said.role == Role::Coaching.name());
    Outcome {
        session: session.to_owned(),
        decision: match decided.decision {
            Decision::Continue => "continue",
            Decision::Deliver => "deliver",
            Decision::Aside => "aside",
        },
        reason: decided.reason,
        tier: decided.coaching.and_then(|coaching| json!(coaching.tier).as_str().map(str::to_owned)),
        preview: decided.preview,
        message: coaching.map(|said| said.say.clone()).filter(|_| is_stop),
        is_stop,
    }
}

fn failed_open(session: &str, reason: String) -> Outcome {
    Outcome {
        session: session.to_owned(),
        decision: "failed_open",
        reason,
        is_stop: true,
        ..Outcome::default()
    }
}

/// The beginning and the end of a long message, without secrets.
fn bounded(text: &str) -> String {
    if text.len() <= HEAD_BYTES + TAIL_BYTES {
        return redact(text);
    }
    let head = &text[..text.floor_char_boundary(HEAD_BYTES)];
    let tail = &text[text.ceil_char_boundary(text.len() - TAIL_BYTES)..];
    format!("{}\n\n{}", redact(head), redact(tail))
}

/// Whether a human asked something is seen at the end, and so is whether it was the coach.
fn end_of(text: &str) -> &str {
    &text[text.ceil_char_boundary(text.len().saturating_sub(MAX_PROMPT_BYTES))..]
}

/// A plan that is too long or cannot be read is only pointed at.
fn read_plan(path: &PathBuf) -> Plan {
    let is_short =
        std::fs::metadata(path).is_ok_and(|about| about.is_file() && about.len() <= MAX_PLAN_BYTES);
    let text = is_short.then(|| std::fs::read_to_string(path).ok()).flatten().map(|text| redact(&text));
    Plan { path: path.display().to_string(), text }
}
