//! `etude agent notify`: sends a message to the human from a separate process, so that no hook keeps its agent
//! waiting.

use crate::cli::config::Config;
use crate::cli::output::{Done, unreadable};
use clap::Args;
use shell::agent::{Desk, News};
use shell::engine::clock::Clock;
use std::process::{Command, ExitCode, Stdio};

#[derive(Debug, Args)]
pub(super) struct Notify {
    agent: String,
    session: String,
    message: String,
    #[arg(default_value = "")]
    project: String,
}

impl Notify {
    pub(super) async fn run(self, config: &Config) -> Done {
        let desk = desk(config).map_err(unreadable)?;
        let Notify { agent, session, message, project } = &self;
        desk.notify(Clock::System.now(), &News { agent, session, project, message }).await;
        Ok(ExitCode::SUCCESS)
    }
}

/// Opens the desk with every configured channel.
pub(super) fn desk(config: &Config) -> Result<Desk, String> {
    Ok(config.desk()?.with_channels(config.channels()?.0))
}

/// Starts `etude agent notify` and does not wait for it.
pub(super) fn apart(config: &Config, news: &News<'_>) {
    let News { agent, session, project, message } = *news;
    let Ok(program) = std::env::current_exe() else { return };
    let mut command = Command::new(program);
    command.args(config.flags()).args(["agent", "notify", "--", agent, session, message, project]);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(&mut command, 0);
    if let Err(error) = command.spawn() {
        tracing::warn!("the human was not told: {error}");
    }
}
