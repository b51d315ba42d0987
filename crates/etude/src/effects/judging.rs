//! Has a judge run a program for a flow. There is always a report, if only that nothing could be run.

use crate::engine::app::App;
use crate::engine::flows::Late;
use crate::engine::performer::{Manner, Performed, Performer};
use crate::engine::turn::{Request, Via};
use coaching::judging::{JUDGE_KIND, Ran, Random, Run, TRACE_KIND, Test, Tests, Traced, Tracing, Verdict};
use coaching::turn::Source;
use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use judge::{Failing, Judge, Limits, Settings};
use outside::Trouble;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use std::sync::Arc;
use store::Effect;

/// Calls the author's generator and reference once for each seed.
const RANDOM: &str = include_str!("random.py");
/// The function of [`RANDOM`].
const RANDOM_FUNCTION: &str = "etude_random";
/// The language of generators and of the references that they go with.
const RANDOM_LANGUAGE: &str = "python";
/// What is kept of a trace: it stays in the log of its flow.
const MAX_STEPS: usize = 300;
const MAX_TRACE_BYTES: usize = 64 << 10;

#[derive(Debug)]
pub struct Judging(pub Option<Bench>);

/// Has a judge run one call line by line.
#[derive(Debug)]
pub struct LineByLine(pub Option<Bench>);

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

    fn perform<'a>(&'a self, app: &'a App, effect: &'a Effect) -> BoxFuture<'a, Performed> {
        let ask = |run: Run| (run.answered_by.clone(), move |judge: &Judge| json!(self::judge(judge, run)));
        perform(app, self.0.as_ref(), effect, ask).map(|judged| judged.map(Some)).boxed()
    }
}

impl Performer for LineByLine {
    fn kind(&self) -> &'static str {
        TRACE_KIND
    }

    fn manner(&self) -> Manner {
        Manner { answers_its_flow: true, keeps_via: true, ..Manner::default() }
    }

    fn is_ready(&self, _: &App) -> bool {
        self.0.is_some()
    }

    fn perform<'a>(&'a self, app: &'a App, effect: &'a Effect) -> BoxFuture<'a, Performed> {
        let ask = |asked: Tracing| {
            (asked.answered_by.clone(), move |judge: &Judge| json!(line_by_line(judge, &asked)))
        };
        perform(app, self.0.as_ref(), effect, ask).map(|traced| traced.map(Some)).boxed()
    }
}

/// Reads what a flow asks, has it done beside the other turns, and brings the answer under the event that it names.
async fn perform<T, F>(
    app: &App,
    bench: Option<&Bench>,
    effect: &Effect,
    ask: impl Fn(T) -> (String, F),
) -> Result<Request, Trouble>
where
    T: DeserializeOwned,
    F: FnOnce(&Judge) -> Value + Send + 'static,
{
    let unreadable = |error| Trouble::Final { reason: format!("the run cannot be read: {error}") };
    let (event, work) = ask(serde_json::from_str(&effect.payload).map_err(unreadable)?);
    let missing = || Trouble::Retry { after_ms: None, reason: "no judge is here".to_owned() };
    let bench = bench.cloned().ok_or_else(missing)?;
    // Learners take turns, however much one of them has asked for.
    let learner = app.row(&effect.instance).await.map_or_else(|_| effect.instance.clone(), |row| row.learner);
    let done = tokio::task::spawn_blocking(move || work(&bench.0.of(&learner))).await;
    let failed = |error: tokio::task::JoinError| Trouble::Retry { after_ms: None, reason: error.to_string() };
    Ok(Request {
        via: Via::of_result(effect),
        payload: done.map_err(failed)?,
        finishes: Some(effect.key.clone()),
        // After a crash the same may be run twice; the report is taken once.
        request: Some(effect.key.clone()),
        ..Request::new(&effect.instance, &event, Source::System)
    })
}

/// Runs the program against the author's tests and the random ones.
fn judge(judge: &Judge, run: Run) -> Ran {
    let Run { number, language, source, mut tests, random, shrinking, .. } = run;
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
    let index = report.tests.iter().position(|tried| tried.verdict != Verdict::Accepted);
    let smallest = shrinking.zip(index).and_then(|(shrinking, index)| {
        let (language, source, tests, shrinking) = (&*language, &*source, &tests, &shrinking);
        judge.smallest(&Failing { language, source, tests, index, shrinking }, &limits)
    });
    Ran { number, report, smallest }
}

fn line_by_line(judge: &Judge, asked: &Tracing) -> Traced {
    let Tracing { number, language, source, function, args, .. } = asked;
    match judge.trace(language, source, function, args, &Limits::default()) {
        Ok(trace) => {
            let trace = trace.within(MAX_STEPS, MAX_TRACE_BYTES);
            Traced { number: *number, trace: Some(trace), message: None }
        }
        Err((_, message)) => Traced { number: *number, trace: None, message: Some(message) },
    }
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
