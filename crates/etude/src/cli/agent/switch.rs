//! The kill switch: turns the coach off and on.

use crate::agent::{AgentSettings, Desk};
use crate::cli::config::Config;
use crate::cli::output::{self, CAREFUL, Done, GOOD, no, paint, say};

pub(super) fn turn(config: &Config, on: bool) -> Done {
    config.make_data_folder().map_err(no)?;
    let failed = |error| no(format!("the switch in {} cannot be turned: {error}", config.data.display()));
    switch(config).turn(on).map_err(failed)?;
    show(config)
}

pub(super) fn show(config: &Config) -> Done {
    let is_off = switch(config).is_off();
    output::answer(config, &serde_json::json!({"on": !is_off}), |_| match is_off {
        true => say!("{}: agents stop when they stop; `etude agent on` turns it on", paint(CAREFUL, "off")),
        false => say!("{}: agents that stop too early are sent on", paint(GOOD, "on")),
    })
}

/// The switch needs no settings, so that a typing error in the settings file cannot block it.
fn switch(config: &Config) -> Desk {
    Desk::new(&config.data, AgentSettings::default())
}
