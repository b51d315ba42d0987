//! `etude agent install` and `uninstall`: add and remove the entry in an agent's settings that calls the coach.

use super::contract::Agent;
use super::hook::max_continues_help;
use super::settings_file::SettingsFile;
use crate::cli::config::Config;
use crate::cli::output::{self, Done, GOOD, QUIET, STRONG, no, note, paint, quoted, say, unreadable};
use clap::Args;
use serde_json::{Map, Value, json};
use shell::agent::MAX_CONTINUES;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

const PLUGIN: &str = include_str!("opencode.js");
/// A text that every plugin written by Etude contains.
const PLUGIN_MARK: &str = "Written by `etude agent install opencode`";
/// How long an agent waits for a hook that runs no check.
const TIMEOUT_S: u64 = 10;
/// The program's name, for files that others read.
const PROGRAM: &str = "etude";

#[derive(Debug, Args)]
pub(crate) struct Install {
    #[command(flatten)]
    target: Target,
    /// Also report every tool call to the watchdog
    #[arg(long)]
    watch_tools: bool,
    /// A shell command that decides whether finished work is really done
    #[arg(long, value_name = "COMMAND")]
    check: Option<String>,
    /// The agent's plan; its success criteria count
    #[arg(long, value_name = "FILE")]
    plan: Option<PathBuf>,
    #[arg(long, value_name = "NUMBER", help = max_continues_help(), value_parser = clap::value_parser!(i64).range(1..=MAX_CONTINUES))]
    max_continues: Option<i64>,
    /// Coach in every folder, not only in those allowed with `etude agent allow`
    #[arg(long)]
    everywhere: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Uninstall {
    #[command(flatten)]
    target: Target,
}

#[derive(Debug, Args)]
struct Target {
    /// The agent
    agent: Agent,
    /// Use this project's settings instead of your own
    #[arg(long, value_name = "DIR")]
    project: Option<PathBuf>,
    /// Show the change without writing it
    #[arg(long)]
    dry_run: bool,
}

/// The place and the shape of an agent's hooks.
struct HookPlace {
    agent: Agent,
    /// The file below the home folder, and the one below a project. For a project, one that is not committed,
    /// if the agent has such a file.
    files: [&'static str; 2],
    /// The environment variable that moves the folder, and the file inside that folder.
    moved: (&'static str, &'static str),
    events: &'static [&'static str],
    /// The tool events, which only `--watch-tools` installs.
    tools: &'static [&'static str],
    shape: Shape,
    /// The user's next step after the installation.
    next: &'static str,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Shape {
    /// Events hold groups, and groups hold hooks.
    Groups,
    /// Events hold hooks directly, and the file names its version.
    Flat,
}

const PLACES: &[HookPlace] = &[
    HookPlace {
        agent: Agent::ClaudeCode,
        files: [".claude/settings.json", ".claude/settings.local.json"],
        moved: ("CLAUDE_CONFIG_DIR", "settings.json"),
        events: &["Stop", "StopFailure", "UserPromptSubmit"],
        tools: &["PostToolUse", "PostToolUseFailure"],
        shape: Shape::Groups,
        next: "Sessions that begin from now on are coached; `/hooks` shows the hook.",
    },
    HookPlace {
        agent: Agent::Codex,
        files: [".codex/hooks.json", ".codex/hooks.json"],
        moved: ("CODEX_HOME", "hooks.json"),
        events: &["Stop", "StopFailure", "UserPromptSubmit"],
        tools: &["PostToolUse"],
        shape: Shape::Groups,
        next: "Codex runs a hook only after you trust it: start Codex, type /hooks and trust this one, once.",
    },
    HookPlace {
        agent: Agent::Gemini,
        files: [".gemini/settings.json", ".gemini/settings.json"],
        moved: ("GEMINI_CLI_HOME", ".gemini/settings.json"),
        events: &["AfterAgent", "BeforeAgent"],
        tools: &["AfterTool"],
        shape: Shape::Groups,
        next: "Restart Gemini CLI; `/hooks` shows whether hooks are enabled.",
    },
    HookPlace {
        agent: Agent::Cursor,
        files: [".cursor/hooks.json", ".cursor/hooks.json"],
        moved: ("CURSOR_CONFIG_DIR", "hooks.json"),
        events: &["afterAgentResponse", "stop", "beforeSubmitPrompt"],
        tools: &[],
        shape: Shape::Flat,
        next: "Restart Cursor; its settings show the hooks that run.",
    },
    HookPlace {
        agent: Agent::Copilot,
        files: [".copilot/hooks/etude.json", ".github/hooks/etude.json"],
        moved: ("COPILOT_HOME", "hooks/etude.json"),
        events: &["agentStop", "errorOccurred", "userPromptSubmitted"],
        tools: &[],
        shape: Shape::Flat,
        next: "Sessions that begin from now on are coached.",
    },
];
const PLUGIN_NEXT: &str = "Sessions that begin after OpenCode is started anew are coached.";
const PLUGIN_MOVED: (&str, &str) = ("OPENCODE_CONFIG_DIR", "plugin/etude.js");
const PLUGIN_FILES: [&str; 2] = [".config/opencode/plugin/etude.js", ".opencode/plugin/etude.js"];

impl Install {
    pub(crate) fn run(self, config: &Config) -> Done {
        let is_own = self.target.project.is_none();
        let mut flags = Vec::new();
        let mut flag = |name: &str, value: Option<String>| {
            flags.extend(value.map(|value| [name.to_owned(), value]).into_iter().flatten());
        };
        flag("--check", self.check.clone());
        flag("--plan", self.plan.as_ref().map(|path| path.display().to_string()));
        flag("--max-continues", self.max_continues.map(|most| most.to_string()));
        if is_own && !self.everywhere {
            flags.push("--where-allowed".to_owned());
        }
        self.warn(config);
        self.target.change(config, Change::Add { watch_tools: self.watch_tools }, flags)
    }
}

impl Install {
    /// Warns of a setup that works, but not as its user may expect.
    fn warn(&self, config: &Config) {
        let is_own = self.target.project.is_none();
        // A hook resolves the plan against its agent's folder.
        let folder = self.target.project.clone().unwrap_or_default();
        if let Some(plan) = self.plan.as_ref().filter(|plan| !folder.join(plan).is_file()) {
            note(&format!(
                "there is no plan at {}; until there is one, it counts for nothing",
                folder.join(plan).display()
            ));
        }
        if !is_own && !config.search_path().iter().any(|folder| folder.join(PROGRAM).is_file()) {
            note(&format!(
                "the hook calls `{PROGRAM}`, and your PATH has no such program, so nothing will answer it. Put it there: \
                 `cargo install --path crates/etude`"
            ));
        }
        if let Some(other) = self.target.other_hook(config) {
            let how = if is_own { " --project ." } else { "" };
            note(&format!(
                "{} has the hook too, so both hear of every stop, and the first one decides. Remove one: `etude agent \
                 uninstall {}{how}`",
                other.display(),
                self.target.agent.name()
            ));
        }
    }
}

impl Uninstall {
    pub(crate) fn run(self, config: &Config) -> Done {
        self.target.change(config, Change::Remove, Vec::new())
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Change {
    Add { watch_tools: bool },
    Remove,
}

/// The parts of a hook's command line, and its time limit.
struct Call {
    program: String,
    flags: Vec<String>,
    hook_flags: Vec<String>,
    timeout_s: u64,
}

/// The outcome of a change to one file.
struct Changed {
    path: PathBuf,
    is_changed: bool,
    /// The text that a dry run would write.
    text: Option<String>,
}

impl Target {
    fn change(&self, config: &Config, change: Change, hook_flags: Vec<String>) -> Done {
        let program = std::env::current_exe();
        let program =
            program.map_err(|error| no(format!("the program does not know where it is: {error}")))?;
        let settings = config.agents().map_err(unreadable)?;
        let call = Call {
            // Other people may read a project's file, so it contains no path of this user.
            program: if self.project.is_some() { PROGRAM.to_owned() } else { program.display().to_string() },
            flags: if self.project.is_some() { Vec::new() } else { config.flags() },
            hook_flags,
            // The hook enforces its own limit. This one leaves room for a check that is added to the settings later.
            timeout_s: TIMEOUT_S + settings.check_s,
        };
        let place = PLACES.iter().find(|place| place.agent == self.agent);
        let done = match (place, self.agent) {
            (Some(place), _) => self
                .path(config, place.files, place.moved)
                .and_then(|path| self.change_hooks(place, &path, &call, change)),
            (None, Agent::Opencode) => self
                .path(config, PLUGIN_FILES, PLUGIN_MOVED)
                .and_then(|path| self.change_plugin(&path, &call, change)),
            (None, _) => {
                return Err(unreadable(
                    "there is nothing to install: call `etude agent hook generic` with {\"session_id\", \"text\"} \
                     whenever your agent stops, and go on when it answers \"continue\"",
                ));
            }
        };
        let is_limited = call.hook_flags.iter().any(|flag| flag == "--where-allowed");
        self.tell(
            config,
            &done.map_err(no)?,
            Some(place.map_or(PLUGIN_NEXT, |place| place.next)),
            change != Change::Remove,
            is_limited,
        )
    }

    fn path(
        &self,
        config: &Config,
        [own, project]: [&str; 2],
        moved: (&str, &str),
    ) -> Result<PathBuf, String> {
        let (variable, file) = moved;
        match (&self.project, &config.home) {
            (None, _) if config.variable(variable).is_some() => {
                Ok(PathBuf::from(config.variable(variable).unwrap_or_default()).join(file))
            }
            (Some(folder), _) if folder.is_dir() => Ok(folder.join(project)),
            (Some(folder), _) => Err(format!("{} is not a folder", folder.display())),
            (None, Some(home)) => Ok(home.join(own)),
            (None, None) => {
                Err("no home folder is known: set HOME, or give a project with --project".to_owned())
            }
        }
    }

    /// Returns the other place that has the hook as well: the user's own file, or that of the current project.
    fn other_hook(&self, config: &Config) -> Option<PathBuf> {
        let place = PLACES.iter().find(|place| place.agent == self.agent)?;
        let project = if self.project.is_some() { None } else { std::env::current_dir().ok() };
        let other = Target { agent: self.agent, project, dry_run: true };
        let path = other.path(config, place.files, place.moved).ok()?;
        let own = self.path(config, place.files, place.moved).ok()?;
        let file = SettingsFile::read(&path).ok().filter(|_| path != own)?;
        place.is_in(&file.settings).then_some(path)
    }

    fn change_hooks(
        &self,
        place: &HookPlace,
        path: &Path,
        call: &Call,
        change: Change,
    ) -> Result<Changed, String> {
        let mut file = SettingsFile::read(path)?;
        let before = file.settings.clone();
        match change {
            Change::Add { watch_tools } => {
                place.add(&mut file.settings, call, watch_tools).map_err(|why| misshapen(&file, &why))?;
            }
            Change::Remove => place.remove(&mut file.settings),
        }
        let is_changed = file.settings != before;
        match change {
            _ if self.dry_run || !is_changed => {}
            // A file that already had Etude's hook is not the user's original, so it is not backed up.
            Change::Add { .. } => file.save(!place.is_in(&before))?,
            Change::Remove => place.take_back(&file, call)?,
        }
        Ok(Changed { path: file.path().to_owned(), is_changed, text: self.dry_run.then(|| file.text()) })
    }

    fn change_plugin(&self, path: &Path, call: &Call, change: Change) -> Result<Changed, String> {
        let adds = change != Change::Remove;
        let text = PLUGIN.replace("\"@PROGRAM@\"", &json!(call.program).to_string());
        let text = text.replace("\"@FLAGS@\"", &json!(call.flags).to_string());
        let text = text.replace("\"@HOOK_FLAGS@\"", &json!(call.hook_flags).to_string());
        let is_there = std::fs::read_to_string(path).ok();
        if is_there.as_ref().is_some_and(|there| !there.contains(PLUGIN_MARK)) {
            let name = path.display();
            return Err(format!("{name} is not Etude's, so it was left alone. Give that file another name"));
        }
        let is_changed = if adds { is_there.as_deref() != Some(&text) } else { is_there.is_some() };
        let failed = |error| format!("{} cannot be written: {error}", path.display());
        if is_changed && !self.dry_run {
            if adds {
                path.parent().map_or(Ok(()), std::fs::create_dir_all).map_err(failed)?;
                std::fs::write(path, &text).map_err(failed)?;
            } else {
                std::fs::remove_file(path).map_err(failed)?;
            }
        }
        Ok(Changed { path: path.to_owned(), is_changed, text: (self.dry_run && adds).then_some(text) })
    }

    fn tell(
        &self,
        config: &Config,
        done: &Changed,
        next: Option<&str>,
        adds: bool,
        is_limited: bool,
    ) -> Done {
        if config.json {
            let path = done.path.display().to_string();
            let changed = done.is_changed && !self.dry_run;
            let next = next.filter(|_| adds);
            return output::json(
                &json!({"agent": self.agent.name(), "path": path, "changed": changed, "next": next}),
            );
        }
        if let Some(text) = &done.text {
            output::text(text);
        }
        let what = match (self.dry_run, done.is_changed, adds) {
            (true, true, _) => paint(QUIET, "this would be written; nothing was"),
            (_, false, true) => paint(GOOD, "the hook is there already"),
            (_, false, false) => paint(GOOD, "there is no hook of Etude"),
            (false, true, true) => paint(GOOD, "the hook is in"),
            (false, true, false) => paint(GOOD, "the hook is out"),
        };
        say!("{what}: {}", done.path.display());
        if let Some(next) = next.filter(|_| adds && !self.dry_run) {
            say!("  {} {next}", paint(STRONG, "do:"));
        }
        if is_limited && adds && !self.dry_run {
            say!(
                "  {} `etude agent allow` in each folder where agents are to be coached.",
                paint(STRONG, "do:")
            );
        }
        Ok(ExitCode::SUCCESS)
    }
}

fn misshapen(file: &SettingsFile, why: &str) -> String {
    format!("{}: {why}; nothing was changed. Repair the file, or add the hook by hand", file.path().display())
}

/// Whether a hook's program is Etude. Its user may have renamed it.
fn is_etude(program: &str) -> bool {
    let name = Path::new(program).file_stem();
    let own = std::env::current_exe().ok();
    name.is_some_and(|name| name == PROGRAM || own.is_some_and(|own| own.file_stem() == Some(name)))
}

/// Splits the first command of a line. Its user may have added more, such as `2>/dev/null`.
fn words_of_call(command: &str) -> Option<Vec<String>> {
    let (mut words, mut is_quoted, mut is_begun) = (vec![String::new()], false, false);
    let mut letters = command.trim().chars();
    while let Some(c) = letters.next() {
        match c {
            '\'' => is_quoted = !is_quoted,
            _ if is_quoted => words.last_mut()?.push(c),
            '\\' => words.last_mut()?.push(letters.next()?),
            '|' | ';' | '&' | '<' | '>' | '`' | '$' | '\n' => break,
            ' ' if is_begun => words.push(String::new()),
            ' ' => {}
            _ => words.last_mut()?.push(c),
        }
        is_begun = c != ' ' || is_quoted;
    }
    (!is_quoted).then_some(words)
}

impl HookPlace {
    /// Writes the hook into every wanted event, and removes it from the others.
    fn add(&self, settings: &mut Map<String, Value>, call: &Call, watch_tools: bool) -> Result<(), String> {
        if self.shape == Shape::Flat {
            settings.entry("version").or_insert_with(|| json!(1));
        }
        let handler = self.handler(call);
        let hooks = settings.entry("hooks").or_insert_with(|| json!({}));
        let hooks = hooks.as_object_mut().ok_or("`hooks` is not an object")?;
        let tools = if watch_tools { self.tools } else { &[] };
        let wanted: Vec<&str> = self.events.iter().chain(tools).copied().collect();
        self.remove_unless(hooks, |event| wanted.contains(&event));
        for event in wanted {
            let listed = hooks.entry(event).or_insert_with(|| json!([]));
            let listed = listed.as_array_mut().ok_or_else(|| format!("`hooks.{event}` is not a list"))?;
            let ours =
                listed.iter().flat_map(|entry| self.handlers(entry)).filter(|known| self.is_ours(known));
            if ours.collect::<Vec<_>>() != [&handler] {
                self.remove_from(listed);
                listed.push(match self.shape {
                    Shape::Groups => json!({"hooks": [handler]}),
                    Shape::Flat => handler.clone(),
                });
            }
        }
        Ok(())
    }

    fn is_in(&self, settings: &Map<String, Value>) -> bool {
        let mut without = settings.clone();
        self.remove(&mut without);
        without != *settings
    }

    /// Removes every hook of Etude, and the entries that are empty afterwards.
    fn remove(&self, settings: &mut Map<String, Value>) {
        let Some(hooks) = settings.get_mut("hooks").and_then(Value::as_object_mut) else { return };
        let had_hooks = !hooks.is_empty();
        self.remove_unless(hooks, |_| false);
        if had_hooks && hooks.is_empty() {
            settings.shift_remove("hooks");
        }
    }

    /// Removes every hook of Etude from the events that `is_meant` rejects, and the events that are empty afterwards.
    fn remove_unless(&self, hooks: &mut Map<String, Value>, is_meant: impl Fn(&str) -> bool) {
        hooks.retain(|event, listed| {
            let Some(listed) = listed.as_array_mut().filter(|_| !is_meant(event)) else { return true };
            let is_ours = self.remove_from(listed);
            !(is_ours && listed.is_empty())
        });
    }

    /// Writes the settings without the hook. If nothing else has changed since the hook was added, restores the
    /// original file.
    fn take_back(&self, file: &SettingsFile, call: &Call) -> Result<(), String> {
        match file.original() {
            Some(mut original) => {
                let is_added = self.add(&mut original, call, false).is_ok();
                self.remove(&mut original);
                if is_added && original == file.settings { file.restore() } else { file.save_for_good() }
            }
            None if self.is_bare(&file.settings) && !file.is_linked => file.delete(),
            None => file.save_for_good(),
        }
    }

    /// Removes Etude's hooks from an event. Returns whether there was one.
    fn remove_from(&self, listed: &mut Vec<Value>) -> bool {
        let mut is_found = false;
        listed.retain_mut(|entry| {
            if !self.handlers(entry).iter().any(|handler| self.is_ours(handler)) {
                return true;
            }
            is_found = true;
            match entry.get_mut("hooks").and_then(Value::as_array_mut) {
                Some(handlers) => {
                    handlers.retain(|handler| !self.is_ours(handler));
                    !handlers.is_empty()
                }
                None => false,
            }
        });
        is_found
    }

    /// Returns the hooks of one entry of an event.
    fn handlers<'v>(&self, entry: &'v Value) -> Vec<&'v Value> {
        match self.shape {
            Shape::Groups => entry.get("hooks").and_then(Value::as_array).into_iter().flatten().collect(),
            Shape::Flat => vec![entry],
        }
    }

    /// Whether a hook is Etude's. Its command tells, wherever the program was when it was installed.
    fn is_ours(&self, handler: &Value) -> bool {
        let command = ["command", "bash"].iter().find_map(|field| handler.get(field)?.as_str());
        let Some(words) = command.and_then(words_of_call) else { return false };
        let Some((program, rest)) = words.split_first() else { return false };
        let is_call =
            |three: &[String]| three[0] == "agent" && three[1] == "hook" && three[2] == self.agent.name();
        is_etude(program) && rest.windows(3).any(is_call)
    }

    fn handler(&self, call: &Call) -> Value {
        let joined =
            |words: &[String]| words.iter().map(|word| format!(" {}", quoted(word))).collect::<String>();
        let (program, name, timeout_s) = (quoted(&call.program), self.agent.name(), call.timeout_s);
        let command =
            format!("{program}{} agent hook {name}{}", joined(&call.flags), joined(&call.hook_flags));
        match self.agent {
            Agent::Gemini => {
                json!({"name": "etude", "type": "command", "command": command, "timeout": timeout_s * 1_000})
            }
            Agent::Cursor => json!({"command": command}),
            Agent::Copilot => json!({"type": "command", "bash": command, "timeoutSec": timeout_s}),
            _ => json!({"type": "command", "command": command, "timeout": timeout_s}),
        }
    }

    /// Whether a file contains nothing worth keeping: no settings beyond the version.
    fn is_bare(&self, settings: &Map<String, Value>) -> bool {
        settings.keys().all(|name| self.shape == Shape::Flat && name == "version")
    }
}
