//! Finds the smallest input on which a program still fails. The problem allows every input that is tried, and its
//! result comes from the author's reference.

use crate::failing::Failing;
use crate::judge::{Answered, Judge, Prepared, tried};
use crate::limits::Limits;
use coaching::judging::{Shrinking, Size, Smallest, Test, Tests, Tried, Verdict, size, smaller};
use serde_json::{Value, json};
use std::time::{Duration, Instant};

/// The program that asks the author's code whether an input is allowed, and for its result.
const SMALLER: &str = include_str!("harness/smaller.py");
const SMALLER_FUNCTION: &str = "etude_smaller";
const REFERENCE_LANGUAGE: &str = "python";
/// The time after which the search ends, however slow the program is.
const PATIENCE: Duration = Duration::from_millis(2_500);
const ROUNDS: usize = 40;
/// The time for one smaller input, in milliseconds.
const TIME_MS: u64 = 300;
/// The most elements of an input that is shown although it was found from a hidden test. A larger one would nearly
/// be the test itself.
const SHOWN_ELEMENTS: usize = 24;

impl Judge {
    /// Looks for smaller inputs until there are none or the time is up.
    pub fn smallest(&self, failing: &Failing<'_>, limits: &Limits) -> Option<Smallest> {
        let until = Instant::now() + PATIENCE;
        let limits = Limits { time_ms: TIME_MS, total_ms: TIME_MS * 4, ..limits.clone() };
        let test = failing.tests.tests.get(failing.index)?;
        let mut args = test.args.clone()?;
        let function = failing.tests.function.as_deref();
        let prepared = {
            let _place = self.enter();
            self.prepare(failing.language, failing.source, function, args.len(), &limits).ok()?
        };
        let mut found: Option<(Test, Tried)> = None;
        for _ in 0..ROUNDS {
            if Instant::now() >= until {
                break;
            }
            let allowed = self.allowed(failing, &args, &limits).unwrap_or_default();
            let Some(next) = self.first_failing(failing, &prepared, allowed, &limits) else { break };
            args = next.0.args.clone().unwrap_or_default();
            found = Some(next);
        }
        found.filter(|(smaller, _)| is_shown(test, smaller)).map(|found| failing.smallest(found))
    }

    /// Returns smaller inputs that the problem allows, with their results. Inputs of hidden tests are left out.
    fn allowed(&self, failing: &Failing<'_>, args: &[Value], limits: &Limits) -> Option<Vec<Test>> {
        let candidates: Vec<Vec<Value>> =
            smaller(args).into_iter().filter(|args| !failing.is_hidden(args)).collect();
        let call = |args: &Vec<Value>| Test {
            args: Some(vec![json!(failing.tests.function), json!(args)]),
            stdin: None,
            expected: Value::Null,
            hidden: true,
        };
        let calls = Tests {
            function: Some(SMALLER_FUNCTION.to_owned()),
            tests: candidates.iter().map(call).collect(),
            ..failing.tests.clone()
        };
        let Shrinking { reference, valid } = failing.shrinking;
        let source = format!("{reference}\n\n{valid}\n\n{SMALLER}");
        let told = self.values(REFERENCE_LANGUAGE, &source, &calls, limits).ok()?;
        let test = |(args, told): (Vec<Value>, Value)| {
            let expected = told.as_array()?.first()?.clone();
            Some(Test { args: Some(args), stdin: None, expected, hidden: false })
        };
        Some(candidates.into_iter().zip(told).filter_map(test).collect())
    }

    /// Returns the first of these inputs that the program fails, which is the smallest.
    fn first_failing(
        &self,
        failing: &Failing<'_>,
        prepared: &Prepared<'_>,
        allowed: Vec<Test>,
        limits: &Limits,
    ) -> Option<(Test, Tried)> {
        let tests = Tests { tests: allowed, ..failing.tests.clone() };
        if tests.tests.is_empty() {
            return None;
        }
        let answered: Vec<Answered> = {
            let _place = self.enter();
            self.call_all(prepared, &tests.tests.iter().collect::<Vec<_>>()).ok()?
        };
        let checked = self.checked(&tests, &answered, limits).ok()?;
        let was_run = |answered: &Answered| !answered.is_never_run();
        let all = tests.tests.iter().zip(answered).zip(checked).enumerate();
        let mut all = all.filter(|(_, ((_, answered), _))| was_run(answered));
        all.find_map(|(index, ((test, answered), found))| {
            let tried = tried(index, test, &tests, answered, found);
            let has_failed = !matches!(tried.verdict, Verdict::Accepted | Verdict::InternalError);
            has_failed.then(|| (test.clone(), tried))
        })
    }
}

impl Failing<'_> {
    fn is_hidden(&self, args: &[Value]) -> bool {
        self.tests.tests.iter().any(|test| test.hidden && test.args.as_deref() == Some(args))
    }

    fn smallest(&self, (test, tried): (Test, Tried)) -> Smallest {
        Smallest {
            test_index: self.index,
            args: test.args.unwrap_or_default(),
            expected: test.expected,
            verdict: tried.verdict,
            difference: tried.difference,
            message: tried.message,
        }
    }
}

fn is_shown(test: &Test, smaller: &Test) -> bool {
    let of = |test: &Test| size(test.args.as_deref().unwrap_or_default());
    let (before, after): (Size, Size) = (of(test), of(smaller));
    after < before && (!test.hidden || after.elements <= SHOWN_ELEMENTS)
}
