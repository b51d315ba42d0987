//! `etude mcp`: the tutor's tools for an assistant that starts this program. Standard output is the protocol's alone.

use super::config::Config;
use super::output;
use super::{NO, UNREADABLE};
use crate::engine::app::{App, DEFAULT_LEASE_MS};
use crate::engine::clock::Clock;
use crate::mcp::{self, Mcp};
use clap::Args;
use std::process::ExitCode;
use std::sync::Arc;

#[derive(Debug, Args)]
pub(crate) struct Serve {
    /// Who learns, where a call names nobody
    #[arg(long, value_name = "NAME", default_value = "me")]
    learner: String,
    /// Print tools, resources and prompts, and stop
    #[arg(long)]
    contract: bool,
}

impl Serve {
    pub(crate) async fn run(self, config: &Config) -> ExitCode {
        if self.contract {
            return output::json(&mcp::contract());
        }
        let (asker, desk) = match (config.asker(), config.desk()) {
            (Ok(asker), Ok(desk)) => (asker, desk),
            (Err(message), _) | (_, Err(message)) => return output::error(&message, UNREADABLE),
        };
        let store = match config.store().await {
            Ok(store) => store,
            Err(message) => return output::error(&message, NO),
        };
        let app = App::new(store, config.flows(), Clock::System, None, DEFAULT_LEASE_MS).asking(asker);
        let app = Arc::new(app.coaching_agents(desk));
        let served = Mcp::new(app.clone(), &self.learner).serve_stdio().await;
        app.store.close().await;
        match served {
            Ok(()) => ExitCode::SUCCESS,
            Err(message) => output::error(&message, NO),
        }
    }
}
