//! A model that can be asked, and the attempts of one ask: it waits while the server is busy, sends again after a
//! cut, tells the model once what was wrong with its reply, and shortens the prompt once. Each attempt pays for
//! itself; all attempts share the time of the ask.

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use jiff::Timestamp;
use serde_json::Value;
use tokio::sync::Semaphore;
use tokio::time::{Instant, sleep, timeout_at};

use super::ask::{Ask, CallRecord, ErrorKind, Hear, Message, ModelError, Outcome, Reply, Role, Usage};
use super::budget::Ledger;
use super::exchange::{AskClock, Charge, Exchange, Failed, Next};
use super::structure::Schema;
use super::wire::{Prompt, Words};
use super::{ModelConfig, Spend};
use crate::Finding;

const PROMPT_MAX_BYTES: usize = 1 << 20;
/// The number of characters of a bad reply that the model is shown again.
const REPAIR_REPLY_MAX_CHARS: usize = 4_000;
/// The first pause if the server does not say how long to wait; it doubles each time.
const BACK_OFF_MS: u64 = 250;

/// A model that can be asked. Cheap to clone; all clones share one budget.
#[derive(Clone)]
pub struct Model(pub(super) Arc<Shared>);

pub(super) struct Shared {
    pub(super) config: ModelConfig,
    pub(super) exchange: Exchange,
    ledger: Mutex<Ledger>,
    slots: Semaphore,
    log: Box<dyn Fn(&CallRecord) + Send + Sync>,
}

/// An ask in progress. Its record is logged when it goes out of scope, so every ask is logged, even one
/// that its caller drops.
struct Asking<'a> {
    shared: &'a Shared,
    ask: Ask,
    hear: Option<Hear<'a>>,
    clock: AskClock,
    deadline: Instant,
    record: CallRecord,
    /// The usage of the finished attempts.
    settled: Usage,
    waits: u32,
    may_resend: bool,
    may_repair: bool,
    may_shrink: bool,
}

impl Model {
    /// Makes a model. `log` receives one record per ask.
    pub fn new(
        config: ModelConfig,
        log: impl Fn(&CallRecord) + Send + Sync + 'static,
    ) -> Result<Self, Finding> {
        Finding::refuse(config.check())?;
        let (exchange, slots) = (Exchange::new(&config)?, Semaphore::new(config.concurrent_calls));
        Ok(Self(Arc::new(Shared { config, exchange, ledger: Mutex::default(), slots, log: Box::new(log) })))
    }

    pub fn config(&self) -> &ModelConfig {
        &self.0.config
    }

    /// Returns the spend of a flow, including its calls in flight at their worst case.
    pub fn spent_by(&self, flow: &str) -> Spend {
        self.0.with_ledger(|ledger| ledger.spent_by(flow))
    }

    /// Learns the spend of all processes together, on the day of `now` and by one flow.
    pub fn learn(&self, flow: &str, on_day: Spend, by_flow: Spend, now: Timestamp) {
        self.0.with_ledger(|ledger| ledger.learn(flow, on_day, by_flow, now));
    }

    /// Asks the model and waits for a usable answer, within the time-out and the budget.
    pub async fn ask(&self, ask: Ask) -> Result<Reply, ModelError> {
        self.ask_and_hear(ask, None).await
    }

    /// Asks like [`ask`](Self::ask), and lets `hear` follow the answer while it is written.
    pub async fn ask_and_hear(&self, ask: Ask, hear: Option<Hear<'_>>) -> Result<Reply, ModelError> {
        let timeout_ms = ask.timeout_ms.unwrap_or(u64::MAX).min(self.config().timeout_ms);
        let is_own_limit = timeout_ms == self.config().timeout_ms;
        let mut asking = Asking::new(&self.0, ask, hear, timeout_ms);
        let answered = timeout_at(asking.deadline, asking.run()).await;
        asking.close(answered.unwrap_or_else(|_| {
            let why = format!("no complete answer within {timeout_ms} ms");
            let late = ModelError::new(ErrorKind::TimedOut, why);
            Err(if is_own_limit {
                late
            } else {
                late.with_cure("use a faster model, or allow it more time here")
            })
        }))
    }
}

impl fmt::Debug for Model {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Model").field("config", &self.0.config).finish_non_exhaustive()
    }
}

impl Shared {
    /// Works on the locked ledger. A panic elsewhere leaves it at most too large, so a poisoned lock is still good.
    fn with_ledger<T>(&self, work: impl FnOnce(&mut Ledger) -> T) -> T {
        work(&mut self.ledger.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl<'a> Asking<'a> {
    fn new(shared: &'a Shared, ask: Ask, hear: Option<Hear<'a>>, timeout_ms: u64) -> Self {
        let clock = AskClock { asked_at: ask.now, started: Instant::now() };
        let record = CallRecord {
            flow: ask.flow.clone(),
            ask: ask.name.clone(),
            wire: shared.config.wire,
            model: shared.config.model.clone(),
            attempts: 0,
            usage: Usage::default(),
            cost_microusd: shared.config.cost_microusd(Usage::default()),
            took_ms: 0,
            outcome: Outcome::Abandoned,
        };
        Self {
            shared,
            ask,
            hear,
            clock,
            deadline: clock.started + Duration::from_millis(timeout_ms),
            record,
            settled: Usage::default(),
            waits: 0,
            may_resend: true,
            may_repair: true,
            may_shrink: true,
        }
    }

    async fn run(&mut self) -> Result<Value, ModelError> {
        if self.ask.messages.is_empty() {
            let why = format!("the ask {:?} has no message", self.ask.name);
            return Err(ModelError::new(ErrorKind::Misconfigured, why).with_cure("give it at least one"));
        }
        let schema = Schema::new(self.ask.schema.take())?;
        loop {
            match self.attempt(&schema).await {
                Ok(answer) => return Ok(answer),
                Err(failed) => self.prepare_next(failed).await?,
            }
        }
    }

    async fn attempt(&mut self, schema: &Schema) -> Result<Value, Failed> {
        let shared = self.shared;
        // The slots are never closed, and waiting for one counts as waiting for the model.
        let _slot = shared.slots.acquire().await;
        let body = self.body(schema)?;
        // A token is at least one byte, so no server can count more input than this.
        let worst =
            Usage { input_tokens: body.len() as u64, output_tokens: u64::from(self.max_output_tokens()) };
        let (flow, now, budget) = (&self.ask.flow, self.ask.now, &shared.config.budget);
        let reservation = shared
            .with_ledger(|ledger| ledger.reserve(budget, flow, shared.config.spend(worst), now))
            .map_err(Failed::hopeless)?;
        // Until it is settled, an attempt is in the record at its worst case, as it is in the ledger.
        self.record.attempts += 1;
        self.record_usage(self.settled.plus(worst));
        let result = shared.exchange.chat(body, self.clock, self.hear).await;
        let (usage, spend) = bill(&shared.config, &result, worst);
        shared.with_ledger(|ledger| ledger.settle(reservation, spend));
        self.settled = self.settled.plus(usage);
        self.record_usage(self.settled);
        self.judge(schema, result?)
    }

    fn record_usage(&mut self, usage: Usage) {
        self.record.usage = usage;
        self.record.cost_microusd = self.shared.config.cost_microusd(usage);
    }

    fn body(&self, schema: &Schema) -> Result<String, Failed> {
        let config = &self.shared.config;
        let prompt = Prompt {
            config,
            system: &self.ask.system,
            messages: &self.ask.messages,
            schema: &schema.json,
            max_output_tokens: self.max_output_tokens(),
            is_streamed: self.hear.is_some(),
        };
        let body = config.wire.body(&prompt).to_string();
        if body.len() <= PROMPT_MAX_BYTES {
            return Ok(body);
        }
        let why = format!("it has {} bytes, at most {PROMPT_MAX_BYTES} are sent", body.len());
        Err(Failed::new(ModelError::new(ErrorKind::TooLong, why), Next::Shrink, Charge::Nothing))
    }

    fn max_output_tokens(&self) -> u32 {
        self.ask.max_output_tokens.unwrap_or(u32::MAX).min(self.shared.config.max_output_tokens).max(1)
    }

    /// Reads the answer from a reply that arrived, or says why it is none.
    fn judge(&self, schema: &Schema, words: Words) -> Result<Value, Failed> {
        let preview = |text: &str| self.shared.exchange.preview(text.as_bytes());
        if let Some(why) = words.refusal {
            return Err(Failed::hopeless(ModelError::new(ErrorKind::Refused, preview(&why))));
        }
        schema.read(&words.text).map_err(|why| {
            let why = match words.is_cut {
                true => format!("it was cut off at {} tokens; be shorter", self.max_output_tokens()),
                false => why,
            };
            let error =
                ModelError::new(ErrorKind::BadReply, format!("{why}; it began: {:?}", preview(&words.text)));
            Failed::new(error, Next::Repair(repair(&words.text, &why)), Charge::Unknown)
        })
    }

    /// Makes the next attempt different enough to be worthwhile, or gives up with the error.
    async fn prepare_next(&mut self, failed: Failed) -> Result<(), ModelError> {
        match failed.next {
            Next::Wait { after_ms } if self.may_wait(after_ms) => {
                sleep(self.pause(after_ms)).await;
                self.waits += 1;
            }
            Next::Whole if self.hear.take().is_some() => {}
            Next::Resend if std::mem::take(&mut self.may_resend) => {}
            Next::Repair(told) if std::mem::take(&mut self.may_repair) => self.ask.messages.extend(told),
            Next::Shrink
                if std::mem::take(&mut self.may_shrink) && drop_older_half(&mut self.ask.messages) => {}
            _ => return Err(failed.error),
        }
        Ok(())
    }

    fn may_wait(&self, after_ms: Option<u64>) -> bool {
        let left = self.deadline.saturating_duration_since(Instant::now());
        self.pause(after_ms) < left && self.waits < self.shared.config.retries
    }

    fn pause(&self, after_ms: Option<u64>) -> Duration {
        Duration::from_millis(after_ms.unwrap_or(BACK_OFF_MS << self.waits))
    }

    fn close(mut self, result: Result<Value, ModelError>) -> Result<Reply, ModelError> {
        self.record.outcome = match &result {
            Ok(_) => Outcome::Answered,
            Err(error) => Outcome::Failed(error.kind),
        };
        self.stop_the_clock();
        result.map(|answer| Reply { answer, record: self.record.clone() })
    }

    fn stop_the_clock(&mut self) {
        self.record.took_ms = self.clock.started.elapsed().as_millis() as u64;
    }
}

impl Drop for Asking<'_> {
    fn drop(&mut self) {
        self.stop_the_clock();
        (self.shared.log)(&self.record);
    }
}

/// Returns the messages that tell the model what was wrong with its reply.
fn repair(reply: &str, why: &str) -> Vec<Message> {
    let shown: String = reply.chars().take(REPAIR_REPLY_MAX_CHARS).collect();
    // Servers refuse empty messages.
    let shown = if shown.trim().is_empty() { "(nothing)".to_owned() } else { shown };
    let request = include_str!("prompts/repair.md").replace("{why}", why);
    vec![Message::assistant(shown), Message::user(request)]
}

/// Drops the older half of all messages but the last. The rest begins with the user, as servers demand. Returns
/// whether any message was dropped.
fn drop_older_half(messages: &mut Vec<Message>) -> bool {
    let earlier = messages.len() - 1;
    let start = (earlier.div_ceil(2)..messages.len()).find(|&index| messages[index].role == Role::User);
    let start = start.unwrap_or(0);
    messages.drain(..start);
    start > 0
}

/// Returns the usage of an attempt, and its cost.
fn bill(config: &ModelConfig, result: &Result<Words, Failed>, worst: Usage) -> (Usage, Spend) {
    let usage = match result {
        Ok(words) => words.usage.unwrap_or(worst),
        Err(Failed { charge: Charge::Nothing, .. }) => return Default::default(),
        Err(Failed { charge: Charge::Tokens(usage), .. }) => *usage,
        Err(Failed { charge: Charge::Unknown, .. }) => worst,
    };
    (usage, config.spend(usage))
}
