//! Takes up what time brings and what a crash left behind. Nothing on the hot path waits for it.

use crate::app::App;
use crate::failure::Failure;
use crate::turn::{self, Request};
use coaching::turn::Source;
use outside::sink::{Delivery, SinkError};
use std::sync::Arc;
use std::time::Duration;
use store::{Effect, Timer};
use tokio::sync::watch;

const POLL: Duration = Duration::from_millis(200);
const CLAIM: usize = 64;
/// After so many attempts an effect is dead: listed, with its reason, until somebody revives it.
const MAX_ATTEMPTS: u64 = 8;
const BACKOFF_MS: i64 = 500;
const MAX_BACKOFF_MS: i64 = 60_000;

/// Runs until told to stop.
pub async fn run(app: Arc<App>, mut stop: watch::Receiver<bool>) {
    while !*stop.borrow() {
        let found = match round(&app).await {
            Ok(found) => found,
            Err(error) => {
                tracing::warn!(%error, "the worker could not look for due work; it tries again");
                0
            }
        };
        if found == 0 {
            tokio::select! {
                _ = tokio::time::sleep(POLL) => {}
                _ = stop.changed() => {}
            }
        }
    }
}

/// Takes up everything that is due now; says how much that was.
pub async fn round(app: &App) -> Result<usize, store::StoreError> {
    let now = app.clock.now();
    let until = now.plus_ms(app.lease_ms);
    let timers = app.store.claim_timers(now, until, &app.node, CLAIM).await?;
    let effects = app.store.claim_effects(now, until, &app.node, CLAIM).await?;
    for timer in &timers {
        fire(app, timer).await?;
    }
    for effect in &effects {
        if let Some(result) = perform(app, effect).await {
            turn::take_result(app, result).await?;
        }
    }
    Ok(timers.len() + effects.len())
}

/// A timer counts only for the version that armed it.
async fn fire(app: &App, timer: &Timer) -> Result<(), store::StoreError> {
    let mut request = Request::new(&timer.instance, &timer.event, Source::Timer);
    request.expect_version = Some(timer.version);
    match turn::take(app, request).await {
        Ok(_) => metrics::counter!("etude_timers_total").increment(1),
        Err(Failure::Store(error)) => return Err(error),
        Err(failure) => {
            tracing::debug!(instance = timer.instance, event = timer.event, %failure, "a timer no longer counts");
            app.store.discard_timer(timer).await?;
        }
    }
    Ok(())
}

/// Performs one effect. What comes back as an event is returned; it finishes the effect when taken.
pub async fn perform(app: &App, effect: &Effect) -> Option<Request> {
    let delivered = match &app.sink {
        Some(sink) if effect.kind == "action" => {
            sink.deliver(&effect.key, &effect.instance, &effect.payload).await
        }
        _ => Err(SinkError { message: format!("nothing here performs `{}`", effect.kind), is_final: false }),
    };
    let settled = match delivered {
        Ok(Delivery::Done) => app.store.finish_effect(&effect.key, app.clock.now()).await,
        Ok(Delivery::Event { event, payload, facts }) => {
            let mut result = Request::new(&effect.instance, &event, Source::Model);
            (result.payload, result.facts, result.finishes) = (payload, facts, Some(effect.key.clone()));
            return Some(result);
        }
        Err(error) if error.is_final || effect.attempts >= MAX_ATTEMPTS => {
            metrics::counter!("etude_effects_dead_total").increment(1);
            tracing::error!(key = effect.key, error = error.message, "an effect is dead; `etude dead` lists it");
            app.store.bury_effect(&effect.key, &error.message).await
        }
        Err(error) => {
            let backoff = (BACKOFF_MS << effect.attempts.min(20)).min(MAX_BACKOFF_MS);
            tracing::warn!(key = effect.key, error = error.message, backoff_ms = backoff, "an effect failed");
            app.store.retry_effect(&effect.key, app.clock.now().plus_ms(backoff), &error.message).await
        }
    };
    if let Err(error) = settled {
        tracing::warn!(key = effect.key, %error, "an effect was performed but that could not be noted");
    }
    None
}
