//! What the rules make of a learner's words when they see them first, without an attempt around them. For measurements.

use super::data::{Assessment, Data, Explanation, Status, UnderstandPayload};
use super::{plan, reflect, understand};
use crate::grade::Verdict;
use crate::problems::Problem;
use crate::rejected::Rejected;
use crate::words::Text;

/// What becomes of words at first sight.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sight {
    /// They count.
    Passed,
    /// The coach is not sure and asks on.
    Asked,
    /// They do not count, and the coach says what is missing.
    Refused,
}

/// What keeps an explanation from passing, as it is said to the learner.
pub fn gaps(problem: &Problem, said: &Explanation) -> Vec<Text> {
    assessed(problem, said).map_or_else(|_| Vec::new(), |(assessment, _)| assessment.gaps)
}

/// For each idea of a problem whether an explanation says it.
pub fn ideas(problem: &Problem, said: &Explanation) -> Vec<(String, bool)> {
    understand::ideas(problem, &payload(said))
}

/// An explanation of a problem, by a beginner.
pub fn explanation(problem: &Problem, said: &Explanation) -> Sight {
    match assessed(problem, said) {
        Ok((assessment, _)) if assessment.status == Status::Pass => Sight::Passed,
        Ok((_, Some(_))) => Sight::Asked,
        _ => Sight::Refused,
    }
}

fn assessed(problem: &Problem, said: &Explanation) -> Result<(Assessment, Option<(usize, Text)>), Rejected> {
    let data = Data { understand: Some(payload(said)), ..Data::default() };
    understand::assess(problem, &data, None, true)
}

fn payload(said: &Explanation) -> UnderstandPayload {
    UnderstandPayload { said: said.clone(), ai_assessment: None, followups: Vec::new() }
}

/// What stays true, in free words. A doubtful invariant is asked about, never refused.
pub fn invariant(problem: &Problem, text: &str) -> Sight {
    if plan::is_invariant(problem, text) { Sight::Passed } else { Sight::Asked }
}

/// How long a program takes. What does not fit is asked about.
pub fn complexity(problem: &Problem, text: &str) -> Sight {
    if plan::is_complexity(problem, text) { Sight::Passed } else { Sight::Asked }
}

/// An answer to the changed constraint. At first sight the coach asks for more before it finds one wanting.
pub fn challenge(problem: &Problem, text: &str) -> Sight {
    let is_met = reflect::grade_challenge(problem, text).verdict == Verdict::Right;
    if is_met { Sight::Passed } else { Sight::Asked }
}
