//! Runs everything that falls due over time: reviews and scheduled jobs.

pub mod jobs;

use crate::engine::app::App;
use crate::engine::worker;
use crate::teach::schedules;
use futures_util::future::BoxFuture;
use jobs::Roll;
use std::sync::Arc;
use store::{Store, StoreError};
use tokio::sync::watch;
use tokio::task::JoinSet;

/// Runs the worker and the rounds until told to stop. Each has its own task, so thousands of reviews that are due
/// at once delay no timer. In a box: see [`crate`].
pub fn run(app: Arc<App>, stop: watch::Receiver<bool>) -> BoxFuture<'static, ()> {
    Box::pin(async move {
        let roll = Roll::default();
        let mut loops = JoinSet::new();
        loops.spawn(worker::attend(app.clone(), stop.clone(), async |app| schedules::dispatch(app).await));
        loops.spawn(worker::attend(app.clone(), stop.clone(), async move |app| {
            jobs::dispatch(app, &roll).await
        }));
        loops.spawn(worker::attend(app.clone(), stop.clone(), async |app| jobs::dispatch_fits(app).await));
        loops.spawn(worker::run(app, stop));
        loops.join_all().await;
    })
}

/// Does everything that is due now except jobs. Returns the number of things done.
pub async fn round(app: &App) -> Result<usize, StoreError> {
    let timers = worker::fire_due(app).await?;
    let reviews = Store::in_company(schedules::dispatch(app)).await?;
    Ok(timers + reviews + worker::perform_due(app).await?)
}
