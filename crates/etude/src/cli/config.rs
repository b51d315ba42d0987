//! Finds the data, the settings and the services of a command: flags come first, then the environment, then the
//! defaults.

use super::attempt;
use super::output::{Stop, no, unreadable};
use super::settings::{self, ModelFlags, RetentionSettings};
use super::words;
use clap::{Args as ClapArgs, ValueEnum};
use jiff::Timestamp;
use jiff::tz::TimeZone;
use judge::Judge;
use outside::model::ModelConfig;
use outside::notify::Notifier;
use shell::agent::{AgentSettings, Desk};
use shell::builtin;
use shell::chat::Bot;
use shell::effects::asking::Asker;
use shell::effects::judging::Bench;
use shell::effects::{self, Outside};
use shell::engine::app::{App, Openings};
use shell::engine::clock::Clock;
use shell::engine::flows::{FlowList, Flows};
use std::io::{ErrorKind, IsTerminal};
use std::path::PathBuf;
use tracing_subscriber::filter::Targets;
use tracing_subscriber::prelude::*;

/// The help heading of the options that every command has.
pub(crate) const GLOBAL: &str = "Global options";

#[derive(Debug, Clone, ClapArgs)]
#[command(next_help_heading = GLOBAL)]
pub(crate) struct Args {
    /// Folder for the database and the token [default: your system's data folder]
    #[arg(long, global = true, env = "ETUDE_DATA", value_name = "DIR")]
    data: Option<PathBuf>,
    /// Database: sqlite:PATH or postgres://… [default: SQLite in the data folder]
    #[arg(long, global = true, env = "ETUDE_DATABASE", value_name = "ADDRESS", hide_env_values = true)]
    database: Option<String>,
    /// Settings file [default: config.toml in the data folder]
    #[arg(long, global = true, env = "ETUDE_CONFIG", value_name = "FILE")]
    config: Option<PathBuf>,
    #[command(flatten)]
    model: ModelFlags,
    /// Print JSON
    #[arg(long, global = true)]
    json: bool,
    /// How much to log: error, warn, info, debug [default: info for the server, else warn]
    #[arg(long, global = true, env = "ETUDE_LOG", value_name = "LEVEL", value_parser = parse_level)]
    log: Option<String>,
    /// Log format
    #[arg(long, global = true, env = "ETUDE_LOG_FORMAT", value_enum, default_value = "text")]
    log_format: LogFormat,
}

/// Checks a log level, or directives such as `store=debug,warn`. Refuses any other word, because a filter would
/// take it for the name of a module and log nothing.
fn parse_level(text: &str) -> Result<String, String> {
    let known = ["off", "error", "warn", "info", "debug", "trace"];
    let is_known = |part: &str| part.contains('=') || known.contains(&part.trim().to_lowercase().as_str());
    if !text.split(',').all(is_known) {
        return Err(format!("write one of: {}", known.join(", ")));
    }
    text.parse::<Targets>().map(|_| text.to_owned()).map_err(|error| error.to_string())
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum LogFormat {
    Text,
    Json,
}

#[derive(Debug, Clone)]
pub(crate) struct Config {
    pub(crate) data: PathBuf,
    pub(crate) database: Option<String>,
    pub(crate) json: bool,
    pub(crate) log: Logging,
    /// The locale that gives the user's language, such as `de_AT.UTF-8`.
    pub(crate) locale: String,
    /// The locale that gives the terminal's encoding, and the terminal's type.
    pub(crate) encoding: String,
    pub(crate) terminal: String,
    /// The IANA name of this machine's time zone, if it has one.
    pub(crate) time_zone: Option<String>,
    /// The learner's editor, as a command.
    pub(crate) editor: Option<String>,
    /// The home folder, where other programs keep their settings.
    pub(crate) home: Option<PathBuf>,
    /// The search path for programs.
    search: Option<PathBuf>,
    /// The flows that the program was started with.
    pub(crate) flows: FlowList,
    settings: Option<PathBuf>,
    model: ModelFlags,
}

#[derive(Debug, Clone)]
pub(crate) struct Logging {
    level: Option<String>,
    format: LogFormat,
}

impl Config {
    /// Formats a recorded moment in the local time zone.
    pub(crate) fn local_time(&self, iso: &str) -> String {
        let zone = self.time_zone.as_deref().and_then(|name| TimeZone::get(name).ok());
        let read = |moment: Timestamp| {
            moment.to_zoned(zone.unwrap_or(TimeZone::UTC)).strftime("%Y-%m-%d %H:%M:%S").to_string()
        };
        iso.parse().map_or_else(|_| iso.to_owned(), read)
    }

    pub(crate) fn resolve(args: &Args, flows: FlowList) -> Result<Config, String> {
        let data = match &args.data {
            Some(data) => data.clone(),
            None => {
                usual_data_folder().ok_or("no home folder is known: give one with --data or ETUDE_DATA")?
            }
        };
        Ok(Config {
            data,
            database: args.database.clone(),
            json: args.json,
            log: Logging { level: args.log.clone(), format: args.log_format },
            locale: first_set(&["LC_ALL", "LC_MESSAGES", "LANG"]),
            encoding: first_set(&["LC_ALL", "LC_CTYPE", "LANG"]),
            terminal: first_set(&["TERM"]),
            time_zone: TimeZone::try_system().ok().and_then(|zone| zone.iana_name().map(str::to_owned)),
            editor: Some(first_set(&["VISUAL", "EDITOR"])).filter(|editor| !editor.is_empty()),
            home: path_variable("HOME"),
            search: path_variable("PATH"),
            flows,
            settings: args.config.clone(),
            model: args.model.clone(),
        })
    }

    /// Returns the flags that point another process to the same data and settings, unless those are the
    /// defaults. There is none for the database, because its address may contain a password.
    pub(crate) fn flags(&self) -> Vec<String> {
        let absolute = |path: &PathBuf| std::path::absolute(path).unwrap_or_else(|_| path.clone());
        let own_data = Some(&self.data).filter(|data| usual_data_folder().as_ref() != Some(data));
        let given = [("--data", own_data), ("--config", self.settings.as_ref())];
        let flag = |(name, path): (&str, Option<&PathBuf>)| {
            path.map(|path| [name.to_owned(), absolute(path).display().to_string()])
        };
        given.into_iter().filter_map(flag).flatten().collect()
    }

    pub(crate) fn token_path(&self) -> PathBuf {
        self.data.join("token")
    }

    pub(crate) fn packs_folder(&self) -> PathBuf {
        self.data.join("packs")
    }

    pub(crate) fn curricula_folder(&self) -> PathBuf {
        self.data.join("curricula")
    }

    /// Returns the folders that are searched for programs.
    pub(crate) fn search_path(&self) -> Vec<PathBuf> {
        self.search.iter().flat_map(std::env::split_paths).collect()
    }

    /// Whether the terminal probably shows more than ASCII. An unset locale counts as yes.
    pub(crate) fn shows_utf8(&self) -> bool {
        let encoding = self.encoding.to_ascii_lowercase();
        encoding.is_empty() || encoding.contains("utf-8") || encoding.contains("utf8")
    }

    /// Returns the path of the settings file, whether it exists or not.
    pub(crate) fn settings_path(&self) -> PathBuf {
        self.settings.clone().unwrap_or_else(|| self.data.join("config.toml"))
    }

    /// Returns the configured model, if there is one.
    pub(crate) fn model(&self) -> Result<Option<ModelConfig>, String> {
        let (path, source) = self.settings_file()?;
        settings::model(source.as_deref().map(|source| (path.as_path(), source)), &self.model, variable)
    }

    /// Opens the judge that runs a learner's programs. A command runs a single one, so no interpreter is kept warm.
    pub(crate) fn judge(&self) -> Result<Judge, String> {
        let mut settings = self.judge_settings()?;
        settings.options.warm = Some(0);
        Ok(Judge::open(settings))
    }

    /// Returns a judge that looks at the kernel only when it is needed.
    pub(crate) fn bench(&self) -> Result<Bench, String> {
        self.judge_settings().map(Bench::new)
    }

    fn judge_settings(&self) -> Result<::judge::Settings, String> {
        let (path, source) = self.settings_file()?;
        let search = self.search.clone().unwrap_or_default();
        settings::judge(&path, &source.unwrap_or_default(), search.as_os_str())
    }

    /// Returns the settings for agents.
    pub(crate) fn agents(&self) -> Result<AgentSettings, String> {
        let (path, source) = self.settings_file()?;
        let settings =
            source.map_or_else(|| Ok(AgentSettings::default()), |source| settings::agents(&path, &source));
        settings.map(|settings| match &self.home {
            Some(home) => settings.at_home(home),
            None => settings,
        })
    }

    /// Returns how long old logs are kept.
    pub(crate) fn retention(&self) -> Result<RetentionSettings, String> {
        let (path, source) = self.settings_file()?;
        source.map_or_else(|| Ok(RetentionSettings::default()), |source| settings::retention(&path, &source))
    }

    /// Returns the rules for coaching agents, and the problems with those of the user's files that cannot be used.
    pub(crate) fn playbook(&self) -> (coaching::agent::Playbook, Vec<String>) {
        builtin::playbook(Some(&self.data.join("skills.yaml")))
    }

    /// Reads an environment variable.
    pub(crate) fn variable(&self, name: &str) -> Option<String> {
        variable(name)
    }

    /// Returns the channels by which the coach reaches learners, and learners reach the coach.
    pub(crate) fn channels(&self) -> Result<(Option<Notifier>, Option<Bot>), String> {
        let (path, source) = self.settings_file()?;
        settings::channels(source.as_deref().map(|source| (path.as_path(), source)), variable)
    }

    /// Returns the fields that go into the opening of every new flow, by the flow's name.
    pub(crate) fn openings(&self) -> Result<Openings, String> {
        let (path, source) = self.settings_file()?;
        let said = source.map(|source| settings::attempts(&path, &source)).transpose()?;
        Ok(vec![(attempt::FLOW, said.unwrap_or_default().opening())])
    }

    /// Opens the app that every command works with.
    pub(crate) async fn app(&self, flows: Flows, outside: Outside) -> Result<App, String> {
        // A mistake in these settings stops only the commands that need them, which check them first.
        let openings = self.openings().unwrap_or_default();
        let mut app = effects::app(self.store().await?, flows, Clock::System, outside).saying(words::FILES);
        app.openings = openings;
        app.locale = Some(self.locale.clone());
        Ok(app)
    }

    /// Opens the app for a command that neither asks a model nor sends a message itself.
    pub(crate) async fn plain_app(&self) -> Result<App, Stop> {
        self.app(self.flows(), Outside::default()).await.map_err(no)
    }

    /// Opens the app for a command that moves flows, which may need the model and the judge.
    pub(crate) async fn asking_app(&self, flows: Flows) -> Result<App, Stop> {
        self.openings().map_err(unreadable)?;
        let (asker, bench) = (self.asker().map_err(unreadable)?, Some(self.bench().map_err(unreadable)?));
        self.app(flows, Outside { asker, bench, ..Outside::default() }).await.map_err(no)
    }

    /// Opens the desk from which agents are coached.
    pub(crate) fn desk(&self) -> Result<Desk, String> {
        Ok(Desk::new(&self.data, self.agents()?))
    }

    fn settings_file(&self) -> Result<(PathBuf, Option<String>), String> {
        let path = self.settings_path();
        match std::fs::read_to_string(&path) {
            Ok(source) => Ok((path, Some(source))),
            Err(error) if error.kind() == ErrorKind::NotFound && self.settings.is_none() => Ok((path, None)),
            Err(error) => Err(format!("the settings file {} cannot be read: {error}", path.display())),
        }
    }

    /// Returns a client for the configured model, if there is one.
    pub(crate) fn asker(&self) -> Result<Option<Asker>, String> {
        self.model()?.map(Asker::new).transpose().map_err(|error| error.to_string())
    }

    pub(crate) fn flows(&self) -> Flows {
        (self.flows)(Some(&self.packs_folder()))
    }

    /// Creates the data folder, readable by its owner only.
    pub(crate) fn make_data_folder(&self) -> Result<(), String> {
        let mut builder = std::fs::DirBuilder::new();
        builder.recursive(true);
        #[cfg(unix)]
        std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
        let failed = |error| format!("the data folder {} cannot be made: {error}", self.data.display());
        builder.create(&self.data).map_err(failed)
    }

    pub(crate) async fn store(&self) -> Result<store::Store, String> {
        store::Store::open(&self.address()?).await.map_err(|error| error.to_string())
    }

    /// Returns the database's address. Creates the data folder for the default one.
    pub(crate) fn address(&self) -> Result<String, String> {
        if let Some(address) = &self.database {
            return Ok(address.clone());
        }
        self.make_data_folder()?;
        Ok(format!("sqlite:{}", self.data.join("etude.db").display()))
    }
}

fn usual_data_folder() -> Option<PathBuf> {
    let base = path_variable("XDG_DATA_HOME").or_else(|| Some(path_variable("HOME")?.join(".local/share")));
    base.map(|base| base.join("etude"))
}

#[expect(clippy::disallowed_methods, reason = "the environment is read here and nowhere else")]
fn path_variable(name: &str) -> Option<PathBuf> {
    std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from)
}

/// Returns the first of these variables that is set, which is the usual precedence.
fn first_set(names: &[&str]) -> String {
    names.iter().find_map(|name| variable(name)).unwrap_or_default()
}

#[expect(clippy::disallowed_methods, reason = "the environment is read here and nowhere else")]
fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok().filter(|value| !value.is_empty())
}

impl Logging {
    /// Starts the log on standard error. `usual` is the level if none was chosen.
    pub(crate) fn start(&self, usual: &str) {
        let chosen = self.level.as_deref().and_then(|level| level.parse::<Targets>().ok());
        let filter = chosen.or_else(|| usual.parse().ok()).unwrap_or_default();
        let lines = tracing_subscriber::fmt::layer().with_writer(std::io::stderr);
        let lines = lines.with_ansi(std::io::stderr().is_terminal());
        let registry = tracing_subscriber::registry().with(filter);
        match self.format {
            LogFormat::Text => registry.with(lines.compact().with_target(false)).init(),
            LogFormat::Json => registry.with(lines.json()).init(),
        }
    }
}
