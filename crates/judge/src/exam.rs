//! Examines a program with all the author's tests: the written ones, those as large as the problem allows, and
//! random ones.

use crate::{Failing, Judge, Limits};
use coaching::judging::{Exam, Random, Report, Smallest, Test, Tests, Verdict, size};
use serde_json::{Value, json};

/// The program that calls the author's generators and reference.
const EXAM: &str = include_str!("harness/exam.py");
const EXAM_FUNCTION: &str = "etude_tests";
/// The language of generators and of the references that they go with.
const EXAM_LANGUAGE: &str = "python";
/// The time in which a test is made, in milliseconds. It may take longer than passing the test.
const MAKING_MS: u64 = 10_000;
/// The number of elements above which a program that is too slow counts as slow and not wrong. A smaller input
/// would not show its slowness.
const LARGE: usize = 1_000;

impl Judge {
    /// Runs a program against all tests, and looks for the smallest input that it fails.
    pub fn examine(
        &self,
        language: &str,
        source: &str,
        exam: Exam,
        limits: &Limits,
    ) -> (Report, Option<Smallest>) {
        let Exam { mut tests, random, shrinking } = exam;
        if let Some(reason) = self.missing(language) {
            return (self.refused(Verdict::InternalError, &reason), None);
        }
        // Without Python, only the author's own tests count.
        if let Some(random) = random.filter(|_| self.missing(EXAM_LANGUAGE).is_none()) {
            match self.more_tests(&tests, &random, limits) {
                Ok(more) => tests.tests.extend(more),
                Err(reason) => {
                    let reason = format!("the tests of this problem cannot be made: {reason}");
                    return (self.refused(Verdict::InternalError, &reason), None);
                }
            }
        }
        let report = self.run(language, source, &tests, limits);
        let failed = report.tests.iter().find(|tried| tried.verdict != Verdict::Accepted);
        let is_slow =
            |index: usize| size(tests.tests[index].args.as_deref().unwrap_or_default()).elements > LARGE;
        let failed = failed.filter(|tried| tried.verdict != Verdict::TimeLimit || !is_slow(tried.index));
        let smallest = shrinking.zip(failed).and_then(|(shrinking, failed)| {
            let (index, tests, shrinking) = (failed.index, &tests, &shrinking);
            self.smallest(&Failing { language, source, tests, index, shrinking }, limits)
        });
        (report, smallest)
    }

    /// Makes the tests that are not written down: the large ones, which are always the same, then the random ones.
    pub fn more_tests(&self, tests: &Tests, random: &Random, limits: &Limits) -> Result<Vec<Test>, String> {
        let Random { make, large, reference, count, seed } = random;
        let source = [reference, make, large.as_deref().unwrap_or_default(), EXAM].join("\n\n");
        let seeds = (0..*count).map(|at| json!(seed.wrapping_add(u64::from(at))));
        let calls = large.iter().map(|_| Value::Null).chain(seeds).map(|seed| Test {
            args: Some(vec![json!(tests.function), seed]),
            stdin: None,
            expected: Value::Null,
            hidden: true,
        });
        let calls =
            Tests { function: Some(EXAM_FUNCTION.to_owned()), tests: calls.collect(), ..tests.clone() };
        let limits = Limits { time_ms: MAKING_MS, total_ms: 2 * MAKING_MS, ..limits.clone() };
        let made = self.values(EXAM_LANGUAGE, &source, &calls, &limits)?;
        let made = made.into_iter().flat_map(|made| made.as_array().cloned().unwrap_or_default());
        made.map(|made| test(made).ok_or_else(|| "they have no arguments".to_owned())).collect()
    }
}

/// Makes a hidden test from its arguments and its result.
fn test(made: Value) -> Option<Test> {
    let Value::Array(mut pair) = made else { return None };
    let (expected, args) = (pair.pop()?, pair.pop()?);
    Some(Test { args: Some(args.as_array()?.clone()), stdin: None, expected, hidden: true })
}
