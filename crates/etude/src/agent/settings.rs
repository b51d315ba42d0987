//! What the settings file may say about agents, below `[agent]`.

use coaching::agent::Thresholds;
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct AgentSettings {
    /// The watchdog's thresholds: silence and working time in seconds, calls in a row.
    pub silence_s: u64,
    pub duration_s: u64,
    pub same_calls: u32,
    pub errors: u32,
    /// Whether `etude agent run` ends an agent that is silent, or working, for too long.
    pub end_when_silent: bool,
    pub end_when_long: bool,
    /// A program to run with the watchdog's message. `{message}`, `{session}` and `{agent}` are filled in.
    pub notify_command: String,
    /// How long a hook may wait for a model's verdict. 0: hooks ask no model.
    pub hook_model_ms: u64,
    /// The same for `etude agent run` and the server.
    pub model_ms: u64,
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
            hook_model_ms: 0,
            model_ms: 20_000,
        }
    }
}

impl AgentSettings {
    pub fn thresholds(&self) -> Thresholds {
        let AgentSettings { silence_s, duration_s, same_calls, errors, .. } = *self;
        Thresholds { silence_s, duration_s, same_calls, errors }
    }
}
