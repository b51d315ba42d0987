//! `etude learner`: a learner's profile, and all data stored about them.

use super::config::Config;
use super::context::with_app;
use super::output::{self, Done, QUIET, STRONG, no, note, paint, say, unreadable};
use super::screen::layout::clean;
use super::words::{self, Voice};
use clap::{Args, Subcommand};
use coaching::learner::Profile;
use serde_json::{Map, Value};
use shell::learners::rights;
use shell::learners::{chats, profiles};
use std::fs::OpenOptions;
use std::io::{BufRead, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

#[derive(Debug, Args)]
pub(crate) struct Learners {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Show a learner's profile
    Show {
        /// The learner
        #[arg(default_value = "me")]
        learner: String,
    },
    /// Change one field of a profile, as in `etude learner set email ada@example.org`
    Set {
        /// The field, as `etude learner show` names it: name, language, email, time_zone, preferred_channel …
        field: String,
        /// The value, as JSON or plain text
        value: String,
        /// The learner
        #[arg(long, default_value = "me")]
        learner: String,
    },
    /// Print a one-time code that links a Telegram chat to a learner
    Link {
        /// The learner
        #[arg(default_value = "me")]
        learner: String,
    },
    /// Write everything stored about a learner, as JSON
    Export {
        /// The learner
        learner: String,
        /// Write to this file
        #[arg(long, short, value_name = "FILE")]
        output: Option<PathBuf>,
    },
    /// Delete everything about a learner: flows, logs, messages, documents
    Delete {
        /// The learner
        learner: String,
        /// Do not ask for confirmation
        #[arg(long)]
        yes: bool,
    },
    /// List past deletions: when, and how much was deleted
    Deletions,
}

impl Learners {
    pub(crate) async fn run(self, config: &Config) -> Done {
        match self.command {
            Command::Show { learner } => show(config, &learner).await,
            Command::Set { field, value, learner } => set(config, &learner, field, &value).await,
            Command::Link { learner } => link(config, &learner).await,
            Command::Export { learner, output } => export(config, &learner, output).await,
            Command::Delete { learner, yes } => delete(config, &learner, yes).await,
            Command::Deletions => deletions(config).await,
        }
    }
}

async fn show(config: &Config, learner: &str) -> Done {
    with_app(config, async |app| output::json(&profiles::read(&app.store, learner).await?)).await
}

async fn set(config: &Config, learner: &str, field: String, value: &str) -> Done {
    // Most people type an address or a zone without quotes.
    let value = serde_json::from_str(value).unwrap_or_else(|_| Value::from(value));
    let changes = Map::from_iter([(field, value)]);
    let set = |profile: &mut Profile| profile.set_fields(&changes);
    with_app(config, async |app| {
        let profile = profiles::change(&app.store, learner, app.clock.now(), set).await?;
        let unknown = profile.language.as_deref().filter(|language| app.words.known(language).is_none());
        if let Some(language) = unknown {
            let known = app.words.languages().collect::<Vec<_>>().join(", ");
            let voice = Voice::of(app, config, learner, None, None).await?;
            note(&voice.say(&words::no_words_in(clean(language), known)));
        }
        output::json(&profile)
    })
    .await
}

async fn link(config: &Config, learner: &str) -> Done {
    let (_, bot) = config.channels().map_err(unreadable)?;
    let mut random = [0; 10];
    getrandom::fill(&mut random).map_err(|error| no(format!("no code can be made: {error}")))?;
    with_app(config, async |app| {
        let voice = Voice::of(app, config, learner, None, None).await?;
        if bot.is_none() {
            return Err(no(voice.say(&words::no_bot())));
        }
        let code = chats::link_code(app, learner, random).await?;
        let code = paint(STRONG, format!("/start {code}"));
        say!("{}\n\n{code}\n", voice.say(&words::send_to_bot(chats::CODE_LASTS_MINUTES)));
        Ok(ExitCode::SUCCESS)
    })
    .await
}

async fn export(config: &Config, learner: &str, path: Option<PathBuf>) -> Done {
    with_app(config, async |app| {
        let all = rights::export(app, learner).await?;
        let Some(path) = path else { return output::json(&all) };
        let written = write_private(&path, &format!("{all:#}\n"));
        written.map_err(|error| no(format!("{}: {error}", path.display())))?;
        Ok(ExitCode::SUCCESS)
    })
    .await
}

/// Writes a file that, like the database it comes from, only its owner may read.
fn write_private(path: &Path, text: &str) -> std::io::Result<()> {
    let mut options = OpenOptions::new();
    options.write(true).create(true).truncate(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)?.write_all(text.as_bytes())
}

async fn delete(config: &Config, learner: &str, yes: bool) -> Done {
    if !yes && !std::io::stdin().is_terminal() {
        return Err(unreadable("there is no terminal to confirm this at: add --yes to delete everything"));
    }
    if !yes && !is_sure(learner) {
        return Err(no("nothing was deleted"));
    }
    with_app(config, async |app| {
        let gone = rights::delete(app, learner).await?;
        output::answer(config, &gone, |gone| {
            let parts = [
                (gone.flows, "flow", "flows"),
                (gone.log_entries, "log entry", "log entries"),
                (gone.effects, "effect", "effects"),
                (gone.timers, "timer", "timers"),
                (gone.records, "document", "documents"),
            ];
            let counted = |(count, one, many)| format!("{count} {}", if count == 1 { one } else { many });
            say!("Deleted: {}.", parts.map(counted).join(", "));
        })
    })
    .await
}

fn is_sure(learner: &str) -> bool {
    let question = format!("Everything about {learner:?} will be deleted for good. Type the name to go on: ");
    let _ = write!(std::io::stderr(), "{question}");
    let mut line = String::new();
    std::io::stdin().lock().read_line(&mut line).is_ok() && line.trim() == learner
}

async fn deletions(config: &Config) -> Done {
    with_app(config, async |app| {
        output::answer(config, &rights::deletions(app).await?, |lines| {
            for line in lines {
                let hash = paint(QUIET, &line.learner_hash);
                say!("{}  {hash}  {} flows, {} documents", line.at, line.flows, line.records);
            }
        })
    })
    .await
}
