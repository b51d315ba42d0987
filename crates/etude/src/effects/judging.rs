//! Has a judge run a program for a flow. There is always a report, if only that nothing could be run.

use crate::engine::app::App;
use crate::engine::flows::Late;
use crate::engine::performer::{Manner, Performed, Performer};
use crate::engine::turn::{Request, Via};
use coaching::judging::{JUDGE_KIND, Ran, Random, Run, Test, Tests, Verdict};
use coaching::turn::Source;
use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use judge::{Judge, Limits, Settings};
use outside::Trouble;
use serde_json::{Value, json};
use std::sync::Arc;
use store::Effect;

/// Calls the author's generator and reference once for each seed.
const RANDOM: &str = include_str!("random.py");
/// The function of [`RANDOM`].
const RANDOM_FUNCTION: &str = "etude_random";
/// The language of generators and of the references that they go with.
const RANDOM_LANGUAGE: &str = "python";

#[derive(Debug)]
pub struct Judging(pub Option<Bench>);

/// A judge that looks at the kernel when it is first needed.
#[derive(Debug, Clone)]
pub struct Bench(Arc<Late<Judge>>);

impl Bench {
    pub fn new(settings: Settings) -> Bench {
        Bench(Arc::new(Late::new(move || Judge::open(settings))))
    }
}

impl Performer for Judging {
    fn kind(&self) -> &'static str {
        JUDGE_KIND
    }

    fn manner(&self) -> Manner {
        Manner { answers_its_flow: true, keeps_via: true, ..Manner::default() }
    }

    fn is_ready(&self, _: &App) -> bool {
        self.0.is_some()
    }

    fn perform<'a>(&'a self, _: &'a App, effect: &'a Effect) -> BoxFuture<'a, Performed> {
        perform(self.0.as_ref(), effect).map(|judged| judged.map(Some)).boxed()
    }
}

async fn perform(bench: Option<&Bench>, effect: &Effect) -> Result<Request, Trouble> {
    let unreadable = |error| Trouble::Final { reason: format!("the run cannot be read: {error}") };
    let run: Run = serde_json::from_str(&effect.payload).map_err(unreadable)?;
    let missing = || Trouble::Retry { after_ms: None, reason: "no judge is here".to_owned() };
    let bench = bench.cloned().ok_or_else(missing)?;
    let event = run.answered_by.clone();
    let judged = tokio::task::spawn_blocking(move || judge(&bench.0, run)).await;
    let failed = |error: tokio::task::JoinError| Trouble::Retry { after_ms: None, reason: error.to_string() };
    Ok(Request {
        via: Via::of_result(effect),
        payload: json!(judged.map_err(failed)?),
        finishes: Some(effect.key.clone()),
        // After a crash the same may be run twice; the report is taken once.
        request: Some(effect.key.clone()),
        ..Request::new(&effect.instance, &event, Source::System)
    })
}

/// Runs the program against the author's tests and the random ones.
fn judge(judge: &Judge, run: Run) -> Ran {
    let Run { number, language, source, mut tests, random, .. } = run;
    let limits = Limits::default();
    if let Some(random) = random {
        match random_tests(judge, &tests, &random, &limits) {
            Ok(more) => tests.tests.extend(more),
            // The author's own tests still count.
            Err(reason) => tracing::warn!(reason, "random tests could not be made"),
        }
    }
    let report = match judge.missing(&language) {
        Some(reason) => judge.refused(Verdict::InternalError, &reason),
        None => judge.run(&language, &source, &tests, &limits),
    };
    Ran { number, report }
}

fn random_tests(judge: &Judge, tests: &Tests, random: &Random, limits: &Limits) -> Result<Vec<Test>, String> {
    let source = format!("{}\n\n{}\n\n{RANDOM}", random.reference, random.make);
    let seed = |at: u32| json!(random.seed.wrapping_add(u64::from(at)));
    let call = |at: u32| Test {
        args: Some(vec![json!(tests.function), seed(at)]),
        stdin: None,
        expected: Value::Null,
        hidden: true,
    };
    let calls = Tests {
        function: Some(RANDOM_FUNCTION.to_owned()),
        tests: (0..random.count).map(call).collect(),
        ..tests.clone()
    };
    let made = judge.values(RANDOM_LANGUAGE, &source, &calls, limits)?;
    let test = |value: Value| match value {
        Value::Array(mut pair) if pair.len() == 2 => {
            let (expected, args) = (pair.pop()?, pair.pop()?);
            Some(Test { args: Some(args.as_array()?.clone()), stdin: None, expected, hidden: true })
        }
        _ => None,
    };
    made.into_iter()
        .map(test)
        .collect::<Option<Vec<Test>>>()
        .ok_or_else(|| "they have no arguments".to_owned())
}
