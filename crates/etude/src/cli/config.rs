//! Where things are: flags come first, then the environment, then the defaults.

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

/// What the options are listed under that every command has.
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

/// A level, or directives such as `store=debug,warn`. A filter reads any other word as the name of a module, which
/// would log nothing.
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
    /// The locale that says the language of the user, such as `de_AT.UTF-8`.
    pub(crate) locale: String,
    /// How the terminal says that it encodes text, and what it calls itself.
    pub(crate) encoding: String,
    pub(crate) terminal: String,
    /// The IANA name of the zone that this machine is set to, where it has one.
    pub(crate) time_zone: Option<String>,
    /// The learner's editor, as a command.
    pub(crate) editor: Option<String>,
    /// Where other programs keep their settings.
    pub(crate) home: Option<PathBuf>,
    /// Where programs are looked for.
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
    /// A moment of a record as a person at this machine reads it.
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

    /// The flags that point another process to the same data and settings, if they are not the defaults. The database
    /// has none: its address may contain a password.
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

    /// The folders in which programs are looked for.
    pub(crate) fn search_path(&self) -> Vec<PathBuf> {
        self.search.iter().flat_map(std::env::split_paths).collect()
    }

    /// Whether the terminal probably shows more than ASCII. An unset locale does not argue against it.
    pub(crate) fn shows_utf8(&self) -> bool {
        let encoding = self.encoding.to_ascii_lowercase();
        encoding.is_empty() || encoding.contains("utf-8") || encoding.contains("utf8")
    }

    /// The path of the settings file, whether it exists or not.
    pub(crate) fn settings_path(&self) -> PathBuf {
        self.settings.clone().unwrap_or_else(|| self.data.join("config.toml"))
    }

    /// The model that is configured, if any.
    pub(crate) fn model(&self) -> Result<Option<ModelConfig>, String> {
        let (path, source) = self.settings_file()?;
        settings::model(source.as_deref().map(|source| (path.as_path(), source)), &self.model, variable)
    }

    /// What runs a learner's program. For a single one no interpreter has to wait.
    pub(crate) fn judge(&self) -> Result<Judge, String> {
        let mut settings = self.judge_settings()?;
        settings.options.warm = Some(0);
        Ok(Judge::open(settings))
    }

    /// The same, which looks at the kernel only when it is needed.
    pub(crate) fn bench(&self) -> Result<Bench, String> {
        self.judge_settings().map(Bench::new)
    }

    fn judge_settings(&self) -> Result<::judge::Settings, String> {
        let (path, source) = self.settings_file()?;
        let search = self.search.clone().unwrap_or_default();
        settings::judge(&path, &source.unwrap_or_default(), search.as_os_str())
    }

    /// What is set about agents.
    pub(crate) fn agents(&self) -> Result<AgentSettings, String> {
        let (path, source) = self.settings_file()?;
        let settings =
            source.map_or_else(|| Ok(AgentSettings::default()), |source| settings::agents(&path, &source));
        settings.map(|settings| match &self.home {
            Some(home) => settings.at_home(home),
            None => settings,
        })
    }

    /// How long old logs are kept.
    pub(crate) fn retention(&self) -> Result<RetentionSettings, String> {
        let (path, source) = self.settings_file()?;
        source.map_or_else(|| Ok(RetentionSettings::default()), |source| settings::retention(&path, &source))
    }

    /// How agents are coached, and which of the user's files about it cannot be used.
    pub(crate) fn playbook(&self) -> (coaching::agent::Playbook, Vec<String>) {
        builtin::playbook(Some(&self.data.join("skills.yaml")))
    }

    /// A variable of the environment.
    pub(crate) fn variable(&self, name: &str) -> Option<String> {
        variable(name)
    }

    /// How learners are reached, and reach the coach.
    pub(crate) fn channels(&self) -> Result<(Option<Notifier>, Option<Bot>), String> {
        let (path, source) = self.settings_file()?;
        settings::channels(source.as_deref().map(|source| (path.as_path(), source)), variable)
    }

    /// What goes into the opening of every new flow, by the names of the flows.
    pub(crate) fn openings(&self) -> Result<Openings, String> {
        let (path, source) = self.settings_file()?;
        let said = source.map(|source| settings::attempts(&path, &source)).transpose()?;
        Ok(vec![(attempt::FLOW, said.unwrap_or_default().opening())])
    }

    /// What every command works with.
    pub(crate) async fn app(&self, flows: Flows, outside: Outside) -> Result<App, String> {
        // A mistake in the settings stops who needs them; looking needs none.
        let openings = self.openings().unwrap_or_default();
        let mut app = effects::app(self.store().await?, flows, Clock::System, outside).saying(words::FILES);
        app.openings = openings;
        app.locale = Some(self.locale.clone());
        Ok(app)
    }

    /// For a command that asks no model and sends no message itself.
    pub(crate) async fn plain_app(&self) -> Result<App, Stop> {
        self.app(self.flows(), Outside::default()).await.map_err(no)
    }

    /// For a command that moves flows, which may need the model and the judge.
    pub(crate) async fn asking_app(&self, flows: Flows) -> Result<App, Stop> {
        self.openings().map_err(unreadable)?;
        let (asker, bench) = (self.asker().map_err(unreadable)?, Some(self.bench().map_err(unreadable)?));
        self.app(flows, Outside { asker, bench, ..Outside::default() }).await.map_err(no)
    }

    /// The desk from which agents are coached.
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

    /// What asks that model.
    pub(crate) fn asker(&self) -> Result<Option<Asker>, String> {
        self.model()?.map(Asker::new).transpose().map_err(|error| error.to_string())
    }

    pub(crate) fn flows(&self) -> Flows {
        (self.flows)(Some(&self.packs_folder()))
    }

    /// Makes the data folder, readable by its owner only.
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

    /// The address of the database. A folder for the usual one is made.
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

/// The first of several variables that is set counts, as everywhere.
fn first_set(names: &[&str]) -> String {
    names.iter().find_map(|name| variable(name)).unwrap_or_default()
}

#[expect(clippy::disallowed_methods, reason = "the environment is read here and nowhere else")]
fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok().filter(|value| !value.is_empty())
}

impl Logging {
    /// `usual` is the level if none was chosen.
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
