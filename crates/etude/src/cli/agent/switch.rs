//! The kill switch: turns the coach off and on.

use crate::agent::{AgentSettings, Desk};
use crate::cli::NO;
use crate::cli::config::Config;
use crate::cli::output::{self, CAREFUL, GOOD, paint, say};
use std::process::ExitCode;

pub(super) fn turn(config: &Config, on: bool) -> ExitCode {
    let turned = config.make_data_folder().and_then(|()| {
        let failed = |error| format!("the switch in {} cannot be turned: {error}", config.data.display());
        switch(config).turn(on).map_err(failed)
    });
    match turned {
        Ok(()) => show(config),
        Err(message) => output::error(&message, NO),
    }
}

pub(super) fn show(config: &Config) -> ExitCode {
    let is_off = switch(config).is_off();
    if config.json {
        return output::json(&serde_json::json!({"on": !is_off}));
    }
    match is_off {
        true => say!("{}: agents stop when they stop; `etude agent on` turns it on", paint(CAREFUL, "off")),
        false => say!("{}: agents that stop too early are sent on", paint(GOOD, "on")),
    }
    ExitCode::SUCCESS
}

/// The switch needs no settings, so that a typing error in the settings file cannot block it.
fn switch(config: &Config) -> Desk {
    Desk::new(&config.data, AgentSettings::default())
}
