//! Commands about coding agents: answer their hooks, show what the coach did, install and uninstall.

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
mod twin;

pub(super) use findings::findings;

use super::config::Config;
use super::output::Done;
use super::words;
use clap::{Args, Subcommand};
use coaching::words::{Lexicon, Text};
use std::sync::LazyLock;

#[derive(Debug, Args)]
pub(crate) struct Agents {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Classify an agent's last message, from standard input
    Classify(classify::Classify),
    /// Measure how well messages are read, with labelled messages from a file
    Evaluate(evaluate::Evaluate),
    /// Answer an agent's hook; reads its payload from standard input
    Hook(hook::Hook),
    /// Add the hook to an agent's settings
    Install(install::Install),
    /// Remove the hook from an agent's settings
    Uninstall(install::Uninstall),
    /// Run an agent without a terminal, and keep it going until it is done or needs you
    Run(Box<run::Run>),
    /// Show what the coach did, and the outcome of each session
    Log(history::History),
    /// List agent sessions, including those that were cut off or fell silent
    Sessions,
    /// Turn the coach on
    On,
    /// Turn the coach off, at once and everywhere
    Off,
    /// Show whether the coach is on
    Status,
    /// Allow the coach in a folder, if its hook is installed for all folders
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
    /// Run an agent so that nothing it starts outlives the run
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

/// Says a text of the terminal in the user's language.
fn said(config: &Config, text: &Text) -> String {
    static LEXICON: LazyLock<Lexicon> = LazyLock::new(|| Lexicon::new(words::FILES.iter().copied()));
    LEXICON.say(LEXICON.choose([config.locale.as_str()]), text)
}

/// Whether a command line calls the hook. Some agents take clap's usual exit code for an order to go on, so a
/// hook with wrong arguments must end with another code.
pub(crate) fn is_hook(arguments: impl IntoIterator<Item = std::ffi::OsString>) -> bool {
    let arguments: Vec<_> = arguments.into_iter().collect();
    arguments.windows(2).any(|pair| pair[0] == "agent" && pair[1] == "hook")
}
