//! Takes up what time brings and what a crash left behind. Nothing on the hot path waits for it.

use crate::app::App;
use crate::asking;
use crate::errands::{Errand, Errands};
use crate::failure::Failure;
use crate::notices::{self, NOTIFY_KIND};
use crate::turn::{self, Request};
use crate::{jobs, schedules};
use coaching::ask::MODEL_KIND;
use coaching::turn::{SEND_KIND, Source};
use outside::notify::Trouble;
use outside::sink::{Delivery, SinkError};
use std::sync::Arc;
use std::time::Duration;
use store::{Effect, Kinds, Status, Store, Timer};
use tokio::sync::watch;
use tokio::task::JoinSet;

const POLL: Duration = Duration::from_millis(200);
/// An action of a law that has no Rust of its own.
const ACTION_KIND: &str = "action";
/// Messages to people wait for slow channels and keep the order of their flow. Nothing else should wait with them.
const MESSAGES: Kinds = Kinds::InOrder(NOTIFY_KIND);
const OTHERS: Kinds = Kinds::AllBut(&[NOTIFY_KIND]);
/// A process without a receiver leaves actions to those that have one.
const OWN: Kinds = Kinds::AllBut(&[NOTIFY_KIND, ACTION_KIND]);
const CLAIM: usize = 64;
/// So many errands of one sort are under way at a time; those that come slowly leave room for the others.
const PLACES: usize = 256;
/// After so many attempts an effect is dead: listed, with its reason, until somebody revives it.
const MAX_ATTEMPTS: u64 = 8;
const BACKOFF_MS: i64 = 500;
const MAX_BACKOFF_MS: i64 = 60_000;

/// Runs until told to stop. Each sort of work has a loop of its own, and each loop is a task of its own: a channel or a
/// model that is slow keeps no timer and no review waiting, and neither do thousands of reviews that are due at once.
/// Within a loop a slow receiver keeps its own flow waiting and no other.
pub async fn run(app: Arc<App>, stop: watch::Receiver<bool>) {
    let mut loops = JoinSet::new();
    let others = if app.sink.is_some() { OTHERS } else { OWN };
    for sort in [Looked::Timers, Looked::Effects(others), Looked::Effects(MESSAGES)] {
        loops.spawn(run_errands(app.clone(), stop.clone(), sort));
    }
    loops.spawn(attend(app.clone(), stop.clone(), async |app| schedules::dispatch(app).await));
    loops.spawn(attend(app.clone(), stop.clone(), async |app| jobs::dispatch(app).await));
    loops.spawn(attend(app, stop, async |app| jobs::dispatch_fits(app).await));
    loops.join_all().await;
}

/// Looks for work again and again, and rests when there is none.
async fn attend(
    app: Arc<App>,
    mut stop: watch::Receiver<bool>,
    round: impl AsyncFn(&App) -> Result<usize, store::StoreError>,
) {
    while !*stop.borrow() {
        if found(Store::in_company(round(&app)).await) == 0 {
            tokio::select! {
                _ = tokio::time::sleep(POLL) => {}
                _ = stop.changed() => {}
            }
        }
    }
}

fn found(looked: Result<usize, store::StoreError>) -> usize {
    looked.unwrap_or_else(|error| {
        tracing::warn!(%error, "the worker could not look for due work; it tries again");
        0
    })
}

/// What a loop looks for.
#[derive(Debug, Clone, Copy)]
enum Looked {
    Timers,
    Effects(Kinds),
}

/// Claims errands as places become free for them. Those that are begun may end after the loop was told to stop.
async fn run_errands(app: Arc<App>, mut stop: watch::Receiver<bool>, sort: Looked) {
    let mut errands = Errands::of(&app);
    while !*stop.borrow() {
        let room = CLAIM.min(PLACES - errands.len());
        let claimed = found(add_claimed(&mut errands, claim(&app, sort, room)).await);
        // After a full claim there is probably more.
        let is_more = claimed == room && room > 0;
        let going_on = async {
            go_on(&mut errands, if is_more { CLAIM / 2 } else { 0 }).await;
            if !is_more {
                std::future::pending::<()>().await;
            }
        };
        tokio::select! {
            () = Store::in_company(going_on) => {}
            _ = tokio::time::sleep(POLL) => {}
            _ = stop.changed() => {}
        }
        if let Some(asker) = &app.asker {
            errands.beside(asker.save_books(&app)).await;
        }
    }
    Store::in_company(go_on(&mut errands, 0)).await;
}

async fn go_on(errands: &mut Errands<'_>, rest: usize) {
    while let Err(error) = errands.go_on(rest).await {
        tracing::warn!(%error, "a timer could not be taken; it is looked at again");
    }
}

/// Takes up everything that is due now; says how much that was.
pub async fn round(app: &App) -> Result<usize, store::StoreError> {
    let timers = do_all(app, Looked::Timers).await?;
    let reviews = Store::in_company(schedules::dispatch(app)).await?;
    let others = do_all(app, Looked::Effects(OTHERS)).await?;
    Ok(timers + reviews + others + do_all(app, Looked::Effects(MESSAGES)).await?)
}

/// What is due of a sort, to its end.
async fn do_all(app: &App, sort: Looked) -> Result<usize, store::StoreError> {
    let mut errands = Errands::of(app);
    let mut outcome = add_claimed(&mut errands, claim(app, sort, CLAIM)).await;
    while let Err(error) = Store::in_company(errands.go_on(0)).await {
        outcome = Err(error);
    }
    if let Some(asker) = &app.asker {
        asker.save_books(app).await;
    }
    outcome
}

/// Says how many errands were claimed.
async fn add_claimed(
    errands: &mut Errands<'_>,
    claim: impl Future<Output = Result<Vec<Errand>, store::StoreError>>,
) -> Result<usize, store::StoreError> {
    let claimed = Store::in_company(errands.beside(claim)).await?;
    let count = claimed.len();
    claimed.into_iter().for_each(|errand| errands.add(errand));
    Ok(count)
}

async fn claim(app: &App, sort: Looked, room: usize) -> Result<Vec<Errand>, store::StoreError> {
    if room == 0 {
        return Ok(Vec::new());
    }
    let now = app.clock.now();
    let (until, node) = (now.plus_ms(app.lease_ms), &app.node);
    Ok(match sort {
        Looked::Timers => {
            app.store.claim_timers(now, until, node, room).await?.into_iter().map(Errand::Timer).collect()
        }
        Looked::Effects(kinds) => {
            let effects = app.store.claim_effects(kinds, now, until, node, room).await?;
            effects.into_iter().map(Errand::Effect).collect()
        }
    })
}

/// Performs an effect that somebody left. One that had to wait for others of its flow may have been taken up elsewhere
/// meanwhile; if it was not, it and those that wait behind it stay with this node.
pub(crate) async fn perform_left(app: &App, effect: &Effect, has_waited: bool) {
    if has_waited {
        let until = app.clock.now().plus_ms(app.lease_ms);
        match app.store.renew_effects(&effect.instance, &app.node, until).await {
            Ok(kept) if kept.contains(&effect.key) => {}
            Ok(_) => return,
            Err(error) => {
                tracing::warn!(key = effect.key, %error, "an effect waits until its lease is over");
                return;
            }
        }
    }
    perform_all(app, std::slice::from_ref(effect)).await;
}

async fn perform_all(app: &App, effects: &[Effect]) {
    for effect in effects {
        if waits_for_its_flow(app, effect).await {
            continue;
        }
        if let Some(result) = perform(app, effect).await {
            turn::take_result(app, result).await;
        }
    }
}

/// What brings a result waits while its flow cannot go on: nobody is asked for what could not be taken.
async fn waits_for_its_flow(app: &App, effect: &Effect) -> bool {
    if !matches!(effect.kind.as_str(), ACTION_KIND | MODEL_KIND) {
        return false;
    }
    let Err(failure) = app.load(&effect.instance).await else { return false };
    if failure.is_standstill() {
        let not_before = app.clock.now().plus_ms(app.lease_ms);
        let reason = failure.to_string();
        if let Err(error) = app.store.postpone_effect(&effect.key, &app.node, not_before, &reason).await {
            tracing::warn!(key = effect.key, %error, "an effect waits but that could not be noted");
        }
    }
    failure.is_standstill()
}

/// Performs what one flow waits for, for a program without a worker. If somebody else is at it, its result is still
/// taken once.
pub async fn take_up(app: &App, id: &str) -> Result<(), store::StoreError> {
    let mut effects = app.store.effects(id).await?;
    effects.retain(|effect| effect.status == Status::Pending);
    perform_all(app, &effects).await;
    Ok(())
}

/// A timer counts only for the version that armed it.
pub(crate) async fn fire(app: &App, timer: &Timer) -> Result<(), store::StoreError> {
    let mut request = Request::new(&timer.instance, &timer.event, Source::Timer);
    request.expect_version = Some(timer.version);
    match turn::take(app, request).await {
        Ok(answer) => {
            metrics::counter!("etude_timers_total").increment(1);
            if let Some(desk) = &app.desk {
                desk.pass_on(app.clock.now(), &answer).await;
            }
        }
        Err(Failure::Store(error)) => return Err(error),
        // The flow cannot go on now, or what it is decided with keeps changing. When it can, its timer is still there.
        Err(failure) if failure.is_standstill() || is_still_at(&failure, timer.version) => {
            tracing::debug!(instance = timer.instance, event = timer.event, %failure, "a timer waits");
        }
        Err(failure) => {
            tracing::debug!(instance = timer.instance, event = timer.event, %failure, "a timer no longer counts");
            app.store.discard_timer(timer).await?;
        }
    }
    Ok(())
}

fn is_still_at(failure: &Failure, armed_by: u64) -> bool {
    matches!(failure, Failure::Conflict { version, .. } if *version == armed_by)
}

/// Performs one effect. What comes back as an event is returned; it finishes the effect when taken.
pub async fn perform(app: &App, effect: &Effect) -> Option<Request> {
    let is_for_others = match effect.kind.as_str() {
        ACTION_KIND => app.sink.is_none(),
        NOTIFY_KIND => !app.notifier.as_ref().is_some_and(|notifier| notices::can_leave(notifier, effect)),
        _ => false,
    };
    if is_for_others {
        leave_to_others(app, effect).await;
        return None;
    }
    let settled = match attempt(app, effect).await {
        Ok(Some(result)) => return Some(result),
        Ok(None) => app.store.finish_effect(&effect.key, app.clock.now()).await,
        Err(Missed { after_ms: Some(after_ms), message, .. }) => {
            tracing::info!(key = effect.key, after_ms, reason = message, "an effect has to wait");
            app.store
                .postpone_effect(&effect.key, &app.node, app.clock.now().plus_ms(after_ms), &message)
                .await
        }
        Err(error) if error.is_final || effect.attempts >= MAX_ATTEMPTS => {
            metrics::counter!("etude_effects_dead_total").increment(1);
            tracing::error!(
                key = effect.key,
                error = error.message,
                "an effect is dead; `etude dead` lists it"
            );
            app.store.bury_effect(&effect.key, &app.node, &error.message).await
        }
        Err(error) => {
            let backoff = (BACKOFF_MS << effect.attempts.min(20)).min(MAX_BACKOFF_MS);
            tracing::warn!(key = effect.key, error = error.message, backoff_ms = backoff, "an effect failed");
            app.store
                .retry_effect(&effect.key, &app.node, app.clock.now().plus_ms(backoff), &error.message)
                .await
        }
    };
    if let Err(error) = settled {
        tracing::warn!(key = effect.key, %error, "an effect was performed but that could not be noted");
    }
    None
}

/// Another process has the receiver of actions, or the channel; the effect is free for it at once.
async fn leave_to_others(app: &App, effect: &Effect) {
    let now = app.clock.now();
    // A process that came by its effect through a claim should not find it again and again.
    let not_before = if effect.lease_owner.is_some() { now.plus_ms(app.lease_ms) } else { now };
    let left = app
        .store
        .postpone_effect(&effect.key, &app.node, not_before, "waits for a server that can do it")
        .await;
    if let Err(error) = left {
        tracing::warn!(key = effect.key, %error, "an effect could not be left to others");
    }
}

/// Why an effect was not performed.
#[derive(Debug)]
struct Missed {
    message: String,
    /// Trying again would not help.
    is_final: bool,
    /// Somebody named the moment to try again; waiting for it is no failed attempt.
    after_ms: Option<i64>,
}

impl Missed {
    fn finally(message: String) -> Missed {
        Missed { message, is_final: true, after_ms: None }
    }
}

impl From<SinkError> for Missed {
    fn from(error: SinkError) -> Missed {
        Missed { message: error.message, is_final: error.is_final, after_ms: None }
    }
}

impl From<Trouble> for Missed {
    fn from(trouble: Trouble) -> Missed {
        match trouble {
            Trouble::Final { reason } => Missed::finally(reason),
            Trouble::Retry { after_ms, reason } => {
                let after_ms = after_ms.map(|ms| i64::try_from(ms).unwrap_or(i64::MAX));
                Missed { message: reason, is_final: false, after_ms }
            }
        }
    }
}

async fn attempt(app: &App, effect: &Effect) -> Result<Option<Request>, Missed> {
    match (effect.kind.as_str(), &app.sink, &app.notifier) {
        (MODEL_KIND, ..) => asking::perform(app, effect).await.map(Some).map_err(Missed::finally),
        (ACTION_KIND, Some(sink), _) => {
            let delivery = sink.deliver(&effect.key, &effect.instance, &effect.payload).await?;
            Ok(delivered(effect, delivery))
        }
        (SEND_KIND, ..) => sent(effect).map(Some),
        (NOTIFY_KIND, _, Some(notifier)) => {
            notices::deliver(notifier, app, effect).await?;
            Ok(None)
        }
        (kind, ..) => {
            let message = format!("nothing here performs `{kind}`");
            Err(Missed { message, is_final: false, after_ms: None })
        }
    }
}

/// An event for another flow, to be taken as the result of this effect. One that cannot use it now was told.
fn sent(effect: &Effect) -> Result<Request, Missed> {
    let unreadable = |error: serde_json::Error| Missed::finally(error.to_string());
    let passed: PassedOn = serde_json::from_str(&effect.payload).map_err(unreadable)?;
    Ok(Request {
        payload: passed.payload,
        finishes: Some(effect.key.clone()),
        // Sent again after a crash, it is taken once.
        request: Some(effect.key.clone()),
        via: notices::via_of(effect),
        ..Request::new(&passed.to, &passed.event, Source::System)
    })
}

#[derive(Debug, serde::Deserialize)]
struct PassedOn {
    to: String,
    event: String,
    #[serde(default)]
    payload: serde_json::Value,
}

fn delivered(effect: &Effect, delivery: Delivery) -> Option<Request> {
    let Delivery::Event { event, payload, facts } = delivery else { return None };
    let mut result = Request::new(&effect.instance, &event, Source::Model);
    (result.payload, result.facts) = (payload, facts);
    result.finishes = Some(effect.key.clone());
    // An effect that outlives its lease may be performed by two nodes; its result is taken once.
    result.request = Some(effect.key.clone());
    Some(result)
}
