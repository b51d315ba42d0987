//! The command line.

mod agent;
mod config;
mod context;
mod doctor;
mod drill;
mod instances;
mod jobs;
mod laws;
mod learner;
mod mcp;
mod memory;
mod output;
mod packs;
mod progress;
mod screen;
mod serving;
mod settings;
mod teach;
mod testing;

use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};
use output::say;
use std::process::ExitCode;

/// A coach and a learner take turns, on laws that are proved before they run.
#[derive(Debug, Parser)]
#[command(name = "etude", version, max_term_width = 100)]
struct Cli {
    #[command(flatten)]
    config: config::Args,
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Learn words with the coach, here in the terminal
    Drill(drill::Drill),
    /// Learn a subject with the tutor: courses, reviews, maps
    Teach(teach::Teach),
    /// Show how learning goes: mastery, pace, what is remembered, what is hard
    Progress(progress::Progress),
    /// Print what somebody has to know to go on with a course
    Context(context::Context),
    /// Show what happens by the calendar, or do it now
    Jobs(jobs::Jobs),
    /// Link a chat, change wishes, export or delete everything about a learner
    Learner(learner::Learners),
    /// Check packs and curricula, import and export packs of words
    Pack(packs::Packs),
    /// Compare what was said with what should be said
    Match(packs::Match),
    /// Memory: compare models on your log, see what is coming up, choose how you are asked again
    Memory(memory::MemoryCommand),
    /// Coach a coding agent: hooks, log, kill switch
    Agent(agent::Agents),
    /// Prove a law: find dead ends, endless loops, broken promises
    Check(laws::Check),
    /// Run the scenarios in .feature files
    Test(testing::Test),
    /// Draw or translate a law
    Export(laws::Export),
    /// Explain a problem code
    Explain(laws::Explain),
    /// Say what changed in meaning between two laws
    Diff(laws::Diff),
    /// Say what works and what does not, with cures
    Doctor,
    /// Start the server
    Serve(serving::Serve),
    /// Offer the tutor's tools to an assistant, on standard input and output
    Mcp(mcp::Serve),
    /// Print the token that the server asks for
    Token,
    /// Open a flow, by name or from a law file
    New(instances::New),
    /// Show where a flow stands
    Show(instances::Show),
    /// List flows, newest first
    List(instances::List),
    /// Send an event to a flow
    Send(instances::Send),
    /// Show every transition of a flow
    Log(instances::Log),
    /// Replay the log of a flow and compare
    Replay(instances::Replay),
    /// List effects that were given up, or revive one
    Dead(instances::Dead),
    /// Print a completion script for your shell
    Completions { shell: clap_complete::Shell },
}

/// Exit codes: 0 all is well, 1 the answer is no, 2 the question could not be read.
pub(crate) const NO: u8 = 1;
pub(crate) const UNREADABLE: u8 = 2;

const BEGIN: &str = "\
Etude is a coach that takes turns with you. Begin with one of these:

  etude teach         a subject: which courses there are, and what is due
  etude teach sql     a course on SQL
  etude drill         words of a language
  etude doctor        what works on this machine, and what does not
  etude serve         the same for browsers and programs

`etude --help` lists every command.";

/// Runs the program.
pub fn main() -> ExitCode {
    let unreadable = if agent::is_hook(std::env::args_os()) { NO } else { UNREADABLE };
    // Whoever types nothing else wants to know where to begin. The parser would count variables as something.
    if std::env::args_os().len() <= 1 {
        say!("{BEGIN}");
        return ExitCode::SUCCESS;
    }
    let parsed = own_options_only(command()).try_get_matches();
    let cli = match parsed.and_then(|matches| Cli::from_arg_matches(&matches)) {
        Ok(cli) => cli,
        Err(told) => {
            let _ = told.print();
            return if told.use_stderr() { ExitCode::from(unreadable) } else { ExitCode::SUCCESS };
        }
    };
    let config = match config::Config::resolve(&cli.config) {
        Ok(config) => config,
        Err(message) => return output::error(&message, unreadable),
    };
    // A server tells what it does; a conversation in the terminal is not to be interrupted by it.
    config.log.start(if matches!(cli.command, Command::Serve(_)) { "info" } else { "warn" });
    // A hook does one thing and has to be quick.
    let mut builder = match &cli.command {
        Command::Agent(_) => tokio::runtime::Builder::new_current_thread(),
        _ => tokio::runtime::Builder::new_multi_thread(),
    };
    let runtime = match builder.enable_all().build() {
        Ok(runtime) => runtime,
        Err(error) => return output::error(&format!("the program cannot start: {error}"), NO),
    };
    runtime.block_on(run(cli.command, config))
}

/// With the options of all commands passed on to each.
fn command() -> clap::Command {
    let mut command = Cli::command();
    command.build();
    command
}

/// The help of one command is about that command: what all of them take is in the help of the program.
fn own_options_only(command: clap::Command) -> clap::Command {
    let own = |arg: clap::Arg| {
        let is_hidden = arg.is_hide_set() || arg.get_help_heading() == Some(config::GLOBAL);
        arg.hide(is_hidden)
    };
    let below = |command: clap::Command| {
        own_options_only(command.mut_args(own))
            .after_help("`etude --help` lists the options of every command.")
    };
    let names: Vec<String> = command.get_subcommands().map(|below| below.get_name().to_owned()).collect();
    names.into_iter().fold(command, |command, name| command.mut_subcommand(name, below))
}

async fn run(command: Command, config: config::Config) -> ExitCode {
    match command {
        Command::Drill(args) => args.run(&config).await,
        Command::Teach(args) => args.run(&config).await,
        Command::Progress(args) => args.run(&config).await,
        Command::Context(args) => args.run(&config).await,
        Command::Jobs(args) => args.run(&config).await,
        Command::Learner(args) => args.run(&config).await,
        Command::Pack(args) => args.run(&config).await,
        Command::Match(args) => args.run(),
        Command::Memory(args) => args.run(&config).await,
        Command::Agent(args) => args.run(&config).await,
        Command::Check(args) => args.run(&config),
        Command::Test(args) => args.run(&config).await,
        Command::Export(args) => args.run(),
        Command::Explain(args) => args.run(&config),
        Command::Diff(args) => args.run(&config),
        Command::Doctor => doctor::run(&config).await,
        Command::Serve(args) => args.run(&config).await,
        Command::Mcp(args) => args.run(&config).await,
        Command::Token => serving::print_token(&config),
        Command::New(args) => args.run(&config).await,
        Command::Show(args) => args.run(&config).await,
        Command::List(args) => args.run(&config).await,
        Command::Send(args) => args.run(&config).await,
        Command::Log(args) => args.run(&config).await,
        Command::Replay(args) => args.run(&config).await,
        Command::Dead(args) => args.run(&config).await,
        Command::Completions { shell } => {
            let mut command = <Cli as clap::CommandFactory>::command();
            let mut script = Vec::new();
            clap_complete::generate(shell, &mut command, "etude", &mut script);
            output::text(&String::from_utf8_lossy(&script));
            ExitCode::SUCCESS
        }
    }
}
