//! Watches the other work of the machine while we measure.

use std::time::Duration;

const WATCHED: Duration = Duration::from_secs(1);

/// Returns how busy the processors are while this program does nothing; `None` if the system does not tell.
pub async fn busy_percent() -> Option<f64> {
    let before = times()?;
    tokio::time::sleep(WATCHED).await;
    let after = times()?;
    let (busy, all) = (after.0 - before.0, after.1 - before.1);
    Some(busy as f64 / all.max(1) as f64 * 100.0)
}

/// Returns the ticks for which all processors were busy, and all ticks.
fn times() -> Option<(u64, u64)> {
    let text = std::fs::read_to_string("/proc/stat").ok()?;
    let ticks: Vec<u64> = text.lines().next()?.split_whitespace().skip(1).flat_map(str::parse).collect();
    // The fourth and fifth columns are idling and waiting for a disk.
    let idle: u64 = ticks.get(3..5)?.iter().sum();
    let all = ticks.iter().take(8).sum();
    Some((all - idle, all))
}
