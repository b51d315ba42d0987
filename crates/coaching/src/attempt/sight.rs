//! Judges a learner's words at first sight by the rules, without an attempt. For measurements.

use super::data::{Data, Explanation, Status, UnderstandPayload};
use super::{plan, reflect, understand};
use crate::grade::Verdict;
use crate::problems::Problem;

/// The verdict on words at first sight.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sight {
    /// The words count.
    Passed,
    /// The coach is not sure and asks another question.
    Asked,
    /// The words do not count, and the coach says what is missing.
    Refused,
}

/// Judges a beginner's explanation of a problem.
pub fn explanation(problem: &Problem, said: &Explanation) -> Sight {
    let payload = UnderstandPayload { said: said.clone(), ai_assessment: None, followups: Vec::new() };
    let data = Data { understand: Some(payload), ..Data::default() };
    match understand::assess(problem, &data, None, true) {
        Ok((assessment, _)) if assessment.status == Status::Pass => Sight::Passed,
        Ok((_, Some(_))) => Sight::Asked,
        _ => Sight::Refused,
    }
}

/// Judges an invariant in free words. A doubtful invariant is asked about, never refused.
pub fn invariant(problem: &Problem, text: &str) -> Sight {
    if plan::is_invariant(problem, text) { Sight::Passed } else { Sight::Asked }
}

/// Judges a running time. One that does not fit is asked about.
pub fn complexity(problem: &Problem, text: &str) -> Sight {
    if plan::is_complexity(problem, text) { Sight::Passed } else { Sight::Asked }
}

/// Judges an answer to the changed constraint. At first sight the coach asks for more before it finds an answer
/// wanting.
pub fn challenge(problem: &Problem, text: &str) -> Sight {
    let is_met = reflect::grade_challenge(problem, text).verdict == Verdict::Right;
    if is_met { Sight::Passed } else { Sight::Asked }
}
