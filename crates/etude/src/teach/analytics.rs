//! The numbers of a learner, and keeping them once a night.

use crate::engine::app::App;
use crate::engine::failure::Failure;
use crate::engine::look::look;
use crate::engine::records;
use coaching::teach::analytics::Analytics;
use coaching::teach::looks;
use store::{At, RecordChange};

pub use coaching::teach::looks::{Report, SNAPSHOT_KIND, percent};

/// The courses that a learner has not given up, and all of them together.
pub async fn report(app: &App, learner: &str) -> Result<Report, Failure> {
    look(app, learner, looks::report).await
}

/// The numbers of one course, also of one that was given up.
pub async fn course(app: &App, mind_map_id: &str) -> Result<Analytics, Failure> {
    let learner = super::teaching::course(app, mind_map_id).await?.learner;
    look(app, &learner, |shelf| looks::numbers(shelf, mind_map_id)).await
}

/// Keeps the numbers of the learner's day that `at` belongs to; says how many there are.
pub async fn keep_snapshot(app: &App, learner: &str, at: At) -> Result<usize, Failure> {
    let snapshot = look(app, learner, |shelf| looks::snapshot(shelf, at.0)).await?;
    let changes: Vec<RecordChange> = snapshot.iter().map(|record| records::change(learner, record)).collect();
    app.store.remember(&changes, app.clock.now()).await?;
    Ok(changes.len())
}

/// The kept numbers of all courses together, of the days from `since` on, oldest first.
pub async fn kept(app: &App, learner: &str, since: At) -> Result<Vec<Analytics>, Failure> {
    look(app, learner, |shelf| looks::snapshots(shelf, since.0)).await
}
