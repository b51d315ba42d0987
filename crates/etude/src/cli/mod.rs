//! The command line: reads the arguments and runs the command.

mod agent;
mod attempt;
mod backup;
mod config;
mod context;
mod desk;
mod doctor;
mod drill;
mod grade;
mod greeting;
mod instances;
mod jobs;
mod judge;
mod laws;
mod leak;
mod learner;
mod mcp;
mod memory;
mod output;
mod packs;
mod play;
mod progress;
mod replaying;
mod screen;
mod serving;
mod settings;
mod teach;
mod testing;
mod tokens;
mod voice;
mod words;

use clap::{ArgMatches, CommandFactory, FromArgMatches, Parser, Subcommand};
use coaching::face::Face;
use shell::engine::flows::FlowList;
use std::process::ExitCode;

/// A coach and a learner take turns, on laws that are proved before they run.
#[derive(Debug, Parser)]
#[command(name = "etude", version, max_term_width = 100)]
struct Cli {
    #[command(flatten)]
    config: config::Args,
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Learn the words of a language
    Drill(drill::Drill),
    /// Learn a subject: courses, reviews, maps
    Teach(teach::Teach),
    /// Solve a coding problem: explain, plan, write, test, look back
    Attempt(attempt::AttemptCommand),
    /// Talk with the coach: a few turns, by voice or in writing
    Voice(voice::VoiceCommand),
    /// Show your progress: mastery, pace, retention, hard concepts
    Progress(progress::Progress),
    /// See upcoming reviews, and choose when they come
    Memory(memory::MemoryCommand),
    /// Link a chat, change a profile, export or delete a learner's data
    Learner(learner::Learners),
    /// Check packs and curricula, import and export packs of words
    Pack(packs::Packs),
    /// Try the matcher: compare an answer with its target
    Match(packs::Match),
    /// Mark answers to a question from one good answer
    Grade(grade::MarkAnswers),
    /// Run a program in a sandbox against tests
    Judge(judge::JudgeProgram),
    /// Find what a coach's words give away before the learner has found it
    Leak(leak::FindLeaks),
    /// Coach a coding agent: hooks, log, kill switch
    Agent(agent::Agents),
    /// Start the server
    Serve(serving::Serve),
    /// Serve the tutor's tools to an assistant over MCP, on standard input and output
    Mcp(mcp::Serve),
    /// Print the owner's access token, or create, list and revoke tokens for others
    Token(tokens::Tokens),
    /// Show the scheduled jobs, change their times, or run one now
    Jobs(jobs::Jobs),
    /// Print what an assistant needs to know to continue a course
    Context(context::Context),
    /// Prove a law: find dead ends, endless loops, broken invariants
    Check(laws::Check),
    /// Run the scenarios in .feature files
    Test(testing::Test),
    /// Export a law as a diagram or as code
    Export(laws::Export),
    /// Explain a problem code
    Explain(laws::Explain),
    /// Show what changed between two laws, and what that means for open flows
    Diff(laws::Diff),
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
    /// Replay the log of a flow and compare the result
    Replay(instances::Replay),
    /// List effects that failed for good, or retry one
    Dead(instances::Dead),
    /// Write everything into a file, while servers run
    Backup(backup::BackUp),
    /// Read a backup into an empty database
    Restore(backup::Restore),
    /// Delete the logs of flows that ended long ago
    Prune(backup::Prune),
    /// Check this installation, and say how to fix what does not work
    Doctor,
    /// Print a completion script for your shell
    Completions { shell: clap_complete::Shell },
}

/// The groups in the program's help. Each one lasts up to the command named here.
const GROUPS: [(&str, &str); 6] = [
    ("Learn", "leak"),
    ("Coach an agent", "agent"),
    ("Serve", "context"),
    ("Prove laws", "diff"),
    ("Run laws", "dead"),
    ("This program", "completions"),
];

/// The exit codes besides 0 for success: 1 if the answer is no, 2 if the question could not be read.
pub(crate) const NO: u8 = 1;
pub(crate) const UNREADABLE: u8 = 2;

/// The user's request.
enum Asked {
    Command(Box<Command>),
    /// A flow without a command of its own.
    Play(Box<Face>, Box<play::Play>),
    Nothing,
}

/// Runs the program with these flows. Each flow without a command of its own gets one.
pub fn run(flows: FlowList) -> ExitCode {
    // In a sandbox, this program also starts learners' programs; it then does not come back from here.
    ::judge::inner();
    ::voice::engines::report_nothing();
    let is_hook = agent::is_hook(std::env::args_os());
    let unreadable = if is_hook { NO } else { UNREADABLE };
    let asks_help = std::env::args_os().any(|argument| argument == "--help" || argument == "-h");
    // A hook has to be quick, and needs only its own arguments read.
    let (faces, command) = match is_hook && !asks_help {
        true => (Vec::new(), Cli::command()),
        false => {
            let faces = own_faces(flows);
            let command = grouped(own_options_only(command(&faces)), &faces);
            (faces, command)
        }
    };
    let read = command.try_get_matches();
    let (args, asked) = match read.and_then(|matches| asked(&matches, &faces)) {
        Ok(read) => read,
        Err(told) => {
            let _ = told.print();
            return if told.use_stderr() { ExitCode::from(unreadable) } else { ExitCode::SUCCESS };
        }
    };
    let config = match config::Config::resolve(&args, flows) {
        Ok(config) => config,
        Err(message) => return output::error(&message, unreadable),
    };
    let is_command =
        |wanted: fn(&Command) -> bool| matches!(&asked, Asked::Command(command) if wanted(command));
    let serves = is_command(|command| matches!(command, Command::Serve(_)));
    if !serves {
        ::voice::engines::spare_memory();
    }
    // A server reports its work; in a terminal, log lines would interrupt the conversation.
    config.log.start(if serves { "info" } else { "warn" });
    // A hook does one thing and has to be quick, so one thread is enough.
    let mut builder = match is_command(|command| matches!(command, Command::Agent(_))) {
        true => tokio::runtime::Builder::new_current_thread(),
        false => tokio::runtime::Builder::new_multi_thread(),
    };
    let runtime = match builder.enable_all().build() {
        Ok(runtime) => runtime,
        Err(error) => return output::error(&format!("the program cannot start: {error}"), NO),
    };
    let done = runtime.block_on(async {
        match asked {
            Asked::Command(command) => run_command(*command, &config).await,
            Asked::Play(face, play) => play.run(*face, &config).await,
            Asked::Nothing => greeting::greet(&config).await,
        }
    });
    done.unwrap_or_else(|stop| stop.tell(config.json))
}

/// Returns the faces of the flows without a command of their own.
fn own_faces(flows: FlowList) -> Vec<Face> {
    let shipped = Cli::command();
    let has_command =
        |face: &Face| shipped.find_subcommand(face.name).is_some() || teach::FLOWS.contains(&face.name);
    let flows = flows(None);
    flows.entries().filter_map(|entry| entry.face).filter(|face| !has_command(face)).collect()
}

/// Builds the command line, and passes the global options on to every command.
fn command(faces: &[Face]) -> clap::Command {
    let mut command = Cli::command().subcommands(faces.iter().map(play::command));
    command.build();
    command
}

fn asked(matches: &ArgMatches, faces: &[Face]) -> Result<(config::Args, Asked), clap::Error> {
    let args = config::Args::from_arg_matches(matches)?;
    let face = |name: &str| faces.iter().find(|face| face.name == name).copied();
    let asked = match matches.subcommand().and_then(|(name, below)| Some((face(name)?, below))) {
        Some((face, below)) => Asked::Play(Box::new(face), Box::new(play::Play::from_arg_matches(below)?)),
        None => match Cli::from_arg_matches(matches)?.command {
            Some(command) => Asked::Command(Box::new(command)),
            None => Asked::Nothing,
        },
    };
    Ok((args, asked))
}

/// Hides the global options in the help of single commands. The program's help lists them.
fn own_options_only(command: clap::Command) -> clap::Command {
    let own = |arg: clap::Arg| {
        let is_hidden = arg.is_hide_set() || arg.get_help_heading() == Some(config::GLOBAL);
        arg.hide(is_hidden)
    };
    let below = |command: clap::Command| {
        own_options_only(command.mut_args(own)).after_help("`etude --help` lists the global options.")
    };
    let names: Vec<String> = command.get_subcommands().map(|below| below.get_name().to_owned()).collect();
    names.into_iter().fold(command, |command, name| command.mut_subcommand(name, below))
}

/// Lists the commands of the program's help by their purpose.
fn grouped(command: clap::Command, faces: &[Face]) -> clap::Command {
    let is_listed = |below: &&clap::Command| below.get_name() != "help";
    let line = |below: &clap::Command| {
        let about = below.get_about().map(ToString::to_string).unwrap_or_default();
        format!("  {:<12} {about}\n", below.get_name())
    };
    let is_own = |below: &&clap::Command| faces.iter().any(|face| face.name == below.get_name());
    let (own, shipped): (Vec<_>, Vec<_>) = command.get_subcommands().filter(is_listed).partition(is_own);
    let mut shipped = shipped.into_iter();
    let mut list = String::new();
    for (at, (heading, last)) in GROUPS.iter().enumerate() {
        list += &format!("{}{heading}:\n", if at == 0 { "" } else { "\n" });
        for below in shipped.by_ref() {
            list += &line(below);
            if below.get_name() == *last {
                break;
            }
        }
        list.extend(own.iter().filter(|_| at == 0).map(|below| line(below)));
    }
    command
        .mut_subcommands(|below| below.hide(true))
        .override_usage("etude [OPTIONS] [COMMAND]")
        .after_help(list.trim_end().to_owned())
        .help_template("{about-with-newline}\n{usage-heading} {usage}{after-help}\n\n{all-args}")
}

async fn run_command(command: Command, config: &config::Config) -> output::Done {
    match command {
        Command::Drill(args) => args.run(config).await,
        Command::Teach(args) => args.run(config).await,
        Command::Attempt(args) => args.run(config).await,
        Command::Voice(args) => args.run(config).await,
        Command::Progress(args) => args.run(config).await,
        Command::Context(args) => args.run(config).await,
        Command::Jobs(args) => args.run(config).await,
        Command::Learner(args) => args.run(config).await,
        Command::Pack(args) => args.run(config).await,
        Command::Match(args) => args.run(config),
        Command::Grade(args) => args.run(config),
        Command::Judge(args) => args.run(config),
        Command::Leak(args) => args.run(config),
        Command::Memory(args) => args.run(config).await,
        Command::Agent(args) => args.run(config).await,
        Command::Check(args) => args.run(config),
        Command::Test(args) => args.run(config).await,
        Command::Export(args) => args.run(config),
        Command::Explain(args) => args.run(config),
        Command::Diff(args) => args.run(config),
        Command::Backup(args) => args.run(config).await,
        Command::Restore(args) => args.run(config).await,
        Command::Prune(args) => args.run(config).await,
        Command::Doctor => doctor::run(config).await,
        Command::Serve(args) => args.run(config).await,
        Command::Mcp(args) => args.run(config).await,
        Command::Token(args) => args.run(config).await,
        Command::New(args) => args.run(config).await,
        Command::Show(args) => args.run(config).await,
        Command::List(args) => args.run(config).await,
        Command::Send(args) => args.run(config).await,
        Command::Log(args) => args.run(config).await,
        Command::Replay(args) => args.run(config).await,
        Command::Dead(args) => args.run(config).await,
        Command::Completions { shell } => {
            let mut command = self::command(&own_faces(config.flows));
            let mut script = Vec::new();
            clap_complete::generate(shell, &mut command, "etude", &mut script);
            output::text(&String::from_utf8_lossy(&script));
            Ok(ExitCode::SUCCESS)
        }
    }
}
