//! Performs effects as the engine sees them: each has a kind, and a [`Performer`] in `effects/` performs that kind.

use super::app::App;
use super::failure::Failure;
use super::turn::Request;
use super::via::Via;
use coaching::turn::Turned;
use futures_util::FutureExt;
use futures_util::future::{BoxFuture, ready};
use outside::Trouble;
use std::fmt::Debug;
use store::{Effect, StoreError};

/// The number of attempts after which an effect is dead. It stays listed with its reason until it is revived.
const MAX_ATTEMPTS: u64 = 8;
const BACKOFF_MS: i64 = 500;
const MAX_BACKOFF_MS: i64 = 60_000;

/// A performer of all effects of one kind.
pub trait Performer: Debug + Send + Sync {
    fn kind(&self) -> &'static str;

    fn manner(&self) -> Manner {
        Manner::default()
    }

    /// Whether this process has the means: a model, a channel, a receiver.
    fn is_ready(&self, _: &App) -> bool {
        true
    }

    /// Whether this process can perform the effect. Otherwise the effect is left to another process.
    fn can_perform(&self, app: &App, _: &Effect) -> bool {
        self.is_ready(app) || self.manner().does_without
    }

    /// Performs an effect. If it results in an event, the effect is finished when that event is taken.
    fn perform<'a>(&'a self, app: &'a App, effect: &'a Effect) -> BoxFuture<'a, Performed>;

    /// Returns the event that tells a flow that an effect was given up.
    fn given_up(&self, _: &Effect, _: &str) -> Option<Request> {
        None
    }

    /// Adds messages to a turn whose caller does not wait for an answer.
    fn tell<'a>(
        &'a self,
        _: &'a App,
        _: Telling<'a>,
        _: &'a mut Turned,
    ) -> BoxFuture<'a, Result<(), Failure>> {
        ready(Ok(())).boxed()
    }

    /// Writes down what the performer has kept in memory.
    fn save<'a>(&'a self, _: &'a App) -> BoxFuture<'a, ()> {
        ready(()).boxed()
    }
}

/// How the engine handles effects of one kind.
#[derive(Debug, Clone, Copy, Default)]
pub struct Manner {
    /// Whether the worker performs the effect, so that no turn waits for it.
    pub is_left: bool,
    /// Whether its result is an event for the flow that caused it. The effect waits while that flow cannot go on.
    pub answers_its_flow: bool,
    /// Whether the learner hears of its result in the same way as of its cause.
    pub keeps_via: bool,
    /// Whether a process that is not ready still performs it, with a lesser result.
    pub does_without: bool,
}

/// The event that an effect brings back, if any, or why it was not performed.
pub type Performed = Result<Option<Request>, Trouble>;

/// The learner to tell about a turn, and how.
#[derive(Debug, Clone, Copy)]
pub struct Telling<'a> {
    pub learner: &'a str,
    pub instance: &'a str,
    pub via: Via,
}

impl App {
    pub fn performer(&self, kind: &str) -> Option<&dyn Performer> {
        self.performers.iter().map(Box::as_ref).find(|performer| performer.kind() == kind)
    }

    /// Whether this process has the means to perform effects of a kind.
    pub fn is_ready_for(&self, kind: &str) -> bool {
        self.performer(kind).is_some_and(|performer| performer.is_ready(self))
    }

    pub fn manner(&self, kind: &str) -> Manner {
        self.performer(kind).map(Performer::manner).unwrap_or_default()
    }

    /// Returns the kinds of effects that turns leave to the worker.
    pub fn kinds_left(&self) -> impl Iterator<Item = &'static str> {
        let left = self.performers.iter().filter(|performer| performer.manner().is_left);
        left.map(|performer| performer.kind())
    }

    /// Returns the kinds of effects that turns wait for and that only other processes can perform.
    pub fn kinds_of_others(&self) -> impl Iterator<Item = &'static str> {
        let others = self.performers.iter().filter(|performer| {
            let Manner { is_left, does_without, .. } = performer.manner();
            !is_left && !does_without && !performer.is_ready(self)
        });
        others.map(|performer| performer.kind())
    }

    /// Adds messages for the learner to a turn whose caller does not pass on what was said.
    pub async fn tell(&self, telling: Telling<'_>, turned: &mut Turned) -> Result<(), Failure> {
        if telling.via == Via::Caller {
            return Ok(());
        }
        for effect in &mut turned.effects {
            if self.manner(&effect.kind).keeps_via {
                telling.via.put_into(&mut effect.payload);
            }
        }
        for performer in &self.performers {
            performer.tell(self, telling, turned).await?;
        }
        Ok(())
    }

    pub async fn save_performers(&self) {
        for performer in &self.performers {
            performer.save(self).await;
        }
    }
}

/// Performs one effect and records the outcome. Returns the resulting event, if any.
pub async fn perform(app: &App, effect: &Effect) -> Option<Request> {
    let performer = app.performer(&effect.kind);
    if performer.is_some_and(|performer| !performer.can_perform(app, effect)) {
        leave_to_others(app, effect).await;
        return None;
    }
    let performed = match performer {
        Some(performer) => performer.perform(app, effect).await,
        None => {
            Err(Trouble::Retry { after_ms: None, reason: format!("nothing here performs `{}`", effect.kind) })
        }
    };
    let settled = match performed {
        Ok(Some(result)) => return Some(result),
        Ok(None) => app.store.finish_effect(&effect.key, app.clock.now()).await,
        Err(trouble) if is_final(effect, &trouble) => {
            let (Trouble::Retry { reason, .. } | Trouble::Final { reason }) = trouble;
            metrics::counter!("etude_effects_dead_total").increment(1);
            tracing::error!(key = effect.key, error = reason, "an effect is dead; `etude dead` lists it");
            match performer.and_then(|performer| performer.given_up(effect, &reason)) {
                Some(request) => return Some(Request { given_up: Some(reason), ..request }),
                None => app.store.bury_effect(&effect.key, &app.node, &reason).await,
            }
        }
        Err(trouble) => put_off(app, effect, trouble).await,
    };
    if let Err(error) = settled {
        tracing::warn!(key = effect.key, %error, "an effect was performed but that could not be noted");
    }
    None
}

/// Whether an effect that failed is given up.
fn is_final(effect: &Effect, trouble: &Trouble) -> bool {
    match trouble {
        Trouble::Retry { after_ms, .. } => after_ms.is_none() && effect.attempts >= MAX_ATTEMPTS,
        Trouble::Final { .. } => true,
    }
}

/// Schedules the next attempt at an effect that failed.
async fn put_off(app: &App, effect: &Effect, trouble: Trouble) -> Result<bool, StoreError> {
    let (store, now, key, node) = (&app.store, app.clock.now(), &effect.key, &app.node);
    match trouble {
        Trouble::Retry { after_ms: Some(after_ms), reason } => {
            tracing::info!(key, after_ms, reason, "an effect has to wait");
            let not_before = now.plus_ms(i64::try_from(after_ms).unwrap_or(i64::MAX));
            store.postpone_effect(key, node, not_before, &reason).await
        }
        Trouble::Retry { after_ms: None, reason } | Trouble::Final { reason } => {
            let backoff_ms = (BACKOFF_MS << effect.attempts.min(20)).min(MAX_BACKOFF_MS);
            tracing::warn!(key, error = reason, backoff_ms, "an effect failed");
            store.retry_effect(key, node, now.plus_ms(backoff_ms), &reason).await
        }
    }
}

/// Releases an effect to another process that has the receiver or the channel. That process can claim it at once,
/// unless this one had claimed it.
async fn leave_to_others(app: &App, effect: &Effect) {
    let now = app.clock.now();
    // A process that claimed the effect must not claim it again and again.
    let not_before = if effect.lease_owner.is_some() { now.plus_ms(app.lease_ms) } else { now };
    let left = app
        .store
        .postpone_effect(&effect.key, &app.node, not_before, "waits for a server that can do it")
        .await;
    if let Err(error) = left {
        tracing::warn!(key = effect.key, %error, "an effect could not be left to others");
    }
}
