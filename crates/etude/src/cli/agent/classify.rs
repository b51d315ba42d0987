//! `etude agent classify`: prints the verdict on a single message.

use crate::cli::config::Config;
use crate::cli::output::{self, Done, no, unreadable};
use clap::Args;
use coaching::agent::{AgentCoach, Event, Signals, Stopped, classify};
use coaching::turn::Flow;
use coaching::words::Lexicon;
use serde_json::{Value, json};
use shell::agent::{Session, Terms, Word, bounded, tell};
use shell::effects::Outside;
use std::io::Read;

/// The most that is read of a message. Larger input is not a message.
const MAX_MESSAGE_BYTES: u64 = 16 << 20;
const MODEL_MS: u64 = 30_000;

#[derive(Debug, Args)]
pub(super) struct Classify {
    /// The phase of the work, such as build or test
    #[arg(long)]
    phase: Option<String>,
    /// The human's last message was a question
    #[arg(long)]
    asked: bool,
    /// The error reported by the agent's program
    #[arg(long, value_name = "ERROR")]
    error: Option<String>,
    /// Ask the configured model; if it fails, the rules decide
    #[arg(long)]
    by_model: bool,
}

impl Classify {
    pub(super) async fn run(self, config: &Config) -> Done {
        let mut bytes = Vec::new();
        let read = std::io::stdin().lock().take(MAX_MESSAGE_BYTES).read_to_end(&mut bytes);
        read.map_err(|error| unreadable(format!("the message cannot be read: {error}")))?;
        let signals = Signals {
            agent_error: self.error,
            user_asked_question: self.asked.then_some(true),
            phase: self.phase,
            ..Signals::default()
        };
        let text = String::from_utf8_lossy(&bytes);
        let mut verdict = match self.by_model {
            true => by_model(config, &text, signals).await.map_err(no)?,
            false => json!(classify(&text, &signals)),
        };
        let words = Lexicon::new(AgentCoach::FACE.words.iter().copied());
        words.translate_json(words.choose([config.locale.as_str()]), &mut verdict);
        output::json(&verdict)
    }
}

/// Asks the model for a verdict through a session, like every other verdict, so that it counts towards the
/// budget. The session ends with the verdict.
async fn by_model(config: &Config, text: &str, signals: Signals) -> Result<Value, String> {
    let asker = config.asker()?.ok_or("no model is configured; `etude doctor` says how to configure one")?;
    let outside = Outside { asker: Some(asker), ..Outside::default() };
    let app = config.app(config.flows(), outside).await?;
    let session = Session::new(&app, "classify", &uuid::Uuid::now_v7().to_string())?;
    let stop = Stopped { text: bounded(text), signals, model_ms: Some(MODEL_MS), ..Stopped::default() };
    let outcome = tell(&session, Word::Stopped(Box::new(stop)), &Terms::default()).await;
    outcome.map_err(|stuck| stuck.to_string())?;
    // A verdict of `error` has already ended the session.
    let _ = session.take(Event::Halted, Value::Null, &Terms::default()).await;
    let log = session.log().await.map_err(|failure| failure.to_string())?;
    let verdict = log.iter().rev().find_map(|entry| {
        let payload: Value = serde_json::from_str(&entry.payload).ok()?;
        payload.get("output_type").is_some().then_some(payload)
    });
    let mut verdict = verdict.ok_or("there is no verdict")?;
    let data = session.data().await.map_err(|failure| failure.to_string())?;
    if let Some(failed) = data.pointer("/last/model_failed") {
        verdict["model_failed"] = json!(failed);
    }
    app.store.close().await;
    Ok(verdict)
}
