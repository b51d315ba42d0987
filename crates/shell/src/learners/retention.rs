//! Limits how long Etude keeps the logs of ended flows. The results of learning are in separate records and stay.

use super::rights;
use crate::engine::app::App;
use crate::engine::failure::Failure;
use serde::Serialize;
use serde_json::Value;
use std::io::Write;
use store::{At, Instance, StoreError};

const PAGE: usize = 256;

#[derive(Debug, Default, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Pruned {
    pub flows: u64,
    pub entries: u64,
}

impl Pruned {
    fn and(self, entries: u64) -> Pruned {
        let flows = self.flows + u64::from(entries > 0);
        Pruned { flows, entries: self.entries + entries }
    }
}

/// Deletes all but the last entry in the logs of flows that ended before a moment, and their performed effects. With an
/// archive, each flow is written there first, as in the export of its learner.
pub async fn prune(
    app: &App,
    before: At,
    mut archive: Option<&mut (dyn Write + Send)>,
) -> Result<Pruned, Failure> {
    let (mut pruned, mut after) = (Pruned::default(), String::new());
    while let Some(page) = page(app, before, &mut after).await? {
        for row in page {
            if let Some(archive) = &mut archive
                && has_more(app, &row).await?
            {
                let flow = rights::flow(app, row.clone()).await?;
                write(*archive, &flow)?;
            }
            pruned = pruned.and(app.store.prune(&row).await?);
        }
    }
    Ok(pruned)
}

/// Counts what [`prune`] would delete.
pub async fn prunable(app: &App, before: At) -> Result<Pruned, Failure> {
    let (mut pruned, mut after) = (Pruned::default(), String::new());
    while let Some(page) = page(app, before, &mut after).await? {
        for row in page {
            pruned = pruned.and(if has_more(app, &row).await? { row.version - 1 } else { 0 });
        }
    }
    Ok(pruned)
}

fn write(archive: &mut dyn Write, flow: &Value) -> Result<(), StoreError> {
    let written = writeln!(archive, "{flow}").and_then(|()| archive.flush());
    written.map_err(|error| StoreError::Io(format!("the archive cannot be written: {error}")))
}

/// Whether the log of a flow has more than its last entry.
async fn has_more(app: &App, row: &Instance) -> Result<bool, Failure> {
    Ok(app.store.log(&row.id, 0, 1).await?.first().is_some_and(|entry| entry.version < row.version))
}

/// Returns the next flows that ended before a moment, and moves `after` on.
async fn page(app: &App, before: At, after: &mut String) -> Result<Option<Vec<Instance>>, Failure> {
    let page = app.store.prunable(before, after, PAGE).await?;
    Ok(page.last().map(|last| last.id.clone()).map(|last| {
        *after = last;
        page
    }))
}
