//! `etude mcp`: serves the tutor's tools to an assistant that starts this program. Standard output carries
//! nothing but the protocol.

use super::config::Config;
use super::output::{self, Done, no, unreadable};
use clap::Args;
use shell::learners::access::Access;
use shell::mcp::{self, Mcp};
use std::process::ExitCode;
use std::sync::Arc;

#[derive(Debug, Args)]
pub(crate) struct Serve {
    /// Serve only this learner; without it, calls may name any learner, and mean `me` if they name none
    #[arg(long, value_name = "NAME")]
    learner: Option<String>,
    /// Print tools, resources and prompts, and exit
    #[arg(long)]
    contract: bool,
}

impl Serve {
    pub(crate) async fn run(self, config: &Config) -> Done {
        if self.contract {
            return output::json(&mcp::contract(&config.flows()));
        }
        let desk = config.desk().map_err(unreadable)?;
        let app = Arc::new(config.asking_app(config.flows()).await?);
        let access = self.learner.map_or(Access::Owner, Access::Learner);
        let served = Mcp::new(app.clone(), desk, access).serve_stdio().await;
        app.store.close().await;
        served.map(|()| ExitCode::SUCCESS).map_err(no)
    }
}
