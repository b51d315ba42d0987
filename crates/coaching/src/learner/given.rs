//! Checks numbers from a request or a tool. A number that makes no sense is refused with an explanation of what
//! would.

use super::memory::Quality;
use crate::rejected::Rejected;
use crate::text::shortened;
use serde_json::Value;

/// The number of characters of a refused value that are repeated.
const MAX_REPEATED_CHARS: usize = 40;
/// The bounds of an ease factor. SM-2 goes no lower, and only hundreds of perfect recalls would get higher.
const EASE_FACTORS: (f64, f64) = (1.3, 100.0);

/// Reads a quality, a whole number from 0 to 5. It may be written as 5.0.
pub fn quality(given: &Value) -> Result<Quality, Rejected> {
    let whole = given.as_f64().filter(|number| number.fract() == 0.0 && (0.0..=5.0).contains(number));
    whole.and_then(|number| Quality::new(number as u8)).ok_or_else(|| Rejected {
        code: "bad_quality",
        message: format!("{} is not a quality", shortened(&given.to_string(), MAX_REPEATED_CHARS)).into(),
        cure: "a quality is a whole number from 0 (no idea) to 5 (perfect)".into(),
    })
}

pub fn ease_factor(number: f64) -> Result<f64, Rejected> {
    within("ease_factor", number, EASE_FACTORS.0, EASE_FACTORS.1)
}

pub fn within(what: &str, number: f64, least: f64, most: f64) -> Result<f64, Rejected> {
    (least..=most).contains(&number).then_some(number).ok_or_else(|| Rejected {
        code: "out_of_bounds",
        message: format!("{what} {number} is out of bounds").into(),
        cure: format!("{what} is a number from {least} to {most}").into(),
    })
}
