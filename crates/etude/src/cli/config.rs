//! Where things are: flags first, then the environment, then what is usual.

use crate::flows::Flows;
use clap::{Args as ClapArgs, ValueEnum};
use std::path::PathBuf;
use tracing_subscriber::EnvFilter;

#[derive(Debug, Clone, ClapArgs)]
pub(crate) struct Args {
    /// Folder for the database and the token [default: the usual data folder of your system]
    #[arg(long, global = true, env = "ETUDE_DATA", value_name = "DIR")]
    data: Option<PathBuf>,
    /// Database: sqlite:PATH or postgres://… [default: SQLite in the data folder]
    #[arg(long, global = true, env = "ETUDE_DATABASE", value_name = "ADDRESS", hide_env_values = true)]
    database: Option<String>,
    /// Print JSON
    #[arg(long, global = true)]
    json: bool,
    /// How much to log: error, warn, info, debug
    #[arg(long, global = true, env = "ETUDE_LOG", value_name = "LEVEL", default_value = "info")]
    log: String,
    /// How to log
    #[arg(long, global = true, env = "ETUDE_LOG_FORMAT", value_enum, default_value = "text")]
    log_format: LogFormat,
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
}

#[derive(Debug, Clone)]
pub(crate) struct Logging {
    level: String,
    format: LogFormat,
}

impl Config {
    pub(crate) fn resolve(args: &Args) -> Result<Config, String> {
        let data = match &args.data {
            Some(data) => data.clone(),
            None => usual_data_folder().ok_or("no home folder is known: give one with --data or ETUDE_DATA")?,
        };
        Ok(Config {
            data,
            database: args.database.clone(),
            json: args.json,
            log: Logging { level: args.log.clone(), format: args.log_format },
        })
    }

    pub(crate) fn token_path(&self) -> PathBuf {
        self.data.join("token")
    }

    pub(crate) fn packs_folder(&self) -> PathBuf {
        self.data.join("packs")
    }

    pub(crate) fn flows(&self) -> Flows {
        Flows::built_in(Some(&self.packs_folder()))
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
        let address = match &self.database {
            Some(address) => address.clone(),
            None => {
                self.make_data_folder()?;
                format!("sqlite:{}", self.data.join("etude.db").display())
            }
        };
        store::Store::open(&address).await.map_err(|error| error.to_string())
    }
}

#[expect(clippy::disallowed_methods, reason = "the environment is read here and nowhere else")]
fn usual_data_folder() -> Option<PathBuf> {
    let set = |name| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    set("XDG_DATA_HOME").or_else(|| Some(set("HOME")?.join(".local/share"))).map(|base| base.join("etude"))
}

impl Logging {
    pub(crate) fn start(&self) {
        let filter = EnvFilter::try_new(&self.level).unwrap_or_else(|_| EnvFilter::new("info"));
        let builder = tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr);
        match self.format {
            LogFormat::Text => builder.compact().with_target(false).init(),
            LogFormat::Json => builder.json().init(),
        }
    }
}
