//! `etude agent install` and `uninstall`: the one line in an agent's settings that lets the coach in.

use super::contract::Agent;
use super::settings_file::SettingsFile;
use crate::cli::config::Config;
use crate::cli::output::{self, Done, GOOD, QUIET, STRONG, no, paint, quoted, say, unreadable};
use clap::Args;
use serde_json::{Map, Value, json};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

const PLUGIN: &str = include_str!("opencode.js");
/// How long an agent waits for the hook.
const TIMEOUT_S: u32 = 10;

#[derive(Debug, Args)]
pub(crate) struct Install {
    #[command(flatten)]
    target: Target,
    /// Also report every tool call to the watchdog
    #[arg(long)]
    watch_tools: bool,
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

/// Where an agent keeps its hooks and what they look like there.
struct Place {
    agent: Agent,
    /// Below the home folder, and below a project.
    files: [&'static str; 2],
    events: &'static [&'static str],
    /// The tool events, which only `--watch-tools` installs.
    tools: &'static [&'static str],
    shape: Shape,
    /// What the user has to do then.
    next: &'static str,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Shape {
    /// An event has groups, a group has hooks.
    Groups,
    /// An event has hooks; the file says which version it has.
    Flat,
}

const PLACES: &[Place] = &[
    Place {
        agent: Agent::ClaudeCode,
        files: [".claude/settings.json", ".claude/settings.json"],
        events: &["Stop", "StopFailure", "UserPromptSubmit"],
        tools: &["PostToolUse", "PostToolUseFailure"],
        shape: Shape::Groups,
        next: "Sessions that begin from now on are coached; `/hooks` shows the hook.",
    },
    Place {
        agent: Agent::Codex,
        files: [".codex/hooks.json", ".codex/hooks.json"],
        events: &["Stop", "StopFailure", "UserPromptSubmit"],
        tools: &["PostToolUse"],
        shape: Shape::Groups,
        next: "Codex runs a hook only after you trust it: start Codex, type /hooks and trust this one, once.",
    },
    Place {
        agent: Agent::Gemini,
        files: [".gemini/settings.json", ".gemini/settings.json"],
        events: &["AfterAgent", "BeforeAgent"],
        tools: &["AfterTool"],
        shape: Shape::Groups,
        next: "Start Gemini CLI anew; `/hooks` shows whether hooks are enabled.",
    },
    Place {
        agent: Agent::Cursor,
        files: [".cursor/hooks.json", ".cursor/hooks.json"],
        events: &["afterAgentResponse", "stop", "beforeSubmitPrompt"],
        tools: &[],
        shape: Shape::Flat,
        next: "Restart Cursor; its settings show the hooks that run.",
    },
    Place {
        agent: Agent::Copilot,
        files: [".copilot/hooks/etude.json", ".github/hooks/etude.json"],
        events: &["agentStop", "errorOccurred", "userPromptSubmitted"],
        tools: &[],
        shape: Shape::Flat,
        next: "Sessions that begin from now on are coached.",
    },
];
const PLUGIN_FILES: [&str; 2] = [".config/opencode/plugin/etude.js", ".opencode/plugin/etude.js"];

impl Install {
    pub(crate) fn run(self, config: &Config) -> Done {
        self.target.change(config, Change::Add { watch_tools: self.watch_tools })
    }
}

impl Uninstall {
    pub(crate) fn run(self, config: &Config) -> Done {
        self.target.change(config, Change::Remove)
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Change {
    Add { watch_tools: bool },
    Remove,
}

/// How the hook is called: the program, and where its data is.
struct Call {
    program: PathBuf,
    flags: Vec<String>,
}

/// What was done to which file.
struct Changed {
    path: PathBuf,
    is_changed: bool,
    /// The text that would be written, in a dry run.
    text: Option<String>,
}

impl Target {
    fn change(&self, config: &Config, change: Change) -> Done {
        let program = std::env::current_exe();
        let program =
            program.map_err(|error| no(format!("the program does not know where it is: {error}")))?;
        let call = Call { program, flags: config.flags() };
        let place = PLACES.iter().find(|place| place.agent == self.agent);
        let done = match (place, self.agent) {
            (Some(place), _) => {
                self.path(config, place.files).and_then(|path| self.change_hooks(place, &path, &call, change))
            }
            (None, Agent::Opencode) => {
                self.path(config, PLUGIN_FILES).and_then(|path| self.change_plugin(&path, &call, change))
            }
            (None, _) => {
                return Err(unreadable(
                    "there is nothing to install: call `etude agent hook generic` with {\"session_id\", \"text\"} \
                     whenever your agent stops, and go on when it answers \"continue\"",
                ));
            }
        };
        self.tell(config, &done.map_err(no)?, place.map(|place| place.next), change != Change::Remove)
    }

    fn path(&self, config: &Config, [own, project]: [&str; 2]) -> Result<PathBuf, String> {
        match (&self.project, &config.home) {
            (Some(folder), _) if folder.is_dir() => Ok(folder.join(project)),
            (Some(folder), _) => Err(format!("{} is not a folder", folder.display())),
            (None, Some(home)) => Ok(home.join(own)),
            (None, None) => {
                Err("no home folder is known: set HOME, or give a project with --project".to_owned())
            }
        }
    }

    fn change_hooks(
        &self,
        place: &Place,
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
            Change::Add { .. } => file.save()?,
            Change::Remove => place.take_back(&file, call)?,
        }
        Ok(Changed { path: file.path().to_owned(), is_changed, text: self.dry_run.then(|| file.text()) })
    }

    fn change_plugin(&self, path: &Path, call: &Call, change: Change) -> Result<Changed, String> {
        let adds = change != Change::Remove;
        let program = json!(call.program.display().to_string()).to_string();
        let text = PLUGIN.replace("\"@PROGRAM@\"", &program);
        let text = text.replace("\"@FLAGS@\"", &json!(call.flags).to_string());
        let is_there = std::fs::read_to_string(path).ok();
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

    fn tell(&self, config: &Config, done: &Changed, next: Option<&str>, adds: bool) -> Done {
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
        Ok(ExitCode::SUCCESS)
    }
}

fn misshapen(file: &SettingsFile, why: &str) -> String {
    format!("{}: {why}; nothing was changed. Repair the file, or add the hook by hand", file.path().display())
}

impl Place {
    /// Adds the hook to every event that lacks exactly this one.
    fn add(&self, settings: &mut Map<String, Value>, call: &Call, watch_tools: bool) -> Result<(), String> {
        if self.shape == Shape::Flat {
            settings.entry("version").or_insert_with(|| json!(1));
        }
        let handler = self.handler(call);
        let hooks = settings.entry("hooks").or_insert_with(|| json!({}));
        let hooks = hooks.as_object_mut().ok_or("`hooks` is not an object")?;
        let tools = if watch_tools { self.tools } else { &[] };
        for event in self.events.iter().chain(tools) {
            let listed = hooks.entry(*event).or_insert_with(|| json!([]));
            let listed = listed.as_array_mut().ok_or_else(|| format!("`hooks.{event}` is not a list"))?;
            let is_there = listed.iter().any(|entry| self.handlers(entry).contains(&&handler));
            if !is_there {
                self.remove_from(listed);
                listed.push(match self.shape {
                    Shape::Groups => json!({"hooks": [handler]}),
                    Shape::Flat => handler.clone(),
                });
            }
        }
        Ok(())
    }

    /// Removes every hook of Etude, and the entries that are then empty.
    fn remove(&self, settings: &mut Map<String, Value>) {
        let Some(hooks) = settings.get_mut("hooks").and_then(Value::as_object_mut) else { return };
        let had_hooks = !hooks.is_empty();
        hooks.retain(|_, listed| {
            let Some(listed) = listed.as_array_mut() else { return true };
            let is_ours = self.remove_from(listed);
            !(is_ours && listed.is_empty())
        });
        if had_hooks && hooks.is_empty() {
            settings.shift_remove("hooks");
        }
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
            None if self.is_bare(&file.settings) => file.delete(),
            None => file.save_for_good(),
        }
    }

    /// Whether there was one to remove.
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

    /// The hooks of one entry of an event.
    fn handlers<'v>(&self, entry: &'v Value) -> Vec<&'v Value> {
        match self.shape {
            Shape::Groups => entry.get("hooks").and_then(Value::as_array).into_iter().flatten().collect(),
            Shape::Flat => vec![entry],
        }
    }

    /// A hook is known by its command, wherever the program was when it was installed.
    fn is_ours(&self, handler: &Value) -> bool {
        let command = ["command", "bash"].iter().find_map(|field| handler.get(field)?.as_str());
        let ending = format!("agent hook {}", self.agent.name());
        command.is_some_and(|command| command.ends_with(&ending) && command.contains("etude"))
    }

    fn handler(&self, call: &Call) -> Value {
        let program = call.program.display().to_string();
        let words = std::iter::once(&program).chain(&call.flags).map(|word| quoted(word));
        let command = format!("{} agent hook {}", words.collect::<Vec<_>>().join(" "), self.agent.name());
        match self.agent {
            Agent::Gemini => {
                json!({"name": "etude", "type": "command", "command": command, "timeout": TIMEOUT_S * 1_000})
            }
            Agent::Cursor => json!({"command": command}),
            Agent::Copilot => json!({"type": "command", "bash": command, "timeoutSec": TIMEOUT_S}),
            _ => json!({"type": "command", "command": command, "timeout": TIMEOUT_S}),
        }
    }

    /// Whether a file contains nothing worth keeping.
    fn is_bare(&self, settings: &Map<String, Value>) -> bool {
        settings.keys().all(|name| self.shape == Shape::Flat && name == "version")
    }
}
