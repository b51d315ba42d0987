//! What answers in courses tell about a learner's memory.

use super::progress::ResponseType;
use crate::learner::{Quality, Rated};
use jiff::Timestamp;
use serde::Deserialize;

/// The part of a stored answer that memory models need.
#[derive(Debug, Deserialize)]
struct Recalled {
    quality: Quality,
    response_type: ResponseType,
    responded_at: Timestamp,
}

/// How well a concept was remembered in a stored answer. A diagnosis asks for what was never taught, so it tells nothing.
pub fn rated(answer: &str) -> Option<Rated> {
    let Recalled { quality, response_type, responded_at } = serde_json::from_str(answer).ok()?;
    let rated = Rated { at_us: responded_at.as_microsecond(), quality };
    (response_type != ResponseType::Diagnostic).then_some(rated)
}
