//! Runs learners' programs with a judge. The flow always gets a report, even if it only says that nothing could be
//! run.

use crate::engine::app::App;
use crate::engine::failure::Failure;
use crate::engine::flows::Late;
use crate::engine::performer::{Manner, Performed, Performer};
use crate::engine::turn::{Request, Via};
use coaching::judging::{Exam, JUDGE_KIND, Ran, Run, TRACE_KIND, Traced, Tracing};
use coaching::turn::Source;
use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use judge::{Judge, Limits, Settings};
use outside::Trouble;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use std::sync::Arc;
use store::Effect;

/// The number of tests that may time out before the run ends. One says enough, and other learners are waiting.
const SLOW_TESTS: usize = 1;
/// The most steps of a trace that are kept: a trace stays in the log of its flow.
const MAX_STEPS: usize = 300;
const MAX_TRACE_BYTES: usize = 64 << 10;

#[derive(Debug)]
pub struct Judging(pub Option<Bench>);

/// A performer that has a judge run one call line by line.
#[derive(Debug)]
pub struct LineByLine(pub Option<Bench>);

/// A judge that examines the kernel on first use.
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
        async {
            let (run, exam) = set_exam(app, effect).await?;
            let event = run.answered_by.clone();
            let work = move |judge: &Judge| json!(self::judge(judge, run, exam));
            perform(app, self.0.as_ref(), effect, event, work).await.map(Some)
        }
        .boxed()
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
        async {
            let asked: Tracing = read(effect)?;
            let event = asked.answered_by.clone();
            let work = move |judge: &Judge| json!(line_by_line(judge, &asked));
            perform(app, self.0.as_ref(), effect, event, work).await.map(Some)
        }
        .boxed()
    }
}

/// Reads the request of a flow.
fn read<T: DeserializeOwned>(effect: &Effect) -> Result<T, Trouble> {
    let unreadable = |error| Trouble::Final { reason: format!("the run cannot be read: {error}") };
    serde_json::from_str(&effect.payload).map_err(unreadable)
}

/// Reads a run and its exam. If the run names a problem, the flow provides the exam.
async fn set_exam(app: &App, effect: &Effect) -> Result<(Run, Exam), Trouble> {
    let run: Run = read(effect)?;
    let Some(problem) = &run.problem else { return Ok((run, read(effect)?)) };
    let later = |failure: Failure| Trouble::Retry { after_ms: None, reason: failure.to_string() };
    let row = app.row(&effect.instance).await.map_err(later)?;
    let flow = app.flows.get(&row.flow).map(|entry| entry.handlers.get());
    let exam = flow.and_then(|flow| flow.exam(problem, &run.source));
    let gone = || Trouble::Final { reason: format!("there is no longer a problem `{problem}`") };
    let exam = exam.ok_or_else(gone)?;
    Ok((run, exam))
}

/// Does the work on a thread for blocking calls, and returns its result as the event that the flow has named.
async fn perform(
    app: &App,
    bench: Option<&Bench>,
    effect: &Effect,
    event: String,
    work: impl FnOnce(&Judge) -> Value + Send + 'static,
) -> Result<Request, Trouble> {
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
        // After a crash the run may happen twice; the report is taken once.
        request: Some(effect.key.clone()),
        ..Request::new(&effect.instance, &event, Source::System)
    })
}

fn judge(judge: &Judge, run: Run, exam: Exam) -> Ran {
    let limits = Limits { slow_tests: SLOW_TESTS, ..Limits::default() };
    let (report, smallest) = judge.examine(&run.language, &run.source, exam, &limits);
    Ran { number: run.number, report, smallest }
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
