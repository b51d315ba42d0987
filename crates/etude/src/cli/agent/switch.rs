//! The kill switch: while a file is there, the coach keeps out of everything.

use crate::cli::NO;
use crate::cli::config::Config;
use crate::cli::output::{self, CAREFUL, GOOD, paint, say};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

#[derive(Debug)]
pub(super) struct Switch {
    path: PathBuf,
}

impl Switch {
    pub(super) fn new(data: &Path) -> Switch {
        Switch { path: data.join("agent.off") }
    }

    /// Where that cannot be found out, the coach keeps out as well.
    pub(super) fn is_off(&self) -> bool {
        self.path.try_exists().unwrap_or(true)
    }

    fn turn(&self, on: bool) -> std::io::Result<()> {
        match on {
            true if self.path.try_exists()? => std::fs::remove_file(&self.path),
            true => Ok(()),
            false => std::fs::write(&self.path, ""),
        }
    }
}

pub(super) fn turn(config: &Config, on: bool) -> ExitCode {
    let turned = config.make_data_folder().and_then(|()| {
        let failed = |error| format!("the switch in {} cannot be turned: {error}", config.data.display());
        Switch::new(&config.data).turn(on).map_err(failed)
    });
    match turned {
        Ok(()) => show(config),
        Err(message) => output::error(&message, NO),
    }
}

pub(super) fn show(config: &Config) -> ExitCode {
    let is_off = Switch::new(&config.data).is_off();
    if config.json {
        return output::json(&serde_json::json!({"on": !is_off}));
    }
    match is_off {
        true => say!("{}: agents stop when they stop; `etude agent on` turns it on", paint(CAREFUL, "off")),
        false => say!("{}: agents that stop too early are sent on", paint(GOOD, "on")),
    }
    ExitCode::SUCCESS
}
