//! Reads the time of day, here and nowhere else.

use jiff::Timestamp;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use store::At;

/// Real time, or a time that a test sets.
#[derive(Debug, Clone)]
pub enum Clock {
    System,
    Set(Arc<AtomicI64>),
}

impl Clock {
    pub fn set_to(at: At) -> Clock {
        Clock::Set(Arc::new(AtomicI64::new(at.0)))
    }

    pub fn now(&self) -> At {
        match self {
            Clock::System => At(system_micros()),
            Clock::Set(micros) => At(micros.load(Ordering::SeqCst)),
        }
    }

    /// Moves a set clock forward. Has no effect on real time.
    pub fn pass_ms(&self, ms: i64) {
        self.go_to(self.now().plus_ms(ms));
    }

    /// Moves a set clock to a moment. Has no effect on real time.
    pub fn go_to(&self, at: At) {
        if let Clock::Set(micros) = self {
            micros.store(at.0, Ordering::SeqCst);
        }
    }
}

#[expect(clippy::disallowed_methods, reason = "this is the clock")]
fn system_micros() -> i64 {
    Timestamp::now().as_microsecond()
}

/// Converts a moment for calendar arithmetic.
pub fn timestamp(at: At) -> Timestamp {
    Timestamp::from_microsecond(at.0).unwrap_or(Timestamp::MAX)
}

/// Parses a length of time such as `12h`, `90d`, `4w` or `2y` into milliseconds.
pub fn span_ms(text: &str) -> Result<i64, String> {
    const HOUR_MS: i64 = 3_600_000;
    const DAY_MS: i64 = 24 * HOUR_MS;
    let units = [("h", HOUR_MS), ("d", DAY_MS), ("w", 7 * DAY_MS), ("y", 365 * DAY_MS)];
    let read = |(unit, ms): (&str, i64)| {
        text.strip_suffix(unit)?.parse::<u16>().ok().map(|count| i64::from(count) * ms)
    };
    let span = units.into_iter().find_map(read).filter(|ms| *ms > 0);
    span.ok_or_else(|| {
        format!("{text:?} is no length of time: write a number and `h`, `d`, `w` or `y`, as in `90d`")
    })
}

/// Formats a moment as an ISO 8601 timestamp.
pub fn iso(at: At) -> String {
    Timestamp::from_microsecond(at.0).map_or_else(|_| at.0.to_string(), |moment| moment.to_string())
}
