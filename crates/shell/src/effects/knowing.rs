//! Tells a flow what is known about its learner now: the local time, and the subjects they learn.

use crate::engine::app::App;
use crate::engine::failure::Failure;
use crate::engine::look::subjects;
use crate::engine::performer::{Manner, Performed, Performer};
use crate::engine::turn::{Request, Via};
use crate::learners::profiles;
use coaching::learner::Calendar;
use coaching::turn::Source;
use coaching::voice::{KNOWLEDGE_KIND, Knowledge};
use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use jiff::Timestamp;
use outside::Trouble;
use serde::Deserialize;
use serde_json::json;
use store::Effect;

#[derive(Debug)]
pub struct Knowing;

#[derive(Debug, Deserialize)]
struct Asked {
    answered_by: String,
    /// The event that reports a failure. Without one, a failure ends the effect.
    failed_by: Option<String>,
    /// Whether the learner's subjects are wanted. Finding them takes a moment.
    subjects: bool,
}

impl Performer for Knowing {
    fn kind(&self) -> &'static str {
        KNOWLEDGE_KIND
    }

    fn manner(&self) -> Manner {
        Manner { answers_its_flow: true, keeps_via: true, ..Manner::default() }
    }

    fn perform<'a>(&'a self, app: &'a App, effect: &'a Effect) -> BoxFuture<'a, Performed> {
        async move {
            let unreadable = |error: serde_json::Error| Trouble::Final { reason: error.to_string() };
            let Asked { answered_by, failed_by, subjects } =
                serde_json::from_str(&effect.payload).map_err(unreadable)?;
            let known = knowledge(app, &effect.instance, subjects).await;
            let (event, payload) = match (known, failed_by) {
                (Ok(knowledge), _) => (answered_by, knowledge.payload()),
                (Err(failure), Some(failed_by)) => (failed_by, json!({"reason": failure.to_string()})),
                (Err(failure), None) => return Err(Trouble::Final { reason: failure.to_string() }),
            };
            Ok(Some(Request {
                via: Via::of_result(effect),
                payload,
                finishes: Some(effect.key.clone()),
                request: Some(effect.key.clone()),
                ..Request::new(&effect.instance, &event, Source::Rules)
            }))
        }
        .boxed()
    }
}

async fn knowledge(app: &App, flow: &str, wants_subjects: bool) -> Result<Knowledge, Failure> {
    let learner = app.row(flow).await?.learner;
    let zone = Calendar::of(&profiles::read(&app.store, &learner).await?).zone().clone();
    let now_us = app.clock.now().0;
    let local = Timestamp::from_microsecond(now_us).unwrap_or_default().to_zoned(zone);
    let found = if wants_subjects { subjects(app, &learner).await? } else { Vec::new() };
    let subjects = found.into_iter().map(|(_, subject)| subject).collect();
    Ok(Knowledge {
        now_us,
        time: format!("{}:{:02}", local.hour(), local.minute()),
        weekday: local.weekday().to_monday_one_offset(),
        day: local.day(),
        month: local.month(),
        subjects,
    })
}
