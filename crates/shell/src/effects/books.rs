//! Keeps the cost of models in the store: one sum for each day and one for each flow.
//!
//! Every process adds to the same sums and reads them before it asks, so a restart forgets nothing and several
//! nodes share one budget. Only simultaneous calls on different nodes cannot see each other.

use crate::engine::clock::timestamp;
use jiff::Timestamp;
use jiff::tz::TimeZone;
use outside::model::Spend;
use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};
use store::{At, Store, StoreError};

/// The learner of the sums: they belong to none.
const LEARNER: &str = "";
const KIND: &str = "ledger";
/// How many times an addition is tried while others write the same sum. Each time, one of them succeeds.
const MAX_TRIES: usize = 200;

/// The spending that is not in the store yet, by flow.
#[derive(Debug, Default)]
pub struct Books {
    unsaved: Mutex<BTreeMap<String, Spend>>,
}

impl Books {
    pub fn note(&self, flow: &str, spend: Spend) {
        if spend != Spend::default() {
            let mut unsaved = self.unsaved.lock().unwrap_or_else(PoisonError::into_inner);
            let sum = unsaved.entry(flow.to_owned()).or_default();
            *sum = sum.plus(spend);
        }
    }

    /// Adds everything noted to the sums in the store. Spending that cannot be written now stays noted.
    pub async fn save(&self, store: &Store, now: At) -> Result<(), StoreError> {
        let unsaved = std::mem::take(&mut *self.unsaved.lock().unwrap_or_else(PoisonError::into_inner));
        let mut saved = Ok(());
        for (flow, spend) in unsaved {
            // The flow comes first: if the second write fails, the flow is charged twice but the day is right.
            let added = match add(store, &flow_key(&flow), spend, now).await {
                Ok(()) => add(store, &day_key(timestamp(now)), spend, now).await,
                failed => failed,
            };
            if let Err(error) = added {
                self.note(&flow, spend);
                saved = Err(error);
            }
        }
        saved
    }

    /// Returns the spending on the day of `now`, and the flow's total.
    pub async fn spent(store: &Store, flow: &str, now: Timestamp) -> Result<(Spend, Spend), StoreError> {
        let (on_day, _) = read(store, &day_key(now)).await?;
        let (by_flow, _) = read(store, &flow_key(flow)).await?;
        Ok((on_day, by_flow))
    }
}

fn day_key(now: Timestamp) -> String {
    format!("day/{}", now.to_zoned(TimeZone::UTC).date())
}

fn flow_key(flow: &str) -> String {
    format!("flow/{flow}")
}

async fn add(store: &Store, key: &str, spend: Spend, now: At) -> Result<(), StoreError> {
    for _ in 0..MAX_TRIES {
        let (sum, before) = read(store, key).await?;
        let body = serde_json::to_string(&sum.plus(spend))
            .map_err(|error| StoreError::Invalid(error.to_string()))?;
        if store.swap_record((LEARNER, KIND, key), before.as_deref(), (&body, None), now).await? {
            return Ok(());
        }
    }
    Err(StoreError::Invalid(format!("the sum {key} was never left alone long enough to add to it")))
}

/// Returns a sum and its stored text.
async fn read(store: &Store, key: &str) -> Result<(Spend, Option<String>), StoreError> {
    let Some(record) = store.record(LEARNER, KIND, key).await? else { return Ok((Spend::default(), None)) };
    let sum = serde_json::from_str(&record.body)
        .map_err(|error| StoreError::Corrupt(format!("the sum {key} cannot be read: {error}")))?;
    Ok((sum, Some(record.body)))
}
