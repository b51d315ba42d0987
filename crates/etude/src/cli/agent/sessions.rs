//! The sessions of agents: where each stands, and what it came to.

use super::run::find_cut_off;
use crate::agent::{FLOW, standing};
use crate::cli::config::Config;
use crate::cli::output::{self, BAD, CAREFUL, Done, GOOD, QUIET, STRONG, no, paint, say};
use crate::effects::Outside;
use crate::effects::books::Books;
use crate::engine::app::App;
use crate::engine::clock::{Clock, iso, timestamp};
use crate::engine::failure::counted;
use crate::engine::worker;
use coaching::agent::{Alarm, Counts};
use coaching::words::Lexicon;
use serde::Serialize;
use serde_json::{Value, json};
use store::Filter;

/// How many sessions are summed up, the newest first.
const MAX_SESSIONS: usize = 1_000;

/// What came of a session.
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
    /// How often the agent went on because the coach said so.
    turns_saved: u32,
    /// What the watchdog told the human of.
    watchdog: Vec<Alarm>,
    /// What the coach's model has cost, and what the agent says that it has cost.
    model_microusd: u64,
    agent_microusd: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    failed: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    phase: Option<String>,
    updated_at: String,
}

/// Lists the sessions. Those that were cut off or went quiet are found first, also where no server looks after them.
pub(super) async fn run(config: &Config) -> Done {
    let found = look_after(config).await.map_err(no)?;
    let sessions = summaries(config).await.map_err(no)?;
    output::answer(config, &json!({"cut_off": found, "sessions": sessions}), |_| {
        for name in &found {
            say!("{} the session {name} was cut off and is marked as failed", paint(CAREFUL, "found:"));
        }
        sessions.iter().for_each(|summary| summary.show_state(config));
        if sessions.is_empty() {
            say!("{}", paint(QUIET, "no agent has been here yet"));
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
    let words = Lexicon::new(
        flows.get(FLOW).and_then(|entry| entry.face).into_iter().flat_map(|face| face.words.iter().copied()),
    );
    let language = words.choose([config.locale.as_str()]);
    for row in page.map_err(|error| error.to_string())?.instances {
        let (_, spent) = Books::spent(&store, &row.id, now).await.map_err(|error| error.to_string())?;
        let mut data: Value = serde_json::from_str(&row.data).unwrap_or_default();
        words.translate_json(language, &mut data);
        let stands = standing(&flows, &row.state).to_owned();
        found.push(Summary::new(row, stands, &data, spent.microusd));
    }
    store.close().await;
    Ok(found)
}

impl Summary {
    fn new(row: store::Instance, stands: String, data: &Value, model_microusd: u64) -> Summary {
        let text = |name: &str| data[name].as_str().map(str::to_owned);
        let counts: Counts = serde_json::from_value(data["counts"].clone()).unwrap_or_default();
        Summary {
            agent: text("agent").unwrap_or_default(),
            session: text("session").unwrap_or_default(),
            state: row.state,
            stands,
            outcome: row.outcome,
            counts,
            turns_saved: counts.saved,
            watchdog: serde_json::from_value(data["alarms"].clone()).unwrap_or_default(),
            model_microusd,
            agent_microusd: data["cost_microusd"].as_u64().unwrap_or(0),
            failed: text("failed"),
            phase: text("phase"),
            updated_at: iso(row.updated_at),
        }
    }

    pub(super) fn show(&self) {
        let Counts { stops, saved, rejections, deliveries, questions, .. } = self.counts;
        let state = self.outcome.as_ref().unwrap_or(&self.state);
        say!(
            "{} {} {}: {}, {} saved, {} sent back, {} given to the human ({}){}{}; {state}",
            paint(STRONG, "session"),
            self.agent,
            self.session,
            counted(stops as usize, "stop"),
            counted(saved as usize, "turn"),
            counted(rejections as usize, "unproved claim"),
            counted(deliveries as usize, "time"),
            counted(questions as usize, "question"),
            self.money(),
            alarmed(self.watchdog.len()),
        );
        for alarm in &self.watchdog {
            say!("    {} {}", paint(CAREFUL, "watchdog:"), alarm.reason);
        }
    }

    fn money(&self) -> String {
        let usd = |microusd: u64| microusd as f64 / 1e6;
        match (self.model_microusd, self.agent_microusd) {
            (0, 0) => String::new(),
            (model, 0) => format!(", ${:.4} for the coach's model", usd(model)),
            (model, agent) => {
                format!(", ${:.2} for the agent and ${:.4} for the coach's model", usd(agent), usd(model))
            }
        }
    }

    fn show_state(&self, config: &Config) {
        let (style, state) = match (self.outcome.as_deref(), self.stands.as_str()) {
            (Some("error" | "timeout"), _) => (BAD, self.outcome.as_deref().unwrap_or_default()),
            (Some(outcome), _) => (QUIET, outcome),
            (None, "finished") => (GOOD, "completed"),
            (None, "waiting") => (CAREFUL, "waits for you"),
            (None, "silent") => (CAREFUL, "silent"),
            (None, _) => (GOOD, "at work"),
        };
        let phase = self.phase.as_ref().map(|phase| format!("  in {phase}")).unwrap_or_default();
        let why = self.failed.as_ref().map(|why| format!("{phase}  {why}")).unwrap_or(phase);
        say!(
            "{} {} {} {}{why}",
            config.local_time(&self.updated_at),
            paint(style, format!("{state:<13}")),
            self.agent,
            self.session
        );
    }
}

fn alarmed(alarms: usize) -> String {
    if alarms == 0 { String::new() } else { format!(", {} the watchdog spoke up", counted(alarms, "time")) }
}
