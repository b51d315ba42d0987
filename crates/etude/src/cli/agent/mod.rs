//! Commands about coding agents: sit in their hooks, say what was done, come and go in their settings.

mod contract;
mod history;
mod hook;
mod install;
mod journal;
mod session;
mod settings_file;
mod switch;
mod transcript;

use super::config::Config;
use super::{UNREADABLE, output};
use clap::{Args, Subcommand};
use coaching::agent::{Signals, classify};
use std::io::Read;
use std::process::ExitCode;

/// More than this is not a message.
const MAX_MESSAGE_BYTES: u64 = 16 << 20;

#[derive(Debug, Args)]
pub(crate) struct Agents {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Say what kind of message an agent stopped with; reads it from standard input
    Classify(Classify),
    /// Answer an agent's hook; reads its payload from standard input
    Hook(hook::Hook),
    /// Put the hook into an agent's settings
    Install(install::Install),
    /// Take the hook out of an agent's settings
    Uninstall(install::Uninstall),
    /// Show what the coach did, and what came of each session
    Log(history::History),
    /// Let the coach send agents on again
    On,
    /// Keep the coach out of everything, at once and everywhere
    Off,
    /// Say whether the coach is on
    Status,
}

impl Agents {
    pub(crate) async fn run(self, config: &Config) -> ExitCode {
        match self.command {
            Command::Classify(args) => args.run(),
            Command::Hook(args) => args.run(config).await,
            Command::Install(args) => args.run(config),
            Command::Uninstall(args) => args.run(config),
            Command::Log(args) => args.run(config).await,
            Command::On => switch::turn(config, true),
            Command::Off => switch::turn(config, false),
            Command::Status => switch::show(config),
        }
    }
}

/// Whether a command line is that of a hook. An agent takes some exit codes for an order to go on, so a hook that is
/// called wrongly must end with another than usual.
pub(crate) fn is_hook(arguments: impl IntoIterator<Item = std::ffi::OsString>) -> bool {
    let arguments: Vec<_> = arguments.into_iter().collect();
    arguments.windows(2).any(|pair| pair[0] == "agent" && pair[1] == "hook")
}

#[derive(Debug, Args)]
struct Classify {
    /// The phase of the work, such as build or test
    #[arg(long)]
    phase: Option<String>,
    /// The human's last message was a question
    #[arg(long)]
    asked: bool,
    /// The error that the agent's program reports
    #[arg(long, value_name = "ERROR")]
    error: Option<String>,
}

impl Classify {
    fn run(self) -> ExitCode {
        let mut bytes = Vec::new();
        if let Err(error) = std::io::stdin().lock().take(MAX_MESSAGE_BYTES).read_to_end(&mut bytes) {
            return output::error(&format!("the message cannot be read: {error}"), UNREADABLE);
        }
        let signals = Signals {
            agent_error: self.error,
            user_asked_question: self.asked.then_some(true),
            phase: self.phase,
            ..Signals::default()
        };
        output::json(&classify(&String::from_utf8_lossy(&bytes), &signals))
    }
}
