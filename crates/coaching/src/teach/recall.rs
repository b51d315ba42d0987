//! Turns the answers in courses into evidence about a learner's memory.

use super::progress::ResponseType;
use super::room::RESPONSE_KIND;
use crate::face::Recalls;
use crate::learner::{Quality, Rated};
use crate::record::Record;
use jiff::Timestamp;
use serde::Deserialize;

/// The part of a stored answer that memory models need.
#[derive(Debug, Deserialize)]
struct Recalled {
    quality: Quality,
    response_type: ResponseType,
    responded_at: Timestamp,
}

pub(super) const RECALLS: Recalls =
    Recalls { kind: RESPONSE_KIND, read: |record| recalled(record).into_iter().collect() };

/// Reads how well a concept was remembered in a stored answer. A diagnosis asks for what was never taught, so it
/// tells nothing.
fn recalled(record: &Record) -> Option<(String, Rated)> {
    let Recalled { quality, response_type, responded_at } =
        Recalled::deserialize(record.body.as_ref()?).ok()?;
    let rated = Rated { at_us: responded_at.as_microsecond(), quality };
    Some((record.standing.clone()?, rated)).filter(|_| response_type != ResponseType::Diagnostic)
}
