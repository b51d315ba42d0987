//! `etude token`: manages access to the server. The owner's token is a file; all others are hashes in the database.

use super::config::Config;
use super::context::with_app;
use super::output::{self, Done, QUIET, STRONG, no, paint, say, unreadable};
use super::serving;
use clap::{Args, Subcommand};
use serde_json::json;
use shell::engine::clock::span_ms;
use shell::learners::access::Access;
use shell::learners::tokens::{self, Shown};
use std::process::ExitCode;

#[derive(Debug, Args)]
pub(crate) struct Tokens {
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Create a token; it is shown only once
    New {
        /// The learner it belongs to; it gives access only to their data
        #[arg(long, value_name = "NAME", required_unless_present = "owner", conflicts_with = "owner")]
        learner: Option<String>,
        /// Create a token that gives access to everything, like the server's own
        #[arg(long)]
        owner: bool,
        /// A name to find it by [default: the learner]
        #[arg(long, value_name = "NAME")]
        name: Option<String>,
        /// How long it lasts, as in 12h, 90d, 4w or 2y
        #[arg(long = "for", value_name = "TIME", default_value = "90d", value_parser = span_ms)]
        lasts_ms: i64,
    },
    /// List tokens with owner, creation date, expiry date and last use
    List,
    /// End a token at once
    Revoke {
        /// Its name, as `etude token list` shows it
        name: String,
    },
}

impl Tokens {
    pub(crate) async fn run(self, config: &Config) -> Done {
        match self.command {
            None => print(config),
            Some(Command::New { learner, name, lasts_ms, .. }) => {
                let access = learner.map_or(Access::Owner, Access::Learner);
                make(config, access, name.as_deref(), lasts_ms).await
            }
            Some(Command::List) => list(config).await,
            Some(Command::Revoke { name }) => revoke(config, &name).await,
        }
    }
}

fn print(config: &Config) -> Done {
    config.make_data_folder().map_err(no)?;
    say!("{}", serving::token(config)?);
    Ok(ExitCode::SUCCESS)
}

async fn make(config: &Config, access: Access, name: Option<&str>, lasts_ms: i64) -> Done {
    let mut random = [0; 32];
    getrandom::fill(&mut random).map_err(|error| no(format!("no token can be made: {error}")))?;
    with_app(config, async |app| {
        let ends_at = app.clock.now().plus_ms(lasts_ms);
        let (secret, token) = tokens::make(app, access, name, ends_at, random).await?;
        if config.json {
            let Shown { name, learner, ends_at, .. } = token;
            return output::json(
                &json!({"token": secret, "name": name, "learner": learner, "ends_at": ends_at}),
            );
        }
        say!("{secret}");
        // Only the token goes to standard output, so that a script can keep it.
        anstream::eprintln!(
            "{} opens {} until {}. It is not shown again; `etude token revoke {}` ends it.",
            paint(STRONG, &token.name),
            whose(&token),
            day(&token.ends_at),
            output::quoted(&token.name)
        );
        Ok(ExitCode::SUCCESS)
    })
    .await
}

async fn list(config: &Config) -> Done {
    with_app(config, async |app| {
        output::answer(config, &tokens::list(app).await?, |tokens| {
            if tokens.is_empty() {
                say!("There are no tokens but the owner's, which `etude token` prints.");
            }
            tokens.iter().for_each(show);
        })
    })
    .await
}

fn show(token: &Shown) {
    let end = if token.is_over { "ended" } else { "until" };
    let used = token.used_at.as_deref().map_or("never used".to_owned(), |at| format!("used {}", day(at)));
    let times = format!("made {}, {end} {}, {used}", day(&token.made_at), day(&token.ends_at));
    say!("{:<24} {:<24} {}", token.name, whose(token), paint(QUIET, times));
}

async fn revoke(config: &Config, name: &str) -> Done {
    if name.is_empty() {
        return Err(unreadable("name the token: `etude token list` shows them"));
    }
    with_app(config, async |app| {
        tokens::revoke(app, name).await?;
        say!("{name} no longer gives access to anything.");
        Ok(ExitCode::SUCCESS)
    })
    .await
}

fn whose(token: &Shown) -> String {
    token.learner.as_deref().map_or("everything".to_owned(), |learner| format!("what is {learner}'s"))
}

/// Returns the day of a moment, which is enough for people.
fn day(at: &str) -> &str {
    at.split('T').next().unwrap_or(at)
}
