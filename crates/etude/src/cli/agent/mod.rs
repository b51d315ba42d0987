//! Commands about coding agents: sit in their hooks, say what was done, come and go in their settings.

mod classify;
mod contract;
mod evaluate;
mod findings;
mod history;
mod hook;
mod install;
mod json_text;
mod notify;
mod run;
mod sessions;
mod settings_file;
mod switch;
mod transcript;
mod twin;

pub(super) use findings::findings;

use super::config::Config;
use super::output::Done;
use clap::{Args, Subcommand};

#[derive(Debug, Args)]
pub(crate) struct Agents {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Classify the message that an agent stopped with, from standard input
    Classify(classify::Classify),
    /// Measure how well messages are read, with labelled messages from a file
    Evaluate(evaluate::Evaluate),
    /// Answer an agent's hook, with its payload from standard input
    Hook(hook::Hook),
    /// Add the hook to an agent's settings
    Install(install::Install),
    /// Remove the hook from an agent's settings
    Uninstall(install::Uninstall),
    /// Run an agent without a terminal, and keep it going until it is done or needs you
    Run(Box<run::Run>),
    /// Show what the coach did, and the outcome of each session
    Log(history::History),
    /// List agent sessions, including those that were cut off or went quiet
    Sessions,
    /// Turn the coach on
    On,
    /// Turn the coach off, at once and everywhere
    Off,
    /// Show whether the coach is on
    Status,
    /// Let the coach into a folder, where its hook is installed for all of them
    Allow(switch::Folder),
    /// Keep the coach out of a folder again
    Deny(switch::Folder),
    /// Pause the coach in one session
    Pause(switch::Pause),
    /// End the pause of a session
    Unpause(switch::Pause),
    /// Tell the human something
    #[command(hide = true)]
    Notify(notify::Notify),
    /// Run an agent so that nothing that it starts outlives the run
    #[command(hide = true)]
    Guard(run::Guard),
}

impl Agents {
    pub(crate) async fn run(self, config: &Config) -> Done {
        match self.command {
            Command::Classify(args) => args.run(config).await,
            Command::Evaluate(args) => args.run(config),
            Command::Hook(args) => Ok(args.run(config).await),
            Command::Install(args) => args.run(config),
            Command::Uninstall(args) => args.run(config),
            Command::Run(args) => args.run(config).await,
            Command::Log(args) => args.run(config).await,
            Command::Sessions => sessions::run(config).await,
            Command::On => switch::turn(config, true),
            Command::Off => switch::turn(config, false),
            Command::Status => switch::show(config),
            Command::Allow(args) => args.change(config, true),
            Command::Deny(args) => args.change(config, false),
            Command::Pause(args) => args.run(config, true).await,
            Command::Unpause(args) => args.run(config, false).await,
            Command::Notify(args) => args.run(config).await,
            Command::Guard(args) => args.run().await,
        }
    }
}

/// Whether a command line is that of a hook. An agent takes some exit codes for an order to go on, so a hook that is
/// called wrongly must end with another than usual.
pub(crate) fn is_hook(arguments: impl IntoIterator<Item = std::ffi::OsString>) -> bool {
    let arguments: Vec<_> = arguments.into_iter().collect();
    arguments.windows(2).any(|pair| pair[0] == "agent" && pair[1] == "hook")
}
