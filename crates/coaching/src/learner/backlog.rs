//! What to do first after a break, when more is due than fits into a day.

use super::memory::{MemoryState, Model};

/// Something that is due.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Overdue {
    pub state: MemoryState,
    /// Days since its last review.
    pub elapsed_days: f64,
}

/// Spreads what is due over days, at most `per_day` each, and says in which order. The numbers are places in `due`.
///
/// First comes what is most worth saving: what would lose the most chance of recall if it had to wait until the
/// backlog is done. What is as good as forgotten loses little by waiting longer, and so does what is still fresh;
/// both can wait. Among equals the one that has always been hard comes first, then the one that is due longer.
pub fn plan_backlog(model: &Model, due: &[Overdue], per_day: usize) -> Vec<Vec<usize>> {
    let per_day = per_day.max(1);
    let wait_days = due.len().div_ceil(per_day) as f64;
    let rank = |at: usize| {
        let Overdue { state, elapsed_days } = due[at];
        let loss = model.recall(state, elapsed_days) - model.recall(state, elapsed_days + wait_days);
        // Least comes first. A state that makes no sense loses nothing and comes last.
        let loss = if loss.is_finite() { loss } else { 0.0 };
        [-loss, -hardness(state), -elapsed_days]
    };
    let mut order: Vec<(usize, [f64; 3])> = (0..due.len()).map(|at| (at, rank(at))).collect();
    order.sort_by(|(_, a), (_, b)| {
        let mut pairs = a.iter().zip(b).map(|(a, b)| a.total_cmp(b));
        pairs.find(|ordering| ordering.is_ne()).unwrap_or(std::cmp::Ordering::Equal)
    });
    let places: Vec<usize> = order.into_iter().map(|(at, _)| at).collect();
    places.chunks(per_day).map(<[usize]>::to_vec).collect()
}

/// 0 for the easiest to 1 for the hardest.
fn hardness(state: MemoryState) -> f64 {
    match state {
        MemoryState::Fsrs { difficulty, .. } => f64::from(difficulty - 1.0) / 9.0,
        MemoryState::Sm2 { ease, .. } => (1.3 / ease.max(1.3)).clamp(0.0, 1.0),
    }
}
