//! `etude mcp`: the tutor's tools for an assistant that starts this program. Standard output is the protocol's alone.

use super::config::Config;
use super::output;
use super::{NO, UNREADABLE};
use crate::mcp::{self, Mcp};
use clap::Args;
use std::process::ExitCode;
use std::sync::Arc;

#[derive(Debug, Args)]
pub(crate) struct Serve {
    /// The learner if a call names none
    #[arg(long, value_name = "NAME", default_value = "me")]
    learner: String,
    /// Print tools, resources and prompts, and exit
    #[arg(long)]
    contract: bool,
}

impl Serve {
    pub(crate) async fn run(self, config: &Config) -> ExitCode {
        if self.contract {
            return output::json(&mcp::contract(&config.flows()));
        }
        let desk = match config.desk() {
            Ok(desk) => desk,
            Err(message) => return output::error(&message, UNREADABLE),
        };
        let app = match config.asking_app(config.flows()).await {
            Ok(app) => Arc::new(app),
            Err(code) => return code,
        };
        let served = Mcp::new(app.clone(), desk, &self.learner).serve_stdio().await;
        app.store.close().await;
        match served {
            Ok(()) => ExitCode::SUCCESS,
            Err(message) => output::error(&message, NO),
        }
    }
}
