//! The one place that every sentence of the coach passes before the problem is solved.

use super::data::Data;
use crate::problems::Problem;
use crate::words::Text;

/// How many of the coach's own lines are kept: pieces of a solution may be spread over several.
const MAX_KEPT_LINES: usize = 50;

/// How much a text tells about the solution.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Risk {
    #[default]
    Low,
}

impl Risk {
    pub(super) fn name(self) -> &'static str {
        match self {
            Risk::Low => "low",
        }
    }
}

/// Passes on what the coach says about a problem that is not solved yet.
pub(super) fn pass(_: &Problem, data: &mut Data, text: Text) -> (Text, Risk) {
    if let Some(line) = text.plain() {
        data.said.push(line.to_owned());
        let extra = data.said.len().saturating_sub(MAX_KEPT_LINES);
        data.said.drain(..extra);
    }
    (text, Risk::Low)
}
