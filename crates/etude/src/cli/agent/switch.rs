//! Switches for the coach: everywhere, for single folders, and for single sessions.

use super::said;
use crate::cli::config::Config;
use crate::cli::output::{self, CAREFUL, Done, GOOD, QUIET, no, paint, say, unreadable};
use crate::cli::words;
use anstyle::Style;
use clap::Args;
use serde_json::{Value, json};
use shell::agent::{AgentSettings, Desk, FLOW, Session};
use std::path::{Path, PathBuf};
use store::Filter;

/// The number of sessions, newest first, that are searched for the one in this folder.
const MAX_SESSIONS: usize = 200;

#[derive(Debug, Args)]
pub(super) struct Folder {
    /// The folder [default: this one]
    folder: Option<PathBuf>,
}

impl Folder {
    pub(super) fn change(self, config: &Config, is_allowed: bool) -> Done {
        config.make_data_folder().map_err(no)?;
        let folder = self.folder.unwrap_or_else(|| PathBuf::from("."));
        let unknown = |error| unreadable(format!("{} is not a folder: {error}", folder.display()));
        let folder = folder.canonicalize().map_err(unknown)?;
        let desk = switch(config);
        let mut folders = desk.allowed();
        folders.retain(|known| *known != folder);
        if is_allowed {
            folders.push(folder);
        }
        desk.allow(&folders).map_err(|error| no(format!("the folders cannot be written: {error}")))?;
        output::answer(config, &json!({"folders": folders}), |_| {
            folders.iter().for_each(|folder| {
                say!("{} {}", paint(GOOD, said(config, &words::agent_coached())), folder.display())
            });
            if folders.is_empty() {
                say!("{}", paint(QUIET, said(config, &words::agent_no_folder())));
            }
        })
    }
}

#[derive(Debug, Args)]
pub(super) struct Pause {
    /// The session [default: the one that was last active in this folder]
    session: Option<String>,
}

impl Pause {
    pub(super) async fn run(self, config: &Config, is_paused: bool) -> Done {
        let app = config.plain_app().await?;
        let page = app.store.list(&Filter::of_flow(FLOW), None, MAX_SESSIONS).await;
        let mut rows = page.map_err(|error| no(error.to_string()))?.instances;
        rows.sort_by_key(|row| std::cmp::Reverse(row.updated_at));
        let here = std::env::current_dir().unwrap_or_default();
        let is_here = |folder: &str| {
            let folder = Path::new(folder);
            let real = folder.canonicalize().unwrap_or_else(|_| folder.to_owned());
            !folder.as_os_str().is_empty() && here.starts_with(real)
        };
        let datas = rows.iter().filter_map(|row| serde_json::from_str::<Value>(&row.data).ok());
        let is_meant = |data: &Value| match &self.session {
            Some(session) => data["session"] == session.as_str(),
            None => is_here(data["cwd"].as_str().unwrap_or_default()),
        };
        let Some(data) = datas.into_iter().find(is_meant) else {
            return Err(no("no such session; `etude agent sessions` lists them".to_owned()));
        };
        let name = |field: &str| data[field].as_str().unwrap_or_default().to_owned();
        let session = Session::new(&app, &name("agent"), &name("session")).map_err(no)?;
        session.pause(is_paused).await.map_err(|failure| no(failure.to_string()))?;
        app.store.close().await;
        let (agent, session) = (name("agent"), name("session"));
        output::answer(config, &json!({"agent": agent, "session": session, "paused": is_paused}), |_| {
            let (style, text) = match is_paused {
                true => (CAREFUL, words::agent_paused(agent.as_str(), session.as_str())),
                false => (GOOD, words::agent_unpaused(agent.as_str(), session.as_str())),
            };
            say!("{}", painted(style, &said(config, &text)));
        })
    }
}

pub(super) fn turn(config: &Config, on: bool) -> Done {
    config.make_data_folder().map_err(no)?;
    let failed = |error| no(format!("the switch in {} cannot be turned: {error}", config.data.display()));
    switch(config).turn(on).map_err(failed)?;
    show(config)
}

pub(super) fn show(config: &Config) -> Done {
    let is_off = switch(config).is_off();
    let (style, text) = if is_off { (CAREFUL, words::agent_is_off()) } else { (GOOD, words::agent_is_on()) };
    output::answer(config, &json!({"on": !is_off}), |_| say!("{}", painted(style, &said(config, &text))))
}

/// Highlights the beginning of a line, up to the colon.
fn painted(style: Style, line: &str) -> String {
    let (head, rest) = line.split_once(':').unwrap_or((line, ""));
    format!("{}{rest}", paint(style, format!("{head}:")))
}

/// Opens the desk without settings, so that a typing error in the settings file cannot block the switch.
fn switch(config: &Config) -> Desk {
    Desk::new(&config.data, AgentSettings::default())
}
