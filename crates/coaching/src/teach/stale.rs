//! Decides when a course that its learner has left is put aside.
//!
//! A course is left when its last session ends or its last concept was recalled. A course that waits for a review
//! is left only when that review is due. It is stale strictly more than thirty days later. The check is weekly: the
//! learner is warned of a course that will be stale at the next check, once for each time that they left it, and no
//! course is put aside without a warning at an earlier check.

use super::progress::Progress;
use super::state::{FlowState, FlowStatus};
use crate::learner::US_PER_DAY;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

/// The days for which a course is kept open without its learner.
pub(super) const STALE_DAYS: i64 = 30;
/// The days after which the learner is warned: a week before, because the check comes once a week.
const WARNED_DAYS: i64 = STALE_DAYS - 7;
/// The least age of a warning, in days. The next check comes a week later by the clock on the wall, which may go
/// forward.
const LEAST_NOTICE_DAYS: i64 = 6;

/// The fate of a course.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    Fine,
    Warn,
    Abandon,
}

/// A warning about a course that was left at some moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Warning {
    pub left_at: Timestamp,
    pub warned_at: Timestamp,
}

/// Judges a course by its last warning. A warning about an earlier absence does not count.
pub fn judge(now: Timestamp, left_at: Timestamp, warning: Option<Warning>) -> Verdict {
    let past = |at, days| us_past(now, at, days);
    match warning.filter(|warning| warning.left_at == left_at) {
        None if past(left_at, WARNED_DAYS) > 0 => Verdict::Warn,
        Some(Warning { warned_at, .. })
            if past(left_at, STALE_DAYS) > 0 && past(warned_at, LEAST_NOTICE_DAYS) >= 0 =>
        {
            Verdict::Abandon
        }
        _ => Verdict::Fine,
    }
}

/// Whether the last session is too recent for a warning, whatever else happened.
pub fn is_recent(state: &FlowState, now: Timestamp) -> bool {
    us_past(now, state.last_session_at, WARNED_DAYS) <= 0
}

/// Returns when the learner left a course with this progress.
pub fn left_at<'p>(state: &FlowState, progress: impl Iterator<Item = &'p Progress> + Clone) -> Timestamp {
    let recalled_us = progress.clone().filter_map(|progress| progress.reviewed_at_us).max();
    let next_us = progress.filter_map(|progress| progress.next_review_at_us).min();
    let waits_us = next_us.filter(|_| state.status == FlowStatus::Reviewing);
    let moments = [recalled_us, waits_us].into_iter().flatten();
    let moments = moments.filter_map(|at_us| Timestamp::from_microsecond(at_us).ok());
    moments.fold(state.last_session_at, Timestamp::max)
}

/// Returns how far `now` is past the moment `days` after `at`, in microseconds.
fn us_past(now: Timestamp, at: Timestamp, days: i64) -> i64 {
    now.as_microsecond() - at.as_microsecond() - days * US_PER_DAY
}
