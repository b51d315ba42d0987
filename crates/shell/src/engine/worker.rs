//! Fires due timers and performs effects that a crash left behind. Nothing on the hot path waits for it.

use super::app::{App, Bystander};
use super::errands::{Errand, Errands};
use super::failure::Failure;
use super::node;
use super::performer;
use super::turn::{self, Request};
use coaching::turn::Source;
use std::sync::Arc;
use std::time::Duration;
use store::{Effect, Kinds, Status, Store, StoreError, Timer};
use tokio::sync::watch;
use tokio::task::JoinSet;

const POLL: Duration = Duration::from_millis(200);
const LOOK_FOR_DEAD: Duration = Duration::from_secs(2);
const CLAIM: usize = 64;
/// The number of errands of one sort under way at a time. It is larger than a claim, so that slow errands leave
/// room for others.
const PLACES: usize = 256;
/// The number of turns that a flow may take without entering a state while its timer fires.
const MAX_STAYS: usize = 8;

/// Runs until told to stop. Each sort of work has a loop in a task of its own, so a slow channel or model delays no
/// timer. Within a loop, a slow receiver delays only its own flow.
pub async fn run(app: Arc<App>, stop: watch::Receiver<bool>) {
    let mut loops = JoinSet::new();
    for work in [Work::Timers].into_iter().chain(effects(&app)) {
        loops.spawn(run_errands(app.clone(), stop.clone(), work));
    }
    loops.spawn(free_the_dead(app.clone(), stop.clone()));
    loops.join_all().await;
}

/// Frees the leases of dead processes on this machine at once. Leases of other machines end by themselves.
async fn free_the_dead(app: Arc<App>, mut stop: watch::Receiver<bool>) {
    while !*stop.borrow() {
        if let Err(error) = free_leases_of_the_dead(&app).await {
            tracing::debug!(%error, "what others have left behind is not known now");
        }
        tokio::select! {
            _ = tokio::time::sleep(LOOK_FOR_DEAD) => {}
            _ = stop.changed() => {}
        }
    }
}

async fn free_leases_of_the_dead(app: &App) -> Result<(), StoreError> {
    for owner in app.store.lease_owners().await?.iter().filter(|owner| node::has_died(owner)) {
        tracing::info!(owner, "takes up what a process left behind");
        app.store.free_leases(owner).await?;
    }
    Ok(())
}

/// Looks for work repeatedly until told to stop, and pauses when there is none.
pub async fn attend(
    app: Arc<App>,
    mut stop: watch::Receiver<bool>,
    round: impl AsyncFn(&App) -> Result<usize, StoreError>,
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

/// Fires every timer that is due now. Returns the number of timers.
pub async fn fire_due(app: &App) -> Result<usize, StoreError> {
    do_all(app, Work::Timers).await
}

/// Performs every effect that is due now. Returns the number of effects.
pub async fn perform_due(app: &App) -> Result<usize, StoreError> {
    let mut performed = 0;
    for work in effects(app) {
        performed += do_all(app, work).await?;
    }
    Ok(performed)
}

/// Performs the pending effects of one flow, in a program without a worker. If another process performs them too,
/// each result is still taken once.
pub async fn take_up(app: &App, id: &str) -> Result<(), StoreError> {
    let mut effects = app.store.effects(id).await?;
    effects.retain(|effect| effect.status == Status::Pending);
    perform_all(app, &effects).await;
    Ok(())
}

fn found(looked: Result<usize, StoreError>) -> usize {
    looked.unwrap_or_else(|error| {
        tracing::warn!(%error, "the worker could not look for due work; it tries again");
        0
    })
}

/// The work that a loop looks for.
#[derive(Debug, Clone, Copy)]
enum Work {
    Timers,
    /// Effects that turns wait for.
    Effects,
    /// Effects of a kind that turns leave to the worker. They keep the order of their flow.
    Left(&'static str),
}

fn effects(app: &App) -> impl Iterator<Item = Work> {
    [Work::Effects].into_iter().chain(app.kinds_left().map(Work::Left))
}

/// Claims errands as places become free. Errands under way may end after the loop has been told to stop.
async fn run_errands(app: Arc<App>, mut stop: watch::Receiver<bool>, work: Work) {
    let mut errands = Errands::of(&app);
    while !*stop.borrow() {
        let room = CLAIM.min(PLACES - errands.len());
        let claimed = found(add_claimed(&mut errands, claim(&app, work, room)).await);
        // After a full claim there is probably more work.
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
        errands.beside(app.save_performers()).await;
    }
    Store::in_company(go_on(&mut errands, 0)).await;
}

async fn go_on(errands: &mut Errands<'_>, rest: usize) {
    while let Err(error) = errands.go_on(rest).await {
        tracing::warn!(%error, "a timer could not be taken; it is looked at again");
    }
}

/// Does all due work of one sort.
async fn do_all(app: &App, work: Work) -> Result<usize, StoreError> {
    let mut errands = Errands::of(app);
    let mut outcome = add_claimed(&mut errands, claim(app, work, CLAIM)).await;
    while let Err(error) = Store::in_company(errands.go_on(0)).await {
        outcome = Err(error);
    }
    app.save_performers().await;
    outcome
}

/// Adds claimed errands and returns their number.
async fn add_claimed(
    errands: &mut Errands<'_>,
    claim: impl Future<Output = Result<Vec<Errand>, StoreError>>,
) -> Result<usize, StoreError> {
    let claimed = Store::in_company(errands.beside(claim)).await?;
    let count = claimed.len();
    claimed.into_iter().for_each(|errand| errands.add(errand));
    Ok(count)
}

async fn claim(app: &App, work: Work, room: usize) -> Result<Vec<Errand>, StoreError> {
    if room == 0 {
        return Ok(Vec::new());
    }
    let now = app.clock.now();
    let (until, node) = (now.plus_ms(app.lease_ms), &app.node);
    Ok(match work {
        Work::Timers => {
            app.store.claim_timers(now, until, node, room).await?.into_iter().map(Errand::Timer).collect()
        }
        Work::Effects => {
            let except: Vec<&str> = app.kinds_left().chain(app.kinds_of_others()).collect();
            let effects = app.store.claim_effects(Kinds::AllBut(&except), now, until, node, room).await?;
            effects.into_iter().map(Errand::Effect).collect()
        }
        Work::Left(kind) => {
            let effects = app.store.claim_effects(Kinds::InOrder(kind), now, until, node, room).await?;
            effects.into_iter().map(Errand::Effect).collect()
        }
    })
}

/// Performs an effect that was left to the worker. If it waited behind other effects of its flow, its lease is
/// renewed first, together with the leases of those behind it; another node may have claimed it meanwhile.
pub(super) async fn perform_left(app: &App, effect: &Effect, has_waited: bool) {
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
        if let Some(result) = performer::perform(app, effect).await {
            turn::take_result(app, result).await;
        }
    }
}

/// Postpones an effect whose result its flow could not take now. Returns whether it did.
async fn waits_for_its_flow(app: &App, effect: &Effect) -> bool {
    if !app.manner(&effect.kind).answers_its_flow {
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

/// Fires a timer. The timer counts from the version that set it until the flow enters a state.
pub async fn fire(app: &App, timer: &Timer) -> Result<(), StoreError> {
    let Timer { instance, event, mut version, .. } = timer.clone();
    for _ in 0..MAX_STAYS {
        let expect_version = Some(version);
        let request = Request { expect_version, ..Request::new(&instance, &event, Source::Timer) };
        match turn::take(app, request).await {
            Ok(mut answer) => {
                metrics::counter!("etude_timers_total").increment(1);
                app.aloud.late(&answer);
                if let Some(Bystander(hear)) = &app.bystander {
                    app.words.translate(app.words.choose(app.locale.as_deref()), &mut answer);
                    hear(answer).await;
                }
                return Ok(());
            }
            Err(Failure::Store(error)) => return Err(error),
            // A turn that entered no state has raised the version and kept the timers; entering a state replaces
            // them.
            Err(Failure::Conflict { version: now, .. })
                if now > version && app.store.timers(&instance).await?.contains(timer) =>
            {
                version = now;
            }
            // The flow cannot go on now, or its documents keep changing. Its timer stays.
            Err(failure) if failure.is_standstill() || is_at(&failure, version) => {
                tracing::debug!(instance, event, %failure, "a timer waits");
                return Ok(());
            }
            Err(failure) => {
                tracing::debug!(instance, event, %failure, "a timer no longer counts");
                app.store.discard_timer(timer).await?;
                return Ok(());
            }
        }
    }
    Ok(())
}

fn is_at(failure: &Failure, expected: u64) -> bool {
    matches!(failure, Failure::Conflict { version, .. } if *version == expected)
}
