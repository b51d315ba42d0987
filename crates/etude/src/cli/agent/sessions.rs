//! The sessions of agents: the state and the outcome of each.

use super::run::find_cut_off;
use super::said;
use crate::cli::config::Config;
use crate::cli::output::{self, BAD, CAREFUL, Done, GOOD, QUIET, no, paint, say};
use crate::cli::words;
use coaching::agent::{AgentMore, Alarm, Counts, Data};
use coaching::words::{Lexicon, Text};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use shell::agent::{FLOW, standing};
use shell::effects::Outside;
use shell::effects::books::Books;
use shell::engine::app::App;
use shell::engine::clock::{Clock, iso, timestamp};
use shell::engine::worker;
use store::Filter;

/// The number of sessions in a summary, the newest first.
const MAX_SESSIONS: usize = 1_000;

/// The outcome of a session.
#[derive(Debug, Serialize)]
pub(super) struct Summary {
    pub agent: String,
    pub session: String,
    state: String,
    /// At work, silent, waiting for the human, or finished.
    stands: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    outcome: Option<String>,
    #[serde(flatten)]
    counts: Counts,
    /// The number of times the agent went on because the coach sent it on.
    turns_saved: u32,
    /// The troubles that the watchdog reported to the human.
    watchdog: Vec<Alarm>,
    /// The cost of the coach's model, and the cost that the agent reports for itself.
    model_microusd: u64,
    agent_microusd: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    failed: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    phase: Option<String>,
    updated_at: String,
}

/// Lists the sessions. First finds those that were cut off or fell silent, because there may be no server that does.
pub(super) async fn run(config: &Config) -> Done {
    let found = look_after(config).await.map_err(no)?;
    let sessions = summaries(config).await.map_err(no)?;
    output::answer(config, &json!({"cut_off": found, "sessions": sessions}), |_| {
        for name in &found {
            let found = paint(CAREFUL, said(config, &words::agent_found()));
            say!("{found} {}", said(config, &words::agent_cut_off(name.as_str())));
        }
        sessions.iter().for_each(|summary| summary.show_state(config));
        if sessions.is_empty() {
            say!("{}", paint(QUIET, said(config, &words::agent_nobody())));
        }
    })
}

async fn look_after(config: &Config) -> Result<Vec<String>, String> {
    let desk = config.desk()?;
    let mut app = config.app(config.flows(), Outside::default()).await?;
    app.bystander = Some(desk.bystander(&app.clock));
    let found = find_cut_off(&app, &desk, &config.data).await;
    fire_due(&app).await.map_err(|error| error.to_string())?;
    app.store.close().await;
    Ok(found)
}

/// Fires the due timers of open sessions.
async fn fire_due(app: &App) -> Result<(), store::StoreError> {
    let filter = Filter { open: Some(true), ..Filter::of_flow(FLOW) };
    for row in app.store.list(&filter, None, MAX_SESSIONS).await?.instances {
        let now = app.clock.now();
        let due = app.store.timers(&row.id).await?.into_iter().find(|timer| timer.due_at <= now);
        let Some(timer) = due else { continue };
        if let Err(error) = worker::fire(app, &timer).await {
            tracing::warn!(session = row.id, %error, "a timer could not go off");
        }
    }
    Ok(())
}

pub(super) async fn summaries(config: &Config) -> Result<Vec<Summary>, String> {
    let store = config.store().await?;
    let page = store.list(&Filter::of_flow(FLOW), None, MAX_SESSIONS).await;
    let mut found = Vec::new();
    let now = timestamp(Clock::System.now());
    let flows = config.flows();
    let lexicon = Lexicon::new(
        flows.get(FLOW).and_then(|entry| entry.face).into_iter().flat_map(|face| face.words.iter().copied()),
    );
    let language = lexicon.choose([config.locale.as_str()]);
    for row in page.map_err(|error| error.to_string())?.instances {
        let (_, spent) = Books::spent(&store, &row.id, now).await.map_err(|error| error.to_string())?;
        let mut data: Value = serde_json::from_str(&row.data).unwrap_or_default();
        lexicon.translate_json(language, &mut data);
        let stands = standing(&flows, &row.state).to_owned();
        let more = Data::deserialize(data).map(|data| AgentMore::from(&data)).unwrap_or_default();
        found.push(Summary::new(row, stands, more, spent.microusd));
    }
    store.close().await;
    Ok(found)
}

impl Summary {
    fn new(row: store::Instance, stands: String, more: AgentMore, model_microusd: u64) -> Summary {
        let AgentMore { agent, session, phase, counts, failed, cost_microusd, alarms, .. } = more;
        Summary {
            agent,
            session,
            state: row.state,
            stands,
            outcome: row.outcome,
            counts,
            turns_saved: counts.saved,
            watchdog: alarms,
            model_microusd,
            agent_microusd: cost_microusd,
            failed: failed.map(|why| why.to_string()),
            phase,
            updated_at: iso(row.updated_at),
        }
    }

    pub(super) fn show(&self, config: &Config) {
        let Counts { stops, saved, rejections, deliveries, questions, .. } = self.counts;
        let (agent, session) = (self.agent.as_str(), self.session.as_str());
        let sum = words::agent_summary(agent, session, stops, saved, rejections, deliveries, questions);
        let alarms = self.watchdog.len();
        let alarmed = (alarms > 0).then(|| words::agent_alarms(alarms));
        let parts = [sum].into_iter().chain(self.money()).chain(alarmed);
        let parts: Vec<String> = parts.map(|part| said(config, &part)).collect();
        say!("{}; {}", parts.join(", "), self.state_said(config));
        for alarm in &self.watchdog {
            say!("    {} {}", paint(CAREFUL, said(config, &words::agent_watchdog())), alarm.reason);
        }
    }

    fn money(&self) -> Option<Text> {
        let usd = |microusd: u64, digits: usize| format!("{:.digits$}", microusd as f64 / 1e6);
        match (self.model_microusd, self.agent_microusd) {
            (0, 0) => None,
            (model, 0) => Some(words::agent_spent_by_model(usd(model, 4))),
            (model, agent) => Some(words::agent_spent(usd(agent, 2), usd(model, 4))),
        }
    }

    fn state_said(&self, config: &Config) -> String {
        said(config, &words::agent_state(self.outcome.as_deref().unwrap_or(&self.stands)))
    }

    fn show_state(&self, config: &Config) {
        let style = match (self.outcome.as_deref(), self.stands.as_str()) {
            (Some("error" | "timeout"), _) => BAD,
            (Some(_), _) => QUIET,
            (None, "waiting" | "silent") => CAREFUL,
            (None, _) => GOOD,
        };
        let phase = self.phase.as_deref().map(|phase| said(config, &words::agent_phase(phase)));
        let more: String = phase.iter().chain(&self.failed).map(|more| format!("  {more}")).collect();
        say!(
            "{} {} {} {}{more}",
            config.local_time(&self.updated_at),
            paint(style, format!("{:<15}", self.state_said(config))),
            self.agent,
            self.session
        );
    }
}
