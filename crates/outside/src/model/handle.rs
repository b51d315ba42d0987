//! The handle that the rest of the program holds.

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use jiff::Timestamp;
use tokio::sync::Semaphore;
use tokio::time::{Instant, timeout_at};
use tokio_util::sync::CancellationToken;

use super::ask::Usage;
use super::attempt::Attempts;
use super::exchange::Exchange;
use super::record::{CallRecord, Outcome};
use super::{Answer, Ask, Finish, Ledger, ModelConfig, ModelError, Reply, Spend};
use crate::Level;

/// Receives the text of a reply while it is written.
pub type OnText<'a> = &'a mut (dyn FnMut(&str) + Send);

/// A model that can be asked. Cheap to clone; all clones share one budget.
#[derive(Clone)]
pub struct Model {
    pub(super) shared: Arc<Shared>,
}

pub(super) struct Shared {
    pub(super) config: ModelConfig,
    pub(super) exchange: Exchange,
    pub(super) ledger: Mutex<Ledger>,
    pub(super) slots: Semaphore,
    log: Box<dyn Fn(&CallRecord) + Send + Sync>,
}

/// The record of an ask in progress. It is logged when it goes out of scope, so no way out of an ask,
/// not even a caller that drops it, escapes the log.
pub(super) struct Entry<'a> {
    shared: &'a Shared,
    record: CallRecord,
    settled: Usage,
    started: Instant,
}

impl Model {
    /// `ledger` is what was spent before; `log` receives one record per ask.
    pub fn new(
        config: ModelConfig,
        ledger: Ledger,
        log: impl Fn(&CallRecord) + Send + Sync + 'static,
    ) -> Result<Self, ModelError> {
        if let Some(problem) = config.check().into_iter().find(|finding| finding.level == Level::Problem) {
            return Err(ModelError::Misconfigured { what: problem.what, cure: problem.cure });
        }
        let (exchange, slots) = (Exchange::new(&config)?, Semaphore::new(config.concurrent_calls));
        let shared = Shared { config, exchange, ledger: Mutex::new(ledger), slots, log: Box::new(log) };
        Ok(Self { shared: Arc::new(shared) })
    }

    pub fn config(&self) -> &ModelConfig {
        &self.shared.config
    }

    /// What was spent, for the shell to keep. Calls in flight are in it at their worst case.
    pub fn ledger(&self) -> Ledger {
        self.shared.with_ledger(|ledger| ledger.clone())
    }

    /// Takes in what is known elsewhere to have been spent; see [`Ledger::learn`].
    pub fn learn(&self, flow: &str, on_day: Spend, by_flow: Spend, now: Timestamp) {
        self.shared.with_ledger(|ledger| ledger.learn(flow, on_day, by_flow, now));
    }

    /// Asks the model and waits for a usable answer, within the time-out and the budget.
    ///
    /// `on_text` receives the text of an ask without schema as it is written. What it received is only a
    /// preview until the ask succeeds, and an ask that has begun to speak is not retried.
    pub async fn ask<'a>(
        &'a self,
        ask: Ask,
        cancel: &CancellationToken,
        on_text: Option<OnText<'a>>,
    ) -> Result<Reply, ModelError> {
        let started = Instant::now();
        let timeout_ms = ask.timeout_ms.unwrap_or(u64::MAX).min(self.config().timeout_ms);
        let deadline = started + Duration::from_millis(timeout_ms);
        let mut entry = Entry::open(&self.shared, &ask, started);
        let attempts = async { Attempts::new(&self.shared, ask, deadline, on_text)?.run(&mut entry).await };
        let result = tokio::select! {
            biased;
            () = cancel.cancelled() => Err(ModelError::Cancelled),
            result = timeout_at(deadline, attempts) => result.unwrap_or_else(|_| Err(ModelError::TimedOut {
                what: format!("no complete answer within {timeout_ms} ms"),
            })),
        };
        entry.close(result)
    }
}

impl fmt::Debug for Model {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Model").field("config", &self.shared.config).finish_non_exhaustive()
    }
}

impl Shared {
    /// A panic elsewhere leaves the ledger at most too large, so a poisoned lock is still good.
    pub(super) fn with_ledger<T>(&self, work: impl FnOnce(&mut Ledger) -> T) -> T {
        work(&mut self.ledger.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl<'a> Entry<'a> {
    fn open(shared: &'a Shared, ask: &Ask, started: Instant) -> Self {
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
        Self { shared, record, settled: Usage::default(), started }
    }

    /// Until it is settled, an attempt stands in the record with its worst case, as in the ledger.
    pub(super) fn begin_attempt(&mut self, worst: Usage) {
        self.record.attempts += 1;
        self.set_usage(self.settled.plus(worst));
    }

    pub(super) fn settle_attempt(&mut self, actual: Usage) {
        self.settled = self.settled.plus(actual);
        self.set_usage(self.settled);
    }

    fn set_usage(&mut self, usage: Usage) {
        self.record.usage = usage;
        self.record.cost_microusd = self.shared.config.cost_microusd(usage);
    }

    fn close(mut self, result: Result<(Answer, Finish), ModelError>) -> Result<Reply, ModelError> {
        self.record.outcome = match &result {
            Ok(_) => Outcome::Answered,
            Err(error) => Outcome::from(error),
        };
        let (answer, finish) = result?;
        Ok(Reply {
            answer,
            finish,
            usage: self.record.usage,
            cost_microusd: self.record.cost_microusd,
            attempts: self.record.attempts,
            took_ms: self.took_ms(),
        })
    }

    fn took_ms(&self) -> u64 {
        u64::try_from(self.started.elapsed().as_millis()).unwrap_or(u64::MAX)
    }
}

impl Drop for Entry<'_> {
    fn drop(&mut self) {
        self.record.took_ms = self.took_ms();
        (self.shared.log)(&self.record);
    }
}
