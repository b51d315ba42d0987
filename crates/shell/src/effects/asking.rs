//! Asks a model for a flow, and lets the flow judge the reply. The flow always gets an answer.
//!
//! If no model is configured, or if it is slow, wrong or too expensive, the answer says why, and the flow's rules
//! go on.

use super::books::Books;
use crate::engine::app::App;
use crate::engine::clock::timestamp;
use crate::engine::performer::{Manner, Performed, Performer};
use crate::engine::turn::{self, Request, Via};
use coaching::ask::{MODEL_KIND, ModelAnswer, ModelAsk, ModelResult, Part};
use coaching::rejected::Rejected;
use coaching::turn::Source;
use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use outside::model::{Ask, CallRecord, Hear, Message, Model, ModelConfig, quote_learner};
use outside::{Finding, Trouble};
use serde_json::Value;
use std::sync::Arc;
use std::time::Duration;
use store::Effect;
use tokio::time::Instant;

/// The beginning of the reason if a flow rejects a reply.
const UNUSED: &str = "the reply of the model is not used";
/// How many times a model is told why its reply was rejected.
const REPAIRS: usize = 1;
/// The least time left for a repair to begin, in milliseconds.
const MIN_REPAIR_MS: u64 = 300;

#[derive(Debug)]
pub struct Asking(pub Option<Asker>);

impl Performer for Asking {
    fn kind(&self) -> &'static str {
        MODEL_KIND
    }

    fn manner(&self) -> Manner {
        Manner { answers_its_flow: true, keeps_via: true, does_without: true, ..Manner::default() }
    }

    fn is_ready(&self, _: &App) -> bool {
        self.0.is_some()
    }

    fn perform<'a>(&'a self, app: &'a App, effect: &'a Effect) -> BoxFuture<'a, Performed> {
        perform(self.0.as_ref(), app, effect).map(|answered| answered.map(Some)).boxed()
    }

    fn save<'a>(&'a self, app: &'a App) -> BoxFuture<'a, ()> {
        async move {
            if let Some(asker) = &self.0 {
                asker.save_books(app).await;
            }
        }
        .boxed()
    }
}

/// A model, with the books of what it costs.
#[derive(Debug)]
pub struct Asker {
    model: Model,
    books: Arc<Books>,
}

impl Asker {
    pub fn new(config: ModelConfig) -> Result<Asker, Finding> {
        let books = Arc::new(Books::default());
        let noting = books.clone();
        let log = move |record: &CallRecord| {
            tell(record);
            noting.note(&record.flow, record.spend());
        };
        Ok(Asker { model: Model::new(config, log)?, books })
    }

    pub fn model(&self) -> &Model {
        &self.model
    }

    /// Writes down the cost since the last time, including that of abandoned asks.
    pub async fn save_books(&self, app: &App) {
        if let Err(error) = self.books.save(&app.store, app.clock.now()).await {
            tracing::warn!(%error, "what a model has cost could not be written down yet");
        }
    }

    /// Asks the model until the flow accepts a reply, and returns the event that carries it. The error is the
    /// reason why there is none.
    async fn answer(&self, app: &App, effect: &Effect, ask: &ModelAsk) -> Result<Request, String> {
        // After the lease ends, another node may ask the same question.
        let lease_ms = u64::try_from(app.lease_ms).unwrap_or(0);
        let deadline = Instant::now() + Duration::from_millis(ask.timeout_ms.min(lease_ms));
        let mut messages = vec![Message::user(question(&ask.parts))];
        let mut tries = 0;
        let aloud = app.aloud.begin(&effect.instance, &ask.name);
        let hear = |written: &str| aloud.says(ask.early(written));
        let hear: Option<Hear<'_>> = if ask.shown.is_empty() { None } else { Some(&hear) };
        loop {
            let reply = self.ask(app, &effect.instance, ask, &messages, deadline, hear).await?;
            let request = answered(effect, ask, ModelResult::Reply(reply.clone()));
            let objection = turn::objection(app, &request).await.map_err(|failure| failure.to_string())?;
            let Some(rejected) = objection else { return Ok(request) };
            if tries == REPAIRS || left_ms(deadline) < MIN_REPAIR_MS {
                return Err(format!("{UNUSED}: {}", rejected.message));
            }
            tries += 1;
            messages.push(Message::assistant(reply.to_string()));
            messages.push(Message::user(complaint(&rejected)));
        }
    }

    async fn ask(
        &self,
        app: &App,
        flow: &str,
        ask: &ModelAsk,
        messages: &[Message],
        deadline: Instant,
        hear: Option<Hear<'_>>,
    ) -> Result<Value, String> {
        let now = timestamp(app.clock.now());
        let spent = Books::spent(&app.store, flow, now).await;
        let (on_day, by_flow) =
            spent.map_err(|error| format!("what models have cost is not known: {error}"))?;
        self.model.learn(flow, on_day, by_flow, now);
        let ask = Ask {
            flow: flow.to_owned(),
            name: ask.name.clone(),
            system: ask.system.clone(),
            messages: messages.to_vec(),
            schema: ask.schema.clone(),
            max_output_tokens: Some(ask.max_output_tokens),
            timeout_ms: Some(left_ms(deadline)),
            now,
        };
        let reply = self.model.ask_and_hear(ask, hear).await;
        self.save_books(app).await;
        reply.map(|reply| reply.answer).map_err(|error| error.to_string())
    }
}

/// Answers an ask, with or without a reply. Fails only if the ask cannot be read.
async fn perform(asker: Option<&Asker>, app: &App, effect: &Effect) -> Result<Request, Trouble> {
    let unreadable = |error| Trouble::Final { reason: format!("the ask cannot be read: {error}") };
    let ask: ModelAsk = serde_json::from_str(&effect.payload).map_err(unreadable)?;
    let answer = match asker {
        Some(asker) => asker.answer(app, effect, &ask).await,
        None => Err("no model is configured".to_owned()),
    };
    Ok(answer.unwrap_or_else(|reason| {
        tracing::info!(key = effect.key, ask = ask.name, reason, "the rules answer in place of a model");
        answered(effect, &ask, ModelResult::Failed(reason))
    }))
}

fn answered(effect: &Effect, ask: &ModelAsk, result: ModelResult) -> Request {
    let source = match result {
        ModelResult::Reply(_) => Source::Model,
        ModelResult::Failed(_) => Source::Rules,
    };
    Request {
        via: Via::of_result(effect),
        payload: ModelAnswer { ask: ask.number, result }.payload(),
        finishes: Some(effect.key.clone()),
        // After a crash the question may be asked twice; the answer is taken once.
        request: Some(effect.key.clone()),
        ..Request::new(&effect.instance, &ask.answered_by, source)
    }
}

fn question(parts: &[Part]) -> String {
    let text = |part: &Part| match part {
        Part::Own(text) => text.clone(),
        Part::Learner(text) => quote_learner(text),
    };
    parts.iter().map(text).collect::<Vec<_>>().join("\n\n")
}

fn complaint(rejected: &Rejected) -> String {
    format!("This cannot be used: {}. {}.", rejected.message, rejected.cure)
}

fn left_ms(deadline: Instant) -> u64 {
    u64::try_from(deadline.saturating_duration_since(Instant::now()).as_millis()).unwrap_or(u64::MAX)
}

/// Writes one log line and updates the counters for an ask.
fn tell(record: &CallRecord) {
    let CallRecord { flow, ask, model, attempts, usage, cost_microusd, took_ms, .. } = record;
    let outcome = serde_json::to_value(record.outcome).ok().and_then(|name| name.as_str().map(str::to_owned));
    let outcome = outcome.unwrap_or_default();
    let (input, output) = (usage.input_tokens, usage.output_tokens);
    tracing::info!(
        flow,
        ask,
        model,
        attempts,
        input,
        output,
        cost_microusd,
        took_ms,
        outcome,
        "a model was asked"
    );
    metrics::counter!("etude_model_calls_total", "outcome" => outcome).increment(1);
    metrics::counter!("etude_model_tokens_total", "direction" => "input").increment(input);
    metrics::counter!("etude_model_tokens_total", "direction" => "output").increment(output);
    metrics::counter!("etude_model_cost_microusd_total").increment(cost_microusd.unwrap_or(0));
}
