//! Defines the settings about agents: the section `[agent]` of the settings file.

use super::word::Terms;
use coaching::agent::caution::CAREFUL;
use coaching::agent::{MAX_MINUTES, MIN_CONFIDENCE, Thresholds};
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct AgentSettings {
    /// The watchdog's thresholds: silence and working time in seconds, the number of same calls and of errors in a
    /// row.
    pub silence_s: u64,
    pub duration_s: u64,
    pub same_calls: u32,
    pub errors: u32,
    /// Whether `etude agent run` ends an agent that is silent, or working, for too long.
    pub end_when_silent: bool,
    pub end_when_long: bool,
    /// A program to run when the human is needed. `{message}`, `{project}`, `{session}` and `{agent}` are
    /// filled in.
    pub notify_command: String,
    /// Whether the desktop shows a notification when the human is needed.
    pub notify_desktop: bool,
    /// The address that the message is then posted to, such as an ntfy topic.
    pub notify_url: String,
    /// The Telegram chat that then gets the message, from the bot of `[telegram]`.
    pub notify_telegram_chat: String,
    /// How long a hook may wait for a model's verdict, in milliseconds. 0: hooks ask no model.
    pub hook_model_ms: u64,
    /// How long `etude agent run` and the server may wait for it, in milliseconds. 0: they ask no model.
    pub model_ms: u64,
    /// A shell command that decides whether finished work is really done, and its time limit in seconds.
    pub check: String,
    pub check_s: u64,
    /// Whether hooks may say a bare "continue". Runs always may: no human is beside the agent.
    pub plain_continue: bool,
    /// The confidence below which a verdict is a question, and the risk from which a step is left to the human.
    pub min_confidence: f64,
    pub max_risk: f64,
    /// The bounds of a new session, where they differ from the law's.
    pub max_continues: Option<u8>,
    pub max_rejections: Option<u8>,
    pub max_standstills: Option<u8>,
    pub max_minutes: Option<u32>,
    /// The settings of single folders.
    pub projects: Vec<ProjectSettings>,
}

/// The settings for work below a folder.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct ProjectSettings {
    pub folder: PathBuf,
    pub check: Option<String>,
    pub plan: Option<PathBuf>,
    pub max_continues: Option<u8>,
    pub plain_continue: Option<bool>,
}

impl Default for AgentSettings {
    fn default() -> AgentSettings {
        let Thresholds { silence_s, duration_s, same_calls, errors } = Thresholds::default();
        AgentSettings {
            silence_s,
            duration_s,
            same_calls,
            errors,
            end_when_silent: false,
            end_when_long: false,
            notify_command: String::new(),
            notify_desktop: false,
            notify_url: String::new(),
            notify_telegram_chat: String::new(),
            hook_model_ms: 3_000,
            model_ms: 20_000,
            check: String::new(),
            check_s: 300,
            plain_continue: false,
            min_confidence: MIN_CONFIDENCE,
            max_risk: CAREFUL,
            max_continues: None,
            max_rejections: None,
            max_standstills: None,
            max_minutes: None,
            projects: Vec::new(),
        }
    }
}

impl AgentSettings {
    /// Returns the settings for a folder: those of the innermost project that contains it.
    pub fn project(&self, folder: &Path) -> ProjectSettings {
        let within = self.projects.iter().filter(|project| folder.starts_with(&project.folder));
        within.max_by_key(|project| project.folder.components().count()).cloned().unwrap_or_default()
    }

    /// Replaces a leading `~` in the projects' folders by the home folder.
    pub fn at_home(mut self, home: &Path) -> AgentSettings {
        for project in &mut self.projects {
            if let Ok(below) = project.folder.strip_prefix("~") {
                project.folder = home.join(below);
            }
        }
        self
    }

    /// Returns the terms of a session that starts in a folder.
    pub fn terms(&self, folder: &Path) -> Terms {
        Terms {
            max_continues: self.project(folder).max_continues.or(self.max_continues).map(Terms::most),
            max_rejections: self.max_rejections.map(Terms::most),
            max_standstills: self.max_standstills.map(Terms::most),
            max_minutes: self.max_minutes.map(|minutes| minutes.clamp(1, MAX_MINUTES)),
            max_microusd: None,
            watch: self.thresholds(),
        }
    }

    pub fn thresholds(&self) -> Thresholds {
        let AgentSettings { silence_s, duration_s, same_calls, errors, .. } = *self;
        Thresholds { silence_s, duration_s, same_calls, errors }
    }
}
