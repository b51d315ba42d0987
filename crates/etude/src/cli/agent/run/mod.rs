//! `etude agent run`: keeps an agent without a terminal going.
//!
//! A run starts the agent's process and shows its output unchanged. When the agent stops, its message goes
//! through the same law as at a hook. If the agent should continue, the coaching becomes its next input, or the
//! message of a resumed call. Otherwise the run ends, and the exit code says why. A crash, a signal or the
//! watchdog ends a run for good.

mod guard;
mod listener;
mod process;
mod record;
mod resume;
mod watchdog;

use guard::says_not_started;
pub(super) use guard::{Guard, before_check};
pub(super) use record::find_cut_off;

use super::contract::Agent;
use super::hook::{claims_to_be_done, read_plan};
use super::notify;
use super::said;
use crate::cli::config::Config;
use crate::cli::output::{BAD, CAREFUL, Done, GOOD, QUIET, no, paint, unreadable};
use crate::cli::words;
use clap::{Args, ValueEnum};
use coaching::agent::{
    CUT_OFF, Check, NOT_STARTED, OutputType, PROCESS_FAILED, Signals, Stopped, TIME_LIMIT, WATCHDOG,
};
use coaching::words::Text;
use listener::{Heard, Listener, Turn};
use process::{Given, Input, Interrupts, News, Process};
use record::{Lock, Record};
use serde_json::json;
use shell::agent::{Checking, Desk, MAX_CONTINUES, Outcome, Session, Terms, Word, bounded, standing, tell};
use shell::effects::Outside;
use shell::engine::app::App;
use std::io::IsTerminal;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::process::{ExitCode, ExitStatus};
use std::time::Duration;
use tokio::time::Instant;
use watchdog::Watchdog;

/// The exit code for an agent that waits for a human: it asked, is blocked or has reached a limit, or the coach
/// stays out of its session.
const WAITS: u8 = 3;
/// The exit code for an agent that failed or was ended by the watchdog.
const FAILED: u8 = 4;
/// The message for an agent that resumes after its run was cut off.
const AGAIN: &str =
    "[System Coach] The run was interrupted. Look at what is done and what is not, then go on from there.";

#[derive(Debug, Args)]
pub(crate) struct Run {
    /// The agent [default: recognised by its program's name]
    #[arg(long)]
    agent: Option<Agent>,
    /// A name for the session [default: a new one]
    #[arg(long, value_name = "ID", value_parser = record::check_name)]
    session: Option<String>,
    /// Continue a run that has ended or was cut off
    #[arg(long, value_name = "ID", conflicts_with = "session", value_parser = record::check_name)]
    again: Option<String>,
    /// The command that sends the agent on; {message} and {session} are filled in [default: built in for known agents]
    #[arg(long, value_name = "COMMAND", value_parser = parse_template)]
    resume_with: Option<String>,
    /// How the agent takes input while it runs [default: recognised by its flags]
    #[arg(long, value_enum)]
    input: Option<Talk>,
    /// The line that ends a turn, for --input lines
    #[arg(long, value_name = "LINE", default_value = ".")]
    turn_end: String,
    /// How many times in a row it may be sent on
    #[arg(long, value_name = "NUMBER", value_parser = clap::value_parser!(i64).range(1..=MAX_CONTINUES))]
    max_continues: Option<i64>,
    /// How many minutes it may work; a call that runs longer is ended
    #[arg(long, value_name = "MINUTES", value_parser = parse_minutes)]
    max_minutes: Option<Duration>,
    /// The agent's first prompt, passed in whichever way it takes input
    #[arg(long, value_name = "TEXT")]
    prompt: Option<String>,
    /// A shell command that decides whether finished work is really done
    #[arg(long, value_name = "COMMAND")]
    check: Option<String>,
    /// The most it may cost in US dollars, if the agent reports its cost
    #[arg(long, value_name = "USD", value_parser = parse_usd)]
    max_usd: Option<u64>,
    /// The phase of the work, such as build or test
    #[arg(long)]
    phase: Option<String>,
    /// The agent's plan
    #[arg(long, value_name = "FILE")]
    plan: Option<PathBuf>,
    /// Classify by rules alone, without a model
    #[arg(long)]
    no_model: bool,
    /// The agent's command
    #[arg(last = true, required_unless_present = "again", value_name = "COMMAND")]
    command: Vec<String>,
}

/// The ways in which an agent takes messages while it runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Talk {
    /// It takes none and is called again
    Never,
    /// A message is a line, and a line ends each turn
    Lines,
    /// A message is a line of JSON, as for `claude --input-format stream-json`
    StreamJson,
}

fn parse_template(template: &str) -> Result<String, String> {
    resume::check_template(template).map(|()| template.to_owned())
}

fn parse_minutes(text: &str) -> Result<Duration, String> {
    let minutes: f64 = text.parse().map_err(|_| "write a number of minutes".to_owned())?;
    if !(0.01..=10_080.0).contains(&minutes) {
        return Err("write a number from 0.01 to 10080".to_owned());
    }
    Ok(Duration::from_secs_f64(minutes * 60.0))
}

fn parse_usd(text: &str) -> Result<u64, String> {
    let usd: f64 = text.parse().map_err(|_| "write a number such as 2.50".to_owned())?;
    if !(0.01..=10_000.0).contains(&usd) {
        return Err("write a number from 0.01 to 10000".to_owned());
    }
    Ok((usd * 1e6) as u64)
}

/// The ways in which a call of the agent ends.
enum Ended {
    /// The agent has stopped, and the session has decided whether it goes on.
    Stopped(Box<Outcome>),
    NotStarted(String),
    Failed(String),
    ByWatchdog(String),
    Interrupted(i32),
    OutOfTime,
}

impl Run {
    pub(crate) async fn run(self, config: &Config) -> Done {
        let (app, desk) = self.open_app(config).await.map_err(unreadable)?;
        for name in find_cut_off(&app, &desk, &config.data).await {
            note(&said(config, &words::agent_cut_off(name)));
        }
        let done = match self.prepare(&app).await {
            Ok(record) => self.begin(config, &app, &desk, record).await.map_err(no),
            Err(message) => Err(unreadable(message)),
        };
        app.store.close().await;
        done
    }

    async fn open_app(&self, config: &Config) -> Result<(App, Desk), String> {
        let desk = notify::desk(config)?;
        let asker = if self.no_model { None } else { config.asker()? };
        let outside = Outside { asker, ..Outside::default() };
        Ok((config.app(config.flows(), outside).await?, desk))
    }

    /// Returns the record of the run: as the command line says, or as the earlier run was.
    async fn prepare(&self, app: &App) -> Result<Record, String> {
        let mut record = match &self.again {
            Some(session) => Record::of(app, session).await?,
            None => Record {
                agent: String::new(),
                session: self.session.clone().unwrap_or_else(|| uuid::Uuid::now_v7().to_string()),
                command: Vec::new(),
                resume_with: None,
                agent_session: None,
            },
        };
        if !self.command.is_empty() {
            record.command = self.command.clone();
            record.agent_session = None;
        }
        let told = self.agent.or_else(|| Agent::from_str(&record.agent, false).ok());
        record.agent = told.unwrap_or_else(|| resume::agent_of(&record.command)).name().to_owned();
        record.resume_with = self.resume_with.clone().or(record.resume_with);
        Ok(record)
    }

    async fn begin(
        &self,
        config: &Config,
        app: &App,
        desk: &Desk,
        record: Record,
    ) -> Result<ExitCode, String> {
        let lock = Lock::take(&config.data, &record)?;
        let code = match Supervisor::new(config, self, app, desk, record) {
            Ok(mut supervisor) => supervisor.run().await,
            Err(message) => Err(message),
        };
        lock.release();
        code
    }

    fn talk(&self, command: &[String]) -> Talk {
        let streams = |pair: &[String]| pair[0] == "--input-format" && pair[1] == "stream-json";
        let is_streamed = command.windows(2).any(streams)
            || command.iter().any(|word| word == "--input-format=stream-json");
        self.input.unwrap_or(if is_streamed { Talk::StreamJson } else { Talk::Never })
    }
}

/// Runs one agent from call to call.
struct Supervisor<'a> {
    config: &'a Config,
    run: &'a Run,
    app: &'a App,
    desk: &'a Desk,
    session: Session<'a>,
    terms: Terms,
    talk: Talk,
    agent: Agent,
    record: Record,
    interrupts: Interrupts,
    watchdog: Watchdog,
    begun: Instant,
    /// The agent's plan, from the command line or the project's settings.
    plan: Option<PathBuf>,
    /// The moment when the run's time is over.
    deadline: Option<Instant>,
    /// The first message, to be sent when the agent has started.
    first_words: Option<String>,
    listener: Listener,
    /// The human's input to the first call, if there is no prompt that says what they want.
    given: Option<Given>,
    /// Whether the last check could not be run.
    has_no_check: bool,
}

impl<'a> Supervisor<'a> {
    fn new(
        config: &'a Config,
        run: &'a Run,
        app: &'a App,
        desk: &'a Desk,
        record: Record,
    ) -> Result<Supervisor<'a>, String> {
        let settings = desk.settings.clone();
        let talk = run.talk(&record.command);
        let folder = std::env::current_dir().ok();
        let here = folder.as_deref().unwrap_or(Path::new(""));
        let (project, usual) = (settings.project(here), settings.terms(here));
        Ok(Supervisor {
            config,
            run,
            app,
            desk,
            session: Session::new(app, &record.agent, &record.session)?.in_folder(folder),
            plan: run.plan.clone().or(project.plan),
            terms: Terms {
                max_continues: run.max_continues.or(usual.max_continues),
                max_minutes: run
                    .max_minutes
                    .map(|time| (time.as_secs_f64() / 60.0).ceil() as u32)
                    .or(usual.max_minutes),
                max_microusd: run.max_usd,
                ..usual
            },
            listener: Listener::new((talk == Talk::Lines).then(|| run.turn_end.clone())),
            talk,
            agent: Agent::from_str(&record.agent, false)?,
            record,
            interrupts: Interrupts::new().map_err(|error| format!("signals cannot be heard: {error}"))?,
            watchdog: Watchdog::new(settings, Instant::now()),
            begun: Instant::now(),
            deadline: run.max_minutes.map(|time| Instant::now() + time),
            first_words: run.prompt.clone(),
            given: None,
            has_no_check: false,
        })
    }

    async fn run(&mut self) -> Result<ExitCode, String> {
        // A human starts a run, so the run may resume a failed session.
        let text = self.run.prompt.clone().or_else(|| resume::prompt_of(self.agent, &self.record.command));
        let is_told = text.is_some();
        self.tell(Word::Prompted { text, id: None }).await?;
        let (mut command, is_first) = self.first_command()?;
        if is_first && self.talk == Talk::StreamJson && self.first_words.is_none() {
            // An agent that reads messages from its input takes no prompt from its command line.
            self.first_words = resume::take_prompt(self.agent, &mut command);
        }
        let mut input = match self.talk {
            Talk::Never if self.first_words.is_some() => Input::Kept,
            Talk::Never if is_first && !std::io::stdin().is_terminal() => Input::Ours,
            Talk::Never => Input::Empty,
            Talk::Lines | Talk::StreamJson => Input::Kept,
        };
        note(&self.says(&words::agent_session(self.record.session.as_str(), self.record.agent.as_str())));
        loop {
            self.record.save(self.app).await?;
            let outcome = match self.call(&command, input, is_told).await? {
                Ended::Stopped(outcome) => outcome,
                Ended::NotStarted(why) => return self.failed(NOT_STARTED, &why).await,
                Ended::Failed(how) => return self.failed(PROCESS_FAILED, &how).await,
                Ended::ByWatchdog(why) => return self.failed(WATCHDOG, &why).await,
                Ended::Interrupted(signal) => {
                    self.failed(CUT_OFF, &signal.to_string()).await?;
                    return Ok(ExitCode::from(128 + signal as u8));
                }
                Ended::OutOfTime => {
                    let spent_s = self.begun.elapsed().as_secs().to_string();
                    self.failed(TIME_LIMIT, &spent_s).await?;
                    return Ok(ExitCode::from(WAITS));
                }
            };
            let Some(message) = outcome.message.as_deref() else { return Ok(self.finished(&outcome)) };
            command = self.resumed(message)?;
            input = Input::Empty;
        }
    }

    /// Returns the first command, and whether the user's own input belongs to it.
    fn first_command(&mut self) -> Result<(Vec<String>, bool), String> {
        if self.run.again.is_some() && self.record.agent_session.is_some() {
            return self.resumed(AGAIN).map(|command| (command, false));
        }
        let id = uuid::Uuid::now_v7().to_string();
        let (command, given) = resume::first(self.agent, &self.record.command, &id);
        self.record.agent_session = given;
        Ok((command, true))
    }

    fn resumed(&self, message: &str) -> Result<Vec<String>, String> {
        let Record { command, resume_with, agent_session, .. } = &self.record;
        resume::resumed(self.agent, command, resume_with.as_deref(), agent_session.as_deref(), message)
    }

    /// Makes one call of the agent, up to its end. An agent that takes messages while it runs may finish many
    /// turns in one call.
    async fn call(&mut self, command: &[String], input: Input, is_told: bool) -> Result<Ended, String> {
        let mut process = match Process::start(command, input) {
            Ok(process) => process,
            Err(why) => return Ok(Ended::NotStarted(why)),
        };
        self.given = Some(process.given.clone()).filter(|_| !is_told);
        if let Some(words) = self.first_words.take() {
            let line = if self.talk == Talk::Never { words } else { self.spoken(&words) };
            process.say(&line).await;
        }
        if self.talk == Talk::Never {
            process.hang_up();
        }
        let mut decided: Option<Outcome> = None;
        self.watchdog.begin_call(Instant::now());
        loop {
            tokio::select! {
                news = process.next() => {
                    self.watchdog.heard(Instant::now());
                    match news {
                        News::Beside => {}
                        News::Out(bytes) => {
                            let heard = self.listener.hear(&bytes);
                            match self.take_in(&heard, &mut process).await? {
                                ControlFlow::Continue(outcome) => decided = outcome.or(decided),
                                ControlFlow::Break(ended) => {
                                    process.end().await;
                                    return Ok(ended);
                                }
                            }
                        }
                        News::Ended(status) => return self.ended(status, decided).await,
                    }
                }
                signal = self.interrupts.next() => {
                    process.end().await;
                    return Ok(Ended::Interrupted(signal));
                }
                () = until(self.deadline) => {
                    process.end().await;
                    return Ok(Ended::OutOfTime);
                }
                () = self.watchdog.tick() => {}
            }
            if let Some(why) = self.look().await? {
                process.end().await;
                return Ok(Ended::ByWatchdog(why));
            }
        }
    }

    /// Handles the events in the output: counts tools for the watchdog, and answers the turns of agents that
    /// take messages.
    async fn take_in(
        &mut self,
        heard: &[Heard],
        process: &mut Process,
    ) -> Result<ControlFlow<Ended, Option<Outcome>>, String> {
        let mut decided = None;
        for heard in heard {
            match heard {
                Heard::Tool(seen) => self.watchdog.count(seen),
                Heard::TurnEnded if self.talk != Talk::Never => {
                    let outcome = match self.stopped(true).await? {
                        ControlFlow::Continue(outcome) => outcome,
                        ControlFlow::Break(ended) => return Ok(ControlFlow::Break(ended)),
                    };
                    match &outcome.message {
                        Some(message) => process.say(&self.spoken(message)).await,
                        None => process.hang_up(),
                    }
                    decided = Some(outcome);
                }
                Heard::TurnEnded => {}
            }
        }
        Ok(ControlFlow::Continue(decided))
    }

    /// Returns a message in the form that the agent reads.
    fn spoken(&self, message: &str) -> String {
        match self.talk {
            Talk::StreamJson => {
                let content = json!([{"type": "text", "text": message}]);
                json!({"type": "user", "message": {"role": "user", "content": content}}).to_string()
            }
            Talk::Lines | Talk::Never => message.split_whitespace().collect::<Vec<_>>().join(" "),
        }
    }

    async fn ended(
        &mut self,
        status: std::io::Result<ExitStatus>,
        decided: Option<Outcome>,
    ) -> Result<Ended, String> {
        let is_not_started = matches!(&status, Ok(status) if status.code().is_some_and(says_not_started));
        let program = self.record.command.first().map_or("", String::as_str);
        let failed = match status {
            Ok(status) if status.success() => None,
            Ok(status) => Some(format!("{program} ended with {status}")),
            Err(error) => Some(format!("how {program} ended is not known: {error}")),
        };
        match (failed, decided) {
            // The agent was already told that there is nothing more, so its exit code no longer matters.
            (_, Some(outcome)) if outcome.message.is_none() => Ok(Ended::Stopped(Box::new(outcome))),
            (Some(failed), _) => {
                let Turn { error, text, .. } = self.take_turn();
                if text.is_empty() && is_not_started {
                    return Ok(Ended::NotStarted(failed));
                }
                Ok(Ended::Failed(error.map_or(failed.clone(), |error| format!("{failed}: {error}"))))
            }
            (None, _) => Ok(match self.stopped(false).await? {
                ControlFlow::Continue(outcome) => Ended::Stopped(Box::new(outcome)),
                ControlFlow::Break(ended) => ended,
            }),
        }
    }

    /// Returns the turn that is over, and records the agent's own name for its session.
    fn take_turn(&mut self) -> Turn {
        let turn = self.listener.take_turn();
        self.record.agent_session = self.listener.session.clone().or(self.record.agent_session.take());
        turn
    }

    /// Decides about a stop. A running agent takes the answer as input; one that has ended has to be resumed.
    async fn stopped(&mut self, is_running: bool) -> Result<ControlFlow<Ended, Outcome>, String> {
        let turn = self.take_turn();
        if let Some(text) = self.given.take().and_then(|given| given.text()) {
            self.tell(Word::Prompted { text: Some(text), id: None }).await?;
        }
        let mut stop = Stopped {
            text: bounded(&turn.text),
            signals: Signals {
                agent_error: turn.error,
                stop_reason: turn.stop_reason,
                user_asked_question: None,
                phase: self.run.phase.clone(),
            },
            plan: self.plan.as_deref().map(read_plan),
            is_planning: resume::is_planning(&self.record.command),
            cwd: self.session.folder.as_ref().map(|folder| folder.display().to_string()),
            work: turn.work,
            plain_continue: true,
            min_confidence: Some(self.desk.settings.min_confidence),
            max_risk: Some(self.desk.settings.max_risk),
            out_of_reach: if is_running { None } else { self.resumed("").err() },
            is_switched_off: self.desk.is_off(),
            cost_microusd: turn.cost_microusd,
            model_ms: self.desk.model_ms(self.app),
            ..Stopped::default()
        };
        if let Some(checking) = self.checking().filter(|_| !stop.is_switched_off && claims_to_be_done(&stop))
        {
            match self.checked(checking).await {
                ControlFlow::Continue(check) => stop.check = Some(check),
                ControlFlow::Break(ended) => return Ok(ControlFlow::Break(ended)),
            }
        }
        for check in stop.check.iter().filter(|check| check.passed.is_none()) {
            note(&format!(
                "{} {}: {}",
                paint(CAREFUL, self.says(&words::agent_check_proves_nothing())),
                check.command,
                check.lines
            ));
        }
        if let Some(plan) = stop.plan.as_ref().filter(|plan| plan.text.is_none()) {
            let unreadable = paint(CAREFUL, self.says(&words::agent_plan_unreadable()));
            note(&format!("{unreadable} {}", plan.path));
        }
        self.has_no_check = stop.check.as_ref().is_some_and(shell::agent::is_not_runnable);
        let outcome = self.tell(Word::Stopped(Box::new(stop))).await?;
        self.watchdog.begin_call(Instant::now());
        if let Some(message) = &outcome.message {
            note(&format!(
                "{} {}",
                paint(GOOD, self.says(&words::agent_sent_on())),
                message.split_whitespace().collect::<Vec<_>>().join(" ")
            ));
        }
        Ok(ControlFlow::Continue(outcome))
    }

    /// Returns the check that decides in the folder of the run, if there is one.
    fn checking(&self) -> Option<Checking> {
        let folder = self.session.folder.clone()?;
        let settings = &self.desk.settings;
        let own = || Some(settings.check.clone()).filter(|check| !check.trim().is_empty());
        let command = self.run.check.clone().or_else(|| settings.project(&folder).check).or_else(own)?;
        let limit = Duration::from_secs(settings.check_s);
        Some(Checking { command, folder, limit, guard: before_check() })
    }

    /// Runs the check. A signal or the end of the run's time cuts it short.
    async fn checked(&mut self, checking: Checking) -> ControlFlow<Ended, Check> {
        tokio::select! {
            check = checking.run(&self.session) => ControlFlow::Continue(check),
            signal = self.interrupts.next() => ControlFlow::Break(Ended::Interrupted(signal)),
            () = until(self.deadline) => ControlFlow::Break(Ended::OutOfTime),
        }
    }

    /// Reports what the watchdog noticed. Returns a reason to end the agent, if the settings want that.
    async fn look(&mut self) -> Result<Option<String>, String> {
        let Some(seen) = self.watchdog.look(Instant::now()) else { return Ok(None) };
        let language = self.app.words.choose(self.app.locale.as_deref());
        let why = self.watchdog.why_end(&seen).map(|why| self.app.words.say(language, &why));
        // The session reports one trouble at a time, and each only once. If the agent is ended, the human hears
        // about that instead.
        loop {
            let outcome = self.hear(Word::Watched(seen.clone())).await?;
            if outcome.alarms.is_empty() {
                return Ok(why);
            }
            if why.is_none() {
                self.desk.tell_human(self.app.clock.now(), &self.session.agent, &outcome).await;
            }
        }
    }

    /// Reports the end on standard error and as an exit code. Only the law decides that work is finished.
    fn finished(&self, outcome: &Outcome) -> ExitCode {
        let is_finished = standing(&self.app.flows, &outcome.state) == "finished";
        let (what, code) = match outcome.class {
            _ if is_finished && !self.has_no_check => (paint(GOOD, self.says(&words::agent_finished())), 0),
            Some(OutputType::Error) => (paint(BAD, self.says(&words::agent_failed())), FAILED),
            _ => (paint(CAREFUL, self.says(&words::agent_over_to_you())), WAITS),
        };
        note(&format!("{what} {}", outcome.reason));
        ExitCode::from(code)
    }

    async fn failed(&mut self, error: &str, details: &str) -> Result<ExitCode, String> {
        let word = Word::Crashed { error: error.to_owned(), details: details.to_owned() };
        let outcome = self.tell(word).await?;
        self.record.save(self.app).await?;
        let what = match error {
            TIME_LIMIT => paint(CAREFUL, self.says(&words::agent_over_to_you())),
            _ => paint(BAD, self.says(&words::agent_failed())),
        };
        note(&format!("{what} {}", outcome.reason));
        Ok(ExitCode::from(FAILED))
    }

    /// Tells the session and the log, and also the human if it concerns them.
    async fn tell(&self, word: Word) -> Result<Outcome, String> {
        let outcome = self.hear(word).await?;
        self.desk.tell_human(self.app.clock.now(), &self.session.agent, &outcome).await;
        Ok(outcome)
    }

    fn says(&self, text: &Text) -> String {
        said(self.config, text)
    }

    /// Tells the session and the log.
    async fn hear(&self, word: Word) -> Result<Outcome, String> {
        let outcome = tell(&self.session, word, &self.terms).await.map_err(|stuck| stuck.to_string())?;
        self.desk.note(self.app.clock.now(), &self.session.agent, &outcome);
        for alarm in &outcome.alarms {
            note(&format!("{} {alarm}", paint(CAREFUL, self.says(&words::agent_watchdog()))));
        }
        Ok(outcome)
    }
}

/// Sleeps until the deadline, or for ever if there is none.
async fn until(deadline: Option<Instant>) {
    match deadline {
        Some(deadline) => tokio::time::sleep_until(deadline).await,
        None => std::future::pending().await,
    }
}

/// Writes to standard error, because standard output belongs to the agent.
fn note(text: &str) {
    anstream::eprintln!("{} {text}", paint(QUIET, "etude:"));
}
