//! `etude agent hook`: runs inside an agent's loop, so it is quick, and in doubt it lets the agent stop.
//!
//! No failure here may keep an agent going. Each one ends as a line in the log, an answer that lets the agent
//! stop, and exit code 0, because some agents treat other codes as a ban on stopping.

use super::contract::{Agent, Stop, Told, What};
use super::notify;
use super::run::before_check;
use super::twin;
use crate::cli::config::Config;
use crate::cli::output;
use clap::Args;
use coaching::agent::{
    OutputType, Plan, Signals, Stopped, last_words, leaning_to_done, prepare, redact, words,
};
use coaching::ask::MODEL_KIND;
use coaching::words::Lexicon;
use serde_json::Value;
use shell::agent::transcript::{self, Account};
use shell::agent::{
    AgentSettings, Checking, Desk, MAX_CONTINUES, News, Outcome, Session, Stuck, Terms, ToolUse, Word,
    bounded, failed_open, hash, tell,
};
use shell::effects::asking::Asker;
use shell::effects::{self, Outside};
use shell::engine::app::App;
use shell::engine::clock::Clock;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;
use store::{At, Store};

/// The longest payload that is read. A longer one counts as unreadable.
const MAX_PAYLOAD_BYTES: u64 = 16 << 20;
const MAX_PLAN_BYTES: u64 = 64 << 10;
/// How long to wait for a database that another process holds, in milliseconds. The hook has no time for more.
const BUSY_MS: u64 = 200;
/// The size up to which the database log is left to the next process. Reading a log of this length takes about
/// a millisecond.
const MAX_LOG_BYTES: u64 = 4 << 20;
/// The time limit for a decision: if anything hangs, the agent must not. An agent waits ten seconds for its hook.
const DEADLINE: Duration = Duration::from_secs(5);
const MAX_MODEL_MS: u64 = 8_000;
const MAX_CHECK_S: u64 = 3_600;

/// The help text of `--max-continues`, shared by every command that has the option.
pub(super) fn max_continues_help() -> String {
    format!("How often a new session may be sent on in a row, up to {MAX_CONTINUES}")
}

#[derive(Debug, Clone, Args)]
pub(crate) struct Hook {
    /// The agent
    agent: Agent,
    /// The phase of the work, such as build or test
    #[arg(long)]
    phase: Option<String>,
    /// The agent's plan
    #[arg(long, value_name = "FILE")]
    plan: Option<PathBuf>,
    #[arg(long, value_name = "NUMBER", help = max_continues_help(), value_parser = clap::value_parser!(i64).range(1..=MAX_CONTINUES))]
    max_continues: Option<i64>,
    /// A shell command that decides whether finished work is really done
    #[arg(long, value_name = "COMMAND")]
    check: Option<String>,
    /// Coach only in folders that `etude agent allow` named
    #[arg(long)]
    where_allowed: bool,
    /// Set for everything a hook starts, so that a hook inside a hook does nothing
    #[arg(long, env = "ETUDE_AGENT_HOOK", hide = true)]
    inside: Option<String>,
}

impl Hook {
    pub(crate) async fn run(self, config: &Config) -> ExitCode {
        let clock = Clock::System;
        let began = clock.now();
        let (settings, warning) = settings(config);
        let desk = Desk::new(&config.data, settings);
        let (mut outcome, is_stop) = match self.payload() {
            Ok(payload) => self.hear(config, &desk, &payload, (&clock, began)).await,
            Err(reason) => (failed_open("", reason), true),
        };
        outcome.notes.extend(warning);
        desk.note(clock.now(), self.agent.name(), &outcome);
        if let Some(answer) = self.answer(&outcome, is_stop) {
            output::text(&format!("{answer}\n"));
        }
        if desk.has_channels() {
            let (session, project) = (&outcome.session, outcome.project.as_deref().unwrap_or_default());
            for message in &Desk::news(&outcome) {
                notify::apart(config, &News { agent: self.agent.name(), session, project, message });
            }
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

    /// Decides about a payload. The flag says whether the agent waits for an answer.
    async fn hear(
        &self,
        config: &Config,
        desk: &Desk,
        payload: &Value,
        (clock, began): (&Clock, At),
    ) -> (Outcome, bool) {
        let told = self.agent.read(payload);
        if self.where_allowed && !is_allowed(desk, told.cwd.as_deref().map(Path::new)) {
            return (elsewhere(config, &told), told.what.is_stop());
        }
        if !told.what.is_stop() {
            return (self.decide_in_time(config, desk, told, clock.clone()).await, false);
        }
        // The coach loads its weights and words while the database opens.
        std::thread::spawn(prepare);
        let taking = twin::take(&config.data, self.agent.name(), &told.session, payload, began);
        let turn = tokio::time::timeout(self.deadline(&desk.settings, &told), taking).await;
        let outcome = match turn.unwrap_or(twin::Turn::Alone) {
            twin::Turn::Second(outcome) => *outcome,
            twin::Turn::Alone => self.decide_in_time(config, desk, told, clock.clone()).await,
            twin::Turn::First(slot) => {
                let outcome = self.decide_in_time(config, desk, told, clock.clone()).await;
                slot.leave(clock.now(), &outcome);
                outcome
            }
        };
        (outcome, true)
    }

    fn deadline(&self, settings: &AgentSettings, told: &Told) -> Duration {
        let model = Duration::from_millis(self.model_ms(settings).unwrap_or(0) + 1_000);
        let folder = Path::new(told.cwd.as_deref().unwrap_or_default());
        let check = self.checking(settings, folder).map_or(Duration::ZERO, |check| check.limit);
        DEADLINE.max(model) + check
    }

    /// Decides about a payload. A panic or a timeout also lets the agent stop.
    async fn decide_in_time(&self, config: &Config, desk: &Desk, told: Told, clock: Clock) -> Outcome {
        let session = told.session.clone();
        let deadline = self.deadline(&desk.settings, &told);
        let (hook, config, desk) = (self.clone(), config.clone(), desk.clone());
        let deciding = tokio::spawn(async move { hook.decide(&config, desk, told, clock).await });
        match tokio::time::timeout(deadline, deciding).await {
            Ok(Ok(outcome)) => outcome,
            Ok(Err(defect)) => failed_open(&session, format!("a defect of the coach: {defect}")),
            Err(_) => failed_open(&session, format!("no decision within {} s", deadline.as_secs())),
        }
    }

    async fn decide(&self, config: &Config, desk: Desk, told: Told, clock: Clock) -> Outcome {
        if let What::Other { .. } = &told.what {
            return Outcome::default();
        }
        // Only stops are judged.
        let asks_model = told.what.is_stop() && self.model_ms(&desk.settings).is_some();
        // The rules judge without a model, so a mistake in the model's settings does not disable the coach.
        let (asker, no_asker) = match asks_model.then(|| config.asker()) {
            None => (None, None),
            Some(Ok(asker)) => (asker, None),
            Some(Err(error)) => (None, Some(format!("no model is asked: {error}"))),
        };
        let app = match open_app(config, clock, asker).await {
            Ok(app) => app,
            Err(reason) => return failed_open(&told.session, reason),
        };
        let is_stop = told.what.is_stop();
        let decided = match Session::new(&app, self.agent.name(), &told.session) {
            Ok(session) => {
                let session = session.in_folder(told.cwd.map(PathBuf::from));
                self.tell(&session, &desk, told.what).await
            }
            Err(reason) => Err(reason),
        };
        leave(app, config).await;
        let mut outcome = decided.unwrap_or_else(|reason| failed_open(&told.session, reason));
        if is_stop {
            outcome.notes.extend(config.playbook().1.into_iter().chain(no_asker));
        }
        outcome
    }

    async fn tell(&self, session: &Session<'_>, desk: &Desk, what: What) -> Result<Outcome, String> {
        let word = match what {
            What::Stop(stop) => return self.tell_stop(session, desk, *stop).await,
            What::Crash { error, details, .. } => Word::Crashed { error, details },
            What::Prompt { text } => Word::Prompted { text: Some(text), id: None },
            What::Tool { name, input, is_error } => Word::Watched(ToolUse { name, input, is_error }.seen()),
            What::Reply { text, turn } => {
                let kept = session.keep_reply(&bounded(&text), &turn).await;
                return kept.map(|()| Outcome::default()).map_err(|failure| failure.to_string());
            }
            What::Other { .. } => return Ok(Outcome::default()),
        };
        tell(session, word, &self.terms(desk, session)).await.map_err(|stuck: Stuck| stuck.to_string())
    }

    fn terms(&self, desk: &Desk, session: &Session<'_>) -> Terms {
        let usual = desk.settings.terms(session.folder.as_deref().unwrap_or(Path::new("")));
        Terms { max_continues: self.max_continues.or(usual.max_continues), ..usual }
    }

    /// Reports a stop, preceded by the human's prompt if the agent's record holds one that was not reported.
    async fn tell_stop(&self, session: &Session<'_>, desk: &Desk, stop: Stop) -> Result<Outcome, String> {
        let terms = self.terms(desk, session);
        let account = match stop.transcript.clone() {
            Some(path) => Some(read_apart(path).await),
            None if stop.records.is_empty() => None,
            None => Some(Ok(transcript::of_records(&stop.records))),
        };
        if let Some((text, id)) = unreported(&stop, account.as_ref())
            && session.last_prompt_id().await.map_err(|failure| failure.to_string())?.as_ref() != Some(&id)
        {
            let word = Word::Prompted { text: Some(text), id: Some(id) };
            tell(session, word, &terms).await.map_err(|stuck| stuck.to_string())?;
        }
        // Without the human's words, the limits they set are unknown.
        if let Some(Err(reason)) = &account
            && !session.knows_prompt().await.map_err(|failure| failure.to_string())?
        {
            return Err(format!("{reason}, and no prompt of the human is known"));
        }
        let stopped = self.stopped(session, desk, stop, account).await?;
        let lost = stopped.check.as_ref().filter(|check| check.passed.is_none());
        let lost = lost.map(|check| words::check_lost(&check.command, &check.lines));
        let lost = lost.map(|lost| session.says(&lost));
        let missing = stopped.plan.as_ref().filter(|plan| plan.text.is_none());
        let missing = missing.map(|plan| format!("the plan {} cannot be read", plan.path));
        let told = tell(session, Word::Stopped(Box::new(stopped)), &terms).await;
        let mut outcome = told.map_err(|stuck| stuck.to_string())?;
        if let Some(lost) = &lost
            && session.is_news(lost).await.map_err(|failure| failure.to_string())?
        {
            outcome.for_human.get_or_insert_with(|| lost.clone());
        }
        let late = outcome.notes.iter_mut().find(|note| note.contains("in time"));
        if let (Some(note), Some(ms)) = (late, self.model_ms(&desk.settings)) {
            note.push_str(&format!("; `hook_model_ms` allows it {ms} ms"));
        }
        outcome.notes.extend(lost.into_iter().chain(missing));
        Ok(outcome)
    }

    /// Returns the check that decides in this folder, if there is one.
    fn checking(&self, settings: &AgentSettings, folder: &Path) -> Option<Checking> {
        let own = || Some(settings.check.clone()).filter(|check| !check.trim().is_empty());
        let command = self.check.clone().or_else(|| settings.project(folder).check).or_else(own)?;
        Some(Checking {
            command,
            folder: folder.to_owned(),
            limit: Duration::from_secs(settings.check_s.clamp(1, MAX_CHECK_S)),
            guard: before_check(),
        })
    }

    /// How long a model may take, if the human lets hooks ask one.
    fn model_ms(&self, settings: &AgentSettings) -> Option<u64> {
        Some(settings.hook_model_ms.min(MAX_MODEL_MS)).filter(|ms| *ms > 0)
    }

    /// Gathers everything that is known about a stop. Secrets are removed from the message and the plan.
    async fn stopped(
        &self,
        session: &Session<'_>,
        desk: &Desk,
        stop: Stop,
        account: Option<Result<Account, String>>,
    ) -> Result<Stopped, String> {
        let (text, is_error) = self.last_words(session, &stop, account.as_ref()).await?;
        let account = account.and_then(Result::ok);
        let folder = session.folder.clone();
        let project = desk.settings.project(folder.as_deref().unwrap_or(Path::new("")));
        let asked = account.as_ref().and_then(|account| account.work.prompt.as_ref());
        let signals = Signals {
            agent_error: if is_error {
                Some("api_error".to_owned())
            } else {
                stop.signals.agent_error.clone()
            },
            user_asked_question: stop
                .signals
                .user_asked_question
                .or(asked.map(|prompt| prompt.trim_end().ends_with(['?', '？']))),
            phase: self.phase.clone(),
            ..stop.signals
        };
        let in_background = stop.in_background.or(account.as_ref().map(|account| account.in_background));
        let mut stopped = Stopped {
            signals,
            text: bounded(&text),
            plan: self
                .plan
                .as_ref()
                .or(project.plan.as_ref())
                .map(|path| read_plan(&within(folder.as_deref(), path))),
            in_background: in_background.unwrap_or(0),
            is_switched_off: desk.is_off(),
            is_paused: session.is_paused().await.map_err(|failure| failure.to_string())?,
            is_elsewhere: false,
            is_planning: stop.is_planning,
            plain_continue: project.plain_continue.unwrap_or(desk.settings.plain_continue),
            min_confidence: Some(desk.settings.min_confidence),
            max_risk: Some(desk.settings.max_risk),
            // A record with neither a human's prompt nor a tool call says nothing about the work.
            work: account.map(|account| account.work).filter(|work| work.prompt.is_some() || !work.is_idle()),
            check: None,
            out_of_reach: None,
            cwd: folder.as_ref().map(|folder| folder.display().to_string()),
            cost_microusd: None,
            model_ms: self.model_ms(&desk.settings).filter(|_| session.app.is_ready_for(MODEL_KIND)),
        };
        if may_check(&stopped)
            && claims_to_be_done(&stopped)
            && !session.is_at_rest().await.map_err(|failure| failure.to_string())?
            && let Some(checking) = folder.and_then(|folder| self.checking(&desk.settings, &folder))
        {
            stopped.check = Some(checking.run(session).await);
        }
        Ok(stopped)
    }

    /// Returns the agent's last message, and whether it is an error of the agent's program.
    async fn last_words(
        &self,
        session: &Session<'_>,
        stop: &Stop,
        account: Option<&Result<Account, String>>,
    ) -> Result<(String, bool), String> {
        if let Some(text) = &stop.text {
            return Ok((text.clone(), false));
        }
        if self.agent == Agent::Cursor {
            let kept = session.kept_reply(&stop.turn).await.map_err(|failure| failure.to_string())?;
            return kept
                .map(|text| (text, false))
                .ok_or_else(|| "no message of the agent is known".to_owned());
        }
        let account = account.ok_or("neither the message nor a transcript of it is known")?;
        let last = account.as_ref().map_err(String::clone)?.last.clone();
        last.map(|last| (last.text, last.is_error))
            .ok_or_else(|| "the transcript has no last message".to_owned())
    }

    fn answer(&self, outcome: &Outcome, is_stop: bool) -> Option<Value> {
        match &outcome.message {
            Some(message) if is_stop => Some(self.agent.go_on(message, &outcome.reason)),
            _ if is_stop => self.agent.let_stop(&outcome.reason, outcome.for_human.as_deref()),
            _ => None,
        }
    }
}

/// Reads a transcript in a separate thread. A disk that hangs must neither block the time limit nor keep the
/// program from ending.
async fn read_apart(path: PathBuf) -> Result<Account, String> {
    let (sender, receiver) = tokio::sync::oneshot::channel();
    std::thread::spawn(move || sender.send(transcript::read(&path)).is_ok());
    receiver.await.unwrap_or_else(|_| Err("the transcript cannot be read: a defect of the coach".to_owned()))
}

/// Returns the human's last prompt and an id that keeps it from being reported twice. The agent's record comes
/// first, then the payload.
fn unreported(stop: &Stop, account: Option<&Result<Account, String>>) -> Option<(String, String)> {
    let recorded = account.and_then(|account| account.as_ref().ok());
    match recorded.and_then(|account| Some((account.work.prompt.clone()?, account.prompt_id.clone()?))) {
        Some(recorded) => Some(recorded),
        None if recorded.is_some_and(|account| account.work.prompt.is_some()) => None,
        None => stop.prompt.clone().map(|prompt| {
            let id = format!("prompt-{:016x}", hash(&prompt));
            (prompt, id)
        }),
    }
}

/// Whether the user's check may decide: the coach is wanted here, and the agent was not asked for a plan only.
fn may_check(stop: &Stopped) -> bool {
    let is_wanted = !stop.is_switched_off && !stop.is_paused && !stop.is_elsewhere;
    is_wanted && stop.in_background == 0 && !stop.is_planning
}

/// Whether a stop claims that work is done, which a check can prove. Questions and answers do not count as claims.
pub(super) fn claims_to_be_done(stop: &Stopped) -> bool {
    let verdict = stop.by_rules();
    let asks = || last_words(&stop.text).is_some_and(|words| words.ends_with(['?', '？', '؟']));
    let is_claim = verdict.output_type == OutputType::Completion
        || verdict.was_rejected_completion
        || (leaning_to_done(&stop.text, &stop.signals).is_some() && !asks());
    let has_changed = stop.work.as_ref().is_none_or(|work| !work.changed.is_empty());
    is_claim && (has_changed || stop.signals.user_asked_question != Some(true))
}

fn is_allowed(desk: &Desk, folder: Option<&Path>) -> bool {
    let Some(folder) = folder else { return false };
    // The list holds canonical paths; an agent may know its folder by a link.
    let real = folder.canonicalize().unwrap_or_else(|_| folder.to_owned());
    desk.allowed().iter().any(|allowed| real.starts_with(allowed) || folder.starts_with(allowed))
}

/// Returns the outcome in a folder where the coach is not allowed. Keeps nothing of the session; for a stop, the log
/// says why nothing happens.
fn elsewhere(config: &Config, told: &Told) -> Outcome {
    let mut outcome = Outcome { session: told.session.clone(), ..Outcome::default() };
    if told.what.is_stop() {
        outcome.decision = "aside";
        let words = Lexicon::new(words::FILES.iter().copied());
        outcome.reason = words.say(words.choose([config.locale.as_str()]), &words::aside("elsewhere", 0));
    }
    outcome
}

/// Resolves a path against the folder it was written for.
fn within(folder: Option<&Path>, path: &Path) -> PathBuf {
    folder.map_or_else(|| path.to_owned(), |folder| folder.join(path))
}

/// Returns the settings, or the defaults and a warning: a typing error in a file must not disable the coach.
fn settings(config: &Config) -> (AgentSettings, Option<String>) {
    match config.agents() {
        Ok(settings) => (settings, None),
        Err(error) => (AgentSettings::default(), Some(format!("the usual settings hold: {error}"))),
    }
}

async fn open_app(config: &Config, clock: Clock, asker: Option<Asker>) -> Result<App, String> {
    let mut address = config.address()?;
    if address.starts_with("sqlite:") {
        let mark = if address.contains('?') { '&' } else { '?' };
        address.push_str(&format!("{mark}busy_ms={BUSY_MS}"));
    }
    let store = Store::open(&address).await.map_err(|error| error.to_string())?;
    let mut app = effects::app(store, config.flows(), clock, Outside { asker, ..Outside::default() });
    app.locale = Some(config.locale.clone());
    Ok(app)
}

/// Releases the app, and usually leaves the database open. Closing a SQLite database folds its log into the
/// file, which takes longer than the decision. The decision is on disk either way, and the next process
/// continues from the log, so the hook closes the database only when the log is large.
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

/// Reads a plan. One that is too long or cannot be read keeps only its path.
pub(super) fn read_plan(path: &Path) -> Plan {
    let is_short =
        std::fs::metadata(path).is_ok_and(|about| about.is_file() && about.len() <= MAX_PLAN_BYTES);
    let text = is_short.then(|| std::fs::read_to_string(path).ok()).flatten().map(|text| redact(&text));
    Plan { path: path.display().to_string(), text }
}
